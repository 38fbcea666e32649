// SPDX-License-Identifier: Apache-2.0
//
// Sequencer of `mpu`: one program of words that take two cycles or more, in order.
//
// Timing:   the ROM is synchronous: the word of rom_addr_o is expected on rom_word_i in the next
//           cycle, which is the first one of the word. What it does, where the program goes on, and
//           what its condition says are taken into registers in each of its cycles; it is issued on
//           what they hold, by the condition of the cycle before. Branches, loops and dispatches
//           cost no cycle. start_i to the first word: 2 cycles.
// Handshake: wants_o: there is a word. It is issued in the cycle with issue_o, the first one
//           without hold_i, which is high in its first cycle; its control operation is carried out
//           in that cycle alone. clear_i stops the program.
// Guard:    with secret_i a word that would make control flow depend on data (a dispatch, or a
//           branch, wait or finish on a condition outside Public) is not issued: the program stops
//           and violation_o pulses.
// Reset:    asynchronous, active low: idle.
// The time of a program depends on conditions; whether it may is the program's affair, save for the
// guard.
module pm_mpu_sequencer
  import pm_dual_ucode_pkg::*;
#(
    localparam int unsigned NumConditions = 1 << ConditionBits,
    parameter logic [NumConditions-1:0] Public = '0  // conditions for jobs with a secret
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: begin at entry_i (when idle)
    input logic [ArgBits-1:0] entry_i,  // address of the first word
    input logic clear_i,  // pulse: stop
    input logic secret_i,  // the program works on a secret
    output logic idle_o,  // not running
    output logic [ArgBits-1:0] rom_addr_o,  // address of the next word
    /* verilator lint_off UNUSEDSIGNAL */
    input word_t rom_word_i,  // word of the address of the last cycle; its control is looked at
    /* verilator lint_on UNUSEDSIGNAL */
    input logic first_i,  // it is in its first cycle
    output logic wants_o,  // there is one
    output logic issue_o,  // it is issued
    input logic hold_i,  // it is not to be issued yet
    input logic [NumConditions-1:0] conditions_i,  // levels of the conditions
    input logic [ArgBits-1:0] dispatch_addr_i,  // where a dispatch goes
    output logic unit_start_o,  // pulse: start the side unit of arg_o
    output logic dispatch_o,  // pulse: a dispatch is carried out
    output logic finish_o,  // pulse: the program ends with reason arg_o
    output logic violation_o,  // pulse: it is stopped by the guard of secrets
    output logic [ArgBits-1:0] arg_o  // argument of the control operation
);

  logic active_q, valid_q;
  logic [ArgBits-1:0] pc_q, count_q, after;
  ctl_op_e op;

  // ---- of the word, from its second cycle on ----------------------------------------------------

  logic [ArgBits-1:0] met_q, unmet_q;  // where the program goes on, by the condition
  logic holds_q;  // it holds
  logic guard_q, start_q, dispatch_q, finish_q, set_q, end_q;

  assign op = rom_word_i.ctl_op;
  assign after = pc_q + ArgBits'(1);

  always_ff @(posedge clk_i) begin
    arg_o <= rom_word_i.ctl_arg;
    holds_q <= conditions_i[rom_word_i.ctl_cond] != rom_word_i.ctl_inv;
    guard_q <= secret_i && depends_on_data(op, Public[rom_word_i.ctl_cond]);
    start_q <= op == CtlStart;
    dispatch_q <= op == CtlDispatch;
    finish_q <= op == CtlFinish;
    set_q <= op == CtlLoopSet;
    end_q <= op == CtlLoopEnd;
    unique case (op)
      CtlBranch: {met_q, unmet_q} <= {rom_word_i.ctl_arg, after};
      CtlWait: {met_q, unmet_q} <= {after, pc_q};
      CtlLoopEnd: {met_q, unmet_q} <= {2{count_q != ArgBits'(1) ? rom_word_i.ctl_arg : after}};
      default: {met_q, unmet_q} <= {2{after}};
    endcase
  end

  // ---- its issue --------------------------------------------------------------------------------

  assign wants_o = valid_q;
  assign violation_o = valid_q && guard_q && !first_i;
  assign issue_o = valid_q && !hold_i && !guard_q;
  assign unit_start_o = issue_o && start_q && !clear_i;
  assign dispatch_o = issue_o && dispatch_q;
  assign finish_o = issue_o && finish_q && holds_q;

  always_comb begin
    rom_addr_o = pc_q;
    if (dispatch_o) rom_addr_o = dispatch_addr_i;
    else if (issue_o) rom_addr_o = holds_q ? met_q : unmet_q;
  end

  assign idle_o = !active_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      active_q <= 1'b0;
      valid_q  <= 1'b0;
    end else if (clear_i || finish_o || violation_o) begin
      active_q <= 1'b0;
      valid_q  <= 1'b0;
    end else begin
      active_q <= active_q || start_i;
      valid_q  <= active_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i && !active_q) pc_q <= entry_i;
    else pc_q <= rom_addr_o;
    if (issue_o && set_q) count_q <= arg_o;
    else if (issue_o && end_q) count_q <= count_q - ArgBits'(1);
  end

endmodule
