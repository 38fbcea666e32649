// SPDX-License-Identifier: Apache-2.0
//
// AXI4 manager that moves numbers between the memory of a system and an operand memory of lanes of
// 128 bits.
//
// Computes: on start_i copies count_i numbers of NumberBytes bytes, entry_i being the first, from
//           (store_i = 0) or to (store_i = 1) the system's memory, where they are Stride bytes
//           apart from addr_i on. Bytes between the numbers are not written there, and what is read
//           of them goes nowhere.
// Bursts:   INCR of whole beats, one a number, ID 0, the next one on offer while the data of the
//           one before flow, two open at most. addr_i is a multiple of Stride, and Stride a power
//           of two up to 4096, so that no burst crosses a multiple of 4096. Write data do not wait
//           for their address to be taken. Beats are counted.
// Errors:   illegal_o, in the cycle of start_i, and nothing on the bus: no number or more than
//           there are entries behind entry_i, an address that is no multiple of Stride or beyond
//           AddrBits bits with the last number. error_o: a beat or a burst returned an error; no
//           further burst begins, those on offer are finished, and their data go nowhere: beats
//           that are read are dropped, those to write have no strobe. Numbers, or parts of one,
//           that came before were copied.
// Handshake: start_i, a pulse while busy_o is low; finish_o, a pulse with illegal_o and error_o,
//           ends the transfer. abort_i, a pulse at any time, ends a transfer as an error does, but
//           without finish_o: busy_o falls when every burst completes. The operand memory is
//           accessed in the cycle of req_o, and read in the same one; no access happens behind
//           abort_i.
// Latency:  addresses are on offer from the cycle after start_i on. With a memory that takes an
//           address at once and responds to it, or to the last beat of a burst, after L cycles, and
//           a beat a cycle, n numbers of b beats are read in n b + L + 2 and written in n b + L + 3
//           cycles, from start_i to finish_o, when L < b.
// Reset:    asynchronous, active low: open bursts are forgotten, so the bus has to be reset with
//           it.
// Constant time: yes, but for what the bus makes wait. m_axi_wdata is 0 when no beat is on offer.
module pm_axi_dma #(
    parameter int unsigned AddrBits = 64,  // bits of a system address, 13 to 64
    parameter int unsigned IdWidth = 4,  // bits of an AXI4 ID
    parameter int unsigned NumberBytes = 88,  // of a number, more than 16
    parameter int unsigned Stride = 128,  // bytes from one number to the next, a power of two
    parameter int unsigned Entries = 16,  // of the operand memory, a power of two
    localparam int unsigned Bytes = 16,  // of a beat
    localparam int unsigned Lanes = (NumberBytes + Bytes - 1) / Bytes,
    localparam int unsigned LaneBits = $clog2(Lanes),
    localparam int unsigned EntryBits = $clog2(Entries)
) (
    input  logic                 clk_i,          // clock
    input  logic                 rst_ni,         // asynchronous reset, active low
    // command
    input  logic                 start_i,        // begin
    input  logic                 store_i,        // to the system's memory
    input  logic [         63:0] addr_i,         // of the first number there
    input  logic [EntryBits-1:0] entry_i,        // first entry
    input  logic [  EntryBits:0] count_i,        // numbers
    input  logic                 abort_i,        // end early
    output logic                 busy_o,         // a transfer, or what is left of one
    output logic                 finish_o,       // pulse: the transfer ended
    output logic                 illegal_o,      // with it: it could not be
    output logic                 error_o,        // with it: an error of the memory
    // operand memory
    output logic                 req_o,          // a lane is read or written in this cycle
    output logic                 req_write_o,
    output logic [EntryBits-1:0] req_entry_o,
    output logic [ LaneBits-1:0] req_lane_o,
    output logic [  8*Bytes-1:0] req_wdata_o,    // data to write
    output logic [    Bytes-1:0] req_wstrb_o,    // bytes to write
    input  logic [  8*Bytes-1:0] req_rdata_i,    // data read, in the same cycle
    output logic [EntryBits-1:0] ahead_entry_o,  // req_entry_o and req_lane_o of the next cycle
    output logic [ LaneBits-1:0] ahead_lane_o,
    // AXI4
    output logic [  IdWidth-1:0] m_axi_awid,     // write address
    output logic [ AddrBits-1:0] m_axi_awaddr,
    output logic [          7:0] m_axi_awlen,
    output logic [          2:0] m_axi_awsize,
    output logic [          1:0] m_axi_awburst,
    output logic                 m_axi_awvalid,
    input  logic                 m_axi_awready,
    output logic [  8*Bytes-1:0] m_axi_wdata,    // write data
    output logic [    Bytes-1:0] m_axi_wstrb,
    output logic                 m_axi_wlast,
    output logic                 m_axi_wvalid,
    input  logic                 m_axi_wready,
    input  logic [  IdWidth-1:0] m_axi_bid,      // write response
    input  logic [          1:0] m_axi_bresp,
    input  logic                 m_axi_bvalid,
    output logic                 m_axi_bready,
    output logic [  IdWidth-1:0] m_axi_arid,     // read address
    output logic [ AddrBits-1:0] m_axi_araddr,
    output logic [          7:0] m_axi_arlen,
    output logic [          2:0] m_axi_arsize,
    output logic [          1:0] m_axi_arburst,
    output logic                 m_axi_arvalid,
    input  logic                 m_axi_arready,
    input  logic [  IdWidth-1:0] m_axi_rid,      // read data
    input  logic [  8*Bytes-1:0] m_axi_rdata,
    input  logic [          1:0] m_axi_rresp,
    input  logic                 m_axi_rlast,
    input  logic                 m_axi_rvalid,
    output logic                 m_axi_rready
);

  localparam int unsigned StrideBits = $clog2(Stride);
  // of the number of a Stride in the system's memory
  localparam int unsigned PageBits = AddrBits - StrideBits;
  localparam logic [LaneBits-1:0] LastLane = LaneBits'(Lanes - 1);
  localparam logic [Bytes-1:0] LastStrobe = Bytes'({Bytes{1'b1}} >> (Bytes * Lanes - NumberBytes));
  localparam logic [1:0] BurstIncr = 2'b01;
  localparam logic [1:0] Open = 2'd2;  // bursts that are open at most

  if (Lanes < 2 || Stride != 1 << StrideBits || Stride < Bytes * Lanes ||
      Stride > 4096) begin : gen_stride
    $error("pm_axi_dma: Stride is a power of two, from the beats of a number to 4096");
  end
  if (AddrBits < 13 || AddrBits > 64 || Entries != 1 << EntryBits) begin : gen_size
    $error("pm_axi_dma: AddrBits is 13 to 64, Entries a power of two");
  end

  // ---- transfer ---------------------------------------------------------------------------------

  logic active_q, store_q, stop_q, stop_d, aborted_q, error_q;
  logic begins, offered, closed, wrong, over;
  logic [EntryBits:0] left_q;  // numbers whose burst was not on offer yet
  logic [1:0] open_q;  // bursts that were on offer and have no answer
  // those of them whose last beat to write was not read from the operand memory
  logic [1:0] data_q;
  logic [EntryBits-1:0] entry_q, entry_d;  // of the next beat
  logic [LaneBits-1:0] lane_q, lane_d;
  logic beat, last;

  // The end of the last number, in numbers; one bit more, and one for what is above AddrBits.
  logic [PageBits:0] page_end;
  logic [64:0] beyond;

  assign page_end = {1'b0, addr_i[AddrBits-1:StrideBits]} +
      (PageBits + 1)'(count_i) - (PageBits + 1)'(1);
  assign beyond = {1'b0, addr_i} >> AddrBits;
  assign illegal_o = start_i && (count_i == '0 ||
      (EntryBits + 2)'(entry_i) + (EntryBits + 2)'(count_i) > (EntryBits + 2)'(Entries) ||
      addr_i[StrideBits-1:0] != '0 || beyond != '0 || page_end[PageBits]);

  assign begins = start_i && !illegal_o;
  assign over = active_q && !m_axi_awvalid && !m_axi_arvalid && !m_axi_wvalid && open_q == '0 &&
      data_q == '0 && (left_q == '0 || stop_q);
  assign busy_o = active_q;
  assign finish_o = illegal_o || (over && !aborted_q && !abort_i);
  assign error_o = !illegal_o && error_q;
  assign stop_d = begins ? abort_i : stop_q || abort_i || wrong;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      store_q <= 1'b0;
      stop_q <= 1'b0;
      aborted_q <= 1'b0;
      error_q <= 1'b0;
      left_q <= '0;
      open_q <= '0;
    end else if (begins) begin
      active_q <= 1'b1;
      store_q <= store_i;
      stop_q <= stop_d;
      aborted_q <= abort_i;
      error_q <= 1'b0;
      left_q <= count_i - (EntryBits + 1)'(1);
      open_q <= 2'd1;
    end else begin
      active_q <= active_q && !over;
      stop_q <= stop_d;
      aborted_q <= aborted_q || abort_i;
      error_q <= error_q || wrong;
      if (offered) left_q <= left_q - (EntryBits + 1)'(1);
      open_q <= open_q + 2'(offered) - 2'(closed);
    end
  end

  always_comb begin
    entry_d = entry_q;
    lane_d  = lane_q;
    if (start_i) begin
      entry_d = entry_i;
      lane_d  = '0;
    end else if (beat) begin
      lane_d = last ? '0 : lane_q + LaneBits'(1);
      if (last) entry_d = entry_q + EntryBits'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {entry_q, lane_q} <= '0;
    else {entry_q, lane_q} <= {entry_d, lane_d};
  end

  // ---- addresses --------------------------------------------------------------------------------

  logic address_q, address_ready;
  logic [PageBits-1:0] page_q;
  logic [AddrBits-1:0] address;

  assign address_ready = store_q ? m_axi_awready : m_axi_arready;
  assign offered = active_q && !stop_q && left_q != '0 && open_q != Open &&
      (!address_q || address_ready);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) address_q <= 1'b0;
    else address_q <= begins || offered || (address_q && !address_ready);
  end

  always_ff @(posedge clk_i) begin
    if (begins) page_q <= addr_i[AddrBits-1:StrideBits];
    else if (offered) page_q <= page_q + PageBits'(1);
  end

  assign address = {page_q, StrideBits'(0)};
  assign m_axi_awvalid = address_q && store_q;
  assign m_axi_arvalid = address_q && !store_q;
  assign m_axi_awaddr = address;
  assign m_axi_araddr = address;
  assign m_axi_awid = '0;
  assign m_axi_arid = '0;
  assign m_axi_awlen = 8'(Lanes - 1);
  assign m_axi_arlen = 8'(Lanes - 1);
  assign m_axi_awsize = 3'd4;
  assign m_axi_arsize = 3'd4;
  assign m_axi_awburst = BurstIncr;
  assign m_axi_arburst = BurstIncr;

  // ---- data -------------------------------------------------------------------------------------

  // Two beats to write wait for the bus at most, so wready reaches no access.
  logic taken, reads, given, room, wlast;
  logic void_q;  // the beat to write was not on offer before the end came
  logic [8*Bytes-1:0] wdata;

  assign taken = m_axi_rvalid && m_axi_rready;
  assign reads = store_q && data_q != '0;
  assign given = reads && room;
  assign beat = taken || given;
  assign last = lane_q == LastLane;
  assign closed = store_q ? m_axi_bvalid && m_axi_bready : taken && last;
  assign wrong = store_q ? m_axi_bvalid && m_axi_bready && m_axi_bresp[1] : taken && m_axi_rresp[1];

  assign m_axi_rready = active_q && !store_q && open_q != '0;
  assign m_axi_bready = active_q && store_q && open_q != '0;

  assign req_o = !stop_q && (given || (taken && !m_axi_rresp[1]));
  assign req_write_o = !store_q;
  assign req_entry_o = entry_q;
  assign req_lane_o = lane_q;
  assign ahead_entry_o = entry_d;
  assign ahead_lane_o = lane_d;
  assign req_wdata_o = m_axi_rdata;
  assign req_wstrb_o = last ? LastStrobe : '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_q <= '0;
    else if (begins) data_q <= {1'b0, store_i};
    else data_q <= data_q + 2'(offered && store_q) - 2'(given && last);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) void_q <= 1'b0;
    else if (!m_axi_wvalid || m_axi_wready) void_q <= stop_d;
  end

  pm_ping_pong #(
      .Width(8 * Bytes + 1)
  ) u_write (
      .clk_i,
      .rst_ni,
      .valid_i(reads),
      .ready_o(room),
      .data_i ({reads ? req_rdata_i : '0, last}),
      .valid_o(m_axi_wvalid),
      .ready_i(m_axi_wready),
      .data_o ({wdata, wlast})
  );

  assign m_axi_wlast = m_axi_wvalid && wlast;
  assign m_axi_wdata = void_q ? '0 : wdata;
  always_comb begin
    if (!m_axi_wvalid || void_q) m_axi_wstrb = '0;
    else m_axi_wstrb = wlast ? LastStrobe : '1;
  end

  logic unused;
  assign unused = ^{m_axi_bid, m_axi_bresp[0], m_axi_rid, m_axi_rresp[0], m_axi_rlast};

endmodule
