// Generated from hw/x25519/ucode/randomised.pmu by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Microcode of X25519 with random coordinates.
//
// Latency: 1 cycle. No reset. Beyond the last word: zeros.

module pm_x25519_randomised_rom (
    input logic clk_i,
    input logic [4:0] addr_i,  // address
    output logic [87:0] data_o  // its word, one cycle later
);

  always_ff @(posedge clk_i) begin
    unique case (addr_i)
      5'd0: data_o <= 88'hf00000c6108598c410c610;
      5'd1: data_o <= 88'h5200ff0000000000000000;
      5'd2: data_o <= 88'h450000d044d0c6f044f0c6;
      5'd3: data_o <= 88'hf000008104808480008006;
      5'd4: data_o <= 88'h5000000000000000000000;
      5'd5: data_o <= 88'h3000008004c086e004e086;
      5'd6: data_o <= 88'h808200000000;
      5'd7: data_o <= 88'h60000000000000a1158186;
      5'd8: data_o <= 88'h40000000000000e3010000;
      5'd9: data_o <= 88'h90000000000000810c0000;
      5'd10: data_o <= 88'hf000000000000000008196;
      5'd11: data_o <= 88'h5300020000000000000000;
      5'd12: data_o <= 88'hf000000000000081048484;
      5'd13: data_o <= 88'h5000000000000000000000;
      5'd14: data_o <= 88'hf000000000000081048184;
      5'd15: data_o <= 88'h5000000000000000000000;
      5'd16: data_o <= 88'hf000000000000081040000;
      5'd17: data_o <= 88'h5000000000000000000000;
      5'd18: data_o <= 88'hf000000000000081048184;
      5'd19: data_o <= 88'h5000000000000000000000;
      5'd20: data_o <= 88'hf000000000000081040000;
      5'd21: data_o <= 88'h5200fa0000000000000000;
      5'd22: data_o <= 88'hf000000000000081048184;
      5'd23: data_o <= 88'h5300160000000000000000;
      5'd24: data_o <= 88'hf000008006000000000000;
      5'd25: data_o <= 88'h5000000000000000000000;
      5'd26: data_o <= 88'h500010000000000000000;
      5'd27: data_o <= 88'h700000000000000000000;
      default: data_o <= '0;
    endcase
  end

endmodule
