// SPDX-License-Identifier: Apache-2.0
//
// Sums and differences of skewed numbers (pm_mont_skew): r = x + 2^s y, or x - 2^s y, plus c k m, a
// digit of each number in a cycle, without a comparison.
//
// Ranges:    x, y, r in [0, 2^(Digit digits)), of which the user is sure: numbers stand for their
//            residues modulo m, and c k m is to be at least 2^s y in a difference. s in 0 to 3; c
//            is 0 or a power of two to 32. p_i is k m + 1, of which digit 0 is 0, as in
//            pm_mont_skew. Nothing checks the ranges.
// Form:      column j has digit j, and with wide_i digit Columns + j in its second lap. c k m is
//            added as c p - c digit by digit, the numbers that a column adds in one cycle as two
//            numbers, its carry in the next one.
// Latency:   2 cycles from digit j of operands to digit j of r, j cycles after digit 0. An
//            operation a cycle; with wide_i none in the cycle Columns after another.
// Handshake: valid_i/ready_o; valid_o for one cycle, with digit 0. ready_o does not depend on
//            valid_i. p_i and wide_i must not change from acceptance to the end of the result.
// Reset:     control; data registers are not reset. Constant time.

module pm_skew_add #(
    parameter int unsigned Digit = 39,  // bits of a digit, at least 7
    parameter int unsigned Columns = 7,  // one less than the columns, at least 2
    localparam int unsigned Most = 2 * Columns + 1
) (
    input  logic                        clk_i,
    input  logic                        rst_ni,
    input  logic [ Most-1:0][Digit-1:0] p_i,      // k m + 1
    input  logic                        wide_i,   // 1: more than Columns + 1 digits
    input  logic                        valid_i,  // digits 0 of x and y are there
    output logic                        ready_o,
    input  logic                        sub_i,    // 1: x - 2^s y
    input  logic [      1:0]            shift_i,  // s
    input  logic [      2:0]            scale_i,  // c = 2^(scale_i - 1), or 0; at most 6
    input  logic [Columns:0][Digit-1:0] x_i,      // skewed
    input  logic [Columns:0][Digit-1:0] y_i,
    output logic                        valid_o,
    output logic [Columns:0][Digit-1:0] r_o       // skewed
);

  if (Digit < 7 || Columns < 2) begin : gen_bad
    $fatal(1, "pm_skew_add: Digit must be at least 7, Columns at least 2.");
  end

  localparam int unsigned CarryBits = 6;
  localparam int unsigned SumBits = Digit + CarryBits;
  // Digits sum to more than -9 and less than 42 times 2^Digit; carries are Bias larger, and so
  // never less than 0.
  localparam int unsigned Bias = 9;

  typedef struct packed {
    logic       valid;
    logic       upper;  // second lap
    logic       sub;
    logic [3:0] shift;  // bit s
    logic [5:0] scale;  // c
  } operation_t;

  function automatic operation_t again(operation_t operation);
    again = operation;
    again.upper = 1'b1;
  endfunction

  // With the operands of a column, and a cycle later.
  operation_t [Columns:0] now, next_q;
  logic [Columns:0][CarryBits-1:0] carry, carry_q;
  logic [CarryBits-1:0] lowest_carry_q;  // that of column 0, or for a second lap of column Columns
  logic lap;  // second lap, a cycle later

  assign lap = next_q[Columns].valid && !next_q[Columns].upper && wide_i;
  // Column 1 is free for a second lap if column 0 had nothing a cycle ago.
  logic [Columns-1:0] first_q;
  assign ready_o = !(wide_i && first_q[Columns-1]);
  assign now[0] = '{
          valid: valid_i && ready_o,
          upper: 1'b0,
          sub: sub_i,
          shift: 4'd1 << shift_i,
          scale: 6'((7'd1 << scale_i) >> 1)
      };

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= '0;
      next_q  <= '0;
    end else begin
      first_q <= Columns'({first_q, now[0].valid});
      next_q  <= now;
    end
  end

  for (genvar j = 0; j <= Columns; j++) begin : gen_column
    logic [SumBits-1:0] shifted, multiple, constant;
    logic [1:0][SumBits-1:0] pair;
    logic [CarryBits-1:0] carry_in;
    logic [Digit-1:0] p, sum, r_q;

    if (j == 0) begin : gen_first
      assign p = '0;
      assign carry_in = '0;
      // -c is of digit 0.
      assign constant = SumBits'(now[0].sub) + (SumBits'(Bias) << Digit) - SumBits'(now[0].scale);
    end else begin : gen_above
      if (j == 1) begin : gen_lowest
        assign now[1]   = lap ? again(next_q[Columns]) : next_q[0];
        assign carry_in = lowest_carry_q;
      end else begin : gen_other
        assign now[j]   = next_q[j-1];
        assign carry_in = carry_q[j-1];
      end
      assign p = now[j].upper ? p_i[Columns+j] : p_i[j];
      assign constant = SumBits'(now[j].sub) + (SumBits'(Bias) << Digit) - SumBits'(Bias);
    end

    always_comb begin
      shifted  = '0;
      multiple = '0;
      for (int unsigned s = 0; s < 4; s++) if (now[j].shift[s]) shifted |= SumBits'(y_i[j]) << s;
      if (now[j].sub) shifted = ~shifted;
      for (int unsigned c = 0; c < 6; c++) if (now[j].scale[c]) multiple |= SumBits'(p) << c;
    end

    pm_csa #(
        .Rows(4),
        .Bits(SumBits)
    ) u_pair (
        .rows_i({constant, multiple, shifted, SumBits'(x_i[j])}),
        .rows_o(pair)
    );

    pm_column_sum #(
        .Bits     (SumBits),
        .CarryBits(CarryBits)
    ) u_sum (
        .clk_i,
        .pair_i (pair),
        .carry_i(carry_in),
        .sum_o  ({carry[j], sum})
    );

    always_ff @(posedge clk_i) begin
      carry_q[j] <= carry[j];
      r_q <= sum;
    end
    assign r_o[j] = r_q;
  end

  always_ff @(posedge clk_i) lowest_carry_q <= lap ? carry[Columns] : carry[0];

  logic unused;
  assign unused = ^{carry_q[Columns], carry_q[0], p_i[0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_o <= 1'b0;
    else valid_o <= next_q[0].valid;
  end

endmodule
