// SPDX-License-Identifier: Apache-2.0
//
// Results of configuration `contexts` of `multicurve`: offers those of the contexts in turn, and
// divides coordinates by k as they leave.
//
// Computes: coordinates, of digits that are k times one, or k p for 0. One whose lowest digit is
//           that of k p, which has all bits 1, is divided and compared with p first.
// Timing:   two coordinates are divided in 2 (Columns + 1) (Digit + 2) cycles from the verdict on,
//           and those until each digit comes, at most two turns; twice that for what may be 0.
// Handshake: result_valid_o is a level of the next beat of pm_multicurve_tx: with beat_ready_i it
//           is taken, the last one with result_ready_i; word_o is the word of the payload, if it is
//           one. While read_o[c] context c gives digits of y with read_y_o, else of x, in any
//           order, again and again. A comparison begins when steps_idle_i, and hold_o keeps the
//           next step back while it lasts; each of its digits has the digit of p, then turn_o
//           (pulse).
// Reset:    asynchronous, active low: the first result is that of context 0.
// Constant time: NO. Results are public.
module pm_multicurve_contexts_answers
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
#(
    parameter int unsigned Digit = 45,  // of pm_multicurve_contexts
    parameter int unsigned Columns = 7,
    localparam int unsigned IndexBits = $clog2(Columns + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // jobs
    input logic [Contexts-1:0] offered_i,  // they have an answer
    input answer_t [Contexts-1:0] answers_i,  // it
    output logic [Contexts-1:0] taken_o,  // pulse: the answer is taken
    // digits of results
    output logic [Contexts-1:0] read_o,  // of this context
    output logic read_y_o,
    input logic digit_valid_i,  // one is there
    input logic digit_y_i,
    input logic [IndexBits-1:0] digit_index_i,
    input logic [Digit-1:0] digit_i,
    // field
    input logic [Digit-1:0] p_i,  // the digit of p whose turn it is
    input logic long_i,  // results have Columns + 1 digits
    input logic steps_idle_i,  // nothing is done with numbers
    output logic hold_o,  // nothing is to be
    output logic turn_o,  // pulse: the next digit of p
    // serial unit
    output logic serial_valid_o,  // it is for a result
    output serial_request_t serial_o,  // to it, whose factor is k
    output logic [Digit-1:0] serial_digit_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input serial_answer_t serial_i,  // from it; places and remainders are those of p
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [Digit-1:0] serial_digit_i,
    // transmitter
    output logic result_valid_o,  // there is the next beat
    input logic beat_ready_i,  // it is taken
    input logic result_ready_i,  // it is the last one
    output answer_t answer_o,  // the answer
    output logic [63:0] word_o  // of the payload
);

  localparam int unsigned Words = words(Digit, Columns);

  typedef enum logic [1:0] {
    StIdle,
    StHold,   // until nothing is done with numbers
    StTest,   // whether a coordinate is k p
    StDivide  // words
  } state_e;

  state_e state_q;
  ctx_t turn_q;
  logic [3:0] count_q;  // digits
  logic last_digit, word_step;

  assign last_digit = count_q == 4'(Columns);

  // ---- beats ------------------------------------------------------------------------------------

  logic offered_q, taken, has_payload_q, payload, beat_taken, word_taken, word_full_q;
  logic header_q;  // the beat is one of the header; else it is one of a coordinate
  logic [3:0] place_q;  // of the beat there
  logic second_word_q;  // it is one of y
  logic divided_q;  // it is a word of quotients, and no 0 above them
  logic last_word_q;  // the highest such
  logic [5:0] bit_q;
  logic [63:0] word_q;
  logic [1:0] zero_q;  // x and y
  answer_t answer;

  // A cycle later than jobs offer them, and are told that they are taken.
  assign answer = answers_i[turn_q];

  always_ff @(posedge clk_i) begin
    if (!offered_q) begin
      answer_o <= answer;
      has_payload_q <= answer.reason == ReasonOk && opcode_payload(
          answer.op
      ) != '0 && !answer.infinity;
    end
  end

  assign payload = offered_q && has_payload_q;
  assign result_valid_o = offered_q && (!has_payload_q || !divided_q || word_full_q);
  assign taken = result_valid_o && result_ready_i;
  assign beat_taken = result_valid_o && beat_ready_i;
  assign word_taken = beat_taken && has_payload_q && divided_q;

  // Of Columns digits, which are no whole words; the digit above them is 0.
  localparam int unsigned LastBits = most_bits(Digit, Columns) - 64 * (Words - 1);
  localparam int unsigned LastPlace = 64 * Words - Digit * Columns;

  always_comb begin
    word_o = '0;
    if (!zero_q[second_word_q] && divided_q) begin
      if (last_word_q) word_o[LastBits-1:0] = word_q[LastPlace+:LastBits];
      else word_o = word_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      turn_q <= '0;
      header_q <= 1'b1;
      {offered_q, taken_o, place_q, second_word_q, divided_q, last_word_q} <= '0;
      {bit_q, word_full_q} <= '0;
    end else begin
      offered_q <= offered_i[turn_q] && !taken;
      taken_o   <= only(turn_q, taken);
      if (taken) begin
        turn_q <= next(turn_q);
        header_q <= 1'b1;
        {place_q, second_word_q, divided_q, last_word_q} <= '0;
      end else if (beat_taken) begin
        if (place_q == (header_q ? 4'(ResultBeats - 1) : 4'(OperandBeats - 1))) begin
          place_q <= '0;
          second_word_q <= !header_q;
          {header_q, divided_q, last_word_q} <= 3'b010;
        end else begin
          place_q <= place_q + 4'd1;
          divided_q <= divided_q && place_q < 4'(Words - 1);
          last_word_q <= divided_q && place_q == 4'(Words - 2);
        end
      end
      if (word_taken) {word_full_q, bit_q} <= '0;
      else if (word_step) begin
        if (!last_digit) bit_q <= bit_q + 6'd1;
        word_full_q <= last_digit ? serial_i.last : bit_q == '1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (word_step && !last_digit) word_q <= {serial_i.value, word_q[63:1]};
  end

  // ---- digits -----------------------------------------------------------------------------------

  logic second_q;  // y
  logic begun_q, ended_q, tested_q, digit_zero, digit_comes, digit_done, suspect, start;

  assign digit_zero = !long_i && last_digit;
  assign digit_comes = digit_valid_i && digit_y_i == second_q && 4'(digit_index_i) == count_q;
  assign start = (state_q == StTest || state_q == StDivide) && !begun_q && !suspect &&
      (digit_comes || digit_zero);
  assign suspect = state_q == StDivide && count_q == '0 && digit_comes && digit_i == '1 &&
      !tested_q && !begun_q;
  assign digit_done = begun_q && !serial_i.busy;
  assign hold_o = state_q == StHold || state_q == StTest;
  assign turn_o = state_q == StTest && digit_done && !last_digit;
  assign word_step = state_q == StDivide && begun_q && serial_i.busy && !word_full_q;

  assign read_o = only(turn_q, state_q != StIdle);
  assign read_y_o = second_q;
  assign serial_valid_o = state_q != StIdle;
  assign serial_o = '{
          start: start,
          first: count_q == '0,
          mode: SerialDivide,
          step: state_q != StDivide || word_step
      };
  assign serial_digit_o = digit_zero ? '0 : digit_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      {second_q, count_q, begun_q, ended_q, tested_q, zero_q} <= '0;
    end else begin
      unique case (state_q)
        StIdle:
        if (payload && !ended_q) begin
          zero_q  <= '0;
          state_q <= StDivide;
        end
        StHold: if (steps_idle_i) state_q <= StTest;
        default: begin
          begun_q <= start || (begun_q && !digit_done);
          if (suspect) begin
            state_q <= StHold;
            zero_q[second_q] <= 1'b1;
          end
          if (digit_done) begin
            count_q <= last_digit ? '0 : count_q + 4'd1;
            if (last_digit) begin
              tested_q <= state_q == StTest;
              if (state_q == StTest) state_q <= StDivide;
              else begin
                second_q <= !second_q;
                if (second_q) {state_q, ended_q} <= {StIdle, 1'b1};
              end
            end
            if (turn_o && serial_digit_i != p_i) zero_q[second_q] <= 1'b0;
          end
        end
      endcase
      if (taken) ended_q <= 1'b0;
    end
  end

endmodule
