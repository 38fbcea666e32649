// SPDX-License-Identifier: Apache-2.0
//
// Multi-curve core: job packets in, results out (AXI4-Stream, docs/bus-multicurve.md), registers
// behind AXI4-Lite (docs/registers-multicurve.md). Configurations `paper`, `fast` and `throughput`:
// scalar multiplication and signatures on any short Weierstrass or Montgomery curve over a prime
// field of up to 544 bits, given by its parameters, and modular arithmetic. Configurations
// `contexts` and `contexts_wide`: public scalars on Weierstrass curves over prime fields of up to
// 260 and 533 bits, three jobs at a time (pm_multicurve_contexts_jobs); what follows is of the
// others.
//
// A job at a time for each engine; every accepted job gets exactly one result, also a malformed or
// an aborted one. Two engines take jobs in alternation, and results leave in the order of the jobs.
// A load_curve job waits until both engines are free, goes to both, and completes once, when both
// have done it.
// Reset:    asynchronous, active low, drops everything.
// Constant time: jobs whose operand is marked secret YES, for a given curve; others NO. With
//           Contexts secret scalars are rejected.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), figures 1 and 6.

module pm_multicurve
  import pm_multicurve_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_machines_pkg::*;
#(
    parameter int unsigned InDepth = 64,  // beats that wait before the receiver, a power of two
    parameter bit Fast = 1'b1,  // windows, and products modulo named primes in half the cycles
    parameter int unsigned Engines = 1,  // 1 with two multipliers, or with Fast 2 with one each
    // Instead of all that, the engine of three contexts: 1 for short fields, 2 for longer ones.
    parameter int unsigned Contexts = 0
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

  // Access protection is not used: every master may do everything.
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot};

  // ---- receive ----------------------------------------------------------------------------------

  typedef struct packed {
    logic last;
    logic [7:0] keep;
    logic [63:0] data;
  } beat_t;

  logic waits, taken, in_valid, in_ready;
  beat_t waiting, in;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [$clog2(InDepth):0] in_usage;  // beats; what counts outside are packets
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] queued_q;
  logic came_q, left_q;

  pm_fifo #(
      .Width($bits(beat_t)),
      .Depth(InDepth),
      .Wipe (1'b1)
  ) u_in_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .valid_o(waits),
      .ready_i(taken),
      .data_o (waiting),
      .usage_o(in_usage)
  );

  // Standard cells choose a beat of the FIFO more slowly than the memory of an FPGA reads one.
  pm_skid #(
      .Width ($bits(beat_t)),
      .Stages(Contexts != 0 ? 1 : 0)
  ) u_in_stage (
      .clk_i,
      .rst_ni,
      .clear_i(1'b0),
      .valid_i(waits),
      .ready_o(taken),
      .data_i (waiting),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o (in)
  );

  // Whole packets that wait.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {came_q, left_q, queued_q} <= '0;
    else begin
      came_q   <= s_axis_tvalid && s_axis_tready && s_axis_tlast;
      left_q   <= in_valid && in_ready && in.last;
      queued_q <= queued_q + 8'(came_q) - 8'(left_q);
    end
  end

  // ---- engines ----------------------------------------------------------------------------------

  localparam machine_e MachineName = !Fast ? MachinePaper
      : Engines == 1 ? MachineFast : MachineThroughput;
  localparam machine_t Machine = machine_of(MachineName);
  localparam int unsigned Multipliers = Contexts != 0 ? 1 : Machine.multipliers;  // of an engine
  localparam int unsigned Digit = Contexts == 2 ? 42 : 45;  // of the engine of contexts
  localparam int unsigned Columns = Contexts == 2 ? 13 : 6;
  localparam int unsigned MostBits = Contexts == 0 ? NumberBits :
      pm_multicurve_contexts_jobs_pkg::most_bits(
      Digit, Columns
  );  // of p

  logic soft_reset, reset_done, busy, result_valid, result_ready;
  logic [31:0] answer_tag, answer_cycles, scalar_loop;
  logic [7:0] answer_op;
  logic answer_infinity, answer_all_zero;
  logic [MaxPayload-1:0][NumberBits-1:0] answer_payload;
  logic [Engines*Multipliers-1:0] mul_issue;
  mc_reason_e reason;

  if (Contexts != 0) begin : g_contexts
    logic [63:0] word;

    if (Fast || Engines != 1) begin : g_bad_contexts
      $fatal(1, "pm_multicurve: with Contexts, Fast must be 0 and Engines 1");
    end

    pm_multicurve_contexts_jobs #(
        .Digit  (Digit),
        .Columns(Columns)
    ) u_jobs (
        .clk_i,
        .rst_ni,
        .in_valid_i(in_valid),
        .in_ready_o(in_ready),
        .in_data_i(in.data),
        .in_keep_i(in.keep),
        .in_last_i(in.last),
        .soft_reset_i(soft_reset),
        .reset_done_o(reset_done),
        .busy_o(busy),
        .mul_issue_o(mul_issue[0]),
        .result_valid_o(result_valid),
        .beat_ready_i(!m_axis_tvalid || m_axis_tready),
        .result_ready_i(result_ready),
        .tag_o(answer_tag),
        .op_o(answer_op),
        .reason_o(reason),
        .infinity_o(answer_infinity),
        .cycles_o(answer_cycles),
        .word_o(word)
    );

    // Every beat of the payload is the next one.
    assign answer_payload = {MaxPayload{NumberBits'({OperandBeats{word}})}};
    assign answer_all_zero = 1'b0;
    assign scalar_loop = '0;
  end else begin : g_engines
    if (!(Engines inside {1, 2}) || (Engines == 2 && !Fast)) begin : g_bad_engines
      $fatal(1, "pm_multicurve: Engines must be 1, or 2 with Fast");
    end

    logic [Engines-1:0]
        rx_ready, rx_busy, engine_idle, offered, job_done, infinity, all_zero, reset_ends, granted;
    logic [Engines-1:0][7:0] job_op, answer_reason;
    logic [Engines-1:0][31:0] job_tag, cycles, loop;
    logic [Engines-1:0][MaxPayload-1:0][NumberBits-1:0] results;
    logic [Engines-1:0][Multipliers-1:0] mul_issues;
    logic in_turn_q, out_turn_q;  // engines of the next job and of the next answer
    logic packet_q, shared_q;  // a packet is under way, and goes to all engines
    logic shared, shared_job_q;
    logic lost_q;  // the latest load_curve job failed

    // A packet for all waits until all are free: between packets those with a job are not ready.
    assign shared   = packet_q ? shared_q : Engines > 1 && in.data[15:8] == OpcodeLoadCurve;
    assign in_ready = shared ? &rx_ready : rx_ready[in_turn_q];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        packet_q <= 1'b0;
        shared_q <= 1'b0;
        shared_job_q <= 1'b0;
        in_turn_q <= 1'b0;
        out_turn_q <= 1'b0;
      end else begin
        if (in_valid && in_ready) begin
          packet_q <= !in.last;
          shared_q <= shared;
          if (in.last && Engines > 1) in_turn_q <= !in_turn_q;
        end
        if (in_valid && in_ready && shared && !packet_q) shared_job_q <= 1'b1;
        else if (result_valid && result_ready) shared_job_q <= 1'b0;
        if (result_valid && result_ready && Engines > 1) out_turn_q <= !out_turn_q;
      end
    end

    // A load_curve job that fails leaves no curve, also one that an engine never had, or had
    // finished before its result was taken.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) lost_q <= 1'b0;
      else if (result_valid && result_ready && answer_op == OpcodeLoadCurve) begin
        lost_q <= reason != ReasonOk;
      end
    end

    for (genvar e = 0; e < Engines; e++) begin : g_engine
      logic job_start, job_open, job_end, job_malformed, no_curve, control_idle, unused_decided;
      logic engine_start, engine_clear, engine_finish;
      logic [7:0] job_option;
      mc_flags_t job_flags;
      logic [MaxOperands-1:0][NumberBits-1:0] operands;
      mc_reason_e engine_reason;
      mc_form_e form;  // of the curve of this engine

      pm_multicurve_rx u_rx (
          .clk_i,
          .rst_ni,
          .s_axis_tvalid(in_valid && (shared ? &rx_ready : in_turn_q == 1'(e))),
          .s_axis_tready(rx_ready[e]),
          .s_axis_tdata(in.data),
          .s_axis_tkeep(in.keep),
          .s_axis_tlast(in.last),
          .job_start_o(job_start),
          .job_open_o(job_open),
          .job_end_o(job_end),
          .job_malformed_o(job_malformed),
          .job_op_o(job_op[e]),
          .job_option_o(job_option),
          .job_flags_o(job_flags),
          .job_tag_o(job_tag[e]),
          .job_operands_o(operands),
          .job_done_i(job_done[e]),
          .busy_o(rx_busy[e])
      );

      // A load_curve job changes the form while it runs, so it must not be looked at then.
      assign no_curve = control_idle && opcode_form(
          job_op[e]
      ) != CurveNone && (lost_q || opcode_form(
          job_op[e]
      ) != form);

      pm_job_control #(
          .Aborted(ReasonAborted)
      ) u_control (
          .clk_i,
          .rst_ni,
          .soft_reset_i(soft_reset),
          .reset_done_o(reset_ends[e]),
          .job_start_i(job_start),
          .job_open_i(job_open),
          .job_valid_i(job_end),
          .job_end_i(job_end),
          .job_refused_i(job_malformed || no_curve),
          .refusal_i(job_malformed ? ReasonMalformedJob : ReasonNoCurve),
          .job_done_o(job_done[e]),
          .idle_o(control_idle),
          .decided_o(unused_decided),
          .engine_start_o(engine_start),
          .engine_clear_o(engine_clear),
          .engine_finish_i(engine_finish),
          .engine_reason_i(engine_reason),
          .result_valid_o(offered[e]),
          .result_ready_i(granted[e] && result_valid && result_ready),
          .reason_o(answer_reason[e]),
          .cycles_o(cycles[e])
      );

      pm_multicurve_engine #(
          .MachineName(MachineName)
      ) u_engine (
          .clk_i,
          .rst_ni,
          .start_i(engine_start),
          .clear_i(engine_clear),
          .idle_o(engine_idle[e]),
          .op_i(job_op[e]),
          .option_i(job_option),
          .flags_i(job_flags),
          .operands_i(operands),
          .finish_o(engine_finish),
          .reason_o(engine_reason),
          .results_o(results[e]),
          .infinity_o(infinity[e]),
          .all_zero_o(all_zero[e]),
          .form_o(form),
          .loop_o(loop[e]),
          .mul_issue_o(mul_issues[e])
      );

      assign granted[e] = shared_job_q || out_turn_q == 1'(e);
    end

    // Of a job that all engines have, the reason of one that failed, if there is one.
    assign result_valid = &(offered | ~granted);

    always_comb begin
      reason = mc_reason_e'(answer_reason[out_turn_q]);
      for (int unsigned e = 0; e < Engines; e++) begin
        if (granted[e] && reason == ReasonOk) reason = mc_reason_e'(answer_reason[e]);
      end
    end

    assign answer_tag = job_tag[out_turn_q];
    assign answer_op = job_op[out_turn_q];
    assign answer_infinity = infinity[out_turn_q];
    assign answer_all_zero = all_zero[out_turn_q] && answer_op == OpcodeLadder;
    assign answer_cycles = cycles[out_turn_q];
    assign answer_payload = results[out_turn_q];
    assign busy = rx_busy != '0 || engine_idle != '1;
    assign mul_issue = mul_issues;
    assign scalar_loop = loop[Engines==1?0 : !out_turn_q];

    // A soft reset has finished when it has in all engines.
    logic [Engines-1:0] resetting_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) resetting_q <= '0;
      else resetting_q <= {Engines{soft_reset}} | (resetting_q & ~reset_ends);
    end

    assign reset_done = (resetting_q & reset_ends) != '0 && (resetting_q & ~reset_ends) == '0;
  end

  // ---- answer -----------------------------------------------------------------------------------

  pm_multicurve_tx u_tx (
      .clk_i,
      .rst_ni,
      .result_valid_i(result_valid),
      .result_ready_o(result_ready),
      .tag_i(answer_tag),
      .op_i(answer_op),
      .reason_i(reason),
      .infinity_i(answer_infinity),
      .all_zero_i(answer_all_zero),
      .cycles_i(answer_cycles),
      .numbers_i(opcode_payload(answer_op)),
      .payload_i(answer_payload),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  logic answered, answered_q, valid_q, error_q, malformed_q;

  assign answered = result_valid && result_ready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {answered_q, valid_q, error_q, malformed_q} <= '0;
    else begin
      answered_q <= answered;
      valid_q <= answered && reason == ReasonOk;
      error_q <= answered && (reason == ReasonMalformedJob || reason == ReasonAborted);
      malformed_q <= answered && reason == ReasonMalformedJob;
    end
  end

  pm_multicurve_csr #(
      .Contexts(Contexts != 0 ? 3 : Engines),
      .Multipliers(Multipliers),
      .Engines(Engines),
      .Window(Fast ? 6 : 0),
      .Named(Fast),
      .Comb(Contexts == 0 && Machine.comb_units),
      .Width(MostBits)
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
      .busy_i(busy),
      .queued_i(queued_q),
      .job_answered_i(answered_q),
      .job_valid_i(valid_q),
      .job_error_i(error_q),
      .job_malformed_i(malformed_q),
      .reset_done_i(reset_done),
      .mul_issue_i(mul_issue),
      .loop_i(scalar_loop)
  );

endmodule
