// SPDX-License-Identifier: Apache-2.0
//
// Ed25519 core: job packets in, results out (AXI4-Stream, docs/bus-stream.md), registers behind
// AXI4-Lite (docs/registers-edverify.md). Verdicts on signatures are decided here completely, under
// the rule set that each job names. With SecretOps it also computes X25519, generates keys and
// signs.
//
// Configurations: `paper`, one context, as published; `hardened`, the same in two lanes that are
// compared (docs/faults.md), with the arithmetic once; `throughput`, a barrel of contexts with
// half-size scalars, which returns results for jobs in the order in which they end; `latency`, the
// same program for a shallow datapath; `bulk`, `throughput` with cached keys and batches instead of
// the secret operations; `tiles`, verification, also with cached keys, on several small engines,
// for the clock of an FPGA; `tiles_secret`, verification on fewer of them, and one for secrets.
// Cycles: docs/performance.md.
// Every accepted job gets exactly one result, also a malformed or an aborted one.
// Reset:    asynchronous, active low, drops everything.
// Constant time: verification NO, it is public; the other operations YES for a given length of the
//           message, apart from the waiting for other jobs.
// Source:   Xue et al. 2022, J. Commun. 43(3), figure 1.

module pm_edverify
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_lockstep_pkg::*;
#(
    // jobs in progress; 1: configuration `paper`; 2 to 32: `throughput`
    parameter int unsigned Contexts = 12,
    parameter bit Scheduled = 1'b0,  // of several contexts; 1: `latency`, for verification alone
    // that verify, with as many jobs each, and as many of one more with SecretOps; 0: one engine
    parameter int unsigned Tiles = 0,
    // x25519, keygen and sign are built in; possible in `throughput` and with tiles
    parameter bit SecretOps = Contexts > 1 && !Scheduled && Tiles == 0,
    parameter bit Hardened = 1'b0,  // of one context; 1: protection against faults (`hardened`)
    parameter int unsigned Keys = 0,  // slots of cached keys, a power of two; 0: none
    parameter int unsigned Batch = 0,  // `bulk`: signatures of a batch, a power of two; 0: none
    parameter int unsigned BatchSlots = 0,  // `bulk`: batches under way; 0 exactly if Batch is 0
    parameter int unsigned InDepth = 32,  // beats that wait before the receiver, a power of two
    parameter int unsigned MessageBytes = 16384  // memory of messages to be signed, a power of two
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // jobs
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,

    // results
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast,

    // registers
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
    input  logic [ 2:0] s_axil_awprot,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 7:0] s_axil_araddr,
    input  logic [ 2:0] s_axil_arprot,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    output logic irq_o  // level: an enabled interrupt is pending
);

  localparam int unsigned AllTiles = Tiles == 0 ? 1 : Tiles + 32'(SecretOps);

  if (Hardened && Contexts != 1) begin : g_refuse_hardened
    $fatal(1, "pm_edverify: only one context can be hardened");
  end
  if (Contexts == 1 && Scheduled) begin : g_refuse_scheduled
    $fatal(1, "pm_edverify: configuration `paper` is always scheduled");
  end
  if ((Keys != 0 || Batch != 0) && (Contexts == 1 || Scheduled)) begin : g_refuse_keys
    $fatal(1, "pm_edverify: cached keys and batches need several contexts, and not Scheduled");
  end
  if ((Keys != 0 || Batch != 0) && SecretOps && Tiles == 0) begin : g_refuse_bulk
    $fatal(1, "pm_edverify: one engine has cached keys and batches, or SecretOps");
  end
  if ((Batch == 0) != (BatchSlots == 0)) begin : g_refuse_batch_slots
    $fatal(1, "pm_edverify: BatchSlots must be 0 exactly if Batch is 0");
  end
  if (Tiles != 0 && (Contexts == 1 || Contexts % AllTiles != 0 || Scheduled || Keys > 8 ||
      Batch != 0)) begin : g_refuse_tiles
    $fatal(1, "pm_edverify: all tiles have as many contexts, at most 8 keys, and no batches");
  end
  if ((Contexts == 1 || Scheduled) && SecretOps) begin : g_refuse_secret
    $fatal(1, "pm_edverify: only `throughput` and tiles have operations on secrets");
  end

  // Access protection is not used: every master may do everything.
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  // ---- receive ----------------------------------------------------------------------------------

  logic in_valid, in_ready, in_last, rx_busy;
  logic [63:0] in_data;
  logic [7:0] in_keep;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [$clog2(InDepth):0] in_usage;  // beats; what counts outside are packets
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] queued_q;

  // With Hardened a lane of its own, which the other one is compared with.
  logic lane_rst_n, lane_ready, lane_take, fault;

  logic fifo_valid, fifo_ready;
  logic [72:0] fifo_beat;

  pm_fifo #(
      .Width(73),
      .Depth(InDepth),
      .Wipe (SecretOps)
  ) u_in_fifo (
      .clk_i,
      .rst_ni (lane_rst_n),
      .valid_i(lane_take),
      .ready_o(lane_ready),
      .data_i ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .valid_o(fifo_valid),
      .ready_i(fifo_ready),
      .data_o (fifo_beat),
      .usage_o(in_usage)
  );

  // Tiles are for a high clock: beats come out of registers.
  pm_skid #(
      .Width ($bits(fifo_beat)),
      .Stages(32'(Tiles > 0))
  ) u_in_beat (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .valid_i(fifo_valid),
      .ready_o(fifo_ready),
      .data_i (fifo_beat),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o ({in_last, in_keep, in_data})
  );

  // Whole packets that wait in the FIFO, a cycle later.
  logic came_q, left_q;

  always_ff @(posedge clk_i or negedge lane_rst_n) begin
    if (!lane_rst_n) {came_q, left_q, queued_q} <= '0;
    else begin
      came_q   <= s_axis_tvalid && s_axis_tready && s_axis_tlast;
      left_q   <= in_valid && in_ready && in_last;
      queued_q <= queued_q + 8'(came_q) - 8'(left_q);
    end
  end

  to_rx_t to_rx;
  to_hash_t to_hash;
  from_hash_t from_hash;

  // `paper` has no other operation than verification, no message to sign, and no payload.
  /* verilator lint_off UNUSEDSIGNAL */
  from_rx_t from_rx;
  logic [255:0] seed;
  logic seeded;
  logic [1:0] payload_index;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_edverify_rx #(
      .SecretOps(SecretOps),
      .Keys(Keys),
      .Batches(Batch != 0),
      .Staged(Tiles > 0)
  ) u_rx (
      .clk_i,
      .rst_ni(lane_rst_n),
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata(in_data),
      .s_axis_tkeep(in_keep),
      .s_axis_tlast(in_last),
      .job_start_o(from_rx.job.start),
      .job_open_o(from_rx.job.open),
      .job_valid_o(from_rx.job.valid),
      .job_end_o(from_rx.job.ended),
      .job_malformed_o(from_rx.job.malformed),
      .job_op_o(from_rx.job.op),
      .job_secret_o(from_rx.job.secret),
      .job_rule_o(from_rx.job.rule),
      .job_tag_o(from_rx.job.tag),
      .job_slot_o(from_rx.job.slot),
      .job_s_o(from_rx.job.s),
      .job_r_o(from_rx.job.r),
      .job_a_o(from_rx.job.a),
      .job_discard_i(to_rx.discard),
      .job_done_i(to_rx.job_done),
      .hash_clear_o(from_rx.hash_clear),
      .hash_valid_o(from_rx.hash.valid),
      .hash_ready_i(to_rx.hash_ready),
      .hash_data_o(from_rx.hash.data),
      .hash_keep_o(from_rx.hash.keep),
      .hash_last_o(from_rx.hash.last),
      .msg_drop_o(from_rx.msg_drop),
      .msg_valid_o(from_rx.msg.valid),
      .msg_ready_i(to_rx.msg_ready),
      .msg_data_o(from_rx.msg.data),
      .msg_keep_o(from_rx.msg.keep),
      .msg_last_o(from_rx.msg.last),
      .busy_o(rx_busy)
  );

  pm_sha512 #(
      .Deep(Contexts > 1 && Tiles == 0),
      .Slow(Tiles > 0 || Hardened)
  ) u_sha512 (
      .clk_i,
      .rst_ni  (lane_rst_n),
      .clear_i (to_hash.clear),
      .valid_i (to_hash.beat.valid),
      .ready_o (from_hash.ready),
      .data_i  (to_hash.beat.data),
      .keep_i  (to_hash.beat.keep),
      .last_i  (to_hash.beat.last),
      .valid_o (from_hash.digest_valid),
      .ready_i (to_hash.digest_ready),
      .digest_o(from_hash.digest)
  );

  // ---- verify -----------------------------------------------------------------------------------

  logic soft_reset, reset_done, engine_busy, result_ready;
  logic [AllTiles-1:0] mul_issue;  // products started
  tx_result_t result;
  logic [255:0] payload;

  logic tx_valid, tx_last;
  logic [63:0] tx_data;

  if (Contexts == 1) begin : g_paper
    logic   lane_reset_done;
    /* verilator lint_off UNUSEDSIGNAL */
    issue_t issue;  // for the comparison, with Hardened
    /* verilator lint_on UNUSEDSIGNAL */

    pm_edverify_paper_core #(
        .Hardened(Hardened)
    ) u_core (
        .clk_i,
        .rst_ni(lane_rst_n),
        .soft_reset_i(soft_reset || fault),
        .reset_done_o(lane_reset_done),
        .busy_o(engine_busy),
        .mul_issue_o(mul_issue),
        .fault_i(fault),
        .rx_i(from_rx),
        .rx_o(to_rx),
        .hash_o(to_hash),
        .hash_i(from_hash),
        .result_o(result),
        .result_ready_i(result_ready),
        .issue_o(issue)
    );

    assign payload = '0;

    if (Hardened) begin : g_hardened
      issue_t lane_issue;
      beat_t  lane_beat;
      logic second_ready, second_rst_n, take, lanes_reset, resetting_q;

      pm_edverify_lane #(
          .InDepth(InDepth)
      ) u_lane (
          .clk_i,
          .rst_ni(second_rst_n),
          .s_axis_tvalid(take),
          .s_axis_tready(second_ready),
          .s_axis_tdata,
          .s_axis_tkeep,
          .s_axis_tlast,
          .soft_reset_i(soft_reset || fault),
          .zero_i(issue.written.zero),
          .odd_i(issue.written.odd),
          .issue_o(lane_issue),
          .beat_o(lane_beat),
          .ready_i(m_axis_tready)
      );

      pm_edverify_lockstep u_lockstep (
          .clk_i,
          .rst_ni,
          .s_axis_tvalid,
          .s_axis_tlast,
          .s_axis_tready,
          .take_o(take),
          .first_ready_i(lane_ready),
          .second_ready_i(second_ready),
          .first_rst_no(lane_rst_n),
          .second_rst_no(second_rst_n),
          .lanes_reset_o(lanes_reset),
          .fault_o(fault),
          .first_issue_i(issue),
          .second_issue_i(lane_issue),
          .drained_i(!fifo_valid && !rx_busy),
          .first_beat_i('{valid: tx_valid, last: tx_last, data: tx_data}),
          .second_beat_i(lane_beat),
          .m_axis_tvalid,
          .m_axis_tdata,
          .m_axis_tlast
      );

      assign lane_take = take;

      // Only soft resets of the host are reported as done.
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) resetting_q <= 1'b0;
        else resetting_q <= soft_reset || (resetting_q && !reset_done);
      end

      assign reset_done = resetting_q && (lane_reset_done || lanes_reset);
    end else begin : g_plain
      assign reset_done = lane_reset_done;
    end
  end else if (Tiles > 0) begin : g_tiles
    pm_edverify_tiles_core #(
        .NumTiles(Tiles),
        .NumContexts(Contexts / AllTiles),
        .SecretOps(SecretOps),
        .Keys(Keys),
        .MessageBytes(MessageBytes)
    ) u_core (
        .clk_i,
        .rst_ni,
        .soft_reset_i(soft_reset),
        .reset_done_o(reset_done),
        .busy_o(engine_busy),
        .mul_issue_o(mul_issue),
        .rx_i(from_rx),
        .rx_o(to_rx),
        .hash_o(to_hash),
        .hash_i(from_hash),
        .result_o(result),
        .result_ready_i(result_ready),
        .payload_index_i(payload_index),
        .payload_o(payload)
    );
  end else begin : g_throughput
    pm_edverify_barrel_core #(
        .NumContexts(Contexts),
        .Scheduled(Scheduled),
        .SecretOps(SecretOps),
        .Keys(Keys),
        .Batch(Batch),
        .BatchSlots(BatchSlots),
        .MessageBytes(MessageBytes)
    ) u_core (
        .clk_i,
        .rst_ni,
        .soft_reset_i(soft_reset),
        .reset_done_o(reset_done),
        .busy_o(engine_busy),
        .mul_issue_o(mul_issue),
        .seeded_i(seeded),
        .seed_i(seed),
        .stream_i(in_valid),
        .rx_i(from_rx),
        .rx_o(to_rx),
        .hash_o(to_hash),
        .hash_i(from_hash),
        .result_o(result),
        .result_ready_i(result_ready),
        .payload_index_i(payload_index),
        .payload_o(payload)
    );
  end

  // ---- answer -----------------------------------------------------------------------------------

  pm_edverify_tx u_tx (
      .clk_i,
      .rst_ni(lane_rst_n),
      .result_valid_i(result.valid),
      .result_ready_o(result_ready),
      .tag_i(result.tag),
      .rule_i(result.rule),
      .reason_i(result.reason),
      .all_zero_i(result.all_zero),
      .cycles_i(result.cycles),
      .payload_words_i(result.payload_words),
      .payload_index_o(payload_index),
      .payload_i(payload),
      .m_axis_tvalid(tx_valid),
      .m_axis_tready,
      .m_axis_tdata(tx_data),
      .m_axis_tkeep,
      .m_axis_tlast(tx_last)
  );

  if (!Hardened) begin : g_one_lane
    assign lane_rst_n = rst_ni;
    assign lane_take = s_axis_tvalid;
    assign s_axis_tready = lane_ready;
    assign fault = 1'b0;
    assign m_axis_tvalid = tx_valid;
    assign m_axis_tdata = tx_data;
    assign m_axis_tlast = tx_last;
  end

  // What the registers count, a cycle later, so that no path from the transmitter ends there.
  logic answered_q, ok_q, malformed_q, error_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {answered_q, ok_q, malformed_q, error_q} <= '0;
    else begin
      answered_q <= result.valid && result_ready;
      ok_q <= result.reason == ReasonOk;
      malformed_q <= result.reason == ReasonMalformedJob;
      error_q <= result.reason inside {ReasonMalformedJob, ReasonAborted} || fault;
    end
  end

  pm_edverify_csr #(
      .Contexts (Contexts),
      .WindowA  (Contexts == 1 ? 5 : 4),
      .HalfSize (Contexts > 1),
      .SecretOps(SecretOps),
      .Hardened (Hardened),
      .Keys     (Keys),
      .Batch    (Batch)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_awaddr,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_bresp,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_araddr,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_axil_rdata,
      .s_axil_rresp,
      .irq_o,
      .soft_reset_o(soft_reset),
      .seed_o(seed),
      .seeded_o(seeded),
      .busy_i(rx_busy || engine_busy),
      .queued_i(queued_q),
      .job_answered_i(answered_q),
      .job_valid_i(answered_q && ok_q),
      .job_error_i(answered_q && error_q),
      .job_malformed_i(answered_q && malformed_q),
      .reset_done_i(reset_done),
      .mul_issue_i(15'(mul_issue))
  );

endmodule
