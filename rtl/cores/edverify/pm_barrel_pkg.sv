// SPDX-License-Identifier: Apache-2.0
//
// Types of job control for many contexts in `edverify`.

package pm_barrel_pkg;

  // What the answer of a context says.
  typedef struct packed {
    pm_batch_pkg::header_t header;
    logic [7:0]            op;
    pm_ed_pkg::reason_e    reason;
    logic                  zero;    // the result is zero
  } answer_t;

endpackage
