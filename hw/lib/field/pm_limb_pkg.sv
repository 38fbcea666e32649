// SPDX-License-Identifier: Apache-2.0
//
// Numbers modulo p = 2^255 - 19 as redundant limbs: 17 limbs of 16 bits, limb i of weight 2^(15 i),
// so that a limb is a digit of 15 bits and a carry bit that need not be passed on. The four
// operations of pm_limb_unit.
package pm_limb_pkg;

  localparam int unsigned Limbs = 17;
  localparam int unsigned LimbBits = 16;
  localparam int unsigned DigitBits = 15;  // Limbs times this is 255
  localparam int unsigned Wrap = 19;  // 2^255 mod p
  localparam int unsigned SmallDigits = 2;  // limbs that a small constant may use
  localparam int unsigned ProductBits = 41;  // of a column of products
  localparam int unsigned WrappedBits = 21;  // of a limb times Wrap
  localparam int unsigned CarriedBits = 26;  // of a column after the first pass of the carry

  typedef logic [Limbs-1:0][LimbBits-1:0] limbs_t;

  typedef enum logic [1:0] {
    LimbMul   = 2'd0,  // x y
    LimbSmall = 2'd1,  // x y, where y is below 2^(15 SmallDigits)
    LimbAdd   = 2'd2,  // x + y
    LimbSub   = 2'd3   // x - y
  } limb_op_e;

  // Cycles from the start of an operation to the first in which another may start and a register
  // that took the result can be read.
  function automatic int unsigned limb_cycles(limb_op_e op);
    unique case (op)
      LimbMul:   return Limbs + 5;
      LimbSmall: return SmallDigits + 5;
      LimbAdd:   return 4;
      LimbSub:   return 5;
      default:   return 0;
    endcase
  endfunction

  // A number below 2^255 as limbs: its digits, with no carry.
  function automatic limbs_t limbs_of(logic [Limbs*DigitBits-1:0] number);
    for (int unsigned i = 0; i < Limbs; i++) begin
      limbs_of[i] = LimbBits'(number[i*DigitBits+:DigitBits]);
    end
  endfunction

endpackage
