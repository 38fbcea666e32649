// SPDX-License-Identifier: Apache-2.0
//
// pm_axi_dma with an operand memory, which can be set and seen as a whole, and with assertions on
// its bus.
module pm_axi_dma_tb #(
    parameter int unsigned AddrBits = 64,
    parameter int unsigned NumberBytes = 88,
    localparam int unsigned IdWidth = 4,
    localparam int unsigned Stride = 128,
    localparam int unsigned Entries = 16,
    localparam int unsigned Lanes = (NumberBytes + 15) / 16,
    localparam int unsigned LaneBits = $clog2(Lanes),
    localparam int unsigned MemoryBits = 128 * Lanes * Entries
) (
    input  logic                         clk_i,          // clock
    // assertions look at it with the clock
    // verilator lint_off SYNCASYNCNET
    input  logic                         rst_ni,         // asynchronous reset, active low
    // verilator lint_on SYNCASYNCNET
    input  logic                         start_i,        // command
    input  logic                         store_i,
    input  logic        [          63:0] addr_i,
    input  logic        [           3:0] entry_i,
    input  logic        [           4:0] count_i,
    input  logic                         abort_i,
    output logic                         busy_o,
    output logic                         finish_o,
    output logic                         illegal_o,
    output logic                         error_o,
    input  logic                         set_i,          // the operand memory becomes memory_i
    input  logic        [MemoryBits-1:0] memory_i,
    output logic        [MemoryBits-1:0] memory_o,       // its content
    output int unsigned                  violations_o,   // what did not hold on the bus
    output logic        [   IdWidth-1:0] m_axi_awid,     // AXI4
    output logic        [  AddrBits-1:0] m_axi_awaddr,
    output logic        [           7:0] m_axi_awlen,
    output logic        [           2:0] m_axi_awsize,
    output logic        [           1:0] m_axi_awburst,
    output logic                         m_axi_awvalid,
    input  logic                         m_axi_awready,
    output logic        [         127:0] m_axi_wdata,
    output logic        [          15:0] m_axi_wstrb,
    output logic                         m_axi_wlast,
    output logic                         m_axi_wvalid,
    input  logic                         m_axi_wready,
    input  logic        [   IdWidth-1:0] m_axi_bid,
    input  logic        [           1:0] m_axi_bresp,
    input  logic                         m_axi_bvalid,
    output logic                         m_axi_bready,
    output logic        [   IdWidth-1:0] m_axi_arid,
    output logic        [  AddrBits-1:0] m_axi_araddr,
    output logic        [           7:0] m_axi_arlen,
    output logic        [           2:0] m_axi_arsize,
    output logic        [           1:0] m_axi_arburst,
    output logic                         m_axi_arvalid,
    input  logic                         m_axi_arready,
    input  logic        [   IdWidth-1:0] m_axi_rid,
    input  logic        [         127:0] m_axi_rdata,
    input  logic        [           1:0] m_axi_rresp,
    input  logic                         m_axi_rlast,
    input  logic                         m_axi_rvalid,
    output logic                         m_axi_rready
);

  logic req, req_write;
  logic [3:0] req_entry, ahead_entry;
  logic [LaneBits-1:0] req_lane, ahead_lane;
  logic [127:0] req_wdata;
  logic [ 15:0] req_wstrb;
  int unsigned at, read_at_q;

  pm_axi_dma #(
      .AddrBits(AddrBits),
      .IdWidth(IdWidth),
      .NumberBytes(NumberBytes),
      .Stride(Stride),
      .Entries(Entries)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .store_i,
      .addr_i,
      .entry_i,
      .count_i,
      .abort_i,
      .busy_o,
      .finish_o,
      .illegal_o,
      .error_o,
      .req_o(req),
      .req_write_o(req_write),
      .req_entry_o(req_entry),
      .req_lane_o(req_lane),
      .ahead_entry_o(ahead_entry),
      .ahead_lane_o(ahead_lane),
      .req_wdata_o(req_wdata),
      .req_wstrb_o(req_wstrb),
      .req_rdata_i(memory_o[read_at_q+:128]),
      .m_axi_awid,
      .m_axi_awaddr,
      .m_axi_awlen,
      .m_axi_awsize,
      .m_axi_awburst,
      .m_axi_awvalid,
      .m_axi_awready,
      .m_axi_wdata,
      .m_axi_wstrb,
      .m_axi_wlast,
      .m_axi_wvalid,
      .m_axi_wready,
      .m_axi_bid,
      .m_axi_bresp,
      .m_axi_bvalid,
      .m_axi_bready,
      .m_axi_arid,
      .m_axi_araddr,
      .m_axi_arlen,
      .m_axi_arsize,
      .m_axi_arburst,
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_rid,
      .m_axi_rdata,
      .m_axi_rresp,
      .m_axi_rlast,
      .m_axi_rvalid,
      .m_axi_rready
  );

  assign at = 128 * (Lanes * 32'(req_entry) + 32'(req_lane));

  always_ff @(posedge clk_i) begin
    read_at_q <= 128 * (Lanes * 32'(ahead_entry) + 32'(ahead_lane));
    if (set_i) memory_o <= memory_i;
    else if (req && req_write) begin
      for (int unsigned i = 0; i < 16; i++) begin
        if (req_wstrb[i]) memory_o[at+8*i+:8] <= req_wdata[8*i+:8];
      end
    end
  end

  // ---- what has to hold on the bus --------------------------------------------------------------

  localparam logic [15:0] LastStrobe = 16'hffff >> (16 * Lanes - NumberBytes);

  function automatic void violated(string name);
    $display("violated: %s", name);
    violations_o = violations_o + 1;
  endfunction

  initial violations_o = 0;

  int unsigned address_count, data_count, answer_count, beat_count;
  logic aborted_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      address_count <= 0;
      data_count <= 0;
      answer_count <= 0;
      beat_count <= 0;
      aborted_q <= 1'b0;
    end else begin
      if (m_axi_awvalid && m_axi_awready) address_count <= address_count + 1;
      if (m_axi_wvalid && m_axi_wready) begin
        beat_count <= m_axi_wlast ? 0 : beat_count + 1;
        if (m_axi_wlast) data_count <= data_count + 1;
      end
      if (m_axi_bvalid && m_axi_bready) answer_count <= answer_count + 1;
      aborted_q <= busy_o && (abort_i || aborted_q);
    end
  end

  address_kept :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_awvalid && !m_axi_awready |=> m_axi_awvalid && $stable(
      m_axi_awaddr
  ))
  else violated("address_kept");
  read_address_kept :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_arvalid && !m_axi_arready |=> m_axi_arvalid && $stable(
      m_axi_araddr
  ))
  else violated("read_address_kept");
  data_kept :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_wvalid && !m_axi_wready |=> m_axi_wvalid && $stable(
      {m_axi_wdata, m_axi_wstrb, m_axi_wlast}
  ))
  else violated("data_kept");
  last_beat :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_wvalid |-> m_axi_wlast == (beat_count == Lanes - 1))
  else violated("last_beat");
  strobes :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_wvalid && m_axi_wstrb != 0 |-> m_axi_wstrb == (m_axi_wlast ? LastStrobe : 16'hffff))
  else violated("strobes");
  data_with_an_address :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_wvalid |-> data_count < address_count + 32'(m_axi_awvalid))
  else violated("data_with_an_address");
  two_open :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      address_count + 32'(m_axi_awvalid) <= answer_count + 2)
  else violated("two_open");
  all_answered :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      !busy_o |-> !m_axi_awvalid && !m_axi_arvalid && !m_axi_wvalid &&
          address_count == answer_count &&
      address_count == data_count && beat_count == 0)
  else violated("all_answered");
  nothing_left :
  assert property (@(posedge clk_i) disable iff (!rst_ni) !m_axi_wvalid |-> m_axi_wdata == 0)
  else violated("nothing_left");
  no_access_behind :
  assert property (@(posedge clk_i) disable iff (!rst_ni) aborted_q |-> !req)
  else violated("no_access_behind");
  no_bytes_behind :
  assert property (@(posedge clk_i) disable iff (!rst_ni) aborted_q && $past(
      aborted_q
  ) && $past(
      !m_axi_wvalid || m_axi_wready
  ) |-> m_axi_wstrb == 0)
  else violated("no_bytes_behind");
  bursts :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_awlen == 8'(Lanes - 1) && m_axi_arlen == 8'(Lanes - 1) && m_axi_awsize == 4 &&
          m_axi_arsize == 4 &&
      m_axi_awburst == 1 && m_axi_arburst == 1 && m_axi_awid == 0 && m_axi_arid == 0)
  else violated("bursts");
  pages :
  assert property (@(posedge clk_i) disable iff (!rst_ni)
      m_axi_awvalid || m_axi_arvalid |-> m_axi_awaddr[6:0] == 0 && m_axi_araddr[6:0] == 0)
  else violated("pages");

endmodule
