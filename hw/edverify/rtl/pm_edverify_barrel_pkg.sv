// SPDX-License-Identifier: Apache-2.0
//
// Types of job control and engine for many contexts in `edverify`.

package pm_edverify_barrel_pkg;

  import pm_edverify_pkg::*;
  import pm_scalar_pkg::*;
  import pm_edverify_batch_pkg::*;

  // What a program begins with.
  typedef struct packed {
    logic [7:0]   op;
    batch_e       batch;  // what it does for a batch
    logic [7:0]   slot;   // of its key
    rule_flags_t  flags;  // what the rule set asks for
    logic [255:0] s;
    logic [255:0] r;
    logic [255:0] a;
  } program_t;

  // What a program ends with.
  typedef struct packed {
    reason_e reason;
    logic    zero;    // the result is zero
  } verdict_t;

  // What the answer of a context says, beside the header of its job.
  typedef struct packed {
    logic [7:0] op;
    reason_e    reason;
    logic       zero;    // the result is zero
  } answer_t;

  // State of a context. The program of its job, and what else the result waits for, end in either
  // order.
  typedef enum logic [2:0] {
    CtxFree,     // no job
    CtxPending,  // the program and something else are waited for
    CtxSeeded,   // its scalars are there, its program may start
    CtxRunning,  // nothing but the program is waited for
    CtxDecided,  // the program has ended, something else is waited for
    CtxDone,     // nothing is waited for, save for a recoded digit sequence or a batch
    CtxDropped   // malformed, too long or aborted: nothing more is to come
  } context_state_e;

  // A context with its job.
  typedef struct packed {
    context_state_e state;
    answer_t        answer;
    logic           cached;  // uses a cached key
    logic [7:0]     slot;    // its slot
    batch_e         batch;   // what it does for a batch; of a sum there is no answer
  } context_t;

  // The job that a context is given.
  typedef struct packed {
    logic [7:0] op;
    logic [7:0] slot;
    batch_e     batch;
  } placement_t;

  // What becomes of the receiver's job once it has a context; pulses.
  typedef struct packed {
    logic begins;     // the program of a verification starts
    logic cached;     // with a cached key
    logic malformed;
    logic too_long;   // its message is
    logic aborted;
  } rx_event_t;

  // What the transmitter sends.
  typedef struct packed {
    logic [7:0]  op;
    logic [31:0] tag;
    logic [7:0]  rule;
    reason_e     reason;
    logic        zero;    // the result is zero
    logic [31:0] cycles;  // from header to answer
  } result_t;

  // S and the digest of the receiver's job for the scalar unit.
  typedef struct packed {
    logic valid;   // they are offered
    logic spread;  // the job uses a cached key
  } half_t;

  // To and from the sign server.
  typedef struct packed {
    logic drop;    // pulse: forget the newest message, unless phase 1 has it
    logic phase1;  // scalars of the receiver's job are wanted
    logic phase2;  // S is wanted
  } sign_request_t;

  typedef struct packed {
    logic too_long;  // level: the newest message does not fit
    logic phase1;    // the request is taken
    logic phase2;
  } sign_status_t;

  // A job of the scalar unit.
  typedef struct packed {
    scalar_op_e   op;
    logic [253:0] a;
    logic [253:0] r;
    logic [511:0] digest;
  } scalar_job_t;

  // What batches want of the scalar unit and the multipliers of batches, and what they get.
  typedef struct packed {
    logic        valid;   // a job is offered
    scalar_job_t job;
    logic        digits;  // level: digits are for the lists of batches
    logic        z_take;  // pulse: the multiplier has been used
  } batch_request_t;

  typedef struct packed {
    logic         ready;        // the job is taken
    logic         total_valid;  // pulse: result of a Gather
    logic [511:0] total;
    logic         digits_done;  // pulse: all digits were pushed
    logic         z_valid;      // a multiplier is there
    logic [127:0] z;
  } batch_status_t;

  // An entry of a recoded digit sequence.
  typedef struct packed {
    logic        valid;
    logic        done;   // pulse: that was the last
    list_entry_t entry;  // lowest position first
  } list_push_t;

  // A product of the scalar unit on the engine's multiplier, and its half products.
  typedef struct packed {
    logic         valid;    // a product is offered
    logic         patient;  // it can wait, for a batch
    logic [257:0] a;
    logic [257:0] b;
  } share_request_t;

  typedef struct packed {
    logic         ready;  // the product is taken
    logic         done;   // half products are there
    logic [257:0] h;      // of the upper halves
    logic [257:0] l;      // of the lower halves
  } share_status_t;

  // A secret scalar for a slot, or a result of one: 0 is u or the first point, 1 the second.
  typedef struct packed {
    logic         valid;
    logic         slot;
    logic [255:0] data;   // byte 0 in bits 7:0
  } slot_word_t;

endpackage
