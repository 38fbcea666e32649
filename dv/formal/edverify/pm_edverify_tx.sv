// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_tx turns every result that is offered into exactly the beats of its packet, in
// order
//        and
// with the format of its header, and nothing else; a beat holds until it is taken; the result is
// taken with its last beat; no more than one cycle passes without a beat while a result is offered.

module pm_edverify_tx_formal
  import pm_edverify_pkg::*;
(
    input logic         clk_i,
    input logic         rst_ni,
    input logic         result_valid_i,
    input logic [ 31:0] tag_i,
    input logic [  7:0] rule_i,
    input logic [  7:0] reason_i,
    input logic         all_zero_i,
    input logic [ 31:0] cycles_i,
    input logic [  1:0] payload_words_i,
    input logic [767:0] payload_i,        // all words
    input logic         tready_i
);

  logic result_ready, tvalid, tlast;
  logic [63:0] tdata;
  logic [ 7:0] tkeep;
  logic [ 1:0] index;

  // The synchronous memory of the payload.
  logic [255:0] word, word_q;
  assign word = index == 2'd0 ? payload_i[255:0] :
                index == 2'd1 ? payload_i[511:256] : payload_i[767:512];
  always_ff @(posedge clk_i) word_q <= word;

  pm_edverify_tx u_dut (
      .clk_i,
      .rst_ni,
      .result_valid_i,
      .result_ready_o(result_ready),
      .tag_i,
      .rule_i,
      .reason_i(reason_e'(reason_i)),
      .all_zero_i,
      .cycles_i,
      .payload_words_i,
      .payload_index_o(index),
      .payload_i(word_q),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready_i),
      .m_axis_tdata(tdata),
      .m_axis_tkeep(tkeep),
      .m_axis_tlast(tlast)
  );

  typedef struct packed {
    logic [31:0] tag;
    logic [7:0] rule;
    logic [7:0] reason;
    logic all_zero;
    logic [31:0] cycles;
    logic [1:0] words;
    logic [767:0] payload;
  } result_t;

  // The result that a beat on the stream belongs to: the one on offer, or the one taken in the
  // cycle before the last beat.
  result_t offered, before_q, taken_result_q, now;
  logic taken_q, pending_q, idle_q;
  logic [3:0] sent_q;  // beats of its packet that were taken
  logic [3:0] total;

  assign offered = {tag_i, rule_i, reason_i, all_zero_i, cycles_i, payload_words_i, payload_i};
  assign now = taken_q ? taken_result_q : offered;
  assign total = now.reason == '0 ? 4'd2 + {now.words, 2'd0} : 4'd2;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {taken_q, pending_q, idle_q} <= '0;
      sent_q <= '0;
    end else begin
      if (result_valid_i && result_ready) taken_q <= 1'b1;
      else if (tvalid && tready_i) taken_q <= 1'b0;
      pending_q <= result_valid_i && !result_ready;
      idle_q <= result_valid_i && !tvalid;
      if (tvalid && tready_i) sent_q <= sent_q == total - 4'd1 ? '0 : sent_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    before_q <= offered;
    if (result_valid_i && result_ready) taken_result_q <= offered;
  end

  // The beat that was refused in the cycle before.
  logic refused_q, last_q;
  logic [63:0] data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) refused_q <= 1'b0;
    else refused_q <= tvalid && !tready_i;
  end
  always_ff @(posedge clk_i) {data_q, last_q} <= {tdata, tlast};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // Beats that went into the output register.
  logic [3:0] loaded;
  assign loaded = u_dut.group_q == '0 ? 4'(u_dut.beat_q) : {u_dut.group_q, u_dut.beat_q} - 4'd2;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (pending_q) begin
      a_offer : assume (result_valid_i && offered == before_q);
    end

    // For the induction step.
    i_loaded : assert (loaded == (taken_q ? 4'd0 : sent_q + 4'(tvalid)));
    i_group : assert (u_dut.group_q != '0 || u_dut.beat_q[1] == 1'b0);
    if (loaded != '0) begin
      i_offered : assert (pending_q && loaded < total);
    end
    i_first : assert (u_dut.settled_q || u_dut.group_q > 2'd1);
    if (u_dut.settled_q && u_dut.group_q != '0) begin
      i_word : assert (word_q == word);
    end
    i_sent : assert (!(taken_q || pending_q) || sent_q < total);
    i_between : assert (taken_q || loaded != '0 || sent_q == '0);

    p_valid : assert (!tvalid || taken_q || result_valid_i);
    p_taken : assert (taken_q == (tvalid && tlast));
    p_progress : assert (!idle_q || tvalid);
    if (tvalid) begin
      p_last : assert (tlast == (sent_q == total - 4'd1));
      p_keep : assert (tkeep == 8'hff);
      if (sent_q == '0) begin
        p_first :
        assert (tdata[63:18] == {now.tag, 14'd0} && tdata[15:0] == {now.rule, now.reason});
        p_flags :
        assert (tdata[16] == (now.reason == '0) && tdata[17] == (now.reason == '0 && now.all_zero));
      end
      if (sent_q == 4'd1) begin
        p_second : assert (tdata == {32'd0, now.cycles});
      end
      if (sent_q >= 4'd2) begin
        p_payload : assert (tdata == now.payload[64*10'(sent_q-4'd2)+:64]);
      end
    end
    if (refused_q) begin
      p_stable : assert (tvalid && tdata == data_q && tlast == last_q);
    end
  end

endmodule
