// SPDX-License-Identifier: Apache-2.0
//
// Microcode sequencer for many contexts and a high clock: does what pm_sequencer does, but decides,
// fetches and issues in stages, which the microinstructions of one context are far enough apart
// for.
//
//   pick     the context whose turn it is, among those that are due
//   address  its address goes to the ROM
//   fetch    the word comes out of the ROM
//   check    the word is in a register; secret contexts are guarded
//   issue    the word is issued; its conditions are looked at
//   update   the next address and delay of the context
//
// A context begins at start_addr_i after start_i, waits word.delay + 1 cycles (with Turn so many
// turns) from each word to its next, but at least MinSpacing, and ends with a `finish` whose
// condition holds. A word may come later than that, never sooner. Among contexts that are due the
// one after the last picked goes first.
//
// With Pairs a word of delay 0, without flags and without a control operation but a start, is
// followed by the next one a turn later: that is picked when the first one is in the register of
// the check, before others, and whatever hold_i and stall_i are.
//
// Timing:   start_i to first issue: 5 cycles if no other context is due. The ROM is synchronous:
//           the word of rom_addr_o is expected on rom_word_i in the next cycle. finish_o and
//           violation_o pulse in the cycle after the issue of their word, with end_ctx_o and
//           end_arg_o; idle_o rises in the cycle after that.
// Handshake: valid_o marks an issue cycle of context ctx_o; conditions_i and dispatch_addr_i are
//           those of ctx_o in that cycle, which next_ctx_o announced in the cycle before. clear_i
//           stops a context at once: no word of it has a control effect any more (valid_o = 0),
//           though a word of this or the next cycle still shows on word_o, so that its arithmetic
//           is done, like that before. A context with stall_i gets no word from 4 cycles later on;
//           a word that starts a side unit and a start_i can stall their context by a register,
//           before its next word is picked.
// Guard:    a microinstruction of a context with secret_i that would make control flow depend on
//           data (a dispatch, or a branch, wait or finish on a condition outside PublicConditions)
//           is not issued; violation_o pulses and the context stops.
// Reset:    asynchronous, active low: all contexts idle.
// The time of a program depends on conditions; whether it may is the program's affair, save for the
// guard.

