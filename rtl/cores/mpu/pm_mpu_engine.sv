// SPDX-License-Identifier: Apache-2.0
//
// Engine of `mpu`: one operation at a time on a datapath of one Montgomery multiplier and two adders of 704 bits, with
// parameters, inverter, bits of the scalar and the walk of the Joye ladder beside it.
//
// Computes: one operation of data/mpu.yaml (programs: ucode/mpu) on numbers of the operand memory. Modulus and curve
//           stay from one operation to the next.
// Handshake: start_i (pulse, when idle_o) begins an operation; its inputs must hold until finish_o, a pulse with the
//           reason, which may come in the same cycle. clear_i abandons the operation and wipes registers and scalar, which
//           an operation on secrets does at its end by itself.
// Memory:   what is read is there in the same cycle, what is written from the next one on.
// Reset:    asynchronous, active low: idle, no modulus, no curve. Data registers are wiped by clear_i.
// Constant time: an operation marked secret YES, for a given modulus: the sequencer refuses whatever depends on data.
//           Of ecmul for all k below 2n - 2, n the order of the point (docs/mpu.md).
//           Operations without the mark, and those that may not have it, NO.
// Source:   Tanaka 2020, "Implementation of multi-precision arithmetic unit on FPGA SoC": operations and buffers.
module pm_mpu_engine
  import pm_dual_ucode_pkg::*;
  import pm_mpu_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_mpu_pkg::*;
