// SPDX-License-Identifier: Apache-2.0
//
// Claim: what comes out of pm_sequencer, and when, does not depend on secrets, whatever the ROM
// holds. Of two copies with the same inputs but for what the data of contexts with secret_i decide
// (their conditions outside PublicConditions, and where a dispatch goes), all outputs are the same
// in every cycle: self-composition (Barthe, D'Argenio and Rezk 2004).

module pm_sequencer_pair_formal
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 2,
    parameter int unsigned AddrBits = 8,
    localparam int unsigned CtxBits = NumContexts > 1 ? $clog2(NumContexts) : 1,
    localparam int unsigned NumConditions = 1 << ConditionBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [NumContexts-1:0] start_i,
    input logic [NumContexts-1:0] clear_i,
    input logic [NumContexts-1:0] secret_i,
    input logic [WordBits-1:0] rom_word_i,  // any word in any cycle: every ROM
    input logic hold_i,
    input logic [1:0][NumConditions-1:0] conditions_i,  // of each copy
    input logic [1:0][AddrBits-1:0] dispatch_addr_i
);

  localparam logic [NumConditions-1:0] Public = NumConditions'(32'h0f0f_5a03);

  typedef struct packed {
    logic [NumContexts-1:0] idle;
    logic [AddrBits-1:0]    rom_addr;
    logic                   valid;
    logic [CtxBits-1:0]     ctx;
    logic [CtxBits-1:0]     next_ctx;
    word_t                  word;
    logic                   unit_start;
    logic                   dispatch;
    logic                   finish;
    logic                   violation;
    logic [ArgBits-1:0]     arg;
  } outputs_t;

  outputs_t [1:0] out;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    pm_sequencer #(
        .NumContexts(NumContexts),
        .AddrBits(AddrBits),
        .PublicConditions(Public)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .start_i,
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
        .conditions_i(conditions_i[i]),
        .dispatch_addr_i(dispatch_addr_i[i]),
        .unit_start_o(out[i].unit_start),
        .dispatch_o(out[i].dispatch),
        .finish_o(out[i].finish),
        .violation_o(out[i].violation),
        .arg_o(out[i].arg)
    );
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (out[0].valid) begin
      a_public : assume (((conditions_i[0] ^ conditions_i[1]) & Public) == '0);
      if (!secret_i[out[0].ctx]) begin
        a_open : assume (conditions_i[0] == conditions_i[1]);
        a_open_dispatch : assume (dispatch_addr_i[0] == dispatch_addr_i[1]);
      end
    end
    p_same : assert (out[0] == out[1]);
    i_ctx : assert (32'(out[0].ctx) < NumContexts);
    i_state :
    assert (gen_copy[0].u_dut.contexts_q == gen_copy[1].u_dut.contexts_q &&
            gen_copy[0].u_dut.valid_q == gen_copy[1].u_dut.valid_q &&
            gen_copy[0].u_dut.ctx_q == gen_copy[1].u_dut.ctx_q);
  end

endmodule
