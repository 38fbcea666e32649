// Generated from hw/x25519/ucode/tile.pmu by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Microcode of X25519, configuration `tile`.
//
// Latency: 1 cycle. No reset. Beyond the last word: zeros.

module pm_x25519_tile_rom (
    input logic clk_i,
    input logic [5:0] addr_i,  // address
    output logic [85:0] data_o  // its word, one cycle later
);

  logic [5:0] addr_q;

  always_ff @(posedge clk_i) addr_q <= addr_i;

  always_comb begin
    unique case (addr_q)
      6'd0: data_o = 86'h601b03000000000;
      6'd1: data_o = 86'h600303000000000;
      6'd2: data_o = 86'h1400000201303000000000;
      6'd3: data_o = 86'h1c00000e00b00180000000;
      6'd4: data_o = 86'h48044000000000000000;
      6'd5: data_o = 86'h803fc000000000000000;
      6'd6: data_o = 86'h202404140c19020;
      6'd7: data_o = 86'h2a2800040411040;
      6'd8: data_o = 86'h140000223100040410000;
      6'd9: data_o = 86'h1000000203a01080000000;
      6'd10: data_o = 86'h400000a02023002027000;
      6'd11: data_o = 86'h240000282900000;
      6'd12: data_o = 86'h4000002a3000003831040;
      6'd13: data_o = 86'h800000200909080000000;
      6'd14: data_o = 86'h800000211100002820000;
      6'd15: data_o = 86'h1cc0018e01833000000000;
      6'd16: data_o = 86'h40074000000000000000;
      6'd17: data_o = 86'h803fc000000000000000;
      6'd18: data_o = 86'h202008100011000;
      6'd19: data_o = 86'h140000202c04140410020;
      6'd20: data_o = 86'h203000180000000;
      6'd21: data_o = 86'h283801000818000;
      6'd22: data_o = 86'h1000000204202000000000;
      6'd23: data_o = 86'ha0282b00282f000;
      6'd24: data_o = 86'h4000002a2000003020020;
      6'd25: data_o = 86'h240000404100000;
      6'd26: data_o = 86'hc00000250800003a00000;
      6'd27: data_o = 86'h211100004028000;
      6'd28: data_o = 86'h18c0048e01823000000000;
      6'd29: data_o = 86'h104000000000000000000;
      6'd30: data_o = 86'h140008000010000000000;
      6'd31: data_o = 86'h106000000000000000000;
      6'd32: data_o = 86'h1c00001200003000000000;
      6'd33: data_o = 86'h102000000000000000000;
      6'd34: data_o = 86'h140004000000000000000;
      6'd35: data_o = 86'h1c0000000000000000000;
      default: data_o = '0;
    endcase
  end

endmodule
