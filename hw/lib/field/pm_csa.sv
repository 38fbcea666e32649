// SPDX-License-Identifier: Apache-2.0
//
// Carry-save tree: two numbers whose sum is that of Rows numbers, modulo 2^Bits.
//
// Ranges:    any rows. Where their sum is below 2^Bits, s + c is that sum, not only congruent to it: no
//            row of the tree is then cut.
// Latency:   0 (combinational); levels of full adders, each of three rows to two: 4 of 7 to 9 rows, 6
//            of 14 to 19. Constant time.

module pm_csa #(
    parameter int unsigned Rows = 9,  // numbers, at least 1
    parameter int unsigned Bits = 43  // of each
) (
    input  logic [Rows-1:0][Bits-1:0] rows_i,
    output logic [Bits-1:0]           s_o,     // their sum is s_o + c_o
    output logic [Bits-1:0]           c_o
);

  if (Rows == 0) begin : gen_bad_rows
    $fatal(1, "pm_csa: Rows must be at least 1.");
  end else if (Rows == 1) begin : gen_one
    assign s_o = rows_i[0];
    assign c_o = '0;
  end else if (Rows == 2) begin : gen_two
    assign s_o = rows_i[0];
    assign c_o = rows_i[1];
  end else begin : gen_level
    localparam int unsigned Adders = Rows / 3;
    localparam int unsigned Left = Rows - Adders;
    logic [Left-1:0][Bits-1:0] left;

    for (genvar i = 0; i < Adders; i++) begin : gen_adder
      logic [Bits-1:0] a, b, c;
      assign a = rows_i[3*i];
      assign b = rows_i[3*i+1];
      assign c = rows_i[3*i+2];
      assign left[2*i] = a ^ b ^ c;
      assign left[2*i+1] = {(a[Bits-2:0] & b[Bits-2:0]) | (c[Bits-2:0] & (a[Bits-2:0] ^ b[Bits-2:0])),
                            1'b0};
    end
    for (genvar i = 3 * Adders; i < Rows; i++) begin : gen_over
      assign left[i-Adders] = rows_i[i];
    end

    pm_csa #(
        .Rows(Left),
        .Bits(Bits)
    ) u_next (
        .rows_i(left),
        .s_o,
        .c_o
    );
  end

endmodule
