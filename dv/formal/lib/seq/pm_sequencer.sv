// SPDX-License-Identifier: Apache-2.0
//
// Claim: whatever the ROM holds, pm_sequencer issues for each context the microinstructions, in
// the order that the control operations ask for, never sooner than a word's delay nor than
// MinSpacing after the one before it, and at most NumContexts - 1 cycles later, cycles after hold_i
// not counted (so with one context exactly then); a `finish` that holds and clear_i leave the
// context idle, and nothing is issued for an idle context nor in the cycle after hold_i. No
// microinstruction of a context with secret_i is issued that looks at data; such a word leaves the
// context idle.

module pm_sequencer_formal
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 2,
    parameter int unsigned AddrBits = 8,
    parameter int unsigned MinSpacing = 1,
    localparam int unsigned CtxBits = NumContexts > 1 ? $clog2(NumContexts) : 1,
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input logic                     clk_i,
    input logic                     rst_ni,
    input logic [  NumContexts-1:0] start_i,
    input logic [  NumContexts-1:0] clear_i,
    input logic [  NumContexts-1:0] secret_i,
    input logic [     WordBits-1:0] rom_word_i,      // any word in any cycle: every ROM
    input logic                     hold_i,
    input logic [NumConditions-1:0] conditions_i,
    input logic [     AddrBits-1:0] dispatch_addr_i
);

  logic [NumContexts-1:0] idle;
  logic [AddrBits-1:0] rom_addr;
  localparam logic [NumConditions-1:0] Public = NumConditions'(32'h0f0f_5a03);

  logic valid, unit_start, dispatch, finish, violation;
  logic [CtxBits-1:0] ctx;
  word_t word;
  logic [ArgBits-1:0] arg;

  pm_sequencer #(
      .NumContexts(NumContexts),
      .AddrBits(AddrBits),
      .MinSpacing(MinSpacing),
      .PublicConditions(Public)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .secret_i,
      .idle_o(idle),
      .rom_addr_o(rom_addr),
      .rom_word_i(word_t'(rom_word_i)),
      .valid_o(valid),
      .ctx_o(ctx),
      .next_ctx_o(),
      .word_o(word),
      .hold_i,
      .conditions_i,
      .dispatch_addr_i,
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  // The word of this cycle, and the address that the ROM was given for it.
  word_t rom_word;
  logic [AddrBits-1:0] addr_q;
  logic holds, waits;
  assign rom_word = word_t'(rom_word_i);
  assign holds = conditions_i[rom_word.ctl_cond] ^ rom_word.ctl_inv;
  assign waits = rom_word.ctl_op == CtlWait && !holds;
  always_ff @(posedge clk_i) addr_q <= rom_addr;

  // Cycles from a word to its next, less one.
  localparam int unsigned WaitBits = 5;
  logic [WaitBits-1:0] word_wait, least_wait;
  assign word_wait  = waits ? '0 : WaitBits'(rom_word.delay);
  assign least_wait = WaitBits'(MinSpacing - 1);

  logic hold_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= 1'b0;
    else hold_q <= hold_i;
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  // What every context asks for.
  for (genvar c = 0; c < NumContexts; c++) begin : gen_context
    logic active_q, issued;
    logic [WaitBits-1:0] wait_q;  // cycles before the next word is due
    logic [1:0] late_q;  // cycles for which it has been due, held ones not counted
    logic [AddrBits-1:0] pc_q, pc_d;
    logic [ArgBits-1:0] count_q;
    assign issued = valid && ctx == CtxBits'(c);

    always_comb begin
      pc_d = pc_q + 1'b1;
      unique case (rom_word.ctl_op)
        CtlBranch: if (holds) pc_d = rom_word.ctl_arg[AddrBits-1:0];
        CtlLoopEnd: if (count_q != ArgBits'(1)) pc_d = rom_word.ctl_arg[AddrBits-1:0];
        CtlWait: if (!holds) pc_d = pc_q;
        CtlDispatch: pc_d = dispatch_addr_i;
        default: ;
      endcase
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        active_q <= 1'b0;
        wait_q <= '0;
        late_q <= '0;
        pc_q <= '0;
        count_q <= '0;
      end else begin
        late_q <= active_q && wait_q == '0 && !issued ? late_q + 2'(!hold_q) : '0;
        if (wait_q != '0) wait_q <= wait_q - 1'b1;
        if (issued) begin
          pc_q   <= pc_d;
          wait_q <= word_wait > least_wait ? word_wait : least_wait;
          if (rom_word.ctl_op == CtlLoopSet) count_q <= rom_word.ctl_arg;
          if (rom_word.ctl_op == CtlLoopEnd) count_q <= count_q - 1'b1;
          if (rom_word.ctl_op == CtlFinish && holds) active_q <= 1'b0;
        end
        if (start_i[c]) begin
          active_q <= 1'b1;
          pc_q <= '0;
          wait_q <= WaitBits'(1);
          late_q <= '0;
        end
        if (clear_i[c] || (violation && ctx == CtxBits'(c))) begin
          active_q <= 1'b0;
          late_q   <= '0;
        end
      end
    end

    // For the induction step.
    logic in_flight;
    assign in_flight = u_dut.valid_q && u_dut.ctx_q == CtxBits'(c);
    always_comb begin
      a_start : assume (!start_i[c] || idle[c]);
      i_active : assert (u_dut.contexts_q[c].active == active_q && (active_q || late_q == '0));
      i_program : assert (!active_q || (u_dut.contexts_q[c].pc == pc_q));
      i_count : assert (u_dut.contexts_q[c].count == count_q);
      i_timer :
      assert (!active_q ||
              WaitBits'(u_dut.contexts_q[c].timer) == (wait_q == '0 ? '0 : wait_q - WaitBits'(1)));
      i_flight : assert (!in_flight || (active_q && wait_q == '0 && addr_q == pc_q));
      i_due :
      assert (in_flight || !active_q || wait_q != '0 || (u_dut.valid_q && late_q == '0) || hold_q);
      i_late :
      assert (late_q <= 2'(NumContexts - 1) &&
              (late_q == '0 || in_flight || (hold_q && u_dut.ctx_q != CtxBits'(c))));
    end

    always_comb begin
      p_idle : assert (idle[c] == !active_q);
      if (issued) begin
        p_active : assert (active_q && !clear_i[c]);
        p_not_sooner : assert (wait_q == '0);
        p_program : assert (addr_q == pc_q);
      end
      if (active_q && !clear_i[c] && wait_q == '0 && !issued && !hold_q &&
          !(violation && ctx == CtxBits'(c))) begin
        p_not_late : assert (late_q < 2'(NumContexts - 1));
      end
    end
  end

  // What is written here anew is what the guard promises.
  logic looks;
  assign looks = rom_word.ctl_op == CtlDispatch ||
      (rom_word.ctl_op inside {CtlBranch, CtlWait, CtlFinish} && !Public[rom_word.ctl_cond]);

  always_comb begin
    p_guard : assert (!(valid && secret_i[ctx] && looks));
    p_guard_alone : assert (!violation || (secret_i[ctx] && looks && !valid));
    a_reset : assume (started_q || !rst_ni);
    i_ctx : assert (32'(u_dut.ctx_q) < NumContexts);
    i_hold : assert (!hold_q || !u_dut.valid_q);
    p_hold : assert (!hold_q || !valid);
    p_word : assert (word == (valid ? rom_word : '0) && arg == word.ctl_arg);
    p_control :
    assert (unit_start == (valid && rom_word.ctl_op == CtlStart) &&
            dispatch == (valid && rom_word.ctl_op == CtlDispatch) &&
            finish == (valid && rom_word.ctl_op == CtlFinish && holds));
  end

endmodule
