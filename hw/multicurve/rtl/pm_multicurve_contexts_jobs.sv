// SPDX-License-Identifier: Apache-2.0
//
// Jobs of configuration `contexts` of `multicurve`: from packets to results, around the engine of
// three contexts (pm_multicurve_contexts).
//
// Computes: load_curve of Weierstrass curves, p of at most Digit Columns - 13 bits; ecmul,
//           ecmul_base and check of public numbers. Other operations are malformed, and secret
//           scalars rejected.
//
// Packets go to the contexts in turn (pm_multicurve_contexts_intake), each has one job at a time
// (pm_multicurve_contexts_job), and results leave in the order of the jobs
// (pm_multicurve_contexts_answers). Numbers go on to registers of the context as they come
// (pm_multicurve_contexts_numbers); a load_curve job waits until all others have ended, and others
// until it has.
//   Points:   a job with the scalar 0 ends with the reason `infinity`, if its point is on the
//             curve: so base points and those of `check` are looked at.
//   Results:  stay in the registers of their context until they have left.
// Timing:   that of pm_multicurve_contexts_numbers, then of the program, then of
//           pm_multicurve_contexts_answers.
// Handshake: beats of jobs are those of pm_multicurve_rx, beats of results those of
//           pm_multicurve_contexts_answers. A soft reset ends open jobs with `aborted`; a context
//           works on until its program ends, and only then has another job. reset_done_o comes
//           then.
// Reset:    asynchronous, active low: no job, no curve.
// Constant time: NO. Scalars are public; one that is secret goes no further than the header.
module pm_multicurve_contexts_jobs
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
#(
    parameter int unsigned Digit = 45,  // of pm_multicurve_contexts
    parameter int unsigned Columns = 6,
    localparam int unsigned IndexBits = $clog2(Columns + 1),
    localparam int unsigned CountBits = $clog2(Digit * (Columns + 1) + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic in_valid_i,  // a beat is offered
    output logic in_ready_o,  // it is taken
    input logic [63:0] in_data_i,  // bytes
    input logic [7:0] in_keep_i,  // bytes that count
    input logic in_last_i,  // last beat of the packet
    // registers
    input logic soft_reset_i,  // pulse: answer all jobs
    output logic reset_done_o,  // pulse: nothing of before it is left
    output logic busy_o,  // a packet or a job is under way
    output logic mul_issue_o,  // pulse: a product begins
    // answers
    output logic result_valid_o,  // there is the next beat
    input logic beat_ready_i,  // it is taken
    input logic result_ready_i,  // it is the last one
    output logic [31:0] tag_o,  // tag of the job
    output logic [7:0] op_o,  // its operation
    output mc_reason_e reason_o,  // reason
    output logic infinity_o,  // the result is infinity
    output logic [31:0] cycles_o,  // cycles from header to answer
    output logic [63:0] word_o  // of the payload, if it is the next beat
);

  import pm_multicurve_contexts_ucode_pkg::reason_e;

  // ---- packets ----------------------------------------------------------------------------------

  packet_t packet;
  step_e   step;
  logic [Contexts-1:0] open, idle, taken;
  logic valid_q;  // a curve is loaded
  logic curve_job_q;  // a load_curve job is open
  logic steps_idle, full, fault, receiving, header, curve, beat, given, refused;
  mc_reason_e fault_reason, refusal;

  pm_multicurve_contexts_intake u_intake (
      .clk_i,
      .rst_ni,
      .in_valid_i,
      .in_ready_o,
      .in_data_i,
      .in_keep_i,
      .in_last_i,
      .open_i(open),
      .idle_i(idle),
      .taken_i(taken),
      .curve_i(valid_q),
      .curve_job_i(curve_job_q),
      .steps_idle_i(steps_idle),
      .full_i(full),
      .fault_i(fault),
      .fault_reason_i(fault_reason),
      .busy_o(receiving),
      .header_o(header),
      .curve_o(curve),
      .beat_o(beat),
      .packet_o(packet),
      .given_o(given),
      .refused_o(refused),
      .refusal_o(refusal)
  );

  assign busy_o = receiving || open != '0 || idle != '1 || !steps_idle;

  // ---- curve ------------------------------------------------------------------------------------
  // One is loaded when its base point is known to be on it; a job that fails to do so leaves none.

  logic checking_q;  // the base point is looked at
  logic check_q;  // it is to be
  logic base_q;  // there is a base point
  logic check_now;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {valid_q, curve_job_q, checking_q, check_q} <= '0;
    else begin
      if (curve) curve_job_q <= 1'b1;
      else if (curve_job_q && taken != '0) begin
        {curve_job_q, checking_q, check_q} <= '0;
        valid_q <= reason_o == ReasonOk;
      end
      if (check_now) {checking_q, check_q} <= '1;
      else if (step == StepStart) check_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) if (given && curve_job_q) base_q <= !packet.no_base;

  // ---- jobs -------------------------------------------------------------------------------------

  load_t load;
  verdict_t verdict;
  answer_t [Contexts-1:0] answers;
  logic [Contexts-1:0] start, fresh, offered, live, left;
  logic finish, long, named;
  ctx_t finish_ctx;
  logic [Digit-1:0] load_digit, p;

  for (genvar c = 0; c < int'(Contexts); c++) begin : gen_job
    logic in_packet, in_step;

    assign in_packet = packet.ctx == ctx_t'(c);
    assign in_step   = load.ctx == ctx_t'(c);

    pm_multicurve_contexts_job u_job (
        .clk_i,
        .rst_ni,
        .soft_reset_i,
        .left_o(left[c]),
        .header_i(header && in_packet),
        .tag_i(in_data_i[63:32]),
        .op_i(in_data_i[15:8]),
        .given_i(given && in_packet),
        .refused_i(refused),
        .refusal_i(refusal),
        .open_o(open[c]),
        .idle_i(idle[c]),
        .start_o(start[c]),
        .fresh_o(fresh[c]),
        .more_i(step == StepStart && in_step),
        .finish_i(finish && finish_ctx == ctx_t'(c)),
        .verdict_i(verdict),
        .live_o(live[c]),
        .offered_o(offered[c]),
        .answer_o(answers[c]),
        .taken_i(taken[c])
    );
  end

  // Nothing of before a soft reset is left when all jobs are answered and no context has one of
  // those that were.
  logic waiting_q;

  assign reset_done_o = waiting_q && left == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) waiting_q <= 1'b0;
    else waiting_q <= soft_reset_i || (waiting_q && !reset_done_o);
  end

  // ---- numbers and answers ----------------------------------------------------------------------

  serial_request_t step_request, send_request, request;
  serial_answer_t serial;
  answer_t answer;
  logic [CountBits-1:0] bits;
  logic [$clog2(Digit*(Columns+1))-1:0] top;
  logic [Digit-1:0] factor, step_digit, send_digit, serial_digit;
  logic load_soon, hold, turn_p, sending;
  logic [Contexts-1:0] read;  // a result
  logic read_y, result_valid, result_y;
  logic [IndexBits-1:0] result_index;
  logic [Digit-1:0] result_digit;

  pm_multicurve_contexts_numbers #(
      .Digit  (Digit),
      .Columns(Columns)
  ) u_numbers (
      .clk_i,
      .rst_ni,
      .header_i(header),
      .curve_i(curve),
      .beat_i(beat),
      .data_i(in_data_i),
      .packet_i(packet),
      .full_o(full),
      .fault_o(fault),
      .fault_reason_o(fault_reason),
      .check_i(check_q),
      .base_i(base_q),
      .step_o(step),
      .idle_o(steps_idle),
      .load_o(load),
      .load_digit_o(load_digit),
      .load_soon_i(load_soon),
      .p_o(p),
      .long_o(long),
      .named_o(named),
      .bits_o(bits),
      .hold_i(hold),
      .turn_i(turn_p),
      .serial_o(step_request),
      .serial_digit_o(step_digit),
      .factor_o(factor),
      .serial_i(serial),
      .serial_digit_i(serial_digit)
  );

  pm_multicurve_contexts_answers #(
      .Digit  (Digit),
      .Columns(Columns)
  ) u_answers (
      .clk_i,
      .rst_ni,
      .offered_i(offered),
      .answers_i(answers),
      .taken_o(taken),
      .read_o(read),
      .read_y_o(read_y),
      .digit_valid_i(result_valid),
      .digit_y_i(result_y),
      .digit_index_i(result_index),
      .digit_i(result_digit),
      .p_i(p),
      .long_i(long),
      .steps_idle_i(steps_idle),
      .hold_o(hold),
      .turn_o(turn_p),
      .serial_valid_o(sending),
      .serial_o(send_request),
      .serial_digit_o(send_digit),
      .serial_i(serial),
      .serial_digit_i(serial_digit),
      .result_valid_o,
      .beat_ready_i,
      .result_ready_i,
      .answer_o(answer),
      .word_o
  );

  assign {tag_o, op_o, reason_o} = {answer.tag, answer.op, answer.reason};
  assign {infinity_o, cycles_o} = {answer.infinity, answer.cycles};

  // No curve is loaded while there is a result: no step of one needs the serial unit then.
  assign request = sending ? send_request : step_request;

  pm_multicurve_contexts_serial #(
      .Digit (Digit),
      .Digits(Columns + 1)
  ) u_serial (
      .clk_i,
      .rst_ni,
      .start_i(request.start),
      .first_i(request.first),
      .mode_i(request.mode),
      .factor_i(factor),
      .digit_i(sending ? send_digit : step_digit),
      .step_i(request.step),
      .busy_o(serial.busy),
      .last_o(serial.last),
      .bit_o(serial.value),
      .digit_o(serial_digit),
      .clear_o(serial.clear),
      .top_o(top)
  );

  assign serial.top = place_t'(top);

  // ---- engine -----------------------------------------------------------------------------------

  reason_e engine_verdict;

  pm_multicurve_contexts #(
      .Digit  (Digit),
      .Columns(Columns)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .long_i(long),
      .named_i(named),
      .bits_i(bits),
      .load_valid_i(load.valid),
      .load_soon_o(load_soon),
      .load_shared_i(load.shared),
      .load_ctx_i(load.ctx),
      .load_register_i(load.number),
      .load_digit_i(load_digit),
      .start_i(start),
      .curve_i(fresh != '0 && curve_job_q),
      .idle_o(idle),
      .read_i(read),
      .read_y_i(read_y),
      .result_valid_o(result_valid),
      .result_y_o(result_y),
      .result_index_o(result_index),
      .result_digit_o(result_digit),
      .finish_o(finish),
      .finish_ctx_o(finish_ctx),
      .reason_o(engine_verdict),
      .mul_issue_o
  );

  always_comb begin
    verdict = '{reason: ReasonOk, default: '0};
    unique case (engine_verdict)
      pm_multicurve_contexts_ucode_pkg::ReasonOk:
      verdict.check = curve_job_q && !checking_q && base_q;
      pm_multicurve_contexts_ucode_pkg::ReasonInfinity: verdict.infinity = 1'b1;
      pm_multicurve_contexts_ucode_pkg::ReasonNoField: verdict.reason = ReasonParameterOutOfRange;
      pm_multicurve_contexts_ucode_pkg::ReasonSingularCurve: verdict.reason = ReasonSingularCurve;
      pm_multicurve_contexts_ucode_pkg::ReasonInvalidPoint: verdict.reason = ReasonInvalidPoint;
      pm_multicurve_contexts_ucode_pkg::ReasonResultOffCurve: verdict.reason = ReasonResultOffCurve;
      default: ;
    endcase
  end

  assign check_now = finish && live[finish_ctx] && verdict.check;

endmodule
