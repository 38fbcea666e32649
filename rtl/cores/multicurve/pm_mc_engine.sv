// SPDX-License-Identifier: Apache-2.0
//
// Engine of `multicurve`: one program at a time on the datapath of two multipliers and two adders, with parameters,
// inverter, digit walk and results beside it; with `Fast` with other programs for public scalars, the table and the
// walk by windows that they use, and faster multipliers. With one multiplier it has the same programs scheduled for
// that, and ladders for X25519 and X448.
//
// Computes: one operation of data/multicurve.yaml (programs: ucode/multicurve). What a curve is, comes with a
//           load_curve job and stays until the next one; with `Fast` multiples of its base point too.
// Handshake: start_i (pulse, when idle_o) begins a job; the job inputs must hold until finish_o, a pulse with
//           the reason, and the results from there until the next start_i. clear_i abandons the job; of
//           a secret job it also wipes registers, scalar and results.
// Reset:    asynchronous, active low: idle, no curve.
// Constant time: a job with the flag `secret`, or that makes a signature, YES, for a given curve: the
//           sequencer refuses whatever depends on data. Other jobs NO.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), figures 1 and 6.

module pm_mc_engine
  import pm_dual_ucode_pkg::*;
  import pm_named_prime_pkg::*;
  import pm_multicurve_ucode_pkg::*;
  import pm_multicurve_fast_ucode_pkg::*;
  import pm_multicurve_twin_ucode_pkg::*;
  import pm_scalar_pkg::*;
  import pm_mc_pkg::*;
