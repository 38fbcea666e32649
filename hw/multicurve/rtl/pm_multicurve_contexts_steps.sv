// SPDX-License-Identifier: Apache-2.0
//
// The order of what is done with numbers in configuration `contexts` of `multicurve`: what is made
// of p, where a number of a packet goes, and a job for the base point of a curve.
//
// Computes: step_o, all of the step under way. Between sequences of steps what is most urgent is
//           chosen: the base point of a new curve, then the number of the packet.
// Timing:   a cycle for a digit, from that on in which the engine takes the lowest one; Digit + 2
//           cycles for one of the serial unit.
// Handshake: number_i (pulse): all of a number of the packet is there from the next cycle on. With
//           full_o it waits, or is worked on. In a cycle with hold_i no sequence begins.
// Reset:    asynchronous, active low: nothing is to be done.
// Constant time: NO. Numbers are public.
module pm_multicurve_contexts_steps
  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_jobs_pkg::*;
#(
    parameter int unsigned Columns = 7  // of pm_multicurve_contexts
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    // packet
    input logic number_i,  // pulse: a number comes
    input packet_t packet_i,  // whose it is
    input logic [2:0] which_i,  // which operand the number is
    input logic bad_field_i,  // p is none
    output logic full_o,  // there is a number
    // jobs
    input logic check_i,  // the base point is to be looked at
    input ctx_t curve_ctx_i,  // in this context
    // what takes digits
    input logic hold_i,  // p is used elsewhere
    input logic serial_ends_i,  // the last bit of a digit passes in the serial unit
    input logic load_soon_i,  // the engine takes a lowest digit in the next cycle
    output step_t step_o  // the step
);

  step_e name_d;
  step_t step_d;
  logic of_base, skipped, begins;
  logic [3:0] last_count;

  // The order and, without it, the base point of a curve are not looked at.
  assign of_base = packet_i.op == OpcodeLoadCurve && which_i > 3'd2;
  assign skipped = of_base && (which_i == 3'd5 || packet_i.no_base);

  always_comb begin
    name_d = step_o.name;
    unique case (step_o.name)
      StepIdle: begin
        if (hold_i) name_d = StepIdle;
        else if (check_i) name_d = StepZero;
        else if (full_o && !skipped) begin
          name_d = StepNumber;
          if (packet_i.op == OpcodeLoadCurve && which_i == '0) name_d = StepField;
          if (packet_i.op == OpcodeCheck && which_i == '0) name_d = StepZero;
        end
      end
      StepField: name_d = StepInverse;
      StepInverse: name_d = StepDivides;
      StepDivides: name_d = StepScale;
      StepScale: name_d = bad_field_i ? StepIdle : StepModulus;
      StepModulus: name_d = StepK;
      StepK: name_d = StepPower;
      StepPower: name_d = StepRoot;
      StepRoot: name_d = StepHalve;
      StepHalve: name_d = StepExponent;
      StepZero: name_d = check_i ? StepBaseX : StepNumber;
      StepNumber: name_d = packet_i.op == OpcodeEcmulBase ? StepBaseX : StepIdle;
      StepBaseX: name_d = StepBaseY;
      StepBaseY: name_d = check_i ? StepStart : StepIdle;
      default: name_d = StepIdle;  // StepExponent, StepStart
    endcase
  end

  function automatic kind_t kind(step_e name, logic base);
    kind = '0;
    unique case (name)
      StepInverse, StepDivides: kind.divides = 1'b1;
      StepScale: kind.scales = 1'b1;
      StepHalve: kind.halves = 1'b1;
      StepField, StepModulus, StepExponent, StepNumber: kind.from_number = 1'b1;
      StepK, StepPower, StepRoot: kind.from_k = 1'b1;
      StepBaseX, StepBaseY: kind.from_base = 1'b1;
      StepZero: kind.zeros = 1'b1;
      default: kind.idle = name == StepIdle;
    endcase
    kind.to_base = name == StepNumber && base;
    kind.serial = kind.divides || kind.scales || kind.halves;
    kind.moves = kind.from_number || kind.from_k || kind.from_base || kind.zeros;
    kind.to_engine = kind.moves && name != StepField && !kind.to_base;
  endfunction

  assign begins = step_o.kind.idle || step_o.last;

  // Many bits read go and last: they are known a cycle before.
  always_comb begin
    step_d = step_o;
    last_count = 4'(Columns);
    if (step_o.kind.divides) last_count = 4'd0;
    if (step_o.kind.halves) last_count = 4'(Columns + 1);
    if (begins) begin
      step_d.name  = name_d;
      step_d.kind  = kind(name_d, of_base);
      step_d.begun = 1'b0;
      step_d.count = '0;
      step_d.go    = step_d.kind.moves && (!step_d.kind.to_engine || load_soon_i);
      step_d.last  = name_d == StepStart;
    end else begin
      // Each digit is a start of the serial unit.
      if (step_o.kind.serial || step_o.go) step_d.begun = !(step_o.kind.serial && step_o.go);
      if (step_o.go) step_d.count = step_o.count + 4'd1;
      if (step_o.kind.serial) step_d.go = step_o.begun && serial_ends_i;
      else begin
        step_d.go = step_o.kind.moves && (step_d.begun || !step_o.kind.to_engine || load_soon_i);
      end
      step_d.last = step_d.go && step_d.count == last_count;
    end
    if (step_o.kind.idle) step_d.ctx = check_i ? curve_ctx_i : packet_i.ctx;
    step_d.low = step_d.count < 4'(Columns);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_o <= '{name: StepIdle, kind: kind(StepIdle, 1'b0), default: '0};
      full_o <= 1'b0;
    end else begin
      step_o <= step_d;
      if (number_i) full_o <= 1'b1;
      else if (step_o.kind.idle ? skipped :
               step_o.last && name_d == StepIdle && step_o.name != StepStart)
        full_o <= 1'b0;
    end
  end

endmodule
