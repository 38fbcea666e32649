// SPDX-License-Identifier: Apache-2.0
//
// What every board with a serial line has in its FPGA: reset, bridge, core. The core is
//           pm_board_core, which boards/board.py writes for the configuration of the board.
//
// Clock:    one domain. Asynchronous are rst_ni (pm_reset_sync) and rx_i (pm_uart_rx).
module pm_board_system #(
    parameter int unsigned Divider = 20,  // clock cycles of a bit on the line
    parameter logic [1023:0] Identity = '0  // 32 words, docs/boards.md
) (
    input  logic clk_i,   // clock
    input  logic rst_ni,  // asynchronous reset, active low: button, PLL not locked
    input  logic rx_i,    // line from the computer
    output logic tx_o,    // line to the computer
    output logic open_o,  // level: a driver has opened the core
    output logic busy_o,  // level: jobs are in the core
    output logic bad_o    // level: a damaged frame came since the reset
);

  localparam int unsigned CountBits = 8;

  logic rst_n, core_rst_n, bad, irq;
  logic job_valid, job_ready, job_last, result_valid, result_ready, result_last;
  logic [63:0] job_data, result_data;
  logic [7:0] job_keep, result_keep;
  logic awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;
  logic [7:0] awaddr, araddr;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;
  logic [CountBits-1:0] inside_q;  // packets sent to the core, less its results

  pm_reset_sync u_reset (
      .clk_i,
      .rst_ni,
      .rst_no(rst_n)
  );

  pm_uart_bridge #(
      .Divider (Divider),
      .Identity(Identity)
  ) u_bridge (
      .clk_i,
      .rst_ni(rst_n),
      .rx_i,
      .tx_o,
      .core_rst_no(core_rst_n),
      .open_o,
      .bad_o(bad),
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
      .irq_o(irq)
  );

  // For the lights alone; the line polls instead of using the interrupt.
  logic entered, left, unused_irq;
  assign unused_irq = irq;
  assign entered = job_valid && job_ready && job_last;
  assign left = result_valid && result_ready && result_last;
  assign busy_o = inside_q != '0;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) bad_o <= 1'b0;
    else if (bad) bad_o <= 1'b1;
  end

  always_ff @(posedge clk_i or negedge core_rst_n) begin
    if (!core_rst_n) inside_q <= '0;
    else inside_q <= inside_q + CountBits'(entered) - CountBits'(left);
  end

endmodule
