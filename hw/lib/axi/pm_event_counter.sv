// SPDX-License-Identifier: Apache-2.0
//
// Counts events, modulo 2^Width.
//
// Timing:   an event in cycle c shows in count_o in cycle c + 1. An event in the cycle of clear_i
//           is the first of the new count.
// Reset:    asynchronous, active low: 0.
module pm_event_counter #(
    parameter int unsigned Width  = 32,  // bits of the count, at least 1
    parameter int unsigned Events = 1    // kinds of events counted together, at least 1
) (
    input  logic              clk_i,    // clock
    input  logic              rst_ni,   // asynchronous reset, active low
    input  logic              clear_i,  // start again
    input  logic [Events-1:0] event_i,  // events of this cycle, each counts
    output logic [ Width-1:0] count_o   // events
);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_o <= '0;
    else count_o <= (clear_i ? '0 : count_o) + Width'($countones(event_i));
  end

endmodule
