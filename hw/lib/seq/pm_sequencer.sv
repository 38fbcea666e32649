// SPDX-License-Identifier: Apache-2.0
//
// Microcode sequencer for N contexts on one datapath: fetches, for one context each cycle, the word
// whose time has come, and carries out its control operation.
//
// A context begins at address 0 after start_i, waits word.delay + 1 cycles from each word to its
// next, but at least MinSpacing, and ends with a `finish` whose condition holds. With one context
// words are issued exactly as scheduled; with several a word may come later than that, never
// sooner, which every program allows (docs/isa.md). Among contexts that are due the one after the
// last issued goes first.
//
// Timing:   the ROM is synchronous: the word of rom_addr_o is expected on rom_word_i in the next
//           cycle, which is its issue cycle. Back-to-back microinstructions of one context issue
//           every cycle: the next address comes out of the present word combinationally. start_i to
//           first issue: 2 cycles.
// Handshake: valid_o marks an issue cycle of context ctx_o; conditions_i and dispatch_addr_i are
//           those of ctx_o in that cycle. clear_i stops a context at once (its word of this cycle
//           included).
// Guard:    a microinstruction of a context with secret_i that would make control flow depend on
//           data (a dispatch, or a branch, wait or finish on a condition outside PublicConditions)
//           is not issued; violation_o pulses in its cycle, and the context stops.
// Reset:    asynchronous, active low: all contexts idle.
// The time of a program depends on conditions; whether it may is the program's affair, save for the
// guard.

