// SPDX-License-Identifier: Apache-2.0
//
// Registers of the simulated system: serial port, end of the simulation, cycle timer, and the
// cycles of each phase of a program.
//
//   0x00  UART     write: a byte to send, held back until the port is free; read: 0
//   0x04  HALT     write: ends the simulation with the lowest 8 bits as exit status
//   0x08  HIGH     read: high half of the counter whose low half was read last
//   0x0c  PHASE    phase whose counter runs: 0 compute, 1 bus, 2 wait; 3 none
//   0x10  CYCLES   read: low half of the cycles since reset
//   0x14  COMPUTE  read: low half of the cycles of phase 0; 0x18 BUS, 0x1c WAIT likewise; a write
//                  to any of the three clears them all
//   0x20  ERRORS   accesses that returned an error since the last write
//   0x24  CLOCK    1 after reset; 0: the core has no clock and is not to be accessed
//
// Timing:   an access completes in the cycle in which it is asked, one to UART in the cycle in
//           which the port is free. The cycle of a write to PHASE counts for the phase before.
// Reset:    asynchronous, active low: everything is 0 but CLOCK.
module pm_soc_system #(
    parameter int unsigned BitCycles = 4  // clock cycles of a bit of the serial port
) (
    input  logic        clk_i,    // clock
    input  logic        rst_ni,   // asynchronous reset, active low
    input  logic        valid_i,  // an access is asked
    output logic        ready_o,  // it is answered in this cycle
    input  logic [ 5:2] addr_i,   // register
    input  logic        write_i,  // it is a write
    input  logic [ 7:0] wdata_i,  // data to write, no register has more
    output logic [31:0] rdata_o,  // data read
    input  logic        error_i,  // another access was answered with an error
    output logic        clock_o,  // the core has a clock
    output logic        tick_o,   // high in one cycle of 2^14
    output logic        tx_o,     // line of the serial port
    output logic        halt_o,   // the simulation ends
    output logic [ 7:0] status_o  // with this status
);

  localparam logic [3:0] RegUart = 4'h0;
  localparam logic [3:0] RegHalt = 4'h1;
  localparam logic [3:0] RegHigh = 4'h2;
  localparam logic [3:0] RegPhase = 4'h3;
  localparam logic [3:0] RegCycles = 4'h4;
  localparam logic [3:0] RegCompute = 4'h5;
  localparam logic [3:0] RegBus = 4'h6;
  localparam logic [3:0] RegWait = 4'h7;
  localparam logic [3:0] RegErrors = 4'h8;
  localparam logic [3:0] RegClock = 4'h9;

  // What the program does (firmware/soc.h).
  typedef enum logic [1:0] {
    PhaseCompute = 2'd0,
    PhaseBus     = 2'd1,
    PhaseWait    = 2'd2
  } phase_e;

  logic [63:0] cycles_q, compute_q, bus_q, wait_q, counter;
  logic [31:0] high_q, errors_q;
  logic [1:0] phase_q;
  logic is_uart, is_counter, clear, uart_ready;

  assign is_uart = valid_i && write_i && addr_i == RegUart;
  assign tick_o = cycles_q[13:0] == '1;
  assign clear = valid_i && write_i &&
      (addr_i == RegCompute || addr_i == RegBus || addr_i == RegWait);
  assign ready_o = !is_uart || uart_ready;

  pm_soc_uart #(
      .BitCycles(BitCycles)
  ) u_uart (
      .clk_i  (clk_i),
      .rst_ni (rst_ni),
      .valid_i(is_uart),
      .ready_o(uart_ready),
      .data_i (wdata_i),
      .tx_o   (tx_o)
  );

  always_comb begin
    is_counter = 1'b1;
    unique case (addr_i)
      RegCycles: counter = cycles_q;
      RegCompute: counter = compute_q;
      RegBus: counter = bus_q;
      RegWait: counter = wait_q;
      default: begin
        counter = '0;
        is_counter = 1'b0;
      end
    endcase
    unique case (addr_i)
      RegHigh:   rdata_o = high_q;
      RegPhase:  rdata_o = {30'd0, phase_q};
      RegErrors: rdata_o = errors_q;
      RegClock:  rdata_o = {31'd0, clock_o};
      default:   rdata_o = counter[31:0];
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycles_q <= '0;
      compute_q <= '0;
      bus_q <= '0;
      wait_q <= '0;
      high_q <= '0;
      errors_q <= '0;
      phase_q <= '0;
      clock_o <= 1'b1;
      halt_o <= 1'b0;
      status_o <= '0;
    end else begin
      cycles_q <= cycles_q + 64'd1;
      compute_q <= clear ? '0 : compute_q + 64'(phase_q == PhaseCompute);
      bus_q <= clear ? '0 : bus_q + 64'(phase_q == PhaseBus);
      wait_q <= clear ? '0 : wait_q + 64'(phase_q == PhaseWait);
      if (valid_i && !write_i && is_counter) high_q <= counter[63:32];
      if (valid_i && write_i && addr_i == RegPhase) phase_q <= wdata_i[1:0];
      if (valid_i && write_i && addr_i == RegClock) clock_o <= wdata_i[0];
      if (valid_i && write_i && addr_i == RegErrors) errors_q <= '0;
      else errors_q <= errors_q + 32'(error_i);
      if (valid_i && write_i && addr_i == RegHalt) begin
        halt_o   <= 1'b1;
        status_o <= wdata_i;
      end
    end
  end

endmodule
