// SPDX-License-Identifier: Apache-2.0
//
// Radiona ULX3S with an LFE5U-85F: a core on the FTDI serial line. pm_pll comes from ecppll.
// Lights, from D0 on: PLL locked, driver has opened the core, jobs in the core, damaged frame.
module ulx3s_85f #(
    parameter int unsigned Divider = 20,  // clock cycles of a bit on the line
    parameter logic [1023:0] Identity = '0  // docs/boards.md
) (
    input  logic       clk_25mhz,   // oscillator
    input  logic       btn_fire1,   // active high: reset
    input  logic       ftdi_txd,    // line from the FTDI chip
    output logic       ftdi_rxd,    // line to the FTDI chip
    output logic       wifi_gpio0,  // high keeps the ESP32 from reconfiguring the FPGA
    output logic [7:0] led          // active high
);

  logic clk, locked;

  pm_pll u_pll (
      .clkin_i(clk_25mhz),
      .clk_o  (clk),
      .locked
  );

  pm_board_system #(
      .Divider (Divider),
      .Identity(Identity)
  ) u_system (
      .clk_i (clk),
      .rst_ni(locked && !btn_fire1),
      .rx_i  (ftdi_txd),
      .tx_o  (ftdi_rxd),
      .open_o(led[1]),
      .busy_o(led[2]),
      .bad_o (led[3])
  );

  assign led[0] = locked;
  assign led[7:4] = '0;
  assign wifi_gpio0 = 1'b1;

endmodule
