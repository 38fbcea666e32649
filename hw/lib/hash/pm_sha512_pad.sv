// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 padding: turns a byte stream into the 64-bit words of padded 1024-bit blocks.
//
// Computes: message || 0x80 || zeros || bit length as 128 bits (FIPS 180-4, section 5.1.2), cut
//           into big-endian words, 16 per block.
// Range:    messages of 0 to 2^64 - 1 bytes (the byte counter has 64 bits).
// Latency:  1 cycle from an accepted beat to its word; one word per cycle; ready_o does not depend
//           on valid_i.
// Reset:    asynchronous, active low; clear_i does the same synchronously.
// Timing depends on the length of the message alone, never on its content.
module pm_sha512_pad
  import pm_sha512_pkg::*;
(
    input  logic         clk_i,         // clock
    input  logic         rst_ni,        // asynchronous reset, active low
    input  logic         clear_i,       // drop the message; no beat is taken in this cycle
    // message, byte 0 of a beat in bits 7:0
    input  logic         valid_i,       // a beat is offered
    output logic         ready_o,       // it is taken
    input  logic  [63:0] data_i,        // bytes
    input  logic  [ 7:0] keep_i,        // bytes that count, from bit 0; looked at with last_i only
    input  logic         last_i,        // last beat of the message (may be empty: keep_i = 0)
    // words
    output logic         word_valid_o,  // a word is offered
    input  logic         word_ready_i,  // it is taken
    output word_t        word_o,        // word of the padded message, first byte in bits 63:56
    output logic         word_final_o   // the 16th word of the last block of this message
);

  typedef enum logic [1:0] {
    StData,  // message bytes
    StMark,  // the message ended on a full beat: 0x80 in a word of its own
    StFill   // zeros up to the length, then the length
  } state_e;

  state_e state_d, state_q;
  logic [3:0] pos_q;  // position of the next word in its block
  logic length_started_q;  // the upper half of the length is out
  logic [60:0] beats_q;  // full beats of the message so far
  logic [2:0] rest_q, rest;  // bytes of its last beat, if that was not full

  logic slot_free, emit;
  word_t masked, word_d;
  logic final_d;

  assign slot_free = !word_valid_o || word_ready_i;
  assign ready_o   = (state_q == StData) && slot_free && !clear_i;
  assign emit      = (state_q == StData) ? valid_i && ready_o : slot_free && !clear_i;

  // Bytes of a last beat that is not full, and the beat with 0x80 behind its last byte.
  always_comb begin
    rest   = 3'd0;
    masked = '0;
    for (int unsigned i = 0; i < 8; i++) begin
      if (!last_i || keep_i[i]) begin
        masked[8*i+:8] = data_i[8*i+:8];
      end else if (i == 0 || keep_i[(i+7)%8]) begin
        masked[8*i+:8] = 8'h80;
        rest = 3'(i);
      end
    end
  end

  always_comb begin
    state_d = state_q;
    word_d  = '0;
    final_d = 1'b0;
    unique case (state_q)
      StData: begin
        word_d = bswap(masked);
        if (last_i) state_d = keep_i[7] ? StMark : StFill;
      end
      StMark: begin
        word_d  = {8'h80, 56'd0};
        state_d = StFill;
      end
      StFill: begin
        if (pos_q == 4'd14) word_d = {61'd0, beats_q[60:58]};
        if (pos_q == 4'd15 && length_started_q) begin
          word_d  = {beats_q[57:0], rest_q, 3'd0};
          final_d = 1'b1;
          state_d = StData;
        end
      end
      default: state_d = StData;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StData;
      pos_q <= '0;
      length_started_q <= 1'b0;
      {beats_q, rest_q} <= '0;
      word_valid_o <= 1'b0;
    end else if (clear_i) begin
      state_q <= StData;
      pos_q <= '0;
      length_started_q <= 1'b0;
      {beats_q, rest_q} <= '0;
      word_valid_o <= 1'b0;
    end else begin
      if (word_ready_i) word_valid_o <= 1'b0;
      if (emit) begin
        state_q <= state_d;
        pos_q <= pos_q + 4'd1;
        word_valid_o <= 1'b1;
        length_started_q <= (state_q == StFill) && (pos_q == 4'd14);
        if (final_d) {beats_q, rest_q} <= '0;
        else if (state_q == StData) begin
          // One adder with a carry for an operand: the chain has no logic before it.
          beats_q <= beats_q + 61'(!last_i || keep_i[7]);
          rest_q  <= rest;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (emit) begin
      word_o <= word_d;
      word_final_o <= final_d;
    end
  end

endmodule
