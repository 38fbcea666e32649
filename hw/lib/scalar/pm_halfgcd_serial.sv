// SPDX-License-Identifier: Apache-2.0
//
// Half-size scalars as pm_halfgcd makes them, by 32-bit words: for k < L a pair (c, d) with c = d *
// k mod 8L, d odd. Steps, stop rule and results are the same; its header proves them.
//
// Both pairs (r, t) lie in memories of their own, so that a step reads a word of each in a cycle,
// shifts that of the lesser remainder (up to 31 places, against the word before), adds, and writes.
// The remainders come first, as many words as the greater one has; while the size of the new one is
// found and the next step decided, which takes nine cycles, the nine words of the cofactors follow.
//
// Operands: 0 <= k < L (k = L would never end). |c| <= 2^128, |d| < 2^256.
// Latency:  from the last word of k to done_o 32 cycles and, for each step, 9 and the words of the
//           greater remainder, at least 5; steps: see pm_halfgcd.
// Handshake: take_o: idle. Then the 16 words of k, lowest first, at any pace, with k_valid_i. The
//           results are written, eight words of each, lowest first, of c the lower five, once
//           out_ready_i is 1, which then stays until done_o (pulse). From then on c_neg_o, the
//           sign of c if d is made positive, holds until the next results. clear_i abandons the
//           job; the next word of k must not come within five cycles.
// Reset:    asynchronous, active low: idle.
// Constant time: NO. For public scalars only.
// Source: original.

module pm_halfgcd_serial
  import pm_scalar_pkg::*;
