// SPDX-License-Identifier: Apache-2.0
//
// pm_axil_slave in front of a memory of 64 words, of which the upper 32 reject every access.
module pm_axil_slave_tb (
    input  logic        clk_i,           // clock
    input  logic        rst_ni,          // asynchronous reset, active low
    input  logic        s_axil_awvalid,  // AXI4-Lite
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
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
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,
    output logic        req_o,           // an access happens in this cycle
    output logic        req_write_o      // it is a write
);

  logic [31:0] mem_q [32];
  logic [31:0] wdata;
  logic [ 7:0] addr;
  logic [ 3:0] wstrb;

  pm_axil_slave #(
      .AddrWidth(8)
  ) u_dut (
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
      .req_o,
      .req_write_o,
      .req_addr_o (addr),
      .req_wdata_o(wdata),
      .req_wstrb_o(wstrb),
      .req_rdata_i(mem_q[addr[6:2]]),
      .req_err_i  (addr[7])
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 4; i++) begin
      if (req_o && req_write_o && !addr[7] && wstrb[i]) begin
        mem_q[addr[6:2]][8*i+:8] <= wdata[8*i+:8];
      end
    end
  end

  logic unused_lsbs;
  assign unused_lsbs = ^addr[1:0];

endmodule
