// SPDX-License-Identifier: Apache-2.0
//
// Serial transmitter: 8 data bits, no parity, 1 stop bit, lowest bit first.
//
// Timing:   a byte is taken in a cycle with valid_i and ready_o, and its start bit begins in the
//           next one; ready_o is high again 10 * BitCycles cycles after that.
// Reset:    asynchronous, active low: the line is idle (1), a byte under way is lost.
module pm_soc_uart #(
    parameter int unsigned BitCycles = 4  // clock cycles of a bit, at least 2
) (
    input  logic       clk_i,    // clock
    input  logic       rst_ni,   // asynchronous reset, active low
    input  logic       valid_i,  // a byte is offered
    output logic       ready_o,  // no byte is under way
    input  logic [7:0] data_i,   // the byte
    output logic       tx_o      // the line
);

  if (BitCycles < 2) begin : gen_refused
    $error("pm_soc_uart: a bit takes at least 2 cycles");
  end

  localparam int unsigned DivWidth = $clog2(BitCycles);
  localparam logic [DivWidth-1:0] DivLast = DivWidth'(BitCycles - 1);

  logic [9:0] shift_q;  // stop bit, data, start bit
  logic [3:0] left_q;  // bits that are not over
  logic [DivWidth-1:0] div_q;

  assign ready_o = left_q == 4'd0;
  assign tx_o = shift_q[0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shift_q <= '1;
      left_q  <= 4'd0;
      div_q   <= '0;
    end else if (ready_o) begin
      if (valid_i) begin
        shift_q <= {1'b1, data_i, 1'b0};
        left_q  <= 4'd10;
        div_q   <= '0;
      end
    end else if (div_q == DivLast) begin
      shift_q <= {1'b1, shift_q[9:1]};
      left_q  <= left_q - 4'd1;
      div_q   <= '0;
    end else begin
      div_q <= div_q + 1'b1;
    end
  end

endmodule