(
    input  logic        clk_i,        // clock
    input  logic        rst_ni,       // asynchronous reset, active low
    input  logic        clear_i,      // abandon the job
    output logic        take_o,       // idle: k may come
    input  logic        k_valid_i,    // a word of k
    input  logic [15:0] k_word_i,
    input  logic        out_ready_i,  // the results may be written
    output logic        c_we_o,       // write a word of |c|
    output logic        d_we_o,       // write a word of |d|
    output logic [ 2:0] out_addr_o,   // this word
    output logic [31:0] out_word_o,
    output logic        c_neg_o,      // c / d is negative
    output logic        done_o        // pulse: the results are complete
);

  localparam int unsigned Words = 9;  // of a remainder or cofactor, with sign
  localparam int unsigned LastOfC = 4;  // word of the results: |c| <= 2^128

  typedef logic [3:0] index_t;

  // Size of a remainder r: of |r|, or |r| - 1 if it is negative, the place of the leading one and
  // the bit below it. Ordered like the magnitudes; for r = 0 and -1, which are decided otherwise,
  // the place is 0.
  typedef struct packed {
    logic [8:0] place;
    logic       mantissa;
  } size_t;

  typedef enum logic [3:0] {
    StLoad,     // words of k, and the other beginnings; idle before the first one
    StLoadEnd,  // their last words
    StSettle,   // wait for the decision
    StStepR,    // words of remainders
    StStepT,    // words of cofactors, and wait for the decision
    StStop,     // wait for out_ready_i
    StEndR,     // words of c
    StEndT,     // words of d
    StDrain     // until they are written
  } state_e;

  // What goes down the pipeline with the words: where the result goes, and how it is made.
  typedef struct packed {
    logic       ending;  // of the results
    logic       load;    // of the beginnings
    logic       t;       // of cofactors
    logic       slot;    // of this pair; the other one is shifted
    index_t     word;
    logic       blank;   // the shifted word is 0
    logic       given;   // the other one is load_q
    logic [4:0] shift;
    logic       sub;
  } tag_t;

  state_e state_q, state_d;
  index_t word_q, word_d;
  // Each stage looks at some of it.
  /* verilator lint_off UNUSEDSIGNAL */
  tag_t tag, addr_q, read_q, coarse_q, fine_q, sum_q;
  /* verilator lint_on UNUSEDSIGNAL */
  logic valid;
  logic [4:0] valid_q;  // of the tags in these registers
  logic sum_valid;

  // ---- the step in progress, decided at the end of the one before ------------------------------

  logic slot_q;  // the pair that is replaced
  logic sub_q;  // the other one, shifted, is subtracted
  logic [7:0] shift_q;  // by so many places
  index_t last_q;  // last word of remainders
  logic [1:0] r_neg_q, t_neg_q, t_odd_q;  // of each pair
  logic decide;

  // ---- words that go into the pipeline ---------------------------------------------------------

  logic [15:0] low_q;  // lower half of a word of k
  logic [31:0] k_q;  // the latest word of k
  logic upper_q;  // the upper half is due
  logic word_of_k;  // a word of k becomes complete
  logic [4:0] from;  // place of the shifted word
  logic is_t;

  assign word_of_k = state_q == StLoad && k_valid_i && upper_q;
  assign from = 5'(word_q) - 5'(shift_q[7:5]);
  assign is_t = state_q == StStepT || state_q == StEndT;

  always_comb begin
    valid = 1'b0;
    tag = '0;
    tag.slot = slot_q;
    tag.word = word_q;
    tag.shift = shift_q[4:0];
    tag.sub = sub_q;
    tag.t = is_t;
    tag.blank = from[4];
    unique case (state_q)
      StLoad: begin
        // The lower half comes with a word of t, the upper half with one of r.
        valid = k_valid_i;
        tag.t = !upper_q;
      end
      StLoadEnd: begin
        valid = 1'b1;
        tag.t = !upper_q;
      end
      StStepR, StStepT: valid = 1'b1;
      StEndR, StEndT: begin
        valid = 1'b1;
        tag.ending = 1'b1;
        tag.given = 1'b1;
        tag.shift = '0;
        tag.blank = 1'b0;
        tag.sub = is_t ? t_neg_q[!slot_q] : r_neg_q[!slot_q];
      end
      default: ;
    endcase
    if (state_q == StLoad || state_q == StLoadEnd) begin
      {tag.load, tag.given, tag.blank} = '1;
      {tag.slot, tag.sub} = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (k_valid_i && !upper_q) low_q <= k_word_i;
    if (k_valid_i && upper_q) k_q <= {k_word_i, low_q};
  end

  // ---- memories --------------------------------------------------------------------------------

  typedef logic [4:0] addr_t;  // {cofactor, word}

  (* ram_style = "distributed" *)logic [31:0] pair0_q[32];
  (* ram_style = "distributed" *)logic [31:0] pair1_q[32];
  addr_t addr0_q, addr1_q, write_addr;
  logic [31:0] word0_q, word1_q, load_q, begin1, sum_word_q;
  logic write;

  assign write_addr = {sum_q.t, sum_q.word};
  assign write = sum_valid && !sum_q.ending;
  // The other pair begins as (8L, 0).
  assign begin1 = sum_q.t ? '0 : modulus_word(sum_q.word);

  function automatic logic [31:0] modulus_word(index_t index);
    logic [32*16-1:0] all;
    all = (32 * 16)'({L, 3'd0});
    return all[32*32'(index)+:32];
  endfunction

  always_ff @(posedge clk_i) begin
    addr0_q <= {tag.t, tag.slot ? (tag.ending ? word_q : from[3:0]) : word_q};
    addr1_q <= {tag.t, tag.slot || tag.ending ? word_q : from[3:0]};
    word0_q <= pair0_q[addr0_q];
    word1_q <= pair1_q[addr1_q];
    load_q  <= '0;
    if (addr_q.load && !addr_q.t && addr_q.word < index_t'(Words - 1)) load_q <= k_q;
    if (addr_q.load && addr_q.t && addr_q.word == '0) load_q[0] <= 1'b1;
    if (write && (sum_q.load || !sum_q.slot)) pair0_q[write_addr] <= sum_word_q;
    if (write && (sum_q.load || sum_q.slot)) begin
      pair1_q[write_addr] <= sum_q.load ? begin1 : sum_word_q;
    end
  end

  // ---- shifter, adder --------------------------------------------------------------------------

  logic [31:0] shifted_word, other_coarse_q, other_fine_q, fine_word_q;
  logic [30:0] lower_word_q, lower_word;  // what is shifted in
  logic [38:0] coarse_word_q;
  logic carry_q;

  assign shifted_word = (read_q.slot ? word0_q : word1_q) & {32{!read_q.blank}};
  assign lower_word   = read_q.word == '0 ? '0 : lower_word_q;

  always_ff @(posedge clk_i) begin
    lower_word_q <= shifted_word[31:1];
    unique case (read_q.shift[4:3])
      2'd0: coarse_word_q <= {shifted_word, lower_word[30:24]};
      2'd1: coarse_word_q <= {shifted_word[23:0], lower_word[30:16]};
      2'd2: coarse_word_q <= {shifted_word[15:0], lower_word[30:8]};
      default: coarse_word_q <= {shifted_word[7:0], lower_word};
    endcase
    other_coarse_q <= read_q.given ? load_q : read_q.slot ? word1_q : word0_q;
    fine_word_q <= 32'(coarse_word_q >> (3'd7 - coarse_q.shift[2:0])) ^ {32{coarse_q.sub}};
    other_fine_q <= other_coarse_q;
    {carry_q, sum_word_q} <= 33'(other_fine_q) + 33'(fine_word_q) +
        33'(fine_q.word == '0 ? fine_q.sub : carry_q);
  end

  // ---- size of the latest remainder ------------------------------------------------------------
  // Its highest word with a 1, and the one with a 0, until its sign is known; of each the bit
  // below.

  logic latest;  // a word of it
  logic [31:0] ones_word_q, zeros_word_q, sized_q;
  logic ones_below_q, zeros_below_q, below_q, top_q;
  index_t ones_index_q, zeros_index_q, index_q;
  logic sign_q, sized_sign_q;

  assign latest = sum_valid && !sum_q.ending && !sum_q.t;

  always_ff @(posedge clk_i) begin
    if (latest) begin
      top_q  <= sum_word_q[31];
      sign_q <= sum_word_q[31];
      if (sum_q.word == '0 || sum_word_q != '0) begin
        {ones_word_q, ones_index_q} <= {sum_word_q, sum_q.word};
        ones_below_q <= sum_q.word != '0 && top_q;
      end
      if (sum_q.word == '0 || sum_word_q != '1) begin
        {zeros_word_q, zeros_index_q} <= {~sum_word_q, sum_q.word};
        zeros_below_q <= sum_q.word == '0 || !top_q;
      end
    end
    sized_q <= sign_q ? zeros_word_q : ones_word_q;
    below_q <= sign_q ? zeros_below_q : ones_below_q;
    index_q <= sign_q ? zeros_index_q : ones_index_q;
    sized_sign_q <= sign_q;
  end

  size_t size, new_size_q, old_size_q;
  logic zero_q;
  logic [1:0] nonzero, mantissa;  // of each half of the word
  logic [1:0][3:0] place;

  for (genvar h = 0; h < 2; h++) begin : g_half
    pm_highest u_highest (
        .word_i (sized_q[16*h+:16]),
        .data_i (h == 0 ? {sized_q[14:0], below_q} : sized_q[30:15]),
        .any_o  (nonzero[h]),
        .index_o(place[h]),
        .data_o (mantissa[h])
    );
  end

  assign size = '{
          place: {index_q, nonzero[1], place[nonzero[1]]},
          mantissa: mantissa[nonzero[1]]
      };

  // ---- decision --------------------------------------------------------------------------------

  logic less_q, small_q, zero2_q;
  logic [7:0] down_q, up_q;  // shift of the other one, of the latest
  index_t last_new_q, last_old_q;  // last word of a step that replaces the latest, the other one
  logic first_q;  // the latest pair is (k, 1)
  logic stop, swap;

  // The new remainder is shorter than the one it replaces by a bit, which leaves room for its sign.
  // Of the results' words all are written, also if that one is 0.
  function automatic index_t last_word(index_t top);
    return top[3:2] == '0 ? index_t'(LastOfC) : top;
  endfunction

  always_ff @(posedge clk_i) begin
    new_size_q <= size;
    zero_q <= nonzero == '0 && !sized_sign_q;
    zero2_q <= zero_q;
    less_q <= new_size_q < old_size_q;
    small_q <= new_size_q.place[8:7] == '0;
    down_q <= 8'(new_size_q.place - old_size_q.place) -
        8'(old_size_q.mantissa && !new_size_q.mantissa);
    up_q <= 8'(old_size_q.place - new_size_q.place) -
        8'(new_size_q.mantissa && !old_size_q.mantissa);
    last_new_q <= last_word(new_size_q.place[8:5]);
    last_old_q <= last_word(old_size_q.place[8:5]);
  end

  assign stop   = small_q && t_odd_q[slot_q] && (first_q || !zero2_q);
  // A remainder of 0 stays: the next step adds the other one to it.
  assign swap   = stop || (!zero2_q && less_q);
  assign decide = (state_q == StSettle || state_q == StStepT) && word_q == index_t'(Words - 1);

  always_ff @(posedge clk_i) begin
    if (latest) r_neg_q[sum_q.slot] <= sum_word_q[31];
    if (sum_valid && !sum_q.ending && sum_q.t) begin
      t_neg_q[sum_q.slot] <= sum_word_q[31];
      if (sum_q.word == '0) t_odd_q[sum_q.slot] <= sum_word_q[0];
    end
    if (decide) begin
      slot_q  <= slot_q ^ swap;
      shift_q <= zero2_q ? '0 : less_q ? up_q : down_q;
      last_q  <= swap ? last_old_q : last_new_q;
      sub_q   <= r_neg_q[0] == r_neg_q[1];
      if (swap) old_size_q <= new_size_q;
      first_q <= 1'b0;
    end
    if (state_q == StLoad) begin
      slot_q <= 1'b0;
      first_q <= 1'b1;
      old_size_q <= '{place: 9'd255, mantissa: 1'b0};
      r_neg_q[1] <= 1'b0;
      t_neg_q[1] <= 1'b0;
      t_odd_q[1] <= 1'b0;
    end
  end

  // ---- sequence --------------------------------------------------------------------------------

  always_comb begin
    state_d = state_q;
    word_d  = word_q + index_t'(1);
    unique case (state_q)
      StLoad: begin
        word_d = word_q;
        if (word_of_k) begin
          word_d = word_q + index_t'(1);
          if (word_q == index_t'(Words - 2)) state_d = StLoadEnd;
        end
      end
      StLoadEnd: begin
        word_d = upper_q ? '0 : word_q;
        if (upper_q) state_d = StSettle;
      end
      StSettle, StStepT:
      if (word_q == index_t'(Words - 1)) begin
        word_d  = '0;
        state_d = stop ? StStop : StStepR;
      end
      StStepR:
      if (word_q == last_q) begin
        word_d  = '0;
        state_d = StStepT;
      end
      StStop: begin
        word_d = '0;
        if (out_ready_i) state_d = StEndR;
      end
      StEndR:
      if (word_q == index_t'(LastOfC)) begin
        word_d  = '0;
        state_d = StEndT;
      end
      StEndT:
      if (word_q == index_t'(Words - 2)) begin
        word_d  = '0;
        state_d = StDrain;
      end
      StDrain: if (done_o) state_d = StLoad;
      default: state_d = StLoad;
    endcase
    if (clear_i) state_d = StLoad;
    if (state_d == StLoad && state_q != StLoad) word_d = '0;
    if (clear_i) word_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLoad;
      word_q  <= '0;
      upper_q <= 1'b0;
      valid_q <= '0;
    end else begin
      state_q <= state_d;
      word_q  <= word_d;
      upper_q <= (upper_q ^ (k_valid_i || state_q == StLoadEnd)) && !clear_i;
      valid_q <= {valid_q[3:0], valid};
    end
  end

  always_ff @(posedge clk_i) begin
    {addr_q, read_q, coarse_q, fine_q, sum_q} <= {tag, addr_q, read_q, coarse_q, fine_q};
    if (state_q == StDrain) c_neg_o <= r_neg_q[!slot_q] ^ t_neg_q[!slot_q];
  end

  assign sum_valid = valid_q[4];
  assign take_o = state_q == StLoad && word_q == '0 && !upper_q;
  // Six cycles after the last word.
  assign done_o = state_q == StDrain && word_q == index_t'(5);
  assign c_we_o = sum_valid && sum_q.ending && !sum_q.t;
  assign d_we_o = sum_valid && sum_q.ending && sum_q.t;
  assign out_addr_o = sum_q.word[2:0];
  assign out_word_o = sum_word_q;

endmodule