#(
    parameter int unsigned Tile = 0,  // as of pm_mont_mul
    localparam int unsigned Width = NumberBits,
    localparam int unsigned EntryBits = $clog2(Entries),
    localparam int unsigned DigitBits = $clog2(Width / 32 + 1),
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: begin
    input logic clear_i,  // pulse: abandon, forget modulus and curve
    output logic idle_o,  // no operation
    input logic [7:0] op_i,  // operation
    input logic [3:0] src1_i,  // its operands and results, entries or buffers
    input logic [3:0] src2_i,
    input logic [3:0] dst1_i,
    input logic [3:0] dst2_i,
    input logic secret_i,  // operands are secret
    input logic [9:0] scalar_bits_i,  // bits of a scalar; 0: one more than p has
    input logic [Buffers-1:0] infinity_i,  // buffers that hold infinity
    output logic [Buffers-1:0] infinity_we_o,  // buffers whose flag is set to infinity_o
    output logic infinity_o,
    // operand memory
    output logic [EntryBits-1:0] mem_raddr_o,
    input logic [Width-1:0] mem_rdata_i,
    output logic mem_we_o,
    output logic [EntryBits-1:0] mem_waddr_o,
    output logic [Width-1:0] mem_wdata_o,
    // what comes of it
    output logic finish_o,  // pulse: the operation ends
    output mpu_reason_e reason_o,  // how
    output logic modulus_o,  // a modulus is loaded
    output logic curve_o,  // a curve is loaded
    output logic [BitsBits-1:0] bits_o,  // bits of p
    output logic [DigitBits-1:0] digits_o  // digits of p
);

  // ---- what is refused before it begins ---------------------------------------------------------

  mpu_reason_e refusal;
  logic points, begin_program;

  assign points = opcode_points(op_i);

  always_comb begin
    refusal = pm_mpu_pkg::ReasonOk;
    if (!opcode_legal(op_i)) refusal = ReasonIllegalCommand;
    else if (points && (src1_i >= 4'(Buffers) || dst1_i >= 4'(Buffers)))
      refusal = ReasonIllegalCommand;
    else if (points && opcode_second(op_i) && src2_i >= 4'(Buffers)) refusal = ReasonIllegalCommand;
    else if (points && opcode_both(op_i) && dst2_i >= 4'(Buffers)) refusal = ReasonIllegalCommand;
    else if (opcode_both(op_i) && dst1_i == dst2_i) refusal = ReasonIllegalCommand;
    else if (opcode_needs(op_i) != NeedsNothing && !modulus_o) refusal = ReasonNoModulus;
    else if (opcode_needs(op_i) == NeedsCurve && !curve_o) refusal = ReasonNoCurve;
    else if (secret_i && !opcode_secret(op_i)) refusal = ReasonSecretRefused;
  end

  assign begin_program = start_i && refusal == pm_mpu_pkg::ReasonOk;

  // ---- sequencer and datapath -------------------------------------------------------------------

  word_t rom_word, word;
  logic issue, unit_start, dispatch, finish, violation, index, zero, wipe, wipe_q;
  logic [ArgBits-1:0] rom_addr, dispatch_addr, entry, arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic [Width-1:0] ext, operand, p, product_p, one, r2, a, b, low;
  logic [1:0] mul_done;
  logic [31:0] pinv;
  logic [DigitBits-1:0] product_digits;
  logic zeros_met, holding_q, begun, unused_issue;

  always_comb begin
    unique case (op_i)
      OpcodeAdd, OpcodeSub: entry = ArgBits'(EntryAdd);
      OpcodeMul: entry = ArgBits'(EntryMul);
      OpcodeReduction: entry = ArgBits'(EntryReduction);
      OpcodeMontMul: entry = ArgBits'(EntryMontMul);
      OpcodeInvert, OpcodeMontInvert: entry = ArgBits'(EntryInvert);
      OpcodeAffineAdd: entry = ArgBits'(EntryAffineAdd);
      OpcodeAffineDq: entry = ArgBits'(EntryAffineDq);
      OpcodeEcmul: entry = ArgBits'(EntryEcmul);
      OpcodeEcmulJoye: entry = ArgBits'(EntryEcmulJoye);
      default: entry = ArgBits'(EntryLoad);
    endcase
  end

  logic unused_addr;
  assign unused_addr = ^rom_addr[ArgBits-1:RomAddrBits];

  pm_mpu_rom u_rom (
      .clk_i,
      .addr_i(rom_addr[RomAddrBits-1:0]),
      .data_o(rom_word)
  );

  pm_dual_sequencer #(
      .Public(PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i(begin_program),
      .entry_i(entry),
      .clear_i,
      .secret_i,
      .idle_o,
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .word_o(word),
      .issue_o(issue),
      .mul_done_i(mul_done),
      .hold_i(1'b0),
      .conditions_i(conditions),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  assign finish_o = finish || violation || (start_i && refusal != pm_mpu_pkg::ReasonOk);

  always_comb begin
    reason_o = mpu_reason_e'(arg[7:0]);
    if (start_i) reason_o = refusal;
    else if (violation) reason_o = ReasonSecretRefused;
  end

  assign wipe = clear_i || wipe_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) wipe_q <= 1'b0;
    else wipe_q <= finish_o && secret_i;
  end

  pm_dual_datapath #(
      .Multipliers(1),
      .Half(Width),
      .Passes(1),
      .Tile(Tile),
      .Held(pm_mpu_ucode_pkg::Held)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .wipe_i(wipe),
      .p_i(product_p),
      .pinv_i(pinv),
      .digits_i(product_digits),
      .wide_i(1'b0),
      .named_i(pm_named_prime_pkg::NamedNone),
      .word_i(word),
      .issue_i(issue),
      .index_i(index),
      .held_i(holding_q && !begun),
      .ext_i(ext),
      .operand_o(operand),
      .mul_done_o(mul_done),
      .mul_issue_o(unused_issue),
      .low_o(low),
      .forget_i(start_i || (unit_start && arg == UnitClearZeros)),
      .zero_o(zero),
      .met_o(zeros_met)
  );

  // ---- parameters -------------------------------------------------------------------------------

  logic setup_done, setup_error;

  pm_mpu_params u_params (
      .clk_i,
      .rst_ni,
      .forget_i(clear_i),
      .start_i,
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .modulus_o(p),
      .p_o(product_p),
      .pinv_o(pinv),
      .digits_o(product_digits),
      .field_digits_o(digits_o),
      .bits_o,
      .one_o(one),
      .r2_o(r2),
      .a_o(a),
      .b_o(b),
      .setup_done_o(setup_done),
      .setup_error_o(setup_error),
      .modulus_ok_o(modulus_o),
      .curve_ok_o(curve_o)
  );

  // ---- inverter ---------------------------------------------------------------------------------

  localparam int unsigned StepsBits = $clog2(2 * Width + 1);

  logic start_inverse, start_fixed, start_power, inverter_ready, inverter_valid, inverter_error;
  logic inverter_done_q, inverter_error_q, public_inverse;
  logic [StepsBits-1:0] most, least, fixed, steps, made, made_q;
  logic [Width-1:0] inverse, inverse_q;

  assign start_inverse = unit_start && arg == UnitInverter;
  assign start_fixed = unit_start && arg == UnitInverterFixed;
  assign start_power = unit_start && arg == UnitPower;
  assign public_inverse = start_inverse && !secret_i;

  // 2^(64 m) is R^2. Of an inverse at least 32 m + 1 steps are made, so that what they lack to 64 m, 2^(64 m - steps),
  // is below R.
  assign most = {digits_o, 6'd0};
  assign least = {1'b0, digits_o, 5'd1};
  assign fixed = {bits_o, 1'b0} > least ? {bits_o, 1'b0} : least;
  assign steps = start_power ? most : public_inverse ? least : fixed;

  pm_mont_inverter #(
      .Width(Width),
      .Variable(1'b1)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i (clear_i || start_i),
      .p_i     (p),
      .steps_i (steps),
      .public_i(public_inverse),
      .valid_i (start_inverse || start_fixed || start_power),
      .ready_o (inverter_ready),
      .a_i     (start_power ? Width'(1) : operand),
      .valid_o (inverter_valid),
      .ready_i (1'b1),
      .inv_o   (inverse),
      .steps_o (made),
      .error_o (inverter_error)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inverter_done_q <= 1'b0;
    else if (clear_i || start_i || start_inverse || start_fixed || start_power)
      inverter_done_q <= 1'b0;
    else if (inverter_valid) inverter_done_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (wipe) inverse_q <= '0;
    else if (inverter_valid) inverse_q <= inverse;
    if (inverter_valid) begin
      inverter_error_q <= inverter_error;
      made_q <= made;
    end
  end

  // ---- scalar -----------------------------------------------------------------------------------

  logic [Width-1:0] scalar_q;
  logic load_q, step_bit, restart, too_long, walk_index, more_bits, picked_q, pick_q, unused_empty;
  logic [BitsBits-1:0] scalar_bits;
  digit_op_e unused_digit;

  assign step_bit = unit_start && arg == UnitDigit;
  assign restart = unit_start && arg inside {UnitRestart, UnitRestartHeld};
  // The order of a curve has at most one bit more than p (Hasse).
  assign scalar_bits = scalar_bits_i == '0 ? bits_o + BitsBits'(1) :
      scalar_bits_i > BitsBits'(Width + 1) ? BitsBits'(Width + 1) : scalar_bits_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_q <= 1'b0;
    else load_q <= unit_start && arg == UnitScalar;
  end

  always_ff @(posedge clk_i) begin
    if (wipe) scalar_q <= '0;
    else if (unit_start && arg == UnitScalar) scalar_q <= operand;
    if (start_i) holding_q <= 1'b0;
    else if (restart) holding_q <= arg == UnitRestartHeld;
    // A program may choose registers by a flag instead of a bit.
    if (start_i || restart || step_bit) picked_q <= 1'b0;
    else if (unit_start && arg == UnitPick) picked_q <= 1'b1;
    if (unit_start && arg == UnitPick) pick_q <= zero;
  end

  pm_digit_walk #(
      .Width(Width)
  ) u_bits (
      .clk_i,
      .clear_i(wipe),
      .load_i(load_q),
      .join_i(1'b0),
      .scalar_i(scalar_q),
      .count_i(scalar_bits),
      .too_long_o(too_long),
      .op_o(unused_digit),
      .empty_o(unused_empty),
      .step_i(1'b0),
      .restart_i(restart),
      .next_i(step_bit),
      .index_o(walk_index),
      .more_o(more_bits),
      .begun_o(begun)
  );

  assign index = picked_q ? pick_q : walk_index;

  // ---- walk of the Joye ladder ------------------------------------------------------------------

  logic walking_q, begin_walk;
  logic [3:0] walk_src1, walk_src2, walk_dst1, walk_dst2, src1, src2, dst1, dst2;

  assign begin_walk = unit_start && arg == UnitWalk;

  pm_mpu_joye #(
      .Width(Width)
  ) u_walk (
      .clk_i,
      .clear_i(wipe),
      .start_i(begin_walk),
      .scalar_i(scalar_q),
      .dst_i(dst1_i),
      .step_i(dispatch),
      .address_o(dispatch_addr),
      .src1_o(walk_src1),
      .src2_o(walk_src2),
      .dst1_o(walk_dst1),
      .dst2_o(walk_dst2)
  );

  always_ff @(posedge clk_i) begin
    if (start_i) walking_q <= 1'b0;
    else if (begin_walk) walking_q <= 1'b1;
  end

  assign {src1, src2, dst1, dst2} = walking_q ? {walk_src1, walk_src2, walk_dst1, walk_dst2} :
      {src1_i, src2_i, dst1_i, dst2_i};

  // ---- operand memory ---------------------------------------------------------------------------

  logic loading, checked, over_r, range_error_q;

  assign loading = op_i == OpcodeLoadModulus || op_i == OpcodeLoadCurve;

  always_comb begin
    mem_raddr_o = src1;
    unique case (ext_e'(word.ext))
      ExtX1:   mem_raddr_o = loading ? EntryBits'(EntryA) : points ? {src1[2:0], 1'b0} : src1;
      ExtY1:   mem_raddr_o = {src1[2:0], 1'b1};
      ExtX2:   mem_raddr_o = loading ? EntryBits'(EntryB) : points ? {src2[2:0], 1'b0} : src2;
      ExtY2:   mem_raddr_o = {src2[2:0], 1'b1};
      ExtN1:   mem_raddr_o = loading ? EntryBits'(EntryP) : src1;
      ExtN2:   mem_raddr_o = points ? EntryBits'(EntryK) : src2;
      default: ;
    endcase
  end

  always_comb begin
    over_r = 1'b0;
    for (int unsigned i = 0; i < Width / 32; i++) begin
      if (DigitBits'(i) >= digits_o && mem_rdata_i[32*i+:32] != '0) over_r = 1'b1;
    end
  end

  // A word reads the memory if, and only if, it names one of these values.
  always_comb begin
    unique case (ext_e'(word.ext))
      ExtX1, ExtY1, ExtX2, ExtY2: checked = mem_rdata_i >= p;
      ExtN1: checked = op_i == OpcodeReduction && over_r;
      default: checked = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (start_i) range_error_q <= 1'b0;
    else if (issue && checked) range_error_q <= 1'b1;
  end

  always_comb begin
    mem_we_o = unit_start;
    mem_waddr_o = points ? {dst1[2:0], 1'b0} : dst1;
    unique case (unit_e'(arg))
      UnitPutX1: ;
      UnitPutY1: mem_waddr_o = {dst1[2:0], 1'b1};
      UnitPutX2: mem_waddr_o = points ? {dst2[2:0], 1'b0} : dst2;
      UnitPutY2: mem_waddr_o = {dst2[2:0], 1'b1};
      UnitPutOne: mem_waddr_o = EntryBits'(EntryOne);
      UnitPutR2: mem_waddr_o = EntryBits'(EntryR2);
      UnitPutUnit: mem_waddr_o = EntryBits'(EntryUnit);
      default: mem_we_o = 1'b0;
    endcase
  end

  assign mem_wdata_o = operand;

  // ---- points at infinity -----------------------------------------------------------------------

  logic first_flag, second_flag;

  assign first_flag = unit_start && arg inside {UnitFinite1, UnitInfinite1, UnitNoteInfinity};
  assign second_flag = unit_start && arg inside {UnitFinite2, UnitInfinite2};
  assign infinity_o  = arg == UnitNoteInfinity ? zero || scalar_q == '0 : arg inside {UnitInfinite1, UnitInfinite2};

  always_comb begin
    infinity_we_o = '0;
    for (int unsigned i = 0; i < Buffers; i++) begin
      if (first_flag && dst1 == 4'(i)) infinity_we_o[i] = 1'b1;
      if (second_flag && dst2 == 4'(i)) infinity_we_o[i] = 1'b1;
    end
  end

  function automatic logic flag_of(logic [Buffers-1:0] flags, logic [3:0] number);
    for (int unsigned i = 0; i < Buffers; i++) if (number == 4'(i)) return flags[i];
    return 1'b0;
  endfunction

  // ---- external values, conditions --------------------------------------------------------------

  logic on_curve_q;

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtPlainOne: ext = Width'(1);
      ExtOne: ext = one;
      ExtR2: ext = r2;
      ExtA: ext = a;
      ExtB: ext = b;
      ExtInv: ext = inverse_q;
      ExtFold: ext = Width'(1) << (most - made_q);
      ExtFoldFixed: ext = Width'(1) << (most - fixed);
      ExtLow: ext = low;
      default: ext = mem_rdata_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (start_i) on_curve_q <= 1'b0;
    else if (unit_start && arg == UnitNotePoint) on_curve_q <= zero;
  end

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero;
    conditions[CondMoreBits] = more_bits;
    conditions[CondInverterDone] = inverter_done_q || inverter_valid;
    conditions[CondInverterError] = inverter_error_q;
    conditions[CondSetupDone] = setup_done;
    conditions[CondSetupError] = setup_error;
    conditions[CondOutOfRange] = range_error_q;
    conditions[CondWalkTooLong] = too_long;
    conditions[CondInfinity1] = flag_of(infinity_i, src1);
    conditions[CondInfinity2] = flag_of(infinity_i, src2);
    conditions[CondOnCurve] = on_curve_q;
    conditions[CondWalking] = walking_q;
    conditions[CondCurve] = op_i == OpcodeLoadCurve;
    conditions[CondDomain] = op_i == OpcodeMontInvert;
    conditions[CondDifference] = op_i == OpcodeSub;
    conditions[CondZerosMet] = zeros_met;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!(start_inverse || start_fixed || start_power) || inverter_ready);
    end
  end

endmodule
