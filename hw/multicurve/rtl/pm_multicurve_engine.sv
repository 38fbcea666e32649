// SPDX-License-Identifier: Apache-2.0
//
// Engine of `multicurve`: one program at a time on the datapath of two adders and two multipliers
// or one, with parameters, inverter, digit scan and results beside it. The machine says which
// programs it has, and whether there are a table and a digit scan by windows for public scalars,
// and multipliers with special-prime reduction.
//
// Computes: one operation of hw/multicurve/core.yaml (programs: hw/multicurve/ucode). What a curve
//           is, comes with a load_curve job and stays until the next one; with a table multiples
//           of its base point too.
// Handshake: start_i (pulse, when idle_o) begins a job; the job inputs must hold until finish_o, a
//           pulse with the reason, and the results from there until the next start_i. clear_i
//           abandons the job; of a secret job it also wipes registers, scalar and results.
// Reset:    asynchronous, active low: idle, no curve.
// Constant time: a job with the flag `secret`, or that makes a signature, YES, for a given curve:
//           the sequencer rejects whatever depends on data. Other jobs NO.
// Source:   Liu et al. 2023, Acta Electronica Sinica 51(6), figures 1 and 6.

module pm_multicurve_engine
  import pm_dual_ucode_pkg::*;
  import pm_named_prime_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_machines_pkg::*;
  import pm_multicurve_pkg::*;
  import pm_multicurve_types_pkg::*;
