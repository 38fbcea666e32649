// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Lite subordinate that turns transfers into single-cycle register accesses.
//
// Timing:   every AXI output is a register or depends on registers alone (no path from an AXI input
//           to an AXI output). A write is executed once, when both its address and its data have
//           arrived, in either order, and the response before it was taken; a read likewise. One
//           access per cycle at most; of two a write comes first, which cannot starve reads: the
//           next write has to wait for the response of this one. Response in the cycle after
//           the access, which is three cycles after the later of address and data.
// Access:   req_o is high for the one cycle of an access; req_rdata_i and req_err_i respond in that
//           same cycle. An error returns SLVERR, with data 0.
// Addresses are those of words: bits 1:0 are ignored. AxPROT is not looked at and has no port.
// Reset:    asynchronous, active low: open transfers are forgotten.
module pm_axil_slave #(
    parameter int unsigned AddrWidth = 8  // bits of a byte address
) (
    input  logic                 clk_i,           // clock
    input  logic                 rst_ni,          // asynchronous reset, active low
    // AXI4-Lite
    input  logic                 s_axil_awvalid,  // write address
    output logic                 s_axil_awready,
    input  logic [AddrWidth-1:0] s_axil_awaddr,
    input  logic                 s_axil_wvalid,   // write data
    output logic                 s_axil_wready,
    input  logic [         31:0] s_axil_wdata,
    input  logic [          3:0] s_axil_wstrb,
    output logic                 s_axil_bvalid,   // write response
    input  logic                 s_axil_bready,
    output logic [          1:0] s_axil_bresp,
    input  logic                 s_axil_arvalid,  // read address
    output logic                 s_axil_arready,
    input  logic [AddrWidth-1:0] s_axil_araddr,
    output logic                 s_axil_rvalid,   // read data
    input  logic                 s_axil_rready,
    output logic [         31:0] s_axil_rdata,
    output logic [          1:0] s_axil_rresp,
    // register access
    output logic                 req_o,           // an access happens in this cycle
    output logic                 req_write_o,     // it is a write
    output logic [AddrWidth-1:0] req_addr_o,      // word address, bits 1:0 are 0
    output logic [         31:0] req_wdata_o,     // data to write
    output logic [          3:0] req_wstrb_o,     // bytes to write
    input  logic [         31:0] req_rdata_i,     // data read, in the same cycle
    input  logic                 req_err_i        // the access is refused, in the same cycle
);

  localparam logic [1:0] RespOkay = 2'b00;
  localparam logic [1:0] RespSlverr = 2'b10;

  logic aw_full_q, w_full_q, ar_full_q;
  logic [AddrWidth-3:0] awaddr_q, araddr_q;

  // Chosen in one cycle, done in the next one, from registers.
  logic take_write, take_read, do_write, do_read;

  assign s_axil_awready = !aw_full_q;
  assign s_axil_wready = !w_full_q;
  assign s_axil_arready = !ar_full_q;

  assign take_write = aw_full_q && w_full_q && !s_axil_bvalid && !do_write;
  assign take_read = ar_full_q && !s_axil_rvalid && !do_read && !take_write;

  assign do_write = req_o && req_write_o;
  assign do_read = req_o && !req_write_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q <= 1'b0;
      ar_full_q <= 1'b0;
      req_o <= 1'b0;
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
    end else begin
      aw_full_q <= aw_full_q ? !do_write : s_axil_awvalid;
      w_full_q <= w_full_q ? !do_write : s_axil_wvalid;
      ar_full_q <= ar_full_q ? !do_read : s_axil_arvalid;
      req_o <= take_write || take_read;
      s_axil_bvalid <= s_axil_bvalid ? !s_axil_bready : do_write;
      s_axil_rvalid <= s_axil_rvalid ? !s_axil_rready : do_read;
    end
  end

  always_ff @(posedge clk_i) begin
    req_write_o <= take_write;
    req_addr_o  <= {take_write ? awaddr_q : araddr_q, 2'b00};
    if (!aw_full_q) awaddr_q <= s_axil_awaddr[AddrWidth-1:2];
    if (!ar_full_q) araddr_q <= s_axil_araddr[AddrWidth-1:2];
    if (!w_full_q) begin
      req_wdata_o <= s_axil_wdata;
      req_wstrb_o <= s_axil_wstrb;
    end
    if (do_write) s_axil_bresp <= req_err_i ? RespSlverr : RespOkay;
    if (do_read) begin
      s_axil_rresp <= req_err_i ? RespSlverr : RespOkay;
      s_axil_rdata <= req_err_i ? '0 : req_rdata_i;
    end
  end

  logic unused_lsbs;
  assign unused_lsbs = ^{s_axil_awaddr[1:0], s_axil_araddr[1:0]};

endmodule
