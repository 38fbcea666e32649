// SPDX-License-Identifier: Apache-2.0
//
// Multi-curve core, configurations `paper`, `fast` and `generic`: job packets in, results out (AXI4-Stream,
// docs/bus-multicurve.md), registers behind AXI4-Lite (docs/registers-multicurve.md). Scalar multiplication
// and signatures on any short Weierstrass or Montgomery curve over a prime field of up to 544 bits, given by
// its parameters, and modular arithmetic.
//
// One job at a time; every accepted job gets exactly one answer, also a malformed or an aborted one.
// Reset:    asynchronous, active low, drops everything.
// Constant time: jobs whose operand is marked secret YES, for a given curve; others NO.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), figures 1 and 6.

module pm_multicurve
  import pm_mc_pkg::*;
#(
    parameter int unsigned InDepth = 64,  // beats that wait before the receiver, a power of two
    parameter bit Fast = 1'b0,  // configurations `fast` and `generic`
    parameter bit Named = 1'b1  // with Fast, `fast`: products modulo named primes in half the cycles
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

  logic in_valid, in_ready, in_last, rx_busy;
  logic [63:0] in_data;
  logic [7:0] in_keep;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [$clog2(InDepth):0] in_usage;  // beats; what counts outside are packets
  /* verilator lint_on UNUSEDSIGNAL */
  logic [7:0] queued_q;

  pm_fifo #(
      .Width(73),
      .Depth(InDepth)
  ) u_in_fifo (
      .clk_i,
      .rst_ni,
      .valid_i(s_axis_tvalid),
      .ready_o(s_axis_tready),
      .data_i ({s_axis_tlast, s_axis_tkeep, s_axis_tdata}),
      .valid_o(in_valid),
      .ready_i(in_ready),
      .data_o ({in_last, in_keep, in_data}),
      .usage_o(in_usage)
  );

  // Whole packets that wait in the FIFO.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) queued_q <= '0;
    else
      queued_q <= queued_q + 8'(s_axis_tvalid && s_axis_tready && s_axis_tlast)
          - 8'(in_valid && in_ready && in_last);
  end

  logic job_start, job_open, job_end, job_malformed, job_done;
  logic [7:0] job_op, job_option;
  logic [31:0] job_tag;
  mc_flags_t job_flags;
  logic [MaxOperands-1:0][NumberBits-1:0] operands;

  pm_mc_rx u_rx (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata(in_data),
      .s_axis_tkeep(in_keep),
      .s_axis_tlast(in_last),
      .job_start_o(job_start),
      .job_open_o(job_open),
      .job_end_o(job_end),
      .job_malformed_o(job_malformed),
      .job_op_o(job_op),
      .job_option_o(job_option),
      .job_flags_o(job_flags),
      .job_tag_o(job_tag),
      .job_operands_o(operands),
      .job_done_i(job_done),
      .busy_o(rx_busy)
  );

  // ---- compute ----------------------------------------------------------------------------------

  logic soft_reset, reset_done, engine_start, engine_clear, engine_idle, engine_finish;
  logic result_valid, result_ready, infinity, all_zero;
  logic [1:0] mul_issue;
  logic [31:0] cycles, loop;
  logic [MaxPayload-1:0][NumberBits-1:0] results;
  mc_form_e form;
  mc_reason_e engine_reason, reason, refusal;
  logic control_idle, no_curve, unused_decided;
  logic [7:0] result_reason;

  // A load_curve job changes the form while it runs, so it must not be looked at then.
  assign no_curve = control_idle && opcode_form(job_op) != CurveNone && opcode_form(job_op) != form;
  assign refusal = job_malformed ? ReasonMalformedJob : ReasonNoCurve;
  assign reason = mc_reason_e'(result_reason);

  pm_job_control #(
      .Aborted(ReasonAborted)
  ) u_control (
      .clk_i,
      .rst_ni,
      .soft_reset_i(soft_reset),
      .reset_done_o(reset_done),
      .job_start_i(job_start),
      .job_open_i(job_open),
      .job_valid_i(job_end),
      .job_end_i(job_end),
      .job_refused_i(job_malformed || no_curve),
      .refusal_i(refusal),
      .job_done_o(job_done),
      .idle_o(control_idle),
      .decided_o(unused_decided),
      .engine_start_o(engine_start),
      .engine_clear_o(engine_clear),
      .engine_finish_i(engine_finish),
      .engine_reason_i(engine_reason),
      .result_valid_o(result_valid),
      .result_ready_i(result_ready),
      .reason_o(result_reason),
      .cycles_o(cycles)
  );

  pm_mc_engine #(
      .Fast (Fast),
      .Named(Named)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .start_i(engine_start),
      .clear_i(engine_clear),
      .idle_o(engine_idle),
      .op_i(job_op),
      .option_i(job_option),
      .flags_i(job_flags),
      .operands_i(operands),
      .finish_o(engine_finish),
      .reason_o(engine_reason),
      .results_o(results),
      .infinity_o(infinity),
      .all_zero_o(all_zero),
      .form_o(form),
      .loop_o(loop),
      .mul_issue_o(mul_issue)
  );

  // ---- answer -----------------------------------------------------------------------------------

  pm_mc_tx u_tx (
      .clk_i,
      .rst_ni,
      .result_valid_i(result_valid),
      .result_ready_o(result_ready),
      .tag_i(job_tag),
      .op_i(job_op),
      .reason_i(reason),
      .infinity_i(infinity),
      .all_zero_i(all_zero && job_op == OpcodeLadder),
      .cycles_i(cycles),
      .numbers_i(opcode_payload(job_op)),
      .payload_i(results),
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  logic answered;

  assign answered = result_valid && result_ready;

  pm_mc_regs #(
      .Contexts(1),
      .Multipliers(2),
      .Window(Fast ? 6 : 0),
      .Named(Fast && Named),
      .Width(NumberBits)
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
      .busy_i(rx_busy || !engine_idle),
      .queued_i(queued_q),
      .job_answered_i(answered),
      .job_valid_i(answered && reason == ReasonOk),
      .job_error_i(answered && (reason == ReasonMalformedJob || reason == ReasonAborted)),
      .job_malformed_i(answered && reason == ReasonMalformedJob),
      .reset_done_i(reset_done),
      .mul_issue_i(mul_issue),
      .loop_i(loop)
  );

endmodule
