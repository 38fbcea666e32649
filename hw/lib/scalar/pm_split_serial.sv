// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequence of S G - k A, k = digest mod L, with tables of 2^(32 i) G and 2^(32 i) A,
// made word by word in little logic at a high clock: the entries of pm_split_list, in another order
// within a position. There at most 8 of G and 8 of A come, those of the upper tables first.
//
// pm_modl_serial makes k. Both scalars are recoded at once: a lane has the eight bits of its scalar
// from the position on and up to 16 more, which come from its memory after each 16 positions. A
// carry bit stands for "add 1 to what is left": the lane has a digit where its bit differs from its
// carry; when the digit goes to the chain of its position, its bits become the carry. Then the
// chains are read. k of the next job is made meanwhile.
//
// Operands: any digest, S below 2^253.
// Interval: where jobs wait and every entry is taken at once, the next list is complete 484 cycles
//           after the one before on average, for uniform digests and S below L; 518 at most over
//           pairs of edge scalars. Latency: from the offer to done_o 895 cycles on average, 929 at
//           most over the same pairs.
// Handshake: valid_i, digest_i and s_i stay until ready_o (pulse): they are read meanwhile, which
//           takes 33 cycles. Entries by push_valid_o/push_ready_i; done_o pulses after the last
//           entry of a list. Lists have the order of the jobs. clear_i abandons all jobs.
// Reset:    asynchronous, active low: idle.
// Constant time: NO. For public data only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5 steps 1 and 3, for the digits.

module pm_split_serial
  import pm_scalar_pkg::*;
