// SPDX-License-Identifier: Apache-2.0
//
// What a soft reset does to the registers of an engine that works on secrets: starts the program
// that overwrites them in every context, one a cycle, and waits until all have ended.
//
// Handshake: soft_reset_i (pulse) stops what runs and begins, or begins again. start_o[c] (pulse)
//           starts the program in context c from the cycle after on; finish_i[c] (pulse) says that
//           it ends. While wiping_o is 1, from the cycle after soft_reset_i to that after the last
//           end, nothing else may start, and no end is that of a job.
// Reset:    asynchronous, active low: nothing to wipe. Constant time: YES.

module pm_edverify_barrel_wipe #(
    parameter int unsigned NumContexts = 12  // contexts, at least 2
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: wipe all contexts
    input logic [NumContexts-1:0] finish_i,  // pulse: the program of this context ends
    output logic [NumContexts-1:0] start_o,  // pulse: start the program in this context
    output logic wiping_o  // level: registers are not wiped yet
);

  logic [NumContexts-1:0] waits_q, dirty_q;  // not started, not ended

  assign start_o  = waits_q & (~waits_q + NumContexts'(1));
  assign wiping_o = dirty_q != '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waits_q, dirty_q} <= '0;
    else if (soft_reset_i) {waits_q, dirty_q} <= '1;
    else begin
      waits_q <= waits_q & ~start_o;
      dirty_q <= dirty_q & ~finish_i;
    end
  end

endmodule
