// SPDX-License-Identifier: Apache-2.0
//
// Datapath of a microcoded field engine modulo p = 2^255 - 19: three register banks (products,
// sums, differences; pm_operand_banks), one butterfly and one pipelined modular multiplier, driven
// by the words of a pm_sequencer.
//
// In the issue cycle of a word the banks are read, the butterfly makes x + y and x - y + 4p, and
// the factors, registers or results of this cycle's butterfly, enter the multiplier. A product can
// be read 7 cycles later, with its flags if it is canonical, a stored sum or difference in the next
// cycle (Xue et al. 2022, J. Commun. 43(3), section 3.2 and tables 2 and 3).
// With ScaleStages a word can store a constant times the difference as its sum (pm_scale); sums are
// then stored ScaleStages cycles later.
//
// Flags:    every canonical product pushes {zero, odd} into the history of its context; index 0 is
//           the latest.
// Shared multiplier: share_* offers the cycles in which no word starts a product to a unit that
//           wants the half products (pm_modl); share_ready_o = 0 in the other cycles.
// Ranges:   the assembler proves that factors are below 2^258 and subtrahends at most 4p.
// Reset:    clears what is under way, not the registers. Constant time.

module pm_butterfly_datapath
  import pm_datapath_pkg::*;
  import pm_ucode_pkg::*;
