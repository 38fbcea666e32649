// SPDX-License-Identifier: Apache-2.0
//
// Job control of several contexts: gives each received job a context, sees it through the units
// that its operation wants, and gives every job exactly one result, in the order in which jobs end.
//
// A job gets a context when one is free. What then happens, and what its result waits for:
//   verify   (verify_batch alike, where it is not for a batch) the engine starts as soon as S, R
//            and A are there; the digest is handed to the scalar unit when the packet has ended.
//            Verdict, end of the packet, complete recoded digit sequence.
//   verify_cached  the same; if the slot keeps A, with the program and the list that use its
//            tables.
//   x25519   k goes to the context's secret scalars and the engine starts. End of the program.
//   keygen   the sign server (phase 1) makes the scalar of the seed, then the engine starts. End of
//            the program.
//   sign     the same with the scalar r of the message; when the program has ended the server
//            (phase 2) makes S, in the order of the stream. S.
//   verify_batch  the engine prepares the signature; when its packet has ended, unless rejected,
//            pm_edverify_batch_server takes it over, has the batch summed in a context and returns
//            its results, or has it verified in one.
//   load_key the engine starts when the packet has ended and no program uses the slot. End of the
//            program.
// The receiver is released as soon as other units have what they need of its job, so that the next
// one arrives meanwhile. A malformed packet completes when it has ended; a soft reset ends all
// jobs, in whatever state, with `aborted`. Secret scalars are wiped when their job completes.
//
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which
//           the result is offered.
// Reset:    asynchronous, active low.

