// SPDX-License-Identifier: Apache-2.0
//
// Results of the secret operations until they are sent: for each context up to three words of 256
// bits, u or the public key A (0), R (1) and S (2).
//
// Timing:   a word can be read in the cycle after it was written. A and R of any context are read
//           combinationally for the second phase of a signature, the word that the transmitter
//           wants comes one cycle after its index.
// Secrets:  what a context has is wiped in the 2^CtxBits + 1 cycles after sent_i that write
//           nothing. Until then nothing may be written for it.
// Reset:    asynchronous, active low: nothing to wipe. Words are read only after they were written.

module pm_edverify_result_words #(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic               clk_i,         // clock
    input  logic               rst_ni,        // asynchronous reset, active low
    input  logic               point_we_i,    // write an encoded point
    input  logic [CtxBits-1:0] point_ctx_i,   // of this context
    input  logic               point_slot_i,  // 0: u or A, 1: R
    input  logic [      255:0] point_i,       // the word
    input  logic               s_we_i,        // write S
    input  logic [CtxBits-1:0] s_ctx_i,       // of this context
    input  logic [      255:0] s_i,           // the word
    input  logic [CtxBits-1:0] sign_ctx_i,    // context of a second phase
    output logic [      255:0] sign_a_o,      // its A
    output logic [      255:0] sign_r_o,      // its R
    input  logic [CtxBits-1:0] send_ctx_i,    // context whose result is sent
    input  logic [        1:0] send_index_i,  // the word that is wanted, 0 to 2
    output logic [      255:0] send_word_o,   // one cycle later
    input  logic               sent_i         // pulse: the result of send_ctx_i was sent
);

  typedef enum logic [1:0] {
    WordA,
    WordR,
    WordS
  } word_e;

  logic [1:0][255:0] a_words, r_words;
  logic [0:0][255:0] s_words;

  logic [2**CtxBits-1:0] waits_q;  // contexts whose words are to be wiped
  logic [CtxBits-1:0] wipe_ctx_q, next_ctx;  // the one that is looked at, and the next
  logic due_q;  // it waits: from a register, since all memories are written by it
  logic idle;

  assign idle = !point_we_i && !s_we_i;
  assign next_ctx = wipe_ctx_q + 1'b1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waits_q, wipe_ctx_q, due_q} <= '0;
    else begin
      if (idle) begin
        wipe_ctx_q <= next_ctx;
        due_q <= waits_q[next_ctx];
        if (due_q) waits_q[wipe_ctx_q] <= 1'b0;
      end
      if (sent_i) waits_q[send_ctx_i] <= 1'b1;
    end
  end

  pm_regbank #(
      .Width(256),
      .AddrBits(CtxBits),
      .NumReads(2)
  ) u_a (
      .clk_i,
      .we_i(point_we_i ? !point_slot_i : idle && due_q),
      .waddr_i(point_we_i ? point_ctx_i : wipe_ctx_q),
      .wdata_i(point_we_i ? point_i : '0),
      .raddr_i({send_ctx_i, sign_ctx_i}),
      .rdata_o(a_words)
  );

  pm_regbank #(
      .Width(256),
      .AddrBits(CtxBits),
      .NumReads(2)
  ) u_r (
      .clk_i,
      .we_i(point_we_i ? point_slot_i : idle && due_q),
      .waddr_i(point_we_i ? point_ctx_i : wipe_ctx_q),
      .wdata_i(point_we_i ? point_i : '0),
      .raddr_i({send_ctx_i, sign_ctx_i}),
      .rdata_o(r_words)
  );

  pm_regbank #(
      .Width(256),
      .AddrBits(CtxBits),
      .NumReads(1)
  ) u_s (
      .clk_i,
      .we_i(s_we_i || (idle && due_q)),
      .waddr_i(s_we_i ? s_ctx_i : wipe_ctx_q),
      .wdata_i(s_we_i ? s_i : '0),
      .raddr_i(send_ctx_i),
      .rdata_o(s_words)
  );

  assign sign_a_o = a_words[0];
  assign sign_r_o = r_words[0];

  always_ff @(posedge clk_i) begin
    unique case (word_e'(send_index_i))
      WordA:   send_word_o <= a_words[1];
      WordR:   send_word_o <= r_words[1];
      default: send_word_o <= s_words[0];
    endcase
  end

endmodule
