// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite port of a generated register block (PeakRDL's cpuif): pm_axil_slave, byte enables, and
// registers that must not be written while the core is busy.
//
// Errors:   SLVERR and no effect for what the block rejects, and for a write to a register of
//           Guarded while busy_i is high (looked at in the cycle in which the write is executed).
// Timing:   see pm_axil_slave. The block responds in the cycle of cpuif_req_o: it never stalls,
//           since nothing in the maps is external or retimed.
// Reset:    asynchronous, active low: open transfers are forgotten.
module pm_register_port #(
    // bit i: the register at address 4 i; COUNT_CLEAR of streaming cores
    parameter logic [63:0] Guarded = 64'h80
) (
    input  logic        clk_i,              // clock
    input  logic        rst_ni,             // asynchronous reset, active low
    input  logic        busy_i,             // level: the core is busy
    output logic        refused_o,          // pulse: a write was refused because of that
    // AXI4-Lite, 32-bit data, 8-bit byte address
    input  logic        s_axil_awvalid,
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
    // register block
    output logic        cpuif_req_o,        // an access happens in this cycle
    output logic        cpuif_req_is_wr_o,  // it is a write
    output logic [ 7:0] cpuif_addr_o,       // word address
    output logic [31:0] cpuif_wr_data_o,    // data to write
    output logic [31:0] cpuif_wr_biten_o,   // bits to write
    input  logic [31:0] cpuif_rd_data_i,    // data read, in the same cycle
    input  logic        cpuif_rd_err_i,     // the read is refused, in the same cycle
    input  logic        cpuif_wr_err_i      // the write is refused, in the same cycle
);

  logic req, guarded, req_err;
  logic [3:0] req_wstrb;

  pm_axil_slave #(
      .AddrWidth(8)
  ) u_axil (
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
      .req_o(req),
      .req_write_o(cpuif_req_is_wr_o),
      .req_addr_o(cpuif_addr_o),
      .req_wdata_o(cpuif_wr_data_o),
      .req_wstrb_o(req_wstrb),
      .req_rdata_i(cpuif_rd_data_i),
      .req_err_i(req_err)
  );

  assign guarded = cpuif_req_is_wr_o && busy_i && Guarded[cpuif_addr_o[7:2]];
  assign req_err = guarded || (cpuif_req_is_wr_o ? cpuif_wr_err_i : cpuif_rd_err_i);
  assign cpuif_req_o = req && !guarded;
  assign refused_o = req && guarded;

  for (genvar i = 0; i < 4; i++) begin : g_biten
    assign cpuif_wr_biten_o[8*i+:8] = {8{req_wstrb[i]}};
  end

endmodule
