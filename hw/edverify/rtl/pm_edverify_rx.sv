// SPDX-License-Identifier: Apache-2.0
//
// Receives job packets of the Ed25519 core (AXI4-Stream, 64-bit beats, first byte of a beat in bits
// 7:0) and presents one job at a time. R || A || M of a verification goes to a hash unit, the
// message to be signed to a message memory.
//
// Packet:   beat 0 header {tag[63:32], slot [31:16], opcode [15:8], rule [7:0]}, then the operands
//           of the operation, four beats each, then its message if it has one; TLAST on the last
//           beat.
//             verify, verify_cached, verify_batch  S, R, A, message; name a rule set
//             sign  d, message      x25519  k, u      keygen  d      load_key  A
//           verify_cached and load_key name a slot of the key memory.
//           TKEEP must be all ones, except on the last message beat, where it must be contiguous
//           from bit 0 (0: a beat without bytes). An empty message ends on the last operand beat.
// Malformed: opcode that is illegal or not built in, illegal rule (not 0 where none is named), slot
//           of load_key that there is not (not 0 where none is named), an end before the last
//           operand beat, no end there without a message, bad TKEEP. Such a packet is consumed to
//           its TLAST and still is a job that wants a result (job_malformed_o).
// Timing:   one beat per cycle; beats for the hash (R, A, message of verify) and for the message
//           memory (message of sign, and its last operand beat, which may be the end) at their
//           pace. s_axis_tready does not depend on s_axis_tvalid. job_valid_o rises in the cycle
//           after the last operand beat was accepted, or after TLAST if the packet is malformed by
//           then; job_end_o in the cycle after TLAST. Staged: job_valid_o comes a cycle later, and
//           so does job_end_o after an operand beat.
// Handshake: job_* are levels, stable from job_valid_o (job_malformed_o: from job_end_o) until
//           job_done_i. job_done_i while job_open_o ends the job at any time; what is left of its
//           packet is then consumed unseen. The next header is accepted in the cycle after
//           job_done_i at the earliest.
// Hash:     hash_clear_o is high for one cycle whenever the hash unit may hold something of a job
//           that is over or given up (after job_done_i, and when hashing is abandoned in
//           mid-message). No beat of the next job is offered before that cycle is over.
// Message:  exactly one message for every sign job that is well formed, complete by job_end_o; the
//           empty one is a beat that keeps nothing. A beat that breaks the format is not offered.
//           msg_drop_o is high for one cycle after a message was given up before its last beat.
// Secrets:  the operands of secret operations are wiped here by job_done_i.
// Reset:    asynchronous, active low: waits for a header.
// Timing depends on the packet's length and header, never on the values of operands or message.
module pm_edverify_rx
  import pm_edverify_pkg::*;
