// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_edverify_rx opens exactly one job for every packet, at its first beat, and keeps what
// pm_job_control relies on (pm_job_contract); at the end of the packet job_malformed_o says whether
// the packet breaks the format; operands, opcode, whether it is secret, rule, slot and tag are
// those of the packet and hold until the result; a result that comes early costs no packet but the
// rest of its own; the packet is read on as long as hash unit and message memory take beats; beats
// go to the one that they are for, and no message stays half kept; secret operands are wiped by the
// result.

module pm_edverify_rx_formal
  import pm_edverify_pkg::*;
#(
    parameter bit SecretOps = 0,
    parameter int unsigned Keys = 0,
    parameter bit Batches = 0
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        tvalid_i,
    input logic [63:0] tdata_i,
    input logic [ 7:0] tkeep_i,
    input logic        tlast_i,
    input logic        job_discard_i,
    input logic        job_done_i,
    input logic        hash_ready_i,
    input logic        msg_ready_i,
    input logic [ 3:0] watch_i         // an operand beat, the same for ever
);

  localparam logic [4:0] MostBeats = 5'd13;

  logic tready, job_start, job_open, job_valid, job_end, job_malformed, job_secret;
  logic hash_clear, hash_valid, hash_last, msg_drop, msg_valid, msg_last, busy;
  logic [7:0] job_op, job_rule, hash_keep, msg_keep;
  logic [31:0] job_tag;
  logic [15:0] job_slot;
  logic [255:0] job_s, job_r, job_a;
  logic [63:0] hash_data, msg_data;

  pm_edverify_rx #(
      .SecretOps(SecretOps),
      .Keys(Keys),
      .Batches(Batches)
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
      .job_valid_o(job_valid),
      .job_end_o(job_end),
      .job_malformed_o(job_malformed),
      .job_op_o(job_op),
      .job_secret_o(job_secret),
      .job_rule_o(job_rule),
      .job_tag_o(job_tag),
      .job_slot_o(job_slot),
      .job_s_o(job_s),
      .job_r_o(job_r),
      .job_a_o(job_a),
      .job_discard_i,
      .job_done_i,
      .hash_clear_o(hash_clear),
      .hash_valid_o(hash_valid),
      .hash_ready_i,
      .hash_data_o(hash_data),
      .hash_keep_o(hash_keep),
      .hash_last_o(hash_last),
      .msg_drop_o(msg_drop),
      .msg_valid_o(msg_valid),
      .msg_ready_i,
      .msg_data_o(msg_data),
      .msg_keep_o(msg_keep),
      .msg_last_o(msg_last),
      .busy_o(busy)
  );

  logic open_ok, start_ok, order_ok, level_ok;

  pm_job_contract u_contract (
      .clk_i,
      .rst_ni,
      .job_start_i(job_start),
      .job_open_i(job_open),
      .job_valid_i(job_valid),
      .job_end_i(job_end),
      .job_refused_i(job_malformed),
      .job_done_i,
      .open_o(open_ok),
      .start_o(start_ok),
      .order_o(order_ok),
      .level_o(level_ok)
  );

  // The packet: beats accepted (those of a message count once), whether one of them broke the
  // format, its header and one watched operand beat.
  logic accept;
  logic [4:0] beats_q, beats, beats_now;
  logic bad_q, bad, verify, sign, watched;
  logic [7:0] op_q, op_now, rule_q;
  logic [31:0] tag_q;
  logic [15:0] slot_q;
  logic [63:0] watched_q;
  logic [ 3:0] watch_q;
  assign accept = tvalid_i && tready;
  assign op_now = beats_q == '0 ? tdata_i[15:8] : op_q;
  assign watched = 5'(watch_q) + 5'd1 < beats;
  assign verify = op_q == 8'd1 || (Keys != 0 && op_q == 8'd6) || (Batches && op_q == 8'd7);
  assign sign = SecretOps && op_q == 8'd4;

  // Beats of header and operands. Nobody counts the beats of an opcode that is none.
  always_comb begin
    unique case (op_q)
      8'd2: beats = 5'd9;
      8'd3, 8'd4, 8'd5: beats = 5'd5;
      default: beats = MostBeats;
    endcase
    unique case (op_now)
      8'd2: beats_now = 5'd9;
      8'd3, 8'd4, 8'd5: beats_now = 5'd5;
      default: beats_now = MostBeats;
    endcase
  end

  // What a last beat may keep: 0 to 8 bytes from the first on.
  logic contiguous;
  always_comb begin
    unique case (tkeep_i)
      8'h00, 8'h01, 8'h03, 8'h07, 8'h0f, 8'h1f, 8'h3f, 8'h7f, 8'hff: contiguous = 1'b1;
      default: contiguous = 1'b0;
    endcase
    bad = bad_q;
    if (beats_q == '0) begin
      unique case (tdata_i[15:8])
        8'd1: bad = tdata_i[7:0] == 8'd0 || tdata_i[7:0] > 8'd6;
        8'd2, 8'd3, 8'd4: bad = !SecretOps || tdata_i[7:0] != 8'd0;
        8'd5: bad = Keys == 0 || tdata_i[7:0] != 8'd0;
        8'd6: bad = Keys == 0 || tdata_i[7:0] == 8'd0 || tdata_i[7:0] > 8'd6;
        8'd7: bad = !Batches || tdata_i[7:0] == 8'd0 || tdata_i[7:0] > 8'd6;
        default: bad = 1'b1;
      endcase
      unique case (tdata_i[15:8])
        8'd5: if (32'(tdata_i[31:16]) > Keys - 1) bad = 1'b1;
        8'd6: ;
        default: if (tdata_i[31:16] != 16'd0) bad = 1'b1;
      endcase
    end
    if (tlast_i && beats_q < beats_now - 5'd1) bad = 1'b1;
    if (!tlast_i && beats_q == beats_now - 5'd1 &&
        (op_now == 8'd2 || op_now == 8'd3 || op_now == 8'd5))
      bad = 1'b1;
    if (!(tlast_i && beats_q == beats_now ? contiguous : tkeep_i == 8'hff)) bad = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beats_q <= '0;
      bad_q   <= 1'b0;
    end else if (accept) begin
      if (tlast_i) beats_q <= '0;
      else if (beats_q != beats_now) beats_q <= beats_q + 5'd1;
      bad_q <= bad;
    end
  end

  // A message of which a part is kept.
  logic kept_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) kept_q <= 1'b0;
    else if (msg_valid && msg_ready_i) kept_q <= !msg_last;
    else if (msg_drop) kept_q <= 1'b0;
  end

  // A secret job was answered, and none has come since.
  logic wiped_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wiped_q <= 1'b0;
    else if (job_open && job_done_i) wiped_q <= SecretOps && op_q >= 8'd2 && op_q <= 8'd4;
    else if (job_start) wiped_q <= 1'b0;
  end

  // While the job of an ended packet is open no further beat may come.
  logic ended_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ended_q <= 1'b0;
    else if (accept) ended_q <= tlast_i && (job_start || (job_open && !job_done_i));
    else if (job_done_i) ended_q <= 1'b0;
  end

  // The rest of the message is not wanted.
  logic discarded_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) discarded_q <= 1'b0;
    else if (job_start) discarded_q <= 1'b0;
    else if (job_discard_i && verify && beats_q == beats) discarded_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (accept && beats_q == '0) begin
      {op_q, rule_q, slot_q, tag_q} <= {
        tdata_i[15:8], tdata_i[7:0], tdata_i[31:16], tdata_i[63:32]
      };
    end
    if (accept && beats_q == 5'(watch_q) + 5'd1) watched_q <= tdata_i;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    watch_q   <= started_q ? watch_q : watch_i;
  end

  logic [767:0] fixed;
  assign fixed = {job_a, job_r, job_s};

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    a_watch : assume (!started_q || watch_q < 4'd12);

    // For the induction step.
    i_open : assert (job_open == u_contract.open_q);
    i_header : assert ((beats_q == '0 && !job_open) || u_dut.job_op_o == op_q);
    i_decoded :
    assert ((beats_q == '0 && !job_open) || {job_secret, u_dut.has_message_q, u_dut.last_beat_q} ==
            {SecretOps && opcode_is_secret(
        op_q
    ), opcode_has_message(
        op_q
    ), {opcode_operands(
        op_q
    ), 2'd0} - 4'd1});
    i_beats : assert (beats_q <= beats);
    i_malformed : assert (!(job_open && (beats_q != '0 || ended_q)) || u_dut.malformed_q == bad_q);
    i_ended : assert (ended_q == (u_dut.state_q == 3'd4) && (!ended_q || beats_q == '0));
    i_fixed :
    assert (u_dut.state_q != 3'd1 || (beats_q == 5'(u_dut.beat_q) + 5'd1 && beats_q < beats &&
            !u_dut.complete_q && !bad_q));
    i_known :
    assert (u_dut.state_q != 3'd1 || verify || (SecretOps && op_q >= 8'd2 && op_q <= 8'd4) ||
            (Keys != 0 && op_q == 8'd5));
    i_message :
    assert (u_dut.state_q != 3'd2 ||
            (beats_q == beats && u_dut.complete_q && !bad_q && (verify || sign)));
    i_hashing :
    assert (!(job_open && !ended_q && !bad_q && !discarded_q && beats_q == beats) ||
                        u_dut.state_q == 3'd2);
    i_states : assert (u_dut.state_q <= 3'd5);
    i_skip : assert ((u_dut.state_q != 3'd3 && u_dut.state_q != 3'd5) || beats_q != '0);
    i_skip_bad : assert (u_dut.state_q != 3'd3 || (u_dut.complete_q ? beats_q == beats : bad_q));
    i_skip_sign : assert (u_dut.state_q != 3'd3 || !sign || bad_q);
    i_wait_bad : assert (u_dut.state_q != 3'd4 || u_dut.complete_q || bad_q);
    i_wiped : assert (!wiped_q || (SecretOps && (u_dut.state_q == 3'd0 || u_dut.state_q == 3'd5)));
    i_kept : assert (!kept_q || msg_drop || (u_dut.state_q == 3'd2 && sign));
    if (u_dut.state_q == 3'd1 && watched && watch_q < u_dut.beat_q) begin
      i_shift : assert (fixed[64*(10'd12-10'(u_dut.beat_q)+10'(watch_q))+:64] == watched_q);
    end
    if (job_open && u_dut.complete_q && watched) begin
      i_complete : assert (fixed[64*(10'd13-10'(beats)+10'(watch_q))+:64] == watched_q);
    end

    // One job for each packet, and the receiver's side of the contract.
    p_start : assert (job_start == (accept && beats_q == '0));
    p_no_beat_between : assert (!(ended_q && accept));
    p_open : assert (open_ok);
    p_single : assert (start_ok);
    p_order : assert (order_ok);
    p_level : assert (level_ok);
    p_end : assert (job_end == ended_q);
    // What the job is.
    if (job_end) begin
      p_malformed : assert (job_malformed == bad_q);
    end
    if (job_open) begin
      p_header :
      assert (job_op == op_q && job_rule == rule_q && job_slot == slot_q && job_tag == tag_q);
      p_secret : assert (job_secret == (SecretOps && op_q >= 8'd2 && op_q <= 8'd4));
    end
    if (job_valid && !job_malformed && watched) begin
      p_fixed : assert (fixed[64*(10'd13-10'(beats)+10'(watch_q))+:64] == watched_q);
    end
    // Progress.
    if (!ended_q && hash_ready_i && msg_ready_i) begin
      p_ready : assert (tready);
    end
    if (hash_valid) begin
      p_hash :
      assert (verify && beats_q >= 5'd5 && job_open && hash_data == tdata_i &&
                       hash_keep == tkeep_i && hash_last == tlast_i);
    end
    if (tvalid_i && job_open && !ended_q && !bad_q && !discarded_q && verify &&
        beats_q >= 5'd5) begin
      p_hashed : assert (hash_valid);
    end
    // Messages to be signed: their beats, or one that keeps nothing.
    if (msg_valid) begin
      p_message :
      assert (sign && job_open && !bad && msg_last == tlast_i &&
              (beats_q == beats ? msg_data == tdata_i && msg_keep == tkeep_i :
               beats_q == beats - 5'd1 && tlast_i && msg_data == '0 && msg_keep == '0));
    end
    if (accept && sign && job_open && !bad && !job_done_i &&
        (beats_q == beats || (beats_q == beats - 5'd1 && tlast_i))) begin
      p_kept : assert (msg_valid && msg_ready_i);
    end
    p_half_kept : assert (!kept_q || msg_drop || (job_open && !ended_q && !bad_q && sign));
    p_drop : assert (!msg_drop || !msg_valid);
    p_wiped : assert (!wiped_q || fixed == '0);
    p_busy : assert (busy == (beats_q != '0 || ended_q));
  end

endmodule
