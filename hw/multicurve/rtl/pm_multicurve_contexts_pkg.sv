// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts, and of the configuration around it, share.

package pm_multicurve_contexts_pkg;

  import pm_named_prime_pkg::*;

  // Forms of numbers, by Columns: 6 digits of 45 bits, and 13 of 42. Of each: the prime by which
  // products take two digits of a factor at a time, P-256 or P-521; its bits; cycles between steps
  // of such a product; digits of R then.
  function automatic logic [543:0] named_prime(int unsigned columns);
    return NamedPrime[columns==6?NamedP256 : NamedP521];
  endfunction

  function automatic int unsigned named_bits(int unsigned columns);
    return columns == 6 ? 256 : 521;
  endfunction

  function automatic int unsigned named_period(int unsigned columns);
    return columns == 6 ? 5 : 4;
  endfunction

  function automatic int unsigned named_digits(int unsigned columns);
    return columns + columns % 2;
  endfunction

  // Cycles of a slot: with the named prime, with numbers of a digit more, and without both.
  function automatic int unsigned named_slot(int unsigned columns);
    return columns == 6 ? 4 : 7;
  endfunction

  function automatic int unsigned long_slot(int unsigned columns);
    return columns == 6 ? 7 : 15;
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

  // Registers of a context with the coordinates of its result.
  localparam int unsigned ResultX = 2;
  localparam int unsigned ResultY = 3;

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