#(
    parameter bit SecretOps = 0,  // 1: x25519, keygen and sign are legal
    parameter bit Signatures = 1,  // 0: of all operations only x25519 may be
    parameter int unsigned Keys = 0,  // load_key and verify_cached are legal with so many slots
    parameter bit Batches = 0,  // 1: verify_batch is legal
    parameter bit Staged = 0  // 1: operands pass a register, for a high clock
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // job packets
    input  logic        s_axis_tvalid,  // a beat is offered
    output logic        s_axis_tready,  // it is taken
    input  logic [63:0] s_axis_tdata,   // bytes
    input  logic [ 7:0] s_axis_tkeep,   // bytes that count
    input  logic        s_axis_tlast,   // last beat of the packet

    // the job
    output logic job_start_o,  // pulse: a header beat is accepted in this cycle
    output logic job_open_o,  // a header was accepted and its job is not answered yet
    output logic job_valid_o,  // the operands are complete, or the malformed packet has ended
    output logic job_end_o,  // TLAST was accepted: job_malformed_o is final
    output logic job_malformed_o,  // the packet breaks the format; may rise until job_end_o
    output logic [7:0] job_op_o,  // opcode of the header; valid from job_open_o on
    output logic job_secret_o,  // it is an operation on secrets; valid from job_open_o on
    output logic [7:0] job_rule_o,  // rule set of the header; valid from job_open_o on
    output logic [31:0] job_tag_o,  // tag of the header; valid from job_open_o on
    output logic [15:0] job_slot_o,  // slot of the header, any of verify_cached; from job_open_o on
    output logic [255:0] job_s_o,  // S (verify), byte 0 in bits 7:0
    output logic [255:0] job_r_o,  // R (verify), k (x25519)
    output logic [255:0] job_a_o,  // A (verify, load_key), u (x25519), d (keygen, sign)
    input logic job_discard_i,  // level: the rest of the message need not be hashed
    input logic job_done_i,  // pulse: the job is answered

    // R || A || M of a verification
    output logic        hash_clear_o,  // pulse: forget what was hashed
    output logic        hash_valid_o,  // a beat is offered
    input  logic        hash_ready_i,  // it is taken
    output logic [63:0] hash_data_o,   // bytes
    output logic [ 7:0] hash_keep_o,   // bytes that count
    output logic        hash_last_o,   // last beat of R || A || M

    // message to be signed
    output logic        msg_drop_o,   // pulse: forget the message that has not ended
    output logic        msg_valid_o,  // a beat is offered
    input  logic        msg_ready_i,  // it is taken
    output logic [63:0] msg_data_o,   // bytes
    output logic [ 7:0] msg_keep_o,   // bytes that count
    output logic        msg_last_o,   // last beat of the message

    output logic busy_o  // a packet or a job is under way
);

  localparam int unsigned FixedBits = 64 * OperandBeats * MaxOperands;
  localparam logic [3:0] FirstHashed = 4'(OperandBeats);  // counted from the first operand beat
  localparam logic [15:0] SlotMask = Keys == 0 ? '0 : 16'(Keys - 1);

  if ((Keys & (Keys - 1)) != 0 || Keys > 65536) begin : gen_bad_keys
    $fatal(1, "pm_edverify_rx: Keys must be 0 or a power of two up to 65,536");
  end

  typedef enum logic [2:0] {
    StHeader,   // no job
    StFixed,    // operands
    StMessage,  // message, hashed or kept
    StSkip,     // message or malformed packet, not hashed
    StWait,     // packet complete, job not answered
    StDrop      // job answered before its packet ended
  } state_e;

  state_e state_d, state_q;
  logic [3:0] beat_q;  // operand beat awaited
  logic complete_q;  // the operands are complete
  logic malformed_q;
  logic hash_clear_q, msg_drop_q;
  logic [FixedBits-1:0] fixed_q;
  logic take, wipe, pending;  // an operand beat, none any more, one is under way
  logic [63:0] word;

  logic accept, keep_full, keep_contiguous, header_fields_legal, bad_beat, abandon;
  logic [7:0] head_op, head_rule;
  logic [15:0] head_slot, slots;
  logic has_message_q, discard, to_hash, to_message, last_fixed, give_up_message;
  logic [3:0] last_beat_q;  // the last operand beat

  // ---- what a beat is worth ----
  assign keep_full = &s_axis_tkeep;
  // Ones from bit 0 upwards: adding 1 carries through all of them and meets no other.
  assign keep_contiguous = (s_axis_tkeep & (s_axis_tkeep + 8'd1)) == '0;
  assign {head_slot, head_op, head_rule} = s_axis_tdata[31:0];
  always_comb begin
    // A verification with a slot that there is not finds no key there.
    slots = '0;
    if (opcode_has_slot(head_op)) slots = head_op == OpcodeLoadKey ? SlotMask : '1;
    header_fields_legal = opcode_legal(head_op);
    if (!SecretOps && opcode_is_secret(head_op)) header_fields_legal = 1'b0;
    if (Keys == 0 && opcode_has_slot(head_op)) header_fields_legal = 1'b0;
    if (!Batches && opcode_is_batch(head_op)) header_fields_legal = 1'b0;
    if (!Signatures && head_op != OpcodeX25519) header_fields_legal = 1'b0;
    if ((head_slot & ~slots) != '0) header_fields_legal = 1'b0;
    if (opcode_has_rule(head_op) ? !rule_legal(head_rule) : head_rule != '0) begin
      header_fields_legal = 1'b0;
    end
  end
  assign last_fixed = beat_q == last_beat_q;

  always_comb begin
    unique case (state_q)
      StHeader: bad_beat = !header_fields_legal || !keep_full || s_axis_tlast;
      StFixed:
      bad_beat = !keep_full || (last_fixed ? !has_message_q && !s_axis_tlast : s_axis_tlast);
      StMessage, StSkip: bad_beat = s_axis_tlast ? !keep_contiguous : !keep_full;
      default: bad_beat = 1'b0;
    endcase
  end

  // ---- handshakes ----
  // The message of a secret operation is kept for it, that of any other is hashed behind R and A.
  assign to_hash = !job_secret_o &&
      ((state_q == StMessage) || (state_q == StFixed && beat_q >= FirstHashed));
  assign to_message = job_secret_o && has_message_q &&
      ((state_q == StMessage) || (state_q == StFixed && last_fixed));
  assign discard = job_discard_i && !job_secret_o;
  assign s_axis_tready = (state_q != StWait) && (!to_hash || hash_ready_i) &&
      (!to_message || msg_ready_i);
  assign accept = s_axis_tvalid && s_axis_tready;

  assign hash_valid_o = s_axis_tvalid && to_hash;
  assign hash_data_o = s_axis_tdata;
  assign hash_keep_o = s_axis_tkeep;
  assign hash_last_o = s_axis_tlast;

  // The last operand beat stands for an empty message when it ends the packet. What an answer ends
  // is not completed.
  assign msg_valid_o = s_axis_tvalid && to_message && !bad_beat && !job_done_i &&
      (state_q == StMessage || s_axis_tlast);
  assign msg_data_o = (state_q == StMessage) ? s_axis_tdata : '0;
  assign msg_keep_o = (state_q == StMessage) ? s_axis_tkeep : '0;
  assign msg_last_o = s_axis_tlast;

  // ---- control ----
  always_comb begin
    state_d = state_q;
    abandon = 1'b0;
    unique case (state_q)
      StHeader: begin
        if (accept) begin
          if (s_axis_tlast) state_d = StWait;
          else state_d = bad_beat ? StSkip : StFixed;
        end
      end
      StFixed: begin
        if (accept) begin
          if (s_axis_tlast) state_d = StWait;
          else if (bad_beat) state_d = StSkip;
          else if (last_fixed) state_d = StMessage;
          abandon = bad_beat;
        end
      end
      StMessage: begin
        if (accept && s_axis_tlast) state_d = StWait;
        else if (discard || (accept && bad_beat)) state_d = StSkip;
        abandon = discard || (accept && bad_beat);
      end
      StSkip:  if (accept && s_axis_tlast) state_d = StWait;
      StWait:  ;
      StDrop:  if (accept && s_axis_tlast) state_d = StHeader;
      default: state_d = StHeader;
    endcase
    // An answer ends the job, whatever the packet has come to.
    if (job_done_i && job_open_o) begin
      state_d = (state_q == StWait || (accept && s_axis_tlast)) ? StHeader : StDrop;
    end
  end

  assign give_up_message = state_q == StMessage && job_secret_o &&
      (job_done_i || (accept && bad_beat));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StHeader;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q <= '0;
      complete_q <= 1'b0;
      malformed_q <= 1'b0;
      hash_clear_q <= 1'b0;
      msg_drop_q <= 1'b0;
    end else begin
      hash_clear_q <= !job_secret_o && (abandon || (job_done_i && job_open_o));
      msg_drop_q   <= give_up_message;
      if (job_start_o) begin
        beat_q <= '0;
        complete_q <= 1'b0;
        malformed_q <= bad_beat;
      end else if (accept) begin
        malformed_q <= malformed_q || bad_beat;
        if (state_q == StFixed) begin
          beat_q <= beat_q + 4'd1;
          complete_q <= last_fixed && !bad_beat;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (job_start_o) begin
      job_op_o <= s_axis_tdata[15:8];
      job_rule_o <= s_axis_tdata[7:0];
      job_slot_o <= head_slot;
      job_tag_o <= s_axis_tdata[63:32];
      // Decoded here, since the ready signal of every other beat depends on it.
      job_secret_o <= SecretOps && opcode_is_secret(head_op);
      has_message_q <= Signatures && opcode_has_message(head_op);
      last_beat_q <= {opcode_operands(head_op), 2'd0} - 4'd1;
    end
    if (wipe) fixed_q <= '0;
    else if (take) fixed_q <= {word, fixed_q[FixedBits-1:64]};
  end

  // ---- operands ----

  assign wipe = job_done_i && job_open_o && job_secret_o;

  if (Staged) begin : gen_staged
    logic take_q;
    logic [63:0] word_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) take_q <= 1'b0;
      else take_q <= accept && state_q == StFixed && !(job_done_i && job_open_o);
    end

    always_ff @(posedge clk_i) word_q <= wipe ? '0 : s_axis_tdata;

    assign take = take_q;
    assign word = word_q;
    assign pending = take_q;
  end else begin : gen_direct
    assign take = accept && state_q == StFixed;
    assign word = s_axis_tdata;
    assign pending = 1'b0;
  end

  assign {job_a_o, job_r_o, job_s_o} = fixed_q;
  assign job_start_o = s_axis_tvalid && (state_q == StHeader);  // a header is always taken
  assign job_open_o = (state_q != StHeader) && (state_q != StDrop);
  assign job_end_o = (state_q == StWait) && !pending;
  assign job_valid_o = job_end_o || (job_open_o && complete_q && !pending);
  assign job_malformed_o = malformed_q;
  assign hash_clear_o = hash_clear_q;
  assign msg_drop_o = msg_drop_q;
  assign busy_o = (state_q != StHeader);

endmodule
