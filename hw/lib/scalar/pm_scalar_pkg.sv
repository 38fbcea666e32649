// SPDX-License-Identifier: Apache-2.0
//
// Types and constants of the scalar units.

package pm_scalar_pkg;

  // Low part of the group order L = 2^252 + LLow (RFC 8032, section 5.1); 125 bits.
  localparam logic [124:0] LLow = 125'd27742317777372353535851937790883648493;

  // Order of the prime-order subgroup.
  localparam logic [252:0] L = {1'b1, 127'd0, LLow};

  // Operation of the double-scalar multiplication that the digit walker asks for.
  typedef enum logic [1:0] {
    WalkDone   = 2'd0,  // no digit is left
    WalkDouble = 2'd1,  // Q = 2Q
    WalkAddG   = 2'd2,  // add or subtract a multiple of the base point
    WalkAddA   = 2'd3   // add or subtract a multiple of the key
  } walk_op_e;

  // What a digit of one scalar asks for.
  typedef enum logic [2:0] {
    DigitDone     = 3'd0,  // no digit is left
    DigitZero     = 3'd1,  // P = 2P
    DigitPlus     = 3'd2,  // Q = Q + P, P = 2P
    DigitMinus    = 3'd3,  // Q = Q - P, P = 2P
    DigitSet      = 3'd4,  // Q = P
    DigitSetMinus = 3'd5,  // Q = -P
    DigitLast     = 3'd6   // Q = Q + P
  } digit_op_e;

  // Table of odd multiples that an entry of an operation list refers to.
  typedef enum logic [1:0] {
    ListG0 = 2'd0,  // base point; of pm_split_list its multiples 2^(32 i), i < 4
    ListG1 = 2'd1,  // base point times 2^127; the same for i >= 4
    ListA  = 2'd2,  // key
    ListR  = 2'd3   // commitment of the signature
  } list_kind_e;

  // Multiple of a table's point: (-1)^neg * (2 * idx + 1).
  typedef struct packed {
    list_kind_e kind;
    logic       neg;
    logic [7:0] idx;
  } list_point_t;

  // Entry of an operation list: add point at 2^pos. more: another entry of the same position
  // follows when the list is read from its end.
  typedef struct packed {
    logic [8:0] pos;
    list_kind_e kind;
    logic       neg;
    logic       more;
    logic [7:0] idx;
  } list_entry_t;

  // Operation that the list walker asks for.
  typedef enum logic [1:0] {
    ListDone   = 2'd0,  // nothing is left
    ListDouble = 2'd1,  // Q = 2Q
    ListAdd    = 2'd2   // Q = Q + point
  } list_op_e;

  // Operation that the walk by windows asks for. The table's point is the one that its digit
  // selects.
  typedef enum logic [2:0] {
    WindowDone   = 3'd0,  // nothing is left
    WindowSet    = 3'd1,  // Q = the table's point
    WindowDouble = 3'd2,  // Q = 2Q
    WindowPair   = 3'd3,  // Q = 4Q
    WindowAdd    = 3'd4,  // Q = 2Q + the table's point
    WindowAlso   = 3'd5   // Q = Q + the table's point
  } window_op_e;

  // How far the windows of a scalar move on.
  typedef enum logic [1:0] {
    StrideNone = 2'd0,
    StrideOne  = 2'd1,
    StrideTwo  = 2'd2,
    StrideMany = 2'd3   // 16 places
  } window_stride_e;

  // Job of the scalar unit.
  typedef enum logic [2:0] {
    ScalarHalve  = 3'd0,  // operation list of a verification
    ScalarReduce = 3'd1,  // digest mod L
    ScalarMulAdd = 3'd2,  // (r + k a) mod L with k = digest mod L
    ScalarWeigh  = 3'd3,  // digits of a k mod L, to be subtracted from A, and of a, from R
    ScalarGather = 3'd4,  // digest + a r, not reduced
    ScalarSplit  = 3'd5,  // digits of digest mod L for the fixed bases
    ScalarSpread = 3'd6   // operation list of a verification with the tables of a cached key
  } scalar_op_e;

  // Digit of a secret scalar. In a ladder only swap counts, in a comb (-1)^neg * (2 * idx + 1)
  // times the base: G if kind is 0, 2^127 G if it is 1.
  typedef struct packed {
    logic       swap;
    logic       kind;
    logic       neg;
    logic [7:0] idx;
  } secret_digit_t;

endpackage
