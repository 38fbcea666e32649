// SPDX-License-Identifier: Apache-2.0
//
// Sends the result of a multi-curve job as an AXI4-Stream packet of 64-bit beats.
//
// Packet:   beat 0 {tag [63:32], zero [31:16], opcode [15:8], reason [7:0]},
//           beat 1 {zero [63:34], all_zero [33], infinity [32], cycles [31:0]}, then the payload,
//           nine beats a number, lowest first; TLAST on the last beat; TKEEP all ones. With another
//           reason than ok there is no payload, and both flags are 0, whatever the inputs say; of
//           infinity it is 0.
// Timing:   a result offered in cycle c is on the stream from c + 1 on, a beat a cycle.
// Handshake: the inputs hold from result_valid_i until result_ready_o, which comes with the last
//           beat of the packet (in the cycle before that beat is offered) and does not depend on
//           result_valid_i. A packet that has begun always ends: there is no way to abandon it but
//           reset. Beats hold under back-pressure. Between beats result_valid_i may fall for a
//           while; of payload_i only what the next beat has is looked at.
// Reset:    asynchronous, active low: nothing held.
// Time depends on the reason and the number of payload numbers alone.
module pm_multicurve_tx
  import pm_multicurve_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // result
    input logic result_valid_i,  // a result is offered
    output logic result_ready_o,  // it is taken
    input logic [31:0] tag_i,  // tag of the job
    input logic [7:0] op_i,  // opcode of the job, as received
    input mc_reason_e reason_i,  // verdict
    input logic infinity_i,  // the result is the point at infinity
    input logic all_zero_i,  // the payload is zero
    input logic [31:0] cycles_i,  // clock cycles of the job
    input logic [1:0] numbers_i,  // numbers of payload
    input logic [MaxPayload-1:0][NumberBits-1:0] payload_i,  // payload, the first at index 0
    // result packets
    output logic m_axis_tvalid,  // a beat is offered
    input logic m_axis_tready,  // it is taken
    output logic [63:0] m_axis_tdata,  // bytes, the first one in bits 7:0
    output logic [7:0] m_axis_tkeep,  // all ones
    output logic m_axis_tlast  // last beat
);

  localparam int unsigned PayloadBeats = MaxPayload * OperandBeats;
  localparam int unsigned MaxBeats = ResultBeats + PayloadBeats;
  localparam int unsigned BeatBits = $clog2(MaxBeats);

  logic [BeatBits-1:0] beat_q, last_beat;
  logic ok, load, last;
  logic [MaxBeats-1:0][63:0] beats;

  assign ok = reason_i == ReasonOk;
  assign last_beat = BeatBits'(ResultBeats - 1) +
      (ok ? BeatBits'(OperandBeats) * BeatBits'(numbers_i) : '0);
  assign last = beat_q == last_beat;

  always_comb begin
    beats = '0;
    beats[0] = {tag_i, 16'd0, op_i, reason_i};
    beats[1] = {30'd0, ok && all_zero_i, ok && infinity_i, cycles_i};
    for (int unsigned i = 0; i < MaxPayload; i++) begin
      beats[ResultBeats+i*OperandBeats+:OperandBeats] = (64 * OperandBeats)'(payload_i[i]);
    end
  end

  assign result_ready_o = (!m_axis_tvalid || m_axis_tready) && last;
  assign load = result_valid_i && (!m_axis_tvalid || m_axis_tready);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axis_tvalid <= 1'b0;
      beat_q <= '0;
    end else begin
      if (load) m_axis_tvalid <= 1'b1;
      else if (m_axis_tready) m_axis_tvalid <= 1'b0;
      if (load) beat_q <= last ? '0 : beat_q + BeatBits'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      m_axis_tdata <= infinity_i && beat_q >= BeatBits'(ResultBeats) ? '0 : beats[beat_q];
      m_axis_tlast <= last;
    end else if (m_axis_tready) begin
      m_axis_tdata <= '0;  // nothing of a result stays
    end
  end

  assign m_axis_tkeep = '1;

endmodule
