// SPDX-License-Identifier: Apache-2.0
//
// Serial transmitter: 8 data bits, lowest first, no parity, one stop bit.
//
// Latency:  the start bit begins in the cycle after a byte is taken; bytes may follow each other
//           without a pause. The line is a register.
// Reset:    asynchronous, active low: the line is idle.
module pm_uart_tx #(
    parameter int unsigned Divider = 20  // clock cycles of a bit, at least 2
) (
    input  logic       clk_i,    // clock
    input  logic       rst_ni,   // asynchronous reset, active low
    input  logic       valid_i,  // a byte is offered
    output logic       ready_o,  // it is taken
    input  logic [7:0] data_i,   // the byte
    output logic       tx_o      // the line
);

  localparam int unsigned CountBits = $clog2(Divider);

  if (Divider < 2) begin : gen_bad_divider
    $fatal(1, "pm_uart_tx: Divider must be at least 2");
  end

  logic [9:0] shift_q;  // what is left to send, the line in bit 0; then ones
  logic [3:0] bits_q;  // bits left, the present one included
  logic [CountBits-1:0] count_q;
  logic bit_ends;

  assign bit_ends = count_q == CountBits'(Divider - 1);
  assign ready_o = bits_q == '0 || (bits_q == 4'd1 && bit_ends);
  assign tx_o = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '1;
      bits_q  <= '0;
      count_q <= '0;
    end else if (valid_i && ready_o) begin
      shift_q <= {1'b1, data_i, 1'b0};
      bits_q  <= 4'd10;
      count_q <= '0;
    end else if (bits_q != '0) begin
      count_q <= bit_ends ? '0 : count_q + CountBits'(1);
      if (bit_ends) begin
        shift_q <= {1'b1, shift_q[9:1]};
        bits_q  <= bits_q - 4'd1;
      end
    end
  end

endmodule
