// SPDX-License-Identifier: Apache-2.0
//
// Engine of `edverify`, configurations `throughput`, `latency` and `bulk`: a barrel of contexts of
// microcode (hw/edverify/ucode) on one butterfly datapath, with their recoded lists, secret scalars
// and two tables of the base point beside it.
//
// In `throughput` and `bulk` microinstructions of a context are a pipeline's length apart, so that
// the pipeline may be deep. In `latency` (Scheduled) the datapath is as shallow as that of `paper`,
// and microinstructions come at the distances of their schedule: a verification alone takes less
// than a third of the cycles.
//
// Computes: per context, by program_i.op,
//           verify   the verdict of an Ed25519 signature under the rule set whose flags are given,
//                    from the bytes of S, R and A and the recoded digit sequence that the scalar
//                    unit makes of S and the digest;
//           x25519   u of the scalar in slot 0, clamped already, times the point with u = a;
//           keygen   the encoding of slot 0 times G, the slot being below L;
//           sign     those of both slots.
// Handshake: start_i[c] (pulse, while context c is idle) takes program_i and begins; finish_o
//           (pulse) with finish_ctx_o and verdict_o ends it, clear_i[c] abandons it. Verification:
//           in between, the entries of its list are pushed; list_i.done (pulse) ends them, and
//           list_ready_o[c] says that they are complete; once its list was begun a context must
//           not be started again before that. The others: walk_* as pm_secret_walk, which must be
//           written by the cycle of start_i; results come before the end on out_o, slot 0 (u, the
//           first point) and 1 (the second point), to be ignored where the job has none. Cached
//           keys (docs/edverify-cached.md): load_key makes the tables of its key in its slot, which
//           no job may use meanwhile; verify_cached wants a slot that keeps its key (key_hit_o),
//           and begins when its list is complete.
// Throughput: with all contexts at work the multiplier starts a product in nearly every cycle; a
//           verification takes about 2,100 of them, x25519 2,581, keygen 1,390, sign 2,486.
// Reset:    asynchronous, active low: idle. Register banks keep what they held.
// Constant time: verification NO, it is public. The others YES: the same number of words, whatever
//           scalar and point are, each of which waits for other contexts as public data tell. Their
//           contexts are guarded: a program whose flow depends on data ends with secret_refused.
//           Secrets choose a register of two, and a table entry, of memories with the same timing
//           for every address.

