// SPDX-License-Identifier: Apache-2.0
//
// Simulated system on a chip: PicoRV32 (RV32IM), RAM, the registers of pm_soc_system, and the core
// pm_mpu.
//
//   0x0000_0000  RAM, RamBytes bytes, no wait state (pm_soc_ram), for the processor and for
//                transfers of pm_mpu
//   0x1000_0000  pm_soc_system, 64 bytes
//   0x2000_0000  registers of pm_mpu, 256 bytes
//   0x3000_0000  operand memory of pm_mpu, 2 KiB
//   elsewhere    reads give 0; the access counts as an error
//
// The processor starts at address 0. Interrupt 3 is the line of pm_mpu, interrupt 4 the tick of
// pm_soc_system; both are levels, for programs that mask all interrupts and wait with the
// instruction waitirq.
// Reset:    asynchronous, active low; RAM keeps its content.
module pm_soc #(
    parameter int unsigned RamBytes = 1 << 20  // of the RAM, a power of two
) (
    input logic clk_i,  // clock
    input logic core_clk_i,  // the same for the core, or still while core_clock_o is 0
    output logic core_clock_o,  // the core is to have a clock
    input logic rst_ni,  // asynchronous reset, active low
    output logic tx_o,  // line of the serial port
    output logic halt_o,  // the program ended
    output logic [7:0] status_o,  // with this status
    output logic trap_o  // the processor stopped: illegal instruction or misaligned access
);

  localparam int unsigned RamWords = RamBytes / 4;
  localparam int unsigned IndexWidth = $clog2(RamWords);
  localparam logic [3:0] RegionRam = 4'h0;
  localparam logic [3:0] RegionSystem = 4'h1;
  localparam logic [3:0] RegionRegisters = 4'h2;
  localparam logic [3:0] RegionOperands = 4'h3;
  localparam int unsigned SystemAddrWidth = 6;
  localparam int unsigned RegisterAddrWidth = 8;
  localparam int unsigned OperandAddrWidth = 11;
  localparam int unsigned OperandWidth = 128;
  localparam int unsigned BusBits = 32;  // of an address
  localparam int unsigned IdWidth = 4;

  logic mem_valid, mem_instr, mem_ready, la_read, la_write;
  logic [31:0] mem_addr, mem_wdata, mem_rdata, la_addr, la_wdata;
  logic [3:0] mem_wstrb, la_wstrb;
  logic is_ram, is_system, is_registers, is_operands, is_other;
  logic system_ready, registers_ready, operands_ready, registers_error, operands_error;
  logic [31:0] ram_rdata, system_rdata, registers_rdata, operands_rdata;
  logic tick, mpu_irq;

  picorv32 #(
      .BARREL_SHIFTER(1'b1),
      .ENABLE_FAST_MUL(1'b1),
      .ENABLE_DIV(1'b1),
      .ENABLE_IRQ(1'b1),
      .LATCHED_IRQ(32'd0),
      .STACKADDR(RamBytes)
  ) u_cpu (
      .clk(clk_i),
      .resetn(rst_ni),
      .trap(trap_o),
      .mem_valid(mem_valid),
      .mem_instr(mem_instr),
      .mem_ready(mem_ready),
      .mem_addr(mem_addr),
      .mem_wdata(mem_wdata),
      .mem_wstrb(mem_wstrb),
      .mem_rdata(mem_rdata),
      .mem_la_read(la_read),
      .mem_la_write(la_write),
      .mem_la_addr(la_addr),
      .mem_la_wdata(la_wdata),
      .mem_la_wstrb(la_wstrb),
      .pcpi_valid(),
      .pcpi_insn(),
      .pcpi_rs1(),
      .pcpi_rs2(),
      .pcpi_wr(1'b0),
      .pcpi_rd(32'd0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0),
      .irq({27'd0, tick, mpu_irq, 3'd0}),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );

  // The RAM is accessed in the cycle before mem_valid, so that it never makes the processor wait.
  logic la_ram;
  assign la_ram = la_addr[31:2] < 30'(RamWords);

  logic [IdWidth-1:0] d_awid, d_bid, d_arid, d_rid;
  logic [BusBits-1:0] d_awaddr, d_araddr;
  logic [7:0] d_awlen, d_arlen;
  logic [2:0] d_awsize, d_arsize;
  logic [1:0] d_awburst, d_arburst, d_bresp, d_rresp;
  logic d_awvalid, d_awready, d_wlast, d_wvalid, d_wready, d_bvalid, d_bready;
  logic d_arvalid, d_arready, d_rlast, d_rvalid, d_rready;
  logic [OperandWidth-1:0] d_wdata, d_rdata;
  logic [OperandWidth/8-1:0] d_wstrb;

  pm_soc_ram #(
      .Bytes(RamBytes),
      .AddrBits(BusBits),
      .IdWidth(IdWidth)
  ) u_ram (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .cpu_read_i   (la_read && la_ram),
      .cpu_write_i  (la_write && la_ram),
      .cpu_index_i  (la_addr[IndexWidth+1:2]),
      .cpu_wstrb_i  (la_wstrb),
      .cpu_wdata_i  (la_wdata),
      .cpu_rdata_o  (ram_rdata),
      .s_axi_awid   (d_awid),
      .s_axi_awaddr (d_awaddr),
      .s_axi_awlen  (d_awlen),
      .s_axi_awvalid(d_awvalid),
      .s_axi_awready(d_awready),
      .s_axi_wdata  (d_wdata),
      .s_axi_wstrb  (d_wstrb),
      .s_axi_wvalid (d_wvalid),
      .s_axi_wready (d_wready),
      .s_axi_bid    (d_bid),
      .s_axi_bresp  (d_bresp),
      .s_axi_bvalid (d_bvalid),
      .s_axi_bready (d_bready),
      .s_axi_arid   (d_arid),
      .s_axi_araddr (d_araddr),
      .s_axi_arlen  (d_arlen),
      .s_axi_arvalid(d_arvalid),
      .s_axi_arready(d_arready),
      .s_axi_rid    (d_rid),
      .s_axi_rdata  (d_rdata),
      .s_axi_rresp  (d_rresp),
      .s_axi_rlast  (d_rlast),
      .s_axi_rvalid (d_rvalid),
      .s_axi_rready (d_rready)
  );

  assign is_ram = mem_addr[31:28] == RegionRam && mem_addr[31:2] < 30'(RamWords);
  assign is_system = mem_addr[31:SystemAddrWidth] == {RegionSystem, 22'd0};
  assign is_registers = mem_addr[31:RegisterAddrWidth] == {RegionRegisters, 20'd0};
  assign is_operands = mem_addr[31:OperandAddrWidth] == {RegionOperands, 17'd0};
  assign is_other = !is_ram && !is_system && !is_registers && !is_operands;

  pm_soc_system u_system (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .valid_i(mem_valid && is_system),
      .ready_o(system_ready),
      .addr_i(mem_addr[5:2]),
      .write_i(mem_wstrb != 4'd0),
      .wdata_i(mem_wdata[7:0]),
      .rdata_o(system_rdata),
      .error_i (mem_ready && (is_other || (is_registers && registers_error) ||
                (is_operands && operands_error))),
      .clock_o(core_clock_o),
      .tick_o(tick),
      .tx_o(tx_o),
      .halt_o(halt_o),
      .status_o(status_o)
  );

  // Registers of the core: AXI4-Lite.
  logic r_awvalid, r_awready, r_wvalid, r_wready, r_bvalid, r_bready;
  logic r_arvalid, r_arready, r_rvalid, r_rready;
  logic [RegisterAddrWidth-1:0] r_awaddr, r_araddr;
  logic [31:0] r_wdata, r_rdata;
  logic [3:0] r_wstrb;
  logic [1:0] r_bresp, r_rresp;

  pm_soc_axi #(
      .DataWidth(32),
      .AddrWidth(RegisterAddrWidth)
  ) u_registers (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .valid_i  (mem_valid && is_registers),
      .ready_o  (registers_ready),
      .addr_i   (mem_addr[RegisterAddrWidth-1:0]),
      .wstrb_i  (mem_wstrb),
      .wdata_i  (mem_wdata),
      .rdata_o  (registers_rdata),
      .error_o  (registers_error),
      .m_awvalid(r_awvalid),
      .m_awready(r_awready),
      .m_awaddr (r_awaddr),
      .m_wvalid (r_wvalid),
      .m_wready (r_wready),
      .m_wdata  (r_wdata),
      .m_wstrb  (r_wstrb),
      .m_bvalid (r_bvalid),
      .m_bready (r_bready),
      .m_bresp  (r_bresp),
      .m_arvalid(r_arvalid),
      .m_arready(r_arready),
      .m_araddr (r_araddr),
      .m_rvalid (r_rvalid),
      .m_rready (r_rready),
      .m_rdata  (r_rdata),
      .m_rresp  (r_rresp)
  );

  // Its operand memory: AXI4, single beats of 128 bits.
  logic o_awvalid, o_awready, o_wvalid, o_wready, o_bvalid, o_bready;
  logic o_arvalid, o_arready, o_rvalid, o_rready;
  logic [OperandAddrWidth-1:0] o_awaddr, o_araddr;
  logic [OperandWidth-1:0] o_wdata, o_rdata;
  logic [OperandWidth/8-1:0] o_wstrb;
  logic [1:0] o_bresp, o_rresp;

  pm_soc_axi #(
      .DataWidth(OperandWidth),
      .AddrWidth(OperandAddrWidth)
  ) u_operands (
      .clk_i    (clk_i),
      .rst_ni   (rst_ni),
      .valid_i  (mem_valid && is_operands),
      .ready_o  (operands_ready),
      .addr_i   (mem_addr[OperandAddrWidth-1:0]),
      .wstrb_i  (mem_wstrb),
      .wdata_i  (mem_wdata),
      .rdata_o  (operands_rdata),
      .error_o  (operands_error),
      .m_awvalid(o_awvalid),
      .m_awready(o_awready),
      .m_awaddr (o_awaddr),
      .m_wvalid (o_wvalid),
      .m_wready (o_wready),
      .m_wdata  (o_wdata),
      .m_wstrb  (o_wstrb),
      .m_bvalid (o_bvalid),
      .m_bready (o_bready),
      .m_bresp  (o_bresp),
      .m_arvalid(o_arvalid),
      .m_arready(o_arready),
      .m_araddr (o_araddr),
      .m_rvalid (o_rvalid),
      .m_rready (o_rready),
      .m_rdata  (o_rdata),
      .m_rresp  (o_rresp)
  );

  localparam logic [7:0] OneBeat = 8'd0;
  localparam logic [2:0] WholeBus = 3'd4;
  localparam logic [1:0] Increment = 2'b01;

  pm_mpu #(
      .IdWidth (IdWidth),
      .AddrBits(BusBits)
  ) u_mpu (
      .clk_i         (core_clk_i),
      .rst_ni        (rst_ni),
      .irq_o         (mpu_irq),
      .s_axil_awvalid(r_awvalid),
      .s_axil_awready(r_awready),
      .s_axil_awaddr (r_awaddr),
      .s_axil_wvalid (r_wvalid),
      .s_axil_wready (r_wready),
      .s_axil_wdata  (r_wdata),
      .s_axil_wstrb  (r_wstrb),
      .s_axil_bvalid (r_bvalid),
      .s_axil_bready (r_bready),
      .s_axil_bresp  (r_bresp),
      .s_axil_arvalid(r_arvalid),
      .s_axil_arready(r_arready),
      .s_axil_araddr (r_araddr),
      .s_axil_rvalid (r_rvalid),
      .s_axil_rready (r_rready),
      .s_axil_rdata  (r_rdata),
      .s_axil_rresp  (r_rresp),
      .s_axi_awvalid (o_awvalid),
      .s_axi_awready (o_awready),
      .s_axi_awid    ('0),
      .s_axi_awaddr  (o_awaddr),
      .s_axi_awlen   (OneBeat),
      .s_axi_awsize  (WholeBus),
      .s_axi_awburst (Increment),
      .s_axi_wvalid  (o_wvalid),
      .s_axi_wready  (o_wready),
      .s_axi_wdata   (o_wdata),
      .s_axi_wstrb   (o_wstrb),
      .s_axi_wlast   (1'b1),
      .s_axi_bvalid  (o_bvalid),
      .s_axi_bready  (o_bready),
      .s_axi_bid     (),
      .s_axi_bresp   (o_bresp),
      .s_axi_arvalid (o_arvalid),
      .s_axi_arready (o_arready),
      .s_axi_arid    ('0),
      .s_axi_araddr  (o_araddr),
      .s_axi_arlen   (OneBeat),
      .s_axi_arsize  (WholeBus),
      .s_axi_arburst (Increment),
      .s_axi_rvalid  (o_rvalid),
      .s_axi_rready  (o_rready),
      .s_axi_rid     (),
      .s_axi_rdata   (o_rdata),
      .s_axi_rresp   (o_rresp),
      .s_axi_rlast   (),
      .m_axi_awid    (d_awid),
      .m_axi_awaddr  (d_awaddr),
      .m_axi_awlen   (d_awlen),
      .m_axi_awsize  (d_awsize),
      .m_axi_awburst (d_awburst),
      .m_axi_awvalid (d_awvalid),
      .m_axi_awready (d_awready),
      .m_axi_wdata   (d_wdata),
      .m_axi_wstrb   (d_wstrb),
      .m_axi_wlast   (d_wlast),
      .m_axi_wvalid  (d_wvalid),
      .m_axi_wready  (d_wready),
      .m_axi_bid     (d_bid),
      .m_axi_bresp   (d_bresp),
      .m_axi_bvalid  (d_bvalid),
      .m_axi_bready  (d_bready),
      .m_axi_arid    (d_arid),
      .m_axi_araddr  (d_araddr),
      .m_axi_arlen   (d_arlen),
      .m_axi_arsize  (d_arsize),
      .m_axi_arburst (d_arburst),
      .m_axi_arvalid (d_arvalid),
      .m_axi_arready (d_arready),
      .m_axi_rid     (d_rid),
      .m_axi_rdata   (d_rdata),
      .m_axi_rresp   (d_rresp),
      .m_axi_rlast   (d_rlast),
      .m_axi_rvalid  (d_rvalid),
      .m_axi_rready  (d_rready)
  );

  always_comb begin
    unique case (1'b1)
      is_ram: {mem_ready, mem_rdata} = {mem_valid, ram_rdata};
      is_system: {mem_ready, mem_rdata} = {mem_valid && system_ready, system_rdata};
      is_registers: {mem_ready, mem_rdata} = {mem_valid && registers_ready, registers_rdata};
      is_operands: {mem_ready, mem_rdata} = {mem_valid && operands_ready, operands_rdata};
      default: {mem_ready, mem_rdata} = {mem_valid, 32'd0};
    endcase
  end

  // The processor says which reads fetch instructions, the core which kind its bursts are; nothing
  // here depends on it.
  logic unused;
  assign unused = ^{mem_instr, mem_addr[1:0], la_addr[1:0], d_awsize, d_awburst, d_wlast, d_arsize,
      d_arburst};

endmodule
