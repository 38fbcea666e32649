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

  always_ff @(posedge clk_i) begin
    unique case (addr_i)
      6'd0: data_o <= 86'h400000201903000000000;
      6'd1: data_o <= 86'h400000200103000000000;
      6'd2: data_o <= 86'h400000201103000000000;
      6'd3: data_o <= 86'h24800cc200900180000000;
      6'd4: data_o <= 86'h400000204800100000000;
      6'd5: data_o <= 86'h440000205001000000000;
      6'd6: data_o <= 86'h400000205902000000000;
      6'd7: data_o <= 86'h400000206002000000000;
      6'd8: data_o <= 86'h40000020484b000000000;
      6'd9: data_o <= 86'h400000205000000000000;
      6'd10: data_o <= 86'h400000200000600000000;
      6'd11: data_o <= 86'h400000200909080000000;
      6'd12: data_o <= 86'h400000201100000000000;
      6'd13: data_o <= 86'h24c0000201853000000000;
      6'd14: data_o <= 86'h2400000202013000000000;
      6'd15: data_o <= 86'h2400000204820200000000;
      6'd16: data_o <= 86'h2400000205048480000000;
      6'd17: data_o <= 86'h2400000205050500000000;
      6'd18: data_o <= 86'h2400000205050200000000;
      6'd19: data_o <= 86'h2400000204048500000000;
      6'd20: data_o <= 86'h2400000204840400000000;
      6'd21: data_o <= 86'h2400000203048500000000;
      6'd22: data_o <= 86'h2480000202830300000000;
      6'd23: data_o <= 86'h24c004c202828280000000;
      6'd24: data_o <= 86'h2400000203828300000000;
      6'd25: data_o <= 86'h2480004202838380000000;
      6'd26: data_o <= 86'h24c0048202828280000000;
      6'd27: data_o <= 86'h2400000203028380000000;
      6'd28: data_o <= 86'h248004c202830300000000;
      6'd29: data_o <= 86'h24c0044202828280000000;
      6'd30: data_o <= 86'h2400000204828300000000;
      6'd31: data_o <= 86'h2480004202848480000000;
      6'd32: data_o <= 86'h24c0080202828280000000;
      6'd33: data_o <= 86'h2400000203828380000000;
      6'd34: data_o <= 86'h24800c4202838380000000;
      6'd35: data_o <= 86'h24c008c202828280000000;
      6'd36: data_o <= 86'h2400000203028380000000;
      6'd37: data_o <= 86'h248008c202830300000000;
      6'd38: data_o <= 86'h24c0088202828280000000;
      6'd39: data_o <= 86'h2400000204828300000000;
      6'd40: data_o <= 86'h24800c4202848480000000;
      6'd41: data_o <= 86'h24c0084202828280000000;
      6'd42: data_o <= 86'h2400000204828380000000;
      6'd43: data_o <= 86'h2400000204848480000000;
      6'd44: data_o <= 86'h2400000204848480000000;
      6'd45: data_o <= 86'h2400000204848480000000;
      6'd46: data_o <= 86'h2400000204848480000000;
      6'd47: data_o <= 86'h2400000204848480000000;
      6'd48: data_o <= 86'h2400000202848400000000;
      6'd49: data_o <= 86'h2400000200000280000000;
      6'd50: data_o <= 86'h0;
      6'd51: data_o <= 86'h40004000000000000000;
      6'd52: data_o <= 86'hc0000000000000000000;
      default: data_o <= '0;
    endcase
    data_o[5] <= addr_i == 6'd4;
    data_o[6] <= addr_i == 6'd9;
    data_o[12] <= addr_i == 6'd4 || addr_i == 6'd5 || addr_i == 6'd8 || addr_i == 6'd9;
    data_o[13] <= addr_i == 6'd8;
    data_o[14] <= addr_i == 6'd8;
    data_o[15] <= addr_i == 6'd5 || addr_i == 6'd8 || addr_i == 6'd9 || addr_i == 6'd12;
    data_o[16] <= addr_i == 6'd4 || addr_i == 6'd5 || addr_i == 6'd9;
    data_o[18] <= addr_i == 6'd8 || addr_i == 6'd9 || addr_i == 6'd12;
    data_o[20] <= addr_i == 6'd10;
    data_o[22] <= addr_i == 6'd4 || addr_i == 6'd5;
    data_o[23] <= addr_i == 6'd5 || addr_i == 6'd8;
    data_o[24] <= addr_i == 6'd9;
    data_o[25] <= addr_i == 6'd10 || addr_i == 6'd12;
    data_o[26] <= addr_i == 6'd8 || addr_i == 6'd9 || addr_i == 6'd10 || addr_i == 6'd12;
    data_o[30] <= addr_i == 6'd4 || addr_i == 6'd5;
    data_o[38] <= addr_i == 6'd4;
    data_o[45] <= addr_i == 6'd0 || addr_i == 6'd1 || addr_i == 6'd2 || addr_i == 6'd3 || addr_i == 6'd7;
    data_o[46] <= addr_i == 6'd4;
    data_o[52] <= addr_i == 6'd12;
    data_o[53] <= addr_i == 6'd9;
    data_o[54] <= addr_i == 6'd10;
    data_o[55] <= addr_i == 6'd5 || addr_i == 6'd9;
    data_o[58] <= addr_i == 6'd0 || addr_i == 6'd1 || addr_i == 6'd3 || addr_i == 6'd13 || addr_i == 6'd14;
    data_o[59] <= addr_i == 6'd3 || addr_i == 6'd8 || addr_i == 6'd13;
    data_o[64] <= addr_i == 6'd3 || addr_i == 6'd13 || addr_i == 6'd22 || addr_i == 6'd23 || addr_i == 6'd29 || addr_i == 6'd38;
    data_o[65] <= addr_i == 6'd3 || addr_i == 6'd25 || addr_i == 6'd26 || addr_i == 6'd29 || addr_i == 6'd31 || addr_i == 6'd41;
    data_o[68] <= addr_i == 6'd3 || addr_i == 6'd37;
    data_o[69] <= addr_i == 6'd3;
    data_o[73] <= addr_i == 6'd50;
    data_o[80] <= addr_i == 6'd5 || addr_i == 6'd50 || addr_i == 6'd51 || addr_i == 6'd52;
    data_o[83] <= addr_i == 6'd7 || addr_i == 6'd8 || addr_i == 6'd12;
    data_o[84] <= addr_i == 6'd2;
  end

endmodule
