// SPDX-License-Identifier: Apache-2.0
//
// Numbers of jobs in configuration `contexts` of `multicurve`: those of a packet go on to registers
// of a context as they come.
//
// Field:    k = -1/p mod 2^Digit, k p + 1, (p - 3) / 2 and what p is come from
//           pm_multicurve_contexts_serial.
// Points:   `check` and the base point of a new curve get the scalar 0.
// Ranges:   p is odd, above 2, of at most Digit Columns - 13 bits, and of more than Digit bits or
//           no divisor of k; a, b and coordinates are below p. fault_o and fault_reason_o tell the
//           first number of a packet of which that is not so.
// Timing:   (2 Columns + 5) (Digit + 2) + Columns + 1 cycles from the last beat of p until the next
//           one is taken, but for the cycles until the engine takes five numbers; Columns + 1 a
//           number else, and at most two slots until it is taken.
// Handshake: a beat of a number comes with beat_i, when !full_o. Digits for the engine are those of
//           pm_multicurve_contexts.
// Reset:    asynchronous, active low: no number is there.
// Constant time: NO. All numbers are public.
module pm_multicurve_contexts_numbers
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
#(
    parameter int unsigned Digit = 45,  // of pm_multicurve_contexts
    parameter int unsigned Columns = 6,
    localparam int unsigned CountBits = $clog2(Digit * (Columns + 1) + 1)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // packet
    input logic header_i,  // pulse: its header
    input logic curve_i,  // pulse: a cycle later, if it loads a curve
    input logic beat_i,  // pulse: a beat of its numbers
    input logic [63:0] data_i,  // that
    input packet_t packet_i,  // what it is
    output logic full_o,  // a number waits, or is worked on
    output logic fault_o,  // one is wrong
    output mc_reason_e fault_reason_o,  // for this reason
    // jobs
    input logic check_i,  // the base point is to be looked at
    input logic base_i,  // the curve has one
    output step_e step_o,  // what is done
    output logic idle_o,  // nothing is
    // engine
    output load_t load_o,  // where digits go; without valid, those behind the lowest
    output logic [Digit-1:0] load_digit_o,  // they
    input logic load_soon_i,  // the lowest is taken in the next cycle
    // field
    output logic [Digit-1:0] p_o,  // the digit of p whose turn it is
    output logic long_o,  // numbers of the engine have Columns + 1 digits
    output logic named_o,  // p is the special prime of the form
    output logic [CountBits-1:0] bits_o,  // bits of p, less one
    input logic hold_i,  // its digits are used
    input logic turn_i,  // pulse: the next digit of p
    output serial_request_t serial_o,  // to the serial unit
    output logic [Digit-1:0] serial_digit_o,
    output logic [Digit-1:0] factor_o,  // its factor, k but while p alone is known
    /* verilator lint_off UNUSEDSIGNAL */
    input serial_answer_t serial_i,  // from it; bits are those of results
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [Digit-1:0] serial_digit_i
);

  import pm_multicurve_contexts_ucode_pkg::ExtK;
  import pm_multicurve_contexts_ucode_pkg::ExtExponent;
  import pm_multicurve_contexts_isa_pkg::RegisterBits;

  localparam int unsigned TakenBits = Digit * (Columns + 1);  // of a number that the engine takes
  localparam int unsigned Bits = Digit * Columns;  // of numbers that are compared
  // Of p, and of k p + 1 where R has Columns digits.
  localparam int unsigned MostBits = most_bits(Digit, Columns);
  localparam int unsigned Words = words(Digit, Columns);
  localparam int unsigned Rest = 64 * (Words - 1);  // the last word and what is above it
  localparam int unsigned RestBits = TakenBits - Rest;

  typedef logic [Digit-1:0] digit_t;

  localparam form_t Form = form(Columns);
  localparam digit_t [Columns:0] Named = TakenBits'(Form.named_prime);

  step_t step;
  logic [2:0] which_q;  // operand
  ctx_t curve_ctx_q;
  logic bad_field, number_last;

  pm_multicurve_contexts_steps #(
      .Columns(Columns)
  ) u_steps (
      .clk_i,
      .rst_ni,
      .number_i(number_last),
      .packet_i,
      .which_i(which_q),
      .bad_field_i(bad_field),
      .full_o,
      .check_i,
      .curve_ctx_i(curve_ctx_q),
      .hold_i,
      .serial_ends_i(serial_i.busy && serial_i.last),
      .load_soon_i,
      .step_o(step)
  );

  assign step_o = step.name;
  assign idle_o = step.kind.idle;

  always_ff @(posedge clk_i) begin
    if (curve_i) curve_ctx_q <= packet_i.ctx;
  end

  // ---- number of the packet ---------------------------------------------------------------------

  logic [TakenBits-1:0] number_q;
  logic [3:0] beat_q;
  logic [2:0] operand_q;  // that comes
  logic wide_q;  // the number has more bits than are compared
  logic push;

  assign number_last = beat_i && beat_q == 4'(OperandBeats - 1);

  always_ff @(posedge clk_i) begin
    if (header_i) {beat_q, operand_q} <= '0;
    else if (number_last) {operand_q, beat_q} <= {operand_q + 3'd1, 4'd0};
    else if (beat_i) beat_q <= beat_q + 4'd1;
    if (beat_i) begin
      if (beat_q < 4'(Bits / 64)) wide_q <= 1'b0;
      else if (beat_q == 4'(Bits / 64)) wide_q <= data_i[63:Bits%64] != '0;
      else wide_q <= wide_q || data_i != '0;
      which_q <= operand_q;
    end
    for (int unsigned b = 0; b < Words - 1; b++) begin
      if (beat_i && beat_q == 4'(b)) number_q[64*b+:64] <= data_i;
    end
    if (beat_i && beat_q == 4'(Words - 1)) number_q[TakenBits-1:Rest] <= RestBits'(data_i);
    if (push) number_q <= {step.kind.serial ? serial_digit_i : '0, number_q[TakenBits-1:Digit]};
  end

  // The number leaves by digits, and what the serial unit makes of p comes in by digits.
  assign push = step.go && (step.kind.from_number || step.kind.scales ||
                            (step.kind.halves && step.count != '0));

  // ---- field and base point ---------------------------------------------------------------------

  digit_t [  Columns-1:0] p_q;  // goes round with each number
  digit_t [2*Columns-1:0] point_q;
  digit_t k_q, moved, compared;
  logic short_q, divides_q, below_q, scalar, low_go;

  assign low_go = step.go && step.low;
  assign p_o = p_q[0];

  always_comb begin
    moved = step.kind.from_number ? number_q[Digit-1:0] : '0;
    if (step.kind.from_k && step.count == '0) moved |= k_q;
    if (step.kind.from_base && step.low) moved |= point_q[0];
  end

  // Numbers are compared with p from the lowest digit on. A scalar has at most one bit more than p
  // if without its lowest bit, and without the bits that p has too, it is below p: x has more bits
  // than y just if y is below x & ~y.
  assign scalar   = packet_i.op != OpcodeLoadCurve && packet_i.op != OpcodeCheck && which_q == '0;
  assign compared = scalar ? number_q[Digit:1] & ~p_q[0] : number_q[Digit-1:0];

  always_ff @(posedge clk_i) begin
    if (step.kind.moves && low_go) begin
      below_q <= compared < p_q[0] || (compared == p_q[0] && below_q && step.count != '0);
    end
    if (turn_i || (low_go && (step.kind.moves || step.kind.scales || step.kind.halves))) begin
      p_q <= {step.name == StepField ? moved : p_q[0], p_q[Columns-1:1]};
    end
    if (low_go && (step.kind.to_base || step.kind.from_base)) begin
      point_q <= {step.kind.to_base ? moved : point_q[0], point_q[2*Columns-1:1]};
    end
    if (step.go) begin
      unique case (step.name)
        StepField: begin
          short_q <= step.count == '0 || (short_q && number_q[Digit-1:0] == '0);
          named_o <= number_q[Digit-1:0] == Named[step.count] && (step.count == '0 || named_o);
        end
        StepInverse: k_q <= serial_digit_i;
        StepDivides: divides_q <= serial_i.clear;
        StepScale: begin
          if (step.count == 4'(Columns - 1)) begin
            long_o <= serial_digit_i[Digit-1:MostBits%Digit] != '0;
          end
          if (step.last) begin
            long_o <= !named_o && (Columns == 6 || long_o || serial_digit_i != '0);
            bits_o <= CountBits'(serial_i.top);
          end
        end
        default: ;
      endcase
    end
  end

  assign factor_o = step.kind.divides ? p_q[0] : k_q;

  always_comb begin
    serial_o = '{
        start: step.kind.serial && !step.begun,
        first: step.count == '0,
        mode: SerialScale,
        step: 1'b1
    };
    serial_digit_o = step.low ? p_q[0] : '0;
    if (step.kind.halves) serial_o.mode = SerialHalve;
    if (step.kind.divides) begin
      serial_o.mode  = SerialDivide;
      serial_digit_o = step.name == StepInverse ? '1 : k_q;
    end
  end

  // ---- what is wrong with numbers ---------------------------------------------------------------

  mc_reason_e field_reason, number_reason;
  logic odd;

  assign odd = p_q[0][0] && (serial_i.top != '0 || wide_q);
  assign bad_field = !odd || wide_q || serial_i.top >= place_t'(MostBits) || (short_q && divides_q);
  assign field_reason = odd ? ReasonParameterOutOfRange : ReasonModulusNotOdd;

  always_comb begin
    if (packet_i.op == OpcodeLoadCurve) number_reason = ReasonParameterOutOfRange;
    else number_reason = scalar ? ReasonScalarOutOfRange : ReasonInvalidPoint;
  end

  always_ff @(posedge clk_i) begin
    if (header_i) fault_o <= 1'b0;
    else if (!fault_o && step.last && step.name == StepScale) begin
      fault_o <= bad_field;
      fault_reason_o <= field_reason;
    end else if (!fault_o && step.last && step.name == StepNumber) begin
      fault_o <= wide_q || !below_q;
      fault_reason_o <= number_reason;
    end else if (!fault_o && step.name == StepBaseX && !base_i) begin
      fault_o <= 1'b1;
      fault_reason_o <= ReasonInvalidPoint;
    end
  end

  // ---- engine -----------------------------------------------------------------------------------

  assign load_o.valid = step.kind.to_engine && !step.begun;
  assign load_o.ctx   = step.ctx;
  assign load_digit_o = moved;

  always_comb begin
    load_o.shared = 1'b0;
    unique case (step.name)
      StepModulus: {load_o.shared, load_o.number} = {1'b1, RegisterBits'(LoadModulus)};
      StepK: {load_o.shared, load_o.number} = {1'b1, RegisterBits'(ExtK)};
      StepExponent: {load_o.shared, load_o.number} = {1'b1, RegisterBits'(ExtExponent)};
      StepPower: load_o.number = RegisterBits'(LoadPower);
      StepRoot: load_o.number = RegisterBits'(LoadInverse);
      StepZero: load_o.number = RegisterBits'(LoadScalar);
      StepBaseX: load_o.number = RegisterBits'(LoadPointX);
      StepBaseY: load_o.number = RegisterBits'(LoadPointY);
      default:
      unique case ({
        packet_i.op, which_q
      })
        {OpcodeLoadCurve, 3'd1} : load_o.number = RegisterBits'(LoadA);
        {OpcodeLoadCurve, 3'd2} : load_o.number = RegisterBits'(LoadB);
        {OpcodeEcmul, 3'd1}, {OpcodeCheck, 3'd0} : load_o.number = RegisterBits'(LoadPointX);
        {OpcodeEcmul, 3'd2}, {OpcodeCheck, 3'd1} : load_o.number = RegisterBits'(LoadPointY);
        default: load_o.number = RegisterBits'(LoadScalar);
      endcase
    endcase
  end

endmodule
