// Generated from hw/x25519/ucode/tile.pmu by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Microcode of X25519, configuration `tile`.
//
// Latency: 1 cycle. No reset. Beyond the last word: zeros.

module pm_x25519_tile_rom (
    input logic clk_i,
    input logic [4:0] addr_i,  // address
    output logic [85:0] data_o  // its word, one cycle later
);

  logic [4:0] addr_q;

  always_ff @(posedge clk_i) addr_q <= addr_i;

  always_comb begin
    unique case (addr_q)
      5'd0: data_o = 86'h601b03000000000;
      5'd1: data_o = 86'h600303000000000;
      5'd2: data_o = 86'h1400000201303000000000;
      5'd3: data_o = 86'h1c803fce00b00180000000;
      5'd4: data_o = 86'h202404140c19020;
      5'd5: data_o = 86'h2a2800040411040;
      5'd6: data_o = 86'h140000223100040410000;
      5'd7: data_o = 86'h1000000203a01080000000;
      5'd8: data_o = 86'h400000a02023002027000;
      5'd9: data_o = 86'h240000282900000;
      5'd10: data_o = 86'h4000002a3000003831040;
      5'd11: data_o = 86'h800000200909080000000;
      5'd12: data_o = 86'h800000211100002820000;
      5'd13: data_o = 86'h1cc0010e01833000000000;
      5'd14: data_o = 86'h104000000000000000000;
      5'd15: data_o = 86'h140008000010000000000;
      5'd16: data_o = 86'h106000000000000000000;
      5'd17: data_o = 86'h1c00001200003000000000;
      5'd18: data_o = 86'h102000000000000000000;
      5'd19: data_o = 86'h140004000000000000000;
      5'd20: data_o = 86'h1c0000000000000000000;
      default: data_o = '0;
    endcase
  end

endmodule
