// SPDX-License-Identifier: Apache-2.0
//
// Serial receiver: 8 data bits, lowest first, no parity, one stop bit.
//
// The line passes two registers, since its edges come at any time. Each bit is the majority of
// three samples, a quarter of a bit apart around its middle, so that a shorter pulse changes
// nothing.
// Range:    the sender's rate may differ by 3 %, with a Divider below 8 by 1 %, without any pause.
// Latency:  a byte is given out in the middle of its stop bit.
// Errors:   a byte without stop bit is reported instead of given out; the receiver then waits for
//           the idle line.
// Reset:    asynchronous, active low.
module pm_uart_rx #(
    parameter int unsigned Divider = 20  // clock cycles of a bit, at least 4
) (
    input  logic       clk_i,    // clock
    input  logic       rst_ni,   // asynchronous reset, active low
    input  logic       rx_i,     // the line, asynchronous
    output logic       valid_o,  // pulse: a byte
    output logic [7:0] data_o,   // the byte
    output logic       error_o   // pulse: a byte without stop bit
);

  localparam int unsigned CountBits = $clog2(Divider);
  localparam int unsigned Middle = Divider / 2;
  localparam int unsigned Quarter = Divider / 4;
  localparam logic [3:0] StopBit = 4'd9;

  if (Divider < 4) begin : gen_bad_divider
    $fatal(1, "pm_uart_rx: Divider must be at least 4");
  end

  typedef enum logic [1:0] {
    StIdle,
    StBits,
    StBreak
  } state_e;

  state_e state_q;
  logic [1:0] sync_q;  // synchroniser
  logic line, early_q, middle_q, vote;
  logic [CountBits-1:0] count_q;
  logic [3:0] bit_q;  // 0: start bit

  assign line = sync_q[1];
  assign vote = (early_q && middle_q) || (early_q && line) || (middle_q && line);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '1;
    else sync_q <= {sync_q[0], rx_i};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StBreak;
      valid_o <= 1'b0;
      error_o <= 1'b0;
      count_q <= '0;
      bit_q   <= '0;
    end else begin
      valid_o <= 1'b0;
      error_o <= 1'b0;
      unique case (state_q)
        StIdle: begin
          count_q <= CountBits'(1);
          bit_q   <= '0;
          if (!line) state_q <= StBits;
        end
        StBits: begin
          count_q <= count_q == CountBits'(Divider - 1) ? '0 : count_q + CountBits'(1);
          if (count_q == CountBits'(Divider - 1)) bit_q <= bit_q + 4'd1;
          if (count_q == CountBits'(Middle + Quarter)) begin
            if (bit_q == '0 && vote) state_q <= StIdle;  // a disturbance, no start bit
          end
          // The stop bit is left in its middle, so that the next start bit may come early.
          if (bit_q == StopBit && count_q == CountBits'(Middle)) begin
            valid_o <= line;
            error_o <= !line;
            state_q <= line ? StIdle : StBreak;
          end
        end
        default: if (line) state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (count_q == CountBits'(Middle - Quarter)) early_q <= line;
    if (count_q == CountBits'(Middle)) middle_q <= line;
    if (state_q == StBits && count_q == CountBits'(Middle + Quarter) && bit_q != StopBit) begin
      data_o <= {vote, data_o[7:1]};
    end
  end

endmodule
