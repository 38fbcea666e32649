// SPDX-License-Identifier: Apache-2.0
//
// Jobs of configuration `contexts` of `multicurve`: from packets to results, around the engine of
// three contexts (pm_multicurve_contexts).
//
// Computes: load_curve of Weierstrass curves, p of at most 260 bits; ecmul, ecmul_base and check of
//           public numbers. Other operations are malformed, and secret scalars rejected.
//
// A job goes to the contexts in turn, and results leave in the order of the jobs. Numbers go on to
// registers of the context as they come; a load_curve job waits until all others have ended, and
// others until it has.
//   Field:    k = -1/p mod 2^39, k p + 1, (p - 3) / 2 and what p is come from
//             pm_multicurve_contexts_serial, which divides results by k too.
//   Points:   a job with the scalar 0 ends with the reason `infinity`, if its point is on the
//             curve: so base points and those of `check` are looked at.
//   Again:    numbers are kept beside the contexts until the result comes, for `repeat`.
// Timing:   787 cycles from the last beat of p until the next one is taken, but for the cycles
//           until the engine takes five numbers; 8 a number else, and at most 16 until it is taken.
//           A result of two coordinates is divided in 656 cycles from its verdict on; twice that
//           where the lowest digit of one is that of k p, which stands for 0.
// Handshake: beats of jobs as pm_multicurve_rx takes them. Of a result, result_valid_o is a level
//           of the next beat of pm_multicurve_tx: with beat_ready_i it is taken, the last one with
//           result_ready_i. A soft reset ends open jobs with `aborted`; a context works on until
//           its program ends, and only then has another job. reset_done_o comes then.
// Reset:    asynchronous, active low: no job, no curve.
// Constant time: NO. Scalars are public; one that is secret goes no further than the header.
module pm_multicurve_contexts_jobs
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_pkg::*;
#(
    localparam int unsigned Contexts = 3
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic in_valid_i,
    output logic in_ready_o,
    input logic [63:0] in_data_i,
    input logic [7:0] in_keep_i,
    input logic in_last_i,
    // registers
    input logic soft_reset_i,  // pulse: answer all jobs
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a packet or a job is under way
    output logic mul_issue_o,  // pulse: a product begins
    // answers
    output logic result_valid_o,  // there is the next beat
    input logic beat_ready_i,  // it is taken
    input logic result_ready_i,  // it is the last one
    output logic [31:0] tag_o,
    output logic [7:0] op_o,
    output mc_reason_e reason_o,
    output logic infinity_o,
    output logic [31:0] cycles_o,
    output logic [63:0] word_o  // of the payload, if it is the next beat
);

  import pm_multicurve_contexts_ucode_pkg::reason_e;
  import pm_multicurve_contexts_ucode_pkg::ExtK;
  import pm_multicurve_contexts_ucode_pkg::ExtExponent;
  import pm_multicurve_contexts_isa_pkg::RegisterBits;

  localparam int unsigned Digit = 39;
  localparam int unsigned Digits = 8;  // of a number that the engine takes
  localparam int unsigned Short = 7;  // of p, of what is below it, and of a scalar
  localparam int unsigned MostBits = 260;  // of p
  localparam int unsigned ShortBits = 260;  // of k p + 1, where R has 7 digits
  localparam int unsigned PlaceBits = $clog2(Digit * Digits);
  localparam int unsigned Words = 5;  // 64-bit words of a number; the rest is 0
  localparam int unsigned CtxBits = $clog2(Contexts);

  typedef logic [Digit-1:0] digit_t;
  typedef logic [CtxBits-1:0] ctx_t;

  // What is done with numbers, one step at a time.
  typedef enum logic [4:0] {
    StepIdle,
    StepField,     // p
    StepInverse,   // k
    StepDivides,   // whether p divides k
    StepScale,     // k p + 1
    StepModulus,   // it goes to the contexts
    StepK,         // k does
    StepPower,     // k goes to a context, twice
    StepRoot,
    StepHalve,     // (p - 3) / 2
    StepExponent,  // it goes to the contexts
    StepZero,      // 0 as the scalar of a context
    StepNumber,    // a number of the packet goes to its place
    StepBaseX,     // the base point goes to a context
    StepBaseY,
    StepAgainK,    // the kept numbers do
    StepAgainX,
    StepAgainY,
    StepStart      // the context begins
  } step_e;

  function automatic ctx_t next(ctx_t ctx);
    return ctx == ctx_t'(Contexts - 1) ? '0 : ctx + ctx_t'(1);
  endfunction

  // ---- receive ----------------------------------------------------------------------------------

  logic rx_ready, rx_busy, rx_start, rx_open, rx_end, rx_malformed, rx_done, admit, accept;
  logic [7:0] rx_op;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [7:0] rx_option;  // whether there is a base point; no operation has two programs
  /* verilator lint_on UNUSEDSIGNAL */
  logic [31:0] unused_tag;
  logic [MaxOperands-1:0][NumberBits-1:0] unused_operands;
  mc_flags_t rx_flags;

  pm_multicurve_rx #(
      .Kept(1'b0)
  ) u_rx (
      .clk_i,
      .rst_ni,
      .s_axis_tvalid(in_valid_i && admit),
      .s_axis_tready(rx_ready),
      .s_axis_tdata(in_data_i),
      .s_axis_tkeep(in_keep_i),
      .s_axis_tlast(in_last_i),
      .job_start_o(rx_start),
      .job_open_o(rx_open),
      .job_end_o(rx_end),
      .job_malformed_o(rx_malformed),
      .job_op_o(rx_op),
      .job_option_o(rx_option),
      .job_flags_o(rx_flags),
      .job_tag_o(unused_tag),
      .job_operands_o(unused_operands),
      .job_done_i(rx_done),
      .busy_o(rx_busy)
  );

  assign in_ready_o = rx_ready && admit;
  assign accept = in_valid_i && in_ready_o;

  // ---- jobs -------------------------------------------------------------------------------------
  // One in each context at most, from its header to its answer.

  step_e step_d, step_q;
  ctx_t turn_q, out_turn_q, step_ctx_q;  // of the next packet and answer, and of the step
  logic [Contexts-1:0] open_q, given_q, refused_q, live_q, stale_q, again_q;
  logic [Contexts-1:0] infinity_q, suspect_q;  // of a result; a coordinate may be 0
  logic [Contexts-1:0][31:0] tag_q;
  logic [Contexts-1:0][7:0] op_q;
  mc_reason_e [Contexts-1:0] refusal_q;
  logic [Contexts-1:0] offered, done, engine_start, engine_finish, idle, reset_ends, start, ended;
  logic [Contexts-1:0][7:0] answer_reason;
  logic [Contexts-1:0][31:0] cycles;
  logic full_q;  // a number waits, or is worked on
  logic valid_q;  // a curve is loaded
  logic base_q;  // with a base point
  logic curve_job_q;  // a load_curve job is open
  logic checking_q;  // its base point is looked at
  logic check_q;  // it is to be
  logic fault_q;  // a number of the packet is wrong
  mc_reason_e fault_reason_q;
  logic touched_q;  // a number of the latest packet came that a curve has
  logic supported, no_curve, wanted, handover, taken;

  // ---- signals of the engine --------------------------------------------------------------------

  logic result_valid, result_first, finish, engine_ok, engine_check, engine_again;
  ctx_t result_ctx, finish_ctx;
  logic [Digit-1:0] result_digit;
  reason_e engine_verdict;
  mc_reason_e engine_reason;

  always_comb begin
    unique case (rx_op)
      OpcodeLoadCurve: supported = !rx_flags.montgomery;
      OpcodeEcmul, OpcodeEcmulBase, OpcodeCheck: supported = 1'b1;
      default: supported = 1'b0;
    endcase
  end

  assign no_curve = rx_op != OpcodeLoadCurve && !valid_q;
  assign wanted   = supported && !no_curve && !rx_flags.secret;
  assign handover = rx_open && rx_end && step_q == StepIdle && !full_q;
  assign rx_done  = handover || (rx_open && done[turn_q]);

  // A packet begins when its context is free, and a curve when all are.
  always_comb begin
    admit = !full_q;
    if (!rx_busy) begin
      if (open_q[turn_q] || !idle[turn_q] || curve_job_q || step_q != StepIdle) admit = 1'b0;
      if (in_data_i[15:8] == OpcodeLoadCurve && (open_q != '0 || idle != '1)) admit = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {turn_q, out_turn_q, open_q, given_q, live_q, stale_q, again_q} <= '0;
      {valid_q, curve_job_q, checking_q, check_q} <= '0;
    end else begin
      if (rx_done) turn_q <= next(turn_q);
      if (taken) out_turn_q <= next(out_turn_q);
      for (int unsigned c = 0; c < Contexts; c++) begin
        if (rx_start && turn_q == ctx_t'(c)) open_q[c] <= 1'b1;
        if (handover && turn_q == ctx_t'(c)) given_q[c] <= 1'b1;
        if (start[c]) live_q[c] <= 1'b1;
        else if (ended[c]) live_q[c] <= 1'b0;
        again_q[c] <= (again_q[c] && !(step_q == StepAgainK && step_ctx_q == ctx_t'(c))) ||
            (ended[c] && engine_again);
        stale_q[c] <= stale_q[c] && !idle[c];
        if (done[c]) begin
          {open_q[c], given_q[c], live_q[c], again_q[c]} <= '0;
          stale_q[c] <= !idle[c];
        end
      end
      if (rx_start && in_data_i[15:8] == OpcodeLoadCurve) curve_job_q <= 1'b1;
      else if (curve_job_q && taken) begin
        {curve_job_q, checking_q, check_q} <= '0;
        if (touched_q) valid_q <= reason_o == ReasonOk;
      end
      if (step_q == StepField) valid_q <= 1'b0;
      if (engine_check) {checking_q, check_q} <= '1;
      else if (step_q == StepStart) check_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (rx_start && turn_q == ctx_t'(c)) begin
        tag_q[c] <= in_data_i[63:32];
        op_q[c]  <= in_data_i[15:8];
      end
      if (handover && turn_q == ctx_t'(c)) begin
        refused_q[c] <= rx_malformed || !wanted || fault_q;
        if (rx_malformed || !supported) refusal_q[c] <= ReasonMalformedJob;
        else if (no_curve) refusal_q[c] <= ReasonNoCurve;
        else refusal_q[c] <= rx_flags.secret ? ReasonSecretRefused : fault_reason_q;
      end
      if (start[c]) {infinity_q[c], suspect_q[c]} <= '0;
      else begin
        if (ended[c] && engine_verdict == pm_multicurve_contexts_ucode_pkg::ReasonInfinity) begin
          infinity_q[c] <= opcode_payload(op_q[c]) != '0;
        end
        if (result_valid && result_first && result_ctx == ctx_t'(c) && result_digit == '1) begin
          suspect_q[c] <= 1'b1;
        end
      end
    end
    if (rx_start) touched_q <= 1'b0;
    else if (step_q == StepField) touched_q <= 1'b1;
    if (handover && touched_q) base_q <= !rx_option[0];
  end

  for (genvar c = 0; c < int'(Contexts); c++) begin : gen_job
    logic unused_idle, unused_decided, unused_clear;

    pm_job_control #(
        .Aborted(ReasonAborted)
    ) u_control (
        .clk_i,
        .rst_ni,
        .soft_reset_i,
        .reset_done_o(reset_ends[c]),
        .job_start_i(rx_start && turn_q == ctx_t'(c)),
        .job_open_i(open_q[c]),
        .job_valid_i(given_q[c]),
        .job_end_i(given_q[c]),
        .job_refused_i(refused_q[c]),
        .refusal_i(refusal_q[c]),
        .job_done_o(done[c]),
        .idle_o(unused_idle),
        .decided_o(unused_decided),
        .engine_start_o(engine_start[c]),
        .engine_clear_o(unused_clear),
        .engine_finish_i(engine_finish[c]),
        .engine_reason_i(engine_reason),
        .result_valid_o(offered[c]),
        .result_ready_i(taken && out_turn_q == ctx_t'(c)),
        .reason_o(answer_reason[c]),
        .cycles_o(cycles[c])
    );
  end

  // Nothing of before a soft reset is left when all jobs are answered and no context has one of
  // those that were.
  logic waiting_q;
  logic [Contexts-1:0] resetting_q;

  assign reset_done_o = waiting_q && resetting_q == '0 && stale_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {waiting_q, resetting_q} <= '0;
    else begin
      waiting_q   <= soft_reset_i || (waiting_q && !reset_done_o);
      resetting_q <= {Contexts{soft_reset_i}} | (resetting_q & ~reset_ends);
    end
  end

  assign busy_o = rx_busy || open_q != '0 || idle != '1 || step_q != StepIdle;

  // ---- number of the packet ---------------------------------------------------------------------

  logic [Digits*Digit-1:0] number_q;
  logic [3:0] beat_q;
  logic [2:0] operand_q, which_q;  // which operand comes, and which came
  logic wide_q;  // it has more bits than Short digits compare
  logic number_beat, number_last, push;
  digit_t pushed;

  assign number_beat = accept && rx_open && !rx_malformed && wanted;
  assign number_last = number_beat && beat_q == 4'(OperandBeats - 1);

  always_ff @(posedge clk_i) begin
    if (rx_start) {beat_q, operand_q} <= '0;
    else if (number_last) {operand_q, beat_q} <= {operand_q + 3'd1, 4'd0};
    else if (number_beat) beat_q <= beat_q + 4'd1;
    if (number_beat) begin
      if (beat_q < 4'd4) wide_q <= 1'b0;
      else if (beat_q == 4'd4) wide_q <= in_data_i[63:16] != '0;
      else wide_q <= wide_q || in_data_i != '0;
      which_q <= operand_q;
    end
    for (int unsigned b = 0; b < Words; b++) begin
      if (number_beat && beat_q == 4'(b)) begin
        if (b == Words - 1) number_q[Digits*Digit-1:64*(Words-1)] <= in_data_i[55:0];
        else number_q[64*b+:64] <= in_data_i;
      end
    end
    if (push) number_q <= {pushed, number_q[Digits*Digit-1:Digit]};
  end

  // ---- steps ------------------------------------------------------------------------------------

  logic moves, serial_step, to_engine, go, step_end, begun_q, test_wants;
  logic [3:0] count_q;  // digits
  logic [3:0] last_count;
  logic skipped;

  always_comb begin
    unique case (step_q)
      StepInverse, StepDivides, StepScale, StepHalve: {moves, serial_step} = 2'b01;
      StepIdle, StepStart: {moves, serial_step} = 2'b00;
      default: {moves, serial_step} = 2'b10;
    endcase
    unique case (step_q)
      StepInverse, StepDivides: last_count = 4'd0;
      StepHalve: last_count = 4'(Digits);
      default: last_count = 4'(Digits - 1);
    endcase
  end

  // The order and, without it, the base point of a curve are not looked at.
  assign skipped = rx_op == OpcodeLoadCurve &&
      (which_q == 3'd5 || (which_q > 3'd2 && rx_option[0]));

  logic serial_start, serial_busy, serial_last, serial_bit, serial_clear, serial_done;
  digit_t serial_digit;
  logic [PlaceBits-1:0] serial_top;
  logic load_ready, bad_field;

  assign serial_done = begun_q && !serial_busy;
  assign go = serial_step ? serial_done : moves && (begun_q || !to_engine || load_ready);
  assign step_end = step_q == StepStart || (go && count_q == last_count);

  always_comb begin
    step_d = step_q;
    unique case (step_q)
      StepIdle: begin
        if (test_wants) step_d = StepIdle;
        else if (again_q != '0) step_d = StepAgainK;
        else if (check_q) step_d = StepZero;
        else if (full_q && !skipped) begin
          step_d = StepNumber;
          if (rx_op == OpcodeLoadCurve && which_q == '0) step_d = StepField;
          if (rx_op == OpcodeCheck && which_q == '0) step_d = StepZero;
        end
      end
      StepField: step_d = StepInverse;
      StepInverse: step_d = StepDivides;
      StepDivides: step_d = StepScale;
      StepScale: step_d = bad_field ? StepIdle : StepModulus;
      StepModulus: step_d = StepK;
      StepK: step_d = StepPower;
      StepPower: step_d = StepRoot;
      StepRoot: step_d = StepHalve;
      StepHalve: step_d = StepExponent;
      StepZero: step_d = check_q ? StepBaseX : StepNumber;
      StepNumber: step_d = rx_op == OpcodeEcmulBase ? StepBaseX : StepIdle;
      StepBaseX: step_d = StepBaseY;
      StepBaseY: step_d = check_q ? StepStart : StepIdle;
      StepAgainK: step_d = StepAgainX;
      StepAgainX: step_d = StepAgainY;
      StepAgainY: step_d = StepStart;
      default: step_d = StepIdle;  // StepExponent, StepStart
    endcase
  end

  ctx_t again_ctx, curve_ctx_q;

  always_comb begin
    again_ctx = '0;
    for (int unsigned c = 0; c < Contexts; c++) if (again_q[c]) again_ctx = ctx_t'(c);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q  <= StepIdle;
      full_q  <= 1'b0;
      begun_q <= 1'b0;
      count_q <= '0;
    end else begin
      if (step_q == StepIdle || step_end) begin
        step_q  <= step_d;
        begun_q <= 1'b0;
        count_q <= '0;
      end else if (serial_step) begin
        begun_q <= !serial_done;
        if (serial_done) count_q <= count_q + 4'd1;
      end else if (go) begin
        begun_q <= 1'b1;
        count_q <= count_q + 4'd1;
      end
      if (number_last) full_q <= 1'b1;
      else if (step_q == StepIdle ? skipped : step_end && step_d == StepIdle && step_q != StepStart)
        full_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rx_start && in_data_i[15:8] == OpcodeLoadCurve) curve_ctx_q <= turn_q;
    if (step_q == StepIdle) begin
      step_ctx_q <= again_q != '0 ? again_ctx : check_q ? curve_ctx_q : turn_q;
    end
  end

  // ---- field and base point ---------------------------------------------------------------------

  logic [  Short-1:0][Digit-1:0] p_q;  // goes round with each number
  logic [2*Short-1:0][Digit-1:0] point_q;
  digit_t k_q, moved, compared;
  logic turn_p, short_q, divides_q, below_q, long_q, scalar, in_short;
  logic [PlaceBits-1:0] bits_q;
  logic [Contexts-1:0][Digit-1:0] kept;
  logic to_base, from_base;

  assign in_short  = count_q < 4'(Short);
  assign to_base   = step_q == StepNumber && rx_op == OpcodeLoadCurve && which_q > 3'd2;
  assign from_base = step_q inside {StepBaseX, StepBaseY};
  assign to_engine = !(step_q == StepField || to_base);

  always_comb begin
    unique case (step_q)
      StepField, StepModulus, StepExponent, StepNumber: moved = number_q[Digit-1:0];
      StepK, StepPower, StepRoot: moved = count_q == '0 ? k_q : '0;
      StepBaseX, StepBaseY: moved = in_short ? point_q[0] : '0;
      StepAgainK, StepAgainX, StepAgainY: moved = in_short ? kept[step_ctx_q] : '0;
      default: moved = '0;
    endcase
  end

  // The number leaves by digits, and what the serial unit makes of p comes in by digits.
  assign push = serial_step ? serial_done && (step_q == StepScale || count_q != '0) :
      go && (step_q inside {StepField, StepModulus, StepExponent, StepNumber});
  assign pushed = serial_step ? serial_digit : '0;

  // Numbers are compared with p from the lowest digit on. A scalar has at most one bit more than p
  // if without its lowest bit, and without the bits that p has too, it is below p: x has more bits
  // than y just if y is below x & ~y.
  assign scalar = rx_op != OpcodeLoadCurve && rx_op != OpcodeCheck && which_q == '0;
  assign compared = scalar ? number_q[Digit:1] & ~p_q[0] : number_q[Digit-1:0];

  always_ff @(posedge clk_i) begin
    if (moves && go && in_short) begin
      below_q <= compared < p_q[0] || (compared == p_q[0] && below_q && count_q != '0);
    end
    if (turn_p) p_q <= {step_q == StepField ? moved : p_q[0], p_q[Short-1:1]};
    if (go && in_short && (to_base || from_base)) begin
      point_q <= {to_base ? moved : point_q[0], point_q[2*Short-1:1]};
    end
    if (step_q == StepField && go) begin
      if (count_q == '0) short_q <= 1'b1;
      else if (moved != '0) short_q <= 1'b0;
    end
    if (step_q == StepInverse && serial_done) k_q <= serial_digit;
    if (step_q == StepDivides && serial_done) divides_q <= serial_clear;
    if (step_q == StepScale && serial_done) begin
      if (count_q == 4'(Short - 1)) long_q <= serial_digit[Digit-1:ShortBits%Digit] != '0;
      if (count_q == 4'(Short)) long_q <= long_q || serial_digit != '0;
    end
    if (step_q == StepScale && step_end) bits_q <= serial_top;
  end

  // ---- what is wrong with numbers ---------------------------------------------------------------

  mc_reason_e field_reason, number_reason;
  logic odd;

  assign odd = p_q[0][0] && serial_top != '0;
  assign bad_field = !odd || wide_q || serial_top >= PlaceBits'(MostBits) || (short_q && divides_q);
  assign field_reason = odd ? ReasonParameterOutOfRange : ReasonModulusNotOdd;

  always_comb begin
    if (rx_op == OpcodeLoadCurve) number_reason = ReasonParameterOutOfRange;
    else number_reason = scalar ? ReasonScalarOutOfRange : ReasonInvalidPoint;
  end

  always_ff @(posedge clk_i) begin
    if (rx_start) fault_q <= 1'b0;
    else if (!fault_q && step_end && step_q == StepScale) begin
      fault_q <= bad_field;
      fault_reason_q <= field_reason;
    end else if (!fault_q && step_end && step_q == StepNumber) begin
      fault_q <= wide_q || !below_q;
      fault_reason_q <= number_reason;
    end else if (!fault_q && step_q == StepBaseX && !base_q) begin
      fault_q <= 1'b1;
      fault_reason_q <= ReasonInvalidPoint;
    end
  end

  // ---- engine -----------------------------------------------------------------------------------

  logic load_shared;
  logic [RegisterBits-1:0] load_register;
  logic unused_last, unused_y;

  always_comb begin
    load_shared = 1'b0;
    unique case (step_q)
      StepModulus: {load_shared, load_register} = {1'b1, RegisterBits'(LoadModulus)};
      StepK: {load_shared, load_register} = {1'b1, RegisterBits'(ExtK)};
      StepExponent: {load_shared, load_register} = {1'b1, RegisterBits'(ExtExponent)};
      StepPower: load_register = RegisterBits'(LoadPower);
      StepRoot: load_register = RegisterBits'(LoadInverse);
      StepZero, StepAgainK: load_register = RegisterBits'(LoadScalar);
      StepBaseX, StepAgainX: load_register = RegisterBits'(LoadPointX);
      StepBaseY, StepAgainY: load_register = RegisterBits'(LoadPointY);
      default:
      unique case ({
        rx_op, which_q
      })
        {OpcodeLoadCurve, 3'd1} : load_register = RegisterBits'(LoadA);
        {OpcodeLoadCurve, 3'd2} : load_register = RegisterBits'(LoadB);
        {OpcodeEcmul, 3'd1}, {OpcodeCheck, 3'd0} : load_register = RegisterBits'(LoadPointX);
        {OpcodeEcmul, 3'd2}, {OpcodeCheck, 3'd1} : load_register = RegisterBits'(LoadPointY);
        default: load_register = RegisterBits'(LoadScalar);
      endcase
    endcase
  end

  always_comb begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      start[c] = engine_start[c] || (step_q == StepStart && step_ctx_q == ctx_t'(c) && open_q[c] &&
                                     !done[c]);
      ended[c] = finish && finish_ctx == ctx_t'(c) && live_q[c];
      engine_finish[c] = ended[c] && !engine_check && !engine_again;
    end
  end

  pm_multicurve_contexts u_engine (
      .clk_i,
      .rst_ni,
      .long_i(long_q),
      .bits_i(bits_q),
      .load_valid_i(moves && to_engine && !begun_q),
      .load_ready_o(load_ready),
      .load_shared_i(load_shared),
      .load_ctx_i(step_ctx_q),
      .load_register_i(load_register),
      .load_digit_i(moved),
      .start_i(start),
      .exact_i(step_q == StepStart && !check_q),
      .curve_i(engine_start != '0 && curve_job_q),
      .idle_o(idle),
      .result_valid_o(result_valid),
      .result_first_o(result_first),
      .result_last_o(unused_last),
      .result_y_o(unused_y),
      .result_ctx_o(result_ctx),
      .result_digit_o(result_digit),
      .finish_o(finish),
      .finish_ctx_o(finish_ctx),
      .reason_o(engine_verdict),
      .mul_issue_o
  );

  // A curve is loaded when its base point is known to be on it; a job that is to be run again goes
  // on.
  assign engine_ok = engine_verdict == pm_multicurve_contexts_ucode_pkg::ReasonOk;
  assign engine_check = ended != '0 && curve_job_q && !checking_q && engine_ok && base_q;
  assign engine_again = engine_verdict == pm_multicurve_contexts_ucode_pkg::ReasonRepeat;

  always_comb begin
    unique case (engine_verdict)
      pm_multicurve_contexts_ucode_pkg::ReasonNoField: engine_reason = ReasonParameterOutOfRange;
      pm_multicurve_contexts_ucode_pkg::ReasonSingularCurve: engine_reason = ReasonSingularCurve;
      pm_multicurve_contexts_ucode_pkg::ReasonInvalidPoint: engine_reason = ReasonInvalidPoint;
      pm_multicurve_contexts_ucode_pkg::ReasonResultOffCurve: engine_reason = ReasonResultOffCurve;
      default: engine_reason = ReasonOk;
    endcase
  end

  // ---- kept numbers and results -----------------------------------------------------------------

  typedef enum logic [1:0] {
    SendIdle,
    SendTest,   // whether a coordinate is k p
    SendDivide  // words
  } send_e;

  send_e send_q;
  logic send_second_q;  // y
  logic [2:0] send_count_q;  // digits
  logic send_begun_q, send_ended_q, send_done, send_digits, word_full_q, word_step;
  logic [1:0] zero_q;  // of x and y
  logic [4:0] sent_q, payload_beat;  // beats
  logic [3:0] word_at;
  logic payload, second_word, word_taken;
  logic [ 5:0] word_count_q;
  logic [63:0] word_q;

  assign send_digits = long_q || send_count_q != 3'(Short);  // there is one, or it is 0

  for (genvar c = 0; c < int'(Contexts); c++) begin : gen_store
    logic mine, keeps, sends, comes;

    assign mine  = step_ctx_q == ctx_t'(c);
    assign keeps = mine && moves && go && in_short;
    assign sends = out_turn_q == ctx_t'(c) && send_done && send_digits;
    assign comes = result_valid && result_ctx == ctx_t'(c) && live_q[c];

    pm_multicurve_contexts_store #(
        .Digit(Digit)
    ) u_store (
        .clk_i,
        .shift_i(keeps || sends || comes),
        .digit_i(comes ? result_digit : sends ? kept[c] : moved),
        .three_i(!offered[c]),
        .long_i (long_q),
        .digit_o(kept[c])
    );
  end

  // ---- answers ----------------------------------------------------------------------------------

  assign tag_o = tag_q[out_turn_q];
  assign op_o = op_q[out_turn_q];
  assign reason_o = mc_reason_e'(answer_reason[out_turn_q]);
  assign infinity_o = infinity_q[out_turn_q];
  assign cycles_o = cycles[out_turn_q];

  assign payload = offered[out_turn_q] && reason_o == ReasonOk && opcode_payload(
      op_o
  ) != '0 && !infinity_o;
  assign payload_beat = sent_q - 5'(ResultBeats);
  assign second_word = payload_beat >= 5'(OperandBeats);
  assign word_at = 4'(payload_beat - (second_word ? 5'(OperandBeats) : 5'd0));
  assign result_valid_o = offered[out_turn_q] && (sent_q < 5'(ResultBeats) || !payload ||
                                                  word_at >= 4'(Words) || word_full_q);
  assign taken = result_valid_o && result_ready_i;
  assign word_taken = result_valid_o && beat_ready_i && payload && sent_q >= 5'(ResultBeats) &&
      word_at < 4'(Words);

  // A number is 312 bits: in its last word the lowest of 64 are left.
  always_comb begin
    word_o = '0;
    if (!zero_q[second_word]) begin
      if (word_at < 4'(Words - 1)) word_o = word_q;
      else if (word_at == 4'(Words - 1)) word_o[MostBits-256-1:0] = word_q[8+:MostBits-256];
    end
  end

  assign send_done = send_begun_q && !serial_busy;
  assign test_wants = (send_q == SendIdle && payload && !send_ended_q && suspect_q[out_turn_q]) ||
      send_q == SendTest;
  assign word_step = send_q == SendDivide && send_begun_q && serial_busy && !word_full_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      send_q <= SendIdle;
      {send_second_q, send_count_q, send_begun_q, send_ended_q, word_full_q} <= '0;
      {sent_q, zero_q, word_count_q} <= '0;
    end else begin
      if (taken) sent_q <= '0;
      else if (result_valid_o && beat_ready_i) sent_q <= sent_q + 5'd1;
      if (taken) send_ended_q <= 1'b0;
      unique case (send_q)
        SendIdle:
        if (payload && !send_ended_q) begin
          zero_q <= {2{suspect_q[out_turn_q]}};
          if (!suspect_q[out_turn_q]) send_q <= SendDivide;
          else if (step_q == StepIdle) send_q <= SendTest;
        end
        default: begin
          send_begun_q <= !send_done;
          if (send_done) begin
            send_count_q <= send_count_q + 3'd1;
            if (send_count_q == 3'(Digits - 1)) begin
              send_second_q <= !send_second_q;
              if (send_second_q) begin
                send_q <= send_q == SendTest ? SendDivide : SendIdle;
                send_ended_q <= send_q == SendDivide;
              end
            end
            if (send_q == SendTest && send_count_q != 3'(Short) && serial_digit != p_q[0]) begin
              zero_q[send_second_q] <= 1'b0;
            end
          end
        end
      endcase
      if (word_taken) {word_full_q, word_count_q} <= '0;
      else if (word_step) begin
        word_count_q <= word_count_q + 6'd1;
        word_full_q  <= word_count_q == '1 || (serial_last && send_count_q == 3'(Digits - 1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_step) word_q <= {serial_bit, word_q[63:1]};
  end

  // ---- serial unit ------------------------------------------------------------------------------

  logic sending;
  serial_mode_e serial_mode;
  digit_t serial_factor, serial_number;

  assign sending = send_q != SendIdle;
  assign serial_start = sending ? !send_begun_q : serial_step && !begun_q;
  assign turn_p = (moves && go && in_short) || (serial_step && serial_done && in_short &&
      (step_q inside {StepScale, StepHalve})) ||
      (send_q == SendTest && send_done && send_count_q != 3'(Short));

  always_comb begin
    serial_factor = k_q;
    serial_number = in_short ? p_q[0] : '0;
    serial_mode   = SerialScale;
    if (sending) begin
      serial_mode   = SerialDivide;
      serial_number = send_digits ? kept[out_turn_q] : '0;
    end else begin
      unique case (step_q)
        StepInverse:
        {serial_mode, serial_factor, serial_number} = {SerialDivide, p_q[0], ~digit_t'(0)};
        StepDivides: {serial_mode, serial_factor, serial_number} = {SerialDivide, p_q[0], k_q};
        StepHalve: serial_mode = SerialHalve;
        default: ;
      endcase
    end
  end

  pm_multicurve_contexts_serial #(
      .Digit (Digit),
      .Digits(Digits)
  ) u_serial (
      .clk_i,
      .rst_ni,
      .start_i(serial_start),
      .first_i(sending ? send_count_q == '0 : count_q == '0),
      .mode_i(serial_mode),
      .factor_i(serial_factor),
      .digit_i(serial_number),
      .step_i(send_q != SendDivide || word_step),
      .busy_o(serial_busy),
      .last_o(serial_last),
      .bit_o(serial_bit),
      .digit_o(serial_digit),
      .clear_o(serial_clear),
      .top_o(serial_top)
  );

endmodule
