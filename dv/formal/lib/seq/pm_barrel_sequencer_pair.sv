// SPDX-License-Identifier: Apache-2.0
//
// Claim: as pm_sequencer_pair, of pm_barrel_sequencer: what comes out, and when, does not depend on
// what the data of contexts with secret_i decide, whatever the ROM holds. Registers that reset
// leaves alone begin alike; nothing secret is in them then.

module pm_barrel_sequencer_pair_formal
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 2,
    parameter int unsigned AddrBits = 8,
    parameter bit Pairs = 1'b0,
    localparam int unsigned CtxBits = $clog2(NumContexts),
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [NumContexts-1:0] start_i,
    input logic [AddrBits-1:0] start_addr_i,
    input logic [NumContexts-1:0] clear_i,
    input logic [NumContexts-1:0] secret_i,
    input logic [NumContexts-1:0] stall_i,
    input logic [WordBits-1:0] rom_word_i,  // any word in any cycle: every ROM
    input logic hold_i,
    input logic [1:0][NumConditions-1:0] conditions_i,  // of each copy
    input logic [1:0][AddrBits-1:0] dispatch_addr_i
);

  localparam logic [NumConditions-1:0] PublicConditions = NumConditions'('hf00f_1801);

  typedef struct packed {
    logic [NumContexts-1:0] idle;
    logic [AddrBits-1:0]    rom_addr;
    logic                   valid;
    logic [CtxBits-1:0]     ctx;
    logic [CtxBits-1:0]     next_ctx;
    word_t                  word;
    logic                   unit_start;
    logic                   dispatch;
    logic [ArgBits-1:0]     arg;
    logic                   finish;
    logic                   violation;
    logic [CtxBits-1:0]     end_ctx;
    logic [ArgBits-1:0]     end_arg;
  } outputs_t;

  localparam int unsigned StateBits = 1024;  // more than there are

  outputs_t [1:0] out;
  logic [1:0][StateBits-1:0] state;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    pm_barrel_sequencer #(
        .NumContexts(NumContexts),
        .AddrBits(AddrBits),
        .Turn(Pairs ? 3 : 1),
        .Pairs(Pairs),
        .PublicConditions(PublicConditions)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .start_i,
        .start_addr_i,
        .clear_i,
        .secret_i,
        .idle_o(out[i].idle),
        .rom_addr_o(out[i].rom_addr),
        .rom_word_i(word_t'(rom_word_i)),
        .valid_o(out[i].valid),
        .ctx_o(out[i].ctx),
        .next_ctx_o(out[i].next_ctx),
        .word_o(out[i].word),
        .hold_i,
        .stall_i,
        .conditions_i(conditions_i[i]),
        .dispatch_addr_i(dispatch_addr_i[i]),
        .unit_start_o(out[i].unit_start),
        .dispatch_o(out[i].dispatch),
        .arg_o(out[i].arg),
        .finish_o(out[i].finish),
        .violation_o(out[i].violation),
        .end_ctx_o(out[i].end_ctx),
        .end_arg_o(out[i].end_arg)
    );

    assign state[i] = StateBits'({
      u_dut.active_q,
      u_dut.due_q,
      u_dut.pc_q,
      u_dut.count_q,
      u_dut.timer_q,
      u_dut.after_q,
      u_dut.address_q,
      u_dut.fetch_q,
      u_dut.fetch_ctx_q,
      u_dut.fetch_pc_q,
      u_dut.fetch_count_q,
      u_dut.check_q,
      u_dut.check_valid_q,
      u_dut.check_ctx_q,
      u_dut.check_pc_q,
      u_dut.check_count_q,
      u_dut.check_word_q,
      u_dut.check_secret_q,
      Pairs && u_dut.check_first_q,
      u_dut.issue_q,
      u_dut.issue_valid_q,
      u_dut.issue_violation_q,
      u_dut.issue_ctx_q,
      u_dut.issue_pc_q,
      u_dut.issue_count_q,
      u_dut.issue_word_q,
      u_dut.issue_turns_q,
      Pairs && u_dut.issue_first_q,
      u_dut.update_q,
      u_dut.update_end_q,
      u_dut.update_ctx_q,
      u_dut.update_pc_q,
      u_dut.update_count_q,
      u_dut.update_timer_q,
      u_dut.update_first,
      u_dut.update_set_q,
      u_dut.update_down_q,
      out[i].finish,
      out[i].violation,
      out[i].end_arg
    });
  end

  logic started_q = 1'b0;
  logic [NumContexts-1:0] secret_q, start_q;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    secret_q  <= secret_i;
    start_q   <= start_i;
  end

  // All registers of both copies are the same, but for those that an update looks at, which only
  // count where there is one.
  logic whole, update;
  assign whole = state[0] == state[1];
  assign update = gen_copy[0].u_dut.update_taken_q == gen_copy[1].u_dut.update_taken_q &&
      gen_copy[0].u_dut.update_waiting_q == gen_copy[1].u_dut.update_waiting_q &&
      (!gen_copy[0].u_dut.update_taken_q ||
       gen_copy[0].u_dut.update_target_q == gen_copy[1].u_dut.update_target_q);

  for (genvar c = 0; c < NumContexts; c++) begin : gen_context
    logic [5:0] stages, latest;  // that a word of the context is in; without those that one follows
    assign stages = {
      gen_copy[0].u_dut.due_q[c],
      gen_copy[0].u_dut.address_q[c],
      gen_copy[0].u_dut.fetch_q[c],
      gen_copy[0].u_dut.check_q[c],
      gen_copy[0].u_dut.issue_q[c],
      gen_copy[0].u_dut.update_q[c]
    };
    assign latest = stages & ~{
      4'd0, Pairs && gen_copy[0].u_dut.issue_first_q, gen_copy[0].u_dut.update_first
    };
    always_comb begin
      a_start : assume (!start_i[c] || out[0].idle[c]);
      a_secret : assume (!started_q || start_q[c] || secret_i[c] == secret_q[c]);
      i_one : assert ((latest & (latest - 6'd1)) == '0);
      i_pair : assert ((stages == latest) || stages == 6'b010010 || stages == 6'b001001);
      i_idle : assert (stages == '0 || !out[0].idle[c]);
      i_timer : assert (stages == '0 || gen_copy[0].u_dut.timer_q[c] == '0);
      i_fetch :
      assert (!gen_copy[0].u_dut.fetch_q[c] || gen_copy[0].u_dut.fetch_ctx_q == CtxBits'(c));
      i_check :
      assert (!gen_copy[0].u_dut.check_q[c] ||
              (gen_copy[0].u_dut.check_ctx_q == CtxBits'(c) &&
               gen_copy[0].u_dut.check_secret_q == secret_i[c]));
      i_issue :
      assert (!gen_copy[0].u_dut.issue_q[c] || gen_copy[0].u_dut.issue_ctx_q == CtxBits'(c));
    end
  end

  // At most one context in a stage.
  function automatic logic single(logic [NumContexts-1:0] v);
    return (v & (v - NumContexts'(1))) == '0;
  endfunction

  // Of a context on secrets only words are issued that look at public conditions.
  word_t word;
  assign word = out[0].word;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (!started_q) begin
      a_alike : assume (whole && update);
    end
    if (out[0].valid) begin
      a_public : assume (((conditions_i[0] ^ conditions_i[1]) & PublicConditions) == '0);
      if (!secret_i[out[0].ctx]) begin
        a_open : assume (conditions_i[0] == conditions_i[1]);
        a_open_dispatch : assume (dispatch_addr_i[0] == dispatch_addr_i[1]);
      end
      i_guard :
      assert (!secret_i[out[0].ctx] || !depends_on_data(
          word.ctl_op, PublicConditions[word.ctl_cond]
      ));
    end
    p_same : assert (out[0] == out[1]);
    i_whole : assert (whole);
    i_update : assert (gen_copy[0].u_dut.update_q == '0 || update);
    i_single :
    assert (single(
        gen_copy[0].u_dut.address_q
    ) && single(
        gen_copy[0].u_dut.fetch_q
    ) && single(
        gen_copy[0].u_dut.check_q
    ) && single(
        gen_copy[0].u_dut.issue_q
    ) && single(
        gen_copy[0].u_dut.update_q
    ));
    i_valid : assert (!gen_copy[0].u_dut.issue_valid_q || gen_copy[0].u_dut.issue_q != '0);
    i_first :
    assert (!(started_q && Pairs && gen_copy[0].u_dut.check_first_q) ||
            gen_copy[0].u_dut.check_word_q.ctl_op inside {CtlNext, CtlStart});
  end

endmodule
