// SPDX-License-Identifier: Apache-2.0
//
// What the two lanes of `edverify`, configuration `hardened`, are compared by.

package pm_edverify_lockstep_pkg;

  // Control of the datapath in a cycle.
  typedef struct packed {
    pm_ucode_pkg::word_t word;  // microinstruction, zero if none
    logic [2:0] a_idx;  // index of its table point of A
    logic [7:0] g_idx;  // index of the point of G that the next one may read
    logic operands;  // a and r are complete
    logic [255:0] a;  // public key
    logic [255:0] r;  // R
    pm_datapath_pkg::product_watch_t written;  // written at the end of this cycle
  } issue_t;

  // The result stream.
  typedef struct packed {
    logic valid;
    logic last;
    logic [63:0] data;
  } beat_t;

endpackage
