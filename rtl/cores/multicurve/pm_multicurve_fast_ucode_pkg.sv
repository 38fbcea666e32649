// Generated from ucode/multicurve by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// What configuration `fast` of `multicurve` has besides that of `paper`, and where its programs stand.
package pm_multicurve_fast_ucode_pkg;

  localparam int unsigned FastRomWords = 755;
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
    FastCondBaseKept = 5'd31,  // the first point is the base point, and the table holds its multiples
    FastCondWalkReady = 5'd29  // the walk has found the highest digit
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
    FastUnitTakeRatio = 10'd71  // take the ratio of the table's place
  } fast_unit_e;

  // What a program that works on secrets may ask for, by number
  localparam logic [31:0] FastPublicConditions = 32'h9bf7f7f9;

  // Where programs, and the walk's operations, stand in the ROM
  localparam logic [9:0] FastEntryLoadCurve = 10'd640;
  localparam logic [9:0] FastEntryEcmul = 10'd1;
  localparam logic [9:0] FastEntryEcmul2 = 10'd545;
  localparam logic [9:0] FastEntryVerify = 10'd544;
  localparam logic [9:0] FastEntrySign = 10'd606;
  localparam logic [9:0] FastEntryLadder = 10'd442;
  localparam logic [9:0] FastEntryXdh = 10'd694;
  localparam logic [9:0] FastEntryCheck = 10'd721;
  localparam logic [9:0] FastEntryModarith = 10'd732;
  localparam logic [9:0] FastEntryKept = 10'd66;
  localparam logic [9:0] FastAtWalkSetM3 = 10'd124;
  localparam logic [9:0] FastAtWalkSet0 = 10'd127;
  localparam logic [9:0] FastAtWalkSetAny = 10'd130;
  localparam logic [9:0] FastAtWalkSetBaseM3 = 10'd135;
  localparam logic [9:0] FastAtWalkSetBase0 = 10'd138;
  localparam logic [9:0] FastAtWalkSetBaseAny = 10'd141;
  localparam logic [9:0] FastAtWalkDoubleM3 = 10'd145;
  localparam logic [9:0] FastAtWalkPairM3 = 10'd156;
  localparam logic [9:0] FastAtWalkAddM3 = 10'd179;
  localparam logic [9:0] FastAtWalkAddBaseM3 = 10'd202;
  localparam logic [9:0] FastAtWalkAlsoM3 = 10'd225;
  localparam logic [9:0] FastAtWalkDouble0 = 10'd240;
  localparam logic [9:0] FastAtWalkPair0 = 10'd251;
  localparam logic [9:0] FastAtWalkAdd0 = 10'd272;
  localparam logic [9:0] FastAtWalkAddBase0 = 10'd295;
  localparam logic [9:0] FastAtWalkAlso0 = 10'd318;
  localparam logic [9:0] FastAtWalkDoubleAny = 10'd329;
  localparam logic [9:0] FastAtWalkPairAny = 10'd340;
  localparam logic [9:0] FastAtWalkAddAny = 10'd359;
  localparam logic [9:0] FastAtWalkAddBaseAny = 10'd385;
  localparam logic [9:0] FastAtWalkAlsoAny = 10'd411;
  localparam logic [9:0] FastAtWalkEnd = 10'd425;
  localparam logic [9:0] FastAtWalkNothing = 10'd438;

endpackage
