// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequence of s0 G0 + s1 G1 - c A - d R: the width-w NAFs of the four scalars,
// recoded right to left in lockstep and merged by position into one list, pushed lowest position
// first.
//
// Each lane is a pm_naf_recoder with a common position: a carry bit stands for "add 1 to what is
// left", the lane has a digit where its bit differs from its carry, and a digit that is pushed
// leaves w bits equal to the new carry behind, which read as zeros. At a position the digits are
// pushed in the order R, A, G1, G0, so that they are read back G0, G1, A, R; all but the first one
// pushed have `more` set. With the last digit of a position, or without one there, the position
// moves on by up to 3. Only the bits next to the position move with it; after each 8 positions they
// get the next byte of the others, so that few gates wait for the digits.
// `neg` is the sign with which the multiple is added: for A and R already that of -c and -d.
//
// Operands: any; s0_i = s1_i = c_i = d_i = 0 makes an empty list. Positions are at most 256, and
// there are at most 13 + 13 + 65 + 65 = 156 entries for the default windows.
// Latency: with push_ready_i always 1, accept to done_o takes 3 cycles and one per entry, plus
// (n - 1) / 3, rounded down, for each step of n positions from one position with digits to the
// next, plus p / 3, rounded up, for a first digit at position p; 4 without an entry. Interval:
// latency.
// Handshake: valid_i/ready_o for the scalars, push_valid_o/push_ready_i for each entry. done_o is a
// level: 1 from the end of the list until the next scalars are accepted, clear_i or reset. clear_i
// abandons the list. Reset: idle, done_o = 0.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5 steps 1 and 3, for the digits; the merged
// list is this design's.

module pm_naf_merge
  import pm_scalar_pkg::*;
