// SPDX-License-Identifier: Apache-2.0
//
// Scalar multiplication on Weierstrass curves at a short cycle: contexts with a job each share one
// multiplier of skewed numbers (pm_skew_datapath), so that its latency is no idle time. Each has an
// address in the program of its own (hw/multicurve/ucode/contexts.pmu): scalars need no
// lockstep.
//
// Computes: what the contexts share of a curve, from k = -1/p mod 2^Digit, (p - 3) / 2 and its
//           coefficients; [k]P for public k and P of the loaded curve, exact for all k and P.
// Ranges:   modulus p odd, more than Digit bits, or fewer and no divisor of k = -1/p mod 2^Digit; R
//           = 2^(Digit Columns), with long_i a digit more, with named_i of as many as the form of
//           Columns says (pm_multicurve_contexts_pkg), at least 8192 k p. Coordinates below p.
//           Nothing checks the ranges.
// Named:    with named_i, which excludes long_i, p is the special prime of the form: a product
//           takes two digits of a factor at a time. Numbers have Columns digits.
// Slot:     Columns cycles of a context; with long_i or named_i those of the form. Six columns have
//           no slots without both. With its last cycle a product begins, that of a slot of 4 cycles
//           two cycles later: products follow each other as fast as the multiplier takes them,
//           those of a context two turns after each other where one is a factor of the other.
// Loading:  a number goes to register load_register_i of a context, or that of all (their numbers:
//           ext_e of the program, and LoadModulus: k p + 1, for which long_i must be right). With
//           load_valid_i in the cycle after load_soon_o its lowest digit is taken; the other ones
//           follow one a cycle. A context must be idle to be loaded, all of them for a number of
//           all, or while a job loads a curve.
// Results:  an idle context has k times the coordinates of its job's result, k p for 0, until it is
//           loaded or started. While read_i[c], for one context at a time, and until two turns
//           later, its digits come in any order, again and again: result_index_o of x, or of y with
//           result_y_o. read_y_i chooses.
// Handshake: start_i[c] (pulse, when idle_o[c]) begins the job that was loaded to context c;
//           finish_o (pulse) with finish_ctx_o and reason_o ends it.
// Reset:    asynchronous, active low: idle. Registers keep what they held.
// Constant time: NO. Scalars are public.

module pm_multicurve_contexts
  import pm_mont_skew_pkg::*;
  import pm_multicurve_contexts_isa_pkg::*;
  import pm_multicurve_contexts_ucode_pkg::*;
  import pm_multicurve_contexts_pkg::*;
