// SPDX-License-Identifier: Apache-2.0
//
// Types of job control for many contexts in `edverify`.

package pm_barrel_pkg;

  // What the answer of a context says, beside the header of its job.
  typedef struct packed {
    logic [7:0]         op;
    pm_ed_pkg::reason_e reason;
    logic               zero;    // the result is zero
  } answer_t;

endpackage
