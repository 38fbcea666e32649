// Generated from hw/x25519/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `x25519`, configuration `tile`, as its program knows it.
package pm_x25519_tile_ucode_pkg;

  localparam int unsigned RomWords = 36;
  localparam int unsigned RomAddrBits = 6;

  // External values
  typedef enum logic [3:0] {
    ExtZero = 4'd0,  // constant
    ExtOne = 4'd1,  // constant
    ExtA244 = 4'd2,  // constant
    ExtU = 4'd3,  // u as received, without its highest bit
    ExtInv = 4'd4  // result of the inverter, below 2p
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondRoom = 5'd1,  // the job is the eldest, and no result waits
    CondInverter = 5'd2,  // the inverter is free, and it is the turn of the job
    CondInverse = 5'd3,  // the inverse of the job is in its register
    CondAlone = 5'd4  // no other job is inside
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h1f;

  // Side units
  typedef enum logic [9:0] {
    UnitDigit = 10'd0,  // go to the next digit of the scalar
    UnitResult = 10'd1,  // the operand, which must be a product, is the result: reduce it
    UnitInverter = 10'd2  // invert the operand, in a fixed time
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryTile = 0;

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne:  return 255'h1;
      ExtA244: return 255'h76d08;
      default: return '0;
    endcase
  endfunction

endpackage