#(
    parameter machine_e MachineName = MachineFast,  // whose programs and units
    localparam machine_t Machine = machine_of(MachineName),
    localparam bit SpecialPrimes = Machine.table_units,  // they have their own reduction
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
    output logic [Machine.multipliers-1:0] mul_issue_o  // a product is started
);

  // ---- program ----------------------------------------------------------------------------------

  word_t rom_word, word;
  logic issue, unit_start, dispatch, finish, violation, hold, secret, wipe;
  logic unused_wants;
  logic [ArgBits-1:0] rom_addr, dispatch_addr, entry, arg;
  logic [(1 << ConditionBits)-1:0] conditions;
  logic [1:0] mul_done;
  scan_t scan;

  pm_multicurve_rom #(
      .Machine(Machine)
  ) u_rom (
      .clk_i,
      .op_i,
      .ladder_i(option_i[0]),
      .secret_i(secret),
      .base_kept_i(scan.base_kept),
      .entry_o(entry),
      .addr_i(rom_addr),
      .word_o(rom_word)
  );

  pm_dual_sequencer #(
      .Public(Machine.public_conditions)
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
      .wants_o(unused_wants),
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

  // ---- datapath ---------------------------------------------------------------------------------

  modulus_t modulus;
  named_e   named;
  logic index, zero, zeros_met;
  logic [Width-1:0] ext, operand;

  pm_dual_datapath #(
      .Packed(SpecialPrimes),
      .Named(SpecialPrimes),
      .Multipliers(Machine.multipliers),
      .SharedPorts(Machine.shared_ports)
  ) u_datapath (
      .clk_i,
      .rst_ni,
      .wipe_i(wipe),
      .p_i(modulus.p),
      .pinv_i(modulus.pinv),
      .digits_i(modulus.digits),
      .wide_i(modulus.wide),
      .named_i(named),
      .word_i(word),
      .issue_i(issue),
      .index_i(index),
      .ext_i(ext),
      .operand_o(operand),
      .mul_done_o(mul_done),
      .mul_issue_o,
      .forget_i(start_i || (unit_start && arg == UnitClearZeros)),
      .zero_o(zero),
      .met_o(zeros_met)
  );

  // ---- parameters -------------------------------------------------------------------------------

  curve_t curve;
  logic other_modulus, setup_done;

  pm_multicurve_params #(
      .Named(SpecialPrimes)
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
      .montgomery_i(flags_i.montgomery),
      .other_i(op_i == OpcodeModarith),
      .zero_i(zero),
      .modulus_o(modulus),
      .named_o(named),
      .other_o(other_modulus),
      .setup_done_o(setup_done),
      .curve_o(curve)
  );

  assign form_o = curve.form;

  // ---- inverter ---------------------------------------------------------------------------------

  logic inverted, inverter_error;
  logic [Width-1:0] inverse;
  logic [63:0] fold;

  pm_multicurve_inverter u_inverter (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .p_i(modulus.p),
      .bits_i(modulus.bits),
      .digits_i(modulus.digits),
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

  pm_multicurve_numbers u_numbers (
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
      .gx_i(curve.gx),
      .gy_i(curve.gy),
      .digits_i(modulus.digits),
      .field_bits_i(curve.field_bits),
      .order_bits_i(curve.order_bits),
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

  // ---- scans of scalars -------------------------------------------------------------------------

  logic base_wrong;
  logic [Width-1:0] taken_x, taken_y;

  // Multiples of the base point are wrong from the time on when a curve is loaded; behind a result
  // that is no point they may be.
  assign base_wrong = (unit_start && arg == UnitModulus && op_i == OpcodeLoadCurve) ||
      (finish_o && reason_o == ReasonResultOffCurve);

  pm_multicurve_scan #(
      .Machine(Machine)
  ) u_scan (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .load_i(selected),
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .dispatch_i(dispatch),
      .ext_i(word.ext),
      .zero_i(zero),
      .secret_i(secret),
      .two_i(two),
      .second_i(second),
      .first_scalar_i(first_scalar),
      .second_scalar_i(second_scalar),
      .scalar_i(scalar),
      .bits_i(scalar_bits),
      .base_i(base_first),
      .loading_i(op_i == OpcodeLoadCurve),
      .forget_i(base_wrong),
      .p_i(modulus.p),
      .wide_i(modulus.wide),
      .order_known_i(curve.order_known),
      .order_bits_i(curve.order_bits),
      .a_zero_i(curve.a_zero),
      .a_minus3_i(curve.a_minus3),
      .address_o(dispatch_addr),
      .index_o(index),
      .hold_o(hold),
      .state_o(scan),
      .x_o(taken_x),
      .y_o(taken_y),
      .loop_o
  );

  // ---- external values --------------------------------------------------------------------------

  always_comb begin
    unique case (ext_e'(word.ext))
      ExtPlainOne: ext = Width'(1);
      ExtOne: ext = modulus.one;
      ExtR2: ext = modulus.r2;
      ExtA: ext = curve.a;
      ExtB: ext = curve.b;
      ExtX: ext = x;
      ExtY: ext = y;
      ExtInv: ext = inverse;
      ExtFold: ext = Width'(fold);
      ExtE: ext = e;
      ExtTx: ext = taken_x;
      ExtTy: ext = taken_y;
      default: ext = '0;
    endcase
  end

  // ---- results ----------------------------------------------------------------------------------

  logic on_curve, zero_noted;

  pm_multicurve_results u_results (
      .clk_i,
      .start_i,
      .wipe_i(wipe),
      .unit_start_i(unit_start),
      .unit_i(arg),
      .operand_i(operand),
      .zero_i(zero),
      .results_o,
      .infinity_o,
      .all_zero_o,
      .on_curve_o(on_curve),
      .zero_noted_o(zero_noted)
  );

  // ---- conditions -------------------------------------------------------------------------------

  always_comb begin
    conditions = '0;
    conditions[CondAlways] = 1'b1;
    conditions[CondZero0] = zero;
    conditions[CondZerosMet] = zeros_met;
    conditions[CondMoreBits] = scan.more_bits;
    conditions[CondWalkTooLong] = scan.too_long || misfit;
    conditions[CondInverterDone] = inverted;
    conditions[CondInverterError] = inverter_error;
    conditions[CondSetupDone] = setup_done;
    conditions[CondSetupError] = modulus.error;
    conditions[CondOutOfRange] = x >= modulus.p || y >= modulus.p;
    conditions[CondOnCurve] = on_curve;
    conditions[CondMontgomery] = flags_i.montgomery;
    conditions[CondOpt0] = option_i[0];
    conditions[CondOpt1] = option_i[1];
    conditions[CondOpt2] = option_i[2];
    conditions[CondNoOrder] = !curve.order_known;
    conditions[CondOther] = two && !second;
    conditions[CondSumming] = two && second;
    conditions[CondInfinity] = infinity_o;
    conditions[CondZeroOperand] = x == '0 || y == '0;
    conditions[CondZeroNoted] = zero_noted;
    conditions[CondDigitsReady] = number_ready;
    conditions[CondMoreDigits] = more_digits;
    conditions[CondSignature] = verifying || signing;
    conditions[CondSigning] = signing;
    conditions[CondSm2] = is_sm2;
    conditions[CondTableLast] = scan.table_last;
    conditions[CondTableDone] = scan.table_done;
    conditions[CondWalkReady] = scan.walk_ready;
    conditions[CondBaseKept] = scan.base_kept;
    if (MachineName == MachineFast) begin
      conditions[pm_multicurve_fast_ucode_pkg::FastCondAMinus3]  = curve.a_minus3;
      conditions[pm_multicurve_fast_ucode_pkg::FastCondCombFits] = scan.comb_fits;
    end
    if (MachineName == MachineThroughput) begin
      conditions[pm_multicurve_throughput_ucode_pkg::ThroughputCondA121666] = curve.a_121666;
      conditions[pm_multicurve_throughput_ucode_pkg::ThroughputCondA39082]  = curve.a_39082;
    end
  end

endmodule
