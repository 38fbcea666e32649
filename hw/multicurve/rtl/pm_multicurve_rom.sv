// SPDX-License-Identifier: Apache-2.0
//
// ROM of `multicurve`: the programs of a machine, and where that of a job begins.
//
// Timing:   word_o one cycle after addr_i; entry_o follows the job in the same cycle.
// Reset:    none.
// Constant time: yes; of a secret job entry_o depends on whether the fixed-base comb of the base
//                point is kept.
module pm_multicurve_rom
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_machines_pkg::*;
  import pm_multicurve_pkg::*;
#(
    parameter machine_t Machine = machine_of(MachineFast)  // whose programs
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

  localparam entries_t At = Machine.entry;

  always_comb begin
    unique case (op_i)
      OpcodeEcmul: entry_o = ladder_i ? At.ladder : At.ecmul;
      OpcodeEcmulBase:
      if (ladder_i) entry_o = secret_i && base_kept_i ? At.comb : At.ladder;
      else entry_o = base_kept_i ? At.kept : At.ecmul;
      OpcodeEcmul2: entry_o = At.ecmul2;
      OpcodeEcdsaVerify, OpcodeSm2Verify: entry_o = At.verify;
      OpcodeEcdsaSign, OpcodeSm2Sign: entry_o = At.sign;
      OpcodeCheck: entry_o = At.check;
      OpcodeLadder: entry_o = At.xdh;
      OpcodeModarith: entry_o = At.modarith;
      default: entry_o = At.load_curve;
    endcase
  end

  if (Machine.name == MachinePaper) begin : g_paper
    pm_multicurve_paper_rom u_rom (
        .clk_i,
        .addr_i(addr_i[pm_multicurve_paper_ucode_pkg::PaperRomAddrBits-1:0]),
        .data_o(word_o)
    );
  end else if (Machine.name == MachineFast) begin : g_fast
    pm_multicurve_fast_rom u_rom (
        .clk_i,
        .addr_i(addr_i[pm_multicurve_fast_ucode_pkg::FastRomAddrBits-1:0]),
        .data_o(word_o)
    );
  end else begin : g_throughput
    pm_multicurve_throughput_rom u_rom (
        .clk_i,
        .addr_i(addr_i[pm_multicurve_throughput_ucode_pkg::ThroughputRomAddrBits-1:0]),
        .data_o(word_o)
    );
  end

endmodule
