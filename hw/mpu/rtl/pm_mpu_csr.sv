// SPDX-License-Identifier: Apache-2.0
//
// Registers of the multi-precision core behind an AXI4-Lite port (map: hw/mpu/regs.rdl,
// docs/registers-mpu.md).
//
// Errors:   SLVERR and no effect for an address without register, a write to a read-only register,
//           and a write to COMMAND, INFINITY, SCALAR or what starts a DMA transfer while busy_i is
//           high (busy_i is looked at in the cycle in which the write is executed). Every access
//           completes, whatever the core does.
// Timing:   see pm_register_port. soft_reset_o pulses in the cycle after the write was executed, in
//           which the command's fields are there, start_o and dma_start_o in the second one. An
//           event in cycle c shows in its register, and at irq_o, in cycle c + 1.
// Reset:    asynchronous, active low. A soft reset clears the infinity flags alone.
module pm_mpu_csr
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
#(
    parameter int unsigned DmaAddrBits = 64  // bits of a system address; 0: no transfers
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // AXI4-Lite, 32-bit data, 8-bit byte address
    input logic s_axil_awvalid,
    output logic s_axil_awready,
    input logic [7:0] s_axil_awaddr,
    input logic s_axil_wvalid,
    output logic s_axil_wready,
    input logic [31:0] s_axil_wdata,
    input logic [3:0] s_axil_wstrb,
    output logic s_axil_bvalid,
    input logic s_axil_bready,
    output logic [1:0] s_axil_bresp,
    input logic s_axil_arvalid,
    output logic s_axil_arready,
    input logic [7:0] s_axil_araddr,
    output logic s_axil_rvalid,
    input logic s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [1:0] s_axil_rresp,
    output logic irq_o,  // level: an enabled interrupt is pending
    // core
    output logic start_o,  // pulse: begin the operation
    output logic begins_o,  // start_o or dma_start_o in one of the next two cycles
    output command_t command_o,  // it
    output logic [9:0] scalar_bits_o,  // bits of a scalar
    output logic dma_start_o,  // pulse: begin the transfer
    output logic dma_store_o,  // its fields
    output logic [63:0] dma_addr_o,
    output logic [3:0] dma_entry_o,
    output logic [4:0] dma_count_o,
    output logic soft_reset_o,  // pulse: abandon everything
    input logic busy_i,  // level: an operation, a transfer, or clearing
    input logic done_i,  // level: one has ended since the last start
    input logic modulus_i,  // level: a modulus is loaded
    input logic curve_i,  // level: a curve is loaded
    input logic [7:0] reason_i,  // reason of the latest one
    input logic [31:0] cycles_i,  // its cycles
    input logic [9:0] bits_i,  // of the modulus
    input logic [4:0] digits_i,
    output logic [Buffers-1:0] infinity_o,  // infinity flags
    input logic [Buffers-1:0] infinity_we_i,  // set these to infinity_i
    input logic infinity_i,
    input logic ended_i,  // pulse: an operation has ended
    input logic dma_ended_i,  // pulse: a transfer has ended
    input logic missed_i,  // pulse: an access to the memory was refused because of busy_i
    input logic reset_done_i  // pulse: a soft reset has finished
);

  // Bit i: the register at address 4 i; COMMAND, INFINITY, SCALAR, and the three up to DMA.
  localparam logic [63:0] Guarded = 64'd1 << 5 | 64'd1 << 8 | 64'd1 << 11 | 64'd7 << 12;

  // ---- bus ----
  logic req, req_is_wr, rd_err, wr_err, refused;
  logic [7:0] addr;
  logic [31:0] wr_data, wr_biten, rd_data;

  pm_register_port #(
      .Guarded(Guarded)
  ) u_port (
      .clk_i,
      .rst_ni,
      .busy_i,
      .refused_o(refused),
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
      .cpuif_req_o(req),
      .cpuif_req_is_wr_o(req_is_wr),
      .cpuif_addr_o(addr),
      .cpuif_wr_data_o(wr_data),
      .cpuif_wr_biten_o(wr_biten),
      .cpuif_rd_data_i(rd_data),
      .cpuif_rd_err_i(rd_err),
      .cpuif_wr_err_i(wr_err)
  );

  // ---- registers ----
  pm_mpu_regs_pkg::pm_mpu_regs__in_t hw_in;
  pm_mpu_regs_pkg::pm_mpu_regs__out_t hw_out;
  logic [3:0] unused_block;
  logic command_q, transfer_q;  // begins in the next cycle

  pm_mpu_regs u_block (
      .clk(clk_i),
      .arst_n(rst_ni),
      .s_cpuif_req(req),
      .s_cpuif_req_is_wr(req_is_wr),
      .s_cpuif_addr(addr),
      .s_cpuif_wr_data(wr_data),
      .s_cpuif_wr_biten(wr_biten),
      .s_cpuif_req_stall_wr(unused_block[0]),
      .s_cpuif_req_stall_rd(unused_block[1]),
      .s_cpuif_rd_ack(unused_block[2]),
      .s_cpuif_rd_err(rd_err),
      .s_cpuif_rd_data(rd_data),
      .s_cpuif_wr_ack(unused_block[3]),
      .s_cpuif_wr_err(wr_err),
      .hwif_in(hw_in),
      .hwif_out(hw_out)
  );

  assign soft_reset_o = hw_out.CTRL.soft_reset.value;
  assign irq_o = (hw_out.IRQ_STATUS.done.value && hw_out.IRQ_ENABLE.done.value) ||
      (hw_out.IRQ_STATUS.missed.value && hw_out.IRQ_ENABLE.missed.value) ||
      (hw_out.IRQ_STATUS.reset_done.value && hw_out.IRQ_ENABLE.reset_done.value) ||
      (hw_out.IRQ_STATUS.dma_done.value && hw_out.IRQ_ENABLE.dma_done.value);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {command_q, transfer_q} <= '0;
      {start_o, dma_start_o}  <= '0;
    end else begin
      {command_q, transfer_q} <= {hw_out.COMMAND.op.swmod, hw_out.DMA.entry.swmod};
      {start_o, dma_start_o}  <= {command_q, transfer_q};
    end
  end

  assign begins_o = hw_out.COMMAND.op.swmod || hw_out.DMA.entry.swmod || command_q || transfer_q;
  assign command_o.op = hw_out.COMMAND.op.value;
  assign command_o.at.src1 = hw_out.COMMAND.src1.value;
  assign command_o.at.src2 = hw_out.COMMAND.src2.value;
  assign command_o.at.dst1 = hw_out.COMMAND.dst1.value;
  assign command_o.at.dst2 = hw_out.COMMAND.dst2.value;
  assign command_o.secret = hw_out.COMMAND.secret.value;
  assign scalar_bits_o = hw_out.SCALAR.bits.value;
  assign dma_store_o = hw_out.DMA.store.value;
  assign dma_addr_o = {hw_out.DMA_ADDRESS_HIGH.value.value, hw_out.DMA_ADDRESS.value.value};
  assign dma_entry_o = hw_out.DMA.entry.value;
  assign dma_count_o = hw_out.DMA.count.value;
  assign infinity_o = hw_out.INFINITY.flags.value;

  // ---- what the registers show ----
  assign hw_in.CONFIG.width.next = 16'(NumberBits);
  assign hw_in.CONFIG.entries.next = 8'(Entries);
  assign hw_in.CONFIG.digit.next = 8'd32;
  assign hw_in.STATUS.busy.next = busy_i;
  assign hw_in.STATUS.done.next = done_i;
  assign hw_in.STATUS.modulus.next = modulus_i;
  assign hw_in.STATUS.curve.next = curve_i;
  assign hw_in.STATUS.reason.next = reason_i;
  assign hw_in.IRQ_STATUS.done.hwset = ended_i;
  assign hw_in.IRQ_STATUS.missed.hwset = missed_i || refused;
  assign hw_in.IRQ_STATUS.reset_done.hwset = reset_done_i;
  assign hw_in.IRQ_STATUS.dma_done.hwset = dma_ended_i;
  assign hw_in.DMA_ADDRESS_HIGH.value.hwclr = hw_out.DMA_ADDRESS.value.swmod;
  assign hw_in.INFINITY.flags.we = infinity_we_i != '0 || soft_reset_o;
  assign hw_in.INFINITY.flags.next = soft_reset_o ? '0 :
      infinity_i ? infinity_o | infinity_we_i : infinity_o & ~infinity_we_i;
  assign hw_in.CYCLES.value.next = cycles_i;
  assign hw_in.MODULUS.bits.next = bits_i;
  assign hw_in.MODULUS.digits.next = digits_i;
  assign hw_in.DMA_CONFIG.address_bits.next = 7'(DmaAddrBits);

endmodule