module pm_edverify_barrel_control
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter bit SecretOps = 1'b1,  // x25519, keygen and sign are built in
    parameter int unsigned Keys = 0,  // slots of cached keys, a power of two; 0: none
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; 0: none
    parameter int unsigned BatchSlots = 0,  // batches under way
    localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer every job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a context has a job, or is wiped
    input logic wiping_i,  // level: no job gets a context
    // receiver
    /* verilator lint_off UNUSEDSIGNAL */
    input job_t job_i,  // its job; operands are of interest to batches alone
    /* verilator lint_on UNUSEDSIGNAL */
    output logic job_done_o,  // pulse: it is taken over
    output logic job_placed_o,  // it has a context
    output logic [CtxBits-1:0] job_ctx_o,  // that context
    // engine
    output logic [NumContexts-1:0] engine_start_o,  // pulse: begin
    output program_t program_o,  // this program
    output logic [PlaceBits-1:0] engine_place_o,  // of a batch: at this place, or for its slot
    output logic [NumContexts-1:0] engine_clear_o,  // pulse: abandon
    input logic [NumContexts-1:0] engine_finish_i,  // pulse: this context has ended
    input verdict_t verdict_i,  // with this verdict
    input logic key_hit_i,  // the slot keeps the job's key, two cycles after job_i.valid
    // scalars of verifications
    input logic [NumContexts-1:0] list_ready_i,  // recoded digit sequences that are complete
    input logic digest_valid_i,  // the digest of the receiver's job is there
    output half_t half_o,  // it goes to the scalar unit
    input logic half_ready_i,  // it is taken
    // secret scalars
    output logic walk_we_o,  // write k of the receiver's job
    input logic walk_ready_i,  // it is written in this cycle
    output logic [NumContexts-1:0] walk_zero_o,  // pulse: wipe the scalars of this context
    // sign server
    output sign_request_t sign_o,
    input sign_status_t sign_i,
    input logic [NumContexts-1:0] phase1_done_i,  // pulse: scalars of this context are there
    output logic [CtxBits-1:0] phase2_ctx_o,  // context whose S is wanted
    input logic [NumContexts-1:0] phase2_done_i,  // pulse: S of this context is there
    // batches; not looked at without them
    /* verilator lint_off UNUSEDSIGNAL */
    input logic stream_i,  // a beat waits for the receiver
    input logic seeded_i,  // multipliers can be made
    input logic [511:0] digest_i,  // digest, with digest_valid_i
    output logic record_o,  // pulse: that is taken, for a batch
    output batch_request_t batch_o,
    output logic [CtxBits-1:0] batch_ctx_o,  // context of its job, if that is a Halve
    output logic [PlaceBits-1:0] digits_place_o,  // place whose digits are pushed
    input batch_status_t batch_i,
    /* verilator lint_on UNUSEDSIGNAL */
    // transmitter
    output logic result_valid_o,  // a result is offered
    input logic result_ready_i,  // it is taken
    output logic [CtxBits-1:0] result_ctx_o,  // its context
    output result_t result_o
);

  if (NumContexts < 2 || NumContexts > 32) begin : g_refuse_contexts
    $fatal(1, "pm_edverify_barrel_control: NumContexts must be 2 to 32");
  end

  localparam int unsigned SlotBits = Keys > 1 ? $clog2(Keys) : 1;

  context_t [NumContexts-1:0] contexts;
  answer_t  [NumContexts-1:0] answers;
  logic [NumContexts-1:0] used, due, prepared, batch_left;
  logic [31:0] time_q, header_q;
  logic resetting_q;

  // The receiver's job.
  header_t rx_header;
  logic place, aborts, malformed, too_long, complete, slot_used;
  logic hit, start_verify, start_x25519, start_load, phase1_taken, is_sign;
  logic [CtxBits-1:0] rx_ctx, free_ctx;

  // Batches: the receiver's job is for one, is prepared for one; jobs of the server.
  logic batched, rx_batched, batch_room, batch_hold, batch_busy;
  logic start_internal, sum_start, replay_start, replay_listed;
  signature_t replayed;

  // Not looked at without batches.
  /* verilator lint_off UNUSEDSIGNAL */
  logic has_free, batch_answer_ready;
  record_t record;
  /* verilator lint_on UNUSEDSIGNAL */

  // Answers.
  logic offered, answered, batch_answer_valid;
  header_t batch_answer_header;
  reason_e batch_answer_reason;

  // ---- the receiver's job -----------------------------------------------------------------------

  // A slot is loaded when no program reads or fills it any more. Those that do have their digests,
  // so that they do not wait for the receiver.
  always_comb begin
    slot_used = 1'b0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      used[c] = contexts[c].state != CtxFree;
      slot_used |= contexts[c].state inside {CtxPending, CtxRunning} &&
          (contexts[c].cached ||
           (contexts[c].answer.op == OpcodeLoadKey && rx_ctx != CtxBits'(c))) &&
          contexts[c].slot == 8'(job_i.slot[SlotBits-1:0]);
    end
  end

  pm_edverify_barrel_intake #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .CachedKeys(Keys != 0),
      .Batches(Batch != 0)
  ) u_intake (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .job_start_i(job_i.start),
      .job_open_i(job_i.open),
      .job_valid_i(job_i.valid),
      .job_end_i(job_i.ended),
      .job_malformed_i(job_i.malformed),
      .job_op_i(job_i.op),
      .job_rule_i(job_i.rule),
      .job_done_o,
      .used_i(used | {NumContexts{wiping_i}}),
      .free_o(has_free),
      .free_ctx_o(free_ctx),
      .place_o(place),
      .placed_o(job_placed_o),
      .ctx_o(rx_ctx),
      .abort_o(aborts),
      .malformed_o(malformed),
      .too_long_o(too_long),
      .complete_o(complete),
      .block_i(start_internal),
      .slot_used_i(slot_used),
      .key_hit_i,
      .hit_o(hit),
      .start_verify_o(start_verify),
      .start_x25519_o(start_x25519),
      .start_load_o(start_load),
      .digest_valid_i,
      .half_valid_o(half_o.valid),
      .half_ready_i,
      .walk_we_o,
      .walk_ready_i,
      .msg_too_long_i(sign_i.too_long),
      .msg_drop_o(sign_o.drop),
      .phase1_valid_o(sign_o.phase1),
      .phase1_ready_i(sign_i.phase1),
      .phase1_taken_o(phase1_taken),
      .is_sign_o(is_sign),
      .seeded_i,
      .room_i(batch_room),
      .hold_i(batch_hold),
      .prepared_i(rx_batched),
      .replay_i(replay_start),
      .batched_o(batched),
      .record_o
  );

  assign rx_header = '{tag: job_i.tag, rule: job_i.rule, since: header_q};
  assign record = '{
          signature: '{header: rx_header, s: job_i.s, r: job_i.r, a: job_i.a},
          digest: digest_i
      };
  assign job_ctx_o = rx_ctx;

  // ---- batches ----------------------------------------------------------------------------------
  // Sums and replays get contexts before new jobs do.

  assign rx_batched = Batch > 0 && contexts[rx_ctx].batch == BatchPrepare;
  assign start_internal = sum_start || replay_start;

  if (Batch > 0) begin : g_batch
    pm_edverify_batch_contexts #(
        .NumContexts(NumContexts),
        .Slots(BatchSlots),
        .Members(Batch)
    ) u_batch (
        .clk_i,
        .rst_ni,
        .soft_reset_i,
        .busy_o(batch_busy),
        .contexts_i(contexts),
        .finish_i(engine_finish_i),
        .verdict_i,
        .free_i(has_free),
        .free_ctx_i(free_ctx),
        .prepared_o(prepared),
        .left_o(batch_left),
        .more_i(job_i.open ? batched && !job_placed_o : stream_i),
        .room_o(batch_room),
        .place_i(place && batched),
        .rx_ctx_i(rx_ctx),
        .record_i(record_o),
        .record_data_i(record),
        .answered_i(answered),
        .answered_ctx_i(result_ctx_o),
        .hold_o(batch_hold),
        .sum_start_o(sum_start),
        .replay_start_o(replay_start),
        .replayed_o(replayed),
        .replay_listed_o(replay_listed),
        .place_o(engine_place_o),
        .answer_valid_o(batch_answer_valid),
        .answer_ready_i(batch_answer_ready),
        .answer_header_o(batch_answer_header),
        .answer_reason_o(batch_answer_reason),
        .request_o(batch_o),
        .request_ctx_o(batch_ctx_o),
        .digits_place_o,
        .status_i(batch_i)
    );
  end else begin : g_no_batch
    assign {batch_room, batch_hold, batch_busy, sum_start, replay_start, replay_listed} = '0;
    assign {batch_left, prepared} = '0;
    assign {batch_answer_valid, batch_answer_header} = '0;
    assign batch_answer_reason = ReasonOk;
    assign engine_place_o = '0;
    assign {replayed, batch_ctx_o, digits_place_o} = '0;
    assign batch_o = '{job: '{op: ScalarHalve, default: '0}, default: '0};
  end

  // ---- engine -----------------------------------------------------------------------------------

  logic start, start_seeded, has_seeded;
  logic [7:0] start_op;
  logic [CtxBits-1:0] seeded_ctx, start_ctx;

  // Programs whose scalars are there begin when the receiver's job does not.
  always_comb begin
    has_seeded = 1'b0;
    seeded_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (SecretOps && contexts[c].state == CtxSeeded) begin
        has_seeded = 1'b1;
        seeded_ctx = CtxBits'(c);
      end
    end
  end

  assign start = start_verify || start_x25519 || start_load;
  assign start_seeded = has_seeded && !start && !start_internal;
  always_comb begin
    start_ctx = start ? rx_ctx : seeded_ctx;
    if (start_internal) start_ctx = free_ctx;
  end
  assign start_op = start_seeded ? contexts[seeded_ctx].answer.op : job_i.op;
  assign half_o.spread = contexts[rx_ctx].cached;

  // A key to be loaded is decoded strictly.
  always_comb begin
    program_o = '{
        op: start_op,
        batch: contexts[start_ctx].batch,
        slot: job_i.slot[7:0],
        flags: rule_flags(job_i.op == OpcodeLoadKey ? RuleRfc8032Cofactored : job_i.rule),
        s: job_i.s,
        r: job_i.r,
        a: job_i.a
    };
    if (opcode_has_rule(start_op)) program_o.op = hit ? OpcodeVerifyCached : OpcodeVerify;
    if (start_internal) begin
      program_o.op = OpcodeVerify;
      program_o.batch = sum_start ? BatchSum : BatchNone;
    end
    if (replay_start) begin
      program_o.flags = rule_flags(replayed.header.rule);
      {program_o.s, program_o.r, program_o.a} = {replayed.s, replayed.r, replayed.a};
    end
  end

  always_comb begin
    engine_start_o = '0;
    engine_start_o[start_ctx] = start || start_seeded || start_internal;
    engine_clear_o = {NumContexts{soft_reset_i}};
    if (malformed) engine_clear_o[rx_ctx] = 1'b1;
  end

  // ---- second phases of signatures --------------------------------------------------------------

  logic [NumContexts-1:0] wants_phase2;

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      wants_phase2[c] = SecretOps && contexts[c].state == CtxDecided &&
          contexts[c].answer.op == OpcodeSign;
    end
  end

  pm_edverify_sign_order #(
      .NumContexts(NumContexts)
  ) u_order (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .first_i(phase1_taken && is_sign),
      .first_ctx_i(rx_ctx),
      .wants_i(wants_phase2),
      .valid_o(sign_o.phase2),
      .ctx_o(phase2_ctx_o),
      .ready_i(sign_i.phase2)
  );

  // ---- answers ----------------------------------------------------------------------------------

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      answers[c] = contexts[c].answer;
      due[c] = contexts[c].state == CtxDropped || (contexts[c].state == CtxDone &&
          !prepared[c] && (list_ready_i[c] || contexts[c].batch != BatchNone ||
                           !opcode_has_rule(contexts[c].answer.op)));
    end
  end

  pm_edverify_barrel_answers #(
      .NumContexts(NumContexts)
  ) u_answers (
      .clk_i,
      .rst_ni,
      .time_i(time_q),
      .header_we_i(place || start_internal),
      .header_ctx_i(free_ctx),
      .header_i(start_internal ? replayed.header : rx_header),
      .due_i(due),
      .answers_i(answers),
      .offered_o(offered),
      .taken_o(answered),
      .batch_valid_i(batch_answer_valid),
      .batch_ready_o(batch_answer_ready),
      .batch_header_i(batch_answer_header),
      .batch_reason_i(batch_answer_reason),
      .result_valid_o,
      .result_ready_i,
      .result_ctx_o,
      .op_o(result_o.op),
      .tag_o(result_o.tag),
      .rule_o(result_o.rule),
      .reason_o(result_o.reason),
      .zero_o(result_o.zero),
      .cycles_o(result_o.cycles)
  );

  assign busy_o = batch_busy || wiping_i || |used;

  always_comb begin
    walk_zero_o = {NumContexts{soft_reset_i}};
    if (answered) walk_zero_o[result_ctx_o] = 1'b1;
  end

  // ---- state of the contexts --------------------------------------------------------------------

  logic [NumContexts-1:0] completed, left;
  placement_t placement;
  rx_event_t  rx_event;

  always_comb begin
    completed = SecretOps ? phase2_done_i : '0;
    if (complete) completed[rx_ctx] = 1'b1;
    if (replay_listed) completed[batch_ctx_o] = 1'b1;
    left = batch_left;
    if (answered) left[result_ctx_o] = 1'b1;
    placement.op = start_internal ? OpcodeVerifyBatch : job_i.op;
    placement.slot = 8'(job_i.slot[SlotBits-1:0]);
    placement.batch = batched ? BatchPrepare : BatchNone;
    if (start_internal) placement.batch = sum_start ? BatchSum : BatchNone;
    rx_event = '{
        begins: start_verify,
        cached: hit,
        malformed: malformed,
        too_long: too_long,
        aborted: aborts && job_placed_o
    };
  end

  pm_edverify_barrel_contexts #(
      .NumContexts(NumContexts)
  ) u_contexts (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .place_i(place || start_internal),
      .place_ctx_i(free_ctx),
      .place_job_i(placement),
      .rx_ctx_i(rx_ctx),
      .rx_i(rx_event),
      .seeded_i(SecretOps ? phase1_done_i : '0),
      .start_seeded_i(start_seeded),
      .start_ctx_i(seeded_ctx),
      .finish_i(engine_finish_i),
      .verdict_i,
      .completed_i(completed),
      .offered_i(NumContexts'(offered) << result_ctx_o),
      .left_i(left),
      .contexts_o(contexts)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      header_q <= '0;
      {resetting_q, reset_done_o} <= '0;
    end else begin
      time_q <= time_q + 32'd1;
      if (job_i.start) header_q <= time_q;
      resetting_q  <= (resetting_q || soft_reset_i) && (busy_o || aborts || soft_reset_i);
      reset_done_o <= resetting_q && !busy_o && !aborts && !soft_reset_i;
    end
  end

endmodule
