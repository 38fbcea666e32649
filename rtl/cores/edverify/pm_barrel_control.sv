// SPDX-License-Identifier: Apache-2.0
//
// Job control of several contexts: gives each received job a context, sees it through the units that its
// operation wants, and gives every job exactly one answer, in the order in which jobs end.
//
// A job gets a context when one is free. What then happens, and what its answer waits for:
//   verify   (verify_batch alike, where it is not for a batch) the engine starts as soon as S, R and A are there; the digest is handed to
//            the scalar unit when the packet has ended. Verdict, end of the packet, complete operation list.
//   verify_cached  the same; if the slot keeps A, with the program and the list that use its tables.
//   x25519   k goes to the context's secret scalars and the engine starts. End of the program.
//   keygen   the sign server (phase 1) makes the scalar of the seed, then the engine starts. End of the
//            program.
//   sign     the same with the scalar r of the message; when the program has ended the server (phase 2)
//            makes S, in the order of the stream. S.
//   verify_batch  the engine prepares the signature; if it is not refused, pm_batch_server takes it over when its
//            packet has ended, has the batch summed in a context and answers, or has it verified in one.
//   load_key the engine starts when the packet has ended and no program uses the slot. End of the program.
// The receiver is released as soon as other units have what they need of its job, so that the next one
// arrives meanwhile. A malformed packet is answered when it has ended; a soft reset answers all jobs, in
// whatever state, with `aborted`. Secret scalars are wiped when their job is answered.
//
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which the
//           answer is offered. Staged: job_done_o comes a cycle later, a context that is free again is
//           given away a cycle later, and an answer is offered three cycles later.
// Reset:    asynchronous, active low.

