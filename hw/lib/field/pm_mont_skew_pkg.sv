// SPDX-License-Identifier: Apache-2.0
//
// What pm_mont_skew, its columns and its datapath share.

package pm_mont_skew_pkg;

  // What goes from column to column with a digit of x and its q.
  typedef struct packed {
    logic valid;  // a digit
    logic first;  // of a product
    logic last;
    logic upper;  // second lap: the column stands for the one Columns above it
  } token_t;

  // What a microinstruction of pm_skew_datapath writes.
  typedef enum logic [1:0] {
    SkewSum,
    SkewProduct,
    SkewOutside
  } skew_source_e;

  localparam int unsigned CarryBits = 4;  // of a column
  localparam int unsigned NamedRows = 3;  // numbers of pm_mont_named for a column

  // How much larger carries are than what a column carries, so that none is less than 0: as much as
  // the upper parts of two products of pm_cs_mul are too small by, apart from a multiple of
  // 2^Digit.
  function automatic int unsigned carry_bias(int unsigned tile);
    return tile == 0 ? 4 : 0;
  endfunction

  // Cycles between the digits of a product: operands, product in as many as it takes, sum of two
  //                                         products,
  // sum of a column in two.
  function automatic int unsigned period(int unsigned tile);
    return tile == 0 ? 4 : 6;
  endfunction

  // Products under way at most, of any modulus and of the named one.
  function automatic int unsigned slots(int unsigned every, int unsigned named,
                                        int unsigned named_period);
    return named != 0 && named_period > every ? named_period : every;
  endfunction

endpackage
