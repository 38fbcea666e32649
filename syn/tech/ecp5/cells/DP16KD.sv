// SPDX-License-Identifier: Apache-2.0
//
// Simulation model of the block RAM cell of the Lattice ECP5, as Yosys infers it without output
// registers: two ports of 18 bits on 1,024 words; or 512 words of 36 bits, which port A writes and
// port B reads, the upper half by the data pins of B.
//
// Ranges:    both data widths 18 or 36. Bits 13 to 4, or 5, of an address name a word, the lowest
//           two, or four, its bytes that are written. Chip selects 0; clocks not inverted. Others
//           are rejected. A word that is written while the other port reads it has no defined
//           value; here it is the old one.
// Latency:   1 cycle from address to data. Reset: none that is used. Constant time.
// Source:    Lattice Semiconductor, ECP5 and ECP5-5G Memory Usage Guide (FPGA-TN-02204).

module DP16KD #(
    parameter logic [319:0] INITVAL_00 = '0,  // words 0 to 15, 20 bits each
    parameter logic [319:0] INITVAL_01 = '0,
    parameter logic [319:0] INITVAL_02 = '0,
    parameter logic [319:0] INITVAL_03 = '0,
    parameter logic [319:0] INITVAL_04 = '0,
    parameter logic [319:0] INITVAL_05 = '0,
    parameter logic [319:0] INITVAL_06 = '0,
    parameter logic [319:0] INITVAL_07 = '0,
    parameter logic [319:0] INITVAL_08 = '0,
    parameter logic [319:0] INITVAL_09 = '0,
    parameter logic [319:0] INITVAL_0A = '0,
    parameter logic [319:0] INITVAL_0B = '0,
    parameter logic [319:0] INITVAL_0C = '0,
    parameter logic [319:0] INITVAL_0D = '0,
    parameter logic [319:0] INITVAL_0E = '0,
    parameter logic [319:0] INITVAL_0F = '0,
    parameter logic [319:0] INITVAL_10 = '0,
    parameter logic [319:0] INITVAL_11 = '0,
    parameter logic [319:0] INITVAL_12 = '0,
    parameter logic [319:0] INITVAL_13 = '0,
    parameter logic [319:0] INITVAL_14 = '0,
    parameter logic [319:0] INITVAL_15 = '0,
    parameter logic [319:0] INITVAL_16 = '0,
    parameter logic [319:0] INITVAL_17 = '0,
    parameter logic [319:0] INITVAL_18 = '0,
    parameter logic [319:0] INITVAL_19 = '0,
    parameter logic [319:0] INITVAL_1A = '0,
    parameter logic [319:0] INITVAL_1B = '0,
    parameter logic [319:0] INITVAL_1C = '0,
    parameter logic [319:0] INITVAL_1D = '0,
    parameter logic [319:0] INITVAL_1E = '0,
    parameter logic [319:0] INITVAL_1F = '0,
    parameter logic [319:0] INITVAL_20 = '0,
    parameter logic [319:0] INITVAL_21 = '0,
    parameter logic [319:0] INITVAL_22 = '0,
    parameter logic [319:0] INITVAL_23 = '0,
    parameter logic [319:0] INITVAL_24 = '0,
    parameter logic [319:0] INITVAL_25 = '0,
    parameter logic [319:0] INITVAL_26 = '0,
    parameter logic [319:0] INITVAL_27 = '0,
    parameter logic [319:0] INITVAL_28 = '0,
    parameter logic [319:0] INITVAL_29 = '0,
    parameter logic [319:0] INITVAL_2A = '0,
    parameter logic [319:0] INITVAL_2B = '0,
    parameter logic [319:0] INITVAL_2C = '0,
    parameter logic [319:0] INITVAL_2D = '0,
    parameter logic [319:0] INITVAL_2E = '0,
    parameter logic [319:0] INITVAL_2F = '0,
    parameter logic [319:0] INITVAL_30 = '0,
    parameter logic [319:0] INITVAL_31 = '0,
    parameter logic [319:0] INITVAL_32 = '0,
    parameter logic [319:0] INITVAL_33 = '0,
    parameter logic [319:0] INITVAL_34 = '0,
    parameter logic [319:0] INITVAL_35 = '0,
    parameter logic [319:0] INITVAL_36 = '0,
    parameter logic [319:0] INITVAL_37 = '0,
    parameter logic [319:0] INITVAL_38 = '0,
    parameter logic [319:0] INITVAL_39 = '0,
    parameter logic [319:0] INITVAL_3A = '0,
    parameter logic [319:0] INITVAL_3B = '0,
    parameter logic [319:0] INITVAL_3C = '0,
    parameter logic [319:0] INITVAL_3D = '0,
    parameter logic [319:0] INITVAL_3E = '0,
    parameter logic [319:0] INITVAL_3F = '0,
    parameter int DATA_WIDTH_A = 18,
    parameter int DATA_WIDTH_B = 18,
    parameter REGMODE_A = "NOREG",
    parameter REGMODE_B = "NOREG",
    parameter RESETMODE = "SYNC",
    parameter ASYNC_RESET_RELEASE = "SYNC",
    parameter CSDECODE_A = "0b000",
    parameter CSDECODE_B = "0b000",
    parameter WRITEMODE_A = "READBEFOREWRITE",
    parameter WRITEMODE_B = "READBEFOREWRITE",
    parameter CLKAMUX = "CLKA",
    parameter CLKBMUX = "CLKB",
    parameter GSR = "DISABLED"
) (
    input  logic ADA13,
    ADA12,
    ADA11,
    ADA10,
    ADA9,
    ADA8,
    ADA7,
    ADA6,
    ADA5,
    ADA4,
    ADA3,
    ADA2,
    ADA1,
    ADA0,
    input  logic DIA17,
    DIA16,
    DIA15,
    DIA14,
    DIA13,
    DIA12,
    DIA11,
    DIA10,
    DIA9,
    DIA8,
    DIA7,
    DIA6,
    DIA5,
    DIA4,
    DIA3,
    DIA2,
    DIA1,
    DIA0,
    output logic DOA17,
    DOA16,
    DOA15,
    DOA14,
    DOA13,
    DOA12,
    DOA11,
    DOA10,
    DOA9,
    DOA8,
    DOA7,
    DOA6,
    DOA5,
    DOA4,
    DOA3,
    DOA2,
    DOA1,
    DOA0,
    input  logic CLKA,
    CEA,
    OCEA,
    WEA,
    RSTA,
    CSA2,
    CSA1,
    CSA0,
    input  logic ADB13,
    ADB12,
    ADB11,
    ADB10,
    ADB9,
    ADB8,
    ADB7,
    ADB6,
    ADB5,
    ADB4,
    ADB3,
    ADB2,
    ADB1,
    ADB0,
    input  logic DIB17,
    DIB16,
    DIB15,
    DIB14,
    DIB13,
    DIB12,
    DIB11,
    DIB10,
    DIB9,
    DIB8,
    DIB7,
    DIB6,
    DIB5,
    DIB4,
    DIB3,
    DIB2,
    DIB1,
    DIB0,
    output logic DOB17,
    DOB16,
    DOB15,
    DOB14,
    DOB13,
    DOB12,
    DOB11,
    DOB10,
    DOB9,
    DOB8,
    DOB7,
    DOB6,
    DOB5,
    DOB4,
    DOB3,
    DOB2,
    DOB1,
    DOB0,
    input  logic CLKB,
    CEB,
    OCEB,
    WEB,
    RSTB,
    CSB2,
    CSB1,
    CSB0
);

  localparam bit Wide = DATA_WIDTH_A == 36;

  if (DATA_WIDTH_A != DATA_WIDTH_B || (DATA_WIDTH_A != 18 && !Wide) || REGMODE_A != "NOREG" ||
      REGMODE_B != "NOREG" || CLKAMUX != "CLKA" || CLKBMUX != "CLKB" || CSDECODE_A != "0b000" ||
      CSDECODE_B != "0b000") begin : g_refuse
    $fatal(1, "DP16KD: modelled are widths of 18 and 36 without output registers");
  end

  logic [17:0] memory[1024];

  localparam logic [63:0][319:0] Init = {
    INITVAL_3F,
    INITVAL_3E,
    INITVAL_3D,
    INITVAL_3C,
    INITVAL_3B,
    INITVAL_3A,
    INITVAL_39,
    INITVAL_38,
    INITVAL_37,
    INITVAL_36,
    INITVAL_35,
    INITVAL_34,
    INITVAL_33,
    INITVAL_32,
    INITVAL_31,
    INITVAL_30,
    INITVAL_2F,
    INITVAL_2E,
    INITVAL_2D,
    INITVAL_2C,
    INITVAL_2B,
    INITVAL_2A,
    INITVAL_29,
    INITVAL_28,
    INITVAL_27,
    INITVAL_26,
    INITVAL_25,
    INITVAL_24,
    INITVAL_23,
    INITVAL_22,
    INITVAL_21,
    INITVAL_20,
    INITVAL_1F,
    INITVAL_1E,
    INITVAL_1D,
    INITVAL_1C,
    INITVAL_1B,
    INITVAL_1A,
    INITVAL_19,
    INITVAL_18,
    INITVAL_17,
    INITVAL_16,
    INITVAL_15,
    INITVAL_14,
    INITVAL_13,
    INITVAL_12,
    INITVAL_11,
    INITVAL_10,
    INITVAL_0F,
    INITVAL_0E,
    INITVAL_0D,
    INITVAL_0C,
    INITVAL_0B,
    INITVAL_0A,
    INITVAL_09,
    INITVAL_08,
    INITVAL_07,
    INITVAL_06,
    INITVAL_05,
    INITVAL_04,
    INITVAL_03,
    INITVAL_02,
    INITVAL_01,
    INITVAL_00
  };

  // The simulator chooses what a memory without contents holds at first.
  if (Init != '0) begin : g_contents
    initial for (int i = 0; i < 1024; i++) memory[i] = Init[i/16][20*(i%16)+:18];
  end

  logic [13:0] address_a;
  logic [17:0] in_a, out_a, wide_a;
  assign address_a = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  assign in_a = {
    DIA17,
    DIA16,
    DIA15,
    DIA14,
    DIA13,
    DIA12,
    DIA11,
    DIA10,
    DIA9,
    DIA8,
    DIA7,
    DIA6,
    DIA5,
    DIA4,
    DIA3,
    DIA2,
    DIA1,
    DIA0
  };
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4,
    DOA3, DOA2, DOA1, DOA0
  } = Wide ? wide_a : out_a;

  logic [13:0] address_b;
  logic [17:0] in_b, out_b;
  assign address_b = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  assign in_b = {
    DIB17,
    DIB16,
    DIB15,
    DIB14,
    DIB13,
    DIB12,
    DIB11,
    DIB10,
    DIB9,
    DIB8,
    DIB7,
    DIB6,
    DIB5,
    DIB4,
    DIB3,
    DIB2,
    DIB1,
    DIB0
  };
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4,
    DOB3, DOB2, DOB1, DOB0
  } = out_b;

  always @(posedge CLKA) begin
    for (int i = 0; i < 2; i++) begin
      if (Wide) begin
        if (CEA && WEA && address_a[i]) memory[{address_a[13:5], 1'b0}][9*i+:9] <= in_a[9*i+:9];
        if (CEA && WEA && address_a[2+i]) memory[{address_a[13:5], 1'b1}][9*i+:9] <= in_b[9*i+:9];
      end else if (CEA && WEA && address_a[i]) memory[address_a[13:4]][9*i+:9] <= in_a[9*i+:9];
    end
    if (CEA && !Wide) out_a <= memory[address_a[13:4]];
  end

  always @(posedge CLKB) begin
    if (CEB && !Wide) begin
      for (int i = 0; i < 2; i++) begin
        if (WEB && address_b[i]) memory[address_b[13:4]][9*i+:9] <= in_b[9*i+:9];
      end
      out_b <= memory[address_b[13:4]];
    end
    if (CEB && Wide) begin
      wide_a <= memory[{address_b[13:5], 1'b0}];
      out_b  <= memory[{address_b[13:5], 1'b1}];
    end
  end

  // Chip selects are 0, and there is no reset.
  logic unused;
  assign unused = ^{OCEA, OCEB, RSTA, RSTB, CSA2, CSA1, CSA0, CSB2, CSB1, CSB0};

endmodule
