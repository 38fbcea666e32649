// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequences of several contexts and their digit scans: says, per context, which point
// operation comes next.
//
// Entries are pushed as pm_naf_merge makes them, lowest position first; a digit scan reads them
// from the end. init_i starts at the position of the last entry, with no doubling before the first
// addition.
// Then: an entry of the present position is added; without one, a doubling and the position below;
// at position 0 with nothing left, the end. An empty list is at its end at once.
//
// One cycle after ctx_i names a context, from registers: op_o is its next operation (ListDone
// before init_i), point_o the multiple to add if it is an addition, need_t_o says that the one
// after it is an addition (a doubling, and the end, do without the T coordinate), started_o that
// its digit scan has started, so that ListDone means the end. step_i in that cycle starts op_o;
// it becomes the current operation. current_o[c] is the point of context c's latest addition:
// stable from two cycles after its step_i until one cycle after the step_i of its next addition.
// step_i at ListDone changes nothing.
//
// Timing: ctx_i may name a context 2 cycles after its clear_i, 3 after its init_i or the step_i of
//         a
// doubling, 5 after the step_i of an addition (the entry below comes from the RAM); before that the
// output is undefined, and must not be stepped. Users that keep two steps of ONE context at least 6
// cycles apart always name it in time. Steps of different contexts may follow each other in every
// cycle, one step_i per cycle.
// Pushes: 1 per cycle, valid/ready (ready while the list of push_ctx_i has room), to a context
// whose digit scan has not started since its clear_i. clear_i[c] forgets list and digit scan of
// context c and wins over a push, init_i and step_i; current_o[c] is not cleared.
// Storage: one RAM of Depth entries per context (their number rounded up to a power of two), with
// one write and one synchronous read port; the entry on top of each list is also in a register.
// Reset: all lists empty.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5, steps 4 to 6, for the order; original.

