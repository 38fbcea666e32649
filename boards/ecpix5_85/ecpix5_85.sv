// SPDX-License-Identifier: Apache-2.0
//
// LambdaConcept ECPIX-5 with an LFE5UM5G-85F: a core on the serial line of its FTDI chip. pm_pll
// comes from ecppll. Green lights, active low: PLL locked, driver has opened the core, jobs in the
// core; the red one of the fourth: damaged frame.
module ecpix5_85 #(
    parameter int unsigned Divider = 20,  // clock cycles of a bit on the line
    parameter logic [1023:0] Identity = '0  // docs/boards.md
) (
    input  logic       clk100,    // oscillator
    input  logic       gsrn,      // active low: reset
    input  logic       uart_rx,   // line from the FTDI chip
    output logic       uart_tx,   // line to the FTDI chip
    output logic [2:0] led_n,
    output logic       led_red_n
);

  logic clk, locked, open, busy, bad;

  pm_pll u_pll (
      .clkin_i(clk100),
      .clk_o  (clk),
      .locked
  );

  pm_board_system #(
      .Divider (Divider),
      .Identity(Identity)
  ) u_system (
      .clk_i (clk),
      .rst_ni(locked && gsrn),
      .rx_i  (uart_rx),
      .tx_o  (uart_tx),
      .open_o(open),
      .busy_o(busy),
      .bad_o (bad)
  );

  assign led_n = ~{busy, open, locked};
  assign led_red_n = !bad;

endmodule
