// SPDX-License-Identifier: Apache-2.0
//
// What an engine keeps of the job of each context, and the conditions that its programs ask for:
// facts about the received bytes, the rule set, and flags of the datapath.
//
// Computes: of the job that starts: S >= L, y of A and of R >= p, signs of A and R. A rule that
//           does not decode R compares its bytes, so that they must be canonical.
// Timing:   secrets_o and cached_o show a job from the cycle after start_i; job_*, cofactored_o,
//           small_order_o and conditions_o are those of the context that next_ctx_i named in the
//           cycle before.
// Reset:    none: a job is written before it is read.
// Constant time: YES.

module pm_edverify_barrel_jobs
  import pm_ucode_pkg::*;
  import pm_edverify_throughput_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter bit SecretOps = 1'b1,  // x25519, keygen and sign are built in
    parameter bit CachedKeys = 1'b0,  // verify_cached and the conditions of `bulk` are built in
    parameter int unsigned SlotBits = 1,  // bits of the number of a cached key
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    // the job that starts
    input logic [NumContexts-1:0] start_i,  // pulse: a job begins in this context
    input logic [7:0] op_i,  // its opcode
    input rule_flags_t flags_i,  // what its rule set asks for
    input logic [255:0] s_i,  // S, byte 0 in bits 7:0
    input logic [255:0] r_i,  // R
    input logic [255:0] a_i,  // public key
    input logic [SlotBits-1:0] slot_i,  // slot of its key
    // every context
    output logic [NumContexts-1:0] secrets_o,  // works on secret scalars
    output logic [NumContexts-1:0] cached_o,  // uses the tables of a cached key
    // the context of the word
    input logic [CtxBits-1:0] next_ctx_i,  // who it will be in the next cycle
    output logic job_secret_o,  // it works on secret scalars
    output logic job_cached_o,  // it uses the tables of a cached key
    output logic [SlotBits-1:0] job_slot_o,  // in this slot
    output logic cofactored_o,  // its rule set clears the cofactor
    output logic small_order_o,  // its rule set refuses points of small order
    // conditions
    input logic flag_zero_i,  // its latest canonical product is zero
    input logic flag_odd_i,  // and odd
    input logic more_scalars_i,  // its digit is of the first of two scalars
    /* verilator lint_off UNUSEDSIGNAL */
    // of `bulk`
    input logic previous_zero_i,  // its second latest canonical product is zero
    input logic more_tables_i,  // the tables of its key are not complete
    /* verilator lint_on UNUSEDSIGNAL */
    output logic [(1 << ConditionBits)-1:0] conditions_o  // by number
);

  typedef struct packed {
    rule_flags_t         flags;
    logic                canonical_r;
    logic                s_ge_l;
    logic                a_out_of_range;
    logic                r_out_of_range;
    logic                sign_a;
    logic                sign_r;
    logic                secret;
    logic                two;             // on two of them
    logic                cached;
    logic [SlotBits-1:0] slot;
  } job_t;

  // y >= p = 2^255 - 19 and S >= L = 2^252 + LLow, without carry chains of that length.
  function automatic logic out_of_field(logic [254:0] y);
    return &y[254:5] && y[4:0] >= 5'd13;
  endfunction

  logic canonical_r, s_ge_l, secret;

  assign s_ge_l = s_i[255:253] != '0 || (s_i[252] && (s_i[251:125] != '0 || s_i[124:0] >= LLow));
  // Then S and R are secrets, and A is that of the receiver's job, maybe one: no word asks.
  assign secret = SecretOps && op_i != OpcodeVerify;
  assign canonical_r = flags_i.strict_r || !flags_i.decode_r;

  job_t [NumContexts-1:0] jobs_q;
  job_t job;

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (start_i[c]) begin
        jobs_q[c] <= '{
            flags: flags_i,
            canonical_r: canonical_r,
            s_ge_l: !secret && s_ge_l,
            a_out_of_range: !secret && flags_i.strict_a && out_of_field(a_i[254:0]),
            r_out_of_range: !secret && canonical_r && out_of_field(r_i[254:0]),
            sign_a: !secret && a_i[255],
            sign_r: !secret && r_i[255],
            secret: secret,
            two: op_i == OpcodeSign,
            cached: CachedKeys && op_i == OpcodeVerifyCached,
            slot: slot_i
        };
      end
    end
    job <= jobs_q[next_ctx_i];
  end

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      secrets_o[c] = jobs_q[c].secret;
      cached_o[c]  = jobs_q[c].cached;
    end
  end

  assign job_secret_o  = job.secret;
  assign job_cached_o  = job.cached;
  assign job_slot_o    = job.slot;
  assign cofactored_o  = job.flags.cofactored;
  assign small_order_o = job.flags.small_a;

  always_comb begin
    conditions_o = '0;
    conditions_o[CondAlways] = 1'b1;
    conditions_o[CondZero0] = flag_zero_i;
    conditions_o[CondOddNeSignA] = flag_odd_i != job.sign_a;
    conditions_o[CondOddNeSignR] = flag_odd_i != job.sign_r;
    conditions_o[CondSGeL] = job.s_ge_l;
    conditions_o[CondAOutOfRange] = job.a_out_of_range;
    conditions_o[CondROutOfRange] = job.r_out_of_range;
    conditions_o[CondStrictA] = job.flags.strict_a;
    conditions_o[CondCanonicalR] = job.canonical_r;
    conditions_o[CondDecodeR] = job.flags.decode_r;
    conditions_o[CondSmallOrder] = job.flags.small_a;
    conditions_o[CondMoreScalars] = more_scalars_i;
    conditions_o[CondTwoScalars] = job.two;
    if (CachedKeys) begin
      conditions_o[pm_edverify_bulk_ucode_pkg::CondCofactored] = job.flags.cofactored;
      conditions_o[pm_edverify_bulk_ucode_pkg::CondEncodesR] =
          previous_zero_i && flag_odd_i == job.sign_r && !job.r_out_of_range;
      conditions_o[pm_edverify_bulk_ucode_pkg::CondMoreTables] = more_tables_i;
    end
  end

endmodule
