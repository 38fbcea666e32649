// SPDX-License-Identifier: Apache-2.0
//
// One or several pm_barrel_engine and the unit that halves scalars, which they share: it is used for some
// 600 of the 2,100 cycles that a verification costs its engine. Its products go to the multiplier of
// the engine that the job belongs to.
//
// Contexts are numbered through all engines, which take turns: context c is context c / Engines of
// engine c mod Engines, so that the lowest free context finds the engine with the least to do.
// Handshake: as pm_barrel_engine, for each context; half_valid_i/half_ready_o hand S and the digest of
//           the started context half_ctx_i over, list_ready_o[c] says that its operation list is complete.
//           A context whose digest was handed over must not be started again before that. clear_half_i
//           abandons the halving that is under way.
// Reset:    asynchronous, active low: idle. Constant time: NO, everything here is public.

module pm_barrel_cluster
  import pm_scalar_pkg::*;
  import pm_ed_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts of all engines, a multiple of Engines
    parameter int unsigned Engines = 1,  // engines, at least 1
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input  logic                          clk_i,          // clock
    input  logic                          rst_ni,         // asynchronous reset, active low
    input  logic        [NumContexts-1:0] start_i,        // pulse: begin a job in this context
    input  logic        [NumContexts-1:0] clear_i,        // pulse: abandon its job
    input  rule_flags_t                   flags_i,        // what the rule set asks for
    input  logic        [          255:0] s_i,            // S, byte 0 in bits 7:0
    input  logic        [          255:0] r_i,            // R
    input  logic        [          255:0] a_i,            // public key
    input  logic                          clear_half_i,   // pulse: abandon the halving under way
    input  logic                          half_valid_i,   // S and digest of a started context
    output logic                          half_ready_o,   // they are taken
    input  logic        [    CtxBits-1:0] half_ctx_i,     // the context
    input  logic        [          511:0] half_digest_i,  // SHA-512(R || A || M); S is s_i
    output logic        [NumContexts-1:0] list_ready_o,   // the operation list is complete
    output logic        [NumContexts-1:0] finish_o,       // pulse: the job of this context ends
    output reason_e     [    Engines-1:0] reason_o,       // with the verdict of its engine
    output logic        [    Engines-1:0] mul_issue_o     // products started in this cycle
);

  localparam int unsigned PerEngine = NumContexts / Engines;
  localparam int unsigned LocalBits = $clog2(PerEngine);
  // The more engines wait for the scalars, the less may these wait for a free cycle of a multiplier.
  localparam int unsigned Patience = Engines == 1 ? 255 : 31;

  if (Engines < 1 || PerEngine * Engines != NumContexts) begin : g_refuse_engines
    $fatal(1, "pm_barrel_cluster: every engine must have as many contexts");
  end

  // ---- scalars ----------------------------------------------------------------------------------

  logic push_valid, push_ready, half_done, mul_valid;
  list_entry_t push_entry;
  logic [CtxBits-1:0] half_ctx_q;
  logic [257:0] mul_a, mul_b, part_h, part_l;
  logic [Engines-1:0] owner, push_ready_of, mul_ready_of, part_valid_of;
  logic [Engines-1:0][257:0] part_h_of, part_l_of;
  // Verifications want no results.
  /* verilator lint_off UNUSEDSIGNAL */
  logic result_valid;
  logic [252:0] result;
  /* verilator lint_on UNUSEDSIGNAL */

  pm_scalar_unit #(
      .WG(10),
      .WA(4)
  ) u_scalars (
      .clk_i,
      .rst_ni,
      .clear_i(clear_half_i),
      .valid_i(half_valid_i),
      .ready_o(half_ready_o),
      .op_i(ScalarHalve),
      .s_i(254'(s_i[252:0])),
      .r_i('0),
      .digest_i(half_digest_i),
      .result_valid_o(result_valid),
      .result_o(result),
      .push_valid_o(push_valid),
      .push_ready_i(push_ready),
      .push_entry_o(push_entry),
      .done_o(half_done),
      .mul_valid_o(mul_valid),
      .mul_ready_i(|(mul_ready_of & owner)),
      .mul_a_o(mul_a),
      .mul_b_o(mul_b),
      .mul_part_valid_i(|part_valid_of),
      .mul_h_i(part_h),
      .mul_l_i(part_l)
  );

  always_ff @(posedge clk_i) begin
    if (half_valid_i && half_ready_o) half_ctx_q <= half_ctx_i;
  end

  assign push_ready = |(push_ready_of & owner);

  // The owner of an answer is the only engine that was asked.
  always_comb begin
    part_h = '0;
    part_l = '0;
    for (int unsigned e = 0; e < Engines; e++) begin
      owner[e] = 32'(half_ctx_q) % Engines == e;
      if (part_valid_of[e]) begin
        part_h |= part_h_of[e];
        part_l |= part_l_of[e];
      end
    end
  end

  // ---- engines ----------------------------------------------------------------------------------

  for (genvar e = 0; e < int'(Engines); e++) begin : g_engine
    logic [PerEngine-1:0] start, clear, list_ready;
    logic [LocalBits-1:0] finish_ctx;
    logic finish;

    for (genvar c = 0; c < int'(PerEngine); c++) begin : g_context
      assign start[c] = start_i[c*Engines+e];
      assign clear[c] = clear_i[c*Engines+e];
      assign list_ready_o[c*Engines+e] = list_ready[c];
      assign finish_o[c*Engines+e] = finish && finish_ctx == LocalBits'(c);
    end

    // Results of secret jobs, which nobody starts.
    /* verilator lint_off UNUSEDSIGNAL */
    logic out_valid, out_slot, zero;
    logic [LocalBits-1:0] out_ctx;
    logic [255:0] out_data, walk_rdata;
    /* verilator lint_on UNUSEDSIGNAL */

    pm_barrel_engine #(
        .NumContexts(PerEngine),
        .Patience(Patience)
    ) u_engine (
        .clk_i,
        .rst_ni,
        .start_i(start),
        .op_i(OpcodeVerify),
        .clear_i(clear),
        .flags_i,
        .s_i,
        .r_i,
        .a_i,
        .push_valid_i(push_valid && owner[e]),
        .push_ready_o(push_ready_of[e]),
        .push_ctx_i(LocalBits'(32'(half_ctx_q) / Engines)),
        .push_entry_i(push_entry),
        .list_done_i(half_done && owner[e]),
        .list_ready_o(list_ready),
        .walk_we_i(1'b0),
        .walk_ctx_i('0),
        .walk_slot_i(1'b0),
        .walk_data_i('0),
        .walk_rctx_i('0),
        .walk_rslot_i(1'b0),
        .walk_rdata_o(walk_rdata),
        .walk_zero_i('0),
        .out_valid_o(out_valid),
        .out_ctx_o(out_ctx),
        .out_slot_o(out_slot),
        .out_data_o(out_data),
        .share_valid_i(mul_valid && owner[e]),
        .share_ready_o(mul_ready_of[e]),
        .share_a_i(mul_a),
        .share_b_i(mul_b),
        .share_done_o(part_valid_of[e]),
        .share_h_o(part_h_of[e]),
        .share_l_o(part_l_of[e]),
        .finish_o(finish),
        .finish_ctx_o(finish_ctx),
        .reason_o(reason_o[e]),
        .zero_o(zero),
        .mul_issue_o(mul_issue_o[e])
    );
  end

endmodule
