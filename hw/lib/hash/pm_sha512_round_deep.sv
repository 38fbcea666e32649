// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 compression for a high clock: one round per cycle with sums of three terms at most.
//
// Computes: the same as pm_sha512_round (FIPS 180-4, section 6.4.2, steps 2 to 4). A round is
//           spread over four cycles; e to h run one round ahead of a to d:
//               W_t + K_t + h | that + d | e' = that + Sum1(e) + Ch, T1 likewise without d |
//               a' = T1 + Sum0(a) + Maj
//           which is possible because h and d of a round are known three rounds before. The
//           chaining value is added when both halves have finished round 79.
// Latency:  kw of round t accepted in cycle c: e to h executed in c + 2, a to d in c + 3. After kw
//           of round 79 the next one is accepted in c + 5, so a block takes 84 cycles; the digest
//           is offered in c + 5. After a digest was taken in cycle c the next message is accepted
//           from c + 1.
// Reset:    asynchronous, active low; H and a..h take the initial value in the first cycle after
//           it. clear_i does the same.
// Constant time.
module pm_sha512_round_deep
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

  state_t var_q;  // working variables; A to D are those of the round before
  state_t chain_q, chained;  // chaining value; with the variables added
  word_t with_h_q, with_d_q, without_d_q, t1_q;
  word_t next_h, next_d, sum1, ch_efg;
  logic h_valid_q, d_valid_q, t1_valid_q;  // a round is in with_h_q, with_d_q, t1_q
  logic h_last_q, d_last_q, t1_last_q;  // it is round 79
  logic chain_add_q;  // all variables have finished round 79
  logic busy_q, busy_d;  // from the acceptance of round 79 to the end of the block
  logic digest_valid_d;
  logic final_q;
  logic started_q, digest_taken, init, load;

  assign digest_taken = digest_valid_o && digest_ready_i;
  assign load = kw_valid_i && kw_ready_o;

  // ---- the sums before the round ----
  // h and d of a round, as many places ahead as there are rounds between.
  always_comb begin
    unique case ({
      h_valid_q, d_valid_q
    })
      2'b00:   next_h = var_q[H];
      2'b11:   next_h = var_q[F];
      default: next_h = var_q[G];
    endcase
    unique case ({
      d_valid_q, t1_valid_q
    })
      2'b00:   next_d = var_q[D];
      2'b11:   next_d = var_q[B];
      default: next_d = var_q[C];
    endcase
  end

  // ---- the round ----
  assign sum1   = big_sigma1(var_q[E]);
  assign ch_efg = ch(var_q[E], var_q[F], var_q[G]);

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) chained[i] = var_q[i] + chain_q[i];
  end

  // The wide registers have a synchronous load only, which flip-flops do without a LUT. started_q
  // makes the first cycle after reset load the initial value; no round can be under way in it.
  assign init = clear_i || digest_taken || !started_q;

  always_ff @(posedge clk_i) begin
    with_h_q <= kw_i + next_h;
    with_d_q <= with_h_q + next_d;
    without_d_q <= with_h_q;
    t1_q <= without_d_q + sum1 + ch_efg;
    h_last_q <= kw_last_i;
    d_last_q <= h_last_q;
    t1_last_q <= d_last_q;
    if (load && kw_last_i) final_q <= kw_final_i;

    if (init) var_q <= InitHash;
    else if (chain_add_q) var_q <= chained;
    else begin
      if (d_valid_q) begin
        {var_q[F], var_q[G], var_q[H]} <= {var_q[E], var_q[F], var_q[G]};
        var_q[E] <= with_d_q + sum1 + ch_efg;
      end
      if (t1_valid_q) begin
        {var_q[B], var_q[C], var_q[D]} <= {var_q[A], var_q[B], var_q[C]};
        var_q[A] <= t1_q + big_sigma0(var_q[A]) + maj(var_q[A], var_q[B], var_q[C]);
      end
    end
    if (init) chain_q <= InitHash;
    else if (chain_add_q) chain_q <= chained;
  end

  always_comb begin
    busy_d = !init && ((busy_q && !chain_add_q) || (load && kw_last_i));
    digest_valid_d = digest_valid_o;
    if (init) digest_valid_d = 1'b0;
    else if (chain_add_q) digest_valid_d = final_q;
  end

  // What is taken with clear_i is dropped, so that kw_ready_o is a register.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {started_q, busy_q, h_valid_q, d_valid_q, t1_valid_q, chain_add_q, digest_valid_o} <= '0;
      kw_ready_o <= 1'b1;
    end else begin
      started_q      <= 1'b1;
      busy_q         <= busy_d;
      kw_ready_o     <= !busy_d && !digest_valid_d;
      h_valid_q      <= !init && load;
      d_valid_q      <= !init && h_valid_q;
      t1_valid_q     <= !init && d_valid_q;
      chain_add_q    <= !init && t1_valid_q && t1_last_q;
      digest_valid_o <= digest_valid_d;
    end
  end

  assign digest_o = chain_q;

endmodule
