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
    parameter bit Fast = 1'b0,  // configurations `fast` and `generic`
    parameter bit Named = 1'b1,  // with Fast, `fast`: multipliers that know primes by name
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

  // Where the programs begin in the ROM of the configuration.
  localparam logic [ArgBits-1:0] AtEcmul = Twin ? TwinEntryEcmul : Fast ? FastEntryEcmul : ArgBits'(EntryEcmul);
  localparam logic [ArgBits-1:0] AtKept = Twin ? TwinEntryKept : FastEntryKept;
  localparam logic [ArgBits-1:0] AtComb = FastEntryComb;  // where the comb is kept
  localparam logic [ArgBits-1:0] AtLadder = Twin ? TwinEntryLadder : Fast ? FastEntryLadder : ArgBits'(EntryLadder);
  localparam logic [ArgBits-1:0] AtEcmul2 = Twin ? TwinEntryEcmul2 : Fast ? FastEntryEcmul2 : ArgBits'(EntryEcmul2);
  localparam logic [ArgBits-1:0] AtVerify = Twin ? TwinEntryVerify : Fast ? FastEntryVerify : ArgBits'(EntryVerify);
  localparam logic [ArgBits-1:0] AtSign = Twin ? TwinEntrySign : Fast ? FastEntrySign : ArgBits'(EntrySign);
  localparam logic [ArgBits-1:0] AtCheck = Twin ? TwinEntryCheck : Fast ? FastEntryCheck : ArgBits'(EntryCheck);
  localparam logic [ArgBits-1:0] AtXdh = Twin ? TwinEntryXdh : Fast ? FastEntryXdh : ArgBits'(EntryXdh);
  localparam logic [ArgBits-1:0] AtModarith = Twin ? TwinEntryModarith : Fast ? FastEntryModarith : ArgBits'(EntryModarith);
  localparam logic [ArgBits-1:0] AtLoadCurve = Twin ? TwinEntryLoadCurve : Fast ? FastEntryLoadCurve : ArgBits'(EntryLoadCurve);

  always_comb begin
    unique case (op_i)
      OpcodeEcmul: entry = option_i[0] ? AtLadder : AtEcmul;
      OpcodeEcmulBase:
      if (option_i[0]) entry = secret && base_kept ? AtComb : AtLadder;
      else entry = base_kept ? AtKept : AtEcmul;
      OpcodeEcmul2: entry = AtEcmul2;
      OpcodeEcdsaVerify, OpcodeSm2Verify: entry = AtVerify;
      OpcodeEcdsaSign, OpcodeSm2Sign: entry = AtSign;
      OpcodeCheck: entry = AtCheck;
      OpcodeLadder: entry = AtXdh;
      OpcodeModarith: entry = AtModarith;
      default: entry = AtLoadCurve;
    endcase
  end

  if (Twin) begin : g_twin_rom
    pm_multicurve_twin_rom u_rom (
        .clk_i,
        .addr_i(rom_addr[TwinRomAddrBits-1:0]),
        .data_o(rom_word)
    );
  end else if (Fast) begin : g_fast_rom
    pm_multicurve_fast_rom u_rom (
        .clk_i,
        .addr_i(rom_addr[FastRomAddrBits-1:0]),
        .data_o(rom_word)
    );
  end else begin : g_rom
    pm_multicurve_rom u_rom (
        .clk_i,
        .addr_i(rom_addr[RomAddrBits-1:0]),
        .data_o(rom_word)
    );
  end

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
      .Named(Fast && Named),
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
      .Named(Fast && Named)
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

  logic [10:0] unused_steps;
  logic start_inverse, start_power, inverter_ready, inverter_valid, inverter_error;
  logic inverter_done_q, inverter_error_q, short;
  logic [10:0] missing;
  logic [Width-1:0] inverse, inverse_q;

  assign start_inverse = unit_start && arg == UnitInverter;
  assign start_power = unit_start && arg == UnitPower;

  // 64 m steps make R^2 of 1. Inverses take the steps that they need, 2 bits, and the program multiplies by
  // what is missing to 64 m (`fold`); where that does not fit below R, or the modulus has fewer digits than R, all
  // steps are done, as always in modular arithmetic.
  assign missing = {digits, 6'd0} - {bits, 1'b0};
  assign short = !other_modulus && digits != 5'd1 && missing[10:6] == '0;

  pm_mont_inverter #(
      .Width(Width)
  ) u_inverter (
      .clk_i,
      .rst_ni,
      .clear_i (clear_i || start_i),
      .p_i     (p),
      .steps_i (start_inverse && short ? {bits, 1'b0} : {digits, 6'd0}),
      .valid_i (start_inverse || start_power),
      .ready_o (inverter_ready),
      .a_i     (start_power ? Width'(1) : operand),
      .valid_o (inverter_valid),
      .ready_i (1'b1),
      .public_i(1'b0),
      .inv_o   (inverse),
      .steps_o (unused_steps),
      .error_o (inverter_error)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) inverter_done_q <= 1'b0;
    else if (clear_i || start_i || start_inverse || start_power) inverter_done_q <= 1'b0;
    else if (inverter_valid) inverter_done_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (wipe) inverse_q <= '0;
    else if (inverter_valid) inverse_q <= inverse;
    if (inverter_valid) inverter_error_q <= inverter_error;
  end

  // ---- points, scalars and other numbers of the job ---------------------------------------------

  logic [Width-1:0] x, y, u, v_q;
  logic use_base_q, second_q, pair_q, result_q, two_q;
  logic
      is_x25519,
      is_x448,
      is_ecdsa,
      is_sm2,
      verifying,
      signing,
      select_first,
      select_second,
      number_ready,
      more_digits;

  assign is_ecdsa = op_i == OpcodeEcdsaVerify || op_i == OpcodeEcdsaSign;
  assign is_sm2 = op_i == OpcodeSm2Verify || op_i == OpcodeSm2Sign;
  assign verifying = op_i == OpcodeEcdsaVerify || op_i == OpcodeSm2Verify;
  assign signing = op_i == OpcodeEcdsaSign || op_i == OpcodeSm2Sign;
  assign secret = flags_i.secret || signing;
  assign is_x25519 = op_i == OpcodeLadder && option_i == 8'd1;
  assign is_x448 = op_i == OpcodeLadder && option_i == 8'd2;
  assign select_first = unit_start && arg == UnitFirst;
  assign select_second = unit_start && arg == UnitSecond;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      use_base_q <= op_i == OpcodeEcmulBase || verifying || signing;
      two_q <= op_i == OpcodeEcmul2 || verifying;
      {second_q, pair_q, result_q} <= '0;
    end else if (unit_start) begin
      if (arg == UnitUseBase) use_base_q <= 1'b1;
      if (arg == UnitAlone) two_q <= 1'b0;
      if (select_first || select_second) begin
        second_q <= select_second;
        {pair_q, result_q} <= '0;
      end
      if (arg == UnitPair || arg == UnitResult)
        {pair_q, result_q} <= {arg == UnitPair, arg == UnitResult};
    end
  end

  // What the program calls x and y, as received. RFC 7748: the uppermost bit of u is ignored.
  always_comb begin
    x = use_base_q ? gx : operands_i[1];
    y = use_base_q ? gy : operands_i[2];
    unique case (op_i)
      OpcodeEcmul2: if (second_q) {y, x} = {operands_i[5], operands_i[4]};
      OpcodeEcdsaVerify: begin
        if (second_q) {y, x} = {operands_i[3], operands_i[2]};
        if (pair_q) {y, x} = {operands_i[5], operands_i[4]};
      end
      OpcodeSm2Verify: begin
        if (second_q) {y, x} = {operands_i[2], operands_i[1]};
        if (pair_q) {y, x} = {operands_i[4], operands_i[3]};
      end
      OpcodeEcdsaSign, OpcodeSm2Sign: if (pair_q) {y, x} = {operands_i[1], operands_i[0]};
      OpcodeCheck: {y, x} = {operands_i[1], operands_i[0]};
      OpcodeLadder: begin
        x = operands_i[1];
        y = '0;
        if (is_x25519) x = Width'(operands_i[1][254:0]);
        if (is_x448) x = Width'(operands_i[1][447:0]);
      end
      default: ;
    endcase
    if (result_q) {y, x} = {results_o[1], results_o[0]};
  end

  // The digest's length may be any number; from 2047 on its digest is 0 after the shift, as it is from there on.
  logic [Width-1:0] length;
  logic [10:0] short_length;

  assign length = op_i == OpcodeEcdsaVerify ? operands_i[1] : operands_i[3];
  assign short_length = length[Width-1:11] != '0 ? '1 : length[10:0];

  pm_mc_signed_number u_number (
      .clk_i,
      .wipe_i(wipe),
      .load_i(start_i),
      .value_i(signing ? operands_i[2] : operands_i[0]),
      .excess_i(is_ecdsa && short_length > 11'(order_bits) ? short_length - 11'(order_bits) : '0),
      .next_i(unit_start && arg == UnitNextDigits),
      .digits_i(digits),
      .put_i(unit_start && arg == UnitPutU),
      .put_value_i(operand),
      .number_o(u),
      .ready_o(number_ready),
      .more_o(more_digits)
  );

  always_ff @(posedge clk_i) begin
    if (start_i || wipe) v_q <= '0;
    else if (unit_start && arg == UnitPutV) v_q <= operand;
  end

  // ---- scalar -----------------------------------------------------------------------------------

  logic [Width-1:0] first_scalar, second_scalar, scalar;
  logic [9:0] scalar_bits;
  logic step_digit, step_bit, restart, empty, too_long, walk_index, more_bits, picked_q, pick_q;
  logic misfit;
  digit_op_e digit_op;

  // Scalars of RFC 7748 belong to moduli of their length.
  assign misfit = (is_x25519 && field_bits != 10'd255) || (is_x448 && field_bits != 10'd448);

  // The order of a curve has at most one bit more than p (Hasse). RFC 7748, section 5: scalars are clamped.
  always_comb begin
    scalar_bits   = field_bits + 10'd1;
    second_scalar = op_i == OpcodeEcmul2 ? operands_i[3] : v_q;
    unique case (op_i)
      OpcodeEcdsaVerify: first_scalar = u;
      OpcodeSm2Verify: first_scalar = operands_i[4];
      OpcodeEcdsaSign, OpcodeSm2Sign: first_scalar = operands_i[1];
      default: first_scalar = operands_i[0];
    endcase
    scalar = second_q ? second_scalar : first_scalar;
    if (is_x25519) begin
      scalar[255:254] = 2'b01;
      scalar[2:0] = '0;
      scalar_bits = 10'd255;
    end else if (is_x448) begin
      scalar[447] = 1'b1;
      scalar[1:0] = '0;
      scalar_bits = 10'd448;
    end
  end

  assign step_digit = dispatch;
  assign step_bit = unit_start && arg == UnitDigit;
  assign restart = unit_start && arg == UnitRestart;

  // A scalar is selected in the cycle before.
  logic load_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) load_q <= 1'b0;
    else load_q <= start_i || select_first || select_second;
  end

  pm_digit_walk #(
      .Width(Width)
  ) u_walk (
      .clk_i,
      .clear_i,
      .load_i(load_q),
      .join_i(second_q),
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
  logic walk_done, table_last, table_done, walk_ready, comb_fits, base_first, base_wrong;

  // Jobs whose first point is the base point. Its multiples are wrong from the time on when a curve is loaded; behind a
  // result that is no point they may be.
  logic same_q;  // the first point of ecmul2 has its coordinates

  always_ff @(posedge clk_i) same_q <= operands_i[1] == gx && operands_i[2] == gy;

  assign base_first = op_i == OpcodeEcmulBase || verifying || signing ||
      (op_i == OpcodeEcmul2 && same_q);
  assign base_wrong = (unit_start && arg == UnitModulus && op_i == OpcodeLoadCurve) ||
      (finish_o && reason_o == pm_mc_pkg::ReasonResultOffCurve);

  if (Fast) begin : g_windows
    pm_mc_windows #(
        .Twin(Twin)
    ) u_windows (
        .clk_i,
        .rst_ni,
        .start_i,
        .load_i       (load_q && !secret),           // the walk never gets a secret scalar
        .clear_i,
        .unit_start_i (unit_start),
        .unit_i       (arg),
        .operand_i    (operand),
        .dispatch_i   (dispatch),
        .ext_i        (word.ext),
        .scalar0_i    (first_scalar),
        .scalar1_i    (two_q ? second_scalar : '0),
        .second_i     (second_q),
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
        dispatch_addr = two_q && !second_q ? ArgBits'(AtWalkNext) : empty ? ArgBits'(AtWalkNothing) : ArgBits'(AtWalkEnd);
      endcase
    end

    assign walk_done = digit_op == DigitDone && !(two_q && !second_q);
    assign hold = 1'b0;
    assign {walk_ready, table_last, table_done, base_kept, comb_fits} = '0;
    logic unused_base;
    assign unused_base = base_first ^ base_wrong;
    assign {taken_x, taken_y} = '0;
  end

  // From the first step of digits, bits or columns to the last; of two walks, of both.
  logic looping_q, laddering_q, step_column;

  assign step_column = Fast && !Twin && secret && unit_start && arg == FastUnitTakeBelow;

  always_ff @(posedge clk_i) begin
    if (start_i) laddering_q <= 1'b0;
    else if (restart) laddering_q <= 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looping_q <= 1'b0;
      loop_o <= '0;
    end else begin
      if (clear_i || restart) looping_q <= 1'b0;
      else if (step_digit) looping_q <= !walk_done;
      else if (step_bit) looping_q <= 1'b1;
      else if (step_column) looping_q <= !table_last;
      if ((step_digit || step_bit || step_column) && !looping_q) loop_o <= 32'd0;
      else if (looping_q && (more_bits || !laddering_q)) loop_o <= loop_o + 32'd1;
    end
  end

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
      ExtInv: ext = inverse_q;
      ExtFold: ext = short ? Width'(64'd1 << missing[5:0]) : Width'(1);
      ExtE: ext = u;
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
    conditions[CondInverterDone] = inverter_done_q || inverter_valid;
    conditions[CondInverterError] = inverter_error_q;
    conditions[CondSetupDone] = setup_done;
    conditions[CondSetupError] = setup_error;
    conditions[CondOutOfRange] = x >= p || y >= p;
    conditions[CondOnCurve] = on_curve_q;
    conditions[CondMontgomery] = flags_i.montgomery;
    conditions[CondOpt0] = option_i[0];
    conditions[CondOpt1] = option_i[1];
    conditions[CondOpt2] = option_i[2];
    conditions[CondNoOrder] = !order_known;
    conditions[CondOther] = two_q && !second_q;
    conditions[CondSumming] = two_q && second_q;
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

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!(start_inverse || start_power) || inverter_ready);
    end
  end

endmodule
