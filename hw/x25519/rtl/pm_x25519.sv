// SPDX-License-Identifier: Apache-2.0
//
// X25519 core: job packets in, results out (AXI4-Stream, docs/x25519.md), registers behind
// AXI4-Lite (docs/registers-x25519.md). X25519 scalar multiplication (RFC 7748), by the engine of
// one of two forms.
//
// The engine works on one job or several while packets of further ones arrive. Results come in the
// order of the jobs; every accepted job gets exactly one, also a malformed or an aborted one.
// Reset:    asynchronous, active low, drops everything.
// Constant time: YES, with respect to scalars and coordinates.
// Source:   docs/x25519.md.

module pm_x25519
  import pm_x25519_pkg::*;
#(
    parameter int unsigned Form = FormTile,  // form of the engine
    parameter int unsigned InDepth = 64  // beats that wait before the receiver, a power of two
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

  if (!(Form inside {FormPaper, FormTile})) begin : gen_bad_form
    $fatal(1, "pm_x25519: Form must be 0 or 1");
  end

  localparam int unsigned Contexts = Form == FormTile ? 5 : 1;  // jobs in progress

  // Access protection is not used: every master may do everything.
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  // ---- receive ----------------------------------------------------------------------------------

  logic in_valid, in_ready, in_last, rx_busy;
  logic [63:0] in_data;
  logic [7:0] in_keep;
  logic [$clog2(InDepth):0] unused_usage;  // beats; what counts outside are packets
  logic [7:0] queued_q;

  logic fifo_valid, fifo_ready;
  logic [72:0] fifo_beat;

  pm_fifo #(
      .Width(73),
      .Depth(InDepth),
      .Wipe (1'b1)
  ) u_in_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .valid_o(fifo_valid),
      .ready_i(fifo_ready),
      .data_o (fifo_beat),
      .usage_o(unused_usage)
  );

  // The tile is for a high clock: beats come out of registers.
  pm_skid #(
      .Width (73),
      .Stages(32'(Form == FormTile))
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

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, left_q, queued_q} <= '0;
    else begin
      came_q   <= s_axis_tvalid && s_axis_tready && s_axis_tlast;
      left_q   <= in_valid && in_ready && in_last;
      queued_q <= queued_q + 8'(came_q) - 8'(left_q);
    end
  end

  logic job_start, job_open, job_end, job_malformed, job_done;
  logic [ 7:0] job_rule;
  logic [31:0] job_tag;
  logic [255:0] job_k, job_u;

  // What belongs to signatures alone.
  logic unused_valid, unused_secret, unused_clear, unused_drop;
  logic [255:0] unused_s;
  logic [23:0] unused_head;
  logic [1:0][73:0] unused_bytes;

  pm_edverify_rx #(
      .SecretOps (1),
      .Signatures(0),
      .Staged    (Form == FormTile)
  ) u_rx (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata(in_data),
      .s_axis_tkeep(in_keep),
      .s_axis_tlast(in_last),
      .job_start_o(job_start),
      .job_open_o(job_open),
      .job_valid_o(unused_valid),
      .job_end_o(job_end),
      .job_malformed_o(job_malformed),
      .job_op_o(unused_head[7:0]),
      .job_secret_o(unused_secret),
      .job_rule_o(job_rule),
      .job_tag_o(job_tag),
      .job_slot_o(unused_head[23:8]),
      .job_s_o(unused_s),
      .job_r_o(job_k),
      .job_a_o(job_u),
      .job_discard_i(1'b0),
      .job_done_i(job_done),
      .hash_clear_o(unused_clear),
      .hash_valid_o(unused_bytes[0][73]),
      .hash_ready_i(1'b1),
      .hash_data_o(unused_bytes[0][63:0]),
      .hash_keep_o(unused_bytes[0][71:64]),
      .hash_last_o(unused_bytes[0][72]),
      .msg_drop_o(unused_drop),
      .msg_valid_o(unused_bytes[1][73]),
      .msg_ready_i(1'b1),
      .msg_data_o(unused_bytes[1][63:0]),
      .msg_keep_o(unused_bytes[1][71:64]),
      .msg_last_o(unused_bytes[1][72]),
      .busy_o(rx_busy)
  );

  // ---- compute ----------------------------------------------------------------------------------

  logic soft_reset, reset_done, jobs_busy, engine_busy, engine_clear, engine_valid, engine_ready;
  logic result_valid, result_ready, result_zero, result_refused;
  logic answer_valid, answer_ready, answer_zero;
  logic [255:0] result, payload;
  logic [31:0] answer_tag, answer_cycles;
  logic [7:0] answer_rule;
  pm_edverify_pkg::reason_e reason;

  pm_x25519_jobs #(
      .Depth(16)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .soft_reset_i(soft_reset),
      .reset_done_o(reset_done),
      .busy_o(jobs_busy),
      .job_start_i(job_start),
      .job_open_i(job_open),
      .job_end_i(job_end),
      .job_malformed_i(job_malformed),
      .job_tag_i(job_tag),
      .job_rule_i(job_rule),
      .job_done_o(job_done),
      .engine_clear_o(engine_clear),
      .engine_valid_o(engine_valid),
      .engine_ready_i(engine_ready),
      .result_valid_i(result_valid),
      .result_ready_o(result_ready),
      .result_i(result),
      .result_zero_i(result_zero),
      .result_refused_i(result_refused),
      .answer_valid_o(answer_valid),
      .answer_ready_i(answer_ready),
      .tag_o(answer_tag),
      .rule_o(answer_rule),
      .reason_o(reason),
      .all_zero_o(answer_zero),
      .cycles_o(answer_cycles),
      .payload_o(payload)
  );

  if (Form == FormPaper) begin : gen_paper
    pm_x25519_paper_engine u_engine (
        .clk_i,
        .rst_ni,
        .clear_i(engine_clear),
        .job_valid_i(engine_valid),
        .job_ready_o(engine_ready),
        .job_k_i(job_k),
        .job_u_i(job_u),
        .result_valid_o(result_valid),
        .result_ready_i(result_ready),
        .result_o(result),
        .result_zero_o(result_zero),
        .refused_o(result_refused),
        .busy_o(engine_busy)
    );
  end else begin : gen_tile
    pm_x25519_tile #(
        .NumContexts(Contexts)
    ) u_engine (
        .clk_i,
        .rst_ni,
        .clear_i(engine_clear),
        .job_valid_i(engine_valid),
        .job_ready_o(engine_ready),
        .job_k_i(job_k),
        .job_u_i(job_u),
        .result_valid_o(result_valid),
        .result_ready_i(result_ready),
        .result_o(result),
        .result_zero_o(result_zero),
        .refused_o(result_refused),
        .busy_o(engine_busy)
    );
  end

  // ---- answer -----------------------------------------------------------------------------------

  logic [1:0] unused_index;

  pm_edverify_tx u_tx (
      .clk_i,
      .rst_ni,
      .result_valid_i(answer_valid),
      .result_ready_o(answer_ready),
      .tag_i(answer_tag),
      .rule_i(answer_rule),
      .reason_i(reason),
      .all_zero_i(answer_zero),
      .cycles_i(answer_cycles),
      .payload_words_i(2'd1),
      .payload_index_o(unused_index),
      .payload_i(payload),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  logic answered, busy_q, answered_q, valid_q, malformed_q;

  assign answered = answer_valid && answer_ready;

  // Registers show what happens a cycle later.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {busy_q, answered_q, valid_q, malformed_q} <= '0;
    else begin
      busy_q <= rx_busy || jobs_busy || engine_busy;
      answered_q <= answered;
      valid_q <= answered && reason == pm_edverify_pkg::ReasonOk;
      malformed_q <= answered && reason == pm_edverify_pkg::ReasonMalformedJob;
    end
  end

  pm_x25519_csr #(
      .Contexts(Contexts),
      .Form(Form)
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
      .busy_i(busy_q),
      .queued_i(queued_q),
      .job_answered_i(answered_q),
      .job_valid_i(valid_q),
      .job_error_i(answered_q && !valid_q),
      .job_malformed_i(malformed_q),
      .reset_done_i(reset_done)
  );

endmodule
