// SPDX-License-Identifier: Apache-2.0
//
// Simulated system on a chip: PicoRV32 (RV32IM), RAM, and the registers of pm_soc_system.
//
//   0x0000_0000  RAM, RamBytes bytes, no wait state; content from the file of the plus argument +ram=
//   0x1000_0000  pm_soc_system
//   elsewhere    reads give 0; the access counts as an error
//
// The processor starts at address 0.
// Reset:    asynchronous, active low; RAM keeps its content.
module pm_soc #(
    parameter int unsigned RamBytes = 1 << 20  // of the RAM, a power of two
) (
    input  logic       clk_i,     // clock
    input  logic       rst_ni,    // asynchronous reset, active low
    output logic       tx_o,      // line of the serial port
    output logic       halt_o,    // the program ended
    output logic [7:0] status_o,  // with this status
    output logic       trap_o     // the processor stopped: illegal instruction or misaligned access
);

  localparam int unsigned RamWords = RamBytes / 4;
  localparam int unsigned IndexWidth = $clog2(RamWords);
  localparam logic [3:0] RegionRam = 4'h0;
  localparam logic [3:0] RegionSystem = 4'h1;

  logic mem_valid, mem_instr, mem_ready, la_read, la_write;
  logic [31:0] mem_addr, mem_wdata, mem_rdata, la_addr, la_wdata;
  logic [3:0] mem_wstrb, la_wstrb;
  logic is_ram, is_system, is_other, system_ready;
  logic [31:0] ram_rdata_q, system_rdata;

  picorv32 #(
      .BARREL_SHIFTER(1'b1),
      .ENABLE_FAST_MUL(1'b1),
      .ENABLE_DIV(1'b1),
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
      .irq(32'd0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );

  // The RAM is accessed in the cycle before mem_valid, so that it never makes the processor wait.
  logic [31:0] ram[RamWords];
  logic la_ram;
  assign la_ram = la_addr[31:2] < 30'(RamWords);

  initial begin : load_ram
    string file;
    if ($value$plusargs("ram=%s", file)) $readmemh(file, ram);
  end

  always_ff @(posedge clk_i) begin
    if (la_read) ram_rdata_q <= ram[la_addr[IndexWidth+1:2]];
    if (la_write && la_ram) begin
      for (int i = 0; i < 4; i++) begin
        if (la_wstrb[i]) ram[la_addr[IndexWidth+1:2]][8*i+:8] <= la_wdata[8*i+:8];
      end
    end
  end

  assign is_ram = mem_addr[31:28] == RegionRam && mem_addr[31:2] < 30'(RamWords);
  assign is_system = mem_addr[31:28] == RegionSystem;
  assign is_other = !is_ram && !is_system;

  pm_soc_system u_system (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .valid_i (mem_valid && is_system),
      .ready_o (system_ready),
      .addr_i  (mem_addr[5:2]),
      .write_i (mem_wstrb != 4'd0),
      .wdata_i (mem_wdata[7:0]),
      .rdata_o (system_rdata),
      .error_i (mem_valid && is_other),
      .tx_o    (tx_o),
      .halt_o  (halt_o),
      .status_o(status_o)
  );

  assign mem_ready = mem_valid && (!is_system || system_ready);
  assign mem_rdata = is_ram ? ram_rdata_q : is_system ? system_rdata : 32'd0;

  // The processor says which reads fetch instructions; nothing here depends on it.
  logic unused;
  assign unused = ^{mem_instr, mem_addr[1:0], mem_addr[27:6], mem_wdata[31:8], la_addr[1:0]};

endmodule
