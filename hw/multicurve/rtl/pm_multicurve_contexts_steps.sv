// SPDX-License-Identifier: Apache-2.0
//
// The order of what is done with numbers in configuration `contexts` of `multicurve`: what is made
// of p, where a number of a packet goes, and which numbers a context gets for another program.
//
// Computes: step_o, all of the step under way. Between sequences of steps what is most urgent is
//           chosen: a job that is to be run again, then the base point of a new curve, then the
//           number of the packet.
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
    input logic [Contexts-1:0] again_i,  // to be run again
    input logic check_i,  // the base point is to be looked at
    input ctx_t curve_ctx_i,  // in this context
    // what takes digits
    input logic hold_i,  // p is used elsewhere
    input logic serial_busy_i,  // the serial unit works
    input logic load_ready_i,  // the engine takes a lowest digit
    output step_t step_o  // the step
);

  step_e name_d, name_q;
  kind_t kind_q;
  ctx_t ctx_q, again_ctx;
  logic [3:0] count_q, last_count;
  logic begun_q, of_base, skipped;

  // The order and, without it, the base point of a curve are not looked at.
  assign of_base = packet_i.op == OpcodeLoadCurve && which_i > 3'd2;
  assign skipped = of_base && (which_i == 3'd5 || packet_i.no_base);

  always_comb begin
    name_d = name_q;
    unique case (name_q)
      StepIdle: begin
        if (hold_i) name_d = StepIdle;
        else if (again_i != '0) name_d = StepAgainK;
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
      StepAgainK: name_d = StepAgainX;
      StepAgainX: name_d = StepAgainY;
      StepAgainY: name_d = StepStart;
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
      StepAgainK, StepAgainX, StepAgainY: kind.from_kept = 1'b1;
      StepZero: kind.zeros = 1'b1;
      default: kind.idle = name == StepIdle;
    endcase
    kind.to_base = name == StepNumber && base;
    kind.to_engine = name != StepField && !kind.to_base &&
        (kind.from_number || kind.from_k || kind.from_base || kind.from_kept || kind.zeros);
  endfunction

  always_comb begin
    step_o = '{
        name: name_q,
        kind: kind_q,
        ctx: ctx_q,
        count: count_q,
        begun: begun_q,
        serial: kind_q.divides || kind_q.scales || kind_q.halves,
        moves:
        kind_q.from_number
        ||
        kind_q.from_k
        ||
        kind_q.from_base
        ||
        kind_q.from_kept
        ||
        kind_q.zeros,
        default: '0
    };
    last_count = 4'(Columns);
    if (kind_q.divides) last_count = 4'd0;
    if (kind_q.halves) last_count = 4'(Columns + 1);
    if (step_o.serial) step_o.go = begun_q && !serial_busy_i;
    else step_o.go = step_o.moves && (begun_q || !kind_q.to_engine || load_ready_i);
    step_o.last = name_q == StepStart || (step_o.go && count_q == last_count);
  end

  always_comb begin
    again_ctx = '0;
    for (int unsigned c = 0; c < Contexts; c++) if (again_i[c]) again_ctx = ctx_t'(c);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      name_q  <= StepIdle;
      kind_q  <= kind(StepIdle, 1'b0);
      full_o  <= 1'b0;
      begun_q <= 1'b0;
      count_q <= '0;
    end else begin
      if (kind_q.idle || step_o.last) begin
        name_q  <= name_d;
        kind_q  <= kind(name_d, of_base);
        begun_q <= 1'b0;
        count_q <= '0;
      end else begin
        // Each digit is a start of the serial unit.
        if (step_o.serial || step_o.go) begun_q <= !(step_o.serial && step_o.go);
        if (step_o.go) count_q <= count_q + 4'd1;
      end
      if (number_i) full_o <= 1'b1;
      else if (kind_q.idle ? skipped : step_o.last && name_d == StepIdle && name_q != StepStart)
        full_o <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (kind_q.idle) begin
      ctx_q <= again_i != '0 ? again_ctx : check_i ? curve_ctx_i : packet_i.ctx;
    end
  end

endmodule