module pm_edverify_barrel_engine
  import pm_ucode_pkg::*;
  import pm_edverify_throughput_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_barrel_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // 2 to 32; Spacing of them keep the multiplier busy
    parameter bit Scheduled = 1'b0,  // 1: configuration `latency`
    parameter bit SecretOps = !Scheduled,  // x25519, keygen and sign are built in; not if Scheduled
    parameter int unsigned Patience = 255,  // longest wait for the multiplier, 2^n - 1 cycles
    parameter logic [RomAddrBits-1:0] FixedBase = EntryFixedBase,  // where keygen and sign begin
    parameter int unsigned Keys = 0,  // slots of cached keys, a power of two; not with SecretOps
    parameter int unsigned Batch = 0,  // signatures of a batch, a power of two; not with SecretOps
    parameter int unsigned BatchSlots = 0,  // batches under way
    localparam int unsigned PlaceBits = Batch > 0 ? $clog2(Batch) + $clog2(BatchSlots) : 1,
    localparam int unsigned ExtBits = Batch > 0 ? 258 : 255,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [NumContexts-1:0] start_i,  // pulse: begin a job in this context
    input program_t program_i,  // with start_i: this one
    input logic wipe_i,  // with start_i: overwrite what programs on secrets wrote; op is keygen
    input logic [PlaceBits-1:0] batch_place_i,  // of a batch: at this place, or for the slot of it
    input logic [NumContexts-1:0] clear_i,  // pulse: abandon its job
    output logic key_hit_o,  // the slot keeps program_i.a, two cycles later
    input list_push_t list_i,  // an entry of a recoded digit sequence, or its end
    input logic [CtxBits-1:0] list_ctx_i,  // of this context
    output logic list_push_ready_o,  // the entry is taken: always
    output logic [NumContexts-1:0] list_ready_o,  // the operation list is complete
    input logic batch_forget_i,  // pulse: empty the lists of all batches
    input logic batch_push_valid_i,  // list_i.entry for the list of a batch
    output logic batch_push_ready_o,  // it is taken
    input logic [PlaceBits-1:0] batch_push_place_i,  // of this place
    input slot_word_t walk_i,  // write a secret scalar
    input logic [CtxBits-1:0] walk_ctx_i,  // of this context
    input logic [CtxBits-1:0] walk_rctx_i,  // slot to read
    input logic walk_rslot_i,
    output logic [255:0] walk_rdata_o,  // its scalar, one cycle later
    input logic [NumContexts-1:0] walk_zero_i,  // pulse: wipe the slots of this context
    output slot_word_t out_o,  // pulse: a result
    output logic [CtxBits-1:0] out_ctx_o,  // its context
    input share_request_t share_i,  // a product for the scalars
    output share_status_t share_o,
    output logic finish_o,  // pulse: a job ends
    output logic [CtxBits-1:0] finish_ctx_o,  // its context
    output verdict_t verdict_o,  // its verdict; zero: its latest canonical product is
    output logic mul_issue_o  // a product is started in this cycle
);

  if (NumContexts < 2 || NumContexts > 32) begin : g_refuse_contexts
    $fatal(1, "pm_edverify_barrel_engine: NumContexts must be 2 to 32");
  end
  if (Scheduled && SecretOps) begin : g_refuse_secret
    $fatal(1, "pm_edverify_barrel_engine: `latency` has no programs for secrets");
  end
  if (Keys != 0 && (SecretOps || Scheduled)) begin : g_refuse_keys
    $fatal(1, "cached keys are for `bulk`, without secrets");
  end
  if (Batch != 0 && (SecretOps || Scheduled)) begin : g_refuse_batch
    $fatal(1, "pm_edverify_barrel_engine: batches are for `bulk`, without secrets");
  end

  localparam bit CachedKeys = Keys != 0;
  localparam int unsigned SlotBits = Keys > 1 ? $clog2(Keys) : 1;
  localparam bit Bulk = CachedKeys || Batch != 0;  // ROM of `bulk`
  localparam bit Registered = !Scheduled;  // with registers behind reading and butterfly
  localparam int unsigned ReadReg = 32'(Registered);
  // Reading a register, the butterfly, the multiplier and the write: 9.
  localparam int unsigned Spacing = Scheduled ? 1 : pm_datapath_pkg::spacing(ReadReg, Registered);
  // Of scaled differences, which only x25519 has; they are stored in time too.
  localparam int unsigned ScaleStages = SecretOps ? 4 : 0;
  // Cycles from a word to the operand of its side unit.
  localparam int unsigned OperandLatency = pm_datapath_pkg::factor_latency(ReadReg, Registered);

  localparam int unsigned AddrBits = Scheduled ? pm_edverify_latency_ucode_pkg::RomAddrBits :
      Bulk ? pm_edverify_bulk_ucode_pkg::RomAddrBits : RomAddrBits;

  // ---- jobs -------------------------------------------------------------------------------------

  logic secret, ladder;
  logic job_secret, job_cached, cofactored, small_order;
  logic [SlotBits-1:0] job_slot;
  logic [CtxBits-1:0] start_ctx;
  logic [NumContexts-1:0] secrets;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumContexts-1:0] cached;  // of cached keys
  /* verilator lint_on UNUSEDSIGNAL */
  logic [CtxBits-1:0] ctx, next_ctx;  // of the word, and of the next one
  logic [(1 << ConditionBits)-1:0] conditions;
  logic flag_zero, flag_odd;
  logic [NumContexts-1:0][3:0] zero;
  logic more_now, more_tables;  // of scalars, of tables of cached keys

  assign secret = SecretOps && program_i.op != OpcodeVerify;
  assign ladder = SecretOps && program_i.op == OpcodeX25519;

  always_comb begin
    start_ctx = '0;  // at most one starts
    for (int unsigned c = 0; c < NumContexts; c++) start_ctx |= CtxBits'(c) & {CtxBits{start_i[c]}};
  end

  pm_edverify_barrel_jobs #(
      .NumContexts(NumContexts),
      .SecretOps(SecretOps),
      .CachedKeys(CachedKeys),
      .SlotBits(SlotBits)
  ) u_jobs (
      .clk_i,
      .start_i,
      .op_i(program_i.op),
      .flags_i(program_i.flags),
      .s_i(program_i.s),
      .r_i(program_i.r),
      .a_i(program_i.a),
      .slot_i(program_i.slot[SlotBits-1:0]),
      .secrets_o(secrets),
      .cached_o(cached),
      .next_ctx_i(next_ctx),
      .job_secret_o(job_secret),
      .job_cached_o(job_cached),
      .job_slot_o(job_slot),
      .cofactored_o(cofactored),
      .small_order_o(small_order),
      .flag_zero_i(flag_zero),
      .flag_odd_i(flag_odd),
      .more_scalars_i(more_now),
      .previous_zero_i(zero[ctx][1]),
      .more_tables_i(more_tables),
      .conditions_o(conditions)
  );

  // ---- sequencer and datapath -------------------------------------------------------------------

  word_t word;
  logic dispatch, hold;
  logic [NumContexts-1:0] stall;
  logic [AddrBits-1:0] dispatch_addr;
  logic [254:0] plain_ext;
  logic [ExtBits-1:0] ext;
  logic unit_start, finish, violation, negative;
  // Reasons have 8 bits, results are canonical, and flags are looked up.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [257:0] operand;
  logic [NumContexts-1:0] odd;
  logic [ArgBits-1:0] arg, end_arg;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [2:0] index;

  pm_edverify_barrel_issue #(
      .NumContexts(NumContexts),
      .Scheduled(Scheduled),
      .Bulk(Bulk),
      .MinSpacing(Spacing),
      .FixedBase(FixedBase)
  ) u_issue (
      .clk_i,
      .rst_ni,
      .start_i,
      .op_i(program_i.op),
      .wipe_i(wipe_i),
      .batch_i(program_i.batch),
      .secret_i(secrets),
      .stall_i(stall),
      .clear_i,
      .hold_i(hold),
      .word_o(word),
      .ctx_o(ctx),
      .next_ctx_o(next_ctx),
      .conditions_i(conditions),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .arg_o(arg),
      .finish_o(finish),
      .violation_o(violation),
      .end_ctx_o(finish_ctx_o),
      .end_arg_o(end_arg)
  );

  assign finish_o = finish || violation;
  assign verdict_o.reason = violation ? ReasonSecretRefused : reason_e'(end_arg[7:0]);
  // Programs on secrets wipe the flags by a canonical product behind that of the result.
  assign verdict_o.zero = zero[finish_ctx_o][32'(SecretOps)];

  pm_datapath_pkg::product_watch_t unused_watch;
  logic unused_adds;

  pm_edverify_share_patience #(
      .Patience(Patience),
      .LongPatience(Batch > 0 && Patience < 255 ? 255 : Patience)
  ) u_patience (
      .clk_i,
      .rst_ni,
      .valid_i(share_i.valid),
      .patient_i(share_i.patient),
      .taken_i(share_o.ready),
      .hold_o(hold)
  );

  pm_butterfly_datapath #(
      .NumContexts(NumContexts),
      .IndexBits(3),
      .ReadReg(ReadReg),
      .SumReg(Registered),
      .ScaleStages(ScaleStages),
      .ExtBits(ExtBits),
      .DiffBits(Scheduled ? 5 : 4),
      .YFromMul(!Scheduled)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .word_i(word),
      .ctx_i(ctx),
      .index_i(index),
      .neg_i(negative),
      .ext_i(ext),
      .operand_o(operand),
      .zero_o(zero),
      .odd_o(odd),
      .flag_ctx_i(next_ctx),
      .flag_zero_o(flag_zero),
      .flag_odd_o(flag_odd),
      .watch_o(unused_watch),
      .share_valid_i(share_i.valid),
      .share_ready_o(share_o.ready),
      .share_a_i(share_i.a),
      .share_b_i(share_i.b),
      .share_part_valid_o(share_o.done),
      .share_h_o(share_o.h),
      .share_l_o(share_o.l),
      .mul_issue_o
  );

  // ---- cached keys ------------------------------------------------------------------------------
  // A job that uses one has no word before its list is complete, and none while an inverse is made
  // for it.

  /* verilator lint_off UNUSEDSIGNAL */
  logic [SlotBits-1:0] key_slot;
  logic [5:0] key_point;
  logic [CtxBits-1:0] inverse_ctx;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [764:0] key_entry;
  logic [254:0] inverse;

  if (CachedKeys) begin : g_keys
    logic [NumContexts-1:0] inverse_wait;

    pm_edverify_cached_keys #(
        .Keys(Keys),
        .NumContexts(NumContexts),
        .OperandLatency(OperandLatency)
    ) u_keys (
        .clk_i,
        .rst_ni,
        .clear_i,
        .begin_i(|start_i && program_i.op == OpcodeLoadKey),
        .begin_ctx_i(start_ctx),
        .job_slot_i(program_i.slot[SlotBits-1:0]),
        .job_a_i(program_i.a),
        .hit_o(key_hit_o),
        .unit_start_i(unit_start),
        .unit_i(pm_edverify_bulk_ucode_pkg::unit_e'(arg)),
        .ctx_i(ctx),
        .operand_i(operand[255:0]),
        .more_tables_o(more_tables),
        .wait_o(inverse_wait),
        .slot_i(key_slot),
        .point_i(key_point),
        .point_o(key_entry),
        .inverse_ctx_i(inverse_ctx),
        .inverse_o(inverse)
    );

    assign stall = inverse_wait | (cached & ~list_ready_o);
  end else begin : g_no_keys
    assign {stall, more_tables, key_hit_o} = '0;
    assign key_entry = '0;
    assign inverse = '0;
  end

  // ---- recoded digit sequences ------------------------------------------------------------------

  logic [NumContexts-1:0] list_clear;
  logic walk_step;
  logic [AddrBits-1:0] walk_addr;
  list_point_t walk_point;
  /* verilator lint_off UNUSEDSIGNAL */
  list_point_t walk_current;  // not looked at by `latency`
  /* verilator lint_on UNUSEDSIGNAL */

  assign list_clear = start_i | clear_i;

  pm_edverify_barrel_lists #(
      .NumContexts(NumContexts),
      .Scheduled(Scheduled),
      .AddrBits(AddrBits)
  ) u_lists (
      .clk_i,
      .rst_ni,
      .clear_i(list_clear),
      .push_valid_i(list_i.valid),
      .push_ready_o(list_push_ready_o),
      .push_ctx_i(list_ctx_i),
      .push_entry_i(list_i.entry),
      .done_i(list_i.done),
      .ready_o(list_ready_o),
      .next_ctx_i(next_ctx),
      .dispatch_i(dispatch),
      .cached_i(job_cached),
      .cofactored_i(cofactored),
      .small_order_i(small_order),
      .addr_o(walk_addr),
      .adds_o(unused_adds),
      .step_o(walk_step),
      .point_o(walk_point),
      .current_o(walk_current)
  );

  // ---- batches ----------------------------------------------------------------------------------

  logic summing;  // the context of the word sums a batch
  list_point_t batch_current;

  if (Batch > 0) begin : g_batch
    logic table_hit;
    logic [pm_edverify_bulk_ucode_pkg::RomAddrBits-1:0] batch_addr;
    logic [257:0] table_value;

    pm_edverify_batch_engine #(
        .NumContexts(NumContexts),
        .Slots(BatchSlots),
        .Members(Batch),
        .OperandLatency(OperandLatency),
        .ExtLatency(ReadReg)
    ) u_batch (
        .clk_i,
        .rst_ni,
        .start_i,
        .start_ctx_i(start_ctx),
        .batch_i(program_i.batch),
        .place_i(batch_place_i),
        .clear_i(list_clear),
        .forget_i(batch_forget_i),
        .push_valid_i(batch_push_valid_i),
        .push_ready_o(batch_push_ready_o),
        .push_place_i(batch_push_place_i),
        .push_entry_i(list_i.entry),
        .next_ctx_i(next_ctx),
        .ctx_i(ctx),
        .dispatch_i(dispatch),
        .unit_start_i(unit_start),
        .arg_i(arg),
        .operand_i(operand),
        .select_i(word.ext),
        .summing_o(summing),
        .addr_o(batch_addr),
        .current_o(batch_current),
        .hit_o(table_hit),
        .value_o(table_value)
    );

    assign dispatch_addr = summing ? AddrBits'(batch_addr) : walk_addr;
    assign ext = table_hit ? table_value : ExtBits'(plain_ext);
  end else begin : g_no_batch
    logic unused;
    assign unused = ^{batch_place_i, batch_forget_i, batch_push_valid_i, batch_push_place_i};
    assign batch_push_ready_o = 1'b0;
    assign summing = 1'b0;
    assign batch_current = '0;
    assign dispatch_addr = walk_addr;
    assign ext = plain_ext;
  end

  // ---- secret scalars ---------------------------------------------------------------------------
  // What belongs to the context of the word is looked up a cycle ahead. Digits change only between
  // its words, so that they may be too.

  logic [NumContexts-1:0] more;
  /* verilator lint_off UNUSEDSIGNAL */
  secret_digit_t [NumContexts-1:0] secret_digits;
  secret_digit_t digit_now;  // not looked at by `latency`
  /* verilator lint_on UNUSEDSIGNAL */

  always_ff @(posedge clk_i) begin
    digit_now <= secret_digits[next_ctx];
    more_now  <= more[next_ctx];
  end

  if (SecretOps) begin : g_secret
    pm_secret_walk #(
        .NumContexts(NumContexts)
    ) u_secret_walk (
        .clk_i,
        .rst_ni,
        .we_i(walk_i.valid),
        .wctx_i(walk_ctx_i),
        .wslot_i(walk_i.slot),
        .wdata_i(walk_i.data),
        .rctx_i(walk_rctx_i),
        .rslot_i(walk_rslot_i),
        .rdata_o(walk_rdata_o),
        .zero_i(walk_zero_i),
        .init_i(secret ? start_i : '0),
        .ladder_i(ladder),
        .two_i(program_i.op == OpcodeSign),
        .step_i(unit_start && arg == UnitDigit),
        .ctx_i(ctx),
        .current_o(secret_digits),
        .more_o(more)
    );
  end else begin : g_no_secret
    logic unused;
    assign unused = ^{walk_i, walk_ctx_i, walk_rctx_i, walk_rslot_i, walk_zero_i};
    assign walk_rdata_o = '0;
    assign secret_digits = '0;
    assign more = '0;
  end

  // ---- the present digit and external values ----------------------------------------------------

  pm_edverify_digit_values #(
      .NumContexts(NumContexts),
      .Scheduled  (Scheduled),
      .CachedKeys   (CachedKeys),
      .SlotBits   (SlotBits)
  ) u_values (
      .clk_i,
      .rst_ni,
      .we_i(|start_i),
      .wctx_i(start_ctx),
      .ya_i(secret && !ladder ? '0 : program_i.a[254:0]),  // no secrets
      .yr_i(secret ? '0 : program_i.r[254:0]),
      .ctx_i(ctx),
      .select_i(ext_e'(word.ext)),
      .step_i(walk_step),
      .point_i(walk_point),
      .current_i(summing ? batch_current : walk_current),
      .secret_i(job_secret),
      .digit_i(digit_now),
      .cached_i(job_cached),
      .slot_i(job_slot),
      .key_slot_o(key_slot),
      .key_point_o(key_point),
      .key_entry_i(key_entry),
      .inverse_ctx_o(inverse_ctx),
      .inverse_i(inverse),
      .index_o(index),
      .neg_o(negative),
      .ext_o(plain_ext)
  );

  // ---- results ----------------------------------------------------------------------------------

  // Bit 255 of an encoding is the parity of the latest canonical product.
  logic result_word, out_parity;

  assign result_word = SecretOps && unit_start && arg != UnitDigit;

  pm_delay #(
      .Width(CtxBits + 3),
      .Depth(OperandLatency)
  ) u_out (
      .clk_i,
      .rst_ni,
      .data_i({result_word, ctx, arg == UnitResultR, flag_odd && arg != UnitResultU}),
      .data_o({out_o.valid, out_ctx_o, out_o.slot, out_parity})
  );

  assign out_o.data = {out_parity, operand[254:0]};

endmodule
