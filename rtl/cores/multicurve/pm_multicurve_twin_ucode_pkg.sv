// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration `twin` of `multicurve` has besides that of `paper`, and where its programs stand.
package pm_multicurve_twin_ucode_pkg;

  localparam int unsigned TwinRomWords = 753;
  localparam int unsigned TwinRomAddrBits = 10;

  // External values
  typedef enum logic [3:0] {
    TwinExtTx = 4'd10,  // x of the table's entry that was taken last
    TwinExtTy = 4'd11   // y of it, or -y for a negative digit
  } twin_ext_e;

  // Conditions
  typedef enum logic [4:0] {
    TwinCondTableLast = 5'd27,  // the table's place is the last one
    TwinCondTableDone = 5'd28,  // the table's place is before the first one
    TwinCondWalkReady = 5'd29,  // the walk has found the highest digit
    TwinCondA121666 = 5'd26,  // a of the loaded Montgomery curve was received as 121666 (Curve25519)
    TwinCondA39082 = 5'd30  // it was received as 39082 (Curve448)
  } twin_cond_e;

  // Side units
  typedef enum logic [9:0] {
    TwinUnitTableFirst = 10'd64,  // the table's place is the first one
    TwinUnitTableUp = 10'd65,  // go to the next place
    TwinUnitTableTop = 10'd72,  // the table's place is the one behind the last
    TwinUnitEntryX = 10'd66,  // the operand is x of the selected point's entry at the table's place
    TwinUnitEntryY = 10'd67,  // the operand is y of it
    TwinUnitRatioX = 10'd68,  // the operand is the square of the ratio of Z from the place before
    TwinUnitRatioY = 10'd69,  // the operand is its cube
    TwinUnitTakeBelow = 10'd70,  // go to the place before, and take the selected point's entry there
    TwinUnitTakeRatio = 10'd71  // take the ratio of the table's place
  } twin_unit_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] TwinPublicConditions = 32'h5ff7f7f9;

  // Where programs, and the walk's operations, stand in the ROM
  localparam logic [9:0] TwinEntryLoadCurve = 10'd0;
  localparam logic [9:0] TwinEntryEcmul = 10'd55;
  localparam logic [9:0] TwinEntryEcmul2 = 10'd477;
  localparam logic [9:0] TwinEntryVerify = 10'd476;
  localparam logic [9:0] TwinEntrySign = 10'd537;
  localparam logic [9:0] TwinEntryLadder = 10'd360;
  localparam logic [9:0] TwinEntryXdh = 10'd571;
  localparam logic [9:0] TwinEntryCheck = 10'd719;
  localparam logic [9:0] TwinEntryModarith = 10'd730;
  localparam logic [9:0] TwinAtWalkSetM3 = 10'd123;
  localparam logic [9:0] TwinAtWalkSet0 = 10'd126;
  localparam logic [9:0] TwinAtWalkSetAny = 10'd129;
  localparam logic [9:0] TwinAtWalkDoubleM3 = 10'd133;
  localparam logic [9:0] TwinAtWalkPairM3 = 10'd143;
  localparam logic [9:0] TwinAtWalkAddM3 = 10'd166;
  localparam logic [9:0] TwinAtWalkAlsoM3 = 10'd190;
  localparam logic [9:0] TwinAtWalkDouble0 = 10'd203;
  localparam logic [9:0] TwinAtWalkPair0 = 10'd213;
  localparam logic [9:0] TwinAtWalkAdd0 = 10'd230;
  localparam logic [9:0] TwinAtWalkAlso0 = 10'd251;
  localparam logic [9:0] TwinAtWalkDoubleAny = 10'd264;
  localparam logic [9:0] TwinAtWalkPairAny = 10'd274;
  localparam logic [9:0] TwinAtWalkAddAny = 10'd298;
  localparam logic [9:0] TwinAtWalkAlsoAny = 10'd322;
  localparam logic [9:0] TwinAtWalkEnd = 10'd337;
  localparam logic [9:0] TwinAtWalkNothing = 10'd356;

endpackage
