// SPDX-License-Identifier: Apache-2.0
//
// Operations of the datapath of `mpu`: takes a word apart, and says what of it is done in which
// cycle.
//
// Operations: those of a word go one behind the other: the check of the range of an external value,
//           the product that it starts, the first sum (or the operand of a side unit), the second
//           sum. A second sum that takes the first one waits for it.
// Held:     with held_i in the cycle of an operation the first Held registers keep what they hold:
//           its result is not written to them.
// Timing:   a word is taken into registers in its first cycle, and carried out from the next on, or
//           when the products that it waits for are written. With e = 1 if it reads an external
//           value, else 0, and operation k of it, counted from 0: that takes 1 + e cycles, or e + k
//           + 5 of each of its sums, e + k + 6 of one with a flag and of a check, e + k + 4 of the
//           operand of a side unit, whichever is most; a sum that takes the first one, k, counts as
//           operation k + 4.
// Handshake: valid_i with a word; it is issued in the cycle in which hold_o is 0, and it must not
//           change until then. wipe_i drops it.
// Reset:    asynchronous, active low: nothing is under way.
// Constant time: yes.

module pm_mpu_operations
  import pm_dual_ucode_pkg::*;
  import pm_mpu_datapath_pkg::*;
#(
    parameter int unsigned Held = 0  // registers, the first ones, that held_i holds
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic wipe_i,  // pulse: drop what is under way
    input logic wiping_i,  // registers are cleared in the next cycle
    input logic plain_i,  // one plain product waits for the other
    input word_t word_i,  // word; its control is the sequencer's
    input logic valid_i,  // it wants to be issued
    output logic hold_o,  // it is not issued yet
    output logic first_o,  // it is in its first cycle
    input logic index_i,  // exchange of indexed registers
    input logic held_i,  // what is written to the first Held registers is dropped
    input logic check_i,  // the external value of the word has to be below p
    input logic [1:0] busy_i,  // multipliers have a product that is not written in this cycle
    input logic apart_i,  // a product can be started, as far as the one before it goes
    output operation_t op_o  // operation of this cycle; of none act is 0
);

  /* verilator lint_off UNUSEDSIGNAL */
  word_t word_q;  // that is carried out
  /* verilator lint_on UNUSEDSIGNAL */
  logic external, starts, multiplies, first, second, chain, single, free, go;
  logic [1:0] waited;  // multipliers
  // of the word in its registers
  logic ready_q, external_q, check_q, starts_q, multiplies_q, first_q, second_q, chain_q, last_q;
  logic sums_alone_q;  // no external value, no product
  logic unit_q;  // its product
  port_t factor_a_q, factor_b_q;
  logic [RegisterBits-1:0] product_rd_q;
  logic free_q;  // no product that it waits for
  logic alone_q;  // this is its only cycle behind the first one
  logic begun_q;  // it is carried out
  logic [4:0] state_q, length_q, length;
  operation_t check_op, product_op, first_op, second_op;
  logic [4:0] at_product, at_first, at_second, at_first_q, at_second_q;

  function automatic logic outside(bank_e a, bank_e b);
    return a == BankExt || b == BankExt;
  endfunction

  function automatic place_t place(port_t given, logic exchange);
    place.bank   = given.bank;
    place.number = given.number ^ RegisterBits'(given.indexed && exchange);
  endfunction

  assign external = outside(
      word_i.m0_a.bank, word_i.m0_b.bank
  ) || outside(
      word_i.m1_a.bank, word_i.m1_b.bank
  ) || outside(
      word_i.s0_x.bank, word_i.s0_y.bank
  ) || outside(
      word_i.s1_x.bank, word_i.s1_y.bank
  );
  assign starts = word_i.ctl_op == CtlStart;
  assign second = word_i.s1_we || word_i.s1_flag;
  assign chain = second && (word_i.s1_x.bank == BankChain || word_i.s1_y.bank == BankChain);
  assign first = word_i.s0_we || word_i.s0_flag || starts || chain;
  // A product alone, or control.
  assign single = !external && !starts && !word_i.s0_we && !word_i.s0_flag && !second;
  assign multiplies = word_i.m0_en || word_i.m1_en;
  assign waited = {
    word_i.wait1 || word_i.m1_en || (plain_i && word_i.m0_en),
    word_i.wait0 || word_i.m0_en || (plain_i && word_i.m1_en)
  };
  // No product begins before the word is carried out.
  assign free = !wiping_i && (waited & busy_i) == '0 && (apart_i || !multiplies);

  always_ff @(posedge clk_i) begin
    word_q <= word_i;
    external_q <= external;
    check_q <= external && check_i;
    {starts_q, first_q, second_q, chain_q} <= {starts, first, second, chain};
    multiplies_q <= multiplies;
    sums_alone_q <= !external && !multiplies;
    unit_q <= word_i.m1_en;
    {factor_a_q, factor_b_q, product_rd_q} <= word_i.m1_en ?
        {word_i.m1_a, word_i.m1_b, word_i.m1_rd} : {word_i.m0_a, word_i.m0_b, word_i.m0_rd};
    free_q <= free;
  end

  // States of the operations; the external value takes one before them.
  assign at_product = 5'(external_q) + 5'(check_q);
  assign at_first   = at_product + 5'(multiplies_q);
  assign at_second  = chain_q ? at_first + 5'd4 : at_first + 5'(first_q);

  function automatic logic writes(logic [RegisterBits-1:0] register, logic held);
    return !(held && 32'(register) < Held);
  endfunction

  always_comb begin
    check_op = '0;
    check_op.act.check = 1'b1;
    check_op.act.sum = 1'b1;
    check_op.x.bank = BankExt;
    check_op.y.bank = BankZero;

    product_op = '0;
    product_op.act.product = 1'b1;
    product_op.act.unit = unit_q;
    product_op.act.write = writes(product_rd_q, held_i);
    product_op.act.rd = product_rd_q;
    product_op.x = place(factor_a_q, index_i);
    product_op.y = place(factor_b_q, index_i);

    first_op = '0;
    first_op.act.keep = starts_q;
    first_op.act.sum = word_q.s0_we || word_q.s0_flag || chain_q;
    first_op.act.write = word_q.s0_we && writes(word_q.s0_rd, held_i);
    first_op.act.flag = word_q.s0_flag;
    first_op.act.sub = word_q.s0_sub;
    first_op.act.rd = word_q.s0_rd;
    first_op.x = place(word_q.s0_x, index_i);
    first_op.y = place(word_q.s0_y, index_i);

    second_op = '0;
    second_op.act.sum = 1'b1;
    second_op.act.write = word_q.s1_we && writes(word_q.s1_rd, held_i);
    second_op.act.flag = word_q.s1_flag;
    second_op.act.sub = word_q.s1_sub;
    second_op.act.rd = word_q.s1_rd;
    second_op.x = place(word_q.s1_x, index_i);
    second_op.y = place(word_q.s1_y, index_i);
  end

  function automatic logic [4:0] larger(logic [4:0] a, logic [4:0] b);
    return a > b ? a : b;
  endfunction

  always_comb begin
    length = 5'd2;
    if (check_q) length = larger(length, 5'd7);
    if (word_q.s0_we || chain_q) length = larger(length, at_first_q + 5'd5);
    if (word_q.s0_flag) length = larger(length, at_first_q + 5'd6);
    if (starts_q) length = larger(length, at_first_q + 5'd4);
    if (second_q) length = larger(length, at_second_q + (word_q.s1_flag ? 5'd6 : 5'd5));
  end

  // From the state 2 on. With an operation of the adder, or a side unit, it is 4 or more, else 2.
  always_ff @(posedge clk_i) begin
    {at_first_q, at_second_q} <= {at_first, at_second};
    length_q <= length;
  end

  logic brief;
  assign brief = !check_q && !first_q && !second_q;

  // The first state lasts until the products that the word waits for are written.
  assign go = ready_q && valid_i && free_q;
  assign first_o = !ready_q;
  assign hold_o = !(last_q || alone_q);

  // Which operation is the one of this state, in the first one and, from registers, behind it.
  logic to_check, to_product, to_first, to_second;
  logic check_turn_q;
  logic [1:0] product_turn_q;
  logic [2:0] first_turn_q;
  logic [6:0] second_turn_q;

  assign to_check   = begun_q && check_turn_q;
  assign to_product = begun_q ? product_turn_q[0] : multiplies_q && !external_q;
  assign to_first   = begun_q ? first_turn_q[0] : sums_alone_q && first_q;
  assign to_second  = begun_q ? second_turn_q[0] : sums_alone_q && !first_q && second_q;

  always_ff @(posedge clk_i) begin
    if (begun_q) begin
      check_turn_q   <= 1'b0;
      product_turn_q <= product_turn_q >> 1;
      first_turn_q   <= first_turn_q >> 1;
      second_turn_q  <= second_turn_q >> 1;
    end else begin
      check_turn_q <= check_q;
      for (int unsigned i = 0; i < 2; i++) begin
        product_turn_q[i] <= multiplies_q && at_product == 5'(i + 1);
      end
      for (int unsigned i = 0; i < 3; i++) begin
        first_turn_q[i] <= first_q && at_first == 5'(i + 1);
      end
      for (int unsigned i = 0; i < 7; i++) begin
        second_turn_q[i] <= second_q && at_second == 5'(i + 1);
      end
    end
  end

  // Places of operands are looked up while the word waits.
  always_comb begin
    op_o = '0;
    if (to_check) op_o = check_op;
    if (to_product) op_o = product_op;
    if (to_first) op_o = first_op;
    if (to_second) op_o = second_op;
    if (!begun_q && !go) op_o.act = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      begun_q <= 1'b0;
      state_q <= '0;
      last_q  <= 1'b0;
      alone_q <= 1'b0;
    end else if (!valid_i || wipe_i || !hold_o) begin
      ready_q <= 1'b0;
      begun_q <= 1'b0;
      state_q <= '0;
      last_q  <= 1'b0;
      alone_q <= 1'b0;
    end else begin
      ready_q <= 1'b1;
      alone_q <= single && free && !begun_q && !go;
      begun_q <= begun_q || go;
      if (begun_q || go) state_q <= state_q + 5'd1;
      last_q <= begun_q ? state_q + 5'd2 == length_q : go && brief;
    end
  end

endmodule
