// SPDX-License-Identifier: Apache-2.0
//
// Core of `edverify`, configurations of tiles, without buses: several tiles that verify, what they
// share and, with SecretOps, one for operations on secrets. A receiver in front of it shows a job
// at a time, a SHA-512 unit stands beside it, a transmitter takes the results, in the order in
// which jobs end.
//
// Handshake: rx_i and rx_o as pm_edverify_rx, hash_o and hash_i as pm_sha512, result_o as
//           pm_edverify_tx.
// Timing:   result_o.cycles counts from the cycle after the header beat (1) to the first cycle in
//           which the result is offered. All that tiles share is a register away from them, so that
//           more tiles make no path longer.
// Reset:    asynchronous, active low: no jobs. A soft reset ends every job with `aborted`.
// Constant time: verification NO, it is public; the other operations YES for a given length of the
//           message, apart from the waiting for other jobs.

module pm_edverify_tiles_core
  import pm_scalar_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_core_pkg::*;
  import pm_edverify_batch_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumTiles = 3,  // that verify, at least 2
    parameter int unsigned NumContexts = 7,  // of a tile, 2 to 7
    parameter bit SecretOps = 1'b0,  // one more, for x25519, keygen and sign
    parameter int unsigned Keys = 0,  // slots of keys, 2, 4 or 8; 0: none
    parameter int unsigned MessageBytes = 16384,  // memory of messages to be signed
    localparam int unsigned AllTiles = NumTiles + 32'(SecretOps)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic soft_reset_i,  // pulse: answer every job with `aborted`
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a job is under way
    output logic [AllTiles-1:0] mul_issue_o,  // a tile has started a product
    // receiver
    input from_rx_t rx_i,
    output to_rx_t rx_o,
    // hash
    output to_hash_t hash_o,
    input from_hash_t hash_i,
    // transmitter
    output tx_result_t result_o,  // holds until taken
    input logic result_ready_i,  // it is taken
    input logic [1:0] payload_index_i,  // the word of its payload that is wanted
    output logic [255:0] payload_o  // a cycle later
);

  localparam int unsigned TileBits = $clog2(NumTiles);
  localparam int unsigned AllBits = $clog2(AllTiles);

  typedef logic [NumTiles-1:0] tiles_t;

  if (NumTiles < 2) begin : g_refuse_tiles
    $fatal(1, "pm_edverify_tiles_core: there must be at least 2 tiles");
  end

  // ---- jobs -------------------------------------------------------------------------------------

  logic [31:0] time_q;
  logic header_we, free_valid, load_valid, load_ready, started_q, half_valid, half_ready, spread;
  logic key_begin, key_hit;
  logic [8:0] key_addr;
  tile_coord_e key_coord;
  logic [ValueBits-1:0] key_value;
  tile_put_t [NumTiles-1:0] puts;
  logic resetting_q, soft_reset_q, soft_reset_q2, earlier, earlier_q;
  logic job_done, busy, digest_valid, digest_ready_q;
  logic [TileBits+2:0] place;
  logic [AllBits+2:0] free, header_place;
  job_t job;
  header_t header;
  tile_job_t facts;
  tiles_t drop_valid, started, ask_valid, ask_taken, room, beat_valid;
  tile_end_t drop;
  logic [AllTiles-1:0] end_valid, end_taken, issue;
  tile_end_t [AllTiles-1:0] ends;
  tile_ask_t [NumTiles-1:0] asks;
  tile_beat_t beat;
  // of the tile for secrets
  logic secret_done, secret_busy, secret_earlier, secret_we;
  logic [2:0] secret_place;
  header_t secret_header;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      {soft_reset_q, soft_reset_q2, earlier_q, resetting_q, reset_done_o} <= '0;
      {started_q, mul_issue_o, digest_ready_q} <= '0;
    end else begin
      time_q <= time_q + 32'd1;
      started_q <= |started;
      digest_ready_q <= half_valid && half_ready;  // it has been read
      {soft_reset_q, soft_reset_q2} <= {soft_reset_i, soft_reset_q};
      earlier_q <= earlier || secret_earlier;
      // earlier_q is behind by two cycles.
      resetting_q <= soft_reset_i || (resetting_q && (earlier_q || soft_reset_q || soft_reset_q2));
      reset_done_o <= resetting_q && !(earlier_q || soft_reset_i || soft_reset_q || soft_reset_q2);
      mul_issue_o <= issue;
    end
  end

  assign rx_o.job_done = job_done || secret_done;
  assign rx_o.discard = 1'b0;  // a message is hashed to its end: the next job waits for no verdict
  assign busy_o = busy || secret_busy;

  always_comb begin
    job = rx_i.job;
    if (job.secret) job.open = 1'b0;
  end

  pm_edverify_tiles_intake #(
      .NumTiles(NumTiles),
      .NumContexts(NumContexts),
      .CachedKeys(Keys > 0)
  ) u_intake (
      .clk_i,
      .rst_ni,
      .soft_reset_i,
      .busy_o(busy),
      .earlier_o(earlier),
      .time_i(time_q),
      .job_i(job),
      .job_done_o(job_done),
      .header_we_o(header_we),
      .place_o(place),
      .header_o(header),
      .free_valid_i(free_valid && 32'(free[3+:AllBits]) < NumTiles),
      .free_i(free[TileBits+2:0]),
      .load_valid_o(load_valid),
      .load_ready_i(load_ready),
      .facts_o(facts),
      .started_i(started_q),
      .drop_valid_o(drop_valid),
      .drop_o(drop),
      .digest_valid_i(digest_valid),
      .half_valid_o(half_valid),
      .spread_o(spread),
      .half_ready_i(half_ready),
      .key_begin_o(key_begin),
      .key_hit_i(key_hit)
  );

  if (Keys > 0) begin : g_keys
    pm_edverify_tiles_keys #(
        .NumTiles(NumTiles),
        .Keys(Keys)
    ) u_keys (
        .clk_i,
        .rst_ni,
        .begin_i(key_begin),
        .slot_i(job.slot[$clog2(Keys)-1:0]),
        .a_i(job.a),
        .put_i(puts),
        .hit_o(key_hit),
        .addr_i(key_addr),
        .coord_i(key_coord),
        .value_o(key_value)
    );
  end else begin : g_no_keys
    logic unused_key;
    assign unused_key = ^{key_begin, key_addr, key_coord, puts};
    assign {key_hit, key_value} = '0;
  end

  pm_edverify_tiles_loader #(
      .NumTiles  (NumTiles),
      .CachedKeys(Keys > 0)
  ) u_loader (
      .clk_i,
      .rst_ni,
      .job_valid_i(load_valid),
      .job_ready_o(load_ready),
      .job_tile_i(place[3+:TileBits]),
      .job_ctx_i(place[2:0]),
      .job_load_i(facts.op == TileLoad),
      .ya_i(job.a[254:0]),
      .yr_i(job.r[254:0]),
      .ask_valid_i(ask_valid),
      .ask_i(asks),
      .ask_taken_o(ask_taken),
      .key_addr_o(key_addr),
      .key_coord_o(key_coord),
      .key_value_i(key_value),
      .room_i(room),
      .beat_valid_o(beat_valid),
      .beat_o(beat)
  );

  assign header_place = secret_we ? {AllBits'(NumTiles), secret_place} :
      {AllBits'(place[3+:TileBits]), place[2:0]};

  pm_edverify_tiles_answers #(
      .NumTiles(AllTiles)
  ) u_answers (
      .clk_i,
      .rst_ni,
      .time_i(time_q),
      .header_we_i(header_we || secret_we),
      .place_i(header_place),
      .header_i(secret_we ? secret_header : header),
      .end_valid_i(end_valid),
      .end_i(ends),
      .end_taken_o(end_taken),
      .free_valid_o(free_valid),
      .free_o(free),
      .result_valid_o(result_o.valid),
      .result_ready_i,
      .tag_o(result_o.tag),
      .rule_o(result_o.rule),
      .reason_o(result_o.reason),
      .cycles_o(result_o.cycles)
  );

  // ---- scalars ----------------------------------------------------------------------------------

  tiles_t list_valid;
  tile_list_t list;

  pm_edverify_tiles_scalars #(
      .NumTiles  (NumTiles),
      .CachedKeys(Keys > 0)
  ) u_scalars (
      .clk_i,
      .rst_ni,
      // What is offered at a soft reset is withdrawn two cycles later.
      .clear_i(soft_reset_i || soft_reset_q),
      .valid_i(half_valid),
      .ready_o(half_ready),
      .spread_i(spread),
      .place_i(place),
      .s_i(job.s[252:0]),
      .digest_i(hash_i.digest),
      .list_valid_o(list_valid),
      .list_o(list)
  );

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
        .list_valid_i(list_valid[i]),
        .list_i(list),
        .drop_valid_i(drop_valid[i]),
        .drop_i(drop),
        .abort_i(soft_reset_q),
        .ask_valid_o(ask_valid[i]),
        .ask_o(asks[i]),
        .ask_taken_i(ask_taken[i]),
        .end_valid_o(end_valid[i]),
        .end_o(ends[i]),
        .end_taken_i(end_taken[i]),
        .put_o(puts[i]),
        .mul_issue_o(issue[i])
    );
  end

  // ---- secrets ----------------------------------------------------------------------------------

  if (SecretOps) begin : g_secret
    to_hash_t rx_hash, secret_hash;
    logic rx_ready, secret_ready, secret_digest_valid, zero;
    logic [1:0] words;

    // Beats of the receiver pass a register, so that no path goes through it to the hash.
    pm_skid #(
        .Width ($bits(byte_beat_t) - 1),
        .Stages(1)
    ) u_rx_hash (
        .clk_i,
        .rst_ni,
        .clear_i(rx_i.hash_clear),
        .valid_i(rx_i.hash.valid),
        .ready_o(rx_o.hash_ready),
        .data_i ({rx_i.hash.last, rx_i.hash.keep, rx_i.hash.data}),
        .valid_o(rx_hash.beat.valid),
        .ready_i(rx_ready),
        .data_o ({rx_hash.beat.last, rx_hash.beat.keep, rx_hash.beat.data})
    );

    assign rx_hash.clear = rx_i.hash_clear;
    assign rx_hash.digest_ready = digest_ready_q;

    pm_edverify_hash_arbiter u_hash (
        .clk_i,
        .rst_ni,
        .allow_i('1),
        .client_i({secret_hash, rx_hash}),
        .ready_o({secret_ready, rx_ready}),
        .digest_valid_o({secret_digest_valid, digest_valid}),
        .hash_o,
        .hash_ready_i(hash_i.ready),
        .hash_digest_valid_i(hash_i.digest_valid)
    );

    pm_edverify_secret_core #(
        .NumContexts (NumContexts),
        .MessageBytes(MessageBytes)
    ) u_core (
        .clk_i,
        .rst_ni,
        .soft_reset_i,
        .busy_o(secret_busy),
        .earlier_o(secret_earlier),
        .time_i(time_q),
        .job_i(rx_i.job),
        .job_done_o(secret_done),
        .msg_i(rx_i.msg),
        .msg_ready_o(rx_o.msg_ready),
        .msg_drop_i(rx_i.msg_drop),
        .hash_o(secret_hash),
        .hash_ready_i(secret_ready),
        .digest_valid_i(secret_digest_valid),
        .digest_i(hash_i.digest),
        .place_valid_o(secret_we),
        .place_o(secret_place),
        .header_o(secret_header),
        .end_valid_o(end_valid[NumTiles]),
        .end_o(ends[NumTiles]),
        .end_taken_i(end_taken[NumTiles]),
        .result_ctx_i(free[2:0]),
        .words_o(words),
        .zero_o(zero),
        .index_i(payload_index_i),
        .word_o(payload_o),
        .sent_i(free_valid && free[3+:AllBits] == AllBits'(NumTiles)),
        .mul_issue_o(issue[NumTiles])
    );

    // An answer is read for some cycles before it is offered.
    always_ff @(posedge clk_i) begin
      result_o.payload_words <= free[3+:AllBits] == AllBits'(NumTiles) ? words : '0;
      result_o.all_zero <= free[3+:AllBits] == AllBits'(NumTiles) && zero;
    end

  end else begin : g_no_secret
    logic unused;
    assign unused = ^{rx_i.msg, rx_i.msg_drop, payload_index_i, free};
    assign {secret_done, secret_busy, secret_earlier} = '0;
    assign {secret_we, secret_place, secret_header} = '0;
    assign {result_o.payload_words, result_o.all_zero, payload_o} = '0;
    assign hash_o = '{clear: rx_i.hash_clear, beat: rx_i.hash, digest_ready: digest_ready_q};
    assign digest_valid = hash_i.digest_valid;
    assign {rx_o.hash_ready, rx_o.msg_ready} = {hash_i.ready, 1'b0};
  end

endmodule