(
    input  logic                clk_i,         // clock
    input  logic                rst_ni,        // asynchronous reset, active low
    input  logic                clear_i,       // abandon all jobs
    input  logic                valid_i,       // a job is offered
    output logic                ready_o,       // pulse: it was read
    input  logic        [511:0] digest_i,      // SHA-512 digest, little-endian
    input  logic        [252:0] s_i,           // S
    output logic                push_valid_o,  // an entry is offered
    input  logic                push_ready_i,  // it is taken
    output list_entry_t         push_entry_o,  // the entry, lowest position first
    output logic                done_o         // pulse: the list is complete
);

  localparam int unsigned Lanes = 2;
  localparam int unsigned G = 0;  // lane of S
  localparam int unsigned A = 1;  // lane of k
  localparam int unsigned WindowG = 8;
  localparam int unsigned WindowA = 5;
  localparam int unsigned Near = WindowG;  // bits of the longer digit
  // Positions: the first bit comes into the far end of the near ones at -Near - 1; a carry of the
  // highest bits makes a digit at 253.
  localparam int unsigned PosBits = 9;
  localparam logic [PosBits-1:0] FirstPos = -PosBits'(Near + 1);
  localparam logic [PosBits-1:0] LastPos = PosBits'(253);
  // 2^StepBits positions between the points of neighbouring tables
  localparam int unsigned StepBits = 5;

  typedef enum logic [2:0] {
    StIdle,
    StTake,  // k is sent
    StRun,   // digits and positions
    StRead,  // entries
    StLast   // wait until the last entry is taken
  } state_e;

  state_e state_q, state_d;
  logic [PosBits-1:0] pos_q;
  logic shift, put, chains_last;

  // ---- k ----------------------------------------------------------------------------------------

  logic k_ready, k_take, k_valid;
  logic [15:0] k_word;
  logic unused_s_we, unused_s_done;
  logic [3:0] unused_d_addr, unused_s_addr;
  logic [15:0] unused_s_word;

  // Only its reduction of digests is used.
  pm_modl_serial u_modl (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o,
      .digest_i,
      .s_i(253'd0),
      .zero_i(1'b0),
      .k_ready_o(k_ready),
      .k_take_i(k_take),
      .k_valid_o(k_valid),
      .k_word_o(k_word),
      .d_valid_i(1'b0),
      .d_addr_o(unused_d_addr),
      .d_word_i(16'd0),
      .s_we_o(unused_s_we),
      .s_addr_o(unused_s_addr),
      .s_word_o(unused_s_word),
      .s_done_o(unused_s_done)
  );

  assign k_take = k_ready && state_q == StIdle;

  // ---- words of the scalars ---------------------------------------------------------------------
  // S is written over and over while it is offered, at least twice; not while k of the job before
  // is made, whose S would be lost.

  (* ram_style = "distributed" *)logic [ 15:0] s_mem[32];  // S of two jobs
  (* ram_style = "distributed" *)logic [ 15:0] k_mem[16];
  logic [255:0] s;
  logic [3:0] count_q, part_at_q, k_at_q, at;
  logic [1:0][15:0] part_q;
  logic part_valid_q;
  logic waits_q;  // a job was read, and its k not taken
  logic slot_q;  // of S of the next job
  logic [Lanes-1:0][15:0] next_q;  // the next word of each lane

  assign s  = 256'(s_i);
  assign at = pos_q[7:4] + 4'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {waits_q, slot_q, part_valid_q} <= '0;
      count_q <= '0;
    end else begin
      waits_q <= (waits_q || ready_o) && !k_take && !clear_i;
      slot_q <= slot_q ^ k_take;
      part_valid_q <= valid_i && !waits_q;
      count_q <= count_q + 4'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) part_q[i] <= s[128*i+16*32'(count_q[2:0])+:16];
    part_at_q <= count_q;
    if (part_valid_q) s_mem[{slot_q, part_at_q}] <= part_q[part_at_q[3]];
    if (k_valid) k_mem[k_at_q] <= k_word;
    k_at_q <= k_valid ? k_at_q + 4'd1 : '0;
    next_q[G] <= s_mem[{!slot_q, at}];
    next_q[A] <= k_mem[at];
    // Behind the highest word: at begins again.
    if (pos_q[PosBits-1:4] == (PosBits - 4)'('b01111)) next_q <= '0;
  end

  // ---- lanes ------------------------------------------------------------------------------------

  logic [Lanes-1:0] digit_q;  // a digit of this position is to be put into its chain
  logic [Lanes-1:0] take;  // it is put there
  logic [Lanes-1:0] negative, carry_q, follows;
  logic [Lanes-1:0][WindowG-3:0] idx;
  logic refill;  // with the next shift

  // So in the first cycle, when pos_q is FirstPos, and every 16 positions.
  assign refill = pos_q[3:0] == FirstPos[3:0];

  for (genvar l = 0; l < int'(Lanes); l++) begin : g_lane
    localparam int unsigned Window = l == int'(G) ? WindowG : WindowA;
    logic [Near-1:0] near_q;
    logic [15:0] far_q;

    assign negative[l] = near_q[Window-1];
    // d mod 2^w = 2m + 1; a negative digit is 2m + 1 - 2^w, whose index is the complement of m.
    assign idx[l] = (WindowG - 2)'(near_q[Window-2:1] ^ {(Window - 2) {negative[l]}});
    assign follows[l] = near_q[1] ^ carry_q[l];

    always_ff @(posedge clk_i) begin
      if (shift) begin
        near_q <= {far_q[0], near_q[Near-1:1]};
        far_q  <= refill ? next_q[l] : far_q >> 1;
      end
      if (take[l]) near_q[Window-1:0] <= {Window{negative[l]}};
    end
  end

  // Before position 0 the near bits are those of the job before.
  always_ff @(posedge clk_i) begin
    if (shift) digit_q <= !pos_q[PosBits-1] || pos_q[3:0] == '1 ? follows : '0;
    else digit_q <= digit_q & ~take;
    carry_q <= (carry_q & ~take) | (take & negative);
    if (state_q == StTake) {digit_q, carry_q} <= '0;
  end

  // ---- chains -----------------------------------------------------------------------------------

  list_point_t point;
  list_entry_t entry;
  logic entry_valid;

  assign put = state_q == StRun && digit_q != '0;
  assign shift = state_q == StRun && digit_q == '0;

  assign take[G] = put && !digit_q[A];
  assign take[A] = put && digit_q[A];

  always_comb begin
    if (digit_q[A]) begin
      point.kind = ListA;
      point.neg  = !negative[A];
      point.idx  = {2'b00, pos_q[7:StepBits], idx[A][WindowA-3:0]};
    end else begin
      point.kind = pos_q[7] ? ListG1 : ListG0;
      point.neg  = negative[G];
      point.idx  = {pos_q[6:StepBits], idx[G]};
    end
  end

  pm_digit_chains u_chains (
      .clk_i,
      .rst_ni,
      .clear_i,
      .start_i(k_take),
      .put_valid_i(put),
      .put_pos_i(pos_q[StepBits-1:0]),
      .put_point_i(point),
      .read_i(state_q == StRead),
      .push_valid_o(entry_valid),
      .push_ready_i(!push_valid_o),
      .push_entry_o(entry),
      .last_o(chains_last)
  );

  // ---- sequence ---------------------------------------------------------------------------------

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (k_take) state_d = StTake;
      StTake:  if (k_at_q[0]) state_d = StRun;  // the first word is in next_q, others come in time
      StRun:   if (shift && pos_q == LastPos) state_d = StRead;
      StRead:  if (chains_last) state_d = StLast;
      StLast:  if (!push_valid_o) state_d = StIdle;
      default: state_d = StIdle;
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
      push_valid_o <= (push_valid_o ? !push_ready_i : entry_valid) && !clear_i;
      done_o <= state_q == StLast && !push_valid_o && !clear_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!push_valid_o) push_entry_o <= entry;
    if (state_q == StTake) pos_q <= FirstPos;
    else if (shift) pos_q <= pos_q + PosBits'(1);
  end

endmodule
