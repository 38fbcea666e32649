// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 of a byte stream, padded in hardware (FIPS 180-4).
//
// Computes: digest_o = SHA-512 of the bytes between two last_i, digest byte 0 in bits 7:0, so that
//           digest_o read as an integer is the little-endian value Ed25519 reduces modulo L.
// Range:    messages of 0 to 2^64 - 1 bytes (64-bit byte counter).
// Timing:   one round per cycle. With Deep = Slow = 0: n padded blocks of a message offered without
//           gaps to an idle core take 80 n + 3 cycles from the cycle its first beat is accepted to
//           the first cycle of valid_o. In steady state, a block every 80 cycles: the 16 beats of a
//           block are taken in 16 consecutive cycles, then ready_o is low for 64 cycles. With Deep
//           = 1, which has fewer levels of logic: 84 n + 2 cycles, a block every 84. With Slow = 1,
//           two cycles a round: 176 n + 3 cycles, a block every 176. While a digest waits to be
//           taken, the first two beats of the next message, with Slow three, are accepted already.
// Handshake: a beat is transferred when valid_i and ready_o are 1, the digest when valid_o and
//           ready_i are 1; it holds until taken. ready_o does not depend on valid_i.
// Clear:    clear_i abandons everything in flight, also an untaken digest; no beat is taken in that
//           cycle; the next cycle may start a new message.
// Reset:    asynchronous, active low.
// Timing depends on the number of bytes and the handshakes, never on the values.
module pm_sha512
  import pm_sha512_pkg::*;
#(
    parameter bit Deep = 1'b0,  // rounds by pm_sha512_round_deep: for a high clock
    parameter bit Slow = 1'b0   // by pm_sha512_round_slow: for a higher one, in less logic
) (
    input  logic         clk_i,    // clock
    input  logic         rst_ni,   // asynchronous reset, active low
    input  logic         clear_i,  // abandon the message and any digest
    // message, first byte of a beat in bits 7:0
    input  logic         valid_i,  // a beat is offered
    output logic         ready_o,  // it is taken
    input  logic [ 63:0] data_i,   // bytes
    input  logic [  7:0] keep_i,   // contiguous from bit 0; looked at with last_i only
    input  logic         last_i,   // last beat of the message; keep_i = 0 is an empty beat
    // digest
    output logic         valid_o,  // the digest is complete
    input  logic         ready_i,  // it is taken
    output logic [511:0] digest_o  // digest, byte 0 in bits 7:0
);

  logic word_valid, word_ready, word_final;
  word_t word;
  logic kw_valid, kw_ready, kw_last, kw_final;
  word_t  kw;
  state_t digest;

  pm_sha512_pad u_pad (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i,
      .ready_o,
      .data_i,
      .keep_i,
      .last_i,
      .word_valid_o(word_valid),
      .word_ready_i(word_ready),
      .word_o(word),
      .word_final_o(word_final)
  );

  pm_sha512_schedule #(
      .Late(Slow)
  ) u_schedule (
      .clk_i,
      .rst_ni,
      .clear_i,
      .word_valid_i(word_valid),
      .word_ready_o(word_ready),
      .word_i(word),
      .word_final_i(word_final),
      .kw_valid_o(kw_valid),
      .kw_ready_i(kw_ready),
      .kw_o(kw),
      .kw_last_o(kw_last),
      .kw_final_o(kw_final)
  );

  if (Slow) begin : gen_slow
    pm_sha512_round_slow u_round (
        .clk_i,
        .rst_ni,
        .clear_i,
        .kw_valid_i(kw_valid),
        .kw_ready_o(kw_ready),
        .kw_i(kw),
        .kw_last_i(kw_last),
        .kw_final_i(kw_final),
        .digest_valid_o(valid_o),
        .digest_ready_i(ready_i),
        .digest_o(digest)
    );
  end else if (Deep) begin : gen_deep
    pm_sha512_round_deep u_round (
        .clk_i,
        .rst_ni,
        .clear_i,
        .kw_valid_i(kw_valid),
        .kw_ready_o(kw_ready),
        .kw_i(kw),
        .kw_last_i(kw_last),
        .kw_final_i(kw_final),
        .digest_valid_o(valid_o),
        .digest_ready_i(ready_i),
        .digest_o(digest)
    );
  end else begin : gen_short
    pm_sha512_round u_round (
        .clk_i,
        .rst_ni,
        .clear_i,
        .kw_valid_i(kw_valid),
        .kw_ready_o(kw_ready),
        .kw_i(kw),
        .kw_last_i(kw_last),
        .kw_final_i(kw_final),
        .digest_valid_o(valid_o),
        .digest_ready_i(ready_i),
        .digest_o(digest)
    );
  end

  for (genvar i = 0; i < 8; i++) begin : gen_digest
    assign digest_o[64*i+:64] = bswap(digest[i]);
  end

endmodule
