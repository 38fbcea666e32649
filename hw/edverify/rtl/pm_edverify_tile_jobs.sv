// SPDX-License-Identifier: Apache-2.0
//
// What a tile keeps of the job of each context, and the conditions that its program asks for. A
// rule that does not decode R compares its bytes, so that they must be canonical.
//
// Timing:   start_i in the cycle of job_i; the outputs are those of the context that next_ctx_i
//           named in the cycle before.
// Reset:    none: a job is written before it is read. Constant time.
// Memory:   distributed RAM. At most one job begins in a cycle.

module pm_edverify_tile_jobs
  import pm_ucode_pkg::*;
  import pm_edverify_tile_ucode_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter  int unsigned NumContexts = 7,                   // contexts, at least 2
    localparam int unsigned CtxBits     = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic [NumContexts-1:0] start_i,  // pulse: a job begins in this context
    input tile_job_t job_i,  // this one
    input logic [CtxBits-1:0] next_ctx_i,  // whose word it will be in the next cycle
    input logic flag_zero_i,  // its latest flags
    input logic flag_odd_i,
    input logic more_tables_i,  // tables of a key are not complete
    output tile_op_e op_o,  // its operation
    output logic [SlotBits-1:0] slot_o,  // of its key
    output logic cofactored_o,  // its rule set clears the cofactor
    output logic small_order_o,  // its rule set rejects small order
    output logic [2**ConditionBits-1:0] conditions_o  // by number
);

  tile_job_t job, job_q;
  logic [CtxBits-1:0] start_ctx;
  logic canonical_r;

  assign op_o = job_q.op;
  assign slot_o = job_q.slot;
  assign cofactored_o = job_q.flags.cofactored;
  assign small_order_o = job_q.flags.small_a;

  // With small_a comes small_r.
  logic unused;
  assign unused = job_q.flags.small_r;

  always_comb begin
    start_ctx = '0;
    for (int unsigned c = 0; c < NumContexts; c++) if (start_i[c]) start_ctx |= CtxBits'(c);
  end

  pm_regbank #(
      .Width($bits(tile_job_t)),
      .AddrBits(CtxBits),
      .NumReads(1)
  ) u_jobs (
      .clk_i,
      .we_i(start_i != '0),
      .waddr_i(start_ctx),
      .wdata_i(job_i),
      .raddr_i(next_ctx_i),
      .rdata_o(job)
  );

  always_ff @(posedge clk_i) job_q <= job;

  assign canonical_r = job_q.flags.strict_r || !job_q.flags.decode_r;

  always_comb begin
    conditions_o = '0;
    conditions_o[CondAlways] = 1'b1;
    conditions_o[CondZero0] = flag_zero_i;
    conditions_o[CondOddNeSignA] = flag_odd_i != job_q.sign_a;
    conditions_o[CondOddNeSignR] = flag_odd_i != job_q.sign_r;
    conditions_o[CondSGeL] = job_q.s_ge_l;
    conditions_o[CondAOutOfRange] = job_q.flags.strict_a && job_q.a_ge_p;
    conditions_o[CondROutOfRange] = canonical_r && job_q.r_ge_p;
    conditions_o[CondStrictA] = job_q.flags.strict_a;
    conditions_o[CondCanonicalR] = canonical_r;
    conditions_o[CondDecodeR] = job_q.flags.decode_r;
    conditions_o[CondSmallOrder] = job_q.flags.small_a;
    conditions_o[CondCofactored] = job_q.flags.cofactored;
    conditions_o[CondMoreTables] = more_tables_i;
    conditions_o[CondLoads] = job_q.op == TileLoad;
  end

endmodule
