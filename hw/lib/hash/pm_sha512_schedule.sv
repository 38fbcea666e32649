// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 message schedule: the 80 words W_t of a block, each with its round constant added.
//
// Computes: W_t = word t of the block (t < 16), else
//           sigma1(W_{t-2}) + W_{t-7} + sigma0(W_{t-15}) + W_{t-16}; output W_t + K_t mod 2^64
//           (FIPS 180-4, section 6.4.2, step 1). Words enter as they arrive, there is no block
//           buffer.
// Latency:  1 cycle, with Late 2; one W_t + K_t per cycle, so a block takes exactly 80 cycles if
//           its 16 words come in 16 consecutive cycles. word_ready_o does not depend on
//           word_valid_i.
// Reset:    asynchronous, active low; clear_i starts again at t = 0.
// Secrets:  between blocks zeros move in: 17 cycles after a message, or clear_i, nothing is left.
// Constant time.
module pm_sha512_schedule
  import pm_sha512_pkg::*;
#(
    parameter bit Late = 1'b0  // 1: no sum of more than two terms, a cycle more
) (
    input  logic  clk_i,         // clock
    input  logic  rst_ni,        // asynchronous reset, active low
    input  logic  clear_i,       // forget the block under way
    input  logic  word_valid_i,  // a message word is offered
    output logic  word_ready_o,  // it is taken (rounds 0 to 15 only)
    input  word_t word_i,        // message word
    input  logic  word_final_i,  // 16th word of the last block of a message
    output logic  kw_valid_o,    // W_t + K_t is offered
    input  logic  kw_ready_i,    // it is taken
    output word_t kw_o,          // W_t + K_t
    output logic  kw_last_o,     // t = 79
    output logic  kw_final_o     // t = 79 of the last block of a message
);

  localparam logic [6:0] LastRound = 7'(Rounds - 1);

  word_t [14:0] w_q;  // w_q[i] = W_{t-1-i}
  word_t part_q;  // W_{t-7} + sigma0(W_{t-15}) + W_{t-16}
  word_t k_q, next_k_q;  // K_t and the next one, which comes out of a memory
  logic [6:0] t_d, t_q, next_d, next_q;
  logic final_q;

  logic from_message;  // t < 16
  logic slot_free, step, move;  // move: a word enters the registers, or zeros do between blocks
  word_t base, newest;

  assign word_ready_o = from_message && slot_free && !clear_i;
  assign step         = slot_free && (!from_message || word_valid_i) && !clear_i;

  // W_t = base + newest; only the newest term cannot be summed up a cycle ahead.
  assign base         = !from_message ? part_q : word_valid_i ? word_i : '0;
  assign newest       = from_message ? '0 : small_sigma1(w_q[1]);

  // No word of a block looks back beyond its beginning.
  assign move         = step || (slot_free && from_message && t_q == '0);

  always_comb begin
    t_d = t_q;
    if (clear_i) t_d = '0;
    else if (step) t_d = next_q;
    next_d = next_q;
    if (clear_i) next_d = 7'd1;
    else if (step) next_d = (next_q == LastRound) ? '0 : next_q + 7'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      t_q <= '0;
      next_q <= 7'd1;
      k_q <= RoundConst[0];
      from_message <= 1'b1;
    end else begin
      t_q <= t_d;
      next_q <= next_d;
      if (clear_i) k_q <= RoundConst[0];
      else if (step) k_q <= next_k_q;
      from_message <= t_d < 7'd16;
    end
  end

  always_ff @(posedge clk_i) begin
    next_k_q <= RoundConst[next_d];
    if (move) w_q <= {w_q[13:0], base + newest};
    if (step && from_message) final_q <= word_final_i;
  end

  if (Late) begin : gen_late
    // W_t is in w_q[0] before its constant is added; of the sum for W_t two terms are added another
    // round ahead.
    logic w_valid_q, last_q;
    word_t w_k_q, early_q;

    assign slot_free = !w_valid_q || !kw_valid_o || kw_ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {w_valid_q, kw_valid_o} <= '0;
      else if (clear_i) {w_valid_q, kw_valid_o} <= '0;
      else begin
        if (slot_free) w_valid_q <= step;
        if (!kw_valid_o || kw_ready_i) kw_valid_o <= w_valid_q;
      end
    end

    always_ff @(posedge clk_i) begin
      if (move) begin
        early_q <= w_q[4] + small_sigma0(w_q[12]);
        part_q  <= early_q + w_q[14];
        w_k_q   <= k_q;
        last_q  <= t_q == LastRound;
      end
      if (!kw_valid_o || kw_ready_i) begin
        kw_o <= w_q[0] + w_k_q;
        kw_last_o <= last_q;
        kw_final_o <= last_q && final_q;
      end
    end
  end else begin : gen_now
    assign slot_free = !kw_valid_o || kw_ready_i;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) kw_valid_o <= 1'b0;
      else if (step) kw_valid_o <= 1'b1;
      else if (clear_i || kw_ready_i) kw_valid_o <= 1'b0;
    end

    always_ff @(posedge clk_i) begin
      if (move) begin
        part_q <= w_q[5] + small_sigma0(w_q[13]) + w_q[14];
        kw_o <= base + newest + k_q;
        kw_last_o <= (t_q == LastRound);
        kw_final_o <= (t_q == LastRound) && final_q;
      end
    end
  end

endmodule
