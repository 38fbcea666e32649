// SPDX-License-Identifier: Apache-2.0
//
// What a tile is told, and where its registers are.

package pm_edverify_tile_pkg;

  import pm_edverify_pkg::*;
  import pm_scalar_pkg::*;

  // Of a job that starts: what its rule set asks for, and facts about the received bytes.
  typedef struct packed {
    rule_flags_t flags;
    logic        s_ge_l;  // S >= L
    logic        a_ge_p;  // y of the key is not below p
    logic        r_ge_p;  // y of R is not below p
    logic        sign_a;  // bit 255 of the key
    logic        sign_r;  // bit 255 of R
  } tile_job_t;

  // A third of a half of an external value, by its number in pm_edverify_tile_ucode_pkg. The last
  // third of a half comes last.
  typedef struct packed {
    logic [3:0]  ext;
    logic        upper;  // of bits from 129 on
    logic [1:0]  third;  // 0 to 2
    logic [42:0] data;
  } tile_load_t;

  // What a burst of loads is for.
  typedef enum logic [1:0] {
    BurstConstant,  // one constant
    BurstJob,       // y of key and R, after which the job begins
    BurstPoint      // the point that the context waits for
  } tile_burst_e;

  // A load on its way to the nodes; which of them it is for is said beside it.
  typedef struct packed {
    tile_burst_e burst;
    logic        last;   // of the burst
    logic [2:0]  ctx;
    tile_load_t  load;
  } tile_beat_t;

  // A point that a context waits for: a multiple of G or, with second, of 2^127 G.
  typedef struct packed {
    logic [2:0] ctx;
    logic       second;
    logic       neg;
    logic [7:0] idx;
  } tile_ask_t;

  // How a job ends.
  typedef struct packed {
    logic [2:0] ctx;
    reason_e    reason;
  } tile_end_t;

  // An entry of the digit sequence of a context, or its end.
  typedef struct packed {
    logic [2:0]  ctx;
    logic        valid;
    logic        done;
    list_entry_t entry;
  } tile_list_t;

  // Registers of a context: 24 of bank sum, 16 of diff, 26 of mul, and external values of its own.
  localparam int unsigned Stride = 72;
  localparam int unsigned DiffBase = 24;
  localparam int unsigned MulBase = 40;
  localparam int unsigned ExtBase = 66;
  localparam int unsigned ConstantExts = 7;  // external values that are the same for all contexts

  // Turns from a product to its flags, more than to the product.
  localparam int unsigned FlagTurns = 2;

endpackage
