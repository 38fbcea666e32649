// SPDX-License-Identifier: Apache-2.0
//
// ROM of `multicurve`: the programs of the configuration, and where that of a job begins.
//
// Timing:   word_o one cycle after addr_i; entry_o follows the job in the same cycle.
// Reset:    none.
// Constant time: yes; of a secret job entry_o depends on whether the comb of the base point is kept.
module pm_mc_rom
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_ucode_pkg::*;
  import pm_multicurve_fast_ucode_pkg::*;
  import pm_multicurve_twin_ucode_pkg::*;
  import pm_mc_pkg::*;
#(
    parameter bit Fast = 1'b0,  // programs with windows
    parameter bit Twin = 1'b0   // with Fast: of engines of one multiplier
) (
    input  logic                clk_i,        // clock
    input  logic  [        7:0] op_i,         // operation of the job
    input  logic                ladder_i,     // its option wants the ladder
    input  logic                secret_i,     // it is secret
    input  logic                base_kept_i,  // what a product of the base point takes is kept
    output logic  [ArgBits-1:0] entry_o,      // where its program begins
    input  logic  [ArgBits-1:0] addr_i,       // address
    output word_t               word_o        // word at the address of the cycle before
);

  localparam logic [ArgBits-1:0] AtEcmul = Twin ? TwinEntryEcmul : Fast ? FastEntryEcmul : ArgBits'(EntryEcmul);
  localparam logic [ArgBits-1:0] AtKept = Twin ? TwinEntryKept : FastEntryKept;
  localparam logic [ArgBits-1:0] AtComb = FastEntryComb;  // where the comb is kept
  localparam logic [ArgBits-1:0] AtLadder = Twin ? TwinEntryLadder : Fast ? FastEntryLadder : ArgBits'(EntryLadder);
  localparam logic [ArgBits-1:0] AtEcmul2 = Twin ? TwinEntryEcmul2 : Fast ? FastEntryEcmul2 : ArgBits'(EntryEcmul2);
  localparam logic [ArgBits-1:0] AtVerify = Twin ? TwinEntryVerify : Fast ? FastEntryVerify : ArgBits'(EntryVerify);
  localparam logic [ArgBits-1:0] AtSign = Twin ? TwinEntrySign : Fast ? FastEntrySign : ArgBits'(EntrySign);
  localparam logic [ArgBits-1:0] AtCheck = Twin ? TwinEntryCheck : Fast ? FastEntryCheck : ArgBits'(EntryCheck);
  localparam logic [ArgBits-1:0] AtXdh = Twin ? TwinEntryXdh : Fast ? FastEntryXdh : ArgBits'(EntryXdh);
  localparam logic [ArgBits-1:0] AtModarith = Twin ? TwinEntryModarith : Fast ? FastEntryModarith : ArgBits'(EntryModarith);
  localparam logic [ArgBits-1:0] AtLoadCurve = Twin ? TwinEntryLoadCurve : Fast ? FastEntryLoadCurve : ArgBits'(EntryLoadCurve);

  always_comb begin
    unique case (op_i)
      OpcodeEcmul: entry_o = ladder_i ? AtLadder : AtEcmul;
      OpcodeEcmulBase:
      if (ladder_i) entry_o = secret_i && base_kept_i ? AtComb : AtLadder;
      else entry_o = base_kept_i ? AtKept : AtEcmul;
      OpcodeEcmul2: entry_o = AtEcmul2;
      OpcodeEcdsaVerify, OpcodeSm2Verify: entry_o = AtVerify;
      OpcodeEcdsaSign, OpcodeSm2Sign: entry_o = AtSign;
      OpcodeCheck: entry_o = AtCheck;
      OpcodeLadder: entry_o = AtXdh;
      OpcodeModarith: entry_o = AtModarith;
      default: entry_o = AtLoadCurve;
    endcase
  end

  if (Twin) begin : g_twin_rom
    pm_multicurve_twin_rom u_rom (
        .clk_i,
        .addr_i(addr_i[TwinRomAddrBits-1:0]),
        .data_o(word_o)
    );
  end else if (Fast) begin : g_fast_rom
    pm_multicurve_fast_rom u_rom (
        .clk_i,
        .addr_i(addr_i[FastRomAddrBits-1:0]),
        .data_o(word_o)
    );
  end else begin : g_rom
    pm_multicurve_rom u_rom (
        .clk_i,
        .addr_i(addr_i[RomAddrBits-1:0]),
        .data_o(word_o)
    );
  end

endmodule
