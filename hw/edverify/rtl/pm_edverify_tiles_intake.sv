// SPDX-License-Identifier: Apache-2.0
//
// The receiver's job, from its header until the tiles and the scalar unit have what they need of
// it: gets a context of the tile whose turn it is, then y of its key and R go to the tile, which
// begins; S and its digest go to a scalar unit once the packet has ended. A load of a key begins
// when no job reads or writes the tables of its slot. A malformed packet ends with `malformed_job`,
// and what the receiver holds at a soft reset with `aborted`, as soon as they have a context.
//
// Handshake: job_i and job_done_o as pm_edverify_rx. header_* writes the header of a context.
//           load_* as pm_edverify_tiles_loader, facts_o for the tile from load_valid_o to
//           started_i, half_* as pm_edverify_tiles_scalars, key_* as pm_edverify_tiles_keys,
//           drop_* as pm_edverify_tile_node. free_valid_i (pulse) says that the result of a context
//           is taken.
// Timing:   a job that comes when all contexts are free starts some 30 cycles after its last
//           operand.
// Reset:    asynchronous, active low: no jobs.
// Constant time: NO. Verification handles public data.

module pm_edverify_tiles_intake
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // at least 2
    parameter int unsigned NumContexts = 7,  // of a tile, 2 to 7
    parameter bit CachedKeys = 1'b0,  // load_key and verify_cached are built in
    localparam int unsigned TileBits = $clog2(NumTiles),
    localparam int unsigned PlaceBits = TileBits + 3
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: every job is aborted
    output logic busy_o,  // a context has a job
    output logic earlier_o,  // one of before the latest soft reset is left
    input logic [31:0] time_i,  // cycles
    // receiver
    /* verilator lint_off UNUSEDSIGNAL */
    input job_t job_i,  // its job, a verification or the load of a key
    /* verilator lint_on UNUSEDSIGNAL */
    output logic job_done_o,  // pulse: it is taken over
    // contexts: {tile, context}
    output logic header_we_o,  // pulse: a job begins
    output logic [PlaceBits-1:0] place_o,  // here, until the next pulse
    output header_t header_o,  // with this header
    input logic free_valid_i,  // pulse: a context is free again
    input logic [PlaceBits-1:0] free_i,  // this one
    // tiles
    output logic load_valid_o,  // y of a job are offered
    input logic load_ready_i,  // pulse: they are on their way
    output tile_job_t facts_o,  // the job
    input logic started_i,  // pulse: it has begun
    output logic [NumTiles-1:0] drop_valid_o,  // pulse: a job of this tile ends
    output tile_end_t drop_o,  // this one
    // digests
    input logic digest_valid_i,  // that of the job is there
    output logic half_valid_o,  // it is offered to a scalar unit
    output logic spread_o,  // to that for jobs with the tables of their key
    input logic half_ready_i,  // it is taken
    // keys
    output logic key_begin_o,  // pulse: a load begins at place_o
    input logic key_hit_i  // the slot of the job holds the tables of its key
);

  typedef enum logic [3:0] {
    StIdle,   // no job
    StPlace,  // a context is looked for
    StWait,   // operands are waited for
    StKeys,   // jobs that use its slot are waited for
    StFacts,  // facts are found
    StLoad,   // y are offered
    StStart,  // the start is waited for
    StHash,   // packet and digest are waited for
    StHalf,   // S and digest are offered
    StDrop,   // it ends here
    StDone    // the receiver is released
  } state_e;

  state_e state_q, state_d;
  logic abort_q, found;
  logic [1:0] settle_q;
  logic [NumTiles-1:0][7:0] used_q, old_q;
  logic [31:0] since_q;
  logic valid_q, ended_q, malformed_q;  // what the receiver says, a cycle later
  logic is_load, is_cached;
  logic [NumTiles-1:0][7:0] keyed_q;  // jobs that read or write tables of keys
  logic [NumTiles-1:0][7:0][SlotBits-1:0] slot_q;  // of this slot
  logic blocked_q;  // one of them uses the slot of the job

  assign is_load   = CachedKeys && job_i.op == OpcodeLoadKey;
  assign is_cached = CachedKeys && job_i.op == OpcodeVerifyCached;
  assign earlier_o = old_q != '0 || abort_q;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (job_i.open) state_d = StPlace;
      StPlace: if (found) state_d = StWait;
      StWait: begin
        if (abort_q || malformed_q) state_d = StDrop;
        else if (is_load) state_d = ended_q ? StKeys : StWait;
        else if (valid_q) state_d = StFacts;
      end
      StKeys: begin
        if (abort_q) state_d = StDrop;
        else if (!blocked_q) state_d = StFacts;
      end
      StFacts: if (settle_q == 2'd3) state_d = StLoad;
      StLoad:  if (load_ready_i) state_d = StStart;
      StStart: if (started_i) state_d = StHash;
      StHash: begin
        if (abort_q || malformed_q) state_d = StDrop;
        else if (is_load) state_d = StDone;
        else if (ended_q && digest_valid_i) state_d = StHalf;
      end
      StHalf: begin
        if (half_ready_i) state_d = StDone;
        else if (abort_q) state_d = StDrop;
      end
      StDrop:  state_d = StDone;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {abort_q, settle_q, load_valid_o, half_valid_o, job_done_o, key_begin_o} <= '0;
      {valid_q, ended_q, malformed_q} <= '0;
    end else begin
      state_q <= state_d;
      {valid_q, ended_q} <= {job_i.valid, job_i.ended};
      malformed_q <= job_i.ended && job_i.malformed;
      settle_q <= state_q == StFacts ? settle_q + 2'd1 : '0;
      load_valid_o <= state_d == StLoad;
      half_valid_o <= state_d == StHalf;
      job_done_o <= state_d == StDone;
      key_begin_o <= state_q == StKeys && state_d == StFacts;
      // What was handed over is aborted there. At the header it is not known whose job it is.
      if (state_q == StDone || (state_q == StIdle && !job_i.open && !job_i.start)) abort_q <= 1'b0;
      else if (soft_reset_i && (job_i.open || job_i.start)) abort_q <= 1'b1;
    end
  end

  // ---- contexts ---------------------------------------------------------------------------------

  pm_edverify_place_scan #(
      .NumTiles(NumTiles),
      .NumContexts(NumContexts)
  ) u_scan (
      .clk_i,
      .rst_ni,
      .search_i(state_q == StPlace),
      .used_i  (used_q),
      .found_o (found),
      .placed_o(header_we_o),
      .place_o
  );

  logic [NumTiles-1:0][7:0] of_slot;  // jobs of the slot of the receiver's

  always_comb begin
    for (int unsigned t = 0; t < NumTiles; t++) begin
      for (int unsigned c = 0; c < 8; c++) of_slot[t][c] = slot_q[t][c] == job_i.slot[SlotBits-1:0];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {used_q, old_q, busy_o, keyed_q, blocked_q, spread_o} <= '0;
    end else begin
      if (free_valid_i) used_q[free_i[3+:TileBits]][free_i[2:0]] <= 1'b0;
      if (header_we_o) used_q[place_o[3+:TileBits]][place_o[2:0]] <= 1'b1;
      busy_o <= used_q != '0 || state_q != StIdle;
      old_q  <= soft_reset_i ? used_q : old_q & used_q;
      // Whether the slot holds the key is known by now.
      if (state_q == StFacts) spread_o <= is_cached && key_hit_i;
      if (state_q == StStart && (spread_o || is_load)) begin
        keyed_q[place_o[3+:TileBits]][place_o[2:0]] <= 1'b1;
      end
      if (free_valid_i) keyed_q[free_i[3+:TileBits]][free_i[2:0]] <= 1'b0;
      blocked_q <= (keyed_q & of_slot) != '0;
      if (state_q == StDrop && abort_q) old_q[place_o[3+:TileBits]][place_o[2:0]] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StStart) slot_q[place_o[3+:TileBits]][place_o[2:0]] <= job_i.slot[SlotBits-1:0];
  end

  always_ff @(posedge clk_i) begin
    if (job_i.start) since_q <= time_i;
    header_o <= '{tag: job_i.tag, rule: job_i.rule, since: since_q};
  end

  rule_flags_t flags;

  // A key comes in place of R: it must be canonical, and not of small order.
  always_comb begin
    flags = rule_flags(job_i.rule);
    if (is_load) flags = '{decode_r: 1'b1, strict_r: 1'b1, small_a: 1'b1, default: 1'b0};
  end

  pm_edverify_tile_facts u_facts (
      .clk_i,
      .op_i(is_load ? TileLoad : spread_o ? TileCached : TileVerify),
      .slot_i(job_i.slot[SlotBits-1:0]),
      .flags_i(flags),
      .s_i(job_i.s),
      .r_i(job_i.r),
      .a_i(job_i.a),
      .job_o(facts_o)
  );

  // ---- ends -------------------------------------------------------------------------------------

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) drop_valid_o <= '0;
    else drop_valid_o <= NumTiles'(state_q == StDrop) << place_o[3+:TileBits];
  end

  always_ff @(posedge clk_i) begin
    drop_o <= '{ctx: place_o[2:0], reason: abort_q ? ReasonAborted : ReasonMalformedJob};
  end

endmodule
