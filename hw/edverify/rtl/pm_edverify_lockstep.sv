// SPDX-License-Identifier: Apache-2.0
//
// Compares the two lanes of `edverify`, configuration `hardened`, in every cycle, and keeps a
// result from being accepted once they have differed.
//
// Compared: microinstructions; the table indices, A and R where one is read; which products are
//           written; readiness for beats; the beats of results.
// Fault:    in the cycle in which beats of results differ, and from the cycle after any other
//           difference on, the first beat of a result has reason fault_detected, whatever the lanes
//           say. fault_o is then 1: both lanes abort what they have. No further packet is taken;
//           when the first lane has sent a result for all of those before, both are reset for a
//           cycle.
// Handshake: s_axis_tready does not depend on s_axis_tvalid. Both lanes get a beat exactly in the
//           cycle in which take_o is 1. Results hold until taken, but for a fault meanwhile.
// Reset:    asynchronous, active low: no fault; the lanes are reset until the cycle after.
// Time depends on faults alone.

module pm_edverify_lockstep
  import pm_edverify_pkg::*;
  import pm_edverify_lockstep_pkg::*;
  import pm_edverify_paper_ucode_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // jobs
    input  logic s_axis_tvalid,  // a beat is offered
    input  logic s_axis_tlast,   // last beat of its packet
    output logic s_axis_tready,  // it is taken
    output logic take_o,         // the same, for both lanes
    input  logic first_ready_i,  // the first lane has room
    input  logic second_ready_i, // the second lane has

    // lanes
    output logic   first_rst_no,    // resets of the lanes, each out of a register of its own
    output logic   second_rst_no,
    output logic   lanes_reset_o,   // they are reset in this cycle
    output logic   fault_o,         // level: abort every job
    input  issue_t first_issue_i,
    input  issue_t second_issue_i,
    input  logic   drained_i,       // the first lane has no beat and no job

    // results
    input  beat_t        first_beat_i,
    input  beat_t        second_beat_i,
    output logic         m_axis_tvalid,
    output logic  [63:0] m_axis_tdata,
    output logic         m_axis_tlast
);

  logic on_q;  // the lanes are not reset
  logic second_rst_q;  // not the same bit as first_rst_no, so that synthesis keeps both
  logic fault_q, in_packet_q, drained;

  // ---- differences ------------------------------------------------------------------------------

  logic differ, differ_word, differ_a_idx, differ_operands, differ_product, differ_beat;
  logic differ_g_idx_q, reads_g, indexed;
  pm_ucode_pkg::word_t word;

  assign word = first_issue_i.word;
  assign indexed = word.ra.indexed || word.rb.indexed || word.rx.indexed || word.ry.indexed;
  assign reads_g = word.ext inside {ExtGYp, ExtGYm, ExtGT2d};

  assign differ_word = word != second_issue_i.word;
  assign differ_a_idx = indexed && first_issue_i.a_idx != second_issue_i.a_idx;
  assign differ_operands = first_issue_i.operands && second_issue_i.operands &&
      {first_issue_i.a, first_issue_i.r} != {second_issue_i.a, second_issue_i.r};
  assign differ_product = first_issue_i.written != second_issue_i.written;
  assign differ_beat = first_beat_i.valid != second_beat_i.valid ||
      (first_beat_i.valid && first_beat_i != second_beat_i);
  assign differ = differ_word || differ_a_idx || (reads_g && differ_g_idx_q) || differ_operands ||
      differ_product || differ_beat || first_ready_i != second_ready_i;

  // ---- what becomes of them ---------------------------------------------------------------------

  assign drained = drained_i && !first_beat_i.valid && !in_packet_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_rst_no <= 1'b0;
      second_rst_q <= 1'b1;
      on_q <= 1'b0;
      fault_q <= 1'b0;
      in_packet_q <= 1'b0;
      differ_g_idx_q <= 1'b0;
    end else begin
      first_rst_no <= !(fault_q && drained && on_q);
      second_rst_q <= fault_q && drained && on_q;
      on_q <= !(fault_q && drained && on_q);
      fault_q <= (fault_q || differ) && on_q;
      if (take_o) in_packet_q <= !s_axis_tlast;
      differ_g_idx_q <= first_issue_i.g_idx != second_issue_i.g_idx;
    end
  end

  assign second_rst_no = !second_rst_q;
  assign fault_o = fault_q;
  assign lanes_reset_o = !on_q;
  assign s_axis_tready = on_q && first_ready_i && (fault_q ? in_packet_q : second_ready_i);
  assign take_o = s_axis_tvalid && s_axis_tready;

  assign m_axis_tvalid = first_beat_i.valid;
  assign m_axis_tlast = first_beat_i.last;

  always_comb begin
    m_axis_tdata = first_beat_i.data;
    if ((fault_q || differ_beat) && !(first_beat_i.last && second_beat_i.last)) begin
      m_axis_tdata[17:16] = 2'b00;
      m_axis_tdata[7:0]   = ReasonFaultDetected;
    end
  end

endmodule
