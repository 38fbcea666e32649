// SPDX-License-Identifier: Apache-2.0
//
// Montgomery product of 2^521 - 1 or 2^448 - 2^224 - 1 by one step of Karatsuba's method, around two product arrays of
// Half by Digit bits that belong to the user (pm_mont_mul_packed), as his registers of operands and of the sum do.
//
// Computes:  x y R^-1 mod p, with R = 2^(64 d) of pm_named_prime_pkg. With h = 261 or 224, x = x0 + 2^h x1, y = y0 + 2^h y1,
//            L = x0 y0, H = x1 y1, M = (x0 + x1)(y0 + y1), V = L + H, and modulo p:
//              2^521 - 1:          (V + H - 2^h V + 2^h M) 2^-55                     (R = 2^55)
//              2^448 - 2^224 - 1:  V + U - 2^h U + (2^h - 1) M,  with U = V + L      (R = 2^h + 1)
// Ranges:    x below R and 2^(2 Half); y in [0, p). The result lies in [0, p).
// Schedule:  left_i counts the cycles down to 1. First array a makes L and array b makes H, a digit a cycle; in the last
//            NamedSecond cycles both make M, a with its lower digits, b with the others. Meanwhile lower + 2^h upper becomes
//            what L and H add, plus p; then without the carry of lower; then less what leaves p at the top, and less p,
//            so that with all that M may add it lies from -p to below 2 p.
// Operands:  x_i is x, and in each cycle goes down by a digit, with x_top_o, a digit of x0 + x1, on top. y_i is y, after the
//            cycle of y_change_o y_sum_o.
// Latency:   14 and 11 cycles, that of the user; outputs are combinational.
// Reset:     none; wipe_i clears the registers, enable_i lets them move. Constant time.
// Source:    Karatsuba and Ofman 1962; for 2^448 - 2^224 - 1 Hamburg 2015, ePrint 2015/625, without R. The schedule on two
//            arrays is this design's.

module pm_named_halves
  import pm_named_prime_pkg::*;
