// SPDX-License-Identifier: Apache-2.0
//
// What parts of the engine of `multicurve` tell each other.
package pm_multicurve_types_pkg;

  import pm_multicurve_pkg::*;

  // A modulus, and what Montgomery multiplication needs of it.
  typedef struct packed {
    logic [NumberBits-1:0] p;
    logic [NumberBits-1:0] one;     // R mod p
    logic [NumberBits-1:0] r2;      // R^2 mod p
    logic [31:0]           pinv;    // -1/p mod 2^32
    logic [9:0]            bits;    // bits of p
    logic [4:0]            digits;  // digits of R
    logic                  wide;    // p has more than 272 bits
    logic                  error;   // p is even or below 3
  } modulus_t;

  // The loaded curve.
  typedef struct packed {
    mc_form_e              form;         // CurveNone until it is complete
    logic [NumberBits-1:0] a;            // coefficients in the domain
    logic [NumberBits-1:0] b;
    logic [NumberBits-1:0] gx;           // base point, as received
    logic [NumberBits-1:0] gy;
    logic [9:0]            field_bits;   // bits of the field's modulus
    logic [9:0]            order_bits;   // bits of the order
    logic                  order_known;  // there is one, odd and above 1
    logic                  a_zero;       // a is 0
    logic                  a_minus3;     // a is -3
    logic                  a_121666;     // a was received as 121666, that of Curve25519
    logic                  a_39082;      // a was received as 39082, that of Curve448
  } curve_t;

  // What programs ask of a scan.
  typedef struct packed {
    logic more_bits;   // the scalar has bits behind the present one
    logic too_long;    // it has more than are scanned
    logic walk_ready;  // the next digit by windows is there
    logic table_last;  // the table's place is the last one; of columns, the last but one
    logic table_done;  // it is before the first one; the last tooth; ratios have no more place
    logic base_kept;   // what a product of the first point takes is kept
    logic comb_fits;   // the order is long enough for a comb
  } scan_t;

endpackage
