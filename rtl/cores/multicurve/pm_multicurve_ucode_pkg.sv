// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// The datapath of `multicurve`, configuration `paper`, as its program knows it.
package pm_multicurve_ucode_pkg;

  localparam int unsigned RomWords = 418;
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
    ExtFold = 4'd8  // 2^(64 m) over the power of 2 in the inverter's result: 2^(64 m - 2 bits) where that is below 2^64 and m > 1, else 1
  } ext_e;

  // Conditions
  typedef enum logic [4:0] {
    CondAlways = 5'd0,  // holds
    CondZero0 = 5'd1,  // the latest flagged sum is zero
    CondZerosMet = 5'd2,  // a flagged sum was zero since they were forgotten
    CondMoreBits = 5'd3,  // the scalar has bits behind the present one
    CondInverterDone = 5'd4,  // the inverter holds a result
    CondNoDigits = 5'd5,  // the scalar is 0
    CondOutOfRange = 5'd6,  // a received coordinate or coefficient is not below p
    CondOnCurve = 5'd7,  // the job's point was found on the curve
    CondWalkTooLong = 5'd8,  // the scalar has more bits than the ladder steps
    CondSetupDone = 5'd9,  // the multipliers are set up for the modulus
    CondSetupError = 5'd10,  // the modulus is even or below 3
    CondInverterError = 5'd11,  // there was no inverse
    CondMontgomery = 5'd12,  // flag of the job: the curve is a Montgomery curve
    CondOpt0 = 5'd13,  // bit 0 of the job's option
    CondOpt1 = 5'd14,  // bit 1
    CondOpt2 = 5'd15,  // bit 2
    CondNoOrder = 5'd16  // the order of the base point is unknown
  } cond_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] PublicConditions = 32'h1f7d9;

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
    UnitInfinity = 10'd16,  // the result is infinity
    UnitModulus = 10'd17,  // take the modulus, and the base point, from the job, and set the multipliers up for it
    UnitUseBase = 10'd18,  // from now on x and y are those of the base point, as received
    UnitMarkValid = 10'd19,  // the curve is complete
    UnitOrder = 10'd20,  // from now on the modulus is the order that came with the curve; set the multipliers up for it
    UnitUseField = 10'd21,  // from now on the modulus is that of the curve
    UnitUseOrder = 10'd22,  // from now on the modulus is the order
    UnitPower = 10'd14  // the inverter's other use: 2^(64 m) = R^2 mod p
  } unit_e;

  // Where programs begin in the ROM
  localparam logic [RomAddrBits-1:0] EntryLoadCurve = 0;
  localparam logic [RomAddrBits-1:0] EntryEcmul = 56;
  localparam logic [RomAddrBits-1:0] EntryLadder = 305;
  localparam logic [RomAddrBits-1:0] EntryXdh = 357;
  localparam logic [RomAddrBits-1:0] EntryCheck = 384;
  localparam logic [RomAddrBits-1:0] EntryModarith = 395;

  // Where the walker's operations stand in the ROM
  localparam logic [RomAddrBits-1:0] AtWalkSet = 71;
  localparam logic [RomAddrBits-1:0] AtWalkSetMinus = 73;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleM3 = 75;
  localparam logic [RomAddrBits-1:0] AtWalkAddM3 = 86;
  localparam logic [RomAddrBits-1:0] AtWalkSubM3 = 117;
  localparam logic [RomAddrBits-1:0] AtWalkDouble0 = 145;
  localparam logic [RomAddrBits-1:0] AtWalkAdd0 = 155;
  localparam logic [RomAddrBits-1:0] AtWalkSub0 = 183;
  localparam logic [RomAddrBits-1:0] AtWalkDoubleAny = 212;
  localparam logic [RomAddrBits-1:0] AtWalkAddAny = 223;
  localparam logic [RomAddrBits-1:0] AtWalkSubAny = 251;
  localparam logic [RomAddrBits-1:0] AtWalkLast = 277;
  localparam logic [RomAddrBits-1:0] AtWalkEnd = 293;

  // Reasons with which a program ends
  typedef enum logic [3:0] {
    ReasonOk = 4'd0,  // the result is there
    ReasonModulusNotOdd = 4'd3,  // the modulus is even or below 3
    ReasonParameterOutOfRange = 4'd4,  // a coefficient, or a coordinate of the base point or of a ladder, is not below p; the order is even or 1
    ReasonSingularCurve = 4'd5,  // 4 a^3 + 27 b^2 = 0, or A^2 = 4: no elliptic curve
    ReasonInvalidPoint = 4'd6,  // a coordinate is not below p, or the point is not on the curve
    ReasonScalarOutOfRange = 4'd7,  // the scalar has more bits than the ladder steps
    ReasonNotInvertible = 4'd8  // there is no inverse
  } reason_e;

endpackage
