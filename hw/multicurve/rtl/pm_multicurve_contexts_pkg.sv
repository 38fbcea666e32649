// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts share.

package pm_multicurve_contexts_pkg;

  // Register of all contexts to which the scaled modulus and 1 is loaded.
  localparam int unsigned LoadModulus = 15;

  // What a digit scan asks the program for.
  typedef enum logic [2:0] {
    ScanNothing,
    ScanDouble,
    ScanAdd,
    ScanSub,
    ScanEnd,
    ScanPowerOne,
    ScanPowerZero,
    ScanPowerEnd
  } scan_op_e;

endpackage
