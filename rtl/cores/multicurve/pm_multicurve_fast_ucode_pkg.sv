// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration `fast` of `multicurve` has besides that of `paper`, and where its programs stand.
package pm_multicurve_fast_ucode_pkg;

  localparam int unsigned FastRomWords = 615;
  localparam int unsigned FastRomAddrBits = 10;

  // External values
  typedef enum logic [3:0] {
    FastExtTx = 4'd10,  // x of the table's entry that was taken last
    FastExtTy = 4'd11   // y of it, or -y for a negative digit
  } fast_ext_e;

  // Conditions
  typedef enum logic [4:0] {
    FastCondTableLast = 5'd27,  // the table's place is the last one
    FastCondTableDone = 5'd28,  // the table's place is before the first one
    FastCondWalkReady = 5'd29   // the walk has found the highest digit
  } fast_cond_e;

  // Side units
  typedef enum logic [9:0] {
    FastUnitTableFirst = 10'd64,  // the table's place is the first one
    FastUnitTableUp = 10'd65,  // go to the next place
    FastUnitTableTop = 10'd72,  // the table's place is the one behind the last
    FastUnitEntryX = 10'd66,  // the operand is x of the selected point's entry at the table's place
    FastUnitEntryY = 10'd67,  // the operand is y of it
    FastUnitRatioX = 10'd68,  // the operand is the square of the ratio of Z from the place before
    FastUnitRatioY = 10'd69,  // the operand is its cube
    FastUnitTakeBelow = 10'd70,  // go to the place before, and take the selected point's entry there
    FastUnitTakeRatio = 10'd71  // take the ratio of the table's place
  } fast_unit_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] FastPublicConditions = 32'h1bf7f7f9;

  // Where programs, and the walk's operations, stand in the ROM
  localparam logic [9:0] FastEntryLoadCurve = 10'd0;
  localparam logic [9:0] FastEntryEcmul = 10'd56;
  localparam logic [9:0] FastEntryEcmul2 = 10'd459;
  localparam logic [9:0] FastEntryVerify = 10'd458;
  localparam logic [9:0] FastEntrySign = 10'd520;
  localparam logic [9:0] FastEntryLadder = 10'd356;
  localparam logic [9:0] FastEntryXdh = 10'd554;
  localparam logic [9:0] FastEntryCheck = 10'd581;
  localparam logic [9:0] FastEntryModarith = 10'd592;
  localparam logic [9:0] FastAtWalkSetM3 = 10'd120;
  localparam logic [9:0] FastAtWalkSet0 = 10'd123;
  localparam logic [9:0] FastAtWalkSetAny = 10'd126;
  localparam logic [9:0] FastAtWalkDoubleM3 = 10'd131;
  localparam logic [9:0] FastAtWalkPairM3 = 10'd142;
  localparam logic [9:0] FastAtWalkAddM3 = 10'd165;
  localparam logic [9:0] FastAtWalkAlsoM3 = 10'd188;
  localparam logic [9:0] FastAtWalkDouble0 = 10'd203;
  localparam logic [9:0] FastAtWalkPair0 = 10'd214;
  localparam logic [9:0] FastAtWalkAdd0 = 10'd235;
  localparam logic [9:0] FastAtWalkAlso0 = 10'd258;
  localparam logic [9:0] FastAtWalkDoubleAny = 10'd269;
  localparam logic [9:0] FastAtWalkPairAny = 10'd280;
  localparam logic [9:0] FastAtWalkAddAny = 10'd299;
  localparam logic [9:0] FastAtWalkAlsoAny = 10'd325;
  localparam logic [9:0] FastAtWalkEnd = 10'd339;
  localparam logic [9:0] FastAtWalkNothing = 10'd352;

endpackage
