// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts_jobs share, and tell each other.

package pm_multicurve_contexts_jobs_pkg;

  import pm_multicurve_pkg::*;
  import pm_multicurve_contexts_pkg::*;
  import pm_multicurve_contexts_isa_pkg::RegisterBits;

  localparam int unsigned Contexts = 3;

  typedef logic [$clog2(Contexts)-1:0] ctx_t;
  typedef logic [9:0] place_t;  // of a bit of a number

  // Bits of p at most: R of Columns digits is at least 8192 p.
  function automatic int unsigned most_bits(int unsigned digit, int unsigned columns);
    return digit * columns - 13;
  endfunction

  // 64-bit words of a packet's number that may be other than 0.
  function automatic int unsigned words(int unsigned digit, int unsigned columns);
    return (most_bits(digit, columns) + 63) / 64;
  endfunction

  function automatic ctx_t next(ctx_t ctx);
    return ctx == ctx_t'(Contexts - 1) ? '0 : ctx + ctx_t'(1);
  endfunction

  // What is true of one context alone.
  function automatic logic [Contexts-1:0] only(ctx_t ctx, logic value);
    for (int unsigned c = 0; c < Contexts; c++) only[c] = value && ctx == ctx_t'(c);
  endfunction

  // The packet under way.
  typedef struct packed {
    ctx_t       ctx;
    logic [7:0] op;
    logic       no_base;  // its curve has no base point
  } packet_t;

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
    StepStart      // the context begins
  } step_e;

  // What it does, in registers of its own: many bits read each.
  typedef struct packed {
    logic idle;
    logic divides;      // the serial unit does
    logic scales;
    logic halves;
    logic from_number;  // that number passes
    logic from_k;
    logic from_base;
    logic zeros;        // 0 does
    logic to_base;      // it is one of the base point
    logic to_engine;    // it goes to the engine
    logic moves;        // a number passes
    logic serial;       // the serial unit computes
  } kind_t;

  // Where a step is.
  typedef struct packed {
    step_e      name;
    kind_t      kind;
    ctx_t       ctx;    // whose numbers pass
    logic [3:0] count;  // of the digit that is to go
    logic       begun;  // the first one has gone, or the serial unit works on it
    logic       low;    // that is one of the lowest Columns digits
    logic       go;     // the digit goes
    logic       last;   // the step ends
  } step_t;

  // Where a digit goes in the engine (pm_multicurve_contexts).
  typedef struct packed {
    logic                    valid;
    logic                    shared;  // a number of all contexts
    ctx_t                    ctx;     // else of this one
    logic [RegisterBits-1:0] number;  // of the register
  } load_t;

  // What pm_multicurve_contexts_serial is asked, and tells, beside digits.
  typedef struct packed {
    logic         start;
    logic         first;
    serial_mode_e mode;
    logic         step;
  } serial_request_t;

  typedef struct packed {
    logic   busy;
    logic   last;
    logic   value;  // of the bit that passes
    logic   clear;
    place_t top;
  } serial_answer_t;

  // What a program of a context ended with.
  typedef struct packed {
    logic       check;     // the curve is one; its base point is looked at next
    logic       infinity;
    mc_reason_e reason;
  } verdict_t;

  // The answer to a job.
  typedef struct packed {
    logic [31:0] tag;
    logic [7:0]  op;
    mc_reason_e  reason;
    logic        infinity;
    logic [31:0] cycles;    // from header to answer
  } answer_t;

endpackage