#(
    localparam int unsigned Digit = 32,
    localparam int unsigned Half = 272,  // bits of an array
    localparam int unsigned Lanes = 4,
    localparam int unsigned LaneBits = Half / Lanes + Digit,  // of a product in a lane
    localparam int unsigned Width = 2 * Half,
    localparam int unsigned SumBits = 288
) (
    input logic clk_i,
    input logic wipe_i,  // clear registers
    input logic enable_i,  // a cycle of a product
    input logic first_i,  // its first one
    input logic [4:0] left_i,  // cycles left, with this one
    input named_e named_i,  // NamedP521 or NamedX448
    input logic [Width-1:0] x_i,  // factor, shifted down by a digit each cycle, with x_top_o on top
    input logic [Width-1:0] y_i,  // factor, then y_sum_o instead of its lower part
    output logic [Digit-1:0] x_top_o,  // digit of x0 + x1
    output logic y_change_o,  // y_sum_o is wanted from the next cycle on
    output logic [Half-1:0] y_sum_o,  // y0 + y1
    output logic [Half-1:0] half_a_o,  // to array a
    output logic [Half-1:0] half_b_o,  // to array b
    output logic [Digit-1:0] digit_a_o,
    output logic [Digit-1:0] digit_b_o,
    input logic [Lanes-1:0][LaneBits-1:0] product_a_i,  // from the arrays, lane by lane
    input logic [Lanes-1:0][LaneBits-1:0] product_b_i,
    input logic signed [SumBits-1:0] lower_i,  // lower_o, upper_o of the cycle before
    input logic signed [SumBits-1:0] upper_i,
    output logic signed [SumBits-1:0] lower_o,  // what L and H add: lower + 2^h upper
    output logic signed [SumBits-1:0] upper_o,
    output logic [Width-1:0] r_o  // in the last cycle, the product
);

  // Of 2^448 - 2^224 - 1 (Gold) and 2^521 - 1 (Mers): bits of the lower half of a factor, and of a number that times 2^h
  // does not leave p; digits of the lower half; the second part of the cycles.
  localparam int unsigned GoldHalf = 224;
  localparam int unsigned GoldStay = 224;
  localparam int unsigned GoldSecond = 32'(NamedSecond[NamedX448]);
  localparam int unsigned GoldDigits = 32'(NamedSteps[NamedX448]) - GoldSecond;
  localparam int unsigned MersHalf = 261;
  localparam int unsigned MersStay = 260;
  localparam int unsigned MersSecond = 32'(NamedSecond[NamedP521]);
  localparam int unsigned MersDigits = 32'(NamedSteps[NamedP521]) - MersSecond;
  localparam int unsigned RowBits = Half + Digit;
  localparam int unsigned LowBits = MersDigits * Digit;
  localparam int unsigned CarryBits = 28;  // of what is carried from half to half, or out of p, signed

  logic gold;  // 2^448 - 2^224 - 1
  logic second;  // makes M
  logic [4:0] seconds;

  assign gold = named_i == NamedX448;
  assign seconds = NamedSecond[named_i];
  assign second = left_i <= seconds;

  // -------------------------------------------------------------------------------- operands
  // As x goes down, the digits of x0 pass at bit 0 and those of x1 at bit h; in the last cycle of the first part that of x0
  // ends before x1, and that of x1 before the first digit that came in on top. The digits of x0 + x1 are all in, but
  // for the highest bit, when the second part begins.
  localparam int unsigned GoldSum = Width - GoldDigits * Digit;  // where the lowest one of them is then
  localparam int unsigned MersSum = Width - MersDigits * Digit;
  localparam int unsigned Rest = MersHalf - (MersDigits - 1) * Digit;  // bits of the highest digit of x0, and not of x1
  logic [Digit-1:0] x_low, x_high;
  logic x_carry, x_carry_q, first_ends;
  logic [Half-1:0] y_low, y_high;

  assign first_ends = left_i == seconds + 5'd1;

  always_comb begin
    x_low  = x_i[Digit-1:0];
    x_high = gold ? x_i[GoldHalf+:Digit] : x_i[MersHalf+:Digit];
    if (first_ends && !gold) begin
      x_low[Digit-1:Rest]   = '0;
      x_high[Digit-1-:Rest] = '0;
    end
  end

  assign {x_carry, x_top_o} = (second ? '0 : {1'b0, x_low} + {1'b0, x_high})
      + (Digit + 1)'(x_carry_q && !first_i);
  assign digit_a_o = !second ? x_low : gold ? x_i[GoldSum+:Digit] : x_i[MersSum+:Digit];
  assign digit_b_o = !second ? x_high
      : gold ? x_i[GoldSum+GoldSecond*Digit+:Digit] : x_i[MersSum+MersSecond*Digit+:Digit];

  always_comb begin
    y_low = y_i[Half-1:0];
    if (!second) y_low[Half-1:MersHalf] = '0;
    if (!second && gold) y_low[MersHalf-1:GoldHalf] = '0;
  end

  assign y_high = gold ? Half'(y_i >> GoldHalf) : Half'(y_i >> MersHalf);
  assign y_change_o = first_ends;
  assign y_sum_o = y_low + y_high;
  assign half_a_o = y_low;
  assign half_b_o = second ? y_i[Half-1:0] : y_high;

  // ------------------------------------------------------------------------------- three products
  // The sum of an array loses its lowest digit in each cycle. The digits are collected: in the first part of the cycles
  // those of V, and of U or H; in the second those of the two parts of M.
  logic [Half-1:0] high_a_q, high_b_q;
  logic [LowBits-1:0] low_1_q, low_2_q, low_1_next, low_2_next;
  logic [RowBits-1:0] sum_a, sum_b;
  logic [Digit-1:0] v_digit, u_digit;
  logic begins, v_carry, u_carry, v_carry_q, u_carry_q;

  function automatic logic [RowBits-1:0] row(logic [Half-1:0] above,
                                             logic [Lanes-1:0][LaneBits-1:0] of);
    return RowBits'(above) + (RowBits'(of[2]) << (Half / 2) | RowBits'(of[0]))
        + (RowBits'(of[3]) << (3 * Half / 4) | RowBits'(of[1]) << (Half / 4));
  endfunction

  assign begins = first_i || left_i == seconds;
  assign sum_a = row(begins ? '0 : high_a_q, product_a_i);
  assign sum_b = row(begins ? '0 : high_b_q, product_b_i);
  assign {v_carry, v_digit} = {1'b0, sum_a[Digit-1:0]} + {1'b0, sum_b[Digit-1:0]}
      + (Digit + 1)'(v_carry_q && !first_i);
  assign {u_carry, u_digit} = {1'b0, sum_a[Digit-1:0]} + {1'b0, v_digit}
      + (Digit + 1)'(u_carry_q && !first_i);

  always_comb begin
    low_1_next = {second ? sum_a[Digit-1:0] : v_digit, low_1_q[LowBits-1:Digit]};
    low_2_next = {!second && gold ? u_digit : sum_b[Digit-1:0], low_2_q[LowBits-1:Digit]};
    if (!second && gold) begin
      low_1_next[LowBits-1:(GoldDigits-1)*Digit] = (LowBits - (GoldDigits - 1) * Digit)'(v_digit);
      low_2_next[LowBits-1:(GoldDigits-1)*Digit] = (LowBits - (GoldDigits - 1) * Digit)'(u_digit);
    end
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      {high_a_q, high_b_q, low_1_q, low_2_q, x_carry_q, v_carry_q, u_carry_q} <= '0;
    end else if (enable_i) begin
      high_a_q  <= sum_a[RowBits-1:Digit];
      high_b_q  <= sum_b[RowBits-1:Digit];
      low_1_q   <= low_1_next;
      low_2_q   <= low_2_next;
      x_carry_q <= x_carry;
      v_carry_q <= v_carry;
      u_carry_q <= u_carry;
    end
  end

  // -------------------------------------------------------------------------- what L and H add, plus p
  // A complement makes p of -2^h U and -2^h V: it is 2^stay - 1 more in the upper half, and 1 less in the lower one.
  logic [Half:0] v_high, u_high;
  logic signed [SumBits-1:0] v_lower, v_upper, of_lower, of_upper, less_lower, less_upper;
  logic signed [SumBits-1:0] of_l_and_h_lower, of_l_and_h_upper;

  assign v_high   = (Half + 1)'(high_a_q) + (Half + 1)'(high_b_q) + (Half + 1)'(v_carry_q);
  assign u_high   = v_high + (Half + 1)'(high_a_q) + (Half + 1)'(u_carry_q);

  assign v_lower  = SumBits'(low_1_q[MersHalf-1:0]);
  assign of_lower = SumBits'(low_2_q[MersHalf-1:0]);

  always_comb begin
    if (gold) begin
      v_upper = SumBits'(v_high);
      of_upper = '1;
      less_lower = SumBits'(u_high);
      less_upper = SumBits'({1'b0, ~low_2_q[GoldStay-1:0]});
    end else begin
      v_upper = SumBits'({v_high, low_1_q[LowBits-1:MersHalf]});
      of_upper = SumBits'({high_b_q, low_2_q[LowBits-1:MersHalf]});
      less_lower = SumBits'({v_high, low_1_q[LowBits-1:MersStay]});
      less_upper = SumBits'({1'b0, ~low_1_q[MersStay-1:0]});
    end
  end

  assign of_l_and_h_lower = v_lower + of_lower + ~less_lower;
  assign of_l_and_h_upper = v_upper - ~of_upper + less_upper;

  // ------------------------------------------------------------------------------ carried and folded
  // What is carried out of p comes back at bit 0 and, for gold, at 2^h; one more, since p is taken away.
  logic fold;
  logic signed [CarryBits-1:0] carried, over, back, to_upper;
  logic signed [SumBits-1:0] kept_lower, kept_upper;

  assign fold = left_i <= seconds - 5'd2;
  assign carried = gold ? CarryBits'(lower_i >>> GoldHalf) : CarryBits'(lower_i >>> MersHalf);
  assign over = gold ? CarryBits'(upper_i >>> GoldStay) : CarryBits'(upper_i >>> MersStay);
  assign back = fold ? over + CarryBits'(1) : '0;
  assign to_upper = gold ? carried + back : carried;

  always_comb begin
    kept_lower = lower_i;
    kept_upper = upper_i;
    if (gold) begin
      kept_lower[SumBits-1:GoldHalf] = '0;
      if (fold) kept_upper[SumBits-1:GoldStay] = '1;
    end else begin
      kept_lower[SumBits-1:MersHalf] = '0;
      if (fold) kept_upper[SumBits-1:MersStay] = '1;
    end
  end

  assign lower_o = left_i == seconds ? of_l_and_h_lower : kept_lower + SumBits'(back);
  assign upper_o = left_i == seconds ? of_l_and_h_upper : kept_upper + SumBits'(to_upper);

  // ------------------------------------------------------------------------------------- and with M
  // In the last cycle b has made the digits of M from NamedSecond on, and as many of a are complete; the lowest digit of
  // both is at GoldFirst or MersFirst. For gold (2^h - 1) M is to be added, where 2^(2 h) = 2^h + 1.
  localparam int unsigned GoldFirst = LowBits - (GoldSecond - 1) * Digit;
  localparam int unsigned MersFirst = LowBits - (MersSecond - 1) * Digit;
  localparam int unsigned BothFrom = LowBits + Digit;  // where both have digits
  localparam int unsigned MostBits = 388;
  localparam int unsigned FullBits = SumBits + MersHalf;
  localparam int unsigned GoldAbove = GoldStay - GoldSecond * Digit;
  localparam int unsigned MersAbove = MersStay - MersSecond * Digit;
  logic [LowBits+RowBits-1:0] m_a, m_b;
  logic [MostBits-1:0] m_high;
  logic signed [SumBits-1:0] m_stays, m_top, lower, upper;
  logic [ SumBits-1:0] p_upper;
  logic [MersHalf-1:0] p_lower;
  logic [FullBits-1:0] sum, r;  // upper, lower, in which for gold ones pass on the carry
  logic [FullBits:0] other;  // with a carry into it
  logic negative;

  assign m_a = {sum_a, low_1_q};
  assign m_b = {sum_b, low_2_q};
  assign m_high = MostBits'(m_a >> BothFrom) + (gold ? MostBits'(m_b >> GoldFirst) : MostBits'(m_b >> MersFirst));
  assign m_stays = gold ? SumBits'({m_high[GoldAbove-1:0], m_a[BothFrom-1:GoldFirst]})
      : SumBits'({m_high[MersAbove-1:0], m_a[BothFrom-1:MersFirst]});
  assign m_top = gold ? SumBits'(m_high >> GoldAbove) : SumBits'(m_high >> MersAbove);
  assign lower = lower_i + m_top - (gold ? m_stays : '0);
  assign upper = upper_i + m_stays + (gold ? lower >>> GoldHalf : lower >>> MersHalf);
  assign negative = upper[SumBits-1];

  always_comb begin
    sum = {upper, lower[MersHalf-1:0]};
    if (gold) sum[MersHalf-1:GoldHalf] = '1;
  end

  // p, or its complement, in the same form: for gold 2^h - 2 above 2^h - 1, with no carry from what is between.
  assign p_upper = gold ? SumBits'({{(GoldStay - 1) {1'b1}}, 1'b0}) : SumBits'({MersStay{1'b1}});
  assign p_lower = gold ? MersHalf'({GoldHalf{negative}}) : {MersHalf{negative}};
  assign other = {sum, 1'b1} + {negative ? p_upper : ~p_upper, p_lower, !negative};
  assign r = negative || !other[FullBits] ? other[FullBits:1] : sum;
  assign r_o = gold ? Width'({r[MersHalf+:GoldStay], r[GoldHalf-1:0]})
      : Width'({r[54:0], r[MersHalf+MersStay-1:55]});

  logic unused;
  assign unused = ^x_i ^ ^r[FullBits-1:MersHalf+MersStay];

endmodule
