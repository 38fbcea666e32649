// SPDX-License-Identifier: Apache-2.0
//
// The order of signatures: their second phases come in the order of their first ones, which is that
// of the stream, since the sign server keeps their messages in it.
//
// Handshake: first_i (pulse) says that the first phase of context first_ctx_i is taken; wants_i[c]
//           (level) that context c is ready for its second one. valid_o and ctx_o request the
//           next second phase until ready_i. soft_reset_i (pulse) forgets all that are under way.
// Timing:   valid_o and ctx_o are combinational from wants_i.
// Reset:    asynchronous, active low: none is under way.

module pm_edverify_sign_order #(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: forget all
    input logic first_i,  // pulse: a first phase
    input logic [CtxBits-1:0] first_ctx_i,  // of this context
    input logic [NumContexts-1:0] wants_i,  // ready for their second phases
    output logic valid_o,  // the second phase is requested
    output logic [CtxBits-1:0] ctx_o,  // of this context
    input logic ready_i  // it is taken
);

  typedef logic [CtxBits:0] turn_t;  // tells more turns apart than there are contexts

  turn_t [NumContexts-1:0] turns_q;
  turn_t turn_q, next_turn_q;  // of the next first phase, of the next second one

  always_comb begin
    valid_o = 1'b0;
    ctx_o   = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (wants_i[c] && turns_q[c] == next_turn_q) begin
        valid_o = 1'b1;
        ctx_o   = CtxBits'(c);
      end
    end
  end

  always_ff @(posedge clk_i) if (first_i) turns_q[first_ctx_i] <= turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {turn_q, next_turn_q} <= '0;
    end else begin
      if (first_i) turn_q <= turn_q + 1'b1;
      if (soft_reset_i) next_turn_q <= turn_q;
      else if (valid_o && ready_i) next_turn_q <= next_turn_q + 1'b1;
    end
  end

endmodule
