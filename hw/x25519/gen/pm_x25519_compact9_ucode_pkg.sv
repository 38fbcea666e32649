// Generated from hw/x25519/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `x25519`, configuration `compact9`, as its program knows it.
package pm_x25519_compact9_ucode_pkg;

  localparam int unsigned RomWords = 22;
  localparam int unsigned RomAddrBits = 5;

  // External values
  typedef enum logic [3:0] {
    ExtZero = 4'd0,  // constant
    ExtOne = 4'd1,  // constant
    ExtU = 4'd2,  // u as received, without its highest bit
    ExtInv = 4'd3  // result of the inverter
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondInverterDone = 5'd1  // the inverter holds a result
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h3;

  // Side units
  typedef enum logic [9:0] {
    UnitDigit = 10'd0,  // go to the next digit of the scalar
    UnitInverter = 10'd1,  // invert the first factor, in a fixed time
    UnitResult = 10'd2  // the operand is the result; it is zero if the latest canonical product is
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryCompact = 0;

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne:  return 255'h1;
      default: return '0;
    endcase
  endfunction

endpackage
