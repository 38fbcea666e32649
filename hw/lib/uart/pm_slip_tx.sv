// SPDX-License-Identifier: Apache-2.0
//
// Puts the bytes of frames between the ends of SLIP (RFC 1055), with its escapes. Each frame also
// begins with an end, which closes what a disturbance left before it.
//
// Latency:  ready_o rises one cycle after the last byte that a byte becomes is taken.
// Reset:    asynchronous, active low: between two frames.
module pm_slip_tx
  import pm_uart_pkg::*;
(
    input  logic       clk_i,    // clock
    input  logic       rst_ni,   // asynchronous reset, active low
    // bytes of a frame
    input  logic       valid_i,
    output logic       ready_o,
    input  logic [7:0] data_i,
    input  logic       last_i,   // the last byte of the frame
    // bytes of the line
    output logic       valid_o,
    input  logic       ready_i,
    output logic [7:0] data_o
);

  typedef enum logic [1:0] {
    StBegin,  // between frames; the end comes first
    StByte,  // a byte, or the escape before it
    StEscaped,  // what follows the escape
    StEnd
  } state_e;

  state_e state_q;
  logic special, is_end;

  assign is_end  = data_i == SlipEnd;
  assign special = is_end || data_i == SlipEscape;

  always_comb begin
    valid_o = valid_i;
    ready_o = 1'b0;
    unique case (state_q)
      StBegin: data_o = SlipEnd;
      StByte: begin
        data_o  = special ? SlipEscape : data_i;
        ready_o = ready_i && !special;
      end
      StEscaped: begin
        data_o  = is_end ? SlipEscapedEnd : SlipEscapedEscape;
        ready_o = ready_i;
      end
      default: begin
        data_o  = SlipEnd;
        valid_o = 1'b1;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StBegin;
    else if (valid_o && ready_i) begin
      unique case (state_q)
        StBegin:   state_q <= StByte;
        StByte: begin
          if (special) state_q <= StEscaped;
          else if (last_i) state_q <= StEnd;
        end
        StEscaped: state_q <= last_i ? StEnd : StByte;
        default:   state_q <= StBegin;
      endcase
    end
  end

endmodule
