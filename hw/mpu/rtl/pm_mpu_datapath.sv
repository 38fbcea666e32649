// SPDX-License-Identifier: Apache-2.0
//
// Datapath of `mpu` at a short cycle: 16 registers in a memory of two read ports, one modular adder
// of three cycles, one Montgomery multiplier. It carries out the words of pm_dual_datapath, in
// several cycles each.
//
// Operations: those of a word go one behind the other, a cycle apart, through the same two operand
//           registers: the check of the range of an external value, the product that it starts, the
//           first sum (or the operand of a side unit), the second sum. A second sum that takes the
//           first one waits for it. Every port reads a register, its number XOR-ed with index_i if
//           `indexed`, or the external value of the word, or 0. A product passes the adder at its
//           end, in a cycle in which no sum does, and reduces it there.
// Ranges:   registers hold numbers in [0, p); second factors and operands of sums have to be such,
//           the first factor of a product any number below R. After plain_i products are plain.
// Held:     with held_i in the cycle of an operation the first Held registers keep what they hold:
//           its result is not written to them.
// Timing:   with e = 1 if the word reads an external value, else 0, and operation k of it, counted
//           from 0: a word takes 2 cycles, or e + k + 5 of each of its sums, e + k + 6 of one with
//           a flag and of a check, e + k + 4 of the operand of a side unit, whichever is most; a
//           sum that takes the first one, k, counts as operation k + 4. A product of n digits of 16
//           bits, operation k of a word of cycle t, can be read by words, and the next one started,
//           from cycle t + e + k + n + 15 on, later by the cycles in which sums have the adder.
// Handshake: valid_i with a word; it is issued in the cycle in which hold_o is 0, and it must not
//           change until then. ext_o is the external value that is wanted; ext_i follows it in the
//           same cycle.
// Flags:    zero_o says whether the latest sum with a flag was zero, the second one of a word if
//           both have one; met_o whether any was; reached_o whether any value that was checked was
//           p or more. The next word can ask for them.
// Reset:    asynchronous, active low: nothing is under way. Registers are not reset. wipe_i sets
//           all to 0, those of the multiplier too, in 17 cycles; words wait for that.
// Constant time: yes, the cycles of a product depend on the modulus alone.

module pm_mpu_datapath
  import pm_dual_ucode_pkg::*;
