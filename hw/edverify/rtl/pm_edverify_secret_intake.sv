// SPDX-License-Identifier: Apache-2.0
//
// The receiver's job, if it is an operation on a secret, from its header until the tile for secrets
// or the sign server has what it needs of it. A scalar of X25519 goes clamped (RFC 7748, section 5)
// into slot 0 of a context, its u into a register there, and the ladder starts; key generation and
// signing go to the server. What is malformed, has too long a message, or is there at a soft reset,
// ends here.
//
// Handshake: job_i and job_done_o as pm_edverify_rx; jobs of other operations are not seen.
//           free_i[c] says that context c has no job. place_valid_o, handed_o and drop_valid_o
//           (pulses) say what becomes of context place_o. slot_*, u_*, start_* and phase1_* are
//           offers: they stay until *_ready_i, or until a soft reset; what takes one up is
//           stopped by a soft reset in the next cycle.
// Timing:   *_ready_i and blocked_i go to registers.
// Reset:    asynchronous, active low: no job.
// Constant time: YES, but for the packet's length and header and the waiting for others.

module pm_edverify_secret_intake
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_batch_pkg::*;
#(
    parameter int unsigned NumContexts = 7  // 2 to 7
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: the job is aborted
    input logic [31:0] time_i,  // cycles
    input logic blocked_i,  // level: nothing may begin
    // receiver
    /* verilator lint_off UNUSEDSIGNAL */
    input job_t job_i,  // its job
    /* verilator lint_on UNUSEDSIGNAL */
    output logic job_done_o,  // pulse: it is taken over
    // contexts
    input logic [NumContexts-1:0] free_i,
    output logic place_valid_o,  // pulse: the job has a context
    output logic [2:0] place_o,  // this one, until the next pulse
    output header_t header_o,  // its header
    output logic [7:0] op_o,  // its operation
    output logic handed_o,  // pulse: it is under way
    output logic drop_valid_o,  // pulse: it ends
    output reason_e drop_reason_o,  // with this reason
    output logic abort_o,  // level: it is to end with `aborted`
    // X25519
    output logic slot_valid_o,  // the scalar
    input logic slot_ready_i,
    output logic [255:0] slot_o,
    output logic u_valid_o,  // u, in the receiver's job
    input logic u_ready_i,
    output logic start_valid_o,  // the ladder
    input logic start_ready_i,
    // key generation and signing
    output logic phase1_valid_o,
    input logic phase1_ready_i,
    input logic too_long_i,  // level: the message is
    output logic msg_drop_o  // pulse: forget it, unless phase 1 has it
);

  typedef enum logic [3:0] {
    StIdle,    // no job
    StPlace,   // a context is looked for
    StWait,    // the packet is waited for
    StSlot,    // the scalar is offered
    StLoad,    // u is
    StStart,   // the ladder is to start
    StPhase1,  // the server is to take it
    StDrop,    // it ends here
    StDone,    // the receiver is released
    StRest     // mine_q is behind
  } state_e;

  state_e state_q, state_d;
  logic mine, abort_q, blocked_q, found;
  logic taken_q;  // the offer of the last cycle was taken
  // What the receiver says, a cycle later.
  logic mine_q, ended_q, malformed_q, ladder_q, sign_q;
  logic unused_tile;
  logic [31:0] since_q;

  assign abort_o = abort_q;
  assign mine = job_i.open && job_i.secret;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {mine_q, ended_q, blocked_q, taken_q} <= '0;
    else begin
      {mine_q, ended_q, blocked_q} <= {mine, job_i.ended, blocked_i};
      taken_q <= (slot_valid_o && slot_ready_i) || (u_valid_o && u_ready_i) ||
          (start_valid_o && start_ready_i) || (phase1_valid_o && phase1_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    malformed_q <= job_i.malformed;
    {ladder_q, sign_q} <= {job_i.op == OpcodeX25519, job_i.op == OpcodeSign};
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:   if (mine_q) state_d = StPlace;
      StPlace:  if (found) state_d = StWait;
      StWait: begin
        if (abort_q || (ended_q && (malformed_q || (sign_q && too_long_i)))) state_d = StDrop;
        else if (ended_q && !blocked_q) state_d = ladder_q ? StSlot : StPhase1;
      end
      StSlot:   if (taken_q) state_d = StLoad;
      StLoad:   if (taken_q) state_d = StStart;
      StStart:  if (taken_q) state_d = StDone;
      StPhase1: if (taken_q) state_d = StDone;
      StDrop:   state_d = StDone;
      StDone:   state_d = StRest;
      default:  state_d = StIdle;
    endcase
    if (state_q inside {StSlot, StLoad, StStart, StPhase1} &&
        (abort_q || (taken_q && soft_reset_i))) begin
      state_d = StDrop;
    end
  end

  logic offers;

  assign offers = !abort_q && !taken_q;
  assign slot_valid_o = state_q == StSlot && offers;
  assign u_valid_o = state_q == StLoad && offers;
  assign start_valid_o = state_q == StStart && offers;
  assign phase1_valid_o = state_q == StPhase1 && offers;
  assign slot_o = {2'b01, job_i.r[253:3], 3'b000};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {abort_q, job_done_o, msg_drop_o, drop_valid_o, handed_o} <= '0;
    end else begin
      state_q <= state_d;
      job_done_o <= state_d == StDone;
      // With the end of the job, after which no beat of its message comes.
      msg_drop_o <= state_q == StDrop && sign_q;
      drop_valid_o <= state_q == StDrop;
      handed_o <= state_d == StDone && state_q != StDrop;
      // What was handed over is aborted there. At the header it is not known whose job it is.
      if (state_q == StDone || (state_q == StIdle && !mine && !job_i.start)) abort_q <= 1'b0;
      else if (soft_reset_i && (job_i.open || job_i.start)) abort_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    drop_reason_o <= abort_q ? ReasonAborted :
        malformed_q ? ReasonMalformedJob : ReasonMessageTooLong;
  end

  // ---- contexts ---------------------------------------------------------------------------------

  pm_edverify_place_scan #(
      .NumTiles(1),
      .NumContexts(NumContexts)
  ) u_scan (
      .clk_i,
      .rst_ni,
      .search_i(state_q == StPlace),
      .used_i  (8'(~free_i)),
      .found_o (found),
      .placed_o(place_valid_o),
      .place_o ({unused_tile, place_o})
  );

  always_ff @(posedge clk_i) begin
    if (job_i.start) since_q <= time_i;
    header_o <= '{tag: job_i.tag, rule: job_i.rule, since: since_q};
    op_o <= job_i.op;
  end

endmodule
