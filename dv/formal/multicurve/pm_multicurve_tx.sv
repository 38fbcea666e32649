// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_multicurve_tx turns every result into exactly the beats of its packet, in order and
//        with the format of its header, and nothing else; the result is taken with its last
//        beat, once; a beat is on offer in the cycle after a result is, and holds until it is
//        taken; no beat is made of a result that is not on offer.

module pm_multicurve_tx_formal
  import pm_multicurve_pkg::*;
(
    input logic                                  clk_i,
    input logic                                  rst_ni,
    input logic                                  result_valid_i,
    input logic [          31:0]                 tag_i,
    input logic [           7:0]                 op_i,
    input logic [           7:0]                 reason_i,
    input logic                                  infinity_i,
    input logic                                  all_zero_i,
    input logic [          31:0]                 cycles_i,
    input logic [           1:0]                 numbers_i,
    input logic [MaxPayload-1:0][NumberBits-1:0] payload_i,
    input logic                                  tready_i
);

  logic result_ready, tvalid, tlast;
  logic [63:0] tdata;
  logic [ 7:0] tkeep;

  pm_multicurve_tx u_dut (
      .clk_i,
      .rst_ni,
      .result_valid_i,
      .result_ready_o(result_ready),
      .tag_i,
      .op_i,
      .reason_i(mc_reason_e'(reason_i)),
      .infinity_i,
      .all_zero_i,
      .cycles_i,
      .numbers_i,
      .payload_i,
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready_i),
      .m_axis_tdata(tdata),
      .m_axis_tkeep(tkeep),
      .m_axis_tlast(tlast)
  );

  // The result that a beat belongs to, as it was when the beat was made.
  typedef struct packed {
    logic [31:0] tag;
    logic [7:0] op;
    logic [7:0] reason;
    logic infinity;
    logic all_zero;
    logic [31:0] cycles;
    logic [1:0] numbers;
    logic [MaxPayload-1:0][NumberBits-1:0] payload;
  } result_t;

  result_t offered, made_q;
  logic waits_q;  // a result was on offer, whose packet has not ended
  logic begun_q;  // and has begun: it holds
  logic [5:0] sent_q;  // beats of the present packet that were taken
  logic [5:0] total;  // of the beat on offer
  logic made_now_q;  // a beat could be made in the cycle before, and was to be
  logic taken_q;  // the result was taken in the cycle in which the beat on offer was made

  assign offered = {tag_i, op_i, reason_i, infinity_i, all_zero_i, cycles_i, numbers_i, payload_i};
  assign total   = 6'd2 + (made_q.reason == '0 ? 6'd9 * 6'(made_q.numbers) : 6'd0);

  logic move;
  assign move = !tvalid || tready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {waits_q, begun_q, made_now_q, taken_q} <= '0;
      sent_q <= '0;
    end else begin
      waits_q <= result_valid_i && !result_ready;
      if (result_valid_i && move) begun_q <= !result_ready;
      made_now_q <= result_valid_i && move;
      if (move) taken_q <= result_valid_i && result_ready;
      if (tvalid && tready_i) sent_q <= tlast ? '0 : sent_q + 6'd1;
    end
  end

  result_t before_q;  // the result of a packet that has begun
  always_ff @(posedge clk_i) begin
    if (result_valid_i) before_q <= offered;
    if (result_valid_i && move) made_q <= offered;
  end

  // The beat that was rejected in the cycle before.
  logic refused_q, last_q, gap_q;
  logic [63:0] data_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {refused_q, gap_q} <= '0;
    else begin
      refused_q <= tvalid && !tready_i;
      gap_q <= move && !result_valid_i;
    end
  end
  always_ff @(posedge clk_i) {data_q, last_q} <= {tdata, tlast};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // The word of the payload that beat `at` has.
  logic [5:0] at;
  logic [2*576-1:0] words;
  assign at = sent_q - 6'd2;
  assign words = {32'd0, made_q.payload[1], 32'd0, made_q.payload[0]};

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    // What is offered holds until it is taken, but result_valid_i may fall between beats.
    if (waits_q || begun_q) begin
      a_offer : assume (!result_valid_i || offered == before_q);
    end
    a_numbers : assume (numbers_i <= 2'(MaxPayload));

    if (rst_ni) begin
      p_valid : assert (!(made_now_q && !tvalid) && !(gap_q && tvalid));
      p_keep : assert (tkeep == '1);
      if (tvalid) begin
        p_last : assert (tlast == (sent_q == total - 6'd1));
        p_taken : assert (taken_q == tlast);
        if (sent_q == '0) begin
          p_first : assert (tdata == {made_q.tag, 16'd0, made_q.op, made_q.reason});
        end
        if (sent_q == 6'd1) begin
          p_second : assert (tdata[31:0] == made_q.cycles && tdata[63:34] == '0);
          p_flags :
          assert (tdata[33:32] == (made_q.reason == '0 ? {made_q.all_zero, made_q.infinity} : '0));
        end
        if (sent_q >= 6'd2) begin
          p_payload : assert (tdata == (made_q.infinity ? '0 : words[64*11'(at)+:64]));
        end
      end
      if (refused_q) begin
        p_stable : assert (tvalid && tdata == data_q && tlast == last_q);
      end

      // For the induction step.
      i_numbers : assert (made_q.numbers <= 2'(MaxPayload) || !(tvalid || begun_q));
      i_beat : assert (6'(u_dut.beat_q) == (tvalid ? (tlast ? '0 : sent_q + 6'd1) : sent_q));
      i_begun : assert (begun_q == (u_dut.beat_q != '0));
      if (begun_q) begin
        i_made : assert (made_q == before_q && 6'(u_dut.beat_q) < total);
      end
      if (tvalid || begun_q) begin
        i_sent : assert (sent_q < total);
      end else begin
        i_none : assert (sent_q == '0);
      end
      if (made_now_q) begin
        i_now : assert (tvalid);
      end
      if (waits_q && !begun_q) begin
        i_first : assert (tvalid);
      end
    end
  end

endmodule
