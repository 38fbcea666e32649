// SPDX-License-Identifier: Apache-2.0
//
// Sends the result of an Ed25519 job as an AXI4-Stream packet of two 64-bit beats.
//
// Packet:   beat 0 {tag [63:32], zero [31:17], valid [16], rule [15:8], reason [7:0]}, beat 1 {zero
//           [63:32], cycles [31:0]} with TLAST; TKEEP all ones. valid is 1 exactly for
//           reason 0 (ok).
// Timing:   a result accepted in cycle c is offered from c + 1 on; one result every two cycles.
// Handshake: result_ready_o is high while nothing is held, and while the last beat leaves. A packet
//           that has begun always ends: there is no way to abandon it but reset. Beats hold under
//           back-pressure.
// Reset:    asynchronous, active low: nothing held.
module pm_ed_tx
  import pm_ed_pkg::*;
(
    input  logic           clk_i,           // clock
    input  logic           rst_ni,          // asynchronous reset, active low
    // result
    input  logic           result_valid_i,  // a result is offered
    output logic           result_ready_o,  // it is taken
    input  logic    [31:0] tag_i,           // tag of the job
    input  logic    [ 7:0] rule_i,          // rule set of the job, as received
    input  reason_e        reason_i,        // verdict
    input  logic    [31:0] cycles_i,        // clock cycles from header to verdict
    // result packets
    output logic           m_axis_tvalid,   // a beat is offered
    input  logic           m_axis_tready,   // it is taken
    output logic    [63:0] m_axis_tdata,    // bytes, the first one in bits 7:0
    output logic    [ 7:0] m_axis_tkeep,    // all ones
    output logic           m_axis_tlast     // second beat
);

  logic second_q;  // the second beat is offered
  logic [31:0] tag_q, cycles_q;
  logic [7:0] rule_q;
  reason_e reason_q;

  logic sent, take;

  assign sent = m_axis_tvalid && m_axis_tready;
  assign result_ready_o = !m_axis_tvalid || (second_q && m_axis_tready);
  assign take = result_valid_i && result_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_axis_tvalid <= 1'b0;
      second_q <= 1'b0;
    end else begin
      if (sent) second_q <= !second_q;
      if (take) m_axis_tvalid <= 1'b1;
      else if (sent && second_q) m_axis_tvalid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      tag_q <= tag_i;
      rule_q <= rule_i;
      reason_q <= reason_i;
      cycles_q <= cycles_i;
    end
  end

  assign m_axis_tdata = second_q ? {32'd0, cycles_q}
                                 : {tag_q, 15'd0, reason_q == ReasonOk, rule_q, reason_q};
  assign m_axis_tkeep = '1;
  assign m_axis_tlast = second_q;

endmodule
