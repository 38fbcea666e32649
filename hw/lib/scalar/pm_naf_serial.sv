// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequence of s0 G0 + s1 G1 - c A - d R, s = s0 + 2^127 s1, entry for entry that of
// pm_naf_merge with its usual windows (10 for G0 and G1, 4 for A and R), one position a cycle; with
// the memory of the scalars.
//
// Every lane has the next ten bits of its scalar and up to 16 more, which come from the memory all
// at once after each 16 positions. A carry bit stands for "add 1 to what is left": the lane has a
// digit where its bit differs from its carry; when the digit is pushed, its bits become the carry.
//
// Operands: s < 2^253, |c| < 2^160, d < 2^256. The sign of c is that with d > 0.
// Latency:  start_i to done_o 355 cycles and one for each entry, one more for an entry that follows
//           another one of its position; more if entries wait.
// Handshake: words of the scalars are written at any time but between start_i (pulse) and done_o
//           (pulse, after the last entry was taken). d_word_o is the half word d_addr_i of d in the
//           same cycle, except between these. push_valid_o/push_ready_i for each entry, lowest
//           position first. clear_i abandons the list.
// Reset:    asynchronous, active low: idle. Scalars keep what they held.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5 steps 1 and 3, for the digits.

module pm_naf_serial
  import pm_scalar_pkg::*;
