// Generated from hw/edverify/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `edverify`, configuration `secret_tile`, as its program knows it.
package pm_edverify_secret_tile_ucode_pkg;

  localparam int unsigned RomWords = 234;
  localparam int unsigned RomAddrBits = 8;

  // External values
  typedef enum logic [3:0] {
    ExtZero = 4'd0,  // constant
    ExtOne = 4'd1,  // constant
    ExtA24 = 4'd2,  // constant
    ExtGYp = 4'd3,  // y + x of the digit's fixed-base point; y - x of it if the digit is negative
    ExtGYm = 4'd4,  // y - x of it; y + x of it if the digit is negative
    ExtGT2d = 4'd5,  // 2 d x y of it
    ExtU = 4'd6  // u of X25519, as received, without its highest bit
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondMoreScalars = 5'd1,  // the present digit is of the first of two scalars
    CondTwoScalars = 5'd2  // the job has two scalars
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h7;

  // Side units
  typedef enum logic [9:0] {
    UnitDigit   = 10'd0,  // go to the next digit of the secret scalar
    UnitResultU = 10'd1,  // the operand is the first result of the job
    UnitResultA = 10'd2,  // the same; bit 255 is the parity of the latest canonical product
    UnitResultR = 10'd3   // the same, but the second result
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryX25519 = 0;
  localparam logic [RomAddrBits-1:0] EntryFixedBase = 66;

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne:  return 255'h1;
      ExtA24:  return 255'h1db42;
      default: return '0;
    endcase
  endfunction

endpackage
