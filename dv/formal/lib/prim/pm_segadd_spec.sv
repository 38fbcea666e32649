// SPDX-License-Identifier: Apache-2.0
//
// What pm_segadd is proved to be, for proofs of modules that contain it.

module pm_segadd #(
    parameter int unsigned Width = 257,
    parameter int unsigned SegmentBits = 65
) (
    input  logic             clk_i,
    input  logic             en_i,
    input  logic [Width-1:0] a_i,
    input  logic [Width-1:0] b_i,
    input  logic             carry_i,
    output logic [Width-1:0] sum_o
);

  always_ff @(posedge clk_i) if (en_i) sum_o <= a_i + b_i + Width'(carry_i);

endmodule
