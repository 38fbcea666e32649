// SPDX-License-Identifier: Apache-2.0
//
// Operand memory of `mpu`: entries of whole numbers for the engine, lanes of 128 bits with byte
// strobes for the bus.
//
// Ports:    one for reading and one for writing, shared: who uses them in the next cycle is chosen
//           by bus_i. The last lane has the upper bits of a number alone; above them the bus reads
//           0, and writes nothing.
// Timing:   all that chooses a port is taken into registers, which are there once for each lane.
//           What is read is there in the cycle after its address. What the engine writes can be
//           read from the second cycle after its address on, wdata_i follows that in the next
//           cycle; what the bus writes takes a cycle more, in which bus_i has to stay.
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
    output logic [ NumberBits-1:0] rdata_o,       // it, in the next cycle
    input  logic                   we_i,          // write an entry
    input  logic [  EntryBits-1:0] waddr_i,
    input  logic [ NumberBits-1:0] wdata_i,       // what is written to it, in the next cycle
    // bus
    input  logic                   bus_we_i,      // write bytes of a lane
    input  logic [  EntryBits-1:0] bus_waddr_i,   // entry and lane to write
    input  logic [   LaneBits-1:0] bus_wlane_i,
    input  logic [8*LaneBytes-1:0] bus_wdata_i,
    input  logic [  LaneBytes-1:0] bus_wstrb_i,
    input  logic [  EntryBits-1:0] bus_raddr_i,   // entry and lane to read
    input  logic [   LaneBits-1:0] bus_rlane_i,
    output logic [8*LaneBytes-1:0] bus_rdata_o    // it, in the next cycle
);

  typedef struct packed {
    logic clear;
    logic bus;
    logic all;  // write all bytes of the entry
    logic [EntryBits-1:0] raddr;
    logic [EntryBits-1:0] waddr;
  } control_t;

  localparam int unsigned PaddedBits = Lanes * 8 * LaneBytes;

  control_t control;
  control_t [Lanes-1:0] control_q;
  logic [PaddedBits-1:0] padded;
  logic bus_we_q;
  logic [EntryBits-1:0] bus_waddr_q;
  logic [LaneBits-1:0] bus_wlane_q, bus_rlane_q;
  logic [1:0][8*LaneBytes-1:0] bus_wdata_q;
  logic [LaneBytes-1:0] bus_wstrb_q;

  assign control.clear = clear_i;
  assign control.bus   = bus_i;
  assign control.all   = clear_i || (we_i && !bus_i);
  assign control.raddr = bus_i ? bus_raddr_i : raddr_i;
  assign control.waddr = clear_i ? clear_addr_i : bus_i ? bus_waddr_q : waddr_i;

  pm_copies #(
      .Bits  ($bits(control_t)),
      .Copies(Lanes)
  ) u_control (
      .clk_i,
      .d_i(control),
      .q_o(control_q)
  );

  always_ff @(posedge clk_i) begin
    bus_we_q <= bus_we_i;
    bus_waddr_q <= bus_waddr_i;
    bus_wlane_q <= bus_wlane_i;
    bus_wdata_q <= {bus_wdata_q[0], bus_wdata_i};
    bus_wstrb_q <= bus_wstrb_i;
    bus_rlane_q <= bus_rlane_i;
  end

  for (genvar i = 0; i < Bytes; i++) begin : gen_byte
    localparam int unsigned Lane = i / LaneBytes;
    localparam int unsigned Place = i % LaneBytes;
    logic [7:0] mem[Entries];
    logic strobe_q;
    logic [7:0] value;

    always_ff @(posedge clk_i) begin
      strobe_q <= bus_i && bus_we_q && bus_wstrb_q[Place] && bus_wlane_q == LaneBits'(Lane);
    end

    assign value = control_q[Lane].clear ? '0 :
        control_q[Lane].bus ? bus_wdata_q[1][8*Place+:8] : wdata_i[8*i+:8];

    always_ff @(posedge clk_i) begin
      if (control_q[Lane].all || strobe_q) mem[control_q[Lane].waddr] <= value;
    end

    assign rdata_o[8*i+:8] = mem[control_q[Lane].raddr];
  end

  assign padded = PaddedBits'(rdata_o);

  always_comb begin
    bus_rdata_o = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      if (bus_rlane_q == LaneBits'(lane)) bus_rdata_o = padded[8*LaneBytes*lane+:8*LaneBytes];
    end
  end

endmodule