module pm_list_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 8,  // 2 to 64
    parameter int unsigned Depth = 256,  // entries of a list; a power of two, 4 to 256
    parameter bit AlwaysRoom = 1'b0,  // 1: nobody pushes more than Depth entries, push_ready_o = 1
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
    input  logic        [   CtxWidth-1:0] ctx_i,         // context asked about in the next cycle
    output list_op_e                      op_o,          // next operation of ctx_i a cycle ago
    output list_point_t                   point_o,       // its next point, if ListAdd
    output logic                          need_t_o,      // the one after it is ListAdd
    output logic                          started_o,     // its walk has started
    input  logic                          step_i,        // op_o is started
    output list_point_t [NumContexts-1:0] current_o      // latest point of each context
);

  localparam int unsigned AddrWidth = $clog2(Depth);

  if (NumContexts < 2 || NumContexts > 64) begin : gen_check_contexts
    $fatal(1, "pm_list_walk: NumContexts must lie between 2 and 64.");
  end
  if (Depth < 4 || Depth > 256 || 2 ** AddrWidth != Depth) begin : gen_check_depth
    $fatal(1, "pm_list_walk: Depth must be a power of two between 4 and 256.");
  end

  // ------------------------------------------------------------------------------- push: RAM write
  logic push, push_q;
  logic [CtxWidth+AddrWidth-1:0] write_addr_q;
  list_entry_t entry_q;
  logic [NumContexts-1:0][AddrWidth:0] count;  // entries, with the top

  assign push_ready_o = AlwaysRoom || !count[push_ctx_i][AddrWidth];  // Depth is a power of two

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else assert (!push_valid_i || !push_ready_o || !count[push_ctx_i][AddrWidth]);
  end
  assign push = push_valid_i && push_ready_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) push_q <= 1'b0;
    else push_q <= push;
  end

  always_ff @(posedge clk_i) begin
    write_addr_q <= {push_ctx_i, count[push_ctx_i][AddrWidth-1:0]};
    entry_q <= push_entry_i;
  end

  // --------------------------------------------------------------------- answer, step: RAM read
  // An addition replaces the top by the entry below it: its address is made while the step is asked
  // for, read in the cycle after, and passes the output register of the RAM.
  logic [NumContexts-1:0] op_add, op_double, need_t, started;
  list_point_t [NumContexts-1:0] point;
  logic [NumContexts-1:0] add_q, double_q, read_q, fill_q;  // stages of a step, for each context
  logic [CtxWidth-1:0] ctx_q;
  logic [AddrWidth-1:0] top_q;
  logic [CtxWidth+AddrWidth-1:0] read_addr_q;
  list_entry_t mem_q[2**CtxWidth*Depth];
  list_entry_t read_data_q, fill_data_q;
  list_point_t stepped_point_q;

  always_ff @(posedge clk_i) begin
    ctx_q <= ctx_i;
    op_o <= op_add[ctx_i] ? ListAdd : op_double[ctx_i] ? ListDouble : ListDone;
    need_t_o <= need_t[ctx_i];
    started_o <= started[ctx_i];
    point_o <= point[ctx_i];
    top_q <= count[ctx_i][AddrWidth-1:0];
    read_addr_q <= {ctx_q, top_q - AddrWidth'(2)};
    stepped_point_q <= point_o;
    if (push_q) mem_q[write_addr_q] <= entry_q;
    read_data_q <= mem_q[read_addr_q];
    fill_data_q <= read_data_q;
  end

  // -------------------------------------------------------------------------------------- contexts
  for (genvar c = 0; c < int'(NumContexts); c++) begin : gen_context
    list_entry_t entry_top_q;
    list_point_t current_q;
    logic [AddrWidth:0] count_q;
    logic [8:0] pos_q;
    logic active_q;  // the walk has started
    logic init_q, pushed, pushed_q, stepped, here, below;
    logic op_add_q, op_double_q, need_t_q, started_q;

    assign pushed = push && push_ctx_i == CtxWidth'(c);
    assign stepped = step_i && ctx_q == CtxWidth'(c) && !clear_i[c];
    assign here = count_q != '0 && entry_top_q.pos == pos_q;
    assign below = count_q != '0 && entry_top_q.pos == pos_q - 9'd1;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        count_q <= '0;
        {active_q, init_q, pushed_q, add_q[c], double_q[c], read_q[c], fill_q[c]} <= '0;
      end else begin
        pushed_q <= pushed;
        init_q <= init_i[c] && !clear_i[c];
        add_q[c] <= stepped && op_o == ListAdd;
        double_q[c] <= stepped && op_o == ListDouble;
        read_q[c] <= add_q[c];
        fill_q[c] <= read_q[c];
        if (clear_i[c]) begin
          count_q  <= '0;
          active_q <= 1'b0;
        end else begin
          if (init_q) active_q <= 1'b1;
          if (pushed) count_q <= count_q + (AddrWidth + 1)'(1);
          else if (add_q[c]) count_q <= count_q - (AddrWidth + 1)'(1);
        end
      end
    end

    always_ff @(posedge clk_i) begin
      // A push after clear_i comes later than an entry on its way, or wins over it.
      if (pushed_q) entry_top_q <= entry_q;
      else if (fill_q[c]) entry_top_q <= fill_data_q;
      if (init_q) pos_q <= (count_q == '0) ? '0 : entry_top_q.pos;
      else if (double_q[c]) pos_q <= pos_q - 9'd1;
      if (add_q[c]) current_q <= stepped_point_q;
      started_q <= active_q;
      op_add_q <= active_q && here;
      op_double_q <= active_q && !here && pos_q != '0;
      need_t_q <= active_q && (here ? entry_top_q.more : below && pos_q != '0);
    end

    assign op_add[c] = op_add_q;
    assign op_double[c] = op_double_q;
    assign need_t[c] = need_t_q;
    assign started[c] = started_q;
    assign point[c] = '{kind: entry_top_q.kind, neg: entry_top_q.neg, idx: entry_top_q.idx};
    assign count[c] = count_q;
    assign current_o[c] = current_q;
  end

endmodule
