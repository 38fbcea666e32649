// SPDX-License-Identifier: Apache-2.0
//
// What a tile is told, and where its registers are.

package pm_edverify_tile_pkg;

  import pm_edverify_pkg::*;
  import pm_scalar_pkg::*;

  // What a job of a tile does.
  typedef enum logic [1:0] {
    TileVerify,
    TileCached,  // it verifies with the tables of a key
    TileLoad     // it makes them
  } tile_op_e;

  localparam int unsigned MaxKeys = 8;  // slots of keys
  localparam int unsigned SlotBits = $clog2(MaxKeys);

  // Of a job that starts: what its rule set asks for, and facts about the received bytes.
  typedef struct packed {
    tile_op_e            op;
    logic [SlotBits-1:0] slot;    // of its key
    rule_flags_t         flags;
    logic                s_ge_l;  // S >= L
    logic                a_ge_p;  // y of the key is not below p
    logic                r_ge_p;  // y of R is not below p
    logic                sign_a;  // bit 255 of the key
    logic                sign_r;  // bit 255 of R
  } tile_job_t;

  localparam int unsigned ValueBits = 258;
  localparam int unsigned Third = ValueBits / 6;  // bits of a third of a half

  // A third of a half of an external value, by its number in pm_edverify_tile_ucode_pkg. The last
  // third of a half comes last.
  typedef struct packed {
    logic [3:0]       ext;
    logic             upper;  // of bits from 129 on
    logic [1:0]       third;  // 0 to 2
    logic [Third-1:0] data;
  } tile_load_t;

  // What a burst of loads is for.
  typedef enum logic [1:0] {
    BurstConstant,  // one constant
    BurstJob,       // y of key and R, after which the job begins
    BurstPoint      // the point that the context waits for
  } tile_burst_e;

  // Two thirds of halves of an external value, on their way to the nodes; which of these they are
  // for is said beside it.
  typedef struct packed {
    tile_burst_e           burst;
    logic                  last;   // of the burst
    logic [2:0]            ctx;
    logic [3:0]            ext;
    logic [1:0]            pair;   // 0 to 2, of the value
    logic [1:0][Third-1:0] data;
  } tile_beat_t;

  // Tables of points.
  typedef enum logic [1:0] {
    TableBase,    // odd multiples of G, and of 2^127 G
    TableSpread,  // of 2^(32 i) G
    TableKey      // of 2^(32 i) A
  } tile_table_e;

  // A point that a context waits for.
  typedef struct packed {
    logic [2:0]  ctx;
    logic        neg;
    tile_table_e points;
    logic [8:0]  idx;     // {table of points of G, odd multiple}, {slot, table, odd multiple}
  } tile_ask_t;

  // Coordinate of a point of a key: 2dT, Y - X, Y + X, 2Z.
  typedef enum logic [1:0] {
    CoordT2d,
    CoordYm,
    CoordYp,
    CoordZ2
  } tile_coord_e;

  // Where a coordinate goes that a load has made.
  typedef struct packed {
    logic                valid;
    logic [SlotBits-1:0] slot;   // of the key
    logic [5:0]          point;  // {table, odd multiple}
    tile_coord_e         coord;
    logic                last;   // of the load
  } tile_place_t;

  // The coordinate. Its bits 64:0 are in operand in the cycle in which place is valid, bits 128:65,
  // 193:129 and 257:194 in the cycles after that, at bits 64:0 or 128:65.
  typedef struct packed {
    tile_place_t  place;
    logic [128:0] operand;
  } tile_put_t;

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
