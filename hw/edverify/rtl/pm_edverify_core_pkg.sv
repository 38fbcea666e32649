// SPDX-License-Identifier: Apache-2.0
//
// Types of what the receiver, pm_sha512, the transmitter and a core of `edverify` between them
// exchange.

package pm_edverify_core_pkg;

  import pm_edverify_pkg::*;

  // The job that the receiver shows. Byte 0 of an operand is in bits 7:0.
  typedef struct packed {
    logic         start;      // pulse: its header is accepted
    logic         open;       // the receiver has a job
    logic         valid;      // operands are complete, or it is malformed
    logic         ended;      // its packet has ended
    logic         malformed;  // it is malformed
    logic [7:0]   op;
    logic         secret;     // it is an operation on secrets
    logic [7:0]   rule;
    logic [31:0]  tag;
    logic [15:0]  slot;       // of its key
    logic [255:0] s;
    logic [255:0] r;          // R, k
    logic [255:0] a;          // public key, u, d
  } job_t;

  // A beat of bytes, the first one in bits 7:0.
  typedef struct packed {
    logic        valid;
    logic        last;   // of a message
    logic [7:0]  keep;   // bytes that count, in the last beat
    logic [63:0] data;
  } byte_beat_t;

  // What the receiver has for a core.
  typedef struct packed {
    job_t       job;
    logic       hash_clear;  // pulse: forget what was hashed
    byte_beat_t hash;        // R || A || M of a verification
    logic       msg_drop;    // pulse: forget the message
    byte_beat_t msg;         // message to be signed
  } from_rx_t;

  typedef struct packed {
    logic job_done;    // pulse: its job is taken over
    logic discard;     // level: the rest of what is hashed need not be
    logic hash_ready;  // a beat is taken
    logic msg_ready;
  } to_rx_t;

  // To and from pm_sha512.
  typedef struct packed {
    logic       clear;         // pulse: forget what was hashed
    byte_beat_t beat;
    logic       digest_ready;  // the digest is taken
  } to_hash_t;

  typedef struct packed {
    logic         ready;         // the beat is taken
    logic         digest_valid;  // the digest is there
    logic [511:0] digest;
  } from_hash_t;

  // A result for the transmitter.
  typedef struct packed {
    logic        valid;
    logic [31:0] tag;
    logic [7:0]  rule;
    reason_e     reason;
    logic        all_zero;       // that of x25519 is zero
    logic [31:0] cycles;         // from header to result
    logic [1:0]  payload_words;  // with reason ok
  } tx_result_t;

endpackage