#(
    parameter bit Fast = 1'b0,  // windows, and multipliers that know primes by name
    parameter int unsigned Multipliers = 2,  // 1 or 2; 1 with Fast alone
    localparam int unsigned Width = NumberBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: begin
    input logic clear_i,  // pulse: abandon
    output logic idle_o,  // no job
    input logic [7:0] op_i,  // operation
    input logic [7:0] option_i,  // its option
    input mc_flags_t flags_i,  // its flags
    input logic [MaxOperands-1:0][NumberBits-1:0] operands_i,  // its operands
    output logic finish_o,  // pulse: the job ends
    output mc_reason_e reason_o,  // its verdict
    output logic [MaxPayload-1:0][NumberBits-1:0] results_o,  // its results
    output logic infinity_o,  // the point at infinity
    output logic all_zero_o,  // the first result is 0
    output mc_form_e form_o,  // form of the loaded curve
    output logic [31:0] loop_o,  // cycles of the latest scalar loop
    output logic [Multipliers-1:0] mul_issue_o  // a product is started
);

  localparam bit Twin = Multipliers == 1;

  if (!(Multipliers inside {1, 2}) || (Twin && !Fast)) begin : g_bad_config
    $fatal(1, "pm_mc_engine: two multipliers, or one with Fast");
  end

  // ---- sequencer and datapath -------------------------------------------------------------------

  word_t rom_word, word;
  logic issue, unit_start, dispatch, finish, violation, index;
  logic [ArgBits-1:0] rom_addr, dispatch_addr, entry;
  logic base_kept;
  logic hold;
  logic [ArgBits-1:0] arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic [Width-1:0] ext, operand, p, one, r2, a, b, gx, gy;
  logic [1:0] mul_done;
  logic zero, secret;
  logic [31:0] pinv;
  logic [4:0] digits;
  named_e named;
  logic [9:0] bits, field_bits, order_bits;
  logic wide, wipe, zeros_met, curve_valid;
  logic [Width-1:0] unused_low;
  logic unused_begun;

  pm_mc_rom #(
      .Fast(Fast),
      .Twin(Twin)
  ) u_rom (
      .clk_i,
      .op_i,
      .ladder_i(option_i[0]),
      .secret_i(secret),
      .base_kept_i(base_kept),
      .entry_o(entry),
      .addr_i(rom_addr),
      .word_o(rom_word)
  );

  pm_dual_sequencer #(
      .Public(Twin ? TwinPublicConditions : Fast ? FastPublicConditions : PublicConditions)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i,
      .entry_i(entry),
      .clear_i,
      .secret_i(secret),
      .idle_o,
      .rom_addr_o(rom_addr),
      .rom_word_i(rom_word),
      .word_o(word),
      .issue_o(issue),
      .mul_done_i(mul_done),
      .hold_i(hold),
      .conditions_i(conditions),
      .dispatch_addr_i(dispatch_addr),
      .unit_start_o(unit_start),
      .dispatch_o(dispatch),
      .finish_o(finish),
      .violation_o(violation),
      .arg_o(arg)
  );

  assign finish_o = finish || violation;
  assign reason_o = violation ? ReasonSecretRefused : mc_reason_e'(arg[7:0]);
  assign wipe = clear_i && secret;

  pm_dual_datapath #(
      .Packed(Fast),
      .Named(Fast),
      .Multipliers(Multipliers)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .wipe_i(wipe),
      .p_i(p),
      .pinv_i(pinv),
      .digits_i(digits),
      .wide_i(wide),
      .named_i(named),
      .word_i(word),
      .issue_i(issue),
      .index_i(index),
      .held_i(1'b0),
      .ext_i(ext),
      .operand_o(operand),
      .mul_done_o(mul_done),
      .mul_issue_o,
      .low_o(unused_low),
      .forget_i(start_i || (unit_start && arg == UnitClearZeros)),
      .zero_o(zero),
      .met_o(zeros_met)
  );

  // ---- parameters -------------------------------------------------------------------------------

  logic other_modulus, order_known, setup_done, setup_error, a_zero, a_minus3, a_121666, a_39082;

  pm_mc_params #(
      .Named(Fast)
  ) u_params (
      .clk_i,
      .rst_ni,
      .start_i,
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .new_p_i(operands_i[0]),
      .new_a_i(operands_i[1]),
      .new_gx_i(operands_i[3]),
      .new_gy_i(operands_i[4]),
      .new_n_i(operands_i[5]),
      .no_base_i(option_i[0]),
      .other_i(op_i == OpcodeModarith),
      .zero_i(zero),
      .p_o(p),
      .pinv_o(pinv),
      .digits_o(digits),
      .wide_o(wide),
      .named_o(named),
      .one_o(one),
      .r2_o(r2),
      .bits_o(bits),
      .other_o(other_modulus),
      .setup_done_o(setup_done),
      .setup_error_o(setup_error),
      .field_bits_o(field_bits),
      .order_bits_o(order_bits),
      .order_known_o(order_known),
      .a_o(a),
      .b_o(b),
      .gx_o(gx),
      .gy_o(gy),
      .a_zero_o(a_zero),
      .a_minus3_o(a_minus3),
      .a_121666_o(a_121666),
      .a_39082_o(a_39082),
      .valid_o(curve_valid)
  );

  logic montgomery_q;

  always_ff @(posedge clk_i) begin
    if (unit_start && arg == UnitMarkValid) montgomery_q <= flags_i.montgomery;
  end

  assign form_o = !curve_valid ? CurveNone : montgomery_q ? CurveMontgomery : CurveWeierstrass;

  // ---- inverter ---------------------------------------------------------------------------------

  logic inverted, inverter_error;
  logic [Width-1:0] inverse;
  logic [63:0] fold;

  pm_mc_inverter u_inverter (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .p_i(p),
      .bits_i(bits),
      .digits_i(digits),
      .other_i(other_modulus),
      .done_o(inverted),
      .error_o(inverter_error),
      .value_o(inverse),
      .fold_o(fold)
  );

  // ---- numbers of the job -----------------------------------------------------------------------

  logic [Width-1:0] x, y, e, first_scalar, second_scalar, scalar;
  logic [9:0] scalar_bits;
  logic verifying, signing, is_sm2, number_ready, more_digits;
  logic base_first, two, second, selected, misfit;

  pm_mc_numbers u_numbers (
      .clk_i,
      .rst_ni,
      .start_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .op_i,
      .option_i,
      .operands_i,
      .results_i(results_o),
      .gx_i(gx),
      .gy_i(gy),
      .digits_i(digits),
      .field_bits_i(field_bits),
      .order_bits_i(order_bits),
      .verifying_o(verifying),
      .signing_o(signing),
      .sm2_o(is_sm2),
      .base_first_o(base_first),
      .two_o(two),
      .second_o(second),
      .selected_o(selected),
      .x_o(x),
      .y_o(y),
      .e_o(e),
      .e_ready_o(number_ready),
      .more_digits_o(more_digits),
      .first_scalar_o(first_scalar),
      .second_scalar_o(second_scalar),
      .scalar_o(scalar),
      .scalar_bits_o(scalar_bits),
      .misfit_o(misfit)
  );

  assign secret = flags_i.secret || signing;

  // ---- walks ------------------------------------------------------------------------------------

  logic step_digit, step_bit, restart, empty, too_long, walk_index, more_bits, picked_q, pick_q;
  digit_op_e digit_op;

  assign step_digit = dispatch;
  assign step_bit = unit_start && arg == UnitDigit;
  assign restart = unit_start && arg == UnitRestart;

  pm_digit_walk #(
      .Width(Width)
  ) u_walk (
      .clk_i,
      .clear_i,
      .load_i(selected),
      .join_i(second),
      .scalar_i(scalar),
      .count_i(scalar_bits),
      .too_long_o(too_long),
      .op_o(digit_op),
      .empty_o(empty),
      .step_i(step_digit),
      .restart_i(restart),
      .next_i(step_bit),
      .index_o(walk_index),
      .more_o(more_bits),
      .begun_o(unused_begun)
  );

  // A program may choose registers by a flag instead of a bit.
  always_ff @(posedge clk_i) begin
    if (start_i || restart || step_bit) picked_q <= 1'b0;
    else if (unit_start && arg == UnitPick) picked_q <= 1'b1;
    if (unit_start && arg == UnitPick) pick_q <= zero;
  end

  assign index = picked_q ? pick_q : walk_index;

  logic [Width-1:0] taken_x, taken_y;
  logic walk_done, table_last, table_done, walk_ready, comb_fits, base_wrong;

  // Multiples of the base point are wrong from the time on when a curve is loaded; behind a result that is no point they
  // may be.
  assign base_wrong = (unit_start && arg == UnitModulus && op_i == OpcodeLoadCurve) ||
      (finish_o && reason_o == pm_mc_pkg::ReasonResultOffCurve);

  if (Fast) begin : g_windows
    pm_mc_windows #(
        .Twin(Twin)
    ) u_windows (
        .clk_i,
        .rst_ni,
        .start_i,
        .load_i       (selected && !secret),       // the walk never gets a secret scalar
        .clear_i,
        .unit_start_i (unit_start),
        .unit_i       (arg),
        .operand_i    (operand),
        .dispatch_i   (dispatch),
        .ext_i        (word.ext),
        .scalar0_i    (first_scalar),
        .scalar1_i    (two ? second_scalar : '0),
        .second_i     (second),
        .base_i       (base_first),
        .secret_i     (secret),
        .loading_i    (op_i == OpcodeLoadCurve),
        .forget_i     (base_wrong),
        .p_i          (p),
        .wide_i       (wide),
        .order_known_i(order_known),
        .order_bits_i (order_bits),
        .a_zero_i     (a_zero),
        .a_minus3_i   (a_minus3),
        .address_o    (dispatch_addr),
        .ready_o      (walk_ready),
        .done_o       (walk_done),
        .hold_o       (hold),
        .table_last_o (table_last),
        .table_done_o (table_done),
        .base_kept_o  (base_kept),
        .comb_fits_o  (comb_fits),
        .x_o          (taken_x),
        .y_o          (taken_y)
    );

    logic unused_walk;
    assign unused_walk = ^{digit_op, empty};
  end else begin : g_digits
    always_comb begin
      unique case (digit_op)
        DigitZero:
        dispatch_addr = a_minus3 ? ArgBits'(AtWalkDoubleM3) : a_zero ? ArgBits'(AtWalkDouble0) : ArgBits'(AtWalkDoubleAny);
        DigitPlus:
        dispatch_addr = a_minus3 ? ArgBits'(AtWalkAddM3) : a_zero ? ArgBits'(AtWalkAdd0) : ArgBits'(AtWalkAddAny);
        DigitMinus:
        dispatch_addr = a_minus3 ? ArgBits'(AtWalkSubM3) : a_zero ? ArgBits'(AtWalkSub0) : ArgBits'(AtWalkSubAny);
        DigitSet: dispatch_addr = ArgBits'(AtWalkSet);
        DigitSetMinus: dispatch_addr = ArgBits'(AtWalkSetMinus);
        DigitLast: dispatch_addr = ArgBits'(AtWalkLast);
        default:
        dispatch_addr = two && !second ? ArgBits'(AtWalkNext) : empty ? ArgBits'(AtWalkNothing) : ArgBits'(AtWalkEnd);
      endcase
    end

    assign walk_done = digit_op == DigitDone && !(two && !second);
    assign hold = 1'b0;
    assign {walk_ready, table_last, table_done, base_kept, comb_fits} = '0;
    logic unused_windows;
    assign unused_windows = ^{base_first, base_wrong, first_scalar, second_scalar};
    assign {taken_x, taken_y} = '0;
  end

  pm_mc_loop_counter u_loop (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .restart_i(restart),
      .step_digit_i(step_digit),
      .walk_done_i(walk_done),
      .step_bit_i(step_bit),
      .more_bits_i(more_bits),
      .step_column_i(Fast && !Twin && secret && unit_start && arg == FastUnitTakeBelow),
      .last_column_i(table_last),
      .cycles_o(loop_o)
  );

  // ---- external values --------------------------------------------------------------------------

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtPlainOne: ext = Width'(1);
      ExtOne: ext = one;
      ExtR2: ext = r2;
      ExtA: ext = a;
      ExtB: ext = b;
      ExtX: ext = x;
      ExtY: ext = y;
      ExtInv: ext = inverse;
      ExtFold: ext = Width'(fold);
      ExtE: ext = e;
      default: begin
        ext = '0;
        if (Fast && word.ext == FastExtTx) ext = taken_x;
        if (Fast && word.ext == FastExtTy) ext = taken_y;
      end
    endcase
  end

  // ---- flags and results ------------------------------------------------------------------------

  logic on_curve_q, zero_noted_q;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      on_curve_q   <= 1'b0;
      zero_noted_q <= 1'b0;
      infinity_o   <= 1'b0;
    end else if (unit_start) begin
      if (arg == UnitNotePoint) on_curve_q <= zero;
      if (arg == UnitNoteZero) zero_noted_q <= zero_noted_q || zero;
      if (arg == UnitInfinity) infinity_o <= 1'b1;
      if (arg == UnitNoteInfinity) infinity_o <= zero;
    end
    if (start_i || wipe) results_o <= '0;
    else if (unit_start && arg == UnitResultX) results_o[0] <= operand;
    else if (unit_start && arg == UnitResultY) results_o[1] <= operand;
  end

  assign all_zero_o = results_o[0] == '0;

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero;
    conditions[CondZerosMet] = zeros_met;
    conditions[CondMoreBits] = more_bits;
    conditions[CondWalkTooLong] = too_long || misfit;
    conditions[CondInverterDone] = inverted;
    conditions[CondInverterError] = inverter_error;
    conditions[CondSetupDone] = setup_done;
    conditions[CondSetupError] = setup_error;
    conditions[CondOutOfRange] = x >= p || y >= p;
    conditions[CondOnCurve] = on_curve_q;
    conditions[CondMontgomery] = flags_i.montgomery;
    conditions[CondOpt0] = option_i[0];
    conditions[CondOpt1] = option_i[1];
    conditions[CondOpt2] = option_i[2];
    conditions[CondNoOrder] = !order_known;
    conditions[CondOther] = two && !second;
    conditions[CondSumming] = two && second;
    conditions[CondInfinity] = infinity_o;
    conditions[CondZeroOperand] = x == '0 || y == '0;
    conditions[CondZeroNoted] = zero_noted_q;
    conditions[CondDigitsReady] = number_ready;
    conditions[CondMoreDigits] = more_digits;
    conditions[CondSignature] = verifying || signing;
    conditions[CondSigning] = signing;
    conditions[CondSm2] = is_sm2;
    conditions[FastCondTableLast] = table_last;
    conditions[FastCondTableDone] = table_done;
    conditions[FastCondWalkReady] = walk_ready;
    conditions[FastCondBaseKept] = base_kept;
    if (Twin) begin
      conditions[TwinCondA121666] = a_121666;
      conditions[TwinCondA39082]  = a_39082;
    end else begin
      conditions[FastCondAMinus3]  = a_minus3;
      conditions[FastCondCombFits] = comb_fits;
    end
  end

endmodule
