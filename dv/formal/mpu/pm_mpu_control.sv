// SPDX-License-Identifier: Apache-2.0
//
// Claim: with pm_mpu_csr before it as in `mpu`, whatever the bus does, every write that starts an
//        operation or a transfer has one start, while nothing else works, and one end: that of the
//        engine or of the transfer, or that of a soft reset. Reason, cycles, STATUS.done and the
//        bits of IRQ_STATUS are those of what ended, until the next one. Writes that busy rejects
//        start nothing. Behind a soft reset all entries are zeroed, and its end is told when they
//        are and no burst is open.
//
// Accesses are those that pm_axil_slave, which is proved alone, hands to the registers.

module pm_mpu_control_formal
  import pm_mpu_pkg::*;
  import pm_mpu_types_pkg::*;
(
    input logic               clk_i,
    input logic               rst_ni,
    input logic               s_axil_awvalid,
    input logic        [ 7:0] s_axil_awaddr,
    input logic               s_axil_wvalid,
    input logic        [31:0] s_axil_wdata,
    input logic        [ 3:0] s_axil_wstrb,
    input logic               s_axil_bready,
    input logic               s_axil_arvalid,
    input logic        [ 7:0] s_axil_araddr,
    input logic               s_axil_rready,
    input logic               finish_i,
    input mpu_reason_e        engine_reason_i,
    input logic               dma_busy_i,
    input logic               dma_finish_i,
    input logic               dma_illegal_i,
    input logic               dma_error_i,
    input logic               missed_i
);

  logic awready, wready, bvalid, arready, rvalid, irq;
  logic [1:0] bresp, rresp;
  logic [31:0] rdata;
  logic start, begins, dma_start, dma_store, soft_reset;
  command_t command;
  logic [9:0] scalar_bits;
  logic [63:0] dma_addr;
  logic [3:0] dma_entry, clear_entry;
  logic [4:0] dma_count;
  logic [Buffers-1:0] infinity;
  logic busy, done, ended, dma_ended, reset_done, working, clear;
  mpu_reason_e reason;
  logic [31:0] cycles;

  pm_mpu_csr u_csr (
      .clk_i,
      .rst_ni,
      .s_axil_awvalid,
      .s_axil_awready(awready),
      .s_axil_awaddr,
      .s_axil_wvalid,
      .s_axil_wready(wready),
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bvalid(bvalid),
      .s_axil_bready,
      .s_axil_bresp(bresp),
      .s_axil_arvalid,
      .s_axil_arready(arready),
      .s_axil_araddr,
      .s_axil_rvalid(rvalid),
      .s_axil_rready,
      .s_axil_rdata(rdata),
      .s_axil_rresp(rresp),
      .irq_o(irq),
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
      .modulus_i(1'b0),
      .curve_i(1'b0),
      .reason_i(reason),
      .cycles_i(cycles),
      .bits_i('0),
      .digits_i('0),
      .infinity_o(infinity),
      .infinity_we_i('0),
      .infinity_i(1'b0),
      .ended_i(ended),
      .dma_ended_i(dma_ended),
      .missed_i,
      .reset_done_i(reset_done)
  );

  pm_mpu_control u_dut (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .dma_start_i(dma_start),
      .begins_i(begins),
      .soft_reset_i(soft_reset),
      .busy_o(busy),
      .done_o(done),
      .reason_o(reason),
      .cycles_o(cycles),
      .ended_o(ended),
      .dma_ended_o(dma_ended),
      .reset_done_o(reset_done),
      .working_o(working),
      .finish_i,
      .reason_i(engine_reason_i),
      .dma_busy_i,
      .dma_finish_i,
      .dma_illegal_i,
      .dma_error_i,
      .clear_o(clear),
      .clear_entry_o(clear_entry)
  );

  // ---- accesses: the map, written again ----
  localparam logic [7:0] Ctrl = 8'h0c;
  localparam logic [7:0] Command = 8'h14;
  localparam logic [7:0] IrqStatus = 8'h1c;
  localparam logic [7:0] Dma = 8'h38;

  logic access, write, ask_op, ask_dma, rejected;
  logic [ 7:0] addr;
  logic [31:0] data;
  logic [ 3:0] strb;

  assign access = u_csr.u_port.u_axil.req_o && u_csr.u_port.u_axil.req_write_o;
  assign addr = u_csr.u_port.u_axil.req_addr_o;
  assign data = u_csr.u_port.u_axil.req_wdata_o;
  assign strb = u_csr.u_port.u_axil.req_wstrb_o;
  // What starts an operation or a transfer, and what must not be written meanwhile.
  assign rejected = access && busy && (addr inside {Command, 8'h20, 8'h2c, 8'h30, 8'h34, Dma});
  assign write = access && !rejected;
  assign ask_op = write && addr == Command && strb[0];
  assign ask_dma = write && addr == Dma && strb[0];

  // ---- what is under way ----
  typedef enum logic [1:0] {
    Nothing,
    Asked,    // written, not begun
    Begun,    // begun, not ended
    Clearing
  } phase_e;

  phase_e phase_q, phase;
  logic transfer_q;  // a transfer, not an operation
  logic asked_q, asked_2q, end_now, reset_q;
  logic [4:0] age_q;  // cycles of clearing, at most 16
  logic [Entries-1:0] zero_q, zero;  // entries that were zeroed
  logic done_q, rejected_q;
  logic [31:0] count_q;
  logic [3:0] events_q, enable, status;
  mpu_reason_e last_q;

  assign phase = (start || dma_start) && phase_q == Asked ? Begun : phase_q;
  assign end_now = phase == Begun && (soft_reset || (transfer_q ? dma_finish_i : finish_i));
  assign zero = zero_q | (clear ? Entries'(1) << clear_entry : '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= Nothing;
      {transfer_q, asked_q, asked_2q, reset_q, done_q, rejected_q} <= '0;
      {events_q, count_q, zero_q, age_q} <= '0;
      last_q <= ReasonOk;
    end else begin
      rejected_q <= rejected;
      asked_q <= ask_op || ask_dma;
      asked_2q <= asked_q;
      reset_q <= access && addr == Ctrl && strb[0] && data[0];
      if (ask_op || ask_dma) begin
        phase_q <= Asked;
        transfer_q <= ask_dma;
      end else if (soft_reset) phase_q <= Clearing;
      else if (end_now || (phase == Clearing && reset_done)) phase_q <= Nothing;
      else phase_q <= phase;
      if (soft_reset) begin
        zero_q <= '0;
        age_q  <= '0;
      end else begin
        zero_q <= zero;
        if (age_q != 5'd16) age_q <= age_q + 5'd1;
      end
      done_q <= end_now || (done_q && !(ask_op || ask_dma));
      if (start || dma_start) count_q <= 32'd1;
      else if (phase_q == Begun) count_q <= count_q + 32'd1;
      if (end_now) begin
        last_q <= soft_reset ? ReasonAborted : !transfer_q ? engine_reason_i :
            dma_illegal_i ? ReasonIllegalCommand : dma_error_i ? ReasonBusError : ReasonOk;
      end
      events_q <= (events_q & ~(write && addr == IrqStatus && strb[0] ? data[3:0] : 4'd0)) |
          {end_now && transfer_q, reset_done, missed_i || rejected, end_now && !transfer_q};
    end
  end

  assign enable = {
    u_csr.hw_out.IRQ_ENABLE.dma_done.value,
    u_csr.hw_out.IRQ_ENABLE.reset_done.value,
    u_csr.hw_out.IRQ_ENABLE.missed.value,
    u_csr.hw_out.IRQ_ENABLE.done.value
  };
  assign status = {
    u_csr.hw_out.IRQ_STATUS.dma_done.value,
    u_csr.hw_out.IRQ_STATUS.reset_done.value,
    u_csr.hw_out.IRQ_STATUS.missed.value,
    u_csr.hw_out.IRQ_STATUS.done.value
  };

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    a_finish : assume (!finish_i || (phase == Begun && !transfer_q));
    a_dma_finish : assume (!dma_finish_i || (phase == Begun && transfer_q));

    if (rst_ni) begin
      // One start for each write, while nothing works.
      p_start : assert ((start || dma_start) == asked_2q && !(start && dma_start));
      p_kind : assert (!(start || dma_start) || dma_start == transfer_q);
      p_alone : assert (!(ask_op || ask_dma) || (phase == Nothing && !soft_reset));
      p_refused : assert (!rejected_q || (bvalid && bresp == 2'b10));
      // One end for each start, with its reason and cycles.
      p_ended : assert (ended == (end_now && !transfer_q));
      p_dma_ended : assert (dma_ended == (end_now && transfer_q));
      p_reason : assert (reason == last_q);
      p_cycles : assert (cycles == count_q);
      p_done : assert (done == done_q);
      p_busy : assert (busy == (phase_q != Nothing));
      p_working : assert (working == (phase_q == Begun));
      // Soft resets.
      p_reset : assert (soft_reset == reset_q);
      p_clear : assert (clear == (phase_q == Clearing));
      p_over : assert (reset_done == (phase_q == Clearing && age_q >= 5'd15 && !dma_busy_i));
      p_zeroed : assert (!reset_done || zero == '1);
      // Events stay until they are cleared.
      p_events : assert (status == events_q);
      p_interrupt : assert (irq == ((events_q & enable) != '0));
      // For the induction step.
      i_kind : assert (phase_q != Begun || u_dut.dma_q == transfer_q);
      i_age : assert (age_q <= 5'd16);
      i_entry : assert (!clear || clear_entry == (age_q[4] ? 4'd15 : age_q[3:0]));
      i_zeroed :
      assert (!clear || zero_q == (age_q[4] ? '1 : (Entries'(1) << age_q[3:0]) - Entries'(1)));
    end
  end

endmodule