#(
    parameter int unsigned WG = 10,  // window of s0 and s1, 4 to 10
    parameter int unsigned WA = 4    // window of c and d, 4 to 10
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,       // abandon the list
    input  logic                valid_i,       // the scalars are valid
    output logic                ready_o,       // idle
    input  logic        [126:0] s0_i,          // multiple of G0
    input  logic        [126:0] s1_i,          // multiple of G1
    input  logic                c_neg_i,       // sign of c
    input  logic        [255:0] c_i,           // |c|, -c is the multiple of A
    input  logic                d_neg_i,       // sign of d
    input  logic        [255:0] d_i,           // |d|, -d is the multiple of R
    output logic                push_valid_o,  // an entry is offered
    input  logic                push_ready_i,  // the entry is taken
    output list_entry_t         push_entry_o,  // the entry
    output logic                done_o         // all entries of the last list were taken
);

  if (WG < 4 || WG > 10 || WA < 4 || WA > 10) begin : gen_check
    $fatal(1, "pm_naf_merge: the windows must lie between 4 and 10.");
  end

  localparam int unsigned Lanes = 4;
  localparam int unsigned MaxSkip = 3;
  localparam int unsigned Step = 8;  // bits that come closer together
  localparam int unsigned MostGone = Step - 1 + MaxSkip;  // bits gone by when they do

  logic busy_q, busy_d;
  logic done_q, done_d;
  logic empty_q;  // nothing was left in any lane a cycle ago
  logic later_q;  // an entry of this position was pushed
  logic [8:0] pos_q;

  logic load;  // accept the scalars
  logic [Lanes-1:0] take;  // the digit of the lane is pushed
  logic advance;  // leave this position
  logic [1:0] skip;  // by so many positions
  logic [1:0] shift;  // the same, or 0 if there are several digits
  logic [1:0] lane;  // of the digit at this position, if any_digit
  logic any_digit, moves;  // if the entry is taken or there is none
  logic [3:0] gone_q, gone_d;  // bits that have gone by and are not replaced yet
  logic [1:0] place;  // of the next byte below the highest one it can have
  logic fill_q;  // replace them; if idle, load

  // ----------------------------------------------------------------------------------------- lanes
  logic [Lanes-1:0] is_digit, negative, left, invert_q;  // is_digit: in the next cycle
  logic [Lanes-1:0][MaxSkip-1:1] ahead;  // digits at the positions behind it, other than by take
  logic [Lanes-1:0][7:0] idx;
  logic [Lanes-1:0][255:0] scalar;

  assign scalar[ListG0] = 256'(s0_i);
  assign scalar[ListG1] = 256'(s1_i);
  assign scalar[ListA]  = c_i;
  assign scalar[ListR]  = d_i;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lane
    localparam int unsigned Bits = (l < 2) ? 127 : 256;
    localparam int unsigned Window = (l < 2) ? WG : WA;
    // A byte is put above what the position can reach in that cycle.
    localparam int unsigned Near = Window + MaxSkip + MostGone;
    localparam int unsigned Far = (Bits - Near + Step - 1) / Step * Step;

    logic [Near-1:0] rest_q, rest_d, rest;  // lowest bits of scalar >> pos, without the carry
    logic [Far-1:0] far_q;  // the bits above them
    logic carry_q, carry_d, any_far_q;

    assign is_digit[l] = rest_d[0] ^ carry_d;
    assign negative[l] = rest_q[Window-1];
    // d mod 2^w = 2m + 1; a negative digit is 2m + 1 - 2^w, whose index is the complement of m.
    assign idx[l] = 8'(rest_q[Window-2:1] ^ {(Window - 2) {negative[l]}});
    assign ahead[l] = rest_d[MaxSkip-1:1] ^ {(MaxSkip - 1) {carry_d}};
    // The last byte is still near when any_far_q notices that there is none left.
    assign left[l] = (rest_q != '0) || any_far_q || carry_q;

    always_comb begin
      rest    = rest_q;
      carry_d = carry_q;
      if (any_digit && lane == 2'(l) && moves) rest[Window-1:0] = {Window{negative[l]}};
      if (take[l]) carry_d = negative[l];
      if (fill_q) rest[Near-1-:MostGone] |= MostGone'(far_q[Step-1:0]) << place;
      rest_d = moves ? rest >> shift : rest;
      if (!busy_q) begin  // also without a load, for a short path
        rest_d  = scalar[l][Near-1:0];
        carry_d = 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      rest_q  <= rest_d;
      carry_q <= carry_d;
      if (fill_q) far_q <= busy_q ? far_q >> Step : Far'(scalar[l][Bits-1:Near]);
      any_far_q <= !busy_q || far_q != '0;
    end
  end

  // ----------------------------------------------------------------------- position and its digits
  // Worked out a cycle ahead, because lane and skip reach every bit of the scalars.
  logic [1:0] lane_d, skip_d;
  logic one_digit;
  logic [MaxSkip-1:1] any_ahead;

  always_comb begin
    lane_d = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (is_digit[l]) lane_d = 2'(l);  // the highest: R first
    end
    any_ahead = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (!is_digit[l]) any_ahead |= ahead[l];  // a digit is followed by zeros
    end
    skip_d = 2'(MaxSkip);
    for (int unsigned i = MaxSkip - 1; i >= 1; i--) begin
      if (any_ahead[i]) skip_d = 2'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    lane <= lane_d;
    skip <= skip_d;
    any_digit <= |is_digit;
    one_digit <= $onehot(is_digit);
    shift <= (is_digit == '0 || $onehot(is_digit)) ? skip_d : 2'd0;
  end

  always_comb begin
    take = '0;
    take[lane] = push_valid_o && push_ready_i;
  end

  assign gone_d = !busy_q ? '0 : gone_q + (moves ? 4'(shift) : 4'd0) - (fill_q ? 4'(Step) : 4'd0);
  assign place = 2'(4'(MostGone) - gone_q);

  assign load = !busy_q && valid_i;
  assign moves = !any_digit || push_ready_i;
  assign advance = busy_q && (!any_digit || (one_digit && push_ready_i));

  assign ready_o = !busy_q;
  assign done_o = done_q;
  assign push_valid_o = busy_q && any_digit;
  assign push_entry_o = '{
          pos: pos_q,
          kind: list_kind_e'(lane),
          neg: negative[lane] ^ invert_q[lane],
          more: later_q,
          idx: idx[lane]
      };

  // ------------------------------------------------------------------------------ state, registers
  always_comb begin
    busy_d = busy_q;
    done_d = done_q;
    if (load) begin
      busy_d = 1'b1;
      done_d = 1'b0;
    end else if (busy_q && empty_q) begin
      busy_d = 1'b0;
      done_d = 1'b1;
    end
    if (clear_i) begin
      busy_d = 1'b0;
      done_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
      fill_q <= 1'b1;
    end else begin
      busy_q <= busy_d;
      done_q <= done_d;
      fill_q <= !busy_d || gone_d >= 4'(Step);
    end
  end

  always_ff @(posedge clk_i) begin
    empty_q <= busy_q && left == '0;
    gone_q  <= gone_d;
    if (!busy_q) begin
      pos_q    <= '0;
      later_q  <= 1'b0;
      invert_q <= {!d_neg_i, !c_neg_i, 2'b00};
    end else if (advance) begin
      pos_q   <= pos_q + 9'(skip);
      later_q <= 1'b0;
    end else if (take != '0) begin
      later_q <= 1'b1;
    end
  end

endmodule
