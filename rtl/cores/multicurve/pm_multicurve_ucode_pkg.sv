// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `multicurve`, configuration `paper`, as its program knows it.
package pm_multicurve_ucode_pkg;

  localparam int unsigned RomWords = 349;
  localparam int unsigned RomAddrBits = 9;

  // External values
  typedef enum logic [3:0] {
    ExtPlainOne = 4'd0,  // the integer 1: a product by it leaves the Montgomery domain
    ExtOne = 4'd1,  // R mod p, 1 in the domain
    ExtR2 = 4'd2,  // R^2 mod p: a product by it enters the domain
    ExtA = 4'd3,  // coefficient a in the domain; (A + 2) / 4 of a Montgomery curve
    ExtB = 4'd4,  // coefficient b in the domain
    ExtX = 4'd5,  // x of the point, or u, as received; a when parameters are loaded
    ExtY = 4'd6,  // y of the point, as received; b when parameters are loaded
    ExtInv = 4'd7,  // result of the inverter
    ExtFold = 4'd8  // 2^(64 m) over the power of 2 in the inverter's result: 2^(64 m - 2 bits), or 1 if m = 1
  } ext_e;

  // Conditions
  typedef enum logic [3:0] {
    CondAlways = 4'd0,  // holds
    CondZero0 = 4'd1,  // the latest flagged sum is zero
    CondZerosMet = 4'd2,  // a flagged sum was zero since they were forgotten
    CondMoreBits = 4'd3,  // the scalar has bits behind the present one
    CondInverterDone = 4'd4,  // the inverter holds a result
    CondNoDigits = 4'd5,  // the scalar is 0
    CondOutOfRange = 4'd6,  // a received coordinate or coefficient is not below p
    CondOnCurve = 4'd7  // the job's point was found on the curve
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [15:0] PublicConditions = 16'hd9;

  // Side units
  typedef enum logic [9:0] {
    UnitInverter = 10'd0,  // Kaliski inverter: 2^(64 m) / (fold * operand) mod p, 0 for 0; m digits of 32 bits
    UnitDigit = 10'd1,  // go to the next bit of the scalar: index is the bit XOR the bit before
    UnitPick = 10'd2,  // the index becomes the latest zero flag
    UnitNoteInfinity = 10'd3,  // the result is infinity if the latest zero flag is set
    UnitResultX = 10'd4,  // the operand is x of the result, or u
    UnitResultY = 10'd5,  // the operand is y of the result
    UnitPutOne = 10'd6,  // store the external value one
    UnitPutR2 = 10'd7,  // store r2
    UnitPutA = 10'd8,  // store a
    UnitPutB = 10'd9,  // store b
    UnitKindMinus3 = 10'd10,  // a is -3 if the latest zero flag is set
    UnitKindZero = 10'd11,  // a is 0 if the latest zero flag is set
    UnitClearZeros = 10'd12,  // forget the zeros met
    UnitRestart = 10'd13,  // the walker begins anew, bit by bit from the highest one; its first index
    UnitNotePoint = 10'd15,  // the job's point, which is public, is on the curve if the latest zero flag is set
    UnitPower = 10'd14  // the inverter's other use: 2^(64 m) = R^2 mod p
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryParams = 0;
  localparam logic [RomAddrBits-1:0] EntryParamsMontgomery = 23;
  localparam logic [RomAddrBits-1:0] EntryEcmul = 32;
  localparam logic [RomAddrBits-1:0] EntryLadder = 278;
  localparam logic [RomAddrBits-1:0] EntryXdh = 329;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkSet = 46;
  localparam logic [RomAddrBits-1:0] AtWalkSetMinus = 48;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleM3 = 50;
  localparam logic [RomAddrBits-1:0] AtWalkAddM3 = 61;
  localparam logic [RomAddrBits-1:0] AtWalkSubM3 = 92;
  localparam logic [RomAddrBits-1:0] AtWalkDouble0 = 120;
  localparam logic [RomAddrBits-1:0] AtWalkAdd0 = 130;
  localparam logic [RomAddrBits-1:0] AtWalkSub0 = 158;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleAny = 187;
  localparam logic [RomAddrBits-1:0] AtWalkAddAny = 198;
  localparam logic [RomAddrBits-1:0] AtWalkSubAny = 226;
  localparam logic [RomAddrBits-1:0] AtWalkLast = 252;
  localparam logic [RomAddrBits-1:0] AtWalkEnd = 268;

  // Reasons with which a program ends
  typedef enum logic [2:0] {
    ReasonOk = 3'd0,  // the result is there
    ReasonOutOfRange = 3'd1,  // a coordinate or coefficient is not below p
    ReasonNotOnCurve = 3'd2,  // the point is not on the curve
    ReasonInfinity = 3'd3,  // the result is infinity, as the scalar is 0
    ReasonSingular = 3'd4  // 4 a^3 + 27 b^2 = 0: no elliptic curve
  } reason_e;

endpackage
