// SPDX-License-Identifier: Apache-2.0
//
// Microinstructions of an engine: the microcode ROM of its configuration and the sequencer that
// issues from it. Those of a context that are far apart may be fetched and decided in stages
// (pm_barrel_sequencer); those of `latency` (Scheduled) are not (pm_sequencer), and there is one
// program.
//
// Computes: with start_i, the program that op_i and batch_i name begins in that context, or the
//           words that wipe.
// Handshake and timing: as the sequencer; end_ctx_o, end_arg_o and violation_o belong to finish_o
// or violation_o.
// Reset:    asynchronous, active low: idle.
// Constant time: a context of secret_i whose program asks for more than public conditions ends with
//                violation_o.

module pm_edverify_barrel_issue
  import pm_ucode_pkg::*;
  import pm_edverify_throughput_ucode_pkg::*;
  import pm_edverify_pkg::*;
  import pm_edverify_batch_pkg::*;
#(
    parameter int unsigned NumContexts = 12,  // contexts, 2 to 32
    parameter bit Scheduled = 1'b0,  // 1: ROM and sequencer of `latency`
    parameter bit Bulk = 1'b0,  // 1: ROM of `bulk`; not if Scheduled
    parameter int unsigned MinSpacing = 9,  // cycles between two words of a context
    parameter logic [RomAddrBits-1:0] FixedBase = EntryFixedBase,  // where keygen and sign begin
    localparam int unsigned AddrBits = Scheduled ? pm_edverify_latency_ucode_pkg::RomAddrBits :
        Bulk ? pm_edverify_bulk_ucode_pkg::RomAddrBits : RomAddrBits,  // of the ROM
    localparam int unsigned CtxBits = $clog2(NumContexts)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic [NumContexts-1:0] start_i,  // pulse: begin a program in this context
    /* verilator lint_off UNUSEDSIGNAL */
    // not looked at by `latency`, which has one program
    input logic [7:0] op_i,  // with start_i: opcode of the job
    input logic wipe_i,  // with start_i: the words that wipe; only in `throughput`
    input batch_e batch_i,  // with start_i: what it does for a batch
    input logic [NumContexts-1:0] secret_i,  // contexts that work on secrets
    input logic [NumContexts-1:0] stall_i,  // contexts that get no word
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [NumContexts-1:0] clear_i,  // pulse: end its program
    input logic hold_i,  // no word is picked in the next cycle
    output word_t word_o,  // the word; no effect if there is none
    output logic [CtxBits-1:0] ctx_o,  // its context
    output logic [CtxBits-1:0] next_ctx_o,  // that of the next cycle
    input logic [(1 << ConditionBits)-1:0] conditions_i,  // of the context of the word
    input logic [AddrBits-1:0] dispatch_addr_i,  // program of its next operation
    output logic unit_start_o,  // pulse: start a side unit
    output logic dispatch_o,  // pulse: the program goes on at dispatch_addr_i
    output logic [ArgBits-1:0] arg_o,  // argument of the word
    output logic finish_o,  // pulse: a program ends
    output logic violation_o,  // pulse: it was ended instead of looking at a secret
    output logic [CtxBits-1:0] end_ctx_o,  // its context
    output logic [ArgBits-1:0] end_arg_o  // argument of its last word
);

  logic [AddrBits-1:0] rom_addr;
  word_t rom_word;
  // Who is at work is known outside, and words without effect need no flag.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumContexts-1:0] idle;
  logic word_valid;
  /* verilator lint_on UNUSEDSIGNAL */

  if (Scheduled) begin : g_issue
    pm_edverify_latency_rom u_rom (
        .clk_i,
        .addr_i(rom_addr),
        .data_o(rom_word)
    );

    pm_sequencer #(
        .NumContexts(NumContexts),
        .AddrBits(AddrBits),
        .MinSpacing(MinSpacing),
        .PublicConditions(pm_edverify_latency_ucode_pkg::PublicConditions)
    ) u_sequencer (
        .clk_i,
        .rst_ni,
        .start_i,
        .clear_i,
        .secret_i,
        .idle_o(idle),
        .rom_addr_o(rom_addr),
        .rom_word_i(rom_word),
        .valid_o(word_valid),
        .ctx_o,
        .next_ctx_o,
        .word_o,
        .hold_i,
        .conditions_i,
        .dispatch_addr_i,
        .unit_start_o,
        .dispatch_o,
        .finish_o,
        .violation_o,
        .arg_o
    );

    assign end_ctx_o = ctx_o;
    assign end_arg_o = arg_o;
  end else begin : g_issue
    logic [AddrBits-1:0] start_addr;

    if (Bulk) begin : g_bulk
      pm_edverify_bulk_rom u_rom (
          .clk_i,
          .addr_i(rom_addr),
          .data_o(rom_word)
      );

      always_comb begin
        unique case (op_i)
          OpcodeLoadKey: start_addr = pm_edverify_bulk_ucode_pkg::EntryLoadKey;
          OpcodeVerifyCached: start_addr = pm_edverify_bulk_ucode_pkg::EntryVerifyCached;
          default: start_addr = pm_edverify_bulk_ucode_pkg::EntryVerify;
        endcase
        unique case (batch_i)
          BatchPrepare: start_addr = pm_edverify_bulk_ucode_pkg::EntryBatchPrepare;
          BatchSum: start_addr = pm_edverify_bulk_ucode_pkg::EntryBatchSum;
          default: ;
        endcase
      end
    end else begin : g_throughput
      pm_edverify_throughput_rom u_rom (
          .clk_i,
          .addr_i(rom_addr),
          .data_o(rom_word)
      );

      always_comb begin
        unique case (op_i)
          OpcodeVerify: start_addr = EntryVerify;
          OpcodeX25519: start_addr = EntryX25519;
          default: start_addr = FixedBase;
        endcase
        if (wipe_i) start_addr = pm_edverify_throughput_wipe_pkg::EntryWipe;
      end
    end

    pm_barrel_sequencer #(
        .NumContexts(NumContexts),
        .AddrBits(AddrBits),
        .MinSpacing(MinSpacing),
        .PublicConditions(PublicConditions)
    ) u_sequencer (
        .clk_i,
        .rst_ni,
        .start_i,
        .start_addr_i(start_addr),
        .clear_i,
        .secret_i,
        .idle_o(idle),
        .rom_addr_o(rom_addr),
        .rom_word_i(rom_word),
        .valid_o(word_valid),
        .ctx_o,
        .next_ctx_o,
        .word_o,
        .hold_i,
        .stall_i,
        .conditions_i,
        .dispatch_addr_i,
        .unit_start_o,
        .dispatch_o,
        .finish_o,
        .violation_o,
        .arg_o,
        .end_ctx_o,
        .end_arg_o
    );
  end

endmodule
