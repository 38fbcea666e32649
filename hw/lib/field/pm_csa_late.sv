// SPDX-License-Identifier: Apache-2.0
//
// Carry-save tree for standard cells: pm_csa level by level, where the rows that a level had no
// adder for come first in the next one. The last of the three rows of an adder waits for one gate,
// the others for two: so it is one that the level before has made.
//
// Ranges:    as those of pm_csa.
// Latency:   0 (combinational); as many levels as pm_csa. Constant time.

module pm_csa_late #(
    parameter int unsigned Rows = 9,   // numbers, at least 1
    parameter int unsigned Bits = 43,  // of each
    parameter int unsigned Out  = 2    // numbers that are left, at least 2
) (
    input  logic [Rows-1:0][Bits-1:0] rows_i,
    output logic [ Out-1:0][Bits-1:0] rows_o
);

  if (Rows <= Out) begin : gen_end
    assign rows_o = (Out * Bits)'(rows_i);
  end else begin : gen_level
    localparam int unsigned Adders = Rows / 3 < Rows - Out ? Rows / 3 : Rows - Out;
    localparam int unsigned Left = Rows - Adders;
    logic [Left-1:0][Bits-1:0] left, turned;

    pm_csa #(
        .Rows(Rows),
        .Bits(Bits),
        .Out (Left)
    ) u_level (
        .rows_i,
        .rows_o(left)
    );

    for (genvar i = 0; i < Left; i++) begin : gen_turned
      assign turned[i] = left[(i+2*Adders)%Left];
    end

    pm_csa_late #(
        .Rows(Left),
        .Bits(Bits),
        .Out (Out)
    ) u_next (
        .rows_i(turned),
        .rows_o
    );
  end

endmodule
