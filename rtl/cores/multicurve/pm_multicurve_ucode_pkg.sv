// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `multicurve`, configuration `paper`, as its program knows it.
package pm_multicurve_ucode_pkg;

  localparam int unsigned RomWords = 573;
  localparam int unsigned RomAddrBits = 10;

  // External values
  typedef enum logic [3:0] {
    ExtPlainOne = 4'd0,  // the integer 1: a product by it leaves the Montgomery domain
    ExtOne = 4'd1,  // R mod p, 1 in the domain
    ExtR2 = 4'd2,  // R^2 mod p: a product by it enters the domain
    ExtA = 4'd3,  // coefficient a in the domain; (A + 2) / 4 of a Montgomery curve
    ExtB = 4'd4,  // coefficient b in the domain
    ExtX = 4'd5,  // the first of the two selected numbers: x of a point, or u, as received; a when parameters are loaded
    ExtY = 4'd6,  // the second one: y of a point, as received; b when parameters are loaded
    ExtInv = 4'd7,  // result of the inverter
    ExtFold = 4'd8,  // 2^(64 m) over the power of 2 in the inverter's result: 2^(64 m - 2 bits) where that is below 2^64 and m > 1, else 1
    ExtE = 4'd9  // the number signed, or what is left of it: its lowest digits, as many as R has
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondZero0 = 5'd1,  // the latest flagged sum is zero
    CondZerosMet = 5'd2,  // a flagged sum was zero since they were forgotten
    CondMoreBits = 5'd3,  // the scalar has bits behind the present one
    CondInverterDone = 5'd4,  // the inverter holds a result
    CondOutOfRange = 5'd6,  // one of the selected numbers is not below the modulus
    CondOnCurve = 5'd7,  // the job's point, or the result, was found on the curve; a result that is not tells of a failure alone
    CondWalkTooLong = 5'd8,  // the scalar has more bits than the ladder steps
    CondSetupDone = 5'd9,  // the multipliers are set up for the modulus
    CondSetupError = 5'd10,  // the modulus, or the order if there is one, is even or below 3
    CondInverterError = 5'd11,  // there was no inverse
    CondMontgomery = 5'd12,  // flag of the job: the curve is a Montgomery curve
    CondOpt0 = 5'd13,  // bit 0 of the job's option
    CondOpt1 = 5'd14,  // bit 1
    CondOpt2 = 5'd15,  // bit 2
    CondNoOrder = 5'd16,  // the order of the base point is unknown, even or 1
    CondOther = 5'd17,  // the job has a second product, and the first is selected
    CondSumming = 5'd18,  // it has one, and that is selected
    CondInfinity = 5'd19,  // the result is infinity
    CondZeroOperand = 5'd20,  // one of the selected numbers is 0
    CondZeroNoted = 5'd21,  // a zero was remembered; programs do so only with what a refusal may tell
    CondDigitsReady = 5'd22,  // e is there: its digits have been dropped
    CondMoreDigits = 5'd23,  // e has further digits; how many it has does not depend on it
    CondSignature = 5'd24,  // the job verifies or makes a signature
    CondSigning = 5'd25,  // it makes one
    CondSm2 = 5'd5  // it is one of SM2
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h3f7f7f9;

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
    UnitNotePoint = 10'd15,  // the job's point, which is public, or the result is on the curve if the latest zero flag is set
    UnitInfinity = 10'd16,  // the result is infinity
    UnitModulus = 10'd17,  // take the modulus, and the base point, from the job, and set the multipliers up for it
    UnitUseBase = 10'd18,  // from now on x and y are those of the base point, as received
    UnitMarkValid = 10'd19,  // the curve is complete
    UnitOrder = 10'd20,  // from now on the modulus is the order that came with the curve; set the multipliers up for it
    UnitUseField = 10'd21,  // from now on the modulus is that of the curve
    UnitUseOrder = 10'd22,  // from now on the modulus is the order
    UnitFirst = 10'd23,  // select the first point, and the first scalar for the walker, which begins a new sum
    UnitSecond = 10'd24,  // select the second point, and the second scalar for the walker, which goes on with the sum
    UnitPair = 10'd25,  // select r and s of a signature to be verified, d and k of a new one
    UnitResult = 10'd26,  // select the result so far
    UnitAlone = 10'd27,  // of two products the first is infinity: the second one is all
    UnitPutU = 10'd28,  // the operand is the first scalar
    UnitPutV = 10'd29,  // the operand is the second scalar
    UnitNoteZero = 10'd30,  // remember for the rest of the job if the latest zero flag is set
    UnitNextDigits = 10'd31,  // drop as many of the lowest digits of e as R has
    UnitPower = 10'd14  // the inverter's other use: 2^(64 m) = R^2 mod p
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryLoadCurve = 0;
  localparam logic [RomAddrBits-1:0] EntryEcmul = 56;
  localparam logic [RomAddrBits-1:0] EntryEcmul2 = 417;
  localparam logic [RomAddrBits-1:0] EntryVerify = 416;
  localparam logic [RomAddrBits-1:0] EntrySign = 498;
  localparam logic [RomAddrBits-1:0] EntryLadder = 311;
  localparam logic [RomAddrBits-1:0] EntryXdh = 512;
  localparam logic [RomAddrBits-1:0] EntryCheck = 539;
  localparam logic [RomAddrBits-1:0] EntryModarith = 550;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkNext = 70;
  localparam logic [RomAddrBits-1:0] AtWalkSet = 75;
  localparam logic [RomAddrBits-1:0] AtWalkSetMinus = 77;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleM3 = 79;
  localparam logic [RomAddrBits-1:0] AtWalkAddM3 = 90;
  localparam logic [RomAddrBits-1:0] AtWalkSubM3 = 121;
  localparam logic [RomAddrBits-1:0] AtWalkDouble0 = 149;
  localparam logic [RomAddrBits-1:0] AtWalkAdd0 = 159;
  localparam logic [RomAddrBits-1:0] AtWalkSub0 = 187;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleAny = 216;
  localparam logic [RomAddrBits-1:0] AtWalkAddAny = 227;
  localparam logic [RomAddrBits-1:0] AtWalkSubAny = 255;
  localparam logic [RomAddrBits-1:0] AtWalkLast = 281;
  localparam logic [RomAddrBits-1:0] AtWalkEnd = 297;
  localparam logic [RomAddrBits-1:0] AtWalkNothing = 307;

  // Reasons with which a program ends
  typedef enum logic [3:0] {
    ReasonOk = 4'd0,  // the result is there
    ReasonModulusNotOdd = 4'd3,  // the modulus is even or below 3
    ReasonParameterOutOfRange = 4'd4,  // a coefficient, or a coordinate of the base point or of a ladder, is not below p; or a signature is asked for and the order is even or 1
    ReasonSingularCurve = 4'd5,  // 4 a^3 + 27 b^2 = 0, or A^2 = 4: no elliptic curve
    ReasonInvalidPoint = 4'd6,  // a coordinate is not below p, or the point is not on the curve
    ReasonScalarOutOfRange = 4'd7,  // the scalar has more bits than the ladder steps; d or k is 0 or not below n, d of SM2 not below n - 1
    ReasonNotInvertible = 4'd8,  // there is no inverse
    ReasonBadSignature = 4'd9,  // the equation does not hold
    ReasonNoOrder = 4'd12,  // the order of the base point is unknown
    ReasonSignatureOutOfRange = 4'd13,  // r or s is 0 or not below n, or r + s of SM2 is 0
    ReasonResultOffCurve = 4'd15,  // a coordinate of the result is not below p, or it is not on the curve: something failed, or p is not a prime
    ReasonUnusableNonce = 4'd14  // r or s of a new signature is 0, or r + k of SM2 is
  } reason_e;

endpackage
