// Generated from hw/multicurve/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `multicurve`, configuration `contexts`, as its program knows it.
package pm_multicurve_contexts_ucode_pkg;

  localparam int unsigned RomWords = 200;
  localparam int unsigned RomAddrBits = 8;

  // External values
  typedef enum logic [2:0] {
    ExtPlainOne = 3'd0,  // the integer 1
    ExtR2 = 3'd1,  // what takes a number into the domain: R^2 mod p, a multiple of k
    ExtA = 3'd2,  // coefficient a in the domain
    ExtB = 3'd3,  // coefficient b in the domain
    ExtK = 3'd4,  // the integer k: a product by it leaves the domain, as k times the number below p
    ExtExponent = 3'd5  // (p - 3) / 2
  } ext_e;

  // Conditions
  typedef enum logic [2:0] {
    CondAlways = 3'd0,  // holds
    CondZero = 3'd1,  // the latest operand of is_zero was 0 modulo p
    CondReady = 3'd2,  // the scan has its first digit
    CondExact = 3'd3,  // exceptional cases are looked for, as the scan has begun again
    CondLoading = 3'd4,  // the job loads a curve
    CondLong = 3'd5,  // R has 7 digits or 14
    CondWide = 3'd6  // the engine is that for longer fields: 13 or 14 digits of 42 bits, not 6 or 7 of 45
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [7:0] PublicConditions = 8'h79;

  // Side units
  typedef enum logic [9:0] {
    UnitScalar = 10'd0,  // the operand is the scalar of the digit scan, which goes to its first digit that is not 0
    UnitExponent = 10'd1,  // the operand is an exponent, whose bits the scan gives from the lowest on, as many as p has but one
    UnitIsZero = 10'd2,  // whether the operand is the scaled modulus and 1: a number is 0 modulo p if its product with 1, and 1, is
    UnitResultX = 10'd3,  // the operand is k times x of the result: read when no program is under way
    UnitResultY = 10'd4,  // the operand is k times y of the result, likewise
    UnitKindZero = 10'd5,  // a is 0 if the condition zero holds
    UnitKindMinus3 = 10'd6,  // a is -3 if it does
    UnitAgain = 10'd7,  // the scan begins again, and the flag exact is set
    UnitPutR2 = 10'd9,  // the product goes to r2, not to its register
    UnitPutA = 10'd10,  // it goes to a
    UnitPutB = 10'd11  // it goes to b
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryEcmul = 0;
  localparam logic [RomAddrBits-1:0] EntryLoadCurve = 126;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkDoubleM3 = 15;
  localparam logic [RomAddrBits-1:0] AtWalkDouble0 = 23;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleAny = 31;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleAdd = 41;
  localparam logic [RomAddrBits-1:0] AtWalkAdd = 59;
  localparam logic [RomAddrBits-1:0] AtWalkExactAdd = 70;
  localparam logic [RomAddrBits-1:0] AtWalkEnd = 93;
  localparam logic [RomAddrBits-1:0] AtWalkNothing = 101;
  localparam logic [RomAddrBits-1:0] AtWalkPowerOne = 107;
  localparam logic [RomAddrBits-1:0] AtWalkPowerZero = 109;
  localparam logic [RomAddrBits-1:0] AtWalkPowerEnd = 110;

  // Reasons with which a program ends
  typedef enum logic [4:0] {
    ReasonOk = 5'd0,  // the result is there
    ReasonNoField = 5'd3,  // p is not a prime
    ReasonSingularCurve = 5'd5,  // 4 a^3 + 27 b^2 = 0: no elliptic curve
    ReasonInvalidPoint = 5'd6,  // the point is not on the curve
    ReasonResultOffCurve = 5'd15,  // the result is not on the curve: something failed, or p is not a prime
    ReasonInfinity = 5'd16  // the result is infinity
  } reason_e;

endpackage