#(
    parameter int unsigned NumContexts = 1,  // contexts
    parameter int unsigned IndexBits = 3,  // bits of the index for indexed registers
    parameter int unsigned ReadReg = 0,  // registers behind the banks: 1 for block RAM
    parameter bit SumReg = 1'b0,  // 1: factors and results of the butterfly pass a register
    // 2 to 4: with pm_scale, of that many stages; 0: without
    parameter int unsigned ScaleStages = 0,
    parameter int unsigned ExtBits = 255,  // bits of an external value, up to 258
    // 2^DiffBits registers in bank diff for each context
    parameter int unsigned DiffBits = RegisterBits,
    parameter bit YFromMul = 1'b0,  // 1: port ry never reads the banks sum and diff
    localparam int unsigned CtxBits = NumContexts > 1 ? $clog2(NumContexts) : 1,
    localparam int unsigned FlagDepth = 4
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // The control fields are not looked at here.
    /* verilator lint_off UNUSEDSIGNAL */
    input word_t word_i,  // issued word, zero if none
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [CtxBits-1:0] ctx_i,  // its context
    input logic [IndexBits-1:0] index_i,  // digit of the word: index for indexed registers
    input logic neg_i,  // and its sign
    input logic [ExtBits-1:0] ext_i,  // external value of the word, ReadReg cycles later
    output logic [257:0] operand_o,  // first factor, factor_latency() cycles after the word

    output logic [NumContexts-1:0][FlagDepth-1:0] zero_o,  // zero flags, latest at index 0
    output logic [NumContexts-1:0] odd_o,  // latest odd flag
    input logic [CtxBits-1:0] flag_ctx_i,  // context whose flags are wanted in the next cycle
    output logic flag_zero_o,  // its latest flags, from registers
    output logic flag_odd_o,

    output product_watch_t watch_o,  // product that is written at the end of this cycle

    input  logic         share_valid_i,       // a product for a side unit
    output logic         share_ready_o,       // it is taken
    input  logic [257:0] share_a_i,           // its factors
    input  logic [257:0] share_b_i,
    output logic         share_part_valid_o,  // its half products are there
    output logic [257:0] share_h_o,           // product of the upper halves
    output logic [257:0] share_l_o,           // product of the lower halves

    output logic mul_issue_o  // a product is started in this cycle
);

  localparam int unsigned W = 258;
  localparam int unsigned AddrBits = RegisterBits + $clog2(NumContexts);
  localparam int unsigned PartLatency = pm_datapath_pkg::part_latency();
  localparam int unsigned MulLatency = pm_datapath_pkg::product_latency();
  localparam int unsigned FactorLatency = pm_datapath_pkg::factor_latency(ReadReg, SumReg);

  // ---- operands -------------------------------------------------------------------------------

  // Of a register of a context.
  function automatic logic [AddrBits-1:0] address(logic [RegisterBits-1:0] register,
                                                  logic [CtxBits-1:0] owner);
    return AddrBits'({owner, register});
  endfunction

  // With the sign of its digit resolved.
  word_t word;

  always_comb begin
    word = word_i;
    if (word_i.mul_b == FactorSigned) word.mul_b = neg_i ? FactorDiff : FactorSum;
  end

  // The word and its context at the factors, where only some fields are looked at.
  /* verilator lint_off UNUSEDSIGNAL */
  word_t fact_word;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [CtxBits-1:0] fact_ctx;

  pm_delay #(
      .Width($bits(word_t) + CtxBits),
      .Depth(FactorLatency)
  ) u_fact_word (
      .clk_i,
      .rst_ni,
      .data_i({word, ctx_i}),
      .data_o({fact_word, fact_ctx})
  );

  logic mul_we, sum_we;
  logic [AddrBits-1:0] mul_waddr, sum_waddr;
  logic [W-1:0] sum_wdata;
  logic [255:0] mul_wdata;
  logic [W-1:0] x, y, sum, diff, port_a, port_b;

  pm_operand_banks #(
      .AddrBits(AddrBits),
      .IndexBits(IndexBits),
      .ExtBits(ExtBits),
      .DiffBits(DiffBits),
      .YFromMul(YFromMul),
      .ReadReg(ReadReg),
      .FactorTime(FactorLatency)
  ) u_banks (
      .clk_i,
      .rst_ni,
      .word_i,
      .base_i(address('0, ctx_i)),
      .index_i,
      .ext_i,
      .x_o(x),
      .y_o(y),
      .a_o(port_a),
      .b_o(port_b),
      .mul_we_i(mul_we),
      .mul_addr_i(mul_waddr),
      .mul_data_i(mul_wdata),
      .sum_we_i(sum_we),
      .sum_addr_i(sum_waddr),
      .sum_data_i(sum_wdata),
      .diff_we_i(fact_word.diff_we),
      .diff_addr_i(address(fact_word.diff_rd, fact_ctx)),
      .diff_data_i(diff)
  );

  logic [W-1:0] read_sum, read_diff;

  pm_addsub u_butterfly (
      .x_i(x),
      .y_i(y),
      .shift_x_i(1'b0),
      .shift_y_i(1'b0),
      .sum_o(read_sum),
      .diff_o(read_diff)
  );

  if (SumReg) begin : g_sum_reg
    always_ff @(posedge clk_i) begin
      sum  <= read_sum;
      diff <= read_diff;
    end
  end else begin : g_no_sum_reg
    assign sum  = read_sum;
    assign diff = read_diff;
  end

  // ---- what is stored as sum --------------------------------------------------------------------

  if (ScaleStages > 0) begin : g_scale
    pm_scale #(
        .Stages(ScaleStages)
    ) u_scale (
        .clk_i,
        .scale_i(fact_word.scaled),
        .x_i(diff),
        .y_i(sum),
        .r_o(sum_wdata)
    );
  end else begin : g_no_scale
    assign sum_wdata = sum;
  end

  pm_delay #(
      .Width(1 + AddrBits),
      .Depth(ScaleStages)
  ) u_sum_write (
      .clk_i,
      .rst_ni,
      .data_i({fact_word.sum_we, address(fact_word.sum_rd, fact_ctx)}),
      .data_o({sum_we, sum_waddr})
  );

  // ---- product --------------------------------------------------------------------------------

  logic [W-1:0] a, b;

  always_comb begin
    unique case (fact_word.mul_a)
      FactorSum: a = sum;
      FactorDiff: a = diff;
      default: a = port_a;
    endcase
    unique case (fact_word.mul_b)
      FactorSum: b = sum;
      FactorDiff: b = diff;
      default: b = port_b;
    endcase
  end

  assign operand_o = a;
  assign share_ready_o = !fact_word.mul_en;
  assign mul_issue_o = fact_word.mul_en || share_valid_i;

  typedef struct packed {
    logic                shared;  // for the side unit
    logic                write;   // for the bank
    logic                canon;   // to be reduced to [0, p), with flags
    logic [AddrBits-1:0] waddr;
  } tag_t;

  tag_t tag, result_tag;
  tag_t [MulLatency:1] tag_q;
  logic [255:0] product;  // canonical, if that is wanted
  logic zero;  // modulo p

  assign tag = '{
          shared: share_valid_i && share_ready_o,
          write: fact_word.mul_en,
          canon: fact_word.mul_canon,
          waddr: address(fact_word.mul_rd, fact_ctx)
      };

  logic [W-1:0] mul_a, mul_b;

  assign mul_a = fact_word.mul_en ? a : share_a_i;
  assign mul_b = fact_word.mul_en ? b : share_b_i;

  logic [254:0] canonical;
  logic [255:0] reduced;
  logic mul_ready, product_valid, part_valid;

  pm_mulmod u_mul (
      .clk_i,
      .rst_ni,
      .valid_i(mul_issue_o),
      .ready_o(mul_ready),
      .a_i(mul_a),
      .b_i(mul_b),
      .valid_o(product_valid),
      .ready_i(1'b1),
      .r_o(reduced),
      .part_valid_o(part_valid),
      .part_h_o(share_h_o),
      .part_l_o(share_l_o)
  );

  pm_canon u_canon (
      .r_i(reduced),
      .r_o(canonical),
      .zero_o(zero)
  );

  assign product = result_tag.canon ? 256'(canonical) : reduced;

  // With ready_i = 1 the multiplier never stands still, so that tags and products stay side by
  // side.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (mul_ready);
      assert (product_valid == (result_tag.shared || result_tag.write));
      assert (part_valid || !tag_q[PartLatency].shared);
    end
  end

  assign share_part_valid_o = tag_q[PartLatency].shared;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) tag_q <= '0;
    else tag_q <= {tag_q[MulLatency-1:1], tag};
  end

  // ---- results --------------------------------------------------------------------------------

  logic set_flags;

  assign result_tag = tag_q[MulLatency];

  assign mul_we = result_tag.write;
  assign mul_waddr = result_tag.waddr;
  assign mul_wdata = product;
  assign set_flags = result_tag.write && result_tag.canon;
  assign watch_o = '{
          write: result_tag.write,
          canon: result_tag.canon,
          number: result_tag.waddr[RegisterBits-1:0],
          zero: zero,
          odd: product[0]
      };

  logic [NumContexts-1:0][FlagDepth-1:0] zero_history_q;
  logic [NumContexts-1:0] odd_history_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      zero_history_q <= '0;
      odd_history_q  <= '0;
    end else if (set_flags) begin
      for (int unsigned c = 0; c < NumContexts; c++) begin
        if (NumContexts == 1 || 32'(mul_waddr >> RegisterBits) == c) begin
          zero_history_q[c] <= {zero_history_q[c][FlagDepth-2:0], zero};
          odd_history_q[c]  <= product[0];
        end
      end
    end
  end

  // Looked up a cycle ahead, with those that are written in that cycle.
  logic flag_now;

  assign flag_now = set_flags &&
      (NumContexts == 1 || CtxBits'(mul_waddr >> RegisterBits) == flag_ctx_i);

  always_ff @(posedge clk_i) begin
    flag_zero_o <= flag_now ? zero : zero_history_q[flag_ctx_i][0];
    flag_odd_o  <= flag_now ? product[0] : odd_history_q[flag_ctx_i];
  end

  assign zero_o = zero_history_q;
  assign odd_o  = odd_history_q;

endmodule
