// SPDX-License-Identifier: Apache-2.0
//
// Moves a number from one place of skewed data to another: bit i comes InSegment-skewed as bit
// i of a number of InW bits, and leaves as bit i + OutShift of a number of OutW bits skewed by
// OutSegment, whose segment 0 is Lead cycles after that of the input. A segment length of 0 means
// not skewed.
//
// Latency:   as said, per bit; Lead + (segment at the output) - (segment at the input) cycles with
//            en_i = 1. A negative one is rejected.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_reskew #(
    parameter int unsigned W = 64,  // bits moved
    parameter int unsigned InW = W,  // bits of the number they come from
    parameter int unsigned InSegment = 0,  // its segments
    parameter int unsigned OutW = W,  // bits of the number they go to
    parameter int unsigned OutSegment = 0,  // its segments
    parameter int unsigned OutShift = 0,  // place of bit 0 in it
    parameter int Lead = 0  // cycles from segment 0 to segment 0
) (
    // Neither is used where nothing is delayed.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic         clk_i,
    input  logic         en_i,   // clock enable of all registers
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [W-1:0] d_i,    // bits as they come
    output logic [W-1:0] d_o     // bits as they leave
);

  localparam int unsigned Ins = pm_field_pkg::segments(InW, InSegment);
  localparam int unsigned Outs = pm_field_pkg::segments(OutW, OutSegment);

  for (genvar i = 0; i < Ins; i++) begin : gen_in
    for (genvar o = 0; o < Outs; o++) begin : gen_out
      // Bits from From to To - 1 belong to this pair of segments.
      localparam int InFrom = i * int'(InSegment);
      localparam int OutFrom = o * int'(OutSegment) - int'(OutShift);
      localparam int InTo = i == Ins - 1 ? int'(W) : InFrom + int'(InSegment);
      localparam int OutTo = o == Outs - 1 ? int'(W) : OutFrom + int'(OutSegment);
      localparam int LowFrom = InFrom > OutFrom ? InFrom : OutFrom;
      localparam int HighTo = InTo < OutTo ? InTo : OutTo;
      localparam int From = LowFrom > 0 ? LowFrom : 0;
      localparam int To = HighTo < int'(W) ? HighTo : int'(W);
      localparam int Delay = Lead + o - i;

      if (To > From) begin : gen_bits
        if (Delay < 0) begin : gen_bad_delay
          $fatal(1, "pm_reskew: bits would have to leave before they come");
        end else if (Delay == 0) begin : gen_wire
          assign d_o[To-1:From] = d_i[To-1:From];
        end else begin : gen_line
          logic [Delay-1:0][To-From-1:0] line_q;
          always_ff @(posedge clk_i)
            if (en_i)
              line_q <= (Delay * (To - From))'({line_q, d_i[To-1:From]});
          assign d_o[To-1:From] = line_q[Delay-1];
        end
      end
    end
  end

endmodule
