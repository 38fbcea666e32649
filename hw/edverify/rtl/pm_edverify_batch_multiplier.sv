// SPDX-License-Identifier: Apache-2.0
//
// Multipliers of batches: z is the first 128 bits of SHA-512(seed || counter), the counter being 64
// bits, little-endian, and a new one for every z; 1 in place of 0. Made ahead of need, so that one
// is nearly always there.
//
// Ranges:   1 <= z_o < 2^128.
// Latency:  a multiplier comes one block of the hash after the one before was taken, and the
//           waiting for the hash.
// Handshake: z_valid_o holds until z_take_i (pulse), with z_o. hash_* as a client of
//           pm_edverify_hash_arbiter. There are no new multipliers while seeded_i is 0, and the
//           hash is given back; a change of the seed counts from the next one on.
// Reset:    asynchronous, active low: counter 0. A seed must not be used again after a reset.
// Constant time: YES, apart from the waiting for the hash.

module pm_edverify_batch_multiplier (
    input  logic         clk_i,           // clock
    input  logic         rst_ni,          // asynchronous reset, active low
    input  logic         seeded_i,        // the seed is there
    input  logic [255:0] seed_i,          // secret and random, byte 0 in bits 7:0
    output logic         z_valid_o,       // a multiplier is there
    output logic [127:0] z_o,             // the multiplier
    input  logic         z_take_i,        // pulse: it has been used
    output logic         hash_clear_o,    // forget what was hashed
    output logic         hash_valid_o,    // a beat is offered
    input  logic         hash_ready_i,    // it is taken
    output logic [ 63:0] hash_data_o,     // bytes
    output logic         hash_last_o,     // last beat
    input  logic         digest_valid_i,  // the digest is there
    output logic         digest_ready_o,  // it is taken
    input  logic [127:0] digest_i         // its first bytes, byte 0 in bits 7:0
);

  typedef enum logic [1:0] {
    StBeats,   // seed and counter go to the hash
    StDigest,  // the digest is waited for
    StValid    // a multiplier is there
  } state_e;

  state_e state_q;
  logic [2:0] beat_q;
  logic [63:0] counter_q;

  assign hash_clear_o = state_q == StBeats && !seeded_i;
  assign hash_valid_o = state_q == StBeats && seeded_i;
  assign hash_last_o = beat_q == 3'd4;
  assign hash_data_o = hash_last_o ? counter_q : seed_i[64*beat_q[1:0]+:64];
  assign digest_ready_o = state_q == StDigest;
  assign z_valid_o = state_q == StValid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StBeats;
      beat_q <= '0;
      counter_q <= '0;
    end else begin
      unique case (state_q)
        StBeats: begin
          if (hash_valid_o && hash_ready_i) begin
            beat_q <= hash_last_o ? '0 : beat_q + 3'd1;
            if (hash_last_o) state_q <= StDigest;
          end
          if (hash_clear_o) beat_q <= '0;
        end
        StDigest: begin
          if (digest_valid_i) begin
            counter_q <= counter_q + 64'd1;
            state_q   <= StValid;
          end
        end
        default: if (z_take_i) state_q <= StBeats;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StDigest && digest_valid_i) z_o <= digest_i == '0 ? 128'd1 : digest_i;
  end

endmodule
