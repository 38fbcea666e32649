// SPDX-License-Identifier: Apache-2.0
//
// Sends the result of a job as an AXI4-Stream packet of 64-bit beats.
//
// Packet:   beat 0 {tag [63:32], zero [31:18], all_zero [17], valid [16], rule [15:8], reason
//           [7:0]}, beat 1 {zero [63:32], cycles [31:0]}, then the payload, four beats a word,
//           lowest first; TLAST on the last beat; TKEEP all ones. valid is 1 exactly for reason 0
//           (ok). With any other reason there is no payload and all_zero is 0, whatever the inputs
//           say.
// Timing:   a result offered in cycle c is on the stream from c + 1 on, a beat a cycle; one cycle
//           pauses before each further word of payload. Without payload one result every two
//           cycles.
// Handshake: the inputs hold from result_valid_i until result_ready_o, which comes with the last
//           beat of the packet (in the cycle before that beat is offered) and does not depend on
//           result_valid_i. payload_i belongs to the payload_index_o of the cycle before, as from a
//           synchronous RAM. A packet that has begun always ends: there is no way to abandon it but
//           reset. Beats hold under back-pressure.
// Reset:    asynchronous, active low: nothing held.
// Time depends on the reason and the number of words alone.
module pm_edverify_tx
  import pm_edverify_pkg::*;
(
    input  logic            clk_i,            // clock
    input  logic            rst_ni,           // asynchronous reset, active low
    // result
    input  logic            result_valid_i,   // a result is offered
    output logic            result_ready_o,   // it is taken
    input  logic    [ 31:0] tag_i,            // tag of the job
    input  logic    [  7:0] rule_i,           // rule set of the job, as received
    input  reason_e         reason_i,         // verdict
    input  logic            all_zero_i,       // the payload is zero
    input  logic    [ 31:0] cycles_i,         // clock cycles from header to verdict
    input  logic    [  1:0] payload_words_i,  // words of payload, 0 to 3
    output logic    [  1:0] payload_index_o,  // word that is wanted in the next cycle
    input  logic    [255:0] payload_i,        // the word that was wanted, byte 0 in bits 7:0
    // result packets
    output logic            m_axis_tvalid,    // a beat is offered
    input  logic            m_axis_tready,    // it is taken
    output logic    [ 63:0] m_axis_tdata,     // bytes, the first one in bits 7:0
    output logic    [  7:0] m_axis_tkeep,     // all ones
    output logic            m_axis_tlast      // last beat
);

  logic [1:0] group_q;  // group of beats: 0 the two of every result, then a word of payload each
  logic [1:0] beat_q;  // beat of the group
  logic settled_q;  // payload_i is the word of the group
  logic [1:0] last_group_q;  // last group of the packet, of the result offered a cycle before

  logic ok, group_ends, packet_ends, load;
  logic [63:0] head;

  assign ok = reason_i == ReasonOk;
  assign group_ends = beat_q == (group_q == '0 ? 2'(ResultBeats - 1) : 2'(OperandBeats - 1));
  assign packet_ends = group_ends && group_q == last_group_q;
  assign result_ready_o = (!m_axis_tvalid || m_axis_tready) && settled_q && packet_ends;
  assign load = result_valid_i && (!m_axis_tvalid || m_axis_tready) && settled_q;
  assign payload_index_o = group_q == '0 ? 2'd0 : group_q - 2'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axis_tvalid <= 1'b0;
      group_q <= '0;
      beat_q <= '0;
      settled_q <= 1'b1;
    end else begin
      if (load) m_axis_tvalid <= 1'b1;
      else if (m_axis_tready) m_axis_tvalid <= 1'b0;
      // The index stays the same from the first two beats to the first word.
      settled_q <= !(load && group_ends && group_q != '0 && !packet_ends);
      if (load) beat_q <= group_ends ? '0 : beat_q + 2'd1;
      if (load && group_ends) group_q <= packet_ends ? '0 : group_q + 2'd1;
    end
  end

  assign head = beat_q == '0 ? {tag_i, 14'd0, ok && all_zero_i, ok, rule_i, reason_i}
                             : {32'd0, cycles_i};

  // The first beat of a packet never ends it: what the verdict says is known a cycle later.
  always_ff @(posedge clk_i) last_group_q <= ok ? payload_words_i : 2'd0;

  always_ff @(posedge clk_i) begin
    if (load) begin
      m_axis_tdata <= group_q == '0 ? head : payload_i[64*beat_q+:64];
      m_axis_tlast <= packet_ends;
    end else if (m_axis_tready) begin
      m_axis_tdata <= '0;  // nothing of a result stays
    end
  end

  assign m_axis_tkeep = '1;

endmodule
