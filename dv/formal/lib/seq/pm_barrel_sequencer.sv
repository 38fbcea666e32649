// SPDX-License-Identifier: Apache-2.0
//
// Claim: whatever the ROM holds, pm_barrel_sequencer issues for a context with secret_i no word
//        that
// dispatches, or branches, waits or finishes on a condition that is not public. Where it rejects
// one, the context works on secrets and becomes idle. No context has a word under way while it is
// idle, and none has two.

module pm_barrel_sequencer_formal
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 2,
    parameter int unsigned AddrBits = 8,
    localparam int unsigned CtxBits = $clog2(NumContexts),
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input logic                     clk_i,
    input logic                     rst_ni,
    input logic [  NumContexts-1:0] start_i,
    input logic [     AddrBits-1:0] start_addr_i,
    input logic [  NumContexts-1:0] clear_i,
    input logic [  NumContexts-1:0] secret_i,
    input logic [     WordBits-1:0] rom_word_i,      // any word in any cycle: every ROM
    input logic                     hold_i,
    input logic [NumConditions-1:0] conditions_i,
    input logic [     AddrBits-1:0] dispatch_addr_i
);

  localparam logic [NumConditions-1:0] PublicConditions = NumConditions'('hf00f_1801);

  logic [NumContexts-1:0] idle;
  logic [AddrBits-1:0] rom_addr;
  logic valid, unit_start, dispatch, finish, violation;
  logic [CtxBits-1:0] ctx, next_ctx, end_ctx;
  word_t word;
  logic [ArgBits-1:0] arg, end_arg;

  pm_barrel_sequencer #(
      .NumContexts(NumContexts),
      .AddrBits(AddrBits),
      .PublicConditions(PublicConditions)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .start_addr_i,
      .clear_i,
      .secret_i,
      .idle_o(idle),
      .rom_addr_o(rom_addr),
      .rom_word_i(word_t'(rom_word_i)),
      .valid_o(valid),
      .ctx_o(ctx),
      .next_ctx_o(next_ctx),
      .word_o(word),
      .hold_i,
      .conditions_i,
      .dispatch_addr_i,
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .arg_o(arg),
      .finish_o(finish),
      .violation_o(violation),
      .end_ctx_o(end_ctx),
      .end_arg_o(end_arg)
  );

  function automatic logic data_flow(word_t w);
    unique case (w.ctl_op)
      CtlBranch, CtlWait, CtlFinish: return !PublicConditions[w.ctl_cond];
      CtlDispatch: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  logic started_q = 1'b0;
  logic violation_q;
  logic [CtxBits-1:0] end_ctx_q;
  logic [NumContexts-1:0] secret_q, start_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    secret_q  <= secret_i;
    start_q   <= start_i;
    end_ctx_q <= end_ctx;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) violation_q <= 1'b0;
    else violation_q <= violation;
  end

  for (genvar c = 0; c < NumContexts; c++) begin : gen_context
    logic [5:0] stages;
    assign stages = {
      u_dut.due_q[c],
      u_dut.address_q[c],
      u_dut.fetch_q[c],
      u_dut.check_q[c],
      u_dut.issue_q[c],
      u_dut.update_q[c]
    };
    always_comb begin
      a_start : assume (!start_i[c] || idle[c]);
      a_secret : assume (!started_q || start_q[c] || secret_i[c] == secret_q[c]);
      p_one : assert ((stages & (stages - 6'd1)) == '0);
      p_active : assert (stages == '0 || !idle[c]);
      i_timer : assert (stages == '0 || u_dut.timer_q[c] == '0);
      i_fetch : assert (!u_dut.fetch_q[c] || u_dut.fetch_ctx_q == CtxBits'(c));
      i_check : assert (!u_dut.check_q[c] || u_dut.check_ctx_q == CtxBits'(c));
      i_secret : assert (!u_dut.check_q[c] || u_dut.check_secret_q == secret_i[c]);
      i_issue : assert (!u_dut.issue_q[c] || u_dut.issue_ctx_q == CtxBits'(c));
      i_update : assert (!u_dut.update_q[c] || u_dut.update_ctx_q == CtxBits'(c));
    end
  end

  // At most one context in a stage.
  function automatic logic single(logic [NumContexts-1:0] v);
    return (v & (v - NumContexts'(1))) == '0;
  endfunction

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    i_single :
    assert (single(
        u_dut.address_q
    ) && single(
        u_dut.fetch_q
    ) && single(
        u_dut.check_q
    ) && single(
        u_dut.issue_q
    ) && single(
        u_dut.update_q
    ));
    i_valid : assert (!u_dut.issue_valid_q || u_dut.issue_q != '0);
    i_violation : assert (!u_dut.issue_violation_q || (u_dut.issue_q & secret_i) != '0);
    if (valid) begin
      p_secret : assert (!secret_i[ctx] || !data_flow(word));
    end
    if (violation) begin
      p_guard : assert (secret_i[end_ctx]);
    end
    if (violation_q) begin
      p_stopped : assert (idle[end_ctx_q]);
    end
  end

endmodule
