// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration `fast` of `multicurve` has besides that of `paper`, and where its programs stand.
package pm_multicurve_fast_ucode_pkg;

  localparam int unsigned FastRomWords = 997;
  localparam int unsigned FastRomAddrBits = 10;

  // External values
  typedef enum logic [3:0] {
    FastExtTx = 4'd10,  // x of the table's entry that was taken last
    FastExtTy = 4'd11   // y of it, or -y for a negative digit
  } fast_ext_e;

  // Conditions
  typedef enum logic [4:0] {
    FastCondTableLast = 5'd27,  // the table's place is the last one; of columns, the last but one
    FastCondTableDone = 5'd28,  // the table's place is before the first one; of teeth, it is the last tooth; of entries in their order, ratios have no more place
    FastCondBaseKept = 5'd31,  // the first point is the base point, and what its product takes is kept: multiples, or a comb for a secret scalar
    FastCondWalkReady = 5'd29,  // the walk has found the highest digit
    FastCondAMinus3 = 5'd26,  // a of the loaded curve is -3
    FastCondCombFits = 5'd30  // the order of the base point is known, and long enough for a comb
  } fast_cond_e;

  // Side units
  typedef enum logic [9:0] {
    FastUnitTableFirst = 10'd64,  // the table's place is the first one
    FastUnitTableUp = 10'd65,  // go to the next place
    FastUnitTableTop = 10'd72,  // the table's place is the one behind the last
    FastUnitEntryX = 10'd66,  // the operand is x of the selected point's entry at the table's place
    FastUnitEntryY = 10'd67,  // the operand is y of it
    FastUnitKeepBase = 10'd73,  // the table holds the multiples of the base point, until another curve is loaded
    FastUnitRatioX = 10'd68,  // the operand is the square of the ratio of Z from the place before
    FastUnitRatioY = 10'd69,  // the operand is its cube
    FastUnitTakeBelow = 10'd70,  // go to the place before, and take the selected point's entry there
    FastUnitTakeRatio = 10'd71,  // take the ratio of the table's place
    FastUnitCombScalar = 10'd74,  // the operand is the scalar of the comb
    FastUnitCombOpposite = 10'd75,  // if that is even the operand is, and all digits are turned
    FastUnitCombBegin = 10'd76,  // a comb is made, from its first tooth on: an entry is twice the tooth; places are columns
    FastUnitNextTooth = 10'd77,  // go to the next tooth
    FastUnitCombChain = 10'd78,  // now its entries are made: places are those of a Gray code, of which the first one begins
    FastUnitTakeStep = 10'd79,  // take twice the tooth that the place's entry has more than that of the place before, or its negative
    FastUnitKeepComb = 10'd80  // the table holds a comb of the base point, until another curve is loaded
  } fast_unit_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] FastPublicConditions = 32'hdff7f7f9;

  // Where programs, and the walk's operations, stand in the ROM
  localparam logic [9:0] FastEntryLoadCurve = 10'd882;
  localparam logic [9:0] FastEntryEcmul = 10'd1;
  localparam logic [9:0] FastEntryEcmul2 = 10'd549;
  localparam logic [9:0] FastEntryVerify = 10'd548;
  localparam logic [9:0] FastEntrySign = 10'd630;
  localparam logic [9:0] FastEntryLadder = 10'd443;
  localparam logic [9:0] FastEntryXdh = 10'd936;
  localparam logic [9:0] FastEntryCheck = 10'd963;
  localparam logic [9:0] FastEntryModarith = 10'd974;
  localparam logic [9:0] FastEntryKept = 10'd66;
  localparam logic [9:0] FastEntryComb = 10'd647;
  localparam logic [9:0] FastAtWalkSetM3 = 10'd125;
  localparam logic [9:0] FastAtWalkSet0 = 10'd128;
  localparam logic [9:0] FastAtWalkSetAny = 10'd131;
  localparam logic [9:0] FastAtWalkSetBaseM3 = 10'd136;
  localparam logic [9:0] FastAtWalkSetBase0 = 10'd139;
  localparam logic [9:0] FastAtWalkSetBaseAny = 10'd142;
  localparam logic [9:0] FastAtWalkDoubleM3 = 10'd146;
  localparam logic [9:0] FastAtWalkPairM3 = 10'd157;
  localparam logic [9:0] FastAtWalkAddM3 = 10'd180;
  localparam logic [9:0] FastAtWalkAddBaseM3 = 10'd203;
  localparam logic [9:0] FastAtWalkAlsoM3 = 10'd226;
  localparam logic [9:0] FastAtWalkDouble0 = 10'd241;
  localparam logic [9:0] FastAtWalkPair0 = 10'd252;
  localparam logic [9:0] FastAtWalkAdd0 = 10'd273;
  localparam logic [9:0] FastAtWalkAddBase0 = 10'd296;
  localparam logic [9:0] FastAtWalkAlso0 = 10'd319;
  localparam logic [9:0] FastAtWalkDoubleAny = 10'd330;
  localparam logic [9:0] FastAtWalkPairAny = 10'd341;
  localparam logic [9:0] FastAtWalkAddAny = 10'd360;
  localparam logic [9:0] FastAtWalkAddBaseAny = 10'd386;
  localparam logic [9:0] FastAtWalkAlsoAny = 10'd412;
  localparam logic [9:0] FastAtWalkEnd = 10'd426;
  localparam logic [9:0] FastAtWalkNothing = 10'd439;

endpackage