#(
    parameter int unsigned Width = 704,  // bits of a number
    parameter int unsigned Held = 0,  // registers, the first ones, that held_i holds
    localparam int unsigned Digit = 16,
    localparam int unsigned CountBits = $clog2(Width / Digit + 1),
    localparam int unsigned NumRegisters = 1 << RegisterBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic wipe_i,  // pulse: clear all registers, drop what is under way
    input logic [Width-1:0] p_i,  // modulus; stable while products are in flight
    input logic [Width-1:0] pinv_i,  // -1/p mod R
    input logic [CountBits-1:0] digits_i,  // digits of a factor
    input logic plain_i,  // plain products, sums modulo 2^Width
    /* verilator lint_off UNUSEDSIGNAL */
    input word_t word_i,  // word; its control is the sequencer's
    /* verilator lint_on UNUSEDSIGNAL */
    input logic valid_i,  // it wants to be issued
    output logic hold_o,  // it is not issued yet
    output logic first_o,  // it is in its first cycles, before it is carried out
    output logic wiping_o,  // registers are being cleared
    input logic index_i,  // exchange of indexed registers
    input logic held_i,  // what is written to the first Held registers is dropped
    output logic [3:0] ext_o,  // the external value that is read
    input logic [Width-1:0] ext_i,  // it
    input logic check_i,  // that of the word has to be below p
    output logic [Width-1:0] operand_o,  // first operand of the first sum: operand of a side unit
    output logic [Width-1:0] value_o,  // the external value that was read
    output logic [Width-1:0] low_o,  // lower half of the latest plain product
    input logic forget_i,  // pulse: forget the zeros met
    input logic forget_reached_i,  // pulse: forget the values that reached p
    output logic zero_o,  // the latest flag
    output logic met_o,  // a flag was set since they were forgotten
    output logic reached_o  // a checked value reached p since that was forgotten
);

  typedef struct packed {
    logic check;  // of the range
    logic product;  // starts one
    logic keep;  // is an operand of a side unit
    logic sum;  // passes the adder
    logic write;
    logic flag;
    logic sub;
    logic [RegisterBits-1:0] rd;
  } action_t;

  typedef struct packed {
    bank_e bank;
    logic [RegisterBits-1:0] number;
  } place_t;

  typedef struct packed {
    action_t act;
    place_t  x;
    place_t  y;
  } operation_t;

  // ------------------------------------------------------------------------------- the word
  logic external, check, starts, first, second, chain, go, busy_q, wiping;
  logic [4:0] state_q, length_q, length, at;
  operation_t check_op, product_op, first_op, second_op, op;
  logic [4:0] at_product, at_first, at_second;

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
      word_i.s0_x.bank, word_i.s0_y.bank
  ) || outside(
      word_i.s1_x.bank, word_i.s1_y.bank
  );
  assign check = external && check_i;
  assign starts = word_i.ctl_op == CtlStart;
  assign second = word_i.s1_we || word_i.s1_flag;
  assign chain = second && (word_i.s1_x.bank == BankChain || word_i.s1_y.bank == BankChain);
  assign first = word_i.s0_we || word_i.s0_flag || starts || chain;

  // States of the operations; the external value takes one before them.
  assign at_product = 5'(external) + 5'(check);
  assign at_first = at_product + 5'(word_i.m0_en);
  assign at_second = chain ? at_first + 5'd4 : at_first + 5'(first);

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
    product_op.act.write = writes(word_i.m0_rd, held_i);
    product_op.act.rd = word_i.m0_rd;
    product_op.x = place(word_i.m0_a, index_i);
    product_op.y = place(word_i.m0_b, index_i);

    first_op = '0;
    first_op.act.keep = starts;
    first_op.act.sum = word_i.s0_we || word_i.s0_flag || chain;
    first_op.act.write = word_i.s0_we && writes(word_i.s0_rd, held_i);
    first_op.act.flag = word_i.s0_flag;
    first_op.act.sub = word_i.s0_sub;
    first_op.act.rd = word_i.s0_rd;
    first_op.x = place(word_i.s0_x, index_i);
    first_op.y = place(word_i.s0_y, index_i);

    second_op = '0;
    second_op.act.sum = 1'b1;
    second_op.act.write = word_i.s1_we && writes(word_i.s1_rd, held_i);
    second_op.act.flag = word_i.s1_flag;
    second_op.act.sub = word_i.s1_sub;
    second_op.act.rd = word_i.s1_rd;
    second_op.x = place(word_i.s1_x, index_i);
    second_op.y = place(word_i.s1_y, index_i);
  end

  function automatic logic [4:0] larger(logic [4:0] a, logic [4:0] b);
    return a > b ? a : b;
  endfunction

  always_comb begin
    length = 5'd2;
    if (check) length = larger(length, 5'(external) + 5'd6);
    if (word_i.s0_we || chain) length = larger(length, at_first + 5'd5);
    if (word_i.s0_flag) length = larger(length, at_first + 5'd6);
    if (starts) length = larger(length, at_first + 5'd4);
    if (second) length = larger(length, at_second + (word_i.s1_flag ? 5'd6 : 5'd5));
  end

  // The first state lasts until the products that the word waits for are written.
  assign go = valid_i && !wiping && !((word_i.wait0 || word_i.m0_en) && busy_q);
  assign at = state_q;
  assign wiping_o = wiping;
  assign first_o = state_q == '0;
  assign hold_o = state_q == '0 || state_q + 5'd1 != length_q;

  always_comb begin
    op = '0;
    if (state_q != '0 || go) begin
      if (check && at == 5'(external)) op = check_op;
      if (word_i.m0_en && at == at_product) op = product_op;
      if (first && at == at_first) op = first_op;
      if (second && at == at_second) op = second_op;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= '0;
    else if (!valid_i || wipe_i || !hold_o) state_q <= '0;
    else if (state_q != '0 || go) state_q <= state_q + 5'd1;
  end

  always_ff @(posedge clk_i) if (state_q == '0) length_q <= length;

  // ----------------------------------------------------------------------------- operands
  operation_t read_q;  // what reads its operands
  action_t held_q;  // what has them
  logic [Width-1:0] file_a, file_b, ext_q, a_q, b_q, operand_q, sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q <= '0;
      held_q <= '0;
    end else if (wipe_i) begin
      read_q <= '0;
      held_q <= '0;
    end else begin
      read_q <= op;
      held_q <= read_q.act;
    end
  end

  function automatic logic [Width-1:0] value(bank_e bank, logic [Width-1:0] register,
                                             logic [Width-1:0] outer, logic [Width-1:0] chained);
    unique case (bank)
      BankExt:   return outer;
      BankChain: return chained;
      BankZero:  return '0;
      default:   return register;
    endcase
  endfunction

  always_ff @(posedge clk_i) begin
    ext_o <= word_i.ext;
    if (wiping) begin
      ext_q <= '0;
      a_q <= '0;
      b_q <= '0;
      operand_q <= '0;
    end else begin
      ext_q <= ext_i;
      a_q   <= value(read_q.x.bank, file_a, ext_q, sum);
      b_q   <= value(read_q.y.bank, file_b, ext_q, sum);
      if (held_q.keep) operand_q <= a_q;
    end
  end

  assign value_o   = ext_q;
  assign operand_o = operand_q;

  // ------------------------------------------------------------------------------ products
  logic soon, product_valid, waits_q, turn_q, carry;
  logic [Width:0] even, odd;
  logic [RegisterBits-1:0] product_rd_q;
  logic product_write_q;

  pm_mont_chain #(
      .Width(Width),
      .Digit(Digit)
  ) u_products (
      .clk_i,
      .rst_ni,
      .wipe_i (wiping),
      .p_i,
      .pinv_i,
      .digits_i,
      .plain_i,
      .valid_i(held_q.product),
      .x_i    (a_q),
      .y_i    (b_q),
      .soon_o (soon),
      .valid_o(product_valid),
      .even_o (even),
      .odd_o  (odd),
      .carry_o(carry),
      .low_o
  );

  // A product that is there waits for the adder.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waits_q, turn_q} <= '0;
    else if (wipe_i) {waits_q, turn_q} <= '0;
    else begin
      waits_q <= (soon || waits_q) && read_q.act.sum;
      turn_q  <= (soon || waits_q) && !read_q.act.sum;
    end
  end

  always_ff @(posedge clk_i) begin
    if (op.act.product) begin
      product_rd_q <= op.act.rd;
      product_write_q <= op.act.write;
    end
  end

  // ---------------------------------------------------------------------------------- sums
  typedef struct packed {
    logic product;
    logic check;
    logic write;
    logic flag;
    logic [RegisterBits-1:0] rd;
  } result_t;

  result_t [2:0] result_q;  // in the cycles of the adder; the last one with the sum
  result_t result_d;
  logic flagged_q, zero, zero_q, reached;

  assign result_d = turn_q ?
      '{product: 1'b1, check: 1'b0, write: product_write_q, flag: 1'b0, rd: product_rd_q} :
      '{
          product: 1'b0,
          check: held_q.check,
          write: held_q.write && held_q.sum,
          flag: held_q.flag,
          rd: held_q.rd
      };

  pm_mod_sum #(
      .Width(Width)
  ) u_sums (
      .clk_i,
      .wipe_i   (wiping),
      .p_i,
      .sub_i    (!turn_q && held_q.sub),
      .plain_i  (plain_i),
      .carry_i  (turn_q && carry),
      .x_i      (turn_q ? even : {1'b0, a_q}),
      .y_i      (turn_q ? odd : {1'b0, b_q}),
      .r_o      (sum),
      .reached_o(reached),
      .zero_o   (zero)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_q  <= '0;
      flagged_q <= 1'b0;
      busy_q    <= 1'b0;
    end else if (wipe_i) begin
      result_q  <= '0;
      flagged_q <= 1'b0;
      busy_q    <= 1'b0;
    end else begin
      result_q  <= {result_q[1:0], result_d};
      flagged_q <= result_q[2].flag;
      busy_q    <= op.act.product || (busy_q && !result_q[1].product);
    end
  end

  // The flag of a cycle before is in zero.
  assign zero_o = flagged_q ? zero : zero_q;
  always_ff @(posedge clk_i) begin
    zero_q <= zero_o;
    met_o <= (met_o && !forget_i) || (flagged_q && zero);
    reached_o <= (reached_o && !forget_reached_i) || (result_q[2].check && reached);
  end

  // ----------------------------------------------------------------------------- registers
  logic [RegisterBits:0] wipe_q;  // cycles that are left
  logic write;
  logic [RegisterBits-1:0] write_at;
  logic [Width-1:0] file_q[NumRegisters];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wipe_q <= '0;
      wiping <= 1'b0;
    end else if (wipe_i) begin
      wipe_q <= (RegisterBits + 1)'(NumRegisters);
      wiping <= 1'b1;
    end else if (wiping) begin
      wipe_q <= wipe_q - (RegisterBits + 1)'(1);
      wiping <= wipe_q != '0;
    end
  end

  assign write = wiping || result_q[2].write;
  assign write_at = wiping ? wipe_q[RegisterBits-1:0] : result_q[2].rd;

  always_ff @(posedge clk_i) begin
    if (write) file_q[write_at] <= sum;
  end

  assign file_a = file_q[read_q.x.number];
  assign file_b = file_q[read_q.y.number];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!held_q.product || !product_valid);
      assert (!valid_i || !word_i.m1_en);
    end
  end

endmodule
