// SPDX-License-Identifier: Apache-2.0
//
// What a tile is told, and where its registers are.

package pm_edverify_tile_pkg;

  import pm_edverify_pkg::*;

  // Of a job that starts: what its rule set asks for, and facts about the received bytes.
  typedef struct packed {
    rule_flags_t flags;
    logic        s_ge_l;  // S >= L
    logic        a_ge_p;  // y of the key is not below p
    logic        r_ge_p;  // y of R is not below p
    logic        sign_a;  // bit 255 of the key
    logic        sign_r;  // bit 255 of R
  } tile_job_t;

  // Half of an external value, by its number in pm_edverify_tile_ucode_pkg.
  typedef struct packed {
    logic [3:0]   ext;
    logic         upper;  // bits from 129 on
    logic [128:0] data;
  } tile_load_t;

  // Registers of a context: 24 of bank sum, 16 of diff, 26 of mul, and external values of its own.
  localparam int unsigned Stride = 72;
  localparam int unsigned DiffBase = 24;
  localparam int unsigned MulBase = 40;
  localparam int unsigned ExtBase = 66;
  localparam int unsigned ConstantExts = 7;  // external values that are the same for all contexts

  // Turns from a product to its flags, more than to the product.
  localparam int unsigned FlagTurns = 2;

endpackage
