// SPDX-License-Identifier: Apache-2.0
//
// Montgomery products r = x y R^-1 mod p for any odd modulus p, at a short cycle: columns of a
// digit each, that give carries to the next one a cycle later, several products at once, no final
// subtraction.
//
// Ranges:    Modulus m odd; k = -1/m mod 2^Digit; p_i = k m + 1, of which digit 0 is 0. R =
//            2^(Digit digits_i), at least 4 k m: bits of m + Digit + 2 <= Digit digits_i. x y at
//            most R k m, x and y + k m below R. The result is in [0, 2 k m): results are operands,
//            and a product with 1 is below k m + 1. Nothing checks the ranges.
//            Numbers of Columns + 1 digits, with named_i of Columns, have Spare bits fewer, and
//            with a Spare wide_i is 0.
// Step:      Z' = (Z + x_i y + q k m) / 2^Digit = floor((Z + x_i y) / 2^Digit) + q (k m + 1) /
//            2^Digit with q = (Z + x_i y) mod 2^Digit, since k m = -1 mod 2^Digit: q needs no
//            product. Z < y + k m.
// Skew:      digit j of x, y and r is at its port j cycles after digit 0. Port j has digit j, and
//            with wide_i digit Columns + j in its second lap, Columns cycles later.
// Form:      column 0 makes x_i y_0; columns 1 to Columns x_i y_j + q_i p_j. The sum of column 1
//            has x_(i+1) y_0 added, and is the next q; what it carries belongs to column 1 again, a
//            digit later. Moduli of more than Columns + 1 digits go round twice: column j stands
//            for Columns + j, too, in the cycles of another product.
// Named:     with named_i p is that of the parameter Named, of which k is 1 and p + 1 a sum of a
//            few powers of 2 (pm_mont_named): then q p needs no multiplier, and a step takes two
//            digits of x. Columns 0 and 1 make its two digits of q from Z + x y; column j makes
//            x_2i y_j + x_(2i+1) y_(j-1), and its sum is digit j - 2 of the next Z. digits_i is
//            even, and y and the result have at most Columns digits.
// Latency:   (digits_i + 1) Period + 1 cycles from valid_i to valid_o, where Period is 4 with Tile
//            = 0, or 6. Period products at a time, each digits_i Period cycles behind the one
//            before it; with wide_i one in two of them. With named_i (digits_i / 2 - 1) NamedPeriod
//            + 7 cycles, and NamedPeriod products, each digits_i / 2 NamedPeriod cycles behind the
//            one before it.
// Handshake: valid_i/ready_o; valid_o for one cycle: results are not held. ready_o does not depend
//            on valid_i. p_i, digits_i, named_i and wide_i must not change from acceptance to
//            Columns cycles after valid_o, with wide_i twice as many; nor named_i in the
//            Columns + 2 cycles before acceptance. wide_i excludes named_i.
// Reset:     idle; data registers are not reset.
// Constant time: cycles depend on digits_i, named_i and wide_i alone.
// Source:    Montgomery 1985; quotient digits without a product: Orup 1995, ARITH 12; columns:
//            Tenca and Koc 1999, CHES.