#(
    parameter int unsigned Digit = 45,  // bits of a digit: 45; 42 for longer fields
    parameter int unsigned Columns = 6,  // digits of a number, one more with long_i: 6; 13
    localparam int unsigned Contexts = 3,
    localparam int unsigned Registers = 8,  // of a context
    localparam int unsigned Shared = 6,  // registers that contexts share
    localparam int unsigned CtxBits = $clog2(Contexts),
    localparam int unsigned IndexBits = $clog2(Columns + 1),
    localparam int unsigned CountBits = $clog2(Digit * (Columns + 1) + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic long_i,  // numbers of Columns + 1 digits
    input logic named_i,  // p is the special prime
    input logic [CountBits-1:0] bits_i,  // of p, less one
    input logic load_valid_i,
    output logic load_soon_o,  // a lowest digit is taken in the next cycle
    input logic load_shared_i,  // a number of all contexts
    input logic [CtxBits-1:0] load_ctx_i,  // else of this one
    input logic [RegisterBits-1:0] load_register_i,
    input logic [Digit-1:0] load_digit_i,
    input logic [Contexts-1:0] start_i,  // pulse
    input logic curve_i,  // with it: the job is to load a curve
    output logic [Contexts-1:0] idle_o,
    input logic [Contexts-1:0] read_i,
    input logic read_y_i,
    output logic result_valid_o,
    output logic result_y_o,
    output logic [IndexBits-1:0] result_index_o,
    output logic [Digit-1:0] result_digit_o,
    output logic finish_o,  // pulse
    output logic [CtxBits-1:0] finish_ctx_o,
    output reason_e reason_o,
    output logic mul_issue_o  // pulse: a product begins
);

  // The program knows R, and slots begin in every one of the cycles of a digit of the multiplier.
  if (!(Digit == 45 && Columns == 6) && !(Digit == 42 && Columns == 13)) begin : gen_check
    $fatal(1, "pm_multicurve_contexts: 6 digits of 45 bits, or 13 of 42");
  end

  localparam form_t Form = form(Columns);
  localparam int unsigned DigitsBits = $clog2(2 * Columns + 2);  // of pm_skew_datapath

  // Registers of a context, and those of all behind them, have a range each that is a power of two.
  localparam int unsigned Range = 2 ** RegisterBits;
  localparam int unsigned All = (Contexts + 1) * Range;
  localparam int unsigned AddressBits = $clog2(All);

  typedef logic [AddressBits-1:0] address_t;

  function automatic address_t place(logic shared, logic [CtxBits-1:0] ctx,
                                     logic [RegisterBits-1:0] number);
    return {shared ? CtxBits'(Contexts) : ctx, number};
  endfunction

  function automatic logic [All-1:0] stored();
    logic [All-1:0] found;
    for (int unsigned i = 0; i < All; i++) begin
      found[i] = i % Range < (i / Range == Contexts ? Shared : Registers);
    end
    return found;
  endfunction

  // ---- sequencer --------------------------------------------------------------------------------

  logic [RomAddrBits-1:0] rom_addr;
  logic [3:0] phase;
  logic last, word_index;
  logic [CtxBits-1:0] ctx;
  word_t rom_word;
  /* verilator lint_off UNUSEDSIGNAL */
  word_t word;  // its flow is the sequencer's affair
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Contexts-1:0] scan_index, ready, zero, zero_q, exact_q, loading_q, step, again;
  scan_op_e [Contexts-1:0] op;

  pm_multicurve_contexts_rom u_rom (
      .clk_i,
      .addr_i(rom_addr),
      .data_o(rom_word)
  );

  pm_multicurve_contexts_control #(
      .Columns (Columns),
      .Contexts(Contexts)
  ) u_control (
      .clk_i,
      .rst_ni,
      .long_i,
      .named_i,
      .start_i,
      .curve_i,
      .idle_o,
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .phase_o(phase),
      .last_o(last),
      .ctx_o(ctx),
      .word_o(word),
      .index_o(word_index),
      .ready_i(ready),
      .zero_i(zero),
      .exact_i(exact_q),
      .loading_i(loading_q),
      .op_i(op),
      .index_i(scan_index),
      .step_o(step),
      .finish_o,
      .finish_ctx_o,
      .reason_o,
      .again_o(again),
      .read_i,
      .read_y_i
  );

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (start_i[c]) loading_q[c] <= curve_i;
      exact_q[c] <= (exact_q[c] && !start_i[c]) || again[c];
    end
  end

  // ---- what begins ------------------------------------------------------------------------------
  // A cycle later than the phase: two sums in phases 0 and 2, the operand of a unit in phase 3, a
  // product in the last one. In slots of 4 cycles it begins in phase 1 of the next slot, as the
  // first sum can be read by then.

  typedef struct packed {
    logic en, sub, twice;
    logic [2:0] scale;
    port_t x, y;
    logic [RegisterBits-1:0] rd;
  } sum_t;

  typedef struct packed {
    logic write;
    address_t to;
  } destination_t;

  typedef struct packed {
    logic en;
    address_t a, b, to;
  } product_t;

  sum_t sum;
  product_t fresh, held_q, product;  // of the slot, of the slot before, that which begins
  logic late, product_turn;
  address_t a_q, b_q;
  logic multiply_q, add_q, sub_q, twice_q;
  logic [2:0] scale_q;
  logic [3:0] phase_q;
  logic product_turn_q;
  destination_t sum_to_q, product_to_q;

  // Units put_* have the number of what is put, and 8.
  logic put;

  assign put = word.ctl_op == CtlStart && word.ctl_arg[3];
  assign mul_issue_o = multiply_q;

  always_comb begin
    unique case (phase)
      4'd0:
      sum = '{
          en: word.s0_en,
          sub: word.s0_sub,
          twice: word.s0_double,
          scale: word.s0_scale,
          x: word.s0_x,
          y: word.s0_y,
          rd: word.s0_rd
      };
      4'd2:
      sum = '{
          en: word.s1_en,
          sub: word.s1_sub,
          twice: word.s1_double,
          scale: word.s1_scale,
          x: word.s1_x,
          y: word.s1_y,
          rd: word.s1_rd
      };
      default:
      sum = '{en: 1'b0, sub: 1'b0, twice: 1'b0, scale: '0, x: word.u, y: word.u, rd: '0};
    endcase
  end

  function automatic address_t operand_place(port_t from, logic [CtxBits-1:0] of, logic index);
    return place(from.bank == BankExt, of, from.number ^ RegisterBits'(from.indexed && index));
  endfunction

  assign fresh = '{
          en: word.m_en,
          a: operand_place(word.m_a, ctx, word_index),
          b: operand_place(word.m_b, ctx, word_index),
          to: place(put, ctx, put ? word.ctl_arg[RegisterBits-1:0] : word.m_rd)
      };
  assign late = named_i && Form.named_slot == 4;
  assign product = late ? held_q : fresh;
  assign product_turn = late ? phase == 4'd1 : last;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else if (last) held_q <= fresh;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {multiply_q, add_q, product_turn_q, phase_q} <= '0;
      sum_to_q <= '0;
      product_to_q <= '0;
    end else begin
      multiply_q <= product_turn && product.en;
      add_q <= sum.en;
      product_turn_q <= product_turn;
      phase_q <= phase;
      sum_to_q <= '{write: sum.en, to: place(1'b0, ctx, sum.rd)};
      product_to_q <= '{write: product_turn && product.en, to: product.to};
    end
  end

  always_ff @(posedge clk_i) begin
    a_q <= product_turn ? product.a : operand_place(sum.x, ctx, word_index);
    b_q <= product_turn ? product.b : operand_place(sum.y, ctx, word_index);
    {sub_q, twice_q, scale_q} <= {sum.sub, sum.twice, sum.scale};
  end

  // ---- what is written --------------------------------------------------------------------------
  // A sum 4 cycles after it begins, a product when four others have begun, in a phase that depends
  // on how many cycles it takes; the number that is loaded in one that they leave free.

  logic [3:0] product_phase;
  destination_t [2:0] sums_q;
  destination_t [4:0] products_q;
  destination_t written, written_q;
  skew_source_e source, source_q;
  logic load_turn, load_now, product_now;
  logic load_all, load_modulus;

  assign load_soon_o = phase == Form.load_phase - 4'd1;
  assign load_turn = phase_q == Form.load_phase - 4'd1;
  assign load_now = load_valid_i && load_turn;
  assign load_all = load_shared_i;
  assign load_modulus = load_all && load_register_i == RegisterBits'(LoadModulus);
  assign product_phase = named_i ? 4'd3 : (long_i ? Form.long_phase : Form.phase);
  assign product_now = phase_q == product_phase - 4'd1;

  always_comb begin
    written = sums_q[2];
    source  = SkewSum;
    if (product_now) begin
      written = products_q[4];
      source  = SkewProduct;
    end else if (load_turn) begin
      written = '{
          write: load_now && !load_modulus,
          to: place(load_all, load_ctx_i, load_register_i)
      };
      source = SkewOutside;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      sums_q <= '0;
      products_q <= '0;
      written_q <= '0;
    end else begin
      sums_q <= {sums_q[1:0], sum_to_q};
      if (product_turn_q) products_q <= {products_q[3:0], product_to_q};
      written_q <= written;
    end
  end

  logic [1:0][Digit-1:0] load_q;
  logic [Columns:0][Digit-1:0] outside;

  always_ff @(posedge clk_i) begin
    source_q <= source;
    load_q   <= {load_q[0], load_digit_i};
  end

  always_comb begin
    for (int unsigned j = 0; j <= Columns; j++) outside[j] = load_q[1];
    if (!long_i) outside[Columns] = '0;
  end

  // ---- modulus ----------------------------------------------------------------------------------

  logic [Columns:0][Digit-1:0] modulus_q;
  logic modulus_soon_q;
  logic [Columns:0] modulus_load_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {modulus_soon_q, modulus_load_q} <= '0;
    else begin
      modulus_soon_q <= load_now && load_modulus;
      modulus_load_q <= {modulus_load_q[Columns-1:0], modulus_soon_q};
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned j = 0; j < Columns; j++) begin
      if (modulus_load_q[j]) modulus_q[j] <= outside[j];
    end
    // Below 2^(Digit - 12), as R is at least 8192 k p.
    if (modulus_load_q[Columns]) modulus_q[Columns] <= Digit'(outside[Columns][Digit-13:0]);
  end

  // ---- datapath ---------------------------------------------------------------------------------

  logic [Columns:0][Digit-1:0] operand;
  logic [DigitsBits-1:0] digits;  // of R

  assign digits = DigitsBits'(named_i ? Form.named_digits : long_i ? Columns + 1 : Columns);

  pm_skew_datapath #(
      .Digit(Digit),
      .Columns(Columns),
      .Named(Form.named_bits),
      .NamedPeriod(Form.named_period),
      .Spare(6),  // numbers are below 128 k p, of R at least 8192 k p
      .Registers(All),
      .Stored(stored()),
      .One(Contexts * Range + 32'(ExtPlainOne)),
      .Short(Contexts * Range + 32'(ExtK))
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .p_i(modulus_q),
      .digits_i(digits),
      .named_i,
      .a_i(a_q),
      .b_i(b_q),
      .multiply_i(multiply_q),
      .add_i(add_q),
      .sub_i(sub_q),
      .shift_i({1'b0, twice_q}),
      .scale_i(scale_q),
      .write_i(written_q.write),
      .c_i(written_q.to),
      .source_i(source_q),
      .outside_i(outside),
      .a_o(operand)
  );

  // ---- operands of side units -------------------------------------------------------------------
  // Their digits pass one a cycle, read by column; where slots have fewer cycles than that takes,
  // the higher digits of one with the lower ones of that of the next context. Of both parts:

  localparam int unsigned Split = Form.named_slot;  // lowest digit of the second part

  typedef struct packed {
    logic [CtxBits-1:0] ctx;
    unit_e unit;
  } turn_t;

  typedef struct packed {
    turn_t of;
    logic [IndexBits-1:0] index;
    logic [Digit-1:0] digit;
  } digit_t;

  logic [Columns:0] turn_q, take_q;  // column whose digit is read, and is there
  turn_t soon_q;  // whose operand is read next
  turn_t [1:0] turns_q;  // whose digits are there
  digit_t [1:0] taken, taken_q;
  logic [1:0] taken_valid_q, equal, equal_q;
  logic taken_last_q;  // of the second part
  logic start_unit, started_q;

  assign start_unit = phase == 4'd3 && word.ctl_op == CtlStart;

  always_comb begin
    equal = '0;
    for (int unsigned part = 0; part < 2; part++) begin
      taken[part] = '{of: turns_q[part], default: '0};
    end
    for (int unsigned j = 0; j <= Columns; j++) begin
      if (take_q[j]) begin
        taken[j<Split?0 : 1].digit |= operand[j];
        taken[j<Split?0 : 1].index |= IndexBits'(j);
        equal[j<Split?0 : 1] |= operand[j] == modulus_q[j];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {started_q, turn_q, take_q, taken_valid_q, taken_last_q} <= '0;
    end else begin
      started_q <= start_unit;
      turn_q <= {turn_q[Columns-1:0], started_q};
      take_q <= long_i ? turn_q : {1'b0, turn_q[Columns-1:0]};
      taken_valid_q <= {take_q[Columns:Split] != '0, take_q[Split-1:0] != '0};
      taken_last_q <= take_q[long_i?Columns : Columns-1];
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_unit) soon_q <= '{ctx: ctx, unit: unit_e'(word.ctl_arg)};
    if (turn_q[0]) turns_q[0] <= soon_q;
    if (turn_q[Split]) turns_q[1] <= turns_q[0];
    taken_q <= taken;
    equal_q <= {
      equal[1] && (take_q[Split] ? equal_q[0] : equal_q[1]), equal[0] && (take_q[0] || equal_q[0])
    };
  end

  logic [1:0] result;  // a digit of a result, in which part

  always_comb begin
    for (int unsigned part = 0; part < 2; part++) begin
      result[part] =
          taken_valid_q[part] && (taken_q[part].of.unit inside {UnitResultX, UnitResultY});
    end
  end

  assign result_valid_o = result != '0;
  assign result_y_o = taken_q[result[1]].of.unit == UnitResultY;
  assign result_index_o = taken_q[result[1]].index;
  assign result_digit_o = taken_q[result[1]].digit;

  for (genvar c = 0; c < int'(Contexts); c++) begin : gen_scan
    logic [1:0] here;  // a digit of this context, in which part
    digit_t own;
    logic valid, ends;

    for (genvar part = 0; part < 2; part++) begin : gen_part
      assign here[part] = taken_valid_q[part] && taken_q[part].of.ctx == CtxBits'(c);
    end
    assign own = taken_q[here[1]];
    assign valid = here != '0;
    assign ends = here[1] && taken_last_q;

    // In slots of 4 cycles the next turn asks for it with the last digit.
    assign zero[c] = ends && own.of.unit == UnitIsZero ? equal_q[1] : zero_q[c];
    always_ff @(posedge clk_i) zero_q[c] <= zero[c];

    pm_multicurve_contexts_scan #(
        .Digit (Digit),
        .Digits(Columns + 1)
    ) u_scan (
        .clk_i,
        .rst_ni,
        .digit_valid_i(valid && (own.of.unit inside {UnitScalar, UnitExponent})),
        .digit_index_i(own.index),
        .digit_last_i(ends),
        .exponent_i(own.of.unit == UnitExponent),
        .digit_i(own.digit),
        .exponent_bits_i(bits_i),
        .exact_i(exact_q[c]),
        .again_i(again[c]),
        .step_i(step[c]),
        .ready_o(ready[c]),
        .op_o(op[c]),
        .index_o(scan_index[c])
    );
  end

endmodule