module pm_sequencer
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 1,  // contexts, at least 1
    parameter int unsigned AddrBits = 8,  // bits of a ROM address, at most ArgBits
    // least cycles from a context's word to its next, 1 to 32
    parameter int unsigned MinSpacing = 1,
    parameter logic [(1 << ConditionBits)-1:0] PublicConditions = '0,  // do not depend on secrets
    localparam int unsigned CtxBits = NumContexts > 1 ? $clog2(NumContexts) : 1,
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input  logic                      clk_i,            // clock
    input  logic                      rst_ni,           // asynchronous reset, active low
    input  logic  [  NumContexts-1:0] start_i,          // pulse: begin at address 0 (idle contexts)
    input  logic  [  NumContexts-1:0] clear_i,          // pulse: stop
    input  logic  [  NumContexts-1:0] secret_i,         // level: works on secrets
    output logic  [  NumContexts-1:0] idle_o,           // not running
    output logic  [     AddrBits-1:0] rom_addr_o,       // address of the next word
    input  word_t                     rom_word_i,       // word of the address of the last cycle
    output logic                      valid_o,          // a word is issued
    output logic  [      CtxBits-1:0] ctx_o,            // its context
    output logic  [      CtxBits-1:0] next_ctx_o,       // context of a word in the next cycle
    output word_t                     word_o,           // the word; all zero without valid_o
    input  logic                      hold_i,           // issue nothing in the next cycle
    input  logic  [NumConditions-1:0] conditions_i,     // levels of the conditions of ctx_o
    input  logic  [     AddrBits-1:0] dispatch_addr_i,  // where a dispatch goes
    output logic                      unit_start_o,     // pulse: start the side unit of arg_o
    output logic                      dispatch_o,       // pulse: a dispatch is carried out
    output logic                      finish_o,         // pulse: the job ends with reason arg_o
    output logic                      violation_o,      // pulse: the guard stops the job
    output logic  [      ArgBits-1:0] arg_o             // argument of the control operation
);

  if (NumContexts < 1) begin : g_refuse_contexts
    $fatal(1, "pm_sequencer: NumContexts must be at least 1");
  end
  if (AddrBits > ArgBits) begin : g_refuse_addr
    $fatal(1, "pm_sequencer: a branch target of AddrBits bits must fit the argument field");
  end
  if (MinSpacing < 1 || MinSpacing > 32) begin : g_refuse_spacing
    $fatal(1, "pm_sequencer: MinSpacing must be 1 to 32");
  end

  localparam int unsigned TimerBits = MinSpacing > 1 << DelayBits ? 5 : DelayBits;
  localparam logic [TimerBits-1:0] LeastDelay = TimerBits'(MinSpacing - 1);

  typedef struct packed {
    logic                 active;
    logic [AddrBits-1:0]  pc;
    logic [TimerBits-1:0] timer;
    logic [ArgBits-1:0]   count;
  } context_t;

  context_t [NumContexts-1:0] contexts_q, contexts_d;
  logic valid_q;
  logic [CtxBits-1:0] ctx_q;

  // ---- issue ----------------------------------------------------------------------------------

  word_t word;
  logic fetched, holds, taken, waiting, last_round;
  logic [AddrBits-1:0] next_pc;
  logic [TimerBits-1:0] word_delay, delay;

  assign fetched = valid_q && !clear_i[ctx_q];
  assign violation_o = fetched && secret_i[ctx_q] && depends_on_data(
      rom_word_i.ctl_op, PublicConditions[rom_word_i.ctl_cond]
  );
  assign valid_o = fetched && !violation_o;
  assign word = valid_o ? rom_word_i : '0;
  assign word_o = word;
  assign ctx_o = ctx_q;
  assign arg_o = word.ctl_arg;
  assign holds = conditions_i[word.ctl_cond] != word.ctl_inv;
  assign last_round = contexts_q[ctx_q].count == ArgBits'(1);
  assign waiting = word.ctl_op == CtlWait && !holds;
  assign taken = (word.ctl_op == CtlBranch && holds) || (word.ctl_op == CtlLoopEnd && !last_round);
  assign unit_start_o = word.ctl_op == CtlStart;
  assign dispatch_o = word.ctl_op == CtlDispatch;
  assign finish_o = word.ctl_op == CtlFinish && holds;
  assign word_delay = waiting ? '0 : TimerBits'(word.delay);
  assign delay = word_delay > LeastDelay ? word_delay : LeastDelay;

  always_comb begin
    if (dispatch_o) next_pc = dispatch_addr_i;
    else if (taken) next_pc = word.ctl_arg[AddrBits-1:0];
    else if (waiting) next_pc = contexts_q[ctx_q].pc;
    else next_pc = contexts_q[ctx_q].pc + AddrBits'(1);
  end

  // ---- which context is due -------------------------------------------------------------------

  logic [NumContexts-1:0] due;
  logic fetch;
  logic [CtxBits-1:0] fetch_ctx;

  always_comb begin
    for (int unsigned c = 0; c < NumContexts; c++) begin
      if (valid_q && ctx_q == CtxBits'(c)) due[c] = !finish_o && !violation_o && delay == '0;
      else due[c] = contexts_q[c].active && contexts_q[c].timer == '0;
      if (clear_i[c]) due[c] = 1'b0;
    end
    if (hold_i) due = '0;
    fetch = 1'b0;
    fetch_ctx = ctx_q;
    // The last assignment wins: the context right after ctx_q has the highest priority.
    for (int unsigned i = NumContexts; i >= 1; i--) begin
      if (due[CtxBits'((32'(ctx_q)+i)%NumContexts)]) begin
        fetch = 1'b1;
        fetch_ctx = CtxBits'((32'(ctx_q) + i) % NumContexts);
      end
    end
  end

  assign next_ctx_o = fetch_ctx;
  assign rom_addr_o = (valid_q && fetch_ctx == ctx_q) ? next_pc : contexts_q[fetch_ctx].pc;

  // ---- state ----------------------------------------------------------------------------------

  always_comb begin
    contexts_d = contexts_q;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      idle_o[c] = !contexts_q[c].active;
      if (contexts_q[c].timer != '0) contexts_d[c].timer = contexts_q[c].timer - TimerBits'(1);
      if (valid_o && ctx_q == CtxBits'(c)) begin
        contexts_d[c].active = !finish_o;
        contexts_d[c].pc = next_pc;
        contexts_d[c].timer = delay == '0 ? '0 : delay - TimerBits'(1);
        if (word.ctl_op == CtlLoopSet) contexts_d[c].count = word.ctl_arg;
        if (word.ctl_op == CtlLoopEnd) contexts_d[c].count = contexts_q[c].count - ArgBits'(1);
      end
      if (start_i[c]) begin
        contexts_d[c].active = 1'b1;
        contexts_d[c].pc = '0;
        contexts_d[c].timer = '0;
      end
      if (clear_i[c] || (violation_o && ctx_q == CtxBits'(c))) contexts_d[c].active = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      contexts_q <= '0;
      valid_q <= 1'b0;
      ctx_q <= '0;
    end else begin
      contexts_q <= contexts_d;
      valid_q <= fetch;
      ctx_q <= fetch_ctx;
    end
  end

endmodule
