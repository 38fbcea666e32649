// SPDX-License-Identifier: Apache-2.0
//
// pm_mul_leaf of hw/lib/field for the Lattice ECP5: one MULT18X18D with registers, into which Yosys
// packs none. Takes the place of the generic module in place-and-route runs.
//
// With OutReg = 2 all registers are those of the multiplier. With OutReg = 1 the operands' are, and
// the product's lies in the fabric: so the path through the multiplier ends at a register that
// nextpnr sees, and is timed.
//
// Ranges:    any a, b of at most 18 bits; the product is exact.
// Latency:   InReg + OutReg cycles with en_i = 1; one product per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_mul_leaf #(
    parameter int unsigned Width  = 17,  // bits of each operand, at most 18
    parameter bit          Signed = 0,   // 1: operands and product are two's complement
    parameter int unsigned InReg  = 1,   // registers before the multiplier: 1
    parameter int unsigned OutReg = 2    // registers after the multiplier: 1 or 2
) (
    input  logic               clk_i,
    input  logic               en_i,   // clock enable of all registers
    input  logic [  Width-1:0] a_i,    // first factor
    input  logic [  Width-1:0] b_i,    // second factor
    output logic [2*Width-1:0] p_o     // product
);

  if (Width > 18) begin : gen_bad_width
    $fatal(1, "pm_mul_leaf: Width must be at most 18");
  end
  if (InReg != 1 || (OutReg != 1 && OutReg != 2)) begin : gen_bad_registers
    $fatal(1, "pm_mul_leaf: this technology has InReg = 1 and OutReg = 1 or 2");
  end

  logic [17:0] a, b;
  logic [35:0] p;

  assign a = Signed ? 18'(signed'(a_i)) : 18'(a_i);
  assign b = Signed ? 18'(signed'(b_i)) : 18'(b_i);

  if (OutReg == 1) begin : gen_fabric
    logic [2*Width-1:0] p_q;
    always_ff @(posedge clk_i) if (en_i) p_q <= p[2*Width-1:0];
    assign p_o = p_q;
  end else begin : gen_inside
    assign p_o = p[2*Width-1:0];
  end

  if (Width < 18) begin : gen_short
    logic unused;
    assign unused = ^p[35:2*Width];
  end

  localparam InnerClock = OutReg == 1 ? "NONE" : "CLK0";

  // verilog_format: off
  MULT18X18D #(
      .REG_INPUTA_CLK("CLK0"),
      .REG_INPUTB_CLK("CLK0"),
      .REG_PIPELINE_CLK(InnerClock),
      .REG_OUTPUT_CLK(InnerClock)
  ) u_mult (
      .CLK0(clk_i), .CE0(en_i), .RST0(1'b0),
      .SIGNEDA(Signed), .SIGNEDB(Signed), .SOURCEA(1'b0), .SOURCEB(1'b0),
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
