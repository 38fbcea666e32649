// SPDX-License-Identifier: Apache-2.0
//
// What the parts of pm_multicurve_contexts, and of the configuration around it, share.

package pm_multicurve_contexts_pkg;

  import pm_named_prime_pkg::*;

  // A form of numbers, and the phases of slots of pm_multicurve_contexts that have as many cycles.
  typedef struct packed {
    logic [543:0] named_prime;   // by which products take two digits of a factor at a time
    int unsigned  named_bits;    // of it
    int unsigned  named_period;  // cycles between steps of such a product
    int unsigned  named_digits;  // of R then
    int unsigned  named_slot;    // cycles of a slot then
    logic [3:0]   phase;         // in which products of other primes are written
    int unsigned  long_slot;     // with numbers of a digit more
    logic [3:0]   long_phase;    // of products then
    logic [3:0]   load_phase;    // in which a number is loaded
  } form_t;

  // 6 digits of 45 bits: all fields have a digit more, but for that of P-256.
  localparam form_t Narrow = '{
      named_prime: NamedPrime[NamedP256],
      named_bits: 256,
      named_period: 5,
      named_digits: 6,
      named_slot: 4,
      phase: 4'd5,
      long_slot: 7,
      long_phase: 4'd5,
      load_phase: 4'd1
  };

  // 13 digits of 42 bits.
  localparam form_t Wide = '{
      named_prime: NamedPrime[NamedP521],
      named_bits: 521,
      named_period: 4,
      named_digits: 14,
      named_slot: 7,
      phase: 4'd5,
      long_slot: 15,
      long_phase: 4'd1,
      load_phase: 4'd2
  };

  function automatic form_t form(int unsigned columns);
    return columns == 6 ? Narrow : Wide;
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
