// SPDX-License-Identifier: Apache-2.0
//
// Takes the escapes of SLIP (RFC 1055) out of a stream of bytes.
//
// Latency:  one cycle.
// Errors:   bad_o is set at the end of a frame in which the receiver of the line reported an error
//           or an escape is none.
// Reset:    asynchronous, active low: between two frames.
module pm_slip_rx
  import pm_uart_pkg::*;
(
    input  logic       clk_i,    // clock
    input  logic       rst_ni,   // asynchronous reset, active low
    input  logic       valid_i,  // pulse: a byte of the line
    input  logic [7:0] data_i,   // the byte
    input  logic       error_i,  // pulse: one was lost
    output logic       valid_o,  // pulse: a byte of the frame
    output logic [7:0] data_o,   // the byte
    output logic       end_o,    // pulse: the frame ends
    output logic       bad_o     // with end_o: it is damaged
);

  logic escape_q, bad_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {escape_q, bad_q} <= '0;
      {valid_o, end_o, bad_o} <= '0;
    end else begin
      valid_o <= 1'b0;
      end_o   <= 1'b0;
      if (error_i) bad_q <= 1'b1;
      if (valid_i) begin
        escape_q <= data_i == SlipEscape && !escape_q;
        if (data_i == SlipEnd) begin
          end_o <= 1'b1;
          bad_o <= bad_q || escape_q;
          bad_q <= 1'b0;
          escape_q <= 1'b0;
        end else if (escape_q) begin
          valid_o <= 1'b1;
          if (data_i != SlipEscapedEnd && data_i != SlipEscapedEscape) bad_q <= 1'b1;
        end else begin
          valid_o <= data_i != SlipEscape;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      data_o <= data_i;
      if (escape_q) data_o <= data_i == SlipEscapedEnd ? SlipEnd : SlipEscape;
    end
  end

endmodule
