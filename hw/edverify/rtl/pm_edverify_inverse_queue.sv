// SPDX-License-Identifier: Apache-2.0
//
// One pm_inverter for many contexts: inverses modulo p = 2^255 - 19 of the numbers that contexts
// bring, one after the other, contexts in rotation.
//
// A context may have one number under way. wait_o[c] is 1 from the cycle after request_i, by which
// context c announces its number, until its inverse can be read: a sequencer can leave it out
// meanwhile, so that waiting costs no words. The inverse stays until the context's next one.
//
// Operands: below 2^256. 0 gives 0.
// Latency:  of a number alone 209 cycles on average from valid_i to the end of wait_o (pm_inverter
//           and 3), more while others are at work. Reading: inverse_o is that of the rctx_i of the
//           cycle before.
// Handshake: request_i (pulse) with request_ctx_i, then valid_i (pulse) with ctx_i and a_i, at any
//           time later; nothing is rejected. clear_i[c] forgets what context c has under way, also
//           a number that is still to come, which must not be more than one; the context may
//           announce another when that one has come.
// Reset:    asynchronous, active low: nothing under way.
// Constant time: NO, like pm_inverter. For public data only.

module pm_edverify_inverse_queue #(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                   clk_i,          // clock
    input  logic                   rst_ni,         // asynchronous reset, active low
    input  logic [NumContexts-1:0] clear_i,        // forget what these contexts have under way
    input  logic                   request_i,      // a number will come
    input  logic [    CtxBits-1:0] request_ctx_i,  // of this context
    input  logic                   valid_i,        // it is here
    input  logic [    CtxBits-1:0] ctx_i,          // its context
    input  logic [          255:0] a_i,            // the number
    output logic [NumContexts-1:0] wait_o,         // its inverse cannot be read yet
    input  logic [    CtxBits-1:0] rctx_i,         // context whose inverse is wanted
    output logic [          254:0] inverse_o       // its inverse, one cycle later
);

  logic [NumContexts-1:0] wait_q;  // announced, and not ended
  logic [NumContexts-1:0] pending_q;  // the number is in the memory
  logic [NumContexts-1:0] turn_q;  // contexts after the last one taken
  logic busy_q;  // the inverter works for active_q
  logic [CtxBits-1:0] active_q, next_ctx;
  logic take, take_q, drop, finish, inverter_ready, inverse_valid;
  logic [NumContexts-1:0] request, arrival, choice, next;
  logic [254:0] inverse;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [1:0][255:0] read;  // inverses are canonical
  /* verilator lint_on UNUSEDSIGNAL */

  function automatic logic [NumContexts-1:0] one_context(logic valid, logic [CtxBits-1:0] ctx);
    return NumContexts'(valid) << ctx;
  endfunction

  assign request = one_context(request_i, request_ctx_i);
  assign arrival = one_context(valid_i, ctx_i) & wait_q;
  assign wait_o  = wait_q;

  // The lowest of those after the last one taken, otherwise of all.
  always_comb begin
    choice = (pending_q & turn_q) != '0 ? pending_q & turn_q : pending_q;
    next = choice & (~choice + NumContexts'(1));
    next_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) if (next[c]) next_ctx = CtxBits'(c);
  end

  assign take   = !busy_q && pending_q != '0 && inverter_ready;
  assign drop   = busy_q && clear_i[active_q];
  // Numbers are written when they come, inverses in the other cycles.
  assign finish = inverse_valid && !valid_i && !drop;

  // The number is read in the cycle in which it is taken, and given to the inverter in the next.
  pm_inverter u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i(drop),
      .valid_i(take_q && !drop),
      .ready_o(inverter_ready),
      .a_i(read[0]),
      .valid_o(inverse_valid),
      .ready_i(finish),
      .inv_o(inverse)
  );

  pm_regbank #(
      .Width(256),
      .AddrBits(CtxBits),
      .NumReads(2),
      .ReadReg(1)
  ) u_numbers (
      .clk_i,
      .we_i(valid_i || finish),
      .waddr_i(valid_i ? ctx_i : active_q),
      .wdata_i(valid_i ? a_i : {1'b0, inverse}),
      .raddr_i({rctx_i, next_ctx}),
      .rdata_o(read)
  );

  assign inverse_o = read[1][254:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {wait_q, pending_q, turn_q} <= '0;
      {busy_q, take_q} <= '0;
      active_q <= '0;
    end else begin
      wait_q <= (wait_q | request) & ~clear_i & ~one_context(finish, active_q);
      pending_q <= (pending_q | arrival) & ~clear_i & ~(take ? next : '0);
      take_q <= take && (next & clear_i) == '0;
      busy_q <= (busy_q && !finish && !drop) || (take && (next & clear_i) == '0);
      if (take) begin
        active_q <= next_ctx;
        turn_q   <= ~(next | (next - NumContexts'(1)));
      end
    end
  end

endmodule
