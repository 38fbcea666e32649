// SPDX-License-Identifier: Apache-2.0
//
// Hashes and scalars of key generation and signing (RFC 8032, sections 5.1.5 and 5.1.6), for the
// jobs of several contexts, one step at a time. Owns the memory of the messages.
//
// Phase 1:  (h, prefix) = SHA-512(d); a = clamp(h) mod L into slot 0 of the context; to sign, also
//           r = SHA-512(prefix || M) mod L into slot 1. Then points a*G = A and r*G = R are to be
//           computed.
// Phase 2:  to sign, k = SHA-512(R || A || M) mod L and S = (r + k a) mod L, with the slots of the
//           context.
//
// Order:    a message arrives whole before phase 1 of its job is requested, and the next one not
//           before that request is taken, or msg_drop_i. Phase 2 comes, for every job that signs,
//           in the order in which phase 1 took them: a request waits until the oldest message is
//           that of its context, since an S for another message would give the key away. Phase 2
//           goes first if both are requested.
// Range:    messages of 0 to MessageBytes bytes; longer ones are swallowed and msg_too_long_o is 1
//           until msg_drop_i; phase 1 must not be requested for them. At most NumContexts jobs
//           between the acceptance of phase 1 and the end of phase 2.
// Timing:   with hash and scalar unit to itself, from acceptance to the pulse of its end: phase 1
//           of key generation 125 cycles, of signing 250 + 80 for each block of prefix || M but the
//           first, phase 2 180 + 80 for each block of R || A || M but the first; with the deep
//           rounds of pm_sha512 every block takes 4 more. The next request is taken in the next
//           cycle. Staged: each phase takes a cycle more, and one more for each message it hashes.
// Handshake: valid/ready for requests, whose operands are read in the cycle in which they are
//           taken, or with Staged in the one after it; phase1_done_o and phase2_done_o pulse.
//           walk_we_o holds until walk_wready_i; walk_rdata_i comes one cycle after walk_rctx_o,
//           walk_rslot_o. clear_i forgets messages and work; the scalar unit must be cleared in the
//           same cycle. Then a beat of zeros goes to the hash, before a request is taken.
// Reset:    asynchronous, active low: idle.
// Constant time: YES for a given length of the message, apart from the waiting for shared units. d,
//           prefix, a and r are overwritten here as soon as what is made of them is there.
// Source:   RFC 8032.

