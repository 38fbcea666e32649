// SPDX-License-Identifier: Apache-2.0
//
// Datapath of `multicurve`: 16 registers of 544 bits, one or two Montgomery multipliers and a pair
// of modular adders on one modulus. A word starts as many products and makes up to two sums.
//
// Operands: every port reads a register, its number XOR-ed with index_i if `indexed`, or the
//           external value of the word, or 0; ports of the second sum also the first sum of the
//           same cycle (`chain`). A product that is ready in this cycle is forwarded to every port
//           that reads its destination.
// Ranges:   registers hold numbers in [0, p); second factors and operands of sums have to be such,
//           the first factor of a product any number below R.
// Latency:  a sum can be read by the next word. A product that is started in cycle t can be read in
//           cycle t + N (that of the multiplier), which is when mul_done_o says so, and its
//           multiplier takes the next one then.
// Handshake: none: the sequencer issues a word (issue_i) only when the multipliers that it starts
//           are ready. A product in flight is written when it is done, whether words are issued or
//           not.
// Flags:    zero_o says whether the latest sum with a flag was zero, the second one of a word if
//           both have one; met_o whether any was. The next word can ask for them.
// Reset:    asynchronous, active low: no product in flight. Registers are not reset; wipe_i sets
//           all to 0, those of the multipliers too.
// Constant time: yes, N depends on the modulus alone.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), figures 6 and 7.

module pm_dual_datapath
  import pm_dual_ucode_pkg::*;
  import pm_named_prime_pkg::*;
