// Generated from hw/edverify/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Where the words stand that wipe the registers of `edverify`, configuration `secret_tile`.
package pm_edverify_secret_tile_wipe_pkg;

  localparam logic [7:0] EntryWipe = 215;

endpackage
