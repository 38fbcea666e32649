// SPDX-License-Identifier: Apache-2.0
//
// Operand memory of `mpu`: entries of whole numbers for the engine, lanes of 128 bits with byte
// strobes for the bus.
//
// Ports:    one for reading and one for writing, shared: who uses them is chosen by bus_i. A read
//           is there in the same cycle; what is written can be read from the next cycle on. The
//           last lane has the upper bits of a number alone; above them the bus reads 0, and writes
//           nothing.
// Reset:    none; clear_i writes 0 to entry clear_addr_i.
// Constant time: yes.
module pm_mpu_memory
  import pm_mpu_pkg::*;
#(
    localparam int unsigned Bytes = NumberBits / 8,
    localparam int unsigned LaneBytes = 16,
    localparam int unsigned EntryBits = $clog2(Entries),
    localparam int unsigned LaneBits = $clog2(Lanes)
) (
    input  logic                   clk_i,         // clock
    input  logic                   clear_i,       // clear an entry, before all else
    input  logic [  EntryBits-1:0] clear_addr_i,
    input  logic                   bus_i,         // the bus has the memory, not the engine
    // engine
    input  logic [  EntryBits-1:0] raddr_i,       // entry to read
    output logic [ NumberBits-1:0] rdata_o,       // it
    input  logic                   we_i,          // write an entry
    input  logic [  EntryBits-1:0] waddr_i,
    input  logic [ NumberBits-1:0] wdata_i,
    // bus
    input  logic                   bus_we_i,      // write bytes of a lane
    input  logic [  EntryBits-1:0] bus_entry_i,   // entry and lane to read or write
    input  logic [   LaneBits-1:0] bus_lane_i,
    input  logic [8*LaneBytes-1:0] bus_wdata_i,
    input  logic [  LaneBytes-1:0] bus_wstrb_i,
    output logic [8*LaneBytes-1:0] bus_rdata_o
);

  localparam int unsigned PaddedBits = Lanes * 8 * LaneBytes;

  logic [EntryBits-1:0] raddr, waddr;
  logic [PaddedBits-1:0] padded;

  assign raddr = bus_i ? bus_entry_i : raddr_i;
  assign waddr = clear_i ? clear_addr_i : bus_i ? bus_entry_i : waddr_i;

  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    logic [7:0] mem[Entries];
    logic write, strobe;
    logic [7:0] value;

    assign strobe = bus_we_i && bus_wstrb_i[i%LaneBytes] && bus_lane_i == LaneBits'(i / LaneBytes);
    assign write  = clear_i || (bus_i ? strobe : we_i);
    assign value  = clear_i ? '0 : bus_i ? bus_wdata_i[8*(i%LaneBytes)+:8] : wdata_i[8*i+:8];

    always_ff @(posedge clk_i) begin
      if (write) mem[waddr] <= value;
    end

    assign rdata_o[8*i+:8] = mem[raddr];
  end

  assign padded = PaddedBits'(rdata_o);

  always_comb begin
    bus_rdata_o = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      if (bus_lane_i == LaneBits'(lane)) bus_rdata_o = padded[8*LaneBytes*lane+:8*LaneBytes];
    end
  end

endmodule
