// SPDX-License-Identifier: Apache-2.0
//
// pm_mul_held of hw/lib/field for the Lattice ECP5: one MULT18X18D with its own registers of the
// operands and of the output, into which Yosys packs none. Takes the place of the generic module in
// place-and-route runs.
//
// nextpnr does not time the path between these registers. Where the register behind it lies in the
// fabric it gives that path 2.5 ns (pm_mul_leaf).
//
// Ranges:    any a, b of at most 18 bits; the product is exact.
// Latency:   2 cycles from a_i to p_o.
// Handshake: load_i takes b_i. Reset: none (data only). Constant time.

module pm_mul_held #(
    parameter int unsigned Width = 18  // bits of each operand, at most 18
) (
    input  logic               clk_i,
    input  logic               load_i,  // b_i is taken
    input  logic [  Width-1:0] a_i,     // first factor
    input  logic [  Width-1:0] b_i,     // second factor, which stays
    output logic [2*Width-1:0] p_o      // product
);

  if (Width > 18) begin : gen_bad_width
    $fatal(1, "pm_mul_held: Width must be at most 18");
  end

  logic [17:0] a, b;
  logic [35:0] p;

  assign a   = 18'(a_i);
  assign b   = 18'(b_i);
  assign p_o = p[2*Width-1:0];

  if (Width < 18) begin : gen_short
    logic unused;
    assign unused = ^p[35:2*Width];
  end

  // verilog_format: off
  MULT18X18D_HELD #(
      .REG_INPUTA_CLK("CLK0"),
      .REG_INPUTB_CLK("CLK0"),
      .REG_INPUTB_CE("CE1"),
      .REG_PIPELINE_CLK("NONE"),
      .REG_OUTPUT_CLK("CLK0")
  ) u_mult (
      .CLK0(clk_i), .CE0(1'b1), .CE1(load_i), .RST0(1'b0),
      .SIGNEDA(1'b0), .SIGNEDB(1'b0), .SOURCEA(1'b0), .SOURCEB(1'b0),
      .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]),
      .A6(a[6]), .A7(a[7]), .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]),
      .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]), .A16(a[16]), .A17(a[17]),
      .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]),
      .B6(b[6]), .B7(b[7]), .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]),
      .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]),
      .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]), .P5(p[5]),
      .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]),
      .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]), .P16(p[16]), .P17(p[17]),
      .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]),
      .P24(p[24]), .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]),
      .P30(p[30]), .P31(p[31]), .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35])
  );
  // verilog_format: on

endmodule
