// SPDX-License-Identifier: Apache-2.0
//
// Core `mpu`: 704-bit modular arithmetic, affine points and scalar multiplication, for a processor.
//
// Computes: operations of hw/mpu/core.yaml on an operand memory of 16 entries, modulo any odd p, on
//           any short Weierstrass curve; see docs/mpu.md.
// Ports:    registers on AXI4-Lite (docs/registers-mpu.md): a write to COMMAND starts an operation,
//           its end shows in STATUS and may raise the interrupt. Operands on AXI4 of 128 bits:
//           entry i from byte 128 i on, lowest byte first, 88 bytes; bytes 88 to 95 read 0 and keep
//           nothing, bytes 96 to 127 get the response SLVERR. With Dma = 1 a manager on AXI4 of 128
//           bits copies whole numbers between the operand memory and that of the system: a write to
//           DMA starts a transfer, which ends as an operation does; see pm_axi_dma for its bursts.
//           With Dma = 0 it is left out, its outputs are 0, and every transfer ends at once, with
//           illegal_command.
// While an operation or a transfer runs, accesses to the operand memory and writes to COMMAND,
// INFINITY, SCALAR and the registers of transfers return SLVERR and are remembered
// (IRQ_STATUS.missed), to the operand memory also in the cycle after; nothing else is.
// Latency:  of an operation: register CYCLES; tables in docs/mpu.md.
// Reset:    asynchronous, active low; the operand memory holds whatever it held. A soft reset
//           (CTRL) clears it in 16 cycles, and registers, modulus, curve and infinity flags too; it
//           ends when the bursts of a transfer that it abandons complete as well.
// Constant time: operations marked secret YES, for a given modulus, and a given length of scalars.
//                Others NO.
// Source:   Tanaka 2020, "Implementation of multi-precision arithmetic unit on FPGA SoC".
module pm_mpu
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    parameter int unsigned IdWidth = 4,  // bits of an AXI4 ID
    parameter bit Dma = 1'b1,  // with the manager of the system's memory
    parameter int unsigned AddrBits = 64,  // bits of its addresses, 13 to 64
    localparam int unsigned EntryBits = $clog2(Entries),
    localparam int unsigned AddrWidth = EntryBits + $clog2(Stride)
) (
    input  logic                 clk_i,           // clock
    input  logic                 rst_ni,          // asynchronous reset, active low
    // registers: AXI4-Lite
    input  logic                 s_axil_awvalid,
    output logic                 s_axil_awready,
    input  logic [          7:0] s_axil_awaddr,
    input  logic                 s_axil_wvalid,
    output logic                 s_axil_wready,
    input  logic [         31:0] s_axil_wdata,
    input  logic [          3:0] s_axil_wstrb,
    output logic                 s_axil_bvalid,
    input  logic                 s_axil_bready,
    output logic [          1:0] s_axil_bresp,
    input  logic                 s_axil_arvalid,
    output logic                 s_axil_arready,
    input  logic [          7:0] s_axil_araddr,
    output logic                 s_axil_rvalid,
    input  logic                 s_axil_rready,
    output logic [         31:0] s_axil_rdata,
    output logic [          1:0] s_axil_rresp,
    // operand memory: AXI4
    input  logic [  IdWidth-1:0] s_axi_awid,
    input  logic [AddrWidth-1:0] s_axi_awaddr,
    input  logic [          7:0] s_axi_awlen,
    input  logic [          2:0] s_axi_awsize,
    input  logic [          1:0] s_axi_awburst,
    input  logic                 s_axi_awvalid,
    output logic                 s_axi_awready,
    input  logic [        127:0] s_axi_wdata,
    input  logic [         15:0] s_axi_wstrb,
    input  logic                 s_axi_wlast,
    input  logic                 s_axi_wvalid,
    output logic                 s_axi_wready,
    output logic [  IdWidth-1:0] s_axi_bid,
    output logic [          1:0] s_axi_bresp,
    output logic                 s_axi_bvalid,
    input  logic                 s_axi_bready,
    input  logic [  IdWidth-1:0] s_axi_arid,
    input  logic [AddrWidth-1:0] s_axi_araddr,
    input  logic [          7:0] s_axi_arlen,
    input  logic [          2:0] s_axi_arsize,
    input  logic [          1:0] s_axi_arburst,
    input  logic                 s_axi_arvalid,
    output logic                 s_axi_arready,
    output logic [  IdWidth-1:0] s_axi_rid,
    output logic [        127:0] s_axi_rdata,
    output logic [          1:0] s_axi_rresp,
    output logic                 s_axi_rlast,
    output logic                 s_axi_rvalid,
    input  logic                 s_axi_rready,
    // memory of the system: AXI4
    output logic [  IdWidth-1:0] m_axi_awid,
    output logic [ AddrBits-1:0] m_axi_awaddr,
    output logic [          7:0] m_axi_awlen,
    output logic [          2:0] m_axi_awsize,
    output logic [          1:0] m_axi_awburst,
    output logic                 m_axi_awvalid,
    input  logic                 m_axi_awready,
    output logic [        127:0] m_axi_wdata,
    output logic [         15:0] m_axi_wstrb,
    output logic                 m_axi_wlast,
    output logic                 m_axi_wvalid,
    input  logic                 m_axi_wready,
    input  logic [  IdWidth-1:0] m_axi_bid,
    input  logic [          1:0] m_axi_bresp,
    input  logic                 m_axi_bvalid,
    output logic                 m_axi_bready,
    output logic [  IdWidth-1:0] m_axi_arid,
    output logic [ AddrBits-1:0] m_axi_araddr,
    output logic [          7:0] m_axi_arlen,
    output logic [          2:0] m_axi_arsize,
    output logic [          1:0] m_axi_arburst,
    output logic                 m_axi_arvalid,
    input  logic                 m_axi_arready,
    input  logic [  IdWidth-1:0] m_axi_rid,
    input  logic [        127:0] m_axi_rdata,
    input  logic [          1:0] m_axi_rresp,
    input  logic                 m_axi_rlast,
    input  logic                 m_axi_rvalid,
    output logic                 m_axi_rready,
    output logic                 irq_o            // level: an enabled interrupt is pending
);

  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned BitsBits = $clog2(NumberBits + 1);
  localparam int unsigned DigitBits = $clog2(NumberBits / 32 + 1);

  // ---- commands ---------------------------------------------------------------------------------

  logic start, dma_start, soft_reset, begins;
  logic finish, dma_busy, dma_finish, dma_illegal, dma_error;
  logic busy, working, done, ended, dma_ended, reset_done, clearing;
  logic unused_idle;
  logic [EntryBits-1:0] clear_entry;
  logic [31:0] cycles;
  mpu_reason_e engine_reason, reason;

  pm_mpu_control u_control (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .dma_start_i(dma_start),
      .begins_i(begins),
      .soft_reset_i(soft_reset),
      .finish_i(finish),
      .reason_i(engine_reason),
      .dma_busy_i(dma_busy),
      .dma_finish_i(dma_finish),
      .dma_illegal_i(dma_illegal),
      .dma_error_i(dma_error),
      .busy_o(busy),
      .working_o(working),
      .done_o(done),
      .reason_o(reason),
      .cycles_o(cycles),
      .ended_o(ended),
      .dma_ended_o(dma_ended),
      .clear_o(clearing),
      .clear_entry_o(clear_entry),
      .reset_done_o(reset_done)
  );

  // ---- registers --------------------------------------------------------------------------------

  command_t command;
  logic modulus, curve, infinity, memory_req, memory_missed;
  logic [9:0] scalar_bits;
  logic dma_store;
  logic [63:0] dma_addr;
  logic [3:0] dma_entry;
  logic [4:0] dma_count;
  logic [BitsBits-1:0] bits;
  logic [DigitBits-1:0] digits;
  logic [Buffers-1:0] infinities, infinity_we;

  pm_mpu_csr #(
      .DmaAddrBits(Dma ? AddrBits : 0)
  ) u_csr (
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
      .irq_o,
      .start_o(start),
      .begins_o(begins),
      .command_o(command),
      .scalar_bits_o(scalar_bits),
      .dma_start_o(dma_start),
      .dma_store_o(dma_store),
      .dma_addr_o(dma_addr),
      .dma_entry_o(dma_entry),
      .dma_count_o(dma_count),
      .soft_reset_o(soft_reset),
      .busy_i(busy),
      .done_i(done),
      .modulus_i(modulus),
      .curve_i(curve),
      .reason_i(reason),
      .cycles_i(cycles),
      .bits_i(bits),
      .digits_i(digits),
      .infinity_o(infinities),
      .infinity_we_i(infinity_we),
      .infinity_i(infinity),
      .ended_i(ended),
      .dma_ended_i(dma_ended),
      .missed_i(memory_missed),
      .reset_done_i(reset_done)
  );

  // ---- engine -----------------------------------------------------------------------------------

  logic [EntryBits-1:0] raddr, waddr;
  logic [NumberBits-1:0] rdata, wdata;
  logic write;

  pm_mpu_engine u_engine (
      .clk_i,
      .rst_ni,
      .start_i(start && !soft_reset),
      .clear_i(soft_reset),
      .idle_o(unused_idle),
      .command_i(command),
      .scalar_bits_i(scalar_bits),
      .infinity_i(infinities),
      .infinity_we_o(infinity_we),
      .infinity_o(infinity),
      .mem_raddr_o(raddr),
      .mem_rdata_i(rdata),
      .mem_we_o(write),
      .mem_waddr_o(waddr),
      .mem_wdata_o(wdata),
      .finish_o(finish),
      .reason_o(engine_reason),
      .modulus_o(modulus),
      .curve_o(curve),
      .bits_o(bits),
      .digits_o(digits)
  );

  // ---- transfers --------------------------------------------------------------------------------

  logic dma_req, dma_write;
  logic [EntryBits-1:0] dma_at, dma_ahead_at;
  logic [LaneBits-1:0] dma_lane, dma_ahead_lane;
  logic [127:0] dma_wdata, memory_rdata;
  logic [15:0] dma_wstrb;

  if (Dma) begin : g_dma
    pm_axi_dma #(
        .AddrBits(AddrBits),
        .IdWidth(IdWidth),
        .NumberBytes(NumberBits / 8),
        .Stride(Stride),
        .Entries(Entries)
    ) u_dma (
        .clk_i,
        .rst_ni,
        .start_i(dma_start && !soft_reset),
        .store_i(dma_store),
        .addr_i(dma_addr),
        .entry_i(dma_entry),
        .count_i(dma_count),
        .abort_i(soft_reset),
        .busy_o(dma_busy),
        .finish_o(dma_finish),
        .illegal_o(dma_illegal),
        .error_o(dma_error),
        .req_o(dma_req),
        .req_write_o(dma_write),
        .req_entry_o(dma_at),
        .req_lane_o(dma_lane),
        .ahead_entry_o(dma_ahead_at),
        .ahead_lane_o(dma_ahead_lane),
        .req_wdata_o(dma_wdata),
        .req_wstrb_o(dma_wstrb),
        .req_rdata_i(memory_rdata),
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
  end else begin : g_no_dma
    logic unused_dma;
    assign unused_dma = ^{dma_store, dma_addr, dma_entry, dma_count, m_axi_awready, m_axi_wready,
        m_axi_bid,
        m_axi_bresp, m_axi_bvalid, m_axi_arready, m_axi_rid, m_axi_rdata, m_axi_rresp, m_axi_rlast,
            m_axi_rvalid};
    assign {dma_busy, dma_error, dma_req, dma_write, dma_at, dma_lane, dma_wdata, dma_wstrb} = '0;
    assign {dma_ahead_at, dma_ahead_lane} = '0;
    assign dma_finish = dma_start;
    assign dma_illegal = dma_start;
    assign {m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_awvalid,
        m_axi_wdata,
        m_axi_wstrb, m_axi_wlast, m_axi_wvalid, m_axi_bready, m_axi_arid, m_axi_araddr,
            m_axi_arlen, m_axi_arsize,
        m_axi_arburst, m_axi_arvalid, m_axi_rready} = '0;
  end

  // ---- operand memory ---------------------------------------------------------------------------

  logic memory_write, memory_err, no_lane, dma_next, busy_q, occupied;
  logic [AddrWidth-1:0] memory_addr, memory_ahead_addr;
  logic [127:0] memory_wdata;
  logic [ 15:0] memory_wstrb;

  pm_axi_memory_slave #(
      .AddrWidth(AddrWidth),
      .IdWidth  (IdWidth)
  ) u_axi (
      .clk_i,
      .rst_ni,
      .s_axi_awid,
      .s_axi_awaddr,
      .s_axi_awlen,
      .s_axi_awsize,
      .s_axi_awburst,
      .s_axi_awvalid,
      .s_axi_awready,
      .s_axi_wdata,
      .s_axi_wstrb,
      .s_axi_wlast,
      .s_axi_wvalid,
      .s_axi_wready,
      .s_axi_bid,
      .s_axi_bresp,
      .s_axi_bvalid,
      .s_axi_bready,
      .s_axi_arid,
      .s_axi_araddr,
      .s_axi_arlen,
      .s_axi_arsize,
      .s_axi_arburst,
      .s_axi_arvalid,
      .s_axi_arready,
      .s_axi_rid,
      .s_axi_rdata,
      .s_axi_rresp,
      .s_axi_rlast,
      .s_axi_rvalid,
      .s_axi_rready,
      .req_o(memory_req),
      .req_write_o(memory_write),
      .req_addr_o(memory_addr),
      .ahead_addr_o(memory_ahead_addr),
      .req_wdata_o(memory_wdata),
      .req_wstrb_o(memory_wstrb),
      .req_rdata_i(memory_rdata),
      .req_err_i(memory_err)
  );

  assign no_lane = memory_addr[4+:LaneBits] >= LaneBits'(Lanes);
  // What ended addresses what is read in the cycle after.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= busy;
  end

  assign occupied = busy || busy_q;
  assign memory_missed = memory_req && occupied;
  assign memory_err = occupied || no_lane;
  // What is read in the next cycle may be the first number of a transfer.
  assign dma_next = dma_start || dma_busy;

  pm_mpu_memory u_memory (
      .clk_i,
      .clear_i(clearing),
      .clear_addr_i(clear_entry),
      .bus_i(!working || dma_busy),
      .raddr_i(raddr),
      .rdata_o(rdata),
      .we_i(write),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .bus_we_i(dma_busy ? dma_req && dma_write : memory_req && memory_write && !memory_err),
      .bus_waddr_i(dma_busy ? dma_at : memory_addr[AddrWidth-1-:EntryBits]),
      .bus_wlane_i(dma_busy ? dma_lane : memory_addr[4+:LaneBits]),
      .bus_wdata_i(dma_busy ? dma_wdata : memory_wdata),
      .bus_wstrb_i(dma_busy ? dma_wstrb : memory_wstrb),
      .bus_raddr_i(dma_next ? dma_ahead_at : memory_ahead_addr[AddrWidth-1-:EntryBits]),
      .bus_rlane_i(dma_next ? dma_ahead_lane : memory_ahead_addr[4+:LaneBits]),
      .bus_rdata_o(memory_rdata)
  );

  logic unused_addr;
  assign unused_addr = ^{memory_addr[3:0], memory_ahead_addr[3:0]};

endmodule
