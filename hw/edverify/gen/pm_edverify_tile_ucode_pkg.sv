// Generated from hw/edverify/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `edverify`, configuration `tile`, as its program knows it.
package pm_edverify_tile_ucode_pkg;

  localparam int unsigned RomWords = 511;
  localparam int unsigned RomAddrBits = 9;

  // External values
  typedef enum logic [3:0] {
    ExtZero = 4'd0,  // constant
    ExtOne = 4'd1,  // constant
    ExtMinusOne = 4'd2,  // constant
    ExtD = 4'd3,  // constant
    ExtD2 = 4'd4,  // constant
    ExtSqrtM1 = 4'd5,  // constant
    ExtY8Squared = 4'd6,  // constant
    ExtYa = 4'd7,  // y of the public key, as received
    ExtYr = 4'd8,  // y of R, as received
    ExtGYp = 4'd9,  // y + x of the digit's fixed-base point; y - x of it if the digit is negative
    ExtGYm = 4'd10,  // y - x of it; y + x of it if the digit is negative
    ExtGT2d = 4'd11,  // 2 d x y of it
    ExtGZ2 = 4'd12  // 2Z of the digit's point, where that is from the tables of a key
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondZero0 = 5'd1,  // the latest canonical product is zero
    CondOddNeSignA = 5'd2,  // parity of the latest canonical product differs from the sign bit of A
    CondOddNeSignR = 5'd3,  // the same for R
    CondSGeL = 5'd4,  // S >= L
    CondAOutOfRange = 5'd5,  // A must be canonical and its y is not below p
    CondROutOfRange = 5'd6,  // R must be canonical, or its bytes count, and its y is not below p
    CondStrictA = 5'd7,  // A must be canonical
    CondCanonicalR = 5'd8,  // R must be canonical, or its bytes count
    CondDecodeR = 5'd9,  // R is decoded by the rule
    CondSmallOrder = 5'd10,  // A and R of small order are rejected
    CondMoreScalars = 5'd11,  // the present digit is of the first of two scalars
    CondTwoScalars = 5'd12,  // the job has two scalars
    CondCofactored = 5'd13,  // the equation is multiplied by 8
    CondMoreTables = 5'd14,  // the key's tables are not complete
    CondLoads = 5'd15  // the job loads a key
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h1801;

  // Side units
  typedef enum logic [9:0] {
    UnitDigit = 10'd0,  // go to the next digit of the secret scalar
    UnitResultU = 10'd1,  // the operand is the first result of the job
    UnitResultA = 10'd2,  // the same; bit 255 is the parity of the latest canonical product
    UnitResultR = 10'd3,  // the same, but the second result
    UnitPutYp = 10'd4,  // the operand is Y + X of the next point of the key's tables
    UnitPutYm = 10'd5,  // Y - X of it
    UnitPutT2d = 10'd6,  // 2dT of it
    UnitPutZ2 = 10'd7,  // 2Z of it; when each point has all four, the key is cached
    UnitAsk = 10'd8,  // the point of the next operation may come, if it is an addition
    UnitTables = 10'd9  // what is put next is of the first point of the key's tables
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryVerify = 0;
  localparam logic [RomAddrBits-1:0] EntryLoadKey = 405;
  localparam logic [RomAddrBits-1:0] EntryVerifyCached = 306;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkWait = 182;
  localparam logic [RomAddrBits-1:0] AtWalkDouble = 183;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleT = 190;
  localparam logic [RomAddrBits-1:0] AtWalkAddFixed = 198;
  localparam logic [RomAddrBits-1:0] AtWalkAddFixedT = 204;
  localparam logic [RomAddrBits-1:0] AtWalkAddFirst = 211;
  localparam logic [RomAddrBits-1:0] AtWalkAddFirstT = 217;
  localparam logic [RomAddrBits-1:0] AtWalkSubFirst = 224;
  localparam logic [RomAddrBits-1:0] AtWalkSubFirstT = 230;
  localparam logic [RomAddrBits-1:0] AtWalkAdd = 237;
  localparam logic [RomAddrBits-1:0] AtWalkAddT = 244;
  localparam logic [RomAddrBits-1:0] AtWalkSub = 252;
  localparam logic [RomAddrBits-1:0] AtWalkSubT = 259;
  localparam logic [RomAddrBits-1:0] AtWalkDoneCofactored = 267;
  localparam logic [RomAddrBits-1:0] AtWalkDone = 275;
  localparam logic [RomAddrBits-1:0] AtWalkDoneSmallOrder = 295;
  localparam logic [RomAddrBits-1:0] AtWalkCachedDouble = 310;
  localparam logic [RomAddrBits-1:0] AtWalkCachedDoubleT = 317;
  localparam logic [RomAddrBits-1:0] AtWalkCachedAddFixed = 325;
  localparam logic [RomAddrBits-1:0] AtWalkCachedAddFixedT = 331;
  localparam logic [RomAddrBits-1:0] AtWalkCachedAdd = 338;
  localparam logic [RomAddrBits-1:0] AtWalkCachedAddT = 345;
  localparam logic [RomAddrBits-1:0] AtWalkCachedDone = 353;

  // Value of a constant; 0 for an input.
  function automatic logic [254:0] ext_constant(ext_e ext);
    unique case (ext)
      ExtZero: return 255'h0;
      ExtOne: return 255'h1;
      ExtMinusOne: return 255'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec;
      ExtD: return 255'h52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3;
      ExtD2: return 255'h2406d9dc56dffce7198e80f2eef3d13000e0149a8283b156ebd69b9426b2f159;
      ExtSqrtM1: return 255'h2b8324804fc1df0b2b4d00993dfbd7a72f431806ad2fe478c4ee1b274a0ea0b0;
      ExtY8Squared: return 255'h76b9125b8bd5b257c2c2ebc2ba609c056bdf9e34b4f0a103ae4791859c155291;
      default: return '0;
    endcase
  endfunction

endpackage
