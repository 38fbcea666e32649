// SPDX-License-Identifier: Apache-2.0
//
// The bridge with the small core of dv/lib/uart behind it, which decides by every byte of a packet.
module pm_pcie_system #(
    parameter int unsigned BufferWords = 64,
    parameter logic [1023:0] Identity = '0
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    output logic        open_o,
    input  logic        s_valid_i,
    output logic        s_ready_o,
    input  logic [63:0] s_data_i,
    output logic        m_valid_o,
    input  logic        m_ready_i,
    output logic [63:0] m_data_o,
    output logic        m_last_o,
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
    output logic [ 1:0] s_axil_rresp
);

  logic core_rst_n, unused_irq;
  logic job_valid, job_ready, job_last, result_valid, result_ready, result_last;
  logic [63:0] job_data, result_data;
  logic [7:0] job_keep, result_keep;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [7:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;

  pm_pcie_bridge #(
      .BufferWords(BufferWords),
      .Identity(Identity)
  ) u_bridge (
      .clk_i,
      .rst_ni,
      .core_rst_no(core_rst_n),
      .open_o,
      .s_valid_i,
      .s_ready_o,
      .s_data_i,
      .m_valid_o,
      .m_ready_i,
      .m_data_o,
      .m_last_o,
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
      .m_axis_tvalid(job_valid),
      .m_axis_tready(job_ready),
      .m_axis_tdata(job_data),
      .m_axis_tkeep(job_keep),
      .m_axis_tlast(job_last),
      .s_axis_tvalid(result_valid),
      .s_axis_tready(result_ready),
      .s_axis_tdata(result_data),
      .s_axis_tkeep(result_keep),
      .s_axis_tlast(result_last),
      .m_axil_awvalid(awvalid),
      .m_axil_awready(awready),
      .m_axil_awaddr(awaddr),
      .m_axil_wvalid(wvalid),
      .m_axil_wready(wready),
      .m_axil_wdata(wdata),
      .m_axil_wstrb(wstrb),
      .m_axil_bvalid(bvalid),
      .m_axil_bready(bready),
      .m_axil_bresp(bresp),
      .m_axil_arvalid(arvalid),
      .m_axil_arready(arready),
      .m_axil_araddr(araddr),
      .m_axil_rvalid(rvalid),
      .m_axil_rready(rready),
      .m_axil_rdata(rdata),
      .m_axil_rresp(rresp)
  );

  pm_board_core u_core (
      .clk_i,
      .rst_ni(core_rst_n),
      .s_axis_tvalid(job_valid),
      .s_axis_tready(job_ready),
      .s_axis_tdata(job_data),
      .s_axis_tkeep(job_keep),
      .s_axis_tlast(job_last),
      .m_axis_tvalid(result_valid),
      .m_axis_tready(result_ready),
      .m_axis_tdata(result_data),
      .m_axis_tkeep(result_keep),
      .m_axis_tlast(result_last),
      .s_axil_awvalid(awvalid),
      .s_axil_awready(awready),
      .s_axil_awaddr(awaddr),
      .s_axil_wvalid(wvalid),
      .s_axil_wready(wready),
      .s_axil_wdata(wdata),
      .s_axil_wstrb(wstrb),
      .s_axil_bvalid(bvalid),
      .s_axil_bready(bready),
      .s_axil_bresp(bresp),
      .s_axil_arvalid(arvalid),
      .s_axil_arready(arready),
      .s_axil_araddr(araddr),
      .s_axil_rvalid(rvalid),
      .s_axil_rready(rready),
      .s_axil_rdata(rdata),
      .s_axil_rresp(rresp),
      .irq_o(unused_irq)
  );

endmodule