module pm_barrel_sequencer
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, at least 2
    parameter int unsigned AddrBits = 9,  // bits of a ROM address, at most ArgBits
    // least cycles from a context's word to its next, 6 to 32
    parameter int unsigned MinSpacing = 9,
    // cycles that word.delay counts; words then come every Turn cycles, see hold_i
    parameter int unsigned Turn = 1,
    parameter int unsigned FlagTurns = 0,  // turns more after a word with flags
    parameter bit Pairs = 1'b0,  // 1: a word of delay 0 and its next one are a turn apart; Turn 3
    parameter logic [(1 << ConditionBits)-1:0] PublicConditions = '0,  // do not depend on secrets
    localparam int unsigned CtxBits = $clog2(NumContexts),
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input  logic                      clk_i,            // clock
    input  logic                      rst_ni,           // asynchronous reset, active low
    input  logic  [  NumContexts-1:0] start_i,          // pulse: begin (idle contexts)
    input  logic  [     AddrBits-1:0] start_addr_i,     // at this address
    input  logic  [  NumContexts-1:0] clear_i,          // pulse: stop
    input  logic  [  NumContexts-1:0] secret_i,         // level: works on secrets
    output logic  [  NumContexts-1:0] idle_o,           // not running
    output logic  [     AddrBits-1:0] rom_addr_o,       // address of the next word
    input  word_t                     rom_word_i,       // word of the address of the last cycle
    output logic                      valid_o,          // a word is issued
    output logic  [      CtxBits-1:0] ctx_o,            // its context
    output logic  [      CtxBits-1:0] next_ctx_o,       // context of a word in the next cycle
    output word_t                     word_o,           // the word; all zero if none
    input  logic                      hold_i,           // pick nothing: no word 4 cycles later
    input  logic  [  NumContexts-1:0] stall_i,          // pick none of these
    input  logic  [NumConditions-1:0] conditions_i,     // levels of the conditions of ctx_o
    input  logic  [     AddrBits-1:0] dispatch_addr_i,  // where a dispatch goes
    output logic                      unit_start_o,     // pulse: start the side unit of arg_o
    output logic                      dispatch_o,       // pulse: a dispatch is carried out
    output logic  [      ArgBits-1:0] arg_o,            // argument of the control operation
    output logic                      finish_o,         // pulse: the job ends with reason end_arg_o
    output logic                      violation_o,      // pulse: a word was refused by the guard
    output logic  [      CtxBits-1:0] end_ctx_o,        // context of both
    output logic  [      ArgBits-1:0] end_arg_o         // reason
);

  if (NumContexts < 2) begin : g_refuse_contexts
    $fatal(1, "pm_barrel_sequencer: NumContexts must be at least 2");
  end
  if (AddrBits > ArgBits) begin : g_refuse_addr
    $fatal(1, "pm_barrel_sequencer: a branch target of AddrBits bits must fit the argument field");
  end
  if (Pairs && Turn != 3) begin : g_refuse_pairs
    $fatal(1, "pm_barrel_sequencer: Pairs take turns of 3 cycles");
  end
  if (MinSpacing < 6 || MinSpacing > 32) begin : g_refuse_spacing
    $fatal(1, "pm_barrel_sequencer: MinSpacing must be 6 to 32");
  end

  localparam int unsigned LongestWait = Turn * (32'd1 << DelayBits) + Turn * FlagTurns;
  localparam int unsigned TimerBits = LongestWait > 32 ? $clog2(LongestWait) : 5;
  localparam int unsigned WaitBits = TimerBits + 1;
  // A word issued in cycle c brings its context back to `pick` in cycle c + 2 at the earliest, for
  // an issue in c + 6: so many cycles of its wait are over by then.
  localparam int unsigned Loop = 6;
  localparam logic [TimerBits-1:0] LeastTimer = TimerBits'(MinSpacing - Loop);

  // ---- contexts -------------------------------------------------------------------------------

  logic [NumContexts-1:0] active_q, due_q;
  logic [NumContexts-1:0][ AddrBits-1:0] pc_q;
  logic [NumContexts-1:0][  ArgBits-1:0] count_q;
  logic [NumContexts-1:0][TimerBits-1:0] timer_q;

  assign idle_o = ~active_q;

  // ---- pick -----------------------------------------------------------------------------------
  // The lowest bit of the due contexts after the last one picked, otherwise of all: v & -v; the
  // bits above it are v ^ -v.

  logic [NumContexts-1:0] due, after, after_neg, due_neg, pick, after_q, address_q, follows;
  logic any_after;

  assign due = due_q & ~stall_i;
  assign after = due & after_q;
  assign after_neg = ~after + NumContexts'(1);
  assign due_neg = ~due + NumContexts'(1);
  assign any_after = |after;
  assign pick = follows != '0 ? follows :
      (any_after ? after & after_neg : due & due_neg) & {NumContexts{!hold_i}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) after_q <= '0;
    else if (!hold_i && follows == '0) begin
      if (any_after) after_q <= after ^ after_neg;
      else if (due != '0) after_q <= due ^ due_neg;
    end
  end

  // ---- address, fetch, check ------------------------------------------------------------------
  // The context goes along as one bit for each, so that clear_i can stop it in every stage.

  logic [NumContexts-1:0] fetch_q, check_q, issue_q, update_q;
  logic [CtxBits-1:0] address_ctx, fetch_ctx_q, check_ctx_q, issue_ctx_q, update_ctx_q;
  logic [AddrBits-1:0] fetch_pc_q, check_pc_q, issue_pc_q, update_pc_q;
  logic [ArgBits-1:0] address_count, fetch_count_q, check_count_q, issue_count_q, update_count_q;
  word_t check_word_q, issue_word_q;
  logic [DelayBits+1:0] issue_turns_q;  // until the next word
  logic [ WaitBits-1:0] issue_wait;  // the same in cycles
  logic check_valid_q, check_secret_q, check_live, violation, issue_valid_q, issue_violation_q;
  logic [TimerBits-1:0] update_timer_q;
  logic check_first_q, issue_first_q, update_first_q;  // the next word follows

  always_comb begin
    rom_addr_o = '0;
    address_ctx = '0;
    address_count = '0;
    for (int unsigned c = 0; c < NumContexts; c++) begin
      rom_addr_o |= pc_q[c] & {AddrBits{address_q[c]}};
      address_ctx |= CtxBits'(c) & {CtxBits{address_q[c]}};
      address_count |= count_q[c] & {ArgBits{address_q[c]}};
    end
  end

  assign violation = check_secret_q && depends_on_data(
      check_word_q.ctl_op, PublicConditions[check_word_q.ctl_cond]
  );

  assign check_live = |(check_q & ~clear_i);
  assign follows = check_first_q ? check_q & ~clear_i : '0;
  assign next_ctx_o = check_ctx_q;

  always_ff @(posedge clk_i) begin
    fetch_ctx_q <= address_ctx;
    fetch_pc_q <= rom_addr_o;
    fetch_count_q <= address_count;
    check_ctx_q <= fetch_ctx_q;
    check_pc_q <= fetch_pc_q;
    check_count_q <= fetch_count_q;
    check_word_q <= rom_word_i;
    check_first_q <= Pairs && rom_word_i.delay == '0 && !rom_word_i.mul_canon &&
        rom_word_i.ctl_op inside {CtlNext, CtlStart};
    check_secret_q <= |(fetch_q & secret_i);
    issue_ctx_q <= check_ctx_q;
    issue_pc_q <= check_pc_q;
    issue_count_q <= check_count_q;
    issue_first_q <= follows != '0;
    issue_word_q <= (check_valid_q && !violation) ? check_word_q : '0;
    issue_turns_q <= (DelayBits + 2)'(check_word_q.delay) +
        (DelayBits + 2)'(check_word_q.mul_canon ? FlagTurns + 1 : 1);
  end

  // ---- issue ----------------------------------------------------------------------------------

  logic holds, last_round, finish;

  assign valid_o = issue_valid_q && (issue_q & clear_i) == '0;
  assign word_o = issue_word_q;
  assign ctx_o = issue_ctx_q;
  assign arg_o = issue_word_q.ctl_arg;
  assign holds = conditions_i[issue_word_q.ctl_cond] != issue_word_q.ctl_inv;
  assign last_round = issue_count_q == ArgBits'(1);
  assign unit_start_o = valid_o && issue_word_q.ctl_op == CtlStart;
  assign dispatch_o = valid_o && issue_word_q.ctl_op == CtlDispatch;
  assign finish = valid_o && issue_word_q.ctl_op == CtlFinish && holds;

  // ---- update ---------------------------------------------------------------------------------

  // A `*` would be turned into a DSP slice.
  always_comb begin
    issue_wait = '0;
    for (int unsigned i = 0; i < 32; i++) if (Turn[i]) issue_wait += WaitBits'(issue_turns_q) << i;
  end

  logic update_taken_q, update_waiting_q, update_set_q, update_down_q, update_end_q;
  logic [AddrBits-1:0] update_target_q, next_pc;
  logic update_first;

  always_ff @(posedge clk_i) begin
    update_ctx_q <= issue_ctx_q;
    update_pc_q <= issue_pc_q;
    update_first_q <= issue_first_q;
    update_taken_q <= dispatch_o || (issue_word_q.ctl_op == CtlBranch && holds) ||
        (issue_word_q.ctl_op == CtlLoopEnd && !last_round);
    update_waiting_q <= issue_word_q.ctl_op == CtlWait && !holds;
    update_target_q <= dispatch_o ? dispatch_addr_i : issue_word_q.ctl_arg[AddrBits-1:0];
    update_set_q <= issue_word_q.ctl_op == CtlLoopSet;
    update_down_q <= issue_word_q.ctl_op == CtlLoopEnd;
    update_count_q <= issue_word_q.ctl_op == CtlLoopSet ? issue_word_q.ctl_arg
                                                        : issue_count_q - ArgBits'(1);
    update_timer_q <= issue_wait > WaitBits'(MinSpacing) ? TimerBits'(issue_wait - WaitBits'(Loop))
                                                         : LeastTimer;
    update_end_q <= finish || issue_violation_q;
    end_arg_o <= issue_word_q.ctl_arg;
  end

  always_comb begin
    if (update_taken_q) next_pc = update_target_q;
    else if (update_waiting_q) next_pc = update_pc_q;
    else next_pc = update_pc_q + AddrBits'(1);
  end

  assign update_first = Pairs && update_first_q;
  assign end_ctx_o = update_ctx_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {address_q, fetch_q, check_q, issue_q, update_q} <= '0;
      {check_valid_q, issue_valid_q, issue_violation_q, finish_o, violation_o} <= '0;
    end else begin
      address_q <= pick & ~clear_i;
      fetch_q <= address_q & ~clear_i;
      check_q <= fetch_q & ~clear_i;
      issue_q <= check_q & ~clear_i;
      update_q <= issue_q & ~clear_i;
      check_valid_q <= |(fetch_q & ~clear_i);
      issue_valid_q <= check_live && !violation;
      issue_violation_q <= check_live && violation;
      finish_o <= finish;
      violation_o <= issue_violation_q && (issue_q & clear_i) == '0;
    end
  end

  for (genvar c = 0; c < int'(NumContexts); c++) begin : g_context
    logic updated;
    logic [TimerBits-1:0] timer;

    assign updated = update_q[c];
    assign timer   = update_waiting_q ? LeastTimer : update_timer_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        active_q[c] <= 1'b0;
        due_q[c] <= 1'b0;
      end else if (clear_i[c]) begin
        active_q[c] <= 1'b0;
        due_q[c] <= 1'b0;
      end else if (start_i[c]) begin
        active_q[c] <= 1'b1;
        due_q[c] <= 1'b1;
      end else if (updated && update_first) begin
        due_q[c] <= 1'b0;
      end else if (updated) begin
        active_q[c] <= !update_end_q;
        due_q[c] <= !update_end_q && timer == '0;
      end else begin
        due_q[c] <= (due_q[c] && !pick[c]) || (active_q[c] && timer_q[c] == TimerBits'(1));
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) count_q[c] <= '0;
      else if (updated && (update_set_q || update_down_q)) count_q[c] <= update_count_q;
    end

    always_ff @(posedge clk_i) begin
      if (start_i[c] || clear_i[c]) timer_q[c] <= '0;
      else if (updated) timer_q[c] <= update_first ? '0 : timer;
      else if (timer_q[c] != '0) timer_q[c] <= timer_q[c] - TimerBits'(1);
      if (start_i[c]) pc_q[c] <= start_addr_i;
      else if (follows[c]) pc_q[c] <= check_pc_q + AddrBits'(1);
      else if (updated) pc_q[c] <= next_pc;
    end
  end

endmodule