module pm_barrel_control
  import pm_ed_pkg::*;
  import pm_scalar_pkg::*;
  import pm_batch_pkg::*;
  import pm_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts of all engines, 2 to 64
    parameter int unsigned Engines = 1,  // engines that take turns in the contexts
    parameter bit SecretOps = 1'b1,  // x25519, keygen and sign are built in
    parameter bit Staged = 1'b0,  // 1: choices and the end of a job pass registers, for a high clock
    parameter int unsigned Keys = 0,  // slots of kept keys, a power of two; 0: none
    localparam int unsigned SlotBits = Keys > 1 ? $clog2(Keys) : 1,
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; 0: none; of one engine
    parameter int unsigned BatchSlots = 0,  // batches under way
    localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer every job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a context has a job
    // receiver
    input logic job_start_i,  // pulse: header accepted
    input logic job_open_i,  // the receiver has a job
    input logic job_valid_i,  // operands are complete, or it is malformed
    input logic job_end_i,  // its packet has ended
    input logic job_malformed_i,  // it is malformed
    input logic [7:0] job_op_i,  // its operation
    input logic [7:0] job_rule_i,  // its rule set
    input logic [31:0] job_tag_i,  // its tag
    input logic [SlotBits-1:0] job_slot_i,  // slot of its key
    output logic job_done_o,  // pulse: it is taken over
    output logic job_placed_o,  // it has a context
    output logic [CtxBits-1:0] job_ctx_o,  // that context
    // engines
    output logic [NumContexts-1:0] engine_start_o,  // pulse: begin
    output logic [7:0] engine_op_o,  // this operation
    output logic [NumContexts-1:0] engine_clear_o,  // pulse: abandon
    input logic [NumContexts-1:0] engine_finish_i,  // pulse: this context has ended
    input reason_e [Engines-1:0] engine_reason_i,  // with the verdict of its engine
    input logic [Engines-1:0] engine_zero_i,  // and a result that is zero
    input logic key_hit_i,  // the slot keeps the job's key, two cycles after job_valid_i
    // scalars of verifications
    input logic [NumContexts-1:0] list_ready_i,  // operation lists that are complete
    output logic clear_shared_o,  // pulse: abandon what is under way
    input logic digest_valid_i,  // the digest of the receiver's job is there
    output logic half_valid_o,  // it is offered
    output logic half_spread_o,  // its job uses a kept key
    input logic half_ready_i,  // it is taken
    // secret scalars
    output logic walk_we_o,  // write k of the receiver's job
    input logic walk_ready_i,  // it is written in this cycle
    output logic [NumContexts-1:0] walk_zero_o,  // pulse: wipe the scalars of this context
    // sign server
    input logic msg_too_long_i,  // the newest message does not fit
    output logic msg_drop_o,  // pulse: forget it, unless phase 1 has it
    output logic phase1_valid_o,  // scalars of the receiver's job are wanted
    input logic phase1_ready_i,  // it is taken
    input logic [NumContexts-1:0] phase1_done_i,  // pulse: scalars of this context are there
    output logic phase2_valid_o,  // S is wanted
    input logic phase2_ready_i,  // its operands are taken
    output logic [CtxBits-1:0] phase2_ctx_o,  // of this context
    input logic [NumContexts-1:0] phase2_done_i,  // pulse: S of this context is there
    // batches; not looked at without them
    /* verilator lint_off UNUSEDSIGNAL */
    input logic stream_i,  // a beat waits for the receiver
    input logic seeded_i,  // multipliers can be made
    input logic [255:0] job_s_i,  // S of the receiver's job
    input logic [255:0] job_r_i,  // R
    input logic [255:0] job_a_i,  // key
    input logic [511:0] digest_i,  // digest, with digest_valid_i
    output logic record_o,  // pulse: that is taken, for a batch
    output batch_e engine_batch_o,  // with engine_start_o: what it does for a batch
    output logic [PlaceBits-1:0] engine_place_o,  // at this place, or for the slot of it
    output logic replay_o,  // with engine_start_o: of this signature, not of the receiver's
    output signature_t replay_signature_o,
    output logic scalar_valid_o,  // a job for the scalar unit
    input logic scalar_ready_i,  // it is taken
    output scalar_op_e scalar_op_o,  // the job
    output logic [253:0] scalar_a_o,  // its operands
    output logic [253:0] scalar_r_o,
    output logic [511:0] scalar_digest_o,
    output logic [CtxBits-1:0] scalar_ctx_o,  // context, of a Halve
    input logic total_valid_i,  // pulse: result of a Gather
    input logic [511:0] total_i,  // the result
    input logic digits_done_i,  // pulse: all digits were pushed
    output logic digits_o,  // level: digits are for the lists of batches
    output logic [PlaceBits-1:0] digits_place_o,  // of this place
    input logic z_valid_i,  // a multiplier is there
    input logic [127:0] z_i,  // the multiplier
    output logic z_take_o,  // pulse: it has been used
    /* verilator lint_on UNUSEDSIGNAL */
    // transmitter
    output logic result_valid_o,  // an answer is offered
    input logic result_ready_i,  // it is taken
    output logic [CtxBits-1:0] result_ctx_o,  // its context
    output logic [7:0] op_o,  // its operation
    output logic [31:0] tag_o,  // its tag
    output logic [7:0] rule_o,  // its rule set
    output reason_e reason_o,  // its reason
    output logic zero_o,  // its result is zero
    output logic [31:0] cycles_o  // cycles from header to answer
);

  if (NumContexts < 2 || NumContexts > 64) begin : g_refuse_contexts
    $fatal(1, "pm_barrel_control: NumContexts must be 2 to 64");
  end
  if (NumContexts % Engines != 0) begin : g_refuse_engines
    $fatal(1, "pm_barrel_control: every engine must have as many contexts");
  end

  if (Batch != 0 && (Engines != 1 || Staged)) begin : g_refuse_batch
    $fatal(1, "pm_barrel_control: batches are of one engine, whose chains are not cut");
  end

  typedef logic [CtxBits:0] turn_t;  // tells more turns apart than there are contexts

  typedef struct packed {
    logic used;  // has a job
    logic seeded;  // its scalars are there, its program may start
    logic decided;  // its program has ended: reason is final, apart from a malformed packet
    logic complete;  // nothing but its program is waited for
    logic dropped;  // malformed, too long or aborted: nothing more is to come
    logic zero;
    logic cached;  // uses a kept key
    logic [SlotBits-1:0] slot;  // its slot
    reason_e reason;
    logic [7:0] op;
    batch_e batch;  // what it does for a batch; of a sum there is no job and no answer
    turn_t turn;  // of a signature: its place in the order of the stream
  } context_t;

  context_t [NumContexts-1:0] contexts_q, contexts_d;
  answer_t [NumContexts-1:0] answers;
  logic [NumContexts-1:0] used, due, prepared;
  logic [31:0] time_q, header_q;
  logic resetting_q;

  // The receiver's job.
  header_t rx_header;
  logic place, abort, malformed, too_long, complete;
  logic hit, start_verify, start_x25519, start_load, phase1_taken, is_sign;
  logic [CtxBits-1:0] rx_ctx, free_ctx;

  // Batches: the receiver's job is for one, is prepared for one; jobs of the server.
  logic batched, rx_batched, batch_room, batch_hold, batch_busy;
  logic start_internal, sum_start, replay_start, replay_listed, join_taken, sum_done;
  logic [CtxBits-1:0] join_ctx, sum_ctx;

  // Not looked at without batches.
  /* verilator lint_off UNUSEDSIGNAL */
  logic job_open, has_free, batch_answer_ready;
  /* verilator lint_on UNUSEDSIGNAL */

  // Answers.
  logic offered, answered, batch_answer_valid;
  header_t batch_answer_header;
  reason_e batch_answer_reason;

  // ---- the receiver's job -----------------------------------------------------------------------

  // A slot is loaded when no program reads or fills it any more. Those that do have their digests, so that they
  // do not wait for the receiver.
  logic slot_used;

  always_comb begin
    slot_used = 1'b0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      used[c] = contexts_q[c].used;
      slot_used |= contexts_q[c].used && !contexts_q[c].dropped && !contexts_q[c].decided &&
          (contexts_q[c].cached || (contexts_q[c].op == OpcodeLoadKey && rx_ctx != CtxBits'(c))) &&
          contexts_q[c].slot == job_slot_i;
    end
  end

  pm_barrel_intake #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .Staged(Staged),
      .KeptKeys(Keys != 0),
      .Batches(Batch != 0)
  ) u_intake (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .job_start_i,
      .job_open_i,
      .job_valid_i,
      .job_end_i,
      .job_malformed_i,
      .job_op_i,
      .job_rule_i,
      .job_done_o,
      .job_open_o(job_open),
      .used_i(used),
      .free_o(has_free),
      .free_ctx_o(free_ctx),
      .place_o(place),
      .placed_o(job_placed_o),
      .ctx_o(rx_ctx),
      .abort_o(abort),
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
      .half_valid_o,
      .half_ready_i,
      .walk_we_o,
      .walk_ready_i,
      .msg_too_long_i,
      .msg_drop_o,
      .phase1_valid_o,
      .phase1_ready_i,
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

  assign rx_header = '{tag: job_tag_i, rule: job_rule_i, since: header_q};
  assign job_ctx_o = rx_ctx;
  assign clear_shared_o = soft_reset_i;

  // ---- batches ------------------------------------------------------------------------------------
  // A signature of a batch is prepared in a context; if it is not refused there, it belongs to the server
  // from then on, and the context is free. Sums and replays get contexts before new jobs do.

  assign rx_batched = Batch > 0 && contexts_q[rx_ctx].batch == BatchPrepare;
  assign start_internal = sum_start || replay_start;

  if (Batch > 0) begin : g_batch
    localparam int unsigned BatchSlotBits = $clog2(BatchSlots);

    logic has_prepared, join_ready, sum_ok;
    logic [BatchSlotBits-1:0] sum_slot;
    logic [PlaceBits-1:0] rx_place;

    always_comb begin
      join_ctx = '0;
      {sum_done, sum_ok, sum_ctx} = '0;
      for (int unsigned c = 0; c < NumContexts; c++) begin
        prepared[c] = contexts_q[c].used && !contexts_q[c].dropped && contexts_q[c].decided &&
            contexts_q[c].complete && contexts_q[c].batch == BatchPrepare &&
            contexts_q[c].reason == ReasonOk;
        if (prepared[c]) join_ctx = CtxBits'(c);
        if (engine_finish_i[c] && contexts_q[c].used && contexts_q[c].batch == BatchSum) begin
          sum_done = 1'b1;
          sum_ctx  = CtxBits'(c);
          sum_ok   = engine_reason_i[0] == ReasonOk;
        end
      end
    end

    assign has_prepared = |prepared;
    assign join_taken = has_prepared && join_ready;
    assign engine_place_o = sum_start ? {sum_slot, (PlaceBits - BatchSlotBits)'(0)} : rx_place;

    pm_batch_server #(
        .NumContexts(NumContexts),
        .Slots(BatchSlots),
        .Members(Batch)
    ) u_server (
        .clk_i,
        .rst_ni,
        .clear_i(soft_reset_i),
        .busy_o(batch_busy),
        .room_o(batch_room),
        .place_i(place && batched),
        .place_ctx_i(free_ctx),
        .place_o(rx_place),
        .job_ctx_i(rx_ctx),
        .record_i(record_o),
        .record_data_i(
        '{
            signature: '{header: rx_header, s: job_s_i, r: job_r_i, a: job_a_i},
            digest: digest_i
        }
        ),
        .leave_i(answered && contexts_q[result_ctx_o].batch == BatchPrepare),
        .leave_ctx_i(result_ctx_o),
        .join_valid_i(has_prepared),
        .join_ready_o(join_ready),
        .join_ctx_i(join_ctx),
        .more_i(job_open ? batched && !job_placed_o : stream_i),
        .hold_o(batch_hold),
        .free_i(has_free),
        .free_ctx_i(free_ctx),
        .sum_start_o(sum_start),
        .sum_slot_o(sum_slot),
        .sum_done_i(sum_done),
        .sum_ctx_i(sum_ctx),
        .sum_ok_i(sum_ok),
        .replay_start_o(replay_start),
        .replay_signature_o,
        .replay_listed_o(replay_listed),
        .replay_ctx_o(scalar_ctx_o),
        .answer_valid_o(batch_answer_valid),
        .answer_ready_i(batch_answer_ready),
        .answer_header_o(batch_answer_header),
        .answer_reason_o(batch_answer_reason),
        .z_valid_i,
        .z_i,
        .z_take_o,
        .scalar_valid_o,
        .scalar_ready_i,
        .scalar_op_o,
        .scalar_a_o,
        .scalar_r_o,
        .scalar_digest_o,
        .total_valid_i,
        .total_i,
        .digits_done_i,
        .digits_o,
        .digits_place_o
    );
  end else begin : g_no_batch
    assign {batch_room, batch_hold, batch_busy, sum_start, replay_start, replay_listed} = '0;
    assign {join_taken, sum_done, join_ctx, sum_ctx, prepared} = '0;
    assign {batch_answer_valid, batch_answer_header} = '0;
    assign batch_answer_reason = ReasonOk;
    assign engine_place_o = '0;
    assign replay_signature_o = '0;
    assign {scalar_valid_o, scalar_a_o, scalar_r_o, scalar_digest_o, scalar_ctx_o} = '0;
    assign scalar_op_o = ScalarHalve;
    assign {digits_o, digits_place_o, z_take_o} = '0;
  end

  // ---- engines ------------------------------------------------------------------------------------

  logic start, start_seeded, has_seeded;
  logic [7:0] start_op;
  logic [CtxBits-1:0] seeded_ctx, start_ctx;

  // Programs whose scalars are there begin when the receiver's job does not.
  always_comb begin
    has_seeded = 1'b0;
    seeded_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (SecretOps && contexts_q[c].seeded) begin
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
  assign start_op = start_seeded ? contexts_q[seeded_ctx].op : job_op_i;
  assign half_spread_o = contexts_q[rx_ctx].cached;

  always_comb begin
    engine_op_o = start_op;
    if (opcode_has_rule(start_op)) engine_op_o = hit ? OpcodeVerifyCached : OpcodeVerify;
    if (start_internal) engine_op_o = OpcodeVerify;
    engine_batch_o = contexts_q[start_ctx].batch;
    if (start_internal) engine_batch_o = sum_start ? BatchSum : BatchNone;
  end

  assign replay_o = replay_start;

  always_comb begin
    engine_start_o = '0;
    engine_start_o[start_ctx] = start || start_seeded || start_internal;
    engine_clear_o = {NumContexts{soft_reset_i}};
    if (malformed) engine_clear_o[rx_ctx] = 1'b1;
  end

  // ---- second phase of signatures, in the order of the first ---------------------------------------

  turn_t turn_q, next_turn_q;  // of the next first phase, of the next second one

  always_comb begin
    phase2_valid_o = 1'b0;
    phase2_ctx_o   = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (SecretOps && contexts_q[c].used && !contexts_q[c].dropped && contexts_q[c].op == OpcodeSign && contexts_q[c].decided &&
          contexts_q[c].turn == next_turn_q && !contexts_q[c].complete) begin
        phase2_valid_o = 1'b1;
        phase2_ctx_o   = CtxBits'(c);
      end
    end
  end

  // ---- answers ------------------------------------------------------------------------------------

  logic [NumContexts-1:0] has_list;

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      has_list[c] = opcode_has_rule(contexts_q[c].op) && contexts_q[c].batch == BatchNone;
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      due[c] = contexts_q[c].used && (contexts_q[c].dropped ||
          (contexts_q[c].decided && contexts_q[c].complete && !prepared[c] &&
           (list_ready_i[c] || !has_list[c])));
    end
  end

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      answers[c] = '{
          op: contexts_q[c].op,
          reason: contexts_q[c].reason,
          zero: contexts_q[c].zero
      };
    end
  end

  pm_barrel_answers #(
      .NumContexts(NumContexts),
      .Staged(Staged)
  ) u_answers (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .time_i(time_q),
      .header_we_i(place || start_internal),
      .header_ctx_i(free_ctx),
      .header_i(start_internal ? replay_signature_o.header : rx_header),
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
      .op_o,
      .tag_o,
      .rule_o,
      .reason_o,
      .zero_o,
      .cycles_o
  );

  assign busy_o = batch_busy || |used;

  always_comb begin
    walk_zero_o = {NumContexts{soft_reset_i}};
    if (answered) walk_zero_o[result_ctx_o] = 1'b1;
  end

  // ---- state --------------------------------------------------------------------------------------

  always_comb begin
    contexts_d = contexts_q;
    if (place) begin
      contexts_d[free_ctx] = '{
          used: 1'b1,
          reason: ReasonOk,
          op: job_op_i,
          turn: '0,
          slot: job_slot_i,
          batch: batched ? BatchPrepare : BatchNone,
          default: 1'b0
      };
    end
    if (start_internal) begin
      contexts_d[free_ctx] = '{
          used: 1'b1,
          reason: ReasonOk,
          op: OpcodeVerifyBatch,
          turn: '0,
          slot: '0,
          batch: sum_start ? BatchSum : BatchNone,
          default: 1'b0
      };
    end
    if (replay_listed) contexts_d[scalar_ctx_o].complete = 1'b1;
    if (join_taken) contexts_d[join_ctx].used = 1'b0;
    if (sum_done) contexts_d[sum_ctx].used = 1'b0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (engine_finish_i[c] && !contexts_q[c].dropped) begin
        contexts_d[c].decided = 1'b1;
        contexts_d[c].reason  = engine_reason_i[c%Engines];
        contexts_d[c].zero    = engine_zero_i[c%Engines];
      end
      if (SecretOps && phase1_done_i[c]) contexts_d[c].seeded = 1'b1;
      if (SecretOps && phase2_done_i[c]) contexts_d[c].complete = 1'b1;
    end
    if (start_seeded) contexts_d[seeded_ctx].seeded = 1'b0;
    if (start_verify) contexts_d[rx_ctx].cached = hit;
    if (SecretOps && phase1_taken) contexts_d[rx_ctx].turn = turn_q;
    if (complete) contexts_d[rx_ctx].complete = 1'b1;
    if (malformed || too_long) begin
      contexts_d[rx_ctx].dropped = 1'b1;
      contexts_d[rx_ctx].reason  = malformed ? ReasonMalformedJob : ReasonMessageTooLong;
    end
    for (int unsigned c = 0; c < NumContexts; c++) begin
      // An answer on offer must not change any more. A job that is placed in this cycle is aborted in the next.
      if ((soft_reset_i || (abort && job_placed_o && rx_ctx == CtxBits'(c))) && contexts_q[c].used &&
          !(offered && result_ctx_o == CtxBits'(c)) && !contexts_q[c].dropped) begin
        contexts_d[c].dropped = 1'b1;
        contexts_d[c].reason  = ReasonAborted;
      end
      if (soft_reset_i) begin
        contexts_d[c].seeded = 1'b0;
        if (contexts_q[c].batch == BatchSum) contexts_d[c].used = 1'b0;
        contexts_d[c].batch = BatchNone;  // its batch is no more
      end
    end
    if (answered) contexts_d[result_ctx_o].used = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      contexts_q <= '0;
      time_q <= '0;
      header_q <= '0;
      {resetting_q, reset_done_o} <= '0;
      {turn_q, next_turn_q} <= '0;
    end else begin
      contexts_q <= contexts_d;
      time_q <= time_q + 32'd1;
      if (job_start_i) header_q <= time_q;
      if (phase1_taken && is_sign) turn_q <= turn_q + 1'b1;
      if (soft_reset_i) next_turn_q <= turn_q;
      else if (phase2_valid_o && phase2_ready_i) next_turn_q <= next_turn_q + 1'b1;
      resetting_q  <= (resetting_q || soft_reset_i) && (busy_o || abort || soft_reset_i);
      reset_done_o <= resetting_q && !busy_o && !abort && !soft_reset_i;
    end
  end

endmodule
