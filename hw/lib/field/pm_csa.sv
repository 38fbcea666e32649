// SPDX-License-Identifier: Apache-2.0
//
// Carry-save tree: Out numbers whose sum is that of Rows numbers, modulo 2^Bits.
//
// Ranges:    any rows. Where their sum is below 2^Bits, that of rows_o is the same, not only
//            congruent to it: no row of the tree is then cut. Rows that are not needed are 0.
// Latency:   0 (combinational); levels of full adders, each of three rows to two: down to two rows
//            4 of 7 to 9, 6 of 14 to 19. Constant time.

module pm_csa #(
    parameter int unsigned Rows = 9,   // numbers, at least 1
    parameter int unsigned Bits = 43,  // of each
    parameter int unsigned Out  = 2    // numbers that are left, at least 2
) (
    input  logic [Rows-1:0][Bits-1:0] rows_i,
    output logic [ Out-1:0][Bits-1:0] rows_o
);

  if (Rows == 0 || Out < 2) begin : gen_bad_rows
    $fatal(1, "pm_csa: Rows must be at least 1, Out at least 2.");
  end else if (Rows <= Out) begin : gen_end
    assign rows_o = (Out * Bits)'(rows_i);
  end else begin : gen_level
    localparam int unsigned Adders = Rows / 3 < Rows - Out ? Rows / 3 : Rows - Out;
    localparam int unsigned Left = Rows - Adders;
    logic [Left-1:0][Bits-1:0] left;

    for (genvar i = 0; i < Adders; i++) begin : gen_adder
      logic [Bits-1:0] a, b, c;
      assign a = rows_i[3*i];
      assign b = rows_i[3*i+1];
      assign c = rows_i[3*i+2];
      assign left[2*i] = a ^ b ^ c;
      assign left[2*i+1] = {
        (a[Bits-2:0] & b[Bits-2:0]) | (c[Bits-2:0] & (a[Bits-2:0] ^ b[Bits-2:0])), 1'b0
      };
    end
    for (genvar i = 3 * Adders; i < Rows; i++) begin : gen_over
      assign left[i-Adders] = rows_i[i];
    end

    pm_csa #(
        .Rows(Left),
        .Bits(Bits),
        .Out (Out)
    ) u_next (
        .rows_i(left),
        .rows_o
    );
  end

endmodule
