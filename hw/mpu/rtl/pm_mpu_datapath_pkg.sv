// SPDX-License-Identifier: Apache-2.0
//
// What the datapath of `mpu` does of a word, one operation behind the other.
package pm_mpu_datapath_pkg;

  import pm_dual_ucode_pkg::*;

  typedef struct packed {
    logic check;  // of the range
    logic product;  // starts one
    logic unit;  // multiplier of it
    logic keep;  // is an operand of a side unit
    logic sum;  // passes the adder
    logic write;
    logic flag;
    logic sub;
    logic [RegisterBits-1:0] rd;
  } action_t;

  typedef struct packed {
    bank_e bank;
    logic [RegisterBits-1:0] number;
  } place_t;

  typedef struct packed {
    action_t act;
    place_t  x;
    place_t  y;
  } operation_t;

endpackage
