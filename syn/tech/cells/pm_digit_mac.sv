// SPDX-License-Identifier: Apache-2.0
//
// Product of a wide number and a digit, and two addends, for standard cells, in place of the module
// of the same name in hw/lib/field: half as many rows as the digit has bits, and one carry
// propagation.
//
// Ranges:    any operands; the result is modulo 2^(Width + Digit + 1). Tile is not looked at.
// Latency:   0 (combinational). Constant time.
// Form:      radix-4 Booth digits of d in {-2, ..., 2}, Digit / 2 + 1 rows and a carry-save tree. A
//            negative row is the complement of its positive one and a one; the sign bit of row r
//            counts -2^(Width + 1 + 2r), which is its complement there, and a constant.
// Source:    Booth 1951; MacSorley 1961, Proc. IRE 49(1).

module pm_digit_mac #(
    parameter int unsigned Width = 272,  // bits of a
    parameter int unsigned Digit = 32,  // bits of d, at least 2
    /* verilator lint_off UNUSEDPARAM */
    parameter int unsigned Tile = 0,  // of the other form
    /* verilator lint_on UNUSEDPARAM */
    localparam int unsigned Bits = Width + Digit + 1
) (
    input  logic [Width-1:0] a_i,   // factors
    input  logic [Digit-1:0] d_i,
    input  logic [ Bits-1:0] c0_i,  // addends
    input  logic [ Bits-1:0] c1_i,
    output logic [ Bits-1:0] p_o    // their sum with the product
);

  localparam int unsigned Rows = Digit / 2 + 1;

  logic [Rows-1:0][Bits-1:0] rows;
  logic [1:0][Bits-1:0] pair;
  logic [2*Rows:0] recoded;  // d, a zero below it, zeros above

  // Less 2^(Width + 1 + 2r) for every row that may be negative.
  function automatic logic [Bits-1:0] constant();
    logic [Bits-1:0] value;
    value = '0;
    for (int unsigned r = 0; r + 1 < Rows; r++) value -= Bits'(1) << (Width + 1 + 2 * r);
    return value;
  endfunction

  assign recoded = (2 * Rows + 1)'({d_i, 1'b0});

  for (genvar r = 0; r < Rows; r++) begin : gen_row
    logic one, two, neg, below;
    logic [Width:0] turned;

    assign one = recoded[2*r] ^ recoded[2*r+1];
    assign two = recoded[2*r] == recoded[2*r+1] && recoded[2*r+2] != recoded[2*r+1];
    assign neg = recoded[2*r+2];
    assign below = r > 0 && recoded[2*r];  // the one of a negative row has its place here
    assign turned = ((one ? {1'b0, a_i} : '0) | (two ? {a_i, 1'b0} : '0)) ^ {(Width + 1) {neg}};
    assign rows[r] = (Bits'({r + 1 < Rows && !neg, turned}) << (2 * r)) |
        (Bits'(below) << (2 * r - (r > 0 ? 2 : 0)));
  end

  // Addends come last, since they are later than d.
  pm_csa #(
      .Rows(Rows + 3),
      .Bits(Bits)
  ) u_tree (
      .rows_i({c1_i, c0_i, constant(), rows}),
      .rows_o(pair)
  );

  assign p_o = pair[0] + pair[1];

endmodule
