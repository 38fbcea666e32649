// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts, and of the configuration around it, share.

package pm_multicurve_contexts_pkg;

  // Register of all contexts to which the scaled modulus and 1 is loaded.
  localparam int unsigned LoadModulus = 7;

  // Registers of a context to which a job's numbers are loaded: its scalar and point; of a curve
  // that is loaded, k twice and the coefficients (hw/multicurve/ucode/contexts.pmu).
  localparam int unsigned LoadScalar = 3;
  localparam int unsigned LoadPointX = 0;
  localparam int unsigned LoadPointY = 1;
  localparam int unsigned LoadPower = 0;
  localparam int unsigned LoadInverse = 6;
  localparam int unsigned LoadA = 2;
  localparam int unsigned LoadB = 3;

  // What pm_multicurve_contexts_serial computes.
  typedef enum logic [1:0] {
    SerialDivide,
    SerialScale,
    SerialHalve
  } serial_mode_e;

  // What a digit scan asks the program for.
  typedef enum logic [2:0] {
    ScanNothing,
    ScanDouble,
    ScanAdd,
    ScanDoubleAdd,
    ScanEnd,
    ScanPowerOne,
    ScanPowerZero,
    ScanPowerEnd
  } scan_op_e;

endpackage
