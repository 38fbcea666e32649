// SPDX-License-Identifier: Apache-2.0
//
// Claim: what pm_multicurve_rx does, and when, does not depend on operands. Of two copies with the
// same inputs but for the bytes of operands, all outputs but the operands are the same in every
// cycle: self-composition (Barthe, D'Argenio and Rezk 2004). Whether an operand has more than 544
// bits is the same in both.

module pm_multicurve_rx_pair_formal
  import pm_multicurve_pkg::*;
(
    input logic             clk_i,
    input logic             rst_ni,
    input logic             s_axis_tvalid,
    input logic [1:0][63:0] s_axis_tdata,   // of each copy
    input logic [7:0]       s_axis_tkeep,
    input logic             s_axis_tlast,
    input logic             job_done_i
);

  typedef struct packed {
    logic        ready;
    logic        start;
    logic        open;
    logic        ending;
    logic        malformed;
    logic [7:0]  op;
    logic [7:0]  option;
    mc_flags_t   flags;
    logic [31:0] tag;
    logic        busy;
  } job_t;

  job_t [1:0] job;
  logic [1:0][MaxOperands-1:0][NumberBits-1:0] operands;
  logic [1:0] wide;  // an operand has more than 544 bits

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    pm_multicurve_rx u_dut (
        .clk_i,
        .rst_ni,
        .s_axis_tvalid,
        .s_axis_tready(job[i].ready),
        .s_axis_tdata(s_axis_tdata[i]),
        .s_axis_tkeep,
        .s_axis_tlast,
        .job_start_o(job[i].start),
        .job_open_o(job[i].open),
        .job_end_o(job[i].ending),
        .job_malformed_o(job[i].malformed),
        .job_op_o(job[i].op),
        .job_option_o(job[i].option),
        .job_flags_o(job[i].flags),
        .job_tag_o(job[i].tag),
        .job_operands_o(operands[i]),
        .job_done_i,
        .busy_o(job[i].busy)
    );
    assign wide[i] = gen_copy[i].u_dut.top_beat && s_axis_tdata[i][63:32] != '0;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic alike;  // what the header said
  assign alike = {job[0].op, job[0].option, job[0].flags, job[0].tag} ==
      {job[1].op, job[1].option, job[1].flags, job[1].tag} &&
      gen_copy[0].u_dut.flags_rest_q == gen_copy[1].u_dut.flags_rest_q;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (!started_q) begin
      a_begin : assume (alike);
    end
    if (!job[0].busy) begin
      a_header : assume (s_axis_tdata[0] == s_axis_tdata[1]);
    end
    a_wide : assume (wide[0] == wide[1]);
    p_job : assert (job[0] == job[1]);
    i_state :
    assert (alike && gen_copy[0].u_dut.state_q == gen_copy[1].u_dut.state_q &&
            gen_copy[0].u_dut.beat_q == gen_copy[1].u_dut.beat_q &&
            gen_copy[0].u_dut.operand_q == gen_copy[1].u_dut.operand_q &&
            gen_copy[0].u_dut.malformed_q == gen_copy[1].u_dut.malformed_q);
  end

endmodule
