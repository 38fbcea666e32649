// Generated from hw/edverify/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Where the words stand that wipe the registers of `edverify`, configuration `throughput`.
package pm_edverify_throughput_wipe_pkg;

  localparam logic [9:0] EntryWipe = 510;

endpackage
