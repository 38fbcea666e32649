// SPDX-License-Identifier: Apache-2.0
//
// Types and constants of the scalar units of Ed25519.

package pm_scalar_pkg;

  // Low part of the group order L = 2^252 + LLow (RFC 8032, section 5.1); 125 bits.
  localparam logic [124:0] LLow = 125'd27742317777372353535851937790883648493;

  // Order of the prime-order subgroup.
  localparam logic [252:0] L = {1'b1, 127'd0, LLow};

  // Operation of the double-scalar multiplication that the digit walker asks for.
  typedef enum logic [1:0] {
    WalkDone   = 2'd0,  // no digit is left
    WalkDouble = 2'd1,  // Q = 2Q
    WalkAddG   = 2'd2,  // add or subtract a multiple of the base point
    WalkAddA   = 2'd3   // add or subtract a multiple of the key
  } walk_op_e;

endpackage
