// Generated from hw/multicurve/ucode by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What the programs of `multicurve` may name, and what a machine of it is to the RTL.
package pm_multicurve_machine_pkg;

  import pm_dual_ucode_pkg::*;

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
    ExtE = 4'd9,  // the number signed, or what is left of it: its lowest digits, as many as R has
    ExtTx = 4'd10,  // x of the table's entry that was taken last
    ExtTy = 4'd11  // y of it, or -y for a negative digit
  } ext_e;

  // Conditions; those of one machine alone are in its package
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
    CondZeroNoted = 5'd21,  // a zero was remembered; programs do so only with what a rejection may tell
    CondDigitsReady = 5'd22,  // e is there: its digits have been dropped
    CondMoreDigits = 5'd23,  // e has further digits; how many it has does not depend on it
    CondSignature = 5'd24,  // the job verifies or makes a signature
    CondSigning = 5'd25,  // it makes one
    CondSm2 = 5'd5,  // it is one of SM2
    CondTableLast = 5'd27,  // the table's place is the last one; of columns, the last but one
    CondTableDone = 5'd28,  // the table's place is before the first one; of teeth, it is the last tooth; of entries in their order, ratios have no more place
    CondBaseKept = 5'd31,  // the first point is the base point, and what its product takes is kept: multiples, or a comb for a secret scalar
    CondWalkReady = 5'd29  // the digit scan has found the highest digit
  } cond_e;

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
    UnitRestart = 10'd13,  // the digit scan begins anew, bit by bit from the highest one; its first index
    UnitNotePoint = 10'd15,  // the job's point, which is public, or the result is on the curve if the latest zero flag is set
    UnitInfinity = 10'd16,  // the result is infinity
    UnitModulus = 10'd17,  // take the modulus, and the base point, from the job, and set the multipliers up for it
    UnitUseBase = 10'd18,  // from now on x and y are those of the base point, as received
    UnitMarkValid = 10'd19,  // the curve is complete
    UnitOrder = 10'd20,  // from now on the modulus is the order that came with the curve; set the multipliers up for it
    UnitUseField = 10'd21,  // from now on the modulus is that of the curve
    UnitUseOrder = 10'd22,  // from now on the modulus is the order
    UnitFirst = 10'd23,  // select the first point, and the first scalar for the digit scan, which begins a new sum
    UnitSecond = 10'd24,  // select the second point, and the second scalar for the digit scan, which goes on with the sum
    UnitPair = 10'd25,  // select r and s of a signature to be verified, d and k of a new one
    UnitResult = 10'd26,  // select the result so far
    UnitAlone = 10'd27,  // of two products the first is infinity: the second one is all
    UnitPutU = 10'd28,  // the operand is the first scalar
    UnitPutV = 10'd29,  // the operand is the second scalar
    UnitNoteZero = 10'd30,  // remember for the rest of the job if the latest zero flag is set
    UnitNextDigits = 10'd31,  // drop as many of the lowest digits of e as R has
    UnitPower = 10'd14,  // the inverter's other use: 2^(64 m) = R^2 mod p
    UnitTableFirst = 10'd64,  // the table's place is the first one
    UnitTableUp = 10'd65,  // go to the next place
    UnitTableTop = 10'd72,  // the table's place is the one behind the last
    UnitEntryX = 10'd66,  // the operand is x of the selected point's entry at the table's place
    UnitEntryY = 10'd67,  // the operand is y of it
    UnitKeepBase = 10'd73,  // the table holds the multiples of the base point, until another curve is loaded
    UnitRatioX = 10'd68,  // the operand is the square of the ratio of Z from the place before
    UnitRatioY = 10'd69,  // the operand is its cube
    UnitTakeBelow = 10'd70,  // go to the place before, and take the selected point's entry there
    UnitTakeRatio = 10'd71,  // take the ratio of the table's place
    UnitCombScalar = 10'd74,  // the operand is the scalar of the comb
    UnitCombOpposite = 10'd75,  // if that is even the operand is, and all digits are turned
    UnitCombBegin = 10'd76,  // a comb is made, from its first tooth on: an entry is twice the tooth; places are columns
    UnitNextTooth = 10'd77,  // go to the next tooth
    UnitCombChain = 10'd78,  // now its entries are made: places are those of a Gray code, of which the first one begins
    UnitTakeStep = 10'd79,  // take twice the tooth that the place's entry has more than that of the place before, or its negative
    UnitKeepComb = 10'd80  // the table holds a comb of the base point, until another curve is loaded
  } unit_e;

  // Machines
  typedef enum logic [1:0] {
    MachinePaper = 2'd0,  // paper.yaml
    MachineFast = 2'd1,  // fast.yaml
    MachineThroughput = 2'd2  // throughput.yaml
  } machine_e;

  // Addresses of an operation by the coefficient a: -3, 0, any other
  typedef struct packed {
    logic [ArgBits-1:0] minus3;
    logic [ArgBits-1:0] zero;
    logic [ArgBits-1:0] other;
  } kinds_t;

  // Where programs begin; 0: the machine has no such program
  typedef struct packed {
    logic [ArgBits-1:0] load_curve;
    logic [ArgBits-1:0] ecmul;
    logic [ArgBits-1:0] ecmul2;
    logic [ArgBits-1:0] verify;
    logic [ArgBits-1:0] sign;
    logic [ArgBits-1:0] ladder;
    logic [ArgBits-1:0] xdh;
    logic [ArgBits-1:0] check;
    logic [ArgBits-1:0] modarith;
    logic [ArgBits-1:0] kept;
    logic [ArgBits-1:0] comb;
  } entries_t;

  // Operations of the digit scan; 0: the machine has no such operation
  typedef struct packed {
    kinds_t walk_next;
    kinds_t walk_set;
    kinds_t walk_set_minus;
    kinds_t walk_double;
    kinds_t walk_add;
    kinds_t walk_sub;
    kinds_t walk_last;
    kinds_t walk_end;
    kinds_t walk_nothing;
    kinds_t walk_set_base;
    kinds_t walk_pair;
    kinds_t walk_add_base;
    kinds_t walk_also;
  } walk_t;

  // A machine
  typedef struct packed {
    machine_e name;
    int unsigned multipliers;
    bit shared_ports;  // factors are read through the ports of the sums
    logic table_units;  // it has a table of points, and the digit scan by windows
    logic comb_units;  // and a fixed-base comb
    logic [(1<<ConditionBits)-1:0] public_conditions;  // what programs on secrets may ask for
    entries_t entry;
    walk_t at;
  } machine_t;

endpackage