(
    input  logic               clk_i,         // clock
    input  logic               rst_ni,        // asynchronous reset, active low
    input  logic               clear_i,       // abandon the list
    input  logic               s_we_i,        // write a word of s
    input  logic        [ 3:0] s_addr_i,
    input  logic        [15:0] s_word_i,
    input  logic               c_we_i,        // write a word of |c|, one of the lower five
    input  logic               d_we_i,        // write a word of d
    input  logic        [ 2:0] cd_addr_i,
    input  logic        [31:0] cd_word_i,
    input  logic        [ 3:0] d_addr_i,      // half word of d to read
    output logic        [15:0] d_word_o,
    input  logic               start_i,       // pulse: the scalars are complete
    input  logic               c_neg_i,       // with it: sign of c
    output logic               push_valid_o,  // an entry is offered
    input  logic               push_ready_i,  // the entry is taken
    output list_entry_t        push_entry_o,  // the entry
    output logic               done_o         // pulse: all entries were taken
);

  localparam int unsigned Lanes = 4;
  localparam int unsigned Near = 10;  // bits of a digit of G0 and G1
  localparam int unsigned WA = 4;  // bits of a digit of A and R
  localparam int unsigned LastPos = 256;
  localparam int unsigned PosBits = 9;

  typedef enum logic [1:0] {
    StIdle,
    StRefill,  // the next 16 bits of all lanes
    StRun,     // digits and positions
    StLast     // wait until the last entry is taken
  } state_e;

  state_e state_q, state_d;
  logic [2:0] step_q;  // of a refill
  logic [4:0] word_q;  // the next word of all lanes
  logic [3:0] left_q;  // bits that are left, less one
  logic signed [PosBits+1:0] pos_q;  // below 0: the first bits are still to come
  logic shift, push, last_bit;

  // ---- scalars ---------------------------------------------------------------------------------

  (* ram_style = "distributed" *) logic [15:0] s_q[16];
  (* ram_style = "distributed" *) logic [31:0] c_q[16];
  (* ram_style = "distributed" *) logic [31:0] d_q[16];
  logic s127_q;  // lowest bit of s1
  logic [3:0] s_addr, d_addr;
  logic [15:0] s_word, c_word, d_word, next_q;
  logic [31:0] c_both, d_both;
  logic [1:0] lane;  // of the step of a refill

  assign lane = step_q[1:0];
  // s1 goes on with bit 128.
  assign s_addr = {lane == 2'(ListG1), word_q[2:0]};
  assign s_word = s_q[s_addr];
  assign c_both = c_q[{1'b0, word_q[3:1]}];
  assign c_word = word_q[0] ? c_both[31:16] : c_both[15:0];
  assign d_addr = state_q == StIdle ? d_addr_i : word_q[3:0];
  assign d_both = d_q[{1'b0, d_addr[3:1]}];
  assign d_word = d_addr[0] ? d_both[31:16] : d_both[15:0];
  assign d_word_o = d_word;

  always_ff @(posedge clk_i) begin
    if (s_we_i) s_q[s_addr_i] <= s_word_i;
    if (s_we_i && s_addr_i == 4'd7) s127_q <= s_word_i[15];
    if (c_we_i) c_q[{1'b0, cd_addr_i}] <= cd_word_i;
    if (d_we_i) d_q[{1'b0, cd_addr_i}] <= cd_word_i;
    unique case (list_kind_e'(lane))
      ListG0:  next_q <= word_q < 5'd8 ? {s_word[15] && word_q != 5'd7, s_word[14:0]} : '0;
      ListG1:  next_q <= word_q < 5'd8 ? s_word : '0;
      ListA:   next_q <= word_q < 5'd10 ? c_word : '0;
      default: next_q <= word_q < 5'd16 ? d_word : '0;
    endcase
  end

  // ---- lanes -----------------------------------------------------------------------------------

  logic [Lanes-1:0] digit_q;  // a digit of this position is to be pushed
  logic [Lanes-1:0] take;  // it is pushed
  logic [Lanes-1:0] negative, carry_q, follows;
  logic [Lanes-1:0][7:0] idx;

  for (genvar l = 0; l < int'(Lanes); l++) begin : g_lane
    localparam int unsigned Window = l < 2 ? Near : WA;
    // s1 begins with a bit that is in no word of its own.
    localparam int unsigned Bits = l == int'(ListG1) ? Near + 1 : Near;
    logic [Bits-1:0] near_q;
    logic [15:0] far_q;

    assign negative[l] = near_q[Window-1];
    // d mod 2^w = 2m + 1; a negative digit is 2m + 1 - 2^w, whose index is the complement of m.
    assign idx[l] = 8'(near_q[Window-2:1] ^ {(Window - 2) {negative[l]}});
    assign follows[l] = near_q[1] ^ carry_q[l];

    always_ff @(posedge clk_i) begin
      if (shift) begin
        near_q <= {far_q[0], near_q[Bits-1:1]};
        far_q  <= far_q >> 1;
      end
      if (take[l]) near_q[Window-1:0] <= {Window{negative[l]}};
      if (state_q == StRefill && step_q == 3'(l + 1)) far_q <= next_q;
      if (state_q == StIdle) begin
        near_q <= '0;
        if (l == int'(ListG1)) near_q[Bits-1] <= s127_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (shift) digit_q <= pos_q >= -1 ? follows : '0;
    else digit_q <= digit_q & ~take;
    carry_q <= (carry_q & ~take) | (take & negative);
    if (state_q == StIdle) {digit_q, carry_q} <= '0;
  end

  // ---- entries ---------------------------------------------------------------------------------

  logic [1:0] chosen;
  logic [Lanes-1:0] invert_q;
  logic later_q;  // an entry of this position was pushed

  always_comb begin
    chosen = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (digit_q[l]) chosen = 2'(l);  // the highest: R first
    end
    take = '0;
    take[chosen] = push;
  end

  assign push  = state_q == StRun && digit_q != '0 && !push_valid_o;
  assign shift = state_q == StRun && digit_q == '0;

  always_ff @(posedge clk_i) begin
    if (push) begin
      push_entry_o <= '{
          pos: pos_q[PosBits-1:0],
          kind: list_kind_e'(chosen),
          neg: negative[chosen] ^ invert_q[chosen],
          more: later_q,
          idx: idx[chosen]
      };
    end
    later_q <= !shift && (later_q || push);
    if (start_i) invert_q <= {1'b1, !c_neg_i, 2'b00};
  end

  // ---- sequence --------------------------------------------------------------------------------

  assign last_bit = left_q == '0;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:   if (start_i) state_d = StRefill;
      StRefill: if (step_q == 3'(Lanes)) state_d = StRun;
      StRun: begin
        if (shift && last_bit) state_d = StRefill;
        if (shift && pos_q == (PosBits + 2)'(LastPos)) state_d = StLast;
      end
      StLast:   if (!push_valid_o) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      push_valid_o <= 1'b0;
      done_o <= 1'b0;
    end else begin
      state_q <= state_d;
      push_valid_o <= (push || (push_valid_o && !push_ready_i)) && !clear_i;
      done_o <= state_q == StLast && !push_valid_o && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    step_q <= state_q == StRefill ? step_q + 3'd1 : '0;
    if (state_q == StRefill) left_q <= '1;
    else if (shift) left_q <= left_q - 4'd1;
    if (state_q == StIdle) begin
      pos_q  <= -(PosBits + 2)'(Near);
      word_q <= '0;
    end else begin
      if (shift) pos_q <= pos_q + (PosBits + 2)'(1);
      if (state_q == StRefill && step_q == 3'(Lanes)) word_q <= word_q + 5'd1;
    end
  end

endmodule
