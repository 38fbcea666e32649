// SPDX-License-Identifier: Apache-2.0
//
// A core behind LitePCIe: the driver's end is the character device of LitePCIe's kernel module
// (docs/pcie.md).
//
// Jobs come in buffers of LitePCIe's DMA reader, results go in buffers of its DMA writer, registers
// are in BAR0. A nonce written to the session register resets the core and begins a session; with
// nonce 0, and behind reset, there is none: what LitePCIe's DMA reader brings is then dropped, and
// no result is sent.
// Clock:    one domain. Parts of it in other domains are LitePCIe's to cross.
// Latency:  as pm_pcie_jobs, pm_pcie_results and pm_pcie_registers have it.
// Reset:    asynchronous, active low. When a session begins the core is in reset for half of
//           ResetCycles, and quiet for the other half.
module pm_pcie_bridge
  import pm_pcie_pkg::*;
#(
    parameter int unsigned BufferWords = 1024,  // 64-bit words of a buffer of the kernel module
    parameter int unsigned ResetCycles = 32,  // of the core's reset, at least 8
    parameter int unsigned IdentityWords = 32,  // a power of two, at most 64
    parameter logic [32*IdentityWords-1:0] Identity = '0  // docs/boards.md; word 0 in bits 31:0
) (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    output logic        core_rst_no,     // reset of the core, active low
    output logic        open_o,          // level: there is a session
    // DMA reader of LitePCIe
    input  logic        s_valid_i,
    output logic        s_ready_o,
    input  logic [63:0] s_data_i,
    // DMA writer of LitePCIe
    output logic        m_valid_o,
    input  logic        m_ready_i,
    output logic [63:0] m_data_o,
    output logic        m_last_o,
    // BAR0 of LitePCIe
    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [11:0] s_axil_awaddr,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [11:0] s_axil_araddr,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    // job port of the core
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [63:0] m_axis_tdata,
    output logic [ 7:0] m_axis_tkeep,
    output logic        m_axis_tlast,
    // result port of the core
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [63:0] s_axis_tdata,
    input  logic [ 7:0] s_axis_tkeep,
    input  logic        s_axis_tlast,
    // register port of the core
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [ 7:0] m_axil_awaddr,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    input  logic [ 1:0] m_axil_bresp,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    output logic [ 7:0] m_axil_araddr,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp
);

  localparam int unsigned ResetBits = $clog2(ResetCycles + 1);

  if (ResetCycles < 8) begin : gen_bad_reset
    $fatal(1, "pm_pcie_bridge: ResetCycles must be at least 8");
  end

  logic [ResetBits-1:0] reset_q;  // cycles of the reset that are left
  logic [63:0] cycles_q;
  logic [31:0] nonce, doorbell, taken, accepted, credit, sent;
  logic session, fault, clear;

  assign open_o = nonce != '0 && reset_q == '0;
  assign clear  = !open_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reset_q <= ResetBits'(ResetCycles);
      core_rst_no <= 1'b0;
    end else begin
      if (session) reset_q <= ResetBits'(ResetCycles);
      else if (reset_q != '0) reset_q <= reset_q - ResetBits'(1);
      // The second half of the time the core is quiet, and out of reset.
      core_rst_no <= reset_q <= ResetBits'(ResetCycles / 2);
    end
  end

  always_ff @(posedge clk_i) cycles_q <= clear ? '0 : cycles_q + 64'd1;

  pm_pcie_registers #(
      .BufferWords(BufferWords),
      .IdentityWords(IdentityWords),
      .Identity(Identity)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .session_o(session),
      .nonce_o(nonce),
      .doorbell_o(doorbell),
      .taken_i(taken),
      .accepted_i(accepted),
      .fault_i(fault),
      .credit_o(credit),
      .sent_i(sent),
      .cycles_i(cycles_q),
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
      .m_axil_awvalid,
      .m_axil_awready,
      .m_axil_awaddr,
      .m_axil_wvalid,
      .m_axil_wready,
      .m_axil_wdata,
      .m_axil_wstrb,
      .m_axil_bvalid,
      .m_axil_bready,
      .m_axil_bresp,
      .m_axil_arvalid,
      .m_axil_arready,
      .m_axil_araddr,
      .m_axil_rvalid,
      .m_axil_rready,
      .m_axil_rdata,
      .m_axil_rresp
  );

  pm_pcie_jobs #(
      .BufferWords(BufferWords)
  ) u_jobs (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .nonce_i(nonce),
      .doorbell_i(doorbell),
      .taken_o(taken),
      .accepted_o(accepted),
      .fault_o(fault),
      .s_valid_i,
      .s_ready_o,
      .s_data_i,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tkeep,
      .m_axis_tlast
  );

  pm_pcie_results #(
      .BufferWords(BufferWords)
  ) u_results (
      .clk_i,
      .rst_ni,
      .clear_i (clear),
      .nonce_i (nonce),
      .credit_i(credit),
      .sent_o  (sent),
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .m_valid_o,
      .m_ready_i,
      .m_data_o,
      .m_last_o
  );

endmodule
