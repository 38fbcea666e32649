// SPDX-License-Identifier: Apache-2.0
//
// Packets of configuration `contexts` of `multicurve`: gives them to the contexts in turn, and says
// which jobs are none for the engine.
//
// A packet begins when its context is free, and one that loads a curve when all are. What is left
// of a packet whose job has its result is taken unseen.
//
// Handshake: beats of jobs are those of pm_multicurve_rx; of a packet the header comes with
//           header_o, numbers with beat_o, and given_o when it has ended and its numbers are where
//           they belong. packet_o holds from after the header until then.
// Reset:    asynchronous, active low: the first packet is that of context 0.
// Constant time: NO. Numbers are public; those of a job with a secret scalar have no beat_o.
module pm_multicurve_contexts_intake
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
(
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // packets
    input logic in_valid_i,  // a beat is offered
    output logic in_ready_o,  // it is taken
    input logic [63:0] in_data_i,  // bytes
    input logic [7:0] in_keep_i,  // bytes that count
    input logic in_last_i,  // last beat of the packet
    // contexts
    input logic [Contexts-1:0] open_i,  // there is a job
    input logic [Contexts-1:0] idle_i,  // no program is under way
    input logic [Contexts-1:0] taken_i,  // pulse: the answer is taken
    input logic curve_i,  // a curve is loaded
    input logic curve_job_i,  // a job that loads one is open
    // numbers
    input logic steps_idle_i,  // nothing is done with them
    input logic full_i,  // one waits, or is worked on
    input logic fault_i,  // one of the packet is wrong
    input mc_reason_e fault_reason_i,  // for this reason
    // the packet
    output logic busy_o,  // there is one
    output logic header_o,  // pulse: its header is taken
    output logic curve_o,  // pulse: a cycle later, if it loads a curve
    output logic beat_o,  // pulse: a beat of its numbers is
    output packet_t packet_o,  // what it is
    output logic given_o,  // pulse: its job is complete
    output logic refused_o,  // with it: that is not for the engine
    output mc_reason_e refusal_o  // with it: for this reason
);

  logic
      ready,
      open,
      ended,
      malformed,
      done,
      begins_q,
      header_q,
      admit,
      supported,
      no_curve,
      wanted,
      curve_comes;
  logic [7:0] op;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [7:0] option;  // whether there is a base point; no operation has two programs
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] unused_tag;
  logic [MaxOperands-1:0][NumberBits-1:0] unused_operands;
  mc_flags_t flags;
  ctx_t turn_q;

  pm_multicurve_rx #(
      .Kept(1'b0)
  ) u_rx (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(in_valid_i && admit),
      .s_axis_tready(ready),
      .s_axis_tdata(in_data_i),
      .s_axis_tkeep(in_keep_i),
      .s_axis_tlast(in_last_i),
      .job_start_o(header_o),
      .job_open_o(open),
      .job_end_o(ended),
      .job_malformed_o(malformed),
      .job_op_o(op),
      .job_option_o(option),
      .job_flags_o(flags),
      .job_tag_o(unused_tag),
      .job_operands_o(unused_operands),
      .job_done_i(done),
      .busy_o
  );

  assign curve_comes = in_data_i[15:8] == OpcodeLoadCurve;  // if it is a header
  assign curve_o = header_q && op == OpcodeLoadCurve;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) header_q <= 1'b0;
    else header_q <= header_o;
  end

  // What lets a packet begin stays, but that no step is under way; so it is known a cycle before.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begins_q <= 1'b0;
    else begin
      begins_q <= in_valid_i && !busy_o && !open_i[turn_q] && idle_i[turn_q] && !curve_job_i &&
          (!curve_comes || (open_i == '0 && idle_i == '1));
    end
  end

  assign admit = !full_i && (busy_o || (begins_q && steps_idle_i));

  always_comb begin
    unique case (op)
      OpcodeLoadCurve: supported = !flags.montgomery;
      OpcodeEcmul, OpcodeEcmulBase, OpcodeCheck: supported = 1'b1;
      default: supported = 1'b0;
    endcase
  end

  assign in_ready_o = ready && admit;
  assign no_curve = op != OpcodeLoadCurve && !curve_i;
  assign wanted = supported && !no_curve && !flags.secret;
  assign beat_o = in_valid_i && in_ready_o && open && !malformed && wanted;
  assign packet_o = '{ctx: turn_q, op: op, no_base: option[0]};
  assign given_o = open && ended && steps_idle_i && !full_i;
  assign done = given_o || (open && taken_i[turn_q]);
  assign refused_o = malformed || !wanted || fault_i;

  always_comb begin
    if (malformed || !supported) refusal_o = ReasonMalformedJob;
    else if (no_curve) refusal_o = ReasonNoCurve;
    else refusal_o = flags.secret ? ReasonSecretRefused : fault_reason_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= '0;
    else if (done) turn_q <= next(turn_q);
  end

endmodule
