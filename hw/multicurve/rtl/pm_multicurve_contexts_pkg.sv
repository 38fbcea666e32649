// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts, and of the configuration around it, share.

package pm_multicurve_contexts_pkg;

  import pm_named_prime_pkg::*;

  // The prime by which products take two digits of a factor at a time, by the digits of a number:
  // P-256 of 7, P-521 of 13; its bits, and the cycles of a slot then.
  function automatic logic [543:0] named_prime(int unsigned columns);
    return NamedPrime[columns==7?NamedP256 : NamedP521];
  endfunction

  function automatic int unsigned named_bits(int unsigned columns);
    return columns == 7 ? 256 : 521;
  endfunction

  function automatic int unsigned named_slot(int unsigned columns);
    return columns == 7 ? 5 : 7;
  endfunction

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
