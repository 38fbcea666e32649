// SPDX-License-Identifier: Apache-2.0
//
// Recoded digit sequences of batches of signatures, and their digit scans: says, for each context
// that sums a batch, which point operation comes next.
//
// A batch has a slot. Its digits come in any order, those of a signature as pm_naf_merge makes
// them, and are kept in a linked list for each bit position. A digit scan goes from the highest
// position down as that of pm_list_walk does: an entry of the present position is added; without
// one, a doubling and the position below; at position 0 with nothing left, the end. There is no
// doubling before the first addition. A digit scan empties the lists of its slot, so that the next
// batch may use them.
//
// Operands: positions below 255; of scalars below 2^253 (A, window 4), 2^128 (R, window 4) and two
//           of 127 bits (G, window 10), for which the slots have room whatever the scalars are.
// Outputs:  one cycle after ctx_i names a context, from registers, op_o, point_o, need_t_o and
//           started_o as in pm_list_walk; started_o is 0 until the next operation is known. step_i
//           in that cycle starts op_o. current_o[c] and place_o[c], slot and member, are those of
//           the latest addition of context c, from the cycle after its step on.
// Timing:   a push takes 3 cycles; the next operation is known 3 cycles after a step if nothing
//           else is under way, and 3 (256 - p) cycles after init_i, p being the highest position;
//           contexts alternate, and pushes wait for them. ctx_i may name a context 2 cycles after
//           its step.
// Handshake: push_valid_i/push_ready_o. init_i[c] (pulse) starts the digit scan of slot
//           init_slot_i, which must have all its digits, in context c; clear_i[c] ends the digit
//           scan of context c. forget_i empties all slots and ends all digit scans: no push is
//           taken for 256 cycles a slot after it, nor after reset.
// Reset:    asynchronous, active low: as forget_i.
// Constant time: NO. For public scalars only.
// Source:   Xue et al. 2022, J. Commun. 43(3), algorithm 5, steps 4 to 6, for the order; original.