module pm_edverify_sign_server
  import pm_scalar_pkg::*;
  import pm_edverify_core_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 64
    parameter int unsigned MessageBytes = 16384,  // memory of messages, a power of two
    parameter bit Staged = 1'b0,  // for a high clock
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                     clk_i,                  // clock
    input  logic                     rst_ni,                 // asynchronous reset, active low
    input  logic                     clear_i,                // pulse: forget everything
    // message of the newest job
    input  byte_beat_t               msg_i,                  // a beat of it
    output logic                     msg_ready_o,            // it is taken
    input  logic                     msg_drop_i,             // pulse: forget it, if not taken yet
    output logic                     msg_too_long_o,         // level: it is longer than the memory
    // phase 1
    input  logic                     phase1_valid_i,         // requested
    output logic                     phase1_ready_o,         // taken, with the message
    input  logic       [CtxBits-1:0] phase1_ctx_i,           // context
    input  logic                     phase1_sign_i,          // sign; otherwise generate a key
    input  logic       [      255:0] phase1_d_i,             // private key, byte 0 in bits 7:0
    output logic                     phase1_done_o,          // pulse: the slots are written
    output logic       [CtxBits-1:0] phase1_done_ctx_o,      // of this context
    // phase 2
    input  logic                     phase2_valid_i,         // requested
    output logic                     phase2_ready_o,         // taken
    input  logic       [CtxBits-1:0] phase2_ctx_i,           // context
    input  logic       [      255:0] phase2_a_i,             // public key, byte 0 in bits 7:0
    input  logic       [      255:0] phase2_r_i,             // R, byte 0 in bits 7:0
    output logic                     phase2_done_o,          // pulse: S is there
    output logic       [CtxBits-1:0] phase2_done_ctx_o,      // of this context
    output logic       [      255:0] phase2_s_o,             // S, with the pulse only
    // hash
    output to_hash_t                 hash_o,
    input  logic                     hash_ready_i,           // its beat is taken
    input  logic                     digest_valid_i,         // the digest is there
    input  logic       [      511:0] digest_i,               // digest, byte 0 in bits 7:0
    // scalar unit
    output logic                     scalar_valid_o,         // a job is offered
    input  logic                     scalar_ready_i,         // it is taken
    output scalar_op_e               scalar_op_o,            // ScalarReduce or ScalarMulAdd
    output logic       [      511:0] scalar_digest_o,        // digest_i, clamped for a
    output logic       [      253:0] scalar_a_o,             // a
    output logic       [      253:0] scalar_r_o,             // r
    input  logic                     scalar_result_valid_i,  // pulse: result
    input  logic       [      252:0] scalar_result_i,        // below L
    // slots of the contexts (pm_secret_walk)
    output logic                     walk_we_o,              // write
    input  logic                     walk_wready_i,          // it is written in this cycle
    output logic       [CtxBits-1:0] walk_ctx_o,             // context
    output logic                     walk_slot_o,            // slot
    output logic       [      255:0] walk_data_o,            // scalar
    output logic       [CtxBits-1:0] walk_rctx_o,            // context to read
    output logic                     walk_rslot_o,           // slot to read
    input  logic       [      255:0] walk_rdata_i            // scalar, one cycle later
);

  if (NumContexts < 2 || NumContexts > 64) begin : gen_check_contexts
    $fatal(1, "pm_edverify_sign_server: NumContexts must lie between 2 and 64.");
  end

  // What is hashed.
  typedef enum logic [1:0] {
    HashSeed,   // d
    HashNonce,  // prefix || M
    HashSign    // R || A || M
  } hash_e;

  typedef enum logic [3:0] {
    StIdle,
    StTake,     // operands are read, with Staged
    StHead,     // beats from the registers
    StMessage,  // beats of the message
    StSlot,     // a is read
    StDigest,   // digest to the scalar unit
    StResult,   // scalar to come
    StWrite,    // into its slot
    StWipe,     // a beat of zeros into the hash
    StWiped     // it is to be taken, and forgotten
  } state_e;

  state_e state_q, state_d;
  hash_e hash_q, hash_d;
  logic sign_q;
  logic [CtxBits-1:0] ctx_q;
  logic [2:0] left_q;  // beats from the registers after this one
  // low_q: d, prefix, R, then a; high_q: A, or a scalar on its way to its slot
  logic [255:0] low_q, high_q;

  logic accept1, accept2, beat_taken, wiped, digest_taken, got_result, written;
  logic ring_ready, ring_read, beat_ready, offered, oldest_valid, free;
  logic [CtxBits-1:0] oldest_ctx;
  byte_beat_t ring, beat;  // of the message, for the hash

  logic take1, take2;  // operands are read

  if (Staged) begin : g_staged
    logic take1_q, take2_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {take1_q, take2_q} <= '0;
      else {take1_q, take2_q} <= {accept1, accept2};
    end

    assign {take1, take2} = clear_i ? '0 : {take1_q, take2_q};
  end else begin : g_direct
    assign {take1, take2} = {accept1, accept2};
  end

  // ---- messages ---------------------------------------------------------------------------------

  pm_message_ring #(
      .MessageBytes(MessageBytes),
      .MaxMessages (2 ** CtxBits),
      .TagBits     (CtxBits)
  ) u_ring (
      .clk_i,
      .rst_ni,
      .clear_i,
      .msg_valid_i(msg_i.valid),
      .msg_ready_o,
      .msg_data_i(msg_i.data),
      .msg_keep_i(msg_i.keep),
      .msg_last_i(msg_i.last),
      .drop_i(msg_drop_i),
      .too_long_o(msg_too_long_o),
      .commit_i(take1 && (Staged ? sign_q : phase1_sign_i)),
      .tag_i(Staged ? ctx_q : phase1_ctx_i),
      .oldest_valid_o(oldest_valid),
      .oldest_tag_o(oldest_ctx),
      .free_i(phase2_done_o),
      .read_i(ring_read),
      .oldest_i(take2),
      .out_valid_o(ring.valid),
      .out_ready_i(ring_ready),
      .out_data_o(ring.data),
      .out_keep_o(ring.keep),
      .out_last_o(ring.last)
  );

  // ---- requests ---------------------------------------------------------------------------------

  // Of the oldest message, a cycle late: until then no other one's context asks for phase 2.
  logic oldest_valid_q;
  logic [CtxBits-1:0] oldest_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) oldest_valid_q <= 1'b0;
    else oldest_valid_q <= oldest_valid;
  end

  always_ff @(posedge clk_i) oldest_ctx_q <= oldest_ctx;

  assign free = state_q == StIdle && !clear_i;
  assign phase2_ready_o = free && oldest_valid_q && oldest_ctx_q == phase2_ctx_i;
  assign phase1_ready_o = free && !(phase2_valid_i && phase2_ready_o);
  assign accept1 = phase1_valid_i && phase1_ready_o;
  assign accept2 = phase2_valid_i && phase2_ready_o;


  // ---- hash -------------------------------------------------------------------------------------

  logic head_last;
  logic [2:0] head_index;  // beat of the registers

  assign head_last  = hash_q == HashSeed && left_q == '0;
  assign head_index = {hash_q == HashSign && !left_q[2], ~left_q[1:0]};

  always_comb begin
    if (state_q == StMessage) beat = ring;
    else begin
      beat.data  = 64'({high_q, low_q} >> {head_index, 6'd0});
      beat.keep  = 8'hff;
      beat.last  = state_q == StHead && head_last;
      beat.valid = state_q inside {StHead, StWipe};
    end
    if (clear_i) beat.valid = 1'b0;
  end

  assign beat_taken = beat.valid && beat_ready;
  assign ring_ready = state_q == StMessage && beat_ready;

  pm_skid #(
      .Width ($bits(byte_beat_t) - 1),
      .Stages(32'(Staged))
  ) u_beat (
      .clk_i,
      .rst_ni,
      .clear_i,
      .valid_i(beat.valid),
      .ready_o(beat_ready),
      .data_i ({beat.last, beat.keep, beat.data}),
      .valid_o(offered),
      .ready_i(hash_ready_i),
      .data_o ({hash_o.beat.last, hash_o.beat.keep, hash_o.beat.data})
  );

  // The hash keeps its last beat until the next one: behind clear_i one of zeros follows.
  assign wiped = state_q == StWiped && !offered;
  assign hash_o.beat.valid = offered;
  assign hash_o.clear = clear_i || wiped;
  // The ring begins to read while the beats before the message go out.
  assign ring_read = take2 || (written && hash_q == HashSeed && sign_q);

  // ---- scalars ----------------------------------------------------------------------------------

  assign scalar_valid_o = state_q == StDigest && digest_valid_i && !clear_i;
  assign digest_taken = scalar_valid_o && scalar_ready_i;
  assign hash_o.digest_ready = digest_taken;
  assign scalar_op_o = hash_q == HashSign ? ScalarMulAdd : ScalarReduce;
  assign scalar_a_o = low_q[253:0];
  assign scalar_r_o = walk_rdata_i[253:0];
  assign got_result = state_q == StResult && scalar_result_valid_i && !clear_i;

  always_comb begin
    scalar_digest_o = digest_i;
    // A digest that is not for the server may pass here, to somebody else.
    if (hash_q == HashSeed && (Staged || scalar_valid_o)) begin
      scalar_digest_o = {256'd0, 2'b01, digest_i[253:3], 3'd0};
    end
  end

  assign walk_we_o = state_q == StWrite && !clear_i;
  assign walk_ctx_o = ctx_q;
  assign walk_slot_o = hash_q == HashNonce;
  assign walk_data_o = high_q;
  assign written = walk_we_o && walk_wready_i;
  assign walk_rctx_o = ctx_q;
  assign walk_rslot_o = state_q == StSlot || state_q == StDigest;

  // ---- ends -------------------------------------------------------------------------------------

  assign phase1_done_o = written && (hash_q == HashNonce || !sign_q);
  assign phase1_done_ctx_o = ctx_q;
  assign phase2_done_o = got_result && hash_q == HashSign;
  assign phase2_done_ctx_o = ctx_q;
  assign phase2_s_o = 256'(scalar_result_i);

  // ---- sequence ---------------------------------------------------------------------------------

  always_comb begin
    state_d = state_q;
    hash_d  = hash_q;
    unique case (state_q)
      StIdle: begin
        if (accept1) hash_d = HashSeed;
        if (accept2) hash_d = HashSign;
        if (accept1 || accept2) state_d = Staged ? StTake : StHead;
      end
      StTake:   state_d = StHead;
      StHead: begin
        if (beat_taken && left_q == '0) state_d = hash_q == HashSeed ? StDigest : StMessage;
      end
      StMessage: begin
        if (beat_taken && ring.last) state_d = hash_q == HashSign ? StSlot : StDigest;
      end
      StSlot:   state_d = StDigest;
      StDigest: if (digest_taken) state_d = StResult;
      StResult: if (got_result) state_d = hash_q == HashSign ? StIdle : StWrite;
      StWrite: begin
        if (written) begin
          state_d = phase1_done_o ? StIdle : StHead;
          hash_d  = HashNonce;
        end
      end
      StWipe:   if (beat_taken) state_d = StWiped;
      StWiped:  if (wiped) state_d = StIdle;
      default:  state_d = StIdle;
    endcase
    if (clear_i) state_d = StWipe;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    hash_q <= hash_d;
    if (accept1 || accept2) begin
      ctx_q  <= accept2 ? phase2_ctx_i : phase1_ctx_i;
      sign_q <= phase1_sign_i;
    end
    if (state_q == StHead) begin
      if (beat_taken) left_q <= left_q - 3'd1;
    end else begin
      left_q <= take2 ? 3'd7 : 3'd3;
    end
    if (take2) {high_q, low_q} <= {phase2_a_i, phase2_r_i};
    else if (take1) {high_q, low_q} <= 512'(phase1_d_i);
    else if (clear_i || state_q == StIdle) {high_q, low_q} <= '0;
    else begin
      if (state_q == StSlot) low_q <= walk_rdata_i;
      if (digest_taken)
        {high_q, low_q} <= hash_q == HashSeed && sign_q ? 512'(digest_i[511:256]) : '0;
      if (got_result && hash_q != HashSign) high_q <= 256'(scalar_result_i);
      if (written) high_q <= '0;
    end
  end

endmodule
