// Generated from hw/x25519/ucode/compact.pmu by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Microcode of X25519, configuration `compact27`.
//
// Latency: 1 cycle. No reset. Beyond the last word: zeros.

module pm_x25519_compact27_rom (
    input logic clk_i,
    input logic [4:0] addr_i,  // address
    output logic [85:0] data_o  // its word, one cycle later
);

  always_ff @(posedge clk_i) begin
    unique case (addr_i)
      5'd0: data_o <= 86'h800000601b03000000000;
      5'd1: data_o <= 86'h800000600303000000000;
      5'd2: data_o <= 86'hc00000201303000000000;
      5'd3: data_o <= 86'h24803fca00b00180000000;
      5'd4: data_o <= 86'h800000252000040411020;
      5'd5: data_o <= 86'h940000242802040c18021;
      5'd6: data_o <= 86'h800000203209000000000;
      5'd7: data_o <= 86'h1800000203a02000000000;
      5'd8: data_o <= 86'h8000002a2800003029000;
      5'd9: data_o <= 86'h800000200020382039860;
      5'd10: data_o <= 86'h800000200901000000000;
      5'd11: data_o <= 86'h800000211200003908000;
      5'd12: data_o <= 86'h24c0010a0182b000000000;
      5'd13: data_o <= 86'h140004000010000000000;
      5'd14: data_o <= 86'h102000000000000000000;
      5'd15: data_o <= 86'h2400000f02003000000000;
      5'd16: data_o <= 86'h140008000020000000000;
      5'd17: data_o <= 86'h1c0000000000000000000;
      default: data_o <= '0;
    endcase
  end

endmodule
