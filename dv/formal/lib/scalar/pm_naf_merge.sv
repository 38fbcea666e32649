// SPDX-License-Identifier: Apache-2.0
//
// Claim: of every four scalars pm_naf_merge sends one list with the digits of all of them: odd, of
//        a scalar at least its window apart, none above position 256, at a position those of R, A,
//        G1, G0 in this order, `more` set but for the first one. Each sum of digits times their
//        powers of two is the scalar when done_o rises, at most three cycles after nothing is left
//        of any. An entry holds until it is taken.
//
// Scalar: 0 to 3 prove what is of one scalar alone, of ListG0 to ListR; 4 assumes that of all of
// them, and proves the list.
//
// left + owed_q is what the entries that were taken leave of a scalar, in units of the position,
// left being bits of the scalar: those of left_q from bit past_q on. Each digit is taken off, each
// move divides by a power of two and has to be exact, at the end nothing is left. Whole bytes leave
// left_q in the cycle after the position has passed them.

module pm_naf_merge_formal
  import pm_scalar_pkg::*;
#(
    parameter int unsigned WG = 10,
    parameter int unsigned WA = 4,
    parameter int unsigned Scalar = 4
) (
    input logic         clk_i,
    input logic         rst_ni,
    input logic         clear_i,
    input logic         valid_i,
    input logic [126:0] s0_i,
    input logic [126:0] s1_i,
    input logic         c_neg_i,
    input logic [255:0] c_i,
    input logic         d_neg_i,
    input logic [255:0] d_i,
    input logic         push_ready_i
);

  localparam int unsigned Lanes = 4;
  localparam int unsigned LowBits = WG + 3;  // of the numbers that a move divides

  logic ready, push_valid, done;
  list_entry_t entry;

  pm_naf_merge #(
      .WG(WG),
      .WA(WA)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o(ready),
      .s0_i,
      .s1_i,
      .c_neg_i,
      .c_i,
      .d_neg_i,
      .d_i,
      .push_valid_o(push_valid),
      .push_ready_i,
      .push_entry_o(entry),
      .done_o(done)
  );

  logic job_q, accept, taken, refused_q;
  list_entry_t refused_entry_q;
  logic c_neg_q, d_neg_q, negative;
  logic [6:0] bytes_q;  // that the position has passed, as left_q leaves them; 127 stands for more
  logic [3:0] past_q;  // bits of left_q below it
  logic [10:0] at;  // the position
  logic passed;  // a byte of them
  logic [1:0] move;  // how far it moves
  logic some_q;  // an entry of this position was taken
  logic [1:0] kind_q;  // the latest one
  logic signed [LowBits-1:0] digit;
  logic [Lanes-1:0][255:0] scalar;
  logic [Lanes-1:0] none, sound;
  logic [1:0] over_q;  // cycles in which nothing was left
  logic nothing;

  assign scalar = {d_i, c_i, 256'(s1_i), 256'(s0_i)};
  assign accept = valid_i && ready;
  assign taken = push_valid && push_ready_i;
  assign move = u_dut.advance ? u_dut.skip : 2'd0;
  assign at = {1'b0, bytes_q, 3'b000} + 11'(past_q);
  assign passed = past_q >= 4'd8;
  assign nothing = &none;

  always_comb begin
    unique case (entry.kind)
      ListR:   negative = entry.neg ^ !d_neg_q;
      ListA:   negative = entry.neg ^ !c_neg_q;
      default: negative = entry.neg;
    endcase
    digit = LowBits'({entry.idx, 1'b1});
    if (negative) digit = -digit;
  end

  pm_recoder_watch #(
      .Bits($bits(list_entry_t))
  ) u_watch (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .offered_i(push_valid),
      .taken_i(push_ready_i),
      .offer_i(entry),
      .job_o(job_q),
      .refused_o(refused_q),
      .refused_offer_o(refused_entry_q)
  );

  always_ff @(posedge clk_i) begin
    if (accept) begin
      bytes_q <= '0;
      past_q <= '0;
      some_q <= 1'b0;
      over_q <= '0;
      {d_neg_q, c_neg_q} <= {d_neg_i, c_neg_i};
    end else if (job_q && !done) begin
      if (passed && bytes_q != '1) bytes_q <= bytes_q + 7'd1;
      past_q <= past_q + 4'(move) - (passed ? 4'd8 : 4'd0);
      some_q <= move == '0 && (some_q || taken);
      if (taken) kind_q <= entry.kind;
      if (nothing) over_q <= over_q + 2'd1;
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // For the induction step: the digits at the position, and how far the next one is.
  logic [Lanes-1:0] here;
  logic [1:0] highest, skip;
  logic [2:1] ahead;

  always_comb begin
    highest = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (here[l]) highest = 2'(l);
    end
    skip = 2'd3;
    if (ahead[2]) skip = 2'd2;
    if (ahead[1]) skip = 2'd1;
  end

  logic [Lanes-1:0][2:1] ahead_of;
  always_comb begin
    ahead = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (!here[l]) ahead |= ahead_of[l];
    end
  end

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    localparam int unsigned Bits = l < 2 ? 127 : 256;
    localparam int unsigned Window = l < 2 ? WG : WA;
    localparam int unsigned Near = Window + 13;  // bits that the unit has beside the position

    logic [Bits-1:0] left_q;
    logic [Near-1:0] left;
    logic signed [LowBits-1:0] owed_q, owed, low, low_now;
    logic [3:0] zeros_q, zeros;  // positions until the next digit may be
    logic exact;

    assign left = left_q[Near-1:0] >> past_q;

    always_comb begin
      owed = owed_q;
      if (taken && entry.kind == list_kind_e'(l)) owed = owed - digit;
      low   = owed;
      exact = 1'b1;
      for (int unsigned i = 1; i <= 3; i++) begin
        if (move == 2'(i)) begin
          low   = owed + LowBits'(left & Near'((1 << i) - 1));
          exact = (low & LowBits'((1 << i) - 1)) == '0;
          low   = low >>> i;
        end
      end
      low_now = owed_q + LowBits'({1'b0, left[Window-1:0]});
    end

    assign zeros   = taken && entry.kind == list_kind_e'(l) ? 4'(Window) : zeros_q;
    assign none[l] = left_q >> Near == '0 && left >> Window == '0 && low_now == '0;

    always_ff @(posedge clk_i) begin
      if (accept) begin
        left_q  <= scalar[l][Bits-1:0];
        owed_q  <= '0;
        zeros_q <= '0;
      end else if (job_q && !done) begin
        if (passed) left_q <= left_q >> 8;
        owed_q  <= low;
        zeros_q <= zeros > 4'(move) ? zeros - 4'(move) : '0;
      end
    end

    // What the unit has of the scalar.
    logic [Near-1:0] rest;
    logic carry;
    assign rest = u_dut.gen_lane[l].rest_q;
    assign carry = u_dut.gen_lane[l].carry_q;
    assign here[l] = rest[0] ^ carry;
    assign ahead_of[l] = {rest[2] ^ carry, rest[1] ^ carry};

    // Low bits: behind a digit its carry, then the scalar. What lies above the scalar is 0.
    always_comb begin
      sound[l] = left >> Window == rest >> Window && rest >> (Near - 32'(past_q)) == '0 &&
          left_q >> Near == Bits'(u_dut.gen_lane[l].far_q) &&
          low_now == LowBits'({1'b0, rest[Window-1:0]}) + LowBits'({1'b0, carry}) &&
          32'(zeros_q) <= Window && (!carry || 32'(at) + 32'(zeros_q) <= Bits) &&
          (u_dut.gen_lane[l].any_far_q || u_dut.gen_lane[l].far_q == '0) &&
          (over_q == '0 || (none[l] && !u_dut.gen_lane[l].any_far_q)) &&
          (!u_dut.empty_q || none[l]);
      for (int unsigned i = 0; i < Window; i++) begin
        if (rest[i] != (i < 32'(zeros_q) ? carry : left[i])) sound[l] = 1'b0;
      end
      for (int unsigned i = 0; i < Bits; i++) begin
        if (left_q[i] && i + 32'(bytes_q) * 8 >= Bits) sound[l] = 1'b0;
      end
    end

    if (Scalar == l) begin : gen_claims
      always_comb begin
        if (rst_ni && job_q && !done) begin
          p_exact : assert (exact);
        end
        if (rst_ni && done) begin
          p_all : assert (none[l]);
        end
        if (rst_ni && push_valid && entry.kind == list_kind_e'(l)) begin
          p_apart : assert (zeros_q == '0);
          p_window : assert (32'(entry.idx) < 1 << (Window - 2));
        end
        if (rst_ni && u_dut.busy_q) begin
          i_sound : assert (sound[l]);
        end
      end
    end
  end

  always_comb begin
    a_reset : assume (started_q || !rst_ni);

    if (rst_ni) begin
      i_busy : assert (u_dut.busy_q == (job_q && !done));
      i_idle : assert (u_dut.busy_q || u_dut.fill_q);
      if (u_dut.busy_q) begin
        i_past : assert (past_q <= 4'd10 && u_dut.gone_q == past_q && u_dut.fill_q == passed);
        i_here : assert (u_dut.any_digit == |here && u_dut.lane == highest && u_dut.skip == skip);
        i_one : assert (u_dut.one_digit == $onehot(here));
        i_shift : assert (u_dut.shift == (here == '0 || $onehot(here) ? skip : 2'd0));
        i_sign : assert (u_dut.invert_q == {!d_neg_q, !c_neg_q, 2'b00});
      end
    end
  end

  if (Scalar == Lanes) begin : gen_list
    always_comb begin
      if (rst_ni) begin
        a_sound : assume (!u_dut.busy_q || &sound);

        p_ready : assert (ready == (!job_q || done));
        p_job : assert (!done || job_q);
        if (push_valid) begin
          p_place : assert (job_q && !done && 11'(entry.pos) == at && at <= 11'd256);
          p_more : assert (entry.more == some_q);
          p_order : assert (!some_q || entry.kind < list_kind_e'(kind_q));
        end
        if (refused_q) begin
          p_hold : assert (push_valid && entry == refused_entry_q);
        end
        if (job_q && !done) begin
          p_end : assert (over_q < 2'd3);
        end

        if (u_dut.busy_q) begin
          i_at :
          assert (u_dut.pos_q == 9'(at) && 32'(at) <= 32'd256 + 32'd3 * (32'(over_q) + 32'd1));
          i_place : assert (nothing || at <= 11'd256);
          i_some : assert (u_dut.later_q == some_q);
          i_kind : assert (!some_q || !(|here) || highest < kind_q);
          i_refused : assert (!refused_q || push_valid);
          i_ends : assert (over_q < 2'd2 || u_dut.empty_q);
        end
      end
    end
  end

endmodule
