// SPDX-License-Identifier: Apache-2.0
//
// Claim: what pm_edverify_rx does, and when, does not depend on operands and messages. Of two
// copies with the same inputs but for the bytes of beats that are no header, all outputs but these
// bytes are the same in every cycle: self-composition (Barthe, D'Argenio and Rezk 2004).

module pm_edverify_rx_pair_formal #(
    parameter bit Staged = 0
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             s_axis_tvalid,
    input logic [1:0][63:0] s_axis_tdata,   // of each copy
    input logic [7:0]       s_axis_tkeep,
    input logic             s_axis_tlast,
    input logic             job_discard_i,
    input logic             job_done_i,
    input logic             hash_ready_i,
    input logic             msg_ready_i
);

  typedef struct packed {
    logic        ready;
    logic        start;
    logic        open;
    logic        valid;
    logic        ending;
    logic        malformed;
    logic [7:0]  op;
    logic        secret;
    logic [7:0]  rule;
    logic [31:0] tag;
    logic [15:0] slot;
    logic        busy;
  } job_t;

  typedef struct packed {
    logic       clear;
    logic       valid;
    logic [7:0] keep;
    logic       last;
  } beat_t;

  job_t [1:0] job;
  beat_t [1:0] hash, msg;
  logic [1:0][63:0] hash_data, msg_data;
  logic [1:0][767:0] operands;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    pm_edverify_rx #(
        .SecretOps(1'b1),
        .Keys(8),
        .Batches(1'b1),
        .Staged(Staged)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .s_axis_tvalid,
        .s_axis_tready(job[i].ready),
        .s_axis_tdata(s_axis_tdata[i]),
        .s_axis_tkeep,
        .s_axis_tlast,
        .job_start_o(job[i].start),
        .job_open_o(job[i].open),
        .job_valid_o(job[i].valid),
        .job_end_o(job[i].ending),
        .job_malformed_o(job[i].malformed),
        .job_op_o(job[i].op),
        .job_secret_o(job[i].secret),
        .job_rule_o(job[i].rule),
        .job_tag_o(job[i].tag),
        .job_slot_o(job[i].slot),
        .job_s_o(operands[i][0+:256]),
        .job_r_o(operands[i][256+:256]),
        .job_a_o(operands[i][512+:256]),
        .job_discard_i,
        .job_done_i,
        .hash_clear_o(hash[i].clear),
        .hash_valid_o(hash[i].valid),
        .hash_ready_i,
        .hash_data_o(hash_data[i]),
        .hash_keep_o(hash[i].keep),
        .hash_last_o(hash[i].last),
        .msg_drop_o(msg[i].clear),
        .msg_valid_o(msg[i].valid),
        .msg_ready_i,
        .msg_data_o(msg_data[i]),
        .msg_keep_o(msg[i].keep),
        .msg_last_o(msg[i].last),
        .busy_o(job[i].busy)
    );
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (!started_q) begin
      a_begin :
      assume ({job[0].op, job[0].secret, job[0].rule, job[0].tag, job[0].slot} ==
                        {job[1].op, job[1].secret, job[1].rule, job[1].tag, job[1].slot});
    end
    if (!job[0].busy) begin
      a_header : assume (s_axis_tdata[0] == s_axis_tdata[1]);
    end
    p_job : assert (job[0] == job[1]);
    p_hash : assert (hash[0] == hash[1]);
    p_message : assert (msg[0] == msg[1]);
    i_state :
    assert (gen_copy[0].u_dut.state_q == gen_copy[1].u_dut.state_q &&
            gen_copy[0].u_dut.beat_q == gen_copy[1].u_dut.beat_q &&
            gen_copy[0].u_dut.complete_q == gen_copy[1].u_dut.complete_q);
    if (job[0].open) begin
      i_decoded :
      assert ({gen_copy[0].u_dut.has_message_q, gen_copy[0].u_dut.last_beat_q} ==
              {gen_copy[1].u_dut.has_message_q, gen_copy[1].u_dut.last_beat_q});
    end
  end

  if (Staged) begin : gen_staged
    always_comb begin
      i_take : assert (gen_copy[0].u_dut.gen_staged.take_q == gen_copy[1].u_dut.gen_staged.take_q);
    end
  end

endmodule
