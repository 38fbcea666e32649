// SPDX-License-Identifier: Apache-2.0
//
// One 32-bit access of a processor as one AXI4 transfer of one beat on a bus of DataWidth bits;
// what AXI4-Lite does not have is left open there.
//
// Timing:   the processor holds an access until it completes in the cycle with ready_o, which is
//           the one in which the response comes; the next access may follow in the next cycle. No
//           path from the address or data channel of the bus to the processor, one from its
//           response.
// Reset:    asynchronous, active low: no access is under way.
module pm_soc_axi #(
    parameter int unsigned DataWidth = 128,  // bits of the bus, 32 or more
    parameter int unsigned AddrWidth = 11    // bits of its byte address
) (
    input  logic                   clk_i,      // clock
    input  logic                   rst_ni,     // asynchronous reset, active low
    // processor
    input  logic                   valid_i,    // an access is asked
    output logic                   ready_o,    // it is answered in this cycle
    input  logic [  AddrWidth-1:0] addr_i,     // byte address, a multiple of 4
    input  logic [            3:0] wstrb_i,    // bytes to write, none: a read
    input  logic [           31:0] wdata_i,    // data to write
    output logic [           31:0] rdata_o,    // data read
    output logic                   error_o,    // with ready_o: the answer is an error
    // AXI
    output logic                   m_awvalid,  // write address
    input  logic                   m_awready,
    output logic [  AddrWidth-1:0] m_awaddr,
    output logic                   m_wvalid,   // write data, always the last beat
    input  logic                   m_wready,
    output logic [  DataWidth-1:0] m_wdata,
    output logic [DataWidth/8-1:0] m_wstrb,
    input  logic                   m_bvalid,   // write response
    output logic                   m_bready,
    input  logic [            1:0] m_bresp,
    output logic                   m_arvalid,  // read address
    input  logic                   m_arready,
    output logic [  AddrWidth-1:0] m_araddr,
    input  logic                   m_rvalid,   // read data
    output logic                   m_rready,
    input  logic [  DataWidth-1:0] m_rdata,
    input  logic [            1:0] m_rresp
);

  localparam int unsigned Words = DataWidth / 32;
  localparam int unsigned OffsetWidth = $clog2(DataWidth / 8);

  if ((DataWidth & (DataWidth - 1)) != 0 || DataWidth < 32) begin : gen_refused
    $error("pm_soc_axi: the bus is a power of two of bits wide, at least 32");
  end

  logic write, address_done_q, data_done_q;
  logic [AddrWidth-1:0] beat;

  assign write = wstrb_i != 4'd0;
  assign beat = {addr_i[AddrWidth-1:OffsetWidth], OffsetWidth'(0)};

  assign m_awvalid = valid_i && write && !address_done_q;
  assign m_wvalid = valid_i && write && !data_done_q;
  assign m_arvalid = valid_i && !write && !address_done_q;
  assign m_awaddr = beat;
  assign m_araddr = beat;
  assign m_wdata = {Words{wdata_i}};
  assign m_bready = valid_i && write;
  assign m_rready = valid_i && !write;

  // The word's place in the beat.
  if (Words == 1) begin : gen_one
    assign m_wstrb = wstrb_i;
    assign rdata_o = m_rdata;
  end else begin : gen_lanes
    logic [OffsetWidth-3:0] lane;
    assign lane = addr_i[OffsetWidth-1:2];
    always_comb begin
      m_wstrb = '0;
      m_wstrb[4*lane+:4] = wstrb_i;
    end
    assign rdata_o = m_rdata[32*lane+:32];
  end

  assign ready_o = write ? m_bvalid : m_rvalid;
  assign error_o = write ? m_bresp[1] : m_rresp[1];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      address_done_q <= 1'b0;
      data_done_q <= 1'b0;
    end else if (valid_i && ready_o) begin
      address_done_q <= 1'b0;
      data_done_q <= 1'b0;
    end else begin
      if ((m_awvalid && m_awready) || (m_arvalid && m_arready)) address_done_q <= 1'b1;
      if (m_wvalid && m_wready) data_done_q <= 1'b1;
    end
  end

  // Bits 1:0 of an address are those of bytes in a word; EXOKAY and OKAY are the same here.
  logic unused;
  assign unused = ^{addr_i[1:0], m_bresp[0], m_rresp[0]};

endmodule
