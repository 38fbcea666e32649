// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration `twin` of `multicurve` has besides that of `paper`, and where its programs stand.
package pm_multicurve_twin_ucode_pkg;

  localparam int unsigned TwinRomWords = 910;
  localparam int unsigned TwinRomAddrBits = 10;

  // External values
  typedef enum logic [3:0] {
    TwinExtTx = 4'd10,  // x of the table's entry that was taken last
    TwinExtTy = 4'd11   // y of it, or -y for a negative digit
  } twin_ext_e;

  // Conditions
  typedef enum logic [4:0] {
    TwinCondTableLast = 5'd27,  // the table's place is the last one; of columns, the last but one
    TwinCondTableDone = 5'd28,  // the table's place is before the first one; of teeth, it is the last tooth; of entries in their order, ratios have no more place
    TwinCondBaseKept = 5'd31,  // the first point is the base point, and what its product takes is kept: multiples, or a comb for a secret scalar
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
    TwinUnitKeepBase = 10'd73,  // the table holds the multiples of the base point, until another curve is loaded
    TwinUnitRatioX = 10'd68,  // the operand is the square of the ratio of Z from the place before
    TwinUnitRatioY = 10'd69,  // the operand is its cube
    TwinUnitTakeBelow = 10'd70,  // go to the place before, and take the selected point's entry there
    TwinUnitTakeRatio = 10'd71  // take the ratio of the table's place
  } twin_unit_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] TwinPublicConditions = 32'hdff7f7f9;

  // Where programs, and the walk's operations, stand in the ROM
  localparam logic [9:0] TwinEntryLoadCurve = 10'd666;
  localparam logic [9:0] TwinEntryEcmul = 10'd1;
  localparam logic [9:0] TwinEntryEcmul2 = 10'd572;
  localparam logic [9:0] TwinEntryVerify = 10'd571;
  localparam logic [9:0] TwinEntrySign = 10'd652;
  localparam logic [9:0] TwinEntryLadder = 10'd455;
  localparam logic [9:0] TwinEntryXdh = 10'd717;
  localparam logic [9:0] TwinEntryCheck = 10'd876;
  localparam logic [9:0] TwinEntryModarith = 10'd887;
  localparam logic [9:0] TwinEntryKept = 10'd70;
  localparam logic [9:0] TwinAtWalkSetM3 = 10'd128;
  localparam logic [9:0] TwinAtWalkSet0 = 10'd131;
  localparam logic [9:0] TwinAtWalkSetAny = 10'd134;
  localparam logic [9:0] TwinAtWalkSetBaseM3 = 10'd138;
  localparam logic [9:0] TwinAtWalkSetBase0 = 10'd141;
  localparam logic [9:0] TwinAtWalkSetBaseAny = 10'd144;
  localparam logic [9:0] TwinAtWalkDoubleM3 = 10'd149;
  localparam logic [9:0] TwinAtWalkPairM3 = 10'd158;
  localparam logic [9:0] TwinAtWalkAddM3 = 10'd183;
  localparam logic [9:0] TwinAtWalkAddBaseM3 = 10'd205;
  localparam logic [9:0] TwinAtWalkAlsoM3 = 10'd229;
  localparam logic [9:0] TwinAtWalkDouble0 = 10'd243;
  localparam logic [9:0] TwinAtWalkPair0 = 10'd253;
  localparam logic [9:0] TwinAtWalkAdd0 = 10'd270;
  localparam logic [9:0] TwinAtWalkAddBase0 = 10'd293;
  localparam logic [9:0] TwinAtWalkAlso0 = 10'd315;
  localparam logic [9:0] TwinAtWalkDoubleAny = 10'd328;
  localparam logic [9:0] TwinAtWalkPairAny = 10'd338;
  localparam logic [9:0] TwinAtWalkAddAny = 10'd362;
  localparam logic [9:0] TwinAtWalkAddBaseAny = 10'd387;
  localparam logic [9:0] TwinAtWalkAlsoAny = 10'd417;
  localparam logic [9:0] TwinAtWalkEnd = 10'd432;
  localparam logic [9:0] TwinAtWalkNothing = 10'd451;

endpackage
