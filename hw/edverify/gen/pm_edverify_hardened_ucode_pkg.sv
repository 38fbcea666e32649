// Generated from hw/edverify/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `edverify`, configuration `hardened`, as its program knows it.
package pm_edverify_hardened_ucode_pkg;

  localparam int unsigned RomWords = 274;
  localparam int unsigned RomAddrBits = 9;

  // External values
  typedef enum logic [3:0] {
    ExtZero = 4'd0,  // constant
    ExtOne = 4'd1,  // constant
    ExtD = 4'd2,  // constant
    ExtD2 = 4'd3,  // constant
    ExtSqrtM1 = 4'd4,  // constant
    ExtY8Squared = 4'd5,  // constant
    ExtYa = 4'd6,  // y of the public key, as received
    ExtYr = 4'd7,  // y of R, as received
    ExtGYp = 4'd8,  // y + x of the table point of G at the digit scan's index
    ExtGYm = 4'd9,  // y - x of it
    ExtGT2d = 4'd10  // 2 d x y of it
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondZero0 = 5'd1,  // the latest canonical product is zero
    CondZero1 = 5'd2,  // the one before it
    CondZero2 = 5'd3,  // the one before that
    CondZero3 = 5'd4,  // the fourth latest
    CondOddNeSignA = 5'd5,  // parity of the latest canonical product differs from the sign bit of A
    CondOddNeSignR = 5'd6,  // the same for R
    CondSGeL = 5'd7,  // S >= L
    CondYaGeP = 5'd8,  // y of A is not below p
    CondYrGeP = 5'd9,  // y of R is not below p
    CondStrictA = 5'd10,  // rule flag
    CondDecodeR = 5'd11,  // rule flag
    CondStrictR = 5'd12,  // rule flag
    CondSmallA = 5'd13,  // rule flag
    CondSmallR = 5'd14,  // rule flag
    CondCofactored = 5'd15,  // rule flag
    CondHashDone = 5'd16,  // the digest is there
    CondNafDone = 5'd17  // both scalars are recoded
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h0;

  // Side units
  typedef enum logic [9:0] {
    UnitNafG = 10'd0,  // recode S with the window of G
    UnitWalk = 10'd1   // begin the digit scan at the highest digit
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryVerify = 0;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkDouble = 175;
  localparam logic [RomAddrBits-1:0] AtWalkAddG = 183;
  localparam logic [RomAddrBits-1:0] AtWalkSubG = 190;
  localparam logic [RomAddrBits-1:0] AtWalkAddA = 197;
  localparam logic [RomAddrBits-1:0] AtWalkSubA = 205;
  localparam logic [RomAddrBits-1:0] AtWalkDone = 213;

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne: return 255'h1;
      ExtD: return 255'h52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3;
      ExtD2: return 255'h2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159;
      ExtSqrtM1: return 255'h2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0;
      ExtY8Squared: return 255'h76b9125b8bd5b257c2c2ebc2ba609c056bdf9e34b4f0a103ae4791859c155291;
      default: return '0;
    endcase
  endfunction

endpackage