module pm_mont_skew
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit = 39,  // bits of a digit
    parameter int unsigned Columns = 7,  // no multiple of Period, at least Period - 1
    parameter int unsigned Tile = 0,  // of pm_cs_mul: 0 standard cells; 18 multiplier blocks
    parameter int unsigned Named = 0,  // 0 without named_i; else a prime of pm_mont_named
    parameter int unsigned NamedPeriod = 4,  // cycles between steps with named_i, 4 or 5
    parameter int unsigned Spare = 0,  // highest bits of numbers that are 0
    localparam int unsigned Period = period(Tile),
    localparam int unsigned Most = 2 * Columns + 1,  // digits
    localparam int unsigned CountBits = $clog2(Most + 1)
) (
    input  logic                            clk_i,
    input  logic                            rst_ni,
    input  logic [     Most-1:0][Digit-1:0] p_i,       // k m + 1
    input  logic [CountBits-1:0]            digits_i,  // of x, at least 2
    input  logic                            wide_i,    // 1: more than Columns + 1 digits
    input  logic                            named_i,   // 1: the modulus is the named prime
    input  logic                            valid_i,   // digits 0 of x and y are there
    output logic                            ready_o,   // they are accepted
    input  logic [    Columns:0][Digit-1:0] x_i,       // skewed factors
    input  logic [    Columns:0][Digit-1:0] y_i,
    output logic                            valid_o,   // digit 0 of a product is there
    output logic [    Columns:0][Digit-1:0] r_o        // skewed product
);

  if (Columns % Period == 0 || Columns + 1 < Period) begin : gen_bad_columns
    $fatal(1, "pm_mont_skew: Columns must be no multiple of Period, and at least Period - 1.");
  end else if (Named != 0 &&
               (Tile != 0 || NamedPeriod < 4 || NamedPeriod > 5)) begin : gen_bad_named
    $fatal(1, "pm_mont_skew: Named is for standard cells, Tile = 0, with a NamedPeriod of 4 or 5.");
  end

  localparam int unsigned Bias = carry_bias(Tile);
  localparam int unsigned Slots = slots(Period, Named, NamedPeriod);
  localparam int unsigned HighBits = Digit + 2;
  localparam int unsigned SlotBits = $clog2(Most + Columns / Period + 1);
  localparam int unsigned Lap = Columns % Period;  // slots from the first lap to the second

  // ---------------------------------------------------------------------------------- control
  // A cycle belongs to one of Period slots in turn; each has one product, or the second lap of one.
  typedef struct packed {
    logic                shadow;  // a second lap
    logic [SlotBits-1:0] left;    // digits to begin, or cycles to be left free; 0: idle
  } slot_t;

  slot_t slot_q[Slots], slot_next[Slots];  // that of this cycle is the last one
  slot_t slot, slot_d;
  logic  free_q;  // that of this cycle is idle: known a cycle before
  slot_t other;  // slot for a second lap, Lap cycles before its turn
  logic  accepted;
  token_t head_d, head_q;
  logic [Columns:0] named;  // by column, so that each has a register for it
  logic [Columns:0] result_named_q;  // and one for its digit of the result
  logic [SlotBits-1:0] steps;  // of a product

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) named <= '0;
    else named <= {named[Columns-1:0], Named != 0 && named_i};
  end
  always_ff @(posedge clk_i) result_named_q <= named;
  assign steps = named[0] ? SlotBits'(digits_i >> 1) : SlotBits'(digits_i);

  assign slot = named[0] ? slot_q[Slots-1] : slot_q[Period-1];
  assign other = slot_q[Period-1-Lap];
  // A second lap that ends before the new one begins is over in time.
  assign ready_o = free_q &&
      !(wide_i && other.left > (other.shadow ? SlotBits'(Columns / Period) : '0));
  assign accepted = valid_i && ready_o;

  always_comb begin
    slot_d = '{
        shadow: slot.shadow && slot.left > 1,
        left: slot.left == '0 ? '0 : slot.left - 1'b1
    };
    if (accepted) slot_d = '{shadow: 1'b0, left: steps - 1'b1};
    head_d = '{
        valid: accepted || (slot.left != '0 && !slot.shadow),
        first: accepted,
        last: !accepted && slot.left == SlotBits'(1),
        upper: 1'b0
    };
  end

  always_comb begin
    slot_next[0] = slot_d;
    for (int unsigned i = 1; i < Slots; i++) slot_next[i] = slot_q[i-1];
    if (accepted && wide_i)
      slot_next[Period-Lap] = '{
          shadow: 1'b1,
          left: SlotBits'(digits_i) + SlotBits'(Columns / Period)
      };
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int unsigned i = 0; i < Slots; i++) slot_q[i] <= '0;
      free_q <= 1'b1;
      head_q <= '0;
    end else begin
      slot_q <= slot_next;
      free_q <= (named[0] ? slot_next[Slots-1].left : slot_next[Period-1].left) == '0;
      head_q <= head_d;
    end
  end

  // Where the digits of new operands are at the ports: column j, first or second lap.
  logic [Columns:0] begin_q, upper_q;

  assign begin_q[0] = accepted;
  assign upper_q[0] = 1'b0;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      begin_q[Columns:1] <= '0;
      upper_q[Columns:1] <= '0;
    end else begin
      begin_q[Columns:1] <= begin_q[Columns-1:0];
      upper_q[Columns:1] <= upper_q[Columns-1:0];
      if (begin_q[Columns] && !upper_q[Columns] && wide_i) {begin_q[1], upper_q[1]} <= 2'b11;
    end
  end

  // ------------------------------------------------------------------------------ digits of x
  // They move towards column 0, Period - 1 cycles a column; with named_i NamedPeriod - 2 cycles two
  // columns, the odd ones to column 1.
  logic [Digit-1:0] x_in[Columns+3], x_line[Columns+3], x_pair[Columns+3];

  assign x_in[0] = accepted ? x_i[0] : (named[0] ? x_pair[2] : x_line[1]);
  for (genvar j = 1; j <= Columns; j++) begin : gen_x
    logic [Period-2:0][Digit-1:0] line_q;
    assign x_in[j] = begin_q[j] ? x_i[j] : (named[j] ? x_pair[j+2] : x_line[j==Columns?1 : j+1]);
    always_ff @(posedge clk_i) line_q <= (Digit * (Period - 1))'({line_q, x_in[j]});
    assign x_line[j] = line_q[Period-2];
    assign x_pair[j] = Named == 0 ? '0 : line_q[NamedPeriod-3];
  end
  for (genvar j = 0; j < 2; j++) begin : gen_no_x
    assign {x_in[Columns+1+j], x_line[Columns+1+j], x_pair[Columns+1+j]} = '0;
  end
  assign {x_line[0], x_pair[0]} = '0;

  // ------------------------------------------------------------------------- what columns have
  token_t next[Columns+1], soon[Columns+1], sum_token[Columns+1];
  logic [Digit-1:0] x[Columns+1], q[Columns+1];  // with next
  logic [Columns:1][Digit-1:0] sum;
  logic [Digit-1:0] y_next[Columns+1];  // a digit of y, a cycle after its token
  logic [Columns:1][CarryBits-1:0] carry;
  logic [Columns:1][1:0][HighBits-1:0] high_q;
  logic [Columns:1][Digit-1:0] z, z_q;  // digits j of Z; of the sum of column j, j - 1
  logic [Columns:1][CarryBits-1:0] carry_q;
  logic turn_q;  // z_q of column 1 is that of a second lap

  // ---------------------------------------------------------------------------------- column 0
  logic [Digit-1:0] head_x_q, head_y_d;
  logic [Slots-2:0][Digit-1:0] head_y_q;
  logic [Digit-1:0] head_y_back_q;  // the one whose turn it is again
  logic [1:0][2*Digit:0] head_pair;
  logic [1:0][Digit-1:0] head_pair_q;  // lower part
  token_t head_token[Period];  // head_q and how it was before

  assign head_token[0] = head_q;
  for (genvar i = 1; i < Period; i++) begin : gen_head_token
    token_t token_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) token_q <= '0;
      else token_q <= head_token[i-1];
    end
    assign head_token[i] = token_q;
  end

  assign head_y_d = accepted ? y_i[0] : head_y_back_q;

  logic [Period-2:0][Digit-1:0] head_x_line_q;  // x_i until its q is known

  always_ff @(posedge clk_i) begin
    head_x_q <= x_in[0];
    head_x_line_q <= (Digit * (Period - 1))'({head_x_line_q, head_x_q});
    for (int unsigned i = 1; i < Slots - 1; i++) head_y_q[i] <= head_y_q[i-1];
    head_y_q[0]   <= head_y_d;
    head_y_back_q <= named[0] ? head_y_q[Slots-2] : head_y_q[Period-2];
  end

  pm_cs_mul #(
      .Digit(Digit),
      .Tile (Tile)
  ) u_head (
      .clk_i,
      .a_i   (head_x_q),
      .d_i   (head_y_d),
      .pair_o(head_pair)
  );

  // Upper part of x_i y_0, until the sum of column 1 for the same i; as large as that of two
  // products.
  localparam logic [HighBits-1:0] Even = Tile == 0 ? (HighBits'(1) << Digit) - HighBits'(2) : '0;
  logic [1:0][HighBits-1:0] head_upper, head_upper_q;
  logic [HighBits-1:0] head_high, head_late_q;
  logic [Period-2:0][HighBits-1:0] head_high_q;
  // x_0 y_0 alone makes the first q; with named_i digit 0 of Z is added for every one.
  localparam int unsigned FirstBits = Digit + CarryBits;
  logic [1:0][FirstBits-1:0] first_pair;
  logic [Digit-1:0] first;
  logic [Digit-1:0] first_z_q;
  logic [CarryBits-1:0] first_carry;

  pm_csa #(
      .Rows(3),
      .Bits(HighBits)
  ) u_head_upper (
      .rows_i({
        Even, HighBits'(head_pair[1][2*Digit:Digit]), HighBits'(head_pair[0][2*Digit:Digit])
      }),
      .rows_o(head_upper)
  );

  pm_csa #(
      .Rows(3),
      .Bits(FirstBits)
  ) u_first (
      .rows_i({
        {CarryBits'(Bias), first_z_q}, FirstBits'(head_pair_q[1]), FirstBits'(head_pair_q[0])
      }),
      .rows_o(first_pair)
  );

  pm_column_sum #(
      .Bits     (FirstBits),
      .CarryBits(CarryBits)
  ) u_first_sum (
      .clk_i,
      .pair_i (first_pair),
      .carry_i('0),
      .sum_o  ({first_carry, first})
  );

  assign head_high = head_upper_q[0] + head_upper_q[1];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) head_pair_q[i] <= head_pair[i][Digit-1:0];
    head_upper_q <= head_upper;
    first_z_q <= named[0] && !head_token[1].first ? (NamedPeriod == 4 ? sum[2] : z_q[2]) : '0;
    head_high_q <= (HighBits * (Period - 1))'({head_high_q, head_high});
    head_late_q <= named[0] ? head_high : head_high_q[Period-2];
  end

  // ------------------------------------------------------------------------- columns 1 and up
  logic lap_d, lap_q;  // the second lap begins
  logic summed_q;  // the new q is the sum of column 1
  // A cycle before the sum of column 1: it has x_(i+1) y_0 added, or is of a second lap.
  logic head_on_q, upper_soon_q;

  assign lap_d = next[Columns-1].valid && !next[Columns-1].upper && wide_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {lap_q, summed_q, head_on_q, upper_soon_q} <= '0;
    end else begin
      lap_q <= lap_d;
      summed_q <= !lap_d && !head_token[Period-2].first && !named[1];
      head_on_q <= head_token[Period-3].valid && !head_token[Period-3].first && !soon[1].upper &&
          !named[1];
      upper_soon_q <= soon[1].upper;
    end
  end

  logic head_first;  // of head_token
  logic [Digit-1:0] q_other;
  logic [CarryBits-1:0] q_carry;
  logic [Period-1:0][CarryBits-1:0] q_carry_q;  // from q_(i+1) to the sum of column 1 for it
  // The last of those, for a second lap that of column Columns, with named_i that of column 0.
  logic [CarryBits-1:0] lowest_carry_q;

  // Token, x_i and q_i of column 1; q_i is in its register when it is known. With named_i x_(2i+1)
  // has the place of q_i.
  assign next[0] = lap_q ?
      '{valid: 1'b1, first: next[Columns].first, last: next[Columns].last, upper: 1'b1}
      : (named[1] ? head_token[0] : head_token[Period-1]);
  assign x[0] = lap_q ? x[Columns] : (named[1] ? head_x_q : head_x_line_q[Period-2]);
  assign q_other = lap_q ? q[Columns] : (named[1] ? x_in[1] : first);
  assign q[0] = summed_q ? sum[1] : q_other;
  assign sum_token[0] = '0;
  assign soon[0] = '0;
  assign y_next[0] = head_y_q[0];

  assign head_first = head_token[Period-1].first;
  assign q_carry = head_first ? first_carry : carry[1];
  always_ff @(posedge clk_i) begin
    q_carry_q <= (CarryBits * Period)'({q_carry_q, q_carry});
    lowest_carry_q <= upper_soon_q ? carry[Columns] : q_carry_q[Period-2];
    if (named[1]) lowest_carry_q <= first_carry;
  end

  // What the digits of q add with named_i, in the columns from 2 on and the digit above them.
  logic [Columns+1:2][NamedRows-1:0][Digit-1:0] named_rows;

  pm_mont_named #(
      .Digit  (Digit),
      .Columns(Columns),
      .Named  (Named)
  ) u_named (
      .clk_i,
      .on_i  (named[2]),
      .low_i (first),
      .high_i(sum[1]),
      .rows_o(named_rows)
  );

  for (genvar j = 1; j <= Columns; j++) begin : gen_column
    logic [1:0][HighBits-1:0] high;
    logic [CarryBits-1:0] carry_in;
    logic [NamedRows-1:0][Digit-1:0] extra;
    logic [Digit-1:0] p_next;

    // With next[j - 1].
    assign p_next = (j == 1 ? lap_q : next[j-1].upper) ? p_i[Columns+j] : p_i[j];

    if (j == 1) begin : gen_lowest
      logic [1:0][Digit-1:0] head;
      for (genvar i = 0; i < 2; i++) begin : gen_head
        assign head[i] = head_on_q ? head_pair_q[i] : '0;
      end
      always_comb begin
        high[0] = head_late_q;
        high[1] = HighBits'(head[0]);
        if (upper_soon_q) high = high_q[Columns];
      end
      assign extra = (NamedRows * Digit)'(head[1]);
      assign carry_in = lowest_carry_q;
    end else begin : gen_above
      assign high = high_q[j-1];
      assign extra = named_rows[j];
      assign carry_in = carry_q[j-1];
    end

    pm_mont_column #(
        .Digit(Digit),
        .Tile(Tile),
        .Added(j == 1 ? 1 : (Named == 0 ? 0 : NamedRows)),
        .Named(Named != 0),
        .NamedPeriod(NamedPeriod),
        .Spare(j == Columns ? Spare : 0)
    ) u_column (
        .clk_i,
        .rst_ni,
        .token_i(next[j-1]),
        .x_i    (x[j-1]),
        .q_i    (q[j-1]),
        .p_i    (p_next),
        .load_i (begin_q[j]),
        .y_i    (y_i[j]),
        .named_i(named[j]),
        .below_i(y_next[j-1]),
        .y_o    (y_next[j]),
        .soon_o (soon[j]),
        .z_i    (z[j]),
        .high_i (high),
        .extra_i(extra),
        .high_o (high_q[j]),
        .token_o(sum_token[j]),
        .carry_i(carry_in),
        .sum_o  (sum[j]),
        .carry_o(carry[j]),
        .next_o (next[j]),
        .x_o    (x[j]),
        .q_o    (q[j])
    );

    always_ff @(posedge clk_i) begin
      z_q[j] <= sum[j];
      carry_q[j] <= carry[j];
      // What column 1 carries is column 1's again, but for the last digit and the second lap.
      if (j == 1 && !sum_token[1].upper && !sum_token[1].last && !named[1])
        carry_q[j] <= CarryBits'(Bias);
    end
  end

  // The digit above: no product, only what column Columns leaves. Until the last digit of x it can
  //                  be less
  // than 0 or too large, as the carry of column 1 is not yet in: what is above it is for the next
  // one.
  localparam int unsigned TailBits = Digit + CarryBits;
  localparam int unsigned TailRows = Named == 0 ? 4 : 4 + NamedRows;
  localparam logic [TailBits-1:0] Less = Tile == 0 ? TailBits'(14) << Digit : '0;  // -2 digits
  logic [3+NamedRows:0][TailBits-1:0] tail_rows;
  logic [1:0][TailBits-1:0] tail_pair;
  logic [TailBits-1:0] tail;
  logic [Digit-1:0] tail_q;
  logic [Period-2:0][CarryBits-1:0] tail_carry_q;  // signed

  always_comb begin
    tail_rows[0] = TailBits'(high_q[Columns][0]);
    tail_rows[1] = TailBits'(high_q[Columns][1]);
    tail_rows[2] = Less;
    tail_rows[3] =
        TailBits'(signed'(sum_token[Columns].first ? CarryBits'(0) : tail_carry_q[Period-2]));
    for (int unsigned i = 0; i < NamedRows; i++)
    tail_rows[4+i] = TailBits'(signed'(named_rows[Columns+1][i]));
  end

  pm_csa #(
      .Rows(TailRows),
      .Bits(TailBits)
  ) u_tail (
      .rows_i(tail_rows[0+:TailRows]),
      .rows_o(tail_pair)
  );

  pm_column_sum #(
      .Bits     (TailBits),
      .CarryBits(CarryBits)
  ) u_tail_sum (
      .clk_i,
      .pair_i (tail_pair),
      .carry_i(carry_q[Columns]),
      .sum_o  (tail)
  );

  always_ff @(posedge clk_i) begin
    tail_q <= tail[Digit-1:0];
    tail_carry_q <= (CarryBits * (Period - 1))'({tail_carry_q, tail[TailBits-1:Digit]});
    turn_q <= sum_token[1].upper;
  end

  // Digits of Z on their way to the column below, Period - 1 cycles with those in z_q and in the
  // column. With named_i to the second one below, NamedPeriod - 2 cycles.
  for (genvar j = 1; j <= Columns; j++) begin : gen_z
    logic [Digit-1:0] digit;  // j of Z
    logic [Digit-1:0] named_soon, named_digit;  // with named_i: a cycle before, and in time
    if (j < Columns) begin : gen_inner
      assign digit = z_q[j+1];
    end else begin : gen_top
      assign digit = turn_q ? z_q[1] : tail_q;
    end
    if (j + 1 < Columns) begin : gen_named_inner
      assign {named_soon, named_digit} = {sum[j+2], z_q[j+2]};
    end else if (j < Columns) begin : gen_named_top
      assign {named_soon, named_digit} = {tail[Digit-1:0], tail_q};
    end else begin : gen_named_none
      assign {named_soon, named_digit} = '0;
    end
    assign r_o[j] = result_named_q[j] ? named_digit : digit;
    logic unused;
    assign unused = ^named_soon;
    if (Period == 4) begin : gen_now
      assign z[j] = named[j] && NamedPeriod == 4 ? named_soon : r_o[j];
    end else begin : gen_line
      logic [Period-5:0][Digit-1:0] line_q;
      always_ff @(posedge clk_i) line_q <= (Digit * (Period - 4))'({line_q, digit});
      assign z[j] = line_q[Period-5];
    end
  end

  logic unused;
  assign unused = ^{p_i[0], tail_rows};

  assign r_o[0] = result_named_q[0] ? z_q[2] : z_q[1];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else if (named[0]) valid_o <= sum_token[2].valid && sum_token[2].last;
    else valid_o <= sum_token[1].valid && sum_token[1].last && !sum_token[1].upper;
  end

endmodule
