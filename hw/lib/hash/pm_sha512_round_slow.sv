// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 compression in half the logic of pm_sha512_round_deep, for a higher clock: a round in two
// cycles.
//
// Computes: the same as pm_sha512_round (FIPS 180-4, section 6.4.2, steps 2 to 4). Of a round the
//           first cycle makes sums of two terms, the second one of three:
//               u = Sum1(e) + Ch, v = h + W_t + K_t, m = Sum0(a) + Maj
//               e' = d + u + v, a' = u + v + m
//           After round 79 eight more rounds add the chaining value, a word each: u and v are 0, m
//           is the sum of h and of its word, and both, as a', move through all places.
// Latency:  kw of round t is accepted every other cycle, so a block takes 176 cycles. kw of round
//           79 accepted in cycle c: the digest is offered, or the next kw accepted, in c + 18.
//           After a digest was taken in cycle c the next message is accepted from c + 1.
// Reset:    asynchronous, active low; H and a..h take the initial value in the first cycle after
//           it. clear_i does the same.
// Constant time.
module pm_sha512_round_slow
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

  state_t var_q, chain_q;  // working variables, chaining value
  word_t u_q, v_q, m_q;
  logic second_q;  // the second cycle of a round
  logic adding_q;  // the chaining value is added
  logic [2:0] added_q;  // so many words of it
  logic last_q, final_q;
  logic started_q, init, begins, ends;

  assign begins = kw_valid_i && kw_ready_o;
  // The wide registers have a synchronous load only, which flip-flops do without a LUT. started_q
  // makes the first cycle after reset load the initial value; no round can be under way in it.
  assign init   = clear_i || (digest_valid_o && digest_ready_i) || !started_q;
  assign ends   = second_q && adding_q && added_q == '1;

  always_ff @(posedge clk_i) begin
    u_q <= big_sigma1(var_q[E]) + ch(var_q[E], var_q[F], var_q[G]);
    v_q <= var_q[H] + kw_i;
    if (adding_q) {u_q, v_q} <= '0;
    m_q <= (adding_q ? var_q[H] : big_sigma0(
        var_q[A]
    )) + (adding_q ? chain_q[H] : maj(
        var_q[A], var_q[B], var_q[C]
    ));
    if (begins) last_q <= kw_last_i;
    if (begins && kw_last_i) final_q <= kw_final_i;

    if (init) var_q <= InitHash;
    else if (second_q) begin
      {var_q[B], var_q[C], var_q[D]} <= {var_q[A], var_q[B], var_q[C]};
      {var_q[F], var_q[G], var_q[H]} <= {var_q[E], var_q[F], var_q[G]};
      var_q[A] <= u_q + v_q + m_q;
      var_q[E] <= var_q[D] + u_q + v_q;
    end
    if (init) chain_q <= InitHash;
    else if (second_q && adding_q) begin
      chain_q <= {chain_q[G:A], m_q};
    end
  end

  // What is taken with clear_i is dropped, so that kw_ready_o is a register.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {started_q, second_q, adding_q, added_q, digest_valid_o} <= '0;
      kw_ready_o <= 1'b1;
    end else begin
      started_q <= 1'b1;
      second_q  <= begins || (adding_q && !second_q);
      if (second_q && (last_q || adding_q)) adding_q <= !ends;
      if (second_q && adding_q) added_q <= added_q + 3'd1;
      digest_valid_o <= digest_valid_o || (ends && final_q);
      kw_ready_o <= (kw_ready_o && !begins) || (second_q && !adding_q && !last_q) ||
          (ends && !final_q);
      if (init) begin
        {second_q, adding_q, added_q, digest_valid_o} <= '0;
        kw_ready_o <= 1'b1;
      end
    end
  end

  assign digest_o = chain_q;

endmodule
