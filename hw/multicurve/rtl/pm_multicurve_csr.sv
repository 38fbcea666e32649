// SPDX-License-Identifier: Apache-2.0
//
// Registers of the multi-curve core behind an AXI4-Lite port (map: hw/multicurve/regs.rdl,
// docs/registers-multicurve.md).
//
// Errors:   SLVERR and no effect for an address without register, a write to a read-only register,
//           and a write to COUNT_CLEAR while busy_i is high (busy_i is looked at in the cycle in
//           which the write is executed). Every transfer completes, whatever the core does.
// Timing:   see pm_register_port. soft_reset_o pulses in the cycle after the write was executed. An
//           event in cycle c shows in its register, and at irq_o, in cycle c + 1.
// 64-bit counters: reading the low half latches the high half of the same instant, which the high
//           half's register then shows until the low half is read again.
// Reset:    asynchronous, active low. A soft reset changes nothing here.
module pm_multicurve_csr #(
    parameter int unsigned Contexts = 1,  // CONFIG.contexts, 1 to 255
    parameter int unsigned Multipliers = 2,  // CONFIG.multipliers, 1 to 15
    parameter int unsigned Engines = 1,  // CONFIG.engines, 1 to 15
    parameter int unsigned Window = 0,  // CONFIG.window, 0 to 15
    parameter bit Named = 1'b0,  // CONFIG.named
    parameter bit Comb = 1'b0,  // CONFIG.comb
    parameter int unsigned Width = 544  // CONFIG.width, 1 to 1023
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // AXI4-Lite, 32-bit data, 8-bit byte address
    input logic s_axil_awvalid,
    output logic s_axil_awready,
    input logic [7:0] s_axil_awaddr,
    input logic s_axil_wvalid,
    output logic s_axil_wready,
    input logic [31:0] s_axil_wdata,
    input logic [3:0] s_axil_wstrb,
    output logic s_axil_bvalid,
    input logic s_axil_bready,
    output logic [1:0] s_axil_bresp,
    input logic s_axil_arvalid,
    output logic s_axil_arready,
    input logic [7:0] s_axil_araddr,
    output logic s_axil_rvalid,
    input logic s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic irq_o,  // level: an enabled interrupt is pending
    // core
    output logic soft_reset_o,  // pulse: abandon every job
    input logic busy_i,  // level: a job is under way
    input logic [7:0] queued_i,  // level: jobs waiting
    input logic job_answered_i,  // pulse: a job was answered
    input logic job_valid_i,  // pulse: ... with reason ok
    input logic job_error_i,  // pulse: ... with malformed_job or aborted
    input logic job_malformed_i,  // pulse: ... with reason malformed_job
    input logic reset_done_i,  // pulse: a soft reset has finished
    // level: a multiplier starts a product
    input logic [Engines*Multipliers-1:0] mul_issue_i,
    input logic [31:0] loop_i  // level: cycles of the latest scalar loop
);

  if (Contexts < 1 || Contexts > 255 || Multipliers < 1 || Multipliers > 15) begin : gen_bad_config
    $fatal(1, "pm_multicurve_csr: Contexts must be 1 to 255, Multipliers 1 to 15");
  end
  if (Engines < 1 || Engines * Multipliers > 15) begin : gen_bad_engines
    $fatal(1, "pm_multicurve_csr: Engines must be 1 or more, with 15 multipliers at most");
  end
  if (Width < 1 || Width > 1023) begin : gen_bad_width
    $fatal(1, "pm_multicurve_csr: Width must be 1 to 1023");
  end

  // ---- bus ----
  logic req, req_is_wr, rd_err, wr_err, unused_refused;
  logic [7:0] addr;
  logic [31:0] wr_data, wr_biten, rd_data;

  pm_register_port u_port (
      .clk_i,
      .rst_ni,
      .busy_i,
      .refused_o(unused_refused),
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
      .cpuif_req_o(req),
      .cpuif_req_is_wr_o(req_is_wr),
      .cpuif_addr_o(addr),
      .cpuif_wr_data_o(wr_data),
      .cpuif_wr_biten_o(wr_biten),
      .cpuif_rd_data_i(rd_data),
      .cpuif_rd_err_i(rd_err),
      .cpuif_wr_err_i(wr_err)
  );

  // ---- registers ----
  pm_multicurve_regs_pkg::pm_multicurve_regs__in_t hw_in;
  pm_multicurve_regs_pkg::pm_multicurve_regs__out_t hw_out;
  logic [3:0] unused_block;

  pm_multicurve_regs u_block (
      .clk(clk_i),
      .arst_n(rst_ni),
      .s_cpuif_req(req),
      .s_cpuif_req_is_wr(req_is_wr),
      .s_cpuif_addr(addr),
      .s_cpuif_wr_data(wr_data),
      .s_cpuif_wr_biten(wr_biten),
      .s_cpuif_req_stall_wr(unused_block[0]),
      .s_cpuif_req_stall_rd(unused_block[1]),
      .s_cpuif_rd_ack(unused_block[2]),
      .s_cpuif_rd_err(rd_err),
      .s_cpuif_rd_data(rd_data),
      .s_cpuif_wr_ack(unused_block[3]),
      .s_cpuif_wr_err(wr_err),
      .hwif_in(hw_in),
      .hwif_out(hw_out)
  );

  assign soft_reset_o = hw_out.CTRL.soft_reset.value;
  assign irq_o = (hw_out.IRQ_STATUS.job_done.value && hw_out.IRQ_ENABLE.job_done.value) ||
      (hw_out.IRQ_STATUS.job_malformed.value && hw_out.IRQ_ENABLE.job_malformed.value) ||
      (hw_out.IRQ_STATUS.reset_done.value && hw_out.IRQ_ENABLE.reset_done.value);

  // ---- counters ----
  logic [31:0] jobs, valid, errors;
  logic [63:0] cycles, busy, muls;

  pm_cell_counters u_counters (
      .clk_i,
      .rst_ni,
      .clear_i(hw_out.COUNT_CLEAR.clear.value),
      .job_answered_i,
      .job_valid_i,
      .job_error_i,
      .busy_i,
      .mul_issue_i(15'(mul_issue_i)),
      .cycles_read_i(hw_out.CYCLES_LO.value.swacc),
      .busy_read_i(hw_out.BUSY_LO.value.swacc),
      .muls_read_i(hw_out.MULS_LO.value.swacc),
      .jobs_o(jobs),
      .valid_o(valid),
      .errors_o(errors),
      .cycles_o(cycles),
      .busy_o(busy),
      .muls_o(muls)
  );

  // ---- what the registers show ----
  assign hw_in.CONFIG.contexts.next = 8'(Contexts);
  assign hw_in.CONFIG.multipliers.next = 4'(Multipliers);
  assign hw_in.CONFIG.engines.next = 4'(Engines);
  assign hw_in.CONFIG.window.next = 4'(Window);
  assign hw_in.CONFIG.named.next = Named;
  assign hw_in.CONFIG.comb.next = Comb;
  assign hw_in.CONFIG.width.next = 10'(Width);
  assign hw_in.STATUS.busy.next = busy_i;
  assign hw_in.STATUS.queued.next = queued_i;
  assign hw_in.IRQ_STATUS.job_done.hwset = job_answered_i;
  assign hw_in.IRQ_STATUS.job_malformed.hwset = job_malformed_i;
  assign hw_in.IRQ_STATUS.reset_done.hwset = reset_done_i;
  assign hw_in.JOBS.value.next = jobs;
  assign hw_in.VALID.value.next = valid;
  assign hw_in.ERRORS.value.next = errors;
  assign hw_in.CYCLES_LO.value.next = cycles[31:0];
  assign hw_in.CYCLES_HI.value.next = cycles[63:32];
  assign hw_in.BUSY_LO.value.next = busy[31:0];
  assign hw_in.BUSY_HI.value.next = busy[63:32];
  assign hw_in.MULS_LO.value.next = muls[31:0];
  assign hw_in.MULS_HI.value.next = muls[63:32];
  assign hw_in.LOOP.value.next = loop_i;

endmodule