#(
    parameter bit Packed = 1'b0,  // pm_mont_mul_packed in place of pm_mont_mul
    parameter bit Named = 1'b0,  // its parameter
    parameter int unsigned Multipliers = 2,  // 1 or 2; words of a program for one start no other
    parameter bit SharedPorts = 1'b0,  // factors are read through the ports of the sums
    localparam int unsigned Width = 544,
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1),
    localparam int unsigned NumRegisters = 1 << RegisterBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic wipe_i,  // pulse: clear all registers
    input logic [Width-1:0] p_i,  // modulus; stable while products are in flight
    input logic [31:0] pinv_i,  // -1/p mod 2^32
    input logic [DigitBits-1:0] digits_i,  // digits of a factor
    input logic wide_i,  // p has more than 272 bits
    /* verilator lint_off UNUSEDSIGNAL */
    input named_e named_i,  // name of p; used if Named
    /* verilator lint_on UNUSEDSIGNAL */
    /* verilator lint_off UNUSEDSIGNAL */
    input word_t word_i,  // word; its control is the sequencer's
    /* verilator lint_on UNUSEDSIGNAL */
    input logic issue_i,  // it is issued
    input logic index_i,  // exchange of indexed registers
    input logic [Width-1:0] ext_i,  // the external value of the word
    output logic [Width-1:0] operand_o,  // first operand of the first sum: operand of a side unit
    // multiplier has no product in flight, or its result now; 1 without it
    output logic [1:0] mul_done_o,
    output logic [Multipliers-1:0] mul_issue_o,  // a product is started
    input logic forget_i,  // pulse: forget the zeros met; this word's are kept
    output logic zero_o,  // the latest flag
    output logic met_o  // a flag was set since they were forgotten
);

  typedef port_t [2*Multipliers-1:0] factors_t;

  logic [NumRegisters-1:0][Width-1:0] reg_q;
  logic [1:0] keep_q, mul_valid, mul_ready, mul_en;
  logic [1:0][RegisterBits-1:0] dest_q;
  logic [1:0][Width-1:0] product;
  logic [Width-1:0] sum0, sum1;
  port_t [3:0] addend_at;  // what ports read
  factors_t factor_at;
  logic [3:0][Width-1:0] addend;
  logic [2*Multipliers-1:0][Width-1:0] factor;
  logic [2*Multipliers-1:0][3:0] shared;  // ports of the sums that read a factor
  logic zero0, zero1;

  // ---- ports ------------------------------------------------------------------------------------

  // Whether a port of a sum reads what a factor asks for.
  function automatic logic reads(port_t at, port_t wanted);
    return at == wanted || (at.bank == BankChain && wanted.bank == BankReg &&
                            {at.indexed, at.number} == {wanted.indexed, wanted.number});
  endfunction

  assign addend_at = {word_i.s1_y, word_i.s1_x, word_i.s0_y, word_i.s0_x};
  assign factor_at = factors_t'({word_i.m1_b, word_i.m1_a, word_i.m0_b, word_i.m0_a});

  for (genvar k = 0; k < 4; k++) begin : g_port
    pm_dual_port u_addend (
        .at_i(addend_at[k]),
        .index_i,
        .ext_i,
        .registers_i(reg_q),
        .valid_i(mul_valid),
        .dest_i(dest_q),
        .product_i(product),
        .value_o(addend[k])
    );
  end

  for (genvar k = 0; k < 2 * Multipliers; k++) begin : g_factor
    if (SharedPorts) begin : g_shared
      for (genvar i = 0; i < 4; i++) begin : g_met
        assign shared[k][i] = reads(addend_at[i], factor_at[k]);
      end
      always_comb begin
        factor[k] = '0;
        for (int unsigned i = 0; i < 4; i++) factor[k] |= {Width{shared[k][i]}} & addend[i];
      end
    end else begin : g_own
      assign shared[k] = '1;
      pm_dual_port u_factor (
          .at_i(factor_at[k]),
          .index_i,
          .ext_i,
          .registers_i(reg_q),
          .valid_i(mul_valid),
          .dest_i(dest_q),
          .product_i(product),
          .value_o(factor[k])
      );
    end
  end

  assign operand_o = addend[0];

  // ---- products ---------------------------------------------------------------------------------

  assign mul_en = {2{issue_i}} & {word_i.m1_en, word_i.m0_en};

  for (genvar u = Multipliers; u < 2; u++) begin : g_none
    assign {mul_done_o[u], mul_ready[u], mul_valid[u], keep_q[u]} = 4'b1100;
    assign {dest_q[u], product[u]} = '0;
  end

  for (genvar u = 0; u < Multipliers; u++) begin : g_mul
    logic flight_q;

    if (Packed) begin : g_packed
      pm_mont_mul_packed #(
          .Named(Named)
      ) u_mul (
          .clk_i,
          .rst_ni,
          .wipe_i,
          .p_i,
          .pinv_i,
          .digits_i,
          .wide_i,
          .named_i(Named ? named_i : NamedNone),
          .valid_i(mul_en[u]),
          .ready_o(mul_ready[u]),
          .x_i    (factor[2*u]),
          .y_i    (factor[2*u+1]),
          .valid_o(mul_valid[u]),
          .ready_i(1'b1),
          .r_o    (product[u])
      );
    end else begin : g_plain
      pm_mont_mul u_mul (
          .clk_i,
          .rst_ni,
          .wipe_i,
          .p_i,
          .pinv_i,
          .digits_i,
          .wide_i,
          .valid_i(mul_en[u]),
          .ready_o(mul_ready[u]),
          .x_i    (factor[2*u]),
          .y_i    (factor[2*u+1]),
          .valid_o(mul_valid[u]),
          .ready_i(1'b1),
          .r_o    (product[u])
      );
    end

    assign mul_done_o[u] = !flight_q || mul_valid[u];

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) flight_q <= 1'b0;
      else flight_q <= mul_en[u] || (flight_q && !mul_valid[u]);
    end

    always_ff @(posedge clk_i) begin
      if (mul_en[u]) dest_q[u] <= u == 0 ? word_i.m0_rd : word_i.m1_rd;
      // What is under way when the registers are cleared is not kept.
      if (wipe_i) keep_q[u] <= 1'b0;
      else if (mul_en[u]) keep_q[u] <= 1'b1;
    end
  end

  assign mul_issue_o = mul_en[Multipliers-1:0];

  // ---- sums -------------------------------------------------------------------------------------

  pm_mod_addsub_pair #(
      .Width(Width)
  ) u_sums (
      .p_i,
      .a0_i      (addend[0]),
      .b0_i      (addend[1]),
      .sub0_i    (word_i.s0_sub),
      .r0_o      (sum0),
      .zero0_o   (zero0),
      .a1_i      (addend[2]),
      .b1_i      (addend[3]),
      .sub1_i    (word_i.s1_sub),
      .chain_a1_i(word_i.s1_x.bank == BankChain),
      .chain_b1_i(word_i.s1_y.bank == BankChain),
      .r1_o      (sum1),
      .zero1_o   (zero1)
  );

  // ---- results ----------------------------------------------------------------------------------

  // Which result a register takes, if any: a product of a job that was abandoned may come with a
  // sum. None is taken where registers are cleared.
  logic [NumRegisters-1:0][3:0] taken;

  always_comb begin
    for (int unsigned r = 0; r < NumRegisters; r++) begin
      taken[r] = '0;
      if (wipe_i) taken[r] = '0;
      else if (issue_i && word_i.s0_we && word_i.s0_rd == RegisterBits'(r)) taken[r][0] = 1'b1;
      else if (issue_i && word_i.s1_we && word_i.s1_rd == RegisterBits'(r)) taken[r][1] = 1'b1;
      else if (mul_valid[0] && keep_q[0] && dest_q[0] == RegisterBits'(r)) taken[r][2] = 1'b1;
      else if (mul_valid[1] && keep_q[1] && dest_q[1] == RegisterBits'(r)) taken[r][3] = 1'b1;
    end
  end

  for (genvar r = 0; r < NumRegisters; r++) begin : g_register
    always_ff @(posedge clk_i) begin
      if (wipe_i || taken[r] != '0)
        reg_q[r] <= ({Width{taken[r][0]}} & sum0) | ({Width{taken[r][1]}} & sum1) |
            ({Width{taken[r][2]}} & product[0]) | ({Width{taken[r][3]}} & product[1]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (issue_i && (word_i.s0_flag || word_i.s1_flag)) zero_o <= word_i.s1_flag ? zero1 : zero0;
    met_o <= (met_o && !forget_i) ||
        (issue_i && ((word_i.s0_flag && zero0) || (word_i.s1_flag && zero1)));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (&(mul_ready | ~mul_en));
      assert (Multipliers == 2 || !mul_en[1]);
      assert (!(&mul_en) || word_i.m0_rd != word_i.m1_rd);
      for (int unsigned f = 0; f < 2 * Multipliers; f++) begin
        assert (!mul_en[f/2] || shared[f] != '0);
      end
    end
  end

endmodule
