// Generated from hw/mpu/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `mpu`, configuration `full`, as its program knows it.
package pm_mpu_full_ucode_pkg;

  localparam int unsigned RomWords = 356;
  localparam int unsigned RomAddrBits = 9;

  // External values
  typedef enum logic [3:0] {
    ExtPlainOne = 4'd0,  // the integer 1: a product by it leaves the Montgomery domain
    ExtOne = 4'd1,  // R mod p, 1 in the domain
    ExtR2 = 4'd2,  // R^2 mod p: a product by it enters the domain
    ExtA = 4'd3,  // coefficient a in the domain
    ExtB = 4'd4,  // coefficient b in the domain
    ExtInv = 4'd5,  // result of the inverter
    ExtLow = 4'd6,  // lower half of the plain product
    ExtX1 = 4'd7,  // the first number or x of the first point; coefficient a when a curve is loaded
    ExtY1 = 4'd8,  // y of the first point
    ExtX2 = 4'd9,  // the second number or x of the second point; coefficient b when a curve is loaded
    ExtY2 = 4'd10,  // y of the second point
    ExtN1 = 4'd11,  // the first number, whatever it is; p when it is loaded
    ExtN2 = 4'd12,  // the second number, whatever it is; the scalar of a product of a point
    ExtPinv = 4'd13  // -1/p modulo 2^32
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondZero0 = 5'd1,  // the latest flagged sum is zero
    CondMoreBits = 5'd2,  // the scalar has bits behind the present one
    CondInverterDone = 5'd3,  // the inverter holds a result
    CondInverterError = 5'd4,  // there was no inverse
    CondSetupDone = 5'd5,  // the multiplier is set up for the modulus
    CondSetupError = 5'd6,  // the modulus is even or below 3
    CondOutOfRange = 5'd7,  // one of the numbers read so far was not below its bound
    CondWalkTooLong = 5'd8,  // the scalar has more bits than the curve's order can have
    CondInfinity1 = 5'd9,  // the first point is infinity
    CondInfinity2 = 5'd10,  // the second point is infinity
    CondOnCurve = 5'd11,  // the point was found on the curve
    CondWalking = 5'd12,  // the addition or doubling is one of a digit scan
    CondCurve = 5'd13,  // a curve is to be loaded
    CondDomain = 5'd14,  // the number is one of the domain, and so is its inverse
    CondDifference = 5'd15,  // the difference is wanted, not the sum
    CondZerosMet = 5'd16  // a flagged sum was zero since they were forgotten
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h1fffd;

  // Side units
  typedef enum logic [9:0] {
    UnitInverter = 10'd0,  // 1 / operand mod p, 0 if there is none
    UnitPutPinv = 10'd1,  // store -1/p modulo R; products are no longer plain
    UnitDigit = 10'd3,  // go to the next bit of the scalar: index is the bit XOR the bit before
    UnitRestart = 10'd4,  // the bits begin anew with the highest one; its index
    UnitPick = 10'd5,  // the index becomes the latest zero flag
    UnitModulus = 10'd6,  // the operand is the modulus: set the multiplier up for it
    UnitPlain = 10'd7,  // until the end the multiplier forms plain products
    UnitPutOne = 10'd8,  // store the external value one, here and in its entry
    UnitPutR2 = 10'd9,  // store r2, here and in its entry
    UnitPutUnit = 10'd10,  // store the integer 1 in its entry
    UnitPutA = 10'd11,  // store a
    UnitPutB = 10'd12,  // store b
    UnitMarkModulus = 10'd13,  // the modulus is complete
    UnitMarkCurve = 10'd14,  // the curve is complete
    UnitScalar = 10'd15,  // the operand is the scalar
    UnitPutX1 = 10'd16,  // the operand is the first result, or x of it
    UnitPutY1 = 10'd17,  // the operand is y of the first result
    UnitPutX2 = 10'd18,  // the operand is the second result, or x of it
    UnitPutY2 = 10'd19,  // the operand is y of the second result
    UnitFinite1 = 10'd20,  // the first result is not infinity
    UnitFinite2 = 10'd21,  // the second result is not infinity
    UnitInfinite1 = 10'd22,  // the first result is infinity
    UnitInfinite2 = 10'd23,  // the second result is infinity
    UnitNoteInfinity = 10'd24,  // the first result is infinity if the latest zero flag is set or the scalar is 0, else not
    UnitNotePoint = 10'd25,  // the point is on the curve if the latest zero flag is set
    UnitWalk = 10'd26,  // begin the digit scan of the Joye ladder over the scalar
    UnitRestartHeld = 10'd27,  // as restart; registers 0 to 3 keep what they hold until a 1 lies before the bit that was latest but one
    UnitClearZeros = 10'd2  // forget the zeros met
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryLoad = 0;
  localparam logic [RomAddrBits-1:0] EntryAdd = 53;
  localparam logic [RomAddrBits-1:0] EntryMul = 61;
  localparam logic [RomAddrBits-1:0] EntryReduction = 67;
  localparam logic [RomAddrBits-1:0] EntryMontMul = 70;
  localparam logic [RomAddrBits-1:0] EntryInvert = 72;
  localparam logic [RomAddrBits-1:0] EntryAffineAdd = 81;
  localparam logic [RomAddrBits-1:0] EntryAffineDq = 123;
  localparam logic [RomAddrBits-1:0] EntryEcmul = 219;
  localparam logic [RomAddrBits-1:0] EntryEcmulJoye = 171;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkAdd = 81;
  localparam logic [RomAddrBits-1:0] AtSumInfinite = 109;
  localparam logic [RomAddrBits-1:0] AtWalkDq = 123;
  localparam logic [RomAddrBits-1:0] AtWalkSet = 187;
  localparam logic [RomAddrBits-1:0] AtWalkSetMinus = 191;
  localparam logic [RomAddrBits-1:0] AtWalkNegate = 195;
  localparam logic [RomAddrBits-1:0] AtWalkEnd = 201;

  // Reasons with which a program ends
  typedef enum logic [4:0] {
    ReasonOk = 5'd0,  // the result is there
    ReasonModulusNotOdd = 5'd3,  // the modulus is even or below 3
    ReasonParameterOutOfRange = 5'd4,  // a or b is not below p
    ReasonSingularCurve = 5'd5,  // 4 a^3 + 27 b^2 = 0: no elliptic curve
    ReasonInvalidPoint = 5'd6,  // the point is not on the curve
    ReasonScalarOutOfRange = 5'd7,  // the scalar has more bits than the curve's order can have
    ReasonNotInvertible = 5'd8,  // there is no inverse
    ReasonResultOffCurve = 5'd15,  // the product of a point is not on the curve: something failed, or p is not a prime
    ReasonOperandOutOfRange = 5'd16  // an operand is not below its bound
  } reason_e;

  // Registers that can be held
  localparam int unsigned Held = 4;

endpackage
