// SPDX-License-Identifier: Apache-2.0
//
// Core of `edverify`, configuration `tiles`, without buses: several tiles and what they share. A
// receiver in front of it shows a job at a time, a SHA-512 unit stands beside it, a transmitter
// takes the results, in the order in which jobs end.
//
// Handshake: job_i and job_done_o as pm_edverify_rx, digest_* as pm_sha512. A result is valid and
//           holds until result_ready_i.
// Timing:   cycles_o counts from the cycle after the header beat (1) to the first cycle in which
//           the result is offered. All that tiles share is a register away from them, so that more
//           tiles make no path longer.
// Reset:    asynchronous, active low: no jobs. A soft reset ends every job with `aborted`.
// Constant time: NO. Verification handles public data.

module pm_edverify_tiles_core
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_barrel_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles    = 3,  // at least 2
    parameter int unsigned NumContexts = 7   // of a tile, 2 to 7
) (
    input  logic                   clk_i,           // clock
    input  logic                   rst_ni,          // asynchronous reset, active low
    input  logic                   soft_reset_i,    // pulse: answer every job with `aborted`
    output logic                   reset_done_o,    // pulse: nothing of before it is left
    output logic                   busy_o,          // a job is under way
    output logic    [NumTiles-1:0] mul_issue_o,     // a tile has started a product
    // receiver
    input  job_t                   job_i,           // its job
    output logic                   job_done_o,      // pulse: it is taken over
    // hash
    input  logic                   digest_valid_i,  // the digest is there
    output logic                   digest_ready_o,  // it is taken
    input  logic    [       511:0] digest_i,
    // answers
    output logic                   result_valid_o,  // an answer is offered
    input  logic                   result_ready_i,  // it is taken
    output logic    [        31:0] tag_o,           // its tag
    output logic    [         7:0] rule_o,          // its rule set
    output reason_e                reason_o,        // its reason
    output logic    [        31:0] cycles_o         // cycles from header to answer
);

  localparam int unsigned TileBits = $clog2(NumTiles);
  localparam int unsigned PlaceBits = TileBits + 3;

  typedef logic [NumTiles-1:0] tiles_t;

  if (NumTiles < 2) begin : g_refuse_tiles
    $fatal(1, "pm_edverify_tiles_core: there must be at least 2 tiles");
  end

  // ---- jobs -------------------------------------------------------------------------------------

  logic [31:0] time_q;
  logic header_we, free_valid, load_valid, load_ready, started_q, half_valid, half_ready;
  logic resetting_q, soft_reset_q;
  logic [PlaceBits-1:0] place, free;
  header_t   header;
  tile_job_t facts;
  tiles_t drop_valid, started, end_valid, end_taken, ask_valid, ask_taken, room, beat_valid, issue;
  tile_end_t drop;
  tile_end_t [NumTiles-1:0] ends;
  tile_ask_t [NumTiles-1:0] asks;
  tile_beat_t beat;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      {started_q, soft_reset_q, resetting_q, reset_done_o, mul_issue_o, digest_ready_o} <= '0;
    end else begin
      time_q <= time_q + 32'd1;
      started_q <= |started;
      digest_ready_o <= half_valid && half_ready;  // it has been read
      soft_reset_q <= soft_reset_i;
      // busy_o is behind by a cycle.
      resetting_q <= soft_reset_i || (resetting_q && (busy_o || soft_reset_q));
      reset_done_o <= resetting_q && !busy_o && !soft_reset_i && !soft_reset_q;
      mul_issue_o <= issue;
    end
  end

  pm_edverify_tiles_intake #(
      .NumTiles(NumTiles),
      .NumContexts(NumContexts)
  ) u_intake (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .busy_o,
      .time_i(time_q),
      .job_i,
      .job_done_o,
      .header_we_o(header_we),
      .place_o(place),
      .header_o(header),
      .free_valid_i(free_valid),
      .free_i(free),
      .load_valid_o(load_valid),
      .load_ready_i(load_ready),
      .facts_o(facts),
      .started_i(started_q),
      .drop_valid_o(drop_valid),
      .drop_o(drop),
      .digest_valid_i,
      .half_valid_o(half_valid),
      .half_ready_i(half_ready)
  );

  pm_edverify_tiles_loader #(
      .NumTiles(NumTiles)
  ) u_loader (
      .clk_i,
      .rst_ni,
      .job_valid_i(load_valid),
      .job_ready_o(load_ready),
      .job_tile_i(place[3+:TileBits]),
      .job_ctx_i(place[2:0]),
      .ya_i(job_i.a[254:0]),
      .yr_i(job_i.r[254:0]),
      .ask_valid_i(ask_valid),
      .ask_i(asks),
      .ask_taken_o(ask_taken),
      .room_i(room),
      .beat_valid_o(beat_valid),
      .beat_o(beat)
  );

  pm_edverify_tiles_answers #(
      .NumTiles(NumTiles)
  ) u_answers (
      .clk_i,
      .rst_ni,
      .time_i(time_q),
      .header_we_i(header_we),
      .place_i(place),
      .header_i(header),
      .end_valid_i(end_valid),
      .end_i(ends),
      .end_taken_o(end_taken),
      .free_valid_o(free_valid),
      .free_o(free),
      .result_valid_o,
      .result_ready_i,
      .tag_o,
      .rule_o,
      .reason_o,
      .cycles_o
  );

  // ---- scalars ----------------------------------------------------------------------------------

  // The unit may take the next job before the digit sequence of the last one is complete.
  logic push_valid, push_done, clear;
  logic [3:0][PlaceBits-1:0] places_q;
  logic [1:0] put_q, get_q;
  logic [PlaceBits-1:0] list_place;
  list_entry_t push_entry;
  tiles_t list_valid_q;
  tile_list_t list_q;

  pm_scalar_serial u_scalars (
      .clk_i,
      .rst_ni,
      .clear_i(clear),
      .valid_i(half_valid),
      .ready_o(half_ready),
      .s_i(job_i.s[252:0]),
      .digest_i,
      .push_valid_o(push_valid),
      .push_ready_i(1'b1),
      .push_entry_o(push_entry),
      .done_o(push_done)
  );

  // What is offered at a soft reset is withdrawn two cycles later.
  assign clear = soft_reset_i || soft_reset_q;
  assign list_place = places_q[get_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {put_q, get_q, list_valid_q} <= '0;
    else if (clear) {put_q, get_q, list_valid_q} <= '0;
    else begin
      put_q <= put_q + 2'(half_valid && half_ready);
      get_q <= get_q + 2'(push_done);
      list_valid_q <= tiles_t'(push_valid || push_done) << list_place[3+:TileBits];
    end
  end

  always_ff @(posedge clk_i) begin
    if (half_valid && half_ready) places_q[put_q] <= place;
    list_q <= '{ctx: list_place[2:0], valid: push_valid, done: push_done, entry: push_entry};
  end

  // ---- tiles ------------------------------------------------------------------------------------

  for (genvar i = 0; i < NumTiles; i++) begin : g_tile
    pm_edverify_tile_node #(
        .NumContexts(NumContexts)
    ) u_node (
        .clk_i,
        .rst_ni,
        .beat_valid_i(beat_valid[i]),
        .beat_i(beat),
        .room_o(room[i]),
        .job_i(facts),
        .started_o(started[i]),
        .list_valid_i(list_valid_q[i]),
        .list_i(list_q),
        .drop_valid_i(drop_valid[i]),
        .drop_i(drop),
        .abort_i(soft_reset_q),
        .ask_valid_o(ask_valid[i]),
        .ask_o(asks[i]),
        .ask_taken_i(ask_taken[i]),
        .end_valid_o(end_valid[i]),
        .end_o(ends[i]),
        .end_taken_i(end_taken[i]),
        .mul_issue_o(issue[i])
    );
  end

endmodule
