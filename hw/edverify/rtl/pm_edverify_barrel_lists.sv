// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequences of the verifications of an engine: takes the entries that the scalar unit
// makes, says which lists are complete, and gives the program of the next operation and the present
// point of the context of the word.
//
// Handshake: entries are pushed, lowest position first; done_i (pulse) with push_ctx_i ends them,
//           and ready_o[c] says from the next cycle on that the list is complete. clear_i[c]
//           forgets it. Four scalars have less than 128 digits, so that there is always room.
// Timing:   addr_o, point_o and current_o belong to the context that next_ctx_i named in the cycle
//           before; a context may be named as soon after a dispatch_i as pm_list_walk says.
// Reset:    asynchronous, active low: no lists.
// Constant time: NO. For public scalars only.

module pm_edverify_barrel_lists
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter bit Scheduled = 1'b0,  // ROM of 0: `throughput` or `bulk`, 1: `latency`
    parameter bit Tile = 1'b0,  // 1: ROM of a tile
    parameter int unsigned AddrBits = 9,  // of that ROM
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [NumContexts-1:0] clear_i,  // pulse: forget the list of this context
    input logic push_valid_i,  // an entry
    output logic push_ready_o,  // it is taken: always
    input logic [CtxBits-1:0] push_ctx_i,  // its context
    input list_entry_t push_entry_i,  // the entry
    input logic done_i,  // pulse: that was the last of push_ctx_i
    output logic [NumContexts-1:0] ready_o,  // the list is complete
    input logic [CtxBits-1:0] next_ctx_i,  // whose word it will be in the next cycle
    input logic dispatch_i,  // the word goes on to the next operation
    input logic cached_i,  // its job uses a cached key
    input logic cofactored_i,  // its rule set clears the cofactor
    input logic small_order_i,  // its rule set refuses points of small order
    output logic [AddrBits-1:0] addr_o,  // program of the next operation
    output logic adds_o,  // the next operation is an addition
    output logic step_o,  // the word goes on to it
    output list_point_t point_o,  // of this point
    output list_point_t current_o  // point of its latest addition
);

  logic need_t, started;
  logic [NumContexts-1:0] done;
  list_op_e op;
  list_point_t [NumContexts-1:0] current;

  always_comb begin
    done = '0;
    done[push_ctx_i] = done_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) ready_o <= '0;
    else ready_o <= (ready_o | done) & ~clear_i;
  end

  pm_list_walk #(
      .NumContexts(NumContexts),
      .Depth      (Tile ? 128 : 256),
      .AlwaysRoom (1'b1)
  ) u_walk (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_valid_i,
      .push_ready_o,
      .push_ctx_i,
      .push_entry_i,
      .init_i(done),
      .ctx_i(next_ctx_i),
      .op_o(op),
      .point_o,
      .need_t_o(need_t),
      .started_o(started),
      .step_i(dispatch_i),
      .current_o(current)
  );

  assign adds_o = op == ListAdd;
  assign step_o = dispatch_i && adds_o;

  // Points change only between the words of their context, so that they may be looked up a cycle
  // ahead.
  always_ff @(posedge clk_i) current_o <= current[next_ctx_i];

  pm_edverify_walk_program #(
      .Scheduled(Scheduled),
      .Tile(Tile),
      .AddrBits(AddrBits)
  ) u_program (
      .op_i(op),
      .point_i(point_o),
      .need_t_i(need_t),
      .started_i(started),
      .cached_i,
      .cofactored_i,
      .small_order_i,
      .addr_o
  );

endmodule
