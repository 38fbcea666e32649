// SPDX-License-Identifier: Apache-2.0
//
// Where the program of a digit scan's next operation is in the ROM of the configuration: a
// doubling, the addition of a point of which kind and sign (that of a fixed one is the datapath's
// affair), with T if the operation after it wants it; the comparison that the rule set asks for at
// the end; or, before the digit scan has started, the program that asks again later. The program of
// a job with the tables of a cached key has blocks of its own, on a tile one more for points of G;
// the others stand at the same addresses in `throughput` and `bulk`, which elaboration checks.
//
// Latency:  combinational. Reset: none. Constant time: NO, it steers the flow by public scalars.

module pm_edverify_walk_program
  import pm_edverify_throughput_ucode_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter bit Scheduled = 1'b0,  // ROM of 0: `throughput`, 1: `latency`
    parameter bit Tile = 1'b0,  // 1: ROM of a tile
    parameter int unsigned AddrBits = RomAddrBits  // of that ROM
) (
    input list_op_e op_i,  // next operation
    input list_point_t point_i,  // its point, if it is an addition
    input logic need_t_i,  // the one after it is an addition
    input logic started_i,  // the walk has started: no operation is its end
    // the job has the tables of a cached key; not in `throughput` and `latency`
    input logic cached_i,
    input logic cofactored_i,  // the rule set clears the cofactor
    input logic small_order_i,  // it refuses points of small order
    output logic [AddrBits-1:0] addr_o  // address of the program
);

  // `bulk` uses the addresses of `throughput`.
  localparam logic [15:0][9:0] InThroughput = {
    10'(AtWalkWait),
    10'(AtWalkDouble),
    10'(AtWalkDoubleT),
    10'(AtWalkAddFixed),
    10'(AtWalkAddFixedT),
    10'(AtWalkAddFirst),
    10'(AtWalkAddFirstT),
    10'(AtWalkSubFirst),
    10'(AtWalkSubFirstT),
    10'(AtWalkAdd),
    10'(AtWalkAddT),
    10'(AtWalkSub),
    10'(AtWalkSubT),
    10'(AtWalkDoneCofactored),
    10'(AtWalkDone),
    10'(AtWalkDoneSmallOrder)
  };
  localparam logic [15:0][9:0] InBulk = {
    pm_edverify_bulk_ucode_pkg::AtWalkWait,
    pm_edverify_bulk_ucode_pkg::AtWalkDouble,
    pm_edverify_bulk_ucode_pkg::AtWalkDoubleT,
    pm_edverify_bulk_ucode_pkg::AtWalkAddFixed,
    pm_edverify_bulk_ucode_pkg::AtWalkAddFixedT,
    pm_edverify_bulk_ucode_pkg::AtWalkAddFirst,
    pm_edverify_bulk_ucode_pkg::AtWalkAddFirstT,
    pm_edverify_bulk_ucode_pkg::AtWalkSubFirst,
    pm_edverify_bulk_ucode_pkg::AtWalkSubFirstT,
    pm_edverify_bulk_ucode_pkg::AtWalkAdd,
    pm_edverify_bulk_ucode_pkg::AtWalkAddT,
    pm_edverify_bulk_ucode_pkg::AtWalkSub,
    pm_edverify_bulk_ucode_pkg::AtWalkSubT,
    pm_edverify_bulk_ucode_pkg::AtWalkDoneCofactored,
    pm_edverify_bulk_ucode_pkg::AtWalkDone,
    pm_edverify_bulk_ucode_pkg::AtWalkDoneSmallOrder
  };

  if (InThroughput != InBulk) begin : g_refuse_addresses
    $fatal(1, "`throughput` and `bulk` must have the same addresses of a digit scan");
  end

  localparam logic [15:0][9:0] InLatency = {
    10'(pm_edverify_latency_ucode_pkg::AtWalkWait),
    10'(pm_edverify_latency_ucode_pkg::AtWalkDouble),
    10'(pm_edverify_latency_ucode_pkg::AtWalkDoubleT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAddFixed),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAddFixedT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAddFirst),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAddFirstT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkSubFirst),
    10'(pm_edverify_latency_ucode_pkg::AtWalkSubFirstT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAdd),
    10'(pm_edverify_latency_ucode_pkg::AtWalkAddT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkSub),
    10'(pm_edverify_latency_ucode_pkg::AtWalkSubT),
    10'(pm_edverify_latency_ucode_pkg::AtWalkDoneCofactored),
    10'(pm_edverify_latency_ucode_pkg::AtWalkDone),
    10'(pm_edverify_latency_ucode_pkg::AtWalkDoneSmallOrder)
  };
  localparam logic [15:0][9:0] InTile = {
    10'(pm_edverify_tile_ucode_pkg::AtWalkWait),
    10'(pm_edverify_tile_ucode_pkg::AtWalkDouble),
    10'(pm_edverify_tile_ucode_pkg::AtWalkDoubleT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAddFixed),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAddFixedT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAddFirst),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAddFirstT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkSubFirst),
    10'(pm_edverify_tile_ucode_pkg::AtWalkSubFirstT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAdd),
    10'(pm_edverify_tile_ucode_pkg::AtWalkAddT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkSub),
    10'(pm_edverify_tile_ucode_pkg::AtWalkSubT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkDoneCofactored),
    10'(pm_edverify_tile_ucode_pkg::AtWalkDone),
    10'(pm_edverify_tile_ucode_pkg::AtWalkDoneSmallOrder)
  };
  localparam logic [15:0][9:0] Here = Tile ? InTile : Scheduled ? InLatency : InThroughput;

  localparam logic [AddrBits-1:0] ToWait = AddrBits'(Here[15]);
  localparam logic [AddrBits-1:0] ToDouble = AddrBits'(Here[14]);
  localparam logic [AddrBits-1:0] ToDoubleT = AddrBits'(Here[13]);
  localparam logic [AddrBits-1:0] ToAddFixed = AddrBits'(Here[12]);
  localparam logic [AddrBits-1:0] ToAddFixedT = AddrBits'(Here[11]);
  localparam logic [AddrBits-1:0] ToAddFirst = AddrBits'(Here[10]);
  localparam logic [AddrBits-1:0] ToAddFirstT = AddrBits'(Here[9]);
  localparam logic [AddrBits-1:0] ToSubFirst = AddrBits'(Here[8]);
  localparam logic [AddrBits-1:0] ToSubFirstT = AddrBits'(Here[7]);
  localparam logic [AddrBits-1:0] ToAdd = AddrBits'(Here[6]);
  localparam logic [AddrBits-1:0] ToAddT = AddrBits'(Here[5]);
  localparam logic [AddrBits-1:0] ToSub = AddrBits'(Here[4]);
  localparam logic [AddrBits-1:0] ToSubT = AddrBits'(Here[3]);
  localparam logic [AddrBits-1:0] ToDoneCofactored = AddrBits'(Here[2]);
  localparam logic [AddrBits-1:0] ToDone = AddrBits'(Here[1]);
  localparam logic [AddrBits-1:0] ToDoneSmallOrder = AddrBits'(Here[0]);

  logic fixed, first;

  assign fixed = point_i.kind == ListG0 || point_i.kind == ListG1;
  assign first = point_i.idx == '0;

  // In `bulk` all points of a cached key are fixed ones, too.
  localparam logic [6:0][9:0] CachedInBulk = {
    pm_edverify_bulk_ucode_pkg::AtWalkCachedDouble,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedDoubleT,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedAdd,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedAddT,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedAdd,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedAddT,
    pm_edverify_bulk_ucode_pkg::AtWalkCachedDone
  };
  localparam logic [6:0][9:0] CachedInTile = {
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedDouble),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedDoubleT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedAddFixed),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedAddFixedT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedAdd),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedAddT),
    10'(pm_edverify_tile_ucode_pkg::AtWalkCachedDone)
  };
  localparam logic [6:0][9:0] Cached = Tile ? CachedInTile : CachedInBulk;

  localparam logic [AddrBits-1:0] CachedDouble = AddrBits'(Cached[6]);
  localparam logic [AddrBits-1:0] CachedDoubleT = AddrBits'(Cached[5]);
  localparam logic [AddrBits-1:0] CachedFixed = AddrBits'(Cached[4]);
  localparam logic [AddrBits-1:0] CachedFixedT = AddrBits'(Cached[3]);
  localparam logic [AddrBits-1:0] CachedAdd = AddrBits'(Cached[2]);
  localparam logic [AddrBits-1:0] CachedAddT = AddrBits'(Cached[1]);
  localparam logic [AddrBits-1:0] CachedDone = AddrBits'(Cached[0]);

  logic [AddrBits-1:0] plain, cached;

  assign addr_o = cached_i ? cached : plain;

  always_comb begin
    unique case (op_i)
      ListDouble: cached = need_t_i ? CachedDoubleT : CachedDouble;
      ListAdd: begin
        if (fixed) cached = need_t_i ? CachedFixedT : CachedFixed;
        else cached = need_t_i ? CachedAddT : CachedAdd;
      end
      // In `bulk` a job begins when its digit scan has started.
      default: cached = Tile && !started_i ? ToWait : CachedDone;
    endcase
  end

  always_comb begin
    unique case (op_i)
      ListDouble: plain = need_t_i ? ToDoubleT : ToDouble;
      ListAdd: begin
        unique case ({
          fixed, first, point_i.neg
        }) inside
          3'b1??:  plain = need_t_i ? ToAddFixedT : ToAddFixed;
          3'b010:  plain = need_t_i ? ToAddFirstT : ToAddFirst;
          3'b011:  plain = need_t_i ? ToSubFirstT : ToSubFirst;
          3'b000:  plain = need_t_i ? ToAddT : ToAdd;
          default: plain = need_t_i ? ToSubT : ToSub;
        endcase
      end
      default: begin
        if (!started_i) plain = ToWait;
        else if (cofactored_i) plain = ToDoneCofactored;
        else plain = small_order_i ? ToDoneSmallOrder : ToDone;
      end
    endcase
  end

endmodule
