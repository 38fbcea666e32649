// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 compression: one round per cycle, chaining addition inside the last round.
//
// Computes: the working variables a..h and the chaining value H (FIPS 180-4, section 6.4.2, steps 2
//           to 4). Two sums are prepared one cycle ahead, while the round before is executed:
//               base_a = h + K_t + W_t (+ H_a before round 79)
//               base_e = h + K_t + W_t + d (+ H_e before round 79)
//           so that a round is a' = base_a + Sum1(e) + Ch + Sum0(a) + Maj, e' = base_e + Sum1(e) +
//           Ch, and in round 79 the other six variables are added to H on their way. The next block
//           can therefore start its round 0 in the very next cycle: 80 cycles a block.
// Latency:  kw of round t accepted in cycle c: executed in cycle c + 1; digest offered in c + 2 of
//           round 79. After a digest was taken in cycle c the next message executes from c + 2 on.
// Reset:    asynchronous, active low; H and a..h take the initial value in the first cycle after
//           it. clear_i does the same.
// Constant time.
module pm_sha512_round
  import pm_sha512_pkg::*;
(
    input  logic   clk_i,           // clock
    input  logic   rst_ni,          // asynchronous reset, active low
    input  logic   clear_i,         // back to the initial value
    input  logic   kw_valid_i,      // W_t + K_t is offered
    output logic   kw_ready_o,      // it is taken
    input  word_t  kw_i,            // W_t + K_t
    input  logic   kw_last_i,       // t = 79
    input  logic   kw_final_i,      // t = 79 of the last block of a message
    output logic   digest_valid_o,  // the digest is complete, holds until taken
    input  logic   digest_ready_i,  // it is taken
    output state_t digest_o         // eight words, [0] is the first
);

  state_t var_d, var_q;  // working variables
  state_t chain_q;  // chaining value
  word_t base_a_q, base_e_q;
  word_t chain_dh_q;  // H_d + H_h
  logic base_valid_q, base_last_q, base_final_q;

  logic started_q;

  logic chain_add, base_load, digest_taken, init;
  word_t sum1, ch_efg, next_h, next_d, chain_a, chain_e;

  // ---- the round ----
  assign chain_add = base_valid_q && base_last_q;
  assign sum1 = big_sigma1(var_q[E]);
  assign ch_efg = ch(var_q[E], var_q[F], var_q[G]);

  // The order of the operands matters to synthesis: with sum1 + ch_efg as a sum of its own, shared
  // by a and e, there would be two carry chains in a row.
  always_comb begin
    var_d[A] = base_a_q + sum1 + ch_efg + big_sigma0(var_q[A]) + maj(var_q[A], var_q[B], var_q[C]);
    var_d[E] = base_e_q + sum1 + ch_efg;
    var_d[B] = var_q[A] + (base_last_q ? chain_q[B] : '0);
    var_d[C] = var_q[B] + (base_last_q ? chain_q[C] : '0);
    var_d[D] = var_q[C] + (base_last_q ? chain_q[D] : '0);
    var_d[F] = var_q[E] + (base_last_q ? chain_q[F] : '0);
    var_d[G] = var_q[F] + (base_last_q ? chain_q[G] : '0);
    var_d[H] = var_q[G] + (base_last_q ? chain_q[H] : '0);
  end

  // ---- the sums for the next round ----
  // h and d of the next round, without waiting for the adders above.
  assign digest_taken = digest_valid_o && digest_ready_i;
  assign kw_ready_o = !digest_valid_o && !(chain_add && base_final_q) && !clear_i;
  assign base_load = kw_valid_i && kw_ready_o;
  assign next_h = base_valid_q ? var_q[G] : var_q[H];
  assign next_d = base_valid_q ? var_q[C] : var_q[D];

  // The part of the chaining value that the coming round gets: none, or before round 79 that of its
  // results, or before round 0 that of its inputs h and d, which the round under way is adding only
  // now. The sum for d and h is old enough: the chaining value does not change within a block.
  always_comb begin
    chain_a = '0;
    chain_e = '0;
    if (chain_add) begin
      chain_a = chain_q[H];
      chain_e = chain_dh_q;
    end else if (kw_last_i) begin
      chain_a = chain_q[A];
      chain_e = chain_q[E];
    end
  end

  always_ff @(posedge clk_i) begin
    chain_dh_q <= chain_q[D] + chain_q[H];
    if (base_load) begin
      base_a_q <= kw_i + next_h + chain_a;
      base_e_q <= kw_i + next_h + next_d + chain_e;
      base_last_q <= kw_last_i;
      base_final_q <= kw_final_i;
    end
  end

  // The wide registers have a synchronous load only, which flip-flops do without a LUT. started_q
  // makes the first cycle after reset load the initial value; no round can be under way in it.
  assign init = clear_i || digest_taken || !started_q;

  always_ff @(posedge clk_i) begin
    if (init) var_q <= InitHash;
    else if (base_valid_q) var_q <= var_d;
    if (init) chain_q <= InitHash;
    else if (chain_add) chain_q <= var_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      base_valid_q <= 1'b0;
      digest_valid_o <= 1'b0;
    end else begin
      started_q <= 1'b1;
      base_valid_q <= base_load && !init;
      if (init) digest_valid_o <= 1'b0;
      else if (chain_add) digest_valid_o <= base_final_q;
    end
  end

  assign digest_o = chain_q;

endmodule
