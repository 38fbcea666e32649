// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_multicurve_rx makes one job of each packet, in order, whatever the packet is and
//        whenever job_done_i comes: a header is the first beat behind the last one of a packet,
//        the job has its fields, is open from then until job_done_i, and ends with its packet;
//        job_malformed_o says exactly then whether the packet breaks the format; the operands
//        are those of the packet, and zero from job_done_i on until the next operand comes; no beat
//        waits but for job_done_i of a job whose packet has ended.
//
// One word of the operands is watched, any one.

module pm_multicurve_rx_formal
  import pm_multicurve_pkg::*;
#(
    parameter bit Kept = 1'b1
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        tvalid_i,
    input logic [63:0] tdata_i,
    input logic [ 7:0] tkeep_i,
    input logic        tlast_i,
    input logic        job_done_i,
    input logic [ 5:0] watch_i      // the word
);

  localparam int unsigned Words = OperandBeats * MaxOperands;

  logic tready, job_start, job_open, job_end, job_malformed, busy;
  logic [7:0] job_op, job_option;
  logic [1:0] job_flags;
  logic [31:0] job_tag;
  logic [MaxOperands-1:0][NumberBits-1:0] job_operands;

  pm_multicurve_rx #(
      .Kept(Kept)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(tvalid_i),
      .s_axis_tready(tready),
      .s_axis_tdata(tdata_i),
      .s_axis_tkeep(tkeep_i),
      .s_axis_tlast(tlast_i),
      .job_start_o(job_start),
      .job_open_o(job_open),
      .job_end_o(job_end),
      .job_malformed_o(job_malformed),
      .job_op_o(job_op),
      .job_option_o(job_option),
      .job_flags_o(job_flags),
      .job_tag_o(job_tag),
      .job_operands_o(job_operands),
      .job_done_i,
      .busy_o(busy)
  );

  logic packet_q;  // a packet has begun and not ended
  logic open_q;  // its job, or that of the one before, has no result yet
  logic [63:0] header_q;
  logic [5:0] beats_q;  // beats behind the header, as many as can be counted
  logic bad_keep_q, wide_q;  // TKEEP of a beat; an operand has more bits than a number
  logic accept, first, top;
  logic [7:0] op;
  logic [2:0] operands;
  logic [5:0] wanted;
  logic bad_header, bad;

  assign accept = tvalid_i && tready;
  assign first = accept && !packet_q;
  assign top = beats_q % 6'(OperandBeats) == 6'(OperandBeats - 1);
  assign op = header_q[15:8];
  assign operands = opcode_operands(op);
  assign wanted = 6'(OperandBeats) * 6'(operands);
  assign bad_header = !opcode_legal(
      op
  ) || header_q[7:0] >= 8'(opcode_options(
      op
  )) || (header_q[31:16] & ~16'(opcode_flags(
      op
  ))) != '0;
  assign bad = bad_header || bad_keep_q || wide_q || beats_q != wanted;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {packet_q, open_q} <= '0;
    else begin
      if (accept) packet_q <= !tlast_i;
      if (first) open_q <= 1'b1;
      else if (job_done_i) open_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (first) begin
      header_q <= tdata_i;
      beats_q <= '0;
      bad_keep_q <= tkeep_i != '1;
      wide_q <= 1'b0;
    end else if (accept) begin
      if (beats_q != '1) beats_q <= beats_q + 6'd1;
      bad_keep_q <= bad_keep_q || tkeep_i != '1;
      wide_q <= wide_q || (top && beats_q < wanted && tdata_i[63:32] != '0);
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // As in the module.
  localparam logic [1:0] StHeader = 2'd0;
  localparam logic [1:0] StOperands = 2'd1;
  localparam logic [1:0] StWait = 2'd2;
  localparam logic [1:0] StDrop = 2'd3;

  logic [1:0] state;
  logic good, skipped;  // of a packet that is well-formed so far, or malformed
  logic still_good;  // nothing is wrong with the packet so far
  assign still_good = !bad_header && !bad_keep_q && !wide_q;

  assign state = 2'(u_dut.state_q);
  assign good = state == StOperands && !job_malformed;
  assign skipped = state == StOperands && job_malformed;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      p_start : assert (job_start == first);
      p_open : assert (job_open == open_q);
      p_end : assert (job_end == (open_q && !packet_q));
      p_ready : assert (tready == !(open_q && !packet_q));
      p_busy : assert (busy == (open_q || packet_q));
      if (open_q) begin
        p_fields :
        assert ({job_tag, job_op, job_option} == {header_q[63:32], header_q[15:0]} &&
                16'(job_flags) == (header_q[31:16] & 16'h3));
      end
      if (job_end) begin
        p_malformed : assert (job_malformed == bad);
      end

      // For the induction step.
      i_state :
      assert ((state == StHeader) == (!open_q && !packet_q) &&
              (state == StWait) == (open_q && !packet_q) &&
              (state == StDrop) == (!open_q && packet_q) &&
              (state == StOperands) == (open_q && packet_q));
      if (good) begin
        i_good : assert (still_good && beats_q < wanted);
        i_beat :
        assert (32'(beats_q) == OperandBeats * 32'(u_dut.operand_q) + 32'(u_dut.beat_q) &&
                u_dut.beat_q < 4'(OperandBeats));
      end
      if (skipped) begin
        i_skip : assert (!still_good || beats_q >= wanted);
      end
    end
  end

  if (Kept) begin : gen_kept
    logic [5:0] watch_q;
    logic [63:0] word_q, word;  // of the packet; of the operands
    logic had_q;  // it came
    logic wiped_q;  // a job has its result, and no header came since
    logic [Words-1:0][63:0] words;

    for (genvar i = 0; i < int'(MaxOperands); i++) begin : gen_operand
      assign words[OperandBeats*i+:OperandBeats] = (64 * OperandBeats)'(job_operands[i]);
    end
    assign word = words[watch_q];

    always_ff @(posedge clk_i) begin
      watch_q <= watch_i;
      if (first) had_q <= 1'b0;
      else if (accept && beats_q == watch_q) begin
        word_q <= tdata_i;
        had_q  <= 1'b1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) wiped_q <= 1'b0;
      else if (job_done_i && open_q) wiped_q <= 1'b1;
      else if (first) wiped_q <= 1'b0;
    end

    always_comb begin
      a_watch : assume (watch_i < 6'(Words) && (!started_q || watch_i == watch_q));
      if (rst_ni) begin
        if (job_end && !job_malformed && watch_q < wanted) begin
          p_operand : assert (had_q && word == word_q);
        end
        if (wiped_q) begin
          p_wiped : assert (job_operands == '0);
          i_wiped : assert (!open_q);
        end
        if (good || (job_end && !job_malformed)) begin
          i_had : assert (had_q == (watch_q < beats_q));
          if (had_q) begin
            i_word : assert (word == word_q);
          end
        end
      end
    end
  end

endmodule
