// SPDX-License-Identifier: Apache-2.0
//
// A tile with its links to what several tiles share: takes loads and digit sequences from buses
// that all nodes listen to, asks for points of G, and gives every job one end.
//
// Handshake: beat_i with beat_valid_i is for this node; a burst of at most 12 beats may be sent
//           when room_o is 1, and not within 8 cycles after another. After a BurstJob the job
//           begins, with job_i, which started_o (pulse) confirms; after a BurstPoint its context
//           goes on. list_i with list_valid_i is for this node. drop_valid_i (pulse) ends the job
//           of a context with drop_i.reason, whether it was started or not, abort_i (pulse) all
//           that were started with `aborted`; both leave alone an end that is on offer. ask_o is
//           held with ask_valid_o until ask_taken_i (pulse), end_o with end_valid_o until
//           end_taken_i (pulse); in the three cycles after such a pulse the same may still be on
//           offer.
// Timing:   all ports are registers, or go to registers at once.
// Reset:    asynchronous, active low: no jobs.
// Constant time: NO. Verification handles public data.

module pm_edverify_tile_node
  import pm_edverify_pkg::*;
  import pm_edverify_barrel_pkg::*;
  import pm_edverify_tile_pkg::*;
#(
    parameter int unsigned NumContexts = 7  // contexts of the tile, 2 to 7
) (
    input  logic       clk_i,         // clock
    input  logic       rst_ni,        // asynchronous reset, active low
    // loads
    input  logic       beat_valid_i,  // a beat for this node
    input  tile_beat_t beat_i,
    output logic       room_o,        // a burst fits
    input  tile_job_t  job_i,         // the job that is loaded; holds until started_o
    output logic       started_o,     // pulse: it has begun
    // digit sequences
    input  logic       list_valid_i,  // an entry or an end for this node
    input  tile_list_t list_i,
    // ends from outside
    input  logic       drop_valid_i,  // pulse: of this job
    input  tile_end_t  drop_i,
    input  logic       abort_i,       // pulse: of all jobs
    // points
    output logic       ask_valid_o,   // a point is wanted
    output tile_ask_t  ask_o,
    input  logic       ask_taken_i,   // pulse: it will come
    // ends
    output logic       end_valid_o,   // a job has ended
    output tile_end_t  end_o,
    input  logic       end_taken_i,   // pulse: it is taken
    output tile_put_t  put_o,         // coordinate of a key's point
    output logic       mul_issue_o    // pulse: a product was started
);

  localparam int unsigned CtxBits = $clog2(NumContexts);
  localparam int unsigned Burst = 12;
  localparam int unsigned Depth = 32;
  // Cycles in which a context that was cleared may still ask for a point.
  localparam int unsigned Quiet = 31;

  typedef logic [NumContexts-1:0] contexts_t;

  function automatic contexts_t select(logic valid, logic [2:0] ctx);
    return contexts_t'(valid) << ctx;
  endfunction

  // ---- registers of the links -------------------------------------------------------------------

  logic beat_valid_q, list_valid_q, drop_valid_q, abort_q, ask_taken_q, end_taken_q;
  tile_beat_t beat_q;
  tile_list_t list_q;
  tile_end_t  drop_q;
  tile_job_t  job_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {beat_valid_q, list_valid_q, drop_valid_q, abort_q, ask_taken_q, end_taken_q} <= '0;
    end else begin
      {beat_valid_q, list_valid_q} <= {beat_valid_i, list_valid_i};
      {drop_valid_q, abort_q} <= {drop_valid_i, abort_i};
      {ask_taken_q, end_taken_q} <= {ask_taken_i, end_taken_i};
    end
  end

  // All nodes listen to the same buses, and each keeps registers of its own beside its tile.
  pm_copies #(
      .Bits  ($bits({beat_q, list_q, drop_q, job_q})),
      .Copies(1)
  ) u_links (
      .clk_i,
      .d_i({beat_i, list_i, drop_i, job_i}),
      .q_o({beat_q, list_q, drop_q, job_q})
  );

  // ---- contexts ---------------------------------------------------------------------------------
  // A job is active from its start, or from outside its end, until its end is taken. That is due
  // when program and digit sequence have ended and no point is on its way.

  contexts_t active_q, finished_q, listed_q, asking_q, due_q;
  contexts_t start, finish, listed, unlisted, drop, aborts, asked, point, taken;
  logic [NumContexts-1:0][3:0] reason_q;
  logic [4:0] quiet_q;
  logic finish_valid;
  logic [CtxBits-1:0] finish_ctx;
  /* verilator lint_off UNUSEDSIGNAL */
  reason_e finish_reason;  // four bits are kept
  /* verilator lint_on UNUSEDSIGNAL */

  assign drop = select(drop_valid_q, drop_q.ctx);
  assign listed = select(list_valid_q && list_q.done, list_q.ctx);
  assign finish = select(finish_valid, 3'(finish_ctx)) & active_q & ~finished_q;
  assign aborts = abort_q ? active_q & ~select(end_valid_o, end_o.ctx) : '0;
  assign unlisted = job_q.op == TileLoad ? start : '0;  // it has no digit sequence

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {active_q, finished_q, listed_q, asking_q, due_q} <= '0;
      quiet_q <= '0;
    end else begin
      active_q <= (active_q | start | drop) & ~taken;
      finished_q <= (finished_q & ~start) | finish | drop | aborts;
      listed_q <= (listed_q & ~start) | listed | drop | aborts | unlisted;
      asking_q <= (asking_q | asked) & ~point;
      due_q <= quiet_q == '0 ? active_q & finished_q & listed_q & ~asking_q : '0;
      if (drop_valid_q || abort_q) quiet_q <= 5'(Quiet);
      else if (quiet_q != '0) quiet_q <= quiet_q - 5'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < NumContexts; i++) begin
      if (finish[i]) reason_q[i] <= finish_reason[3:0];
      if (aborts[i]) reason_q[i] <= ReasonAborted[3:0];
      if (drop[i]) reason_q[i] <= drop_q.reason[3:0];
    end
  end

  // ---- ends -------------------------------------------------------------------------------------
  // After one was taken, due_q is behind by two cycles.

  logic [1:0] settle_q;
  logic [2:0] due_ctx;

  always_comb begin
    due_ctx = '0;
    for (int unsigned i = 0; i < NumContexts; i++) if (due_q[i]) due_ctx = 3'(i);
  end

  assign taken = select(end_valid_o && end_taken_q, end_o.ctx);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {end_valid_o, settle_q} <= '0;
    else begin
      // An end that changes is not offered.
      if (end_taken_q) end_valid_o <= 1'b0;
      else if (quiet_q == '0 && !abort_q && !drop_valid_q && settle_q == '0 && due_q != '0) begin
        end_valid_o <= 1'b1;
      end
      if (end_valid_o) settle_q <= 2'd2;
      else if (settle_q != '0) settle_q <= settle_q - 2'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!end_valid_o) end_o <= '{ctx: due_ctx, reason: reason_e'(8'(reason_q[due_ctx]))};
  end

  // ---- loads ------------------------------------------------------------------------------------
  // After the last beat of a burst the tile's register is waited for, so that all of it is stored.
  // For a job that has ended nothing is loaded.

  logic fifo_valid, fifo_taken, head_valid_q, head_taken, next_valid_q, next_taken;
  logic second_q, load_valid, load_taken, stale_q, load_ready, stored, closing_q, close;
  logic [$clog2(Depth):0] usage;
  tile_beat_t fifo_beat, head_q, next_q;
  tile_burst_e closing_burst_q;
  contexts_t closing_ctx_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic fifo_ready;  // room_o says so
  /* verilator lint_on UNUSEDSIGNAL */

  pm_fifo #(
      .Width($bits(tile_beat_t)),
      .Depth(Depth)
  ) u_beats (
      .clk_i,
      .rst_ni,
      .valid_i(beat_valid_q),
      .ready_o(fifo_ready),
      .data_i (beat_q),
      .valid_o(fifo_valid),
      .ready_i(fifo_taken),
      .data_o (fifo_beat),
      .usage_o(usage)
  );

  assign fifo_taken = !head_valid_q || head_taken;
  assign head_taken = !next_valid_q || next_taken;
  assign load_valid = next_valid_q && !closing_q;
  assign load_taken = load_valid && (stale_q || load_ready);
  assign next_taken = load_taken && second_q;

  // The thirds of a value one after the other.
  tile_load_t load;

  always_comb begin
    load.ext  = next_q.ext;
    load.data = next_q.data[second_q];
    unique case ({
      next_q.pair, second_q
    })
      3'd0: {load.upper, load.third} = {1'b0, 2'd0};
      3'd1: {load.upper, load.third} = {1'b0, 2'd1};
      3'd2: {load.upper, load.third} = {1'b0, 2'd2};
      3'd3: {load.upper, load.third} = {1'b1, 2'd0};
      3'd4: {load.upper, load.third} = {1'b1, 2'd1};
      default: {load.upper, load.third} = {1'b1, 2'd2};
    endcase
  end
  assign close = closing_q && stored;
  assign start = close && closing_burst_q == BurstJob ? closing_ctx_q : '0;
  assign point = close && closing_burst_q == BurstPoint ? closing_ctx_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {head_valid_q, next_valid_q, second_q, closing_q, room_o, started_o} <= '0;
    end else begin
      if (fifo_taken) head_valid_q <= fifo_valid;
      if (head_taken) next_valid_q <= head_valid_q;
      second_q <= second_q ^ load_taken;
      closing_q <= closing_q ? !stored : next_taken && next_q.last;
      room_o <= 32'(usage) + Burst <= Depth;
      started_o <= |start;
    end
  end

  always_ff @(posedge clk_i) begin
    if (fifo_taken) head_q <= fifo_beat;
    if (head_taken) begin
      next_q  <= head_q;
      stale_q <= head_q.burst == BurstPoint && |(select(1'b1, head_q.ctx) & finished_q);
    end
    if (next_taken) begin
      closing_burst_q <= next_q.burst;
      closing_ctx_q   <= select(1'b1, next_q.ctx);
    end
  end

  // ---- points -----------------------------------------------------------------------------------
  // A context that was cleared may still ask for one.

  logic point_valid;
  tile_ask_t wanted;
  /* verilator lint_off UNUSEDSIGNAL */
  logic ask_room;  // there is one point for each context
  logic [3:0] ask_usage;
  /* verilator lint_on UNUSEDSIGNAL */

  assign asked = select(point_valid, wanted.ctx) & active_q & ~finished_q;

  pm_fifo #(
      .Width($bits(tile_ask_t)),
      .Depth(8)
  ) u_asks (
      .clk_i,
      .rst_ni,
      .valid_i(|asked),
      .ready_o(ask_room),
      .data_i (wanted),
      .valid_o(ask_valid_o),
      .ready_i(ask_taken_q),
      .data_o (ask_o),
      .usage_o(ask_usage)
  );

  // ---- tile -------------------------------------------------------------------------------------

  tile_put_t put;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) put_o <= '0;
    else put_o <= put;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumContexts-1:0] list_ready;  // as listed_q
  /* verilator lint_on UNUSEDSIGNAL */

  pm_edverify_tile #(
      .NumContexts(NumContexts)
  ) u_tile (
      .clk_i,
      .rst_ni,
      .start_i(start),
      .job_i(job_q),
      .clear_i(drop | aborts),
      .load_valid_i(load_valid && !stale_q),
      .load_ready_o(load_ready),
      .load_stored_o(stored),
      .load_ctx_i(CtxBits'(next_q.ctx)),
      .load_i(load),
      .list_i(
      '{
          valid: list_valid_q && list_q.valid,
          done: list_valid_q && list_q.done,
          entry: list_q.entry
      }
      ),
      .list_ctx_i(CtxBits'(list_q.ctx)),
      .list_ready_o(list_ready),
      .point_valid_o(point_valid),
      .point_o(wanted),
      .point_done_i(point & ~finished_q),
      .finish_o(finish_valid),
      .finish_ctx_o(finish_ctx),
      .reason_o(finish_reason),
      .put_o(put),
      .mul_issue_o
  );

endmodule
