// Generated from hw/x25519/ucode/compact.pmu by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Microcode of X25519, configuration `compact9`.
//
// Latency: 1 cycle. No reset. Beyond the last word: zeros.

module pm_x25519_compact9_rom (
    input logic clk_i,
    input logic [4:0] addr_i,  // address
    output logic [85:0] data_o  // its word, one cycle later
);

  always_ff @(posedge clk_i) begin
    unique case (addr_i)
      5'd0: data_o <= 86'h2000000601b03000000000;
      5'd1: data_o <= 86'h2000000600303000000000;
      5'd2: data_o <= 86'h2000000201303000000000;
      5'd3: data_o <= 86'h3c803fca00b00180000000;
      5'd4: data_o <= 86'h2a2000040411020;
      5'd5: data_o <= 86'h1d40000000000040c19061;
      5'd6: data_o <= 86'h2000000202901000000000;
      5'd7: data_o <= 86'h180000020310a000000000;
      5'd8: data_o <= 86'h400000000000002821860;
      5'd9: data_o <= 86'hc00000203a09000000000;
      5'd10: data_o <= 86'h1000000000000002109000;
      5'd11: data_o <= 86'h1800000200028200000000;
      5'd12: data_o <= 86'h400000000000003831061;
      5'd13: data_o <= 86'h200000020220a080000000;
      5'd14: data_o <= 86'h2000000200909080000000;
      5'd15: data_o <= 86'h2000000a01823000000000;
      5'd16: data_o <= 86'h3cc0010201201000000000;
      5'd17: data_o <= 86'h140004000010000000000;
      5'd18: data_o <= 86'h102000000000000000000;
      5'd19: data_o <= 86'h3c00000f02003000000000;
      5'd20: data_o <= 86'h140008000020000000000;
      5'd21: data_o <= 86'h1c0000000000000000000;
      default: data_o <= '0;
    endcase
  end

endmodule