module pm_batch_lists
  import pm_scalar_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 64
    parameter int unsigned Slots = 10,  // batches, at least 2
    parameter int unsigned Members = 64,  // signatures of a batch, a power of two, 2 to 256
    localparam int unsigned SlotBits = $clog2(Slots),
    localparam int unsigned MemberBits = $clog2(Members),
    localparam int unsigned PlaceBits = SlotBits + MemberBits,
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic forget_i,  // pulse: empty everything
    input logic push_valid_i,  // a digit
    output logic push_ready_o,  // it is taken
    input logic [PlaceBits-1:0] push_place_i,  // {slot, member} it belongs to
    /* verilator lint_off UNUSEDSIGNAL */
    input list_entry_t push_entry_i,  // the digit; `more` is not looked at
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [NumContexts-1:0] init_i,  // pulse: start the walk
    input logic [SlotBits-1:0] init_slot_i,  // of this slot
    input logic [NumContexts-1:0] clear_i,  // pulse: end the walk
    input logic [CtxBits-1:0] ctx_i,  // context asked about in the next cycle
    output list_op_e op_o,  // next operation of ctx_i a cycle ago
    output list_point_t point_o,  // its point, if ListAdd
    output logic need_t_o,  // the one after it is ListAdd
    output logic started_o,  // op_o is known, ListDone is the end
    input logic step_i,  // op_o is started
    output list_point_t [NumContexts-1:0] current_o,  // latest point of each context
    output logic [NumContexts-1:0][PlaceBits-1:0] place_o  // and whose it is
);

  // Digits that the scalars of a signature, and the two of G, have at most.
  localparam int unsigned MostA = 64, MostR = 33, MostG = 26;
  localparam int unsigned Depth = Members * (MostA + MostR) + MostG;
  localparam int unsigned PtrBits = $clog2(Depth);
  localparam int unsigned PoolBits = $clog2(Slots * Depth);
  localparam int unsigned HeadBits = $clog2(Slots * 256);
  localparam int unsigned TableBits = MemberBits + 2;  // a point of a table: member and entry
  localparam int unsigned WhereBits = TableBits > 8 ? TableBits : 8;

  if (NumContexts < 2 || NumContexts > 64) begin : g_refuse_contexts
    $fatal(1, "pm_batch_lists: NumContexts must be 2 to 64");
  end
  if (Slots < 2 || Members < 2 || Members > 256 || 2 ** MemberBits != Members) begin : g_refuse_size
    $fatal(1, "pm_batch_lists: at least 2 slots; Members must be a power of two from 2 to 256");
  end

  typedef struct packed {
    logic valid;
    logic [PtrBits-1:0] ptr;
  } link_t;

  typedef struct packed {
    list_kind_e kind;
    logic neg;
    logic [WhereBits-1:0] where;  // address in a table of G, or {member, entry}
  } digit_t;

  typedef struct packed {
    link_t  next;
    digit_t digit;
  } node_t;

  typedef enum logic [1:0] {
    StSweep,  // heads are emptied
    StIdle,
    StRead,   // memories read
    StTake    // their data are used
  } state_e;

  state_e state_q;
  logic [HeadBits-1:0] sweep_q;

  // ---- memories ---------------------------------------------------------------------------------

  node_t pool_q[Slots*Depth];
  link_t head_q[Slots*256];
  node_t pool_data_q, pool_wdata;
  link_t head_data_q, head_wdata;
  logic pool_we, head_we;
  logic [PoolBits-1:0] pool_addr;
  logic [HeadBits-1:0] head_addr, head_waddr;

  always_ff @(posedge clk_i) begin
    if (pool_we) pool_q[pool_addr] <= pool_wdata;
    pool_data_q <= pool_q[pool_addr];
    if (head_we) head_q[head_waddr] <= head_wdata;
    head_data_q <= head_q[head_addr];
  end

  // ---- contexts ---------------------------------------------------------------------------------

  logic [NumContexts-1:0] want_q, ready_q, leading_q, down_q, entry_valid_q;
  logic [NumContexts-1:0][SlotBits-1:0] slot_q;
  logic [NumContexts-1:0][8:0] pos_q;
  node_t [NumContexts-1:0] entry_q;
  link_t [NumContexts-1:0] below_q;

  function automatic list_point_t point_of(digit_t digit);
    logic fixed;
    fixed = digit.kind == ListG0 || digit.kind == ListG1;
    return
    '{kind: digit.kind, neg: digit.neg, idx: fixed ? digit.where[7:0] : 8'(digit.where[1:0])}
    ;
  endfunction

  logic [CtxBits-1:0] ctx_q;  // ctx_i a cycle ago

  // The first context after the last one served that wants to be.
  logic [CtxBits-1:0] pick, last_q;
  logic any_want;

  always_comb begin
    any_want = |want_q;
    pick = '0;
    for (int unsigned c = NumContexts; c >= 1; c--) if (want_q[c-1]) pick = CtxBits'(c - 1);
    for (int unsigned c = NumContexts; c >= 1; c--) begin
      if (want_q[c-1] && CtxBits'(c - 1) > last_q) pick = CtxBits'(c - 1);
    end
  end

  // ---- service ----------------------------------------------------------------------------------

  logic push, push_q, link_valid_q, walks_down_q, live_q;
  logic [8:0] at_q;  // position: of the push, or one the walk comes to
  logic [PtrBits-1:0] link_q;
  logic [SlotBits-1:0] at_slot_q;
  logic [CtxBits-1:0] at_ctx_q;
  digit_t new_q;
  logic [Slots-1:0][PtrBits-1:0] count_q;
  logic [PoolBits-1:0] pool_base;
  logic take_walk, found, fixed_base;

  assign push_ready_o = state_q == StIdle && !any_want && !forget_i;
  assign push = push_valid_i && push_ready_o;
  assign fixed_base = push_entry_i.kind == ListG0 || push_entry_i.kind == ListG1;

  // Of the slot's nodes the first; chosen, since a product would take a DSP slice.
  always_comb begin
    pool_base = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      if (at_slot_q == SlotBits'(s)) pool_base = PoolBits'(s * Depth);
    end
  end

  // A push links the present head behind the new node; a walk reads the node that comes next, and
  // the head of the position below.
  assign pool_addr = pool_base + PoolBits'(push_q ? count_q[at_slot_q] : link_q);
  assign head_addr = HeadBits'({at_slot_q, push_q ? at_q[7:0] : 8'(at_q - 9'd1)});

  assign pool_we = state_q == StTake && push_q;
  assign pool_wdata = '{next: head_data_q, digit: new_q};
  assign take_walk = state_q == StTake && !push_q;
  assign found = link_valid_q || at_q == '0;

  always_comb begin
    head_waddr = state_q == StSweep ? sweep_q : head_addr;
    head_we = state_q == StSweep || pool_we || (take_walk && walks_down_q && at_q != '0);
    head_wdata = '{valid: pool_we, ptr: pool_we ? count_q[at_slot_q] : '0};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StSweep;
      sweep_q <= '0;
      last_q  <= '0;
      count_q <= '0;
    end else if (forget_i) begin
      state_q <= StSweep;
      sweep_q <= '0;
      count_q <= '0;
    end else begin
      unique case (state_q)
        StSweep: begin
          sweep_q <= sweep_q + HeadBits'(1);
          if (sweep_q == HeadBits'(Slots * 256 - 1)) state_q <= StIdle;
        end
        StIdle: begin
          if (any_want || push_valid_i) state_q <= StRead;
          if (any_want) last_q <= pick;
        end
        StRead:  state_q <= StTake;
        default: state_q <= StIdle;
      endcase
      if (pool_we) count_q[at_slot_q] <= count_q[at_slot_q] + PtrBits'(1);
      if (|init_i) count_q[init_slot_i] <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      push_q   <= push;
      at_ctx_q <= pick;
      if (push) begin
        at_slot_q <= push_place_i[PlaceBits-1:MemberBits];
        at_q <= push_entry_i.pos;
        new_q <= '{
            kind: push_entry_i.kind,
            neg: push_entry_i.neg,
            where:
            fixed_base
            ?
            WhereBits'(push_entry_i.idx)
            :
            WhereBits
            '(
            {push_place_i[MemberBits-1:0], push_entry_i.idx[1:0]}
            )
        };
      end else begin
        at_slot_q <= slot_q[pick];
        at_q <= down_q[pick] ? pos_q[pick] - 9'd1 : pos_q[pick];
        walks_down_q <= down_q[pick];
        {link_valid_q, link_q} <= down_q[pick] ? below_q[pick] : entry_q[pick].next;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {want_q, ready_q} <= '0;
      live_q <= 1'b0;
    end else begin
      // A walk that is ended or begun anew during its service takes nothing from it.
      if (state_q == StIdle) live_q <= !clear_i[pick] && !init_i[pick];
      else if (clear_i[at_ctx_q] || init_i[at_ctx_q]) live_q <= 1'b0;
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (take_walk && live_q && at_ctx_q == CtxBits'(c)) begin
          ready_q[c] <= !leading_q[c] || found;
          want_q[c]  <= leading_q[c] && !found;
        end
        if (step_i && op_o != ListDone && ctx_q == CtxBits'(c)) {want_q[c], ready_q[c]} <= 2'b10;
        if (clear_i[c]) {want_q[c], ready_q[c]} <= '0;
        if (init_i[c]) {want_q[c], ready_q[c]} <= 2'b10;
      end
      if (forget_i) {want_q, ready_q} <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (take_walk && live_q && at_ctx_q == CtxBits'(c)) begin
        entry_valid_q[c] <= link_valid_q;
        entry_q[c] <= pool_data_q;
        if (walks_down_q) begin
          pos_q[c]   <= at_q;
          below_q[c] <= at_q == '0 ? '0 : head_data_q;
        end
        if (found) leading_q[c] <= 1'b0;
      end
      if (step_i && op_o != ListDone && ctx_q == CtxBits'(c)) begin
        down_q[c] <= op_o == ListDouble;
        if (op_o == ListAdd) begin
          current_o[c] <= point_o;
          place_o[c]   <= {slot_q[c], entry_q[c].digit.where[TableBits-1:2]};
        end
      end
      if (init_i[c]) begin
        slot_q[c] <= init_slot_i;
        {pos_q[c], leading_q[c], down_q[c]} <= {9'd256, 2'b11};
        {entry_valid_q[c], below_q[c]} <= '0;
      end
    end
  end

  // ---- answer -----------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    ctx_q <= ctx_i;
    started_o <= ready_q[ctx_i];
    point_o <= point_of(entry_q[ctx_i].digit);
    need_t_o <= entry_valid_q[ctx_i] ? entry_q[ctx_i].next.valid : below_q[ctx_i].valid;
    if (!ready_q[ctx_i]) op_o <= ListDone;
    else if (entry_valid_q[ctx_i]) op_o <= ListAdd;
    else op_o <= pos_q[ctx_i] != '0 ? ListDouble : ListDone;
  end

endmodule
