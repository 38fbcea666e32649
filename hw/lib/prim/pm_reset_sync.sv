// SPDX-License-Identifier: Apache-2.0
//
// Reset synchroniser: the reset begins at once, and ends with the clock.
//
// Latency:  rst_no rises Stages cycles after rst_ni, within one more.
// Reset:    rst_ni, asynchronous, active low, of any source.
module pm_reset_sync #(
    parameter int unsigned Stages = 3  // registers behind each other, at least 2
) (
    input  logic clk_i,   // clock
    input  logic rst_ni,  // asynchronous reset, active low
    output logic rst_no   // reset of this clock's registers, active low
);

  if (Stages < 2) begin : gen_bad_stages
    $fatal(1, "pm_reset_sync: Stages must be at least 2");
  end

  logic [Stages-2:0] early_q;  // all but the last one

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {rst_no, early_q} <= '0;
    else {rst_no, early_q} <= {early_q, 1'b1};
  end

endmodule
