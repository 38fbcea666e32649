// SPDX-License-Identifier: Apache-2.0
//
// Microcode sequencer of pm_dual_datapath: one program on a datapath whose products take a number
// of cycles that only the modulus decides. Words hold no delays: they are issued in order, one a
// cycle, and a word stays until the multipliers that it names, or starts, have no product in flight
// any more. Nothing else holds a word back but hold_i.
//
// Timing:   the ROM is synchronous: the word of rom_addr_o is expected on rom_word_i in the next
//           cycle. The next address comes out of the present word combinationally, so that
//           branches, loops and dispatches cost no cycle. start_i to the first word: 2 cycles.
// Handshake: word_o with wants_o is the word that wants to be issued, and is in the cycles with
//           issue_o; its control operation is carried out in that cycle alone. conditions_i and
//           dispatch_addr_i are looked at then. clear_i stops the program at once.
// Guard:    with secret_i a word that would make control flow depend on data (a dispatch, or a
//           branch, wait or finish on a condition outside Public) is not issued: the program stops
//           and violation_o pulses.
// Reset:    asynchronous, active low: idle.
// The time of a program depends on conditions; whether it may is the program's affair, save for the
// guard.

module pm_dual_sequencer
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
    input word_t rom_word_i,  // word of the address of the last cycle
    output word_t word_o,  // the word that wants to be issued
    output logic wants_o,  // there is one
    output logic issue_o,  // it is issued
    input logic [1:0] mul_done_i,  // multiplier has no product, or its result now
    input logic hold_i,  // what the word reads is not there yet
    input logic [NumConditions-1:0] conditions_i,  // levels of the conditions
    input logic [ArgBits-1:0] dispatch_addr_i,  // where a dispatch goes
    output logic unit_start_o,  // pulse: start the side unit of arg_o
    output logic dispatch_o,  // pulse: a dispatch is carried out
    output logic finish_o,  // pulse: the program ends with reason arg_o
    output logic violation_o,  // pulse: it is stopped by the guard of secrets
    output logic [ArgBits-1:0] arg_o  // argument of the control operation
);

  logic active_q, valid_q;
  logic [ArgBits-1:0] pc_q, next_pc;
  logic [ArgBits-1:0] count_q;
  logic stall, holds, waiting, taken, valid;
  word_t word;

  assign word = rom_word_i;
  assign word_o = word;
  assign wants_o = valid;
  assign arg_o = word.ctl_arg;
  assign valid = valid_q && !clear_i;
  assign stall = hold_i || ((word.wait0 || word.m0_en) && !mul_done_i[0]) ||
      ((word.wait1 || word.m1_en) && !mul_done_i[1]);
  assign holds = conditions_i[word.ctl_cond] != word.ctl_inv;
  assign violation_o = valid && secret_i && depends_on_data(word.ctl_op, Public[word.ctl_cond]);
  assign issue_o = valid && !stall && !violation_o;

  assign waiting = word.ctl_op == CtlWait && !holds;
  assign taken = (word.ctl_op == CtlBranch && holds) ||
      (word.ctl_op == CtlLoopEnd && count_q != ArgBits'(1));
  assign unit_start_o = issue_o && word.ctl_op == CtlStart;
  assign dispatch_o = issue_o && word.ctl_op == CtlDispatch;
  assign finish_o = issue_o && word.ctl_op == CtlFinish && holds;

  always_comb begin
    if (!issue_o) next_pc = pc_q;
    else if (dispatch_o) next_pc = dispatch_addr_i;
    else if (taken) next_pc = word.ctl_arg;
    else if (waiting) next_pc = pc_q;
    else next_pc = pc_q + ArgBits'(1);
  end

  assign rom_addr_o = next_pc;
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
    else pc_q <= next_pc;
    if (issue_o && word.ctl_op == CtlLoopSet) count_q <= word.ctl_arg;
    else if (issue_o && word.ctl_op == CtlLoopEnd) count_q <= count_q - ArgBits'(1);
  end

endmodule
