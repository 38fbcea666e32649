// SPDX-License-Identifier: Apache-2.0
//
// Operation lists of several contexts and the walks along them: says, per context, which point
// operation comes next.
//
// Entries are pushed as pm_naf_merge makes them, lowest position first; a walk reads them from the
// end. init_i starts at the position of the last entry, with no doubling before the first addition.
// Then: an entry of the present position is added; without one, a doubling and the position below;
// at position 0 with nothing left, the end. An empty list is at its end at once.
//
// For the context ctx_i, combinationally from registers: op_o is its next operation (ListDone
// before init_i), point_o the multiple to add if it is an addition, need_t_o says that the one
// after it is an addition (a doubling, and the end, do without the T coordinate). step_i starts
// op_o of ctx_i; it becomes the current operation. current_o[c] is the point of context c's latest
// addition: stable from the cycle after its step_i until after the step_i of its next addition.
// step_i at ListDone changes nothing.
//
// Timing: op_o, point_o, need_t_o hold for the new state 1 cycle after init_i, clear_i or the
// step_i of a doubling, 2 cycles after the step_i of an addition (the entry below comes from the
// RAM); in the cycle between they are undefined, and that context must not be stepped. Users
// that keep two steps of ONE context at least 4 cycles apart always see them in time. Steps of
// different contexts may follow each other in every cycle, one step_i per cycle.
// Pushes: 1 per cycle, valid/ready (ready while the list of push_ctx_i has room), to a context
// whose walk has not started since its clear_i. clear_i[c] forgets list and walk of context c
// and wins over a push, init_i and step_i; current_o[c] is not cleared.
// Storage: one RAM of Depth entries per context (their number rounded up to a power of two), with
// one write and one synchronous read port; the entry on top of each list is also in a register.
// Reset: all lists empty.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5, steps 4 to 6, for the order; original.

module pm_list_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 8,  // 2 to 32
    parameter int unsigned Depth = 256,  // entries of a list; a power of two, 4 to 256
    localparam int unsigned CtxWidth = $clog2(NumContexts)
) (
    input  logic                          clk_i,
    input  logic                          rst_ni,
    input  logic        [NumContexts-1:0] clear_i,       // forget list and walk
    input  logic                          push_valid_i,  // append push_entry_i
    output logic                          push_ready_o,  // the list has room
    input  logic        [   CtxWidth-1:0] push_ctx_i,    // to the list of this context
    input  list_entry_t                   push_entry_i,
    input  logic        [NumContexts-1:0] init_i,        // start the walk
    input  logic        [   CtxWidth-1:0] ctx_i,         // context asked about and stepped
    output list_op_e                      op_o,          // its next operation
    output list_point_t                   point_o,       // its next point, if ListAdd
    output logic                          need_t_o,      // the one after it is ListAdd
    input  logic                          step_i,        // op_o is started
    output list_point_t [NumContexts-1:0] current_o      // latest point of each context
);

  localparam int unsigned AddrWidth = $clog2(Depth);

  if (NumContexts < 2 || NumContexts > 32) begin : gen_check_contexts
    $fatal(1, "pm_list_walk: NumContexts must lie between 2 and 32.");
  end
  if (Depth < 4 || Depth > 256 || 2 ** AddrWidth != Depth) begin : gen_check_depth
    $fatal(1, "pm_list_walk: Depth must be a power of two between 4 and 256.");
  end

  // ------------------------------------------------------------------------------------------- RAM
  list_entry_t mem_q[2**CtxWidth*Depth];
  list_entry_t read_q;  // entry that becomes the top of context fill_ctx_q
  logic [CtxWidth+AddrWidth-1:0] write_addr, read_addr;
  logic push, pop;
  logic fill_q;
  logic [CtxWidth-1:0] fill_ctx_q;

  always_ff @(posedge clk_i) begin
    if (push) mem_q[write_addr] <= push_entry_i;
    read_q <= mem_q[read_addr];
  end

  // -------------------------------------------------------------------------------------- contexts
  list_op_e [NumContexts-1:0] op;
  list_point_t [NumContexts-1:0] point;
  logic [NumContexts-1:0] need_t, full;
  logic [NumContexts-1:0][AddrWidth:0] count;  // entries, with the top

  for (genvar c = 0; c < int'(NumContexts); c++) begin : gen_context
    list_entry_t top_q;
    list_point_t current_q;
    logic [AddrWidth:0] count_q;
    logic [8:0] pos_q;
    logic active_q;  // the walk has started
    logic here, stepped, pushed;

    assign stepped = step_i && ctx_i == CtxWidth'(c);
    assign pushed = push && push_ctx_i == CtxWidth'(c);
    assign here = count_q != '0 && top_q.pos == pos_q;

    always_comb begin
      op[c] = ListDone;
      need_t[c] = 1'b0;
      if (active_q && here) begin
        op[c] = ListAdd;
        need_t[c] = top_q.more;
      end else if (active_q && pos_q != '0) begin
        op[c] = ListDouble;
        need_t[c] = count_q != '0 && top_q.pos == pos_q - 9'd1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q  <= '0;
        active_q <= 1'b0;
      end else if (clear_i[c]) begin
        count_q  <= '0;
        active_q <= 1'b0;
      end else begin
        if (init_i[c]) active_q <= 1'b1;
        if (pushed) count_q <= count_q + (AddrWidth + 1)'(1);
        else if (stepped && op[c] == ListAdd) count_q <= count_q - (AddrWidth + 1)'(1);
      end
    end

    always_ff @(posedge clk_i) begin
      // A push after clear_i wins over an entry that is still on its way.
      if (pushed) top_q <= push_entry_i;
      else if (fill_q && fill_ctx_q == CtxWidth'(c)) top_q <= read_q;
      if (init_i[c]) pos_q <= (count_q == '0) ? '0 : top_q.pos;
      else if (stepped && op[c] == ListDouble) pos_q <= pos_q - 9'd1;
      if (stepped && op[c] == ListAdd) current_q <= point[c];
    end

    assign point[c] = '{kind: top_q.kind, neg: top_q.neg, idx: top_q.idx};
    assign count[c] = count_q;
    assign full[c] = count_q == (AddrWidth + 1)'(Depth);
    assign current_o[c] = current_q;
  end

  // ----------------------------------------------------------------------- the context that counts
  logic [AddrWidth-1:0] top_addr;  // of the top, whose successor is to be read

  assign push_ready_o = !full[push_ctx_i];
  assign push = push_valid_i && push_ready_o;
  assign write_addr = {push_ctx_i, count[push_ctx_i][AddrWidth-1:0]};

  assign op_o = op[ctx_i];
  assign point_o = point[ctx_i];
  assign need_t_o = need_t[ctx_i];
  assign pop = step_i && op_o == ListAdd;
  assign top_addr = count[ctx_i][AddrWidth-1:0] - AddrWidth'(1);
  assign read_addr = {ctx_i, top_addr - AddrWidth'(1)};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) fill_q <= 1'b0;
    else fill_q <= pop;
  end

  always_ff @(posedge clk_i) fill_ctx_q <= ctx_i;

endmodule
