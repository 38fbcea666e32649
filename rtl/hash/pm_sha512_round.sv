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
// Reset:    asynchronous, active low: H and a..h take the initial value; clear_i does the same.
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
  logic base_valid_q, base_last_q, base_final_q;

  logic chain_add, base_load, digest_taken;
  word_t t1, pre_a, pre_e;

  // ---- the round ----
  assign chain_add = base_valid_q && base_last_q;
  assign t1 = big_sigma1(var_q[E]) + ch(var_q[E], var_q[F], var_q[G]);

  always_comb begin
    var_d = var_q;
    if (base_valid_q) begin
      var_d[A] = base_a_q + t1 + big_sigma0(var_q[A]) + maj(var_q[A], var_q[B], var_q[C]);
      var_d[E] = base_e_q + t1;
      var_d[B] = var_q[A] + (base_last_q ? chain_q[B] : '0);
      var_d[C] = var_q[B] + (base_last_q ? chain_q[C] : '0);
      var_d[D] = var_q[C] + (base_last_q ? chain_q[D] : '0);
      var_d[F] = var_q[E] + (base_last_q ? chain_q[F] : '0);
      var_d[G] = var_q[F] + (base_last_q ? chain_q[G] : '0);
      var_d[H] = var_q[G] + (base_last_q ? chain_q[H] : '0);
    end
  end

  // ---- the sums for the next round ----
  // h and d of the next round, without waiting for the adders above.
  assign digest_taken = digest_valid_o && digest_ready_i;
  assign kw_ready_o = !digest_valid_o && !(chain_add && base_final_q) && !clear_i;
  assign base_load = kw_valid_i && kw_ready_o;
  assign pre_a = (base_valid_q ? var_q[G] : var_q[H]) + (chain_add ? chain_q[H] : '0);
  assign pre_e = (base_valid_q ? var_q[C] : var_q[D]) + (chain_add ? chain_q[D] : '0);

  always_ff @(posedge clk_i) begin
    if (base_load) begin
      base_a_q <= kw_i + pre_a + (kw_last_i ? chain_q[A] : '0);
      base_e_q <= kw_i + pre_a + pre_e + (kw_last_i ? chain_q[E] : '0);
      base_last_q <= kw_last_i;
      base_final_q <= kw_final_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      var_q <= InitHash;
      chain_q <= InitHash;
      base_valid_q <= 1'b0;
      digest_valid_o <= 1'b0;
    end else if (clear_i || digest_taken) begin
      var_q <= InitHash;
      chain_q <= InitHash;
      base_valid_q <= 1'b0;
      digest_valid_o <= 1'b0;
    end else begin
      base_valid_q <= base_load;
      var_q <= var_d;
      if (chain_add) begin
        chain_q <= var_d;
        digest_valid_o <= base_final_q;
      end
    end
  end

  assign digest_o = chain_q;

endmodule
