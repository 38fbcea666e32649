// SPDX-License-Identifier: Apache-2.0
//
// The sum of pm_named_halves, modulo p.
//
// Computes: lower + 2^h upper, signed: in the first cycle of the second phase what L and H add,
//           plus p; in the next one without the carry of lower; then less what leaves p at the top,
//           and less p. With all that M may add it then lies from -p to below 2 p: r_o, in the last
//           cycle, is the sum with M, and with p, -p or nothing, so that it lies in [0, p).
// Latency:  0 (combinational); the user keeps lower and upper from one cycle to the next.
// Reset:    none. Constant time: yes.
module pm_named_halves_sum
  import pm_named_halves_pkg::*;
(
    input  logic                      x448_i,      // 2^448 - 2^224 - 1, not 2^521 - 1
    input  phase_t                    phase_i,     // where the cycle lies
    input  products_t                 products_i,  // L and H, then M
    input  logic signed [SumBits-1:0] lower_i,     // lower_o, upper_o of the cycle before
    input  logic signed [SumBits-1:0] upper_i,
    output logic signed [SumBits-1:0] lower_o,     // the sum
    output logic signed [SumBits-1:0] upper_o,
    output logic        [  Width-1:0] r_o          // in the last cycle, the product
);

  // ---- what L and H add, plus p -----------------------------------------------------------------
  // -2^h U, or -2^h V, is added as a complement, which makes it p more: the complement is
  // 2^stay - 1 more in the upper half, and 1 less in the lower one.
  logic [Half:0] v_high, u_high;
  logic signed [SumBits-1:0] v_lower, v_upper, of_lower, of_upper, less_lower, less_upper;
  logic signed [SumBits-1:0] of_l_and_h_lower, of_l_and_h_upper;

  assign v_high = (Half + 1)'(products_i.high_a) + (Half + 1)'(products_i.high_b)
      + (Half + 1)'(products_i.v_carry);
  assign u_high = v_high + (Half + 1)'(products_i.high_a) + (Half + 1)'(products_i.u_carry);
  assign v_lower = SumBits'(products_i.low_1[P521Half-1:0]);
  assign of_lower = SumBits'(products_i.low_2[P521Half-1:0]);

  always_comb begin
    if (x448_i) begin
      v_upper = SumBits'(v_high);
      of_upper = '1;
      less_lower = SumBits'(u_high);
      less_upper = SumBits'({1'b0, ~products_i.low_2[X448Stay-1:0]});
    end else begin
      v_upper = SumBits'({v_high, products_i.low_1[LowBits-1:P521Half]});
      of_upper = SumBits'({products_i.high_b, products_i.low_2[LowBits-1:P521Half]});
      less_lower = SumBits'({v_high, products_i.low_1[LowBits-1:P521Stay]});
      less_upper = SumBits'({1'b0, ~products_i.low_1[P521Stay-1:0]});
    end
  end

  assign of_l_and_h_lower = v_lower + of_lower + ~less_lower;
  assign of_l_and_h_upper = v_upper - ~of_upper + less_upper;

  // ---- carry and fold ---------------------------------------------------------------------------
  // What is carried out of p comes back at bit 0 and, for X448, at 2^h; one more, since p is taken
  // away.
  localparam int unsigned CarryBits = 28;  // of what is carried, signed
  logic signed [CarryBits-1:0] carried, over, back, to_upper;
  logic signed [SumBits-1:0] kept_lower, kept_upper;

  assign carried = x448_i ? CarryBits'(lower_i >>> X448Half) : CarryBits'(lower_i >>> P521Half);
  assign over = x448_i ? CarryBits'(upper_i >>> X448Stay) : CarryBits'(upper_i >>> P521Stay);
  assign back = phase_i.folds ? over + CarryBits'(1) : '0;
  assign to_upper = x448_i ? carried + back : carried;

  always_comb begin
    kept_lower = lower_i;
    kept_upper = upper_i;
    if (x448_i) begin
      kept_lower[SumBits-1:X448Half] = '0;
      if (phase_i.folds) kept_upper[SumBits-1:X448Stay] = '1;
    end else begin
      kept_lower[SumBits-1:P521Half] = '0;
      if (phase_i.folds) kept_upper[SumBits-1:P521Stay] = '1;
    end
  end

  assign lower_o = phase_i.begins_second ? of_l_and_h_lower : kept_lower + SumBits'(back);
  assign upper_o = phase_i.begins_second ? of_l_and_h_upper : kept_upper + SumBits'(to_upper);

  // ---- with M -----------------------------------------------------------------------------------
  // In the last cycle array b has made the digits of M from that of the number of cycles of the
  // second phase on, and as many of a are complete; the lowest digit of both is at First. For X448
  // (2^h - 1) M is to be added, where 2^(2 h) = 2^h + 1.
  localparam int unsigned P521First = LowBits - (P521Second - 1) * Digit;
  localparam int unsigned X448First = LowBits - (X448Second - 1) * Digit;
  localparam int unsigned BothFrom = LowBits + Digit;  // where both have digits
  localparam int unsigned P521Above = P521Stay - P521Second * Digit;
  localparam int unsigned X448Above = X448Stay - X448Second * Digit;
  localparam int unsigned MostBits = 388;  // of M above the digits of array a alone
  logic [LowBits+RowBits-1:0] m_a, m_b;
  logic [MostBits-1:0] m_high;
  logic signed [SumBits-1:0] m_stays, m_top, lower, upper;

  assign m_a = {products_i.sum_a, products_i.low_1};
  assign m_b = {products_i.sum_b, products_i.low_2};
  assign m_high = MostBits'(m_a >> BothFrom) + (x448_i ?
      MostBits'(m_b >> X448First) : MostBits'(m_b >> P521First));
  assign m_stays = x448_i ? SumBits'({m_high[X448Above-1:0], m_a[BothFrom-1:X448First]})
      : SumBits'({m_high[P521Above-1:0], m_a[BothFrom-1:P521First]});
  assign m_top = x448_i ? SumBits'(m_high >> X448Above) : SumBits'(m_high >> P521Above);
  assign lower = lower_i + m_top - (x448_i ? m_stays : '0);
  assign upper = upper_i + m_stays + (x448_i ? lower >>> X448Half : lower >>> P521Half);

  // ---- with p or -p -----------------------------------------------------------------------------
  localparam int unsigned FullBits = SumBits + P521Half;
  logic [ SumBits-1:0] p_upper;
  logic [P521Half-1:0] p_lower;
  logic [FullBits-1:0] sum, r;  // upper, lower, in which for X448 ones pass on the carry
  logic [FullBits:0] other;  // with a carry into it
  logic negative;

  assign negative = upper[SumBits-1];

  always_comb begin
    sum = {upper, lower[P521Half-1:0]};
    if (x448_i) sum[P521Half-1:X448Half] = '1;
  end

  // p, or its complement, in the same form: for X448 2^h - 2 above 2^h - 1, with no carry from what
  // is between.
  assign p_upper = x448_i ? SumBits'({{(X448Stay - 1) {1'b1}}, 1'b0}) : SumBits'({P521Stay{1'b1}});
  assign p_lower = x448_i ? P521Half'({X448Half{negative}}) : {P521Half{negative}};
  assign other = {sum, 1'b1} + {negative ? p_upper : ~p_upper, p_lower, !negative};
  assign r = negative || !other[FullBits] ? other[FullBits:1] : sum;
  assign r_o = x448_i ? Width'({r[P521Half+:X448Stay], r[X448Half-1:0]})
      : Width'({r[54:0], r[P521Half+P521Stay-1:55]});

  logic unused;
  assign unused = ^{phase_i, r[FullBits-1:P521Half+P521Stay]};

endmodule
