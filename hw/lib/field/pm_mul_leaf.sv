// SPDX-License-Identifier: Apache-2.0
//
// One base multiplier of the Karatsuba multiplier: p = a b, unsigned or two's complement, meant for
// one DSP slice (DSP48E1: up to 25 x 18 signed, 24 x 17 unsigned).
//
// Ranges:    any a, b; the product is exact.
// Latency:   InReg + OutReg cycles with en_i = 1; one product per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.
//
// The registers are scalars of this module, not elements of an array: Yosys packs only such
// registers into the A/B, M and P registers of the slice.

module pm_mul_leaf #(
    parameter int unsigned Width  = 17,  // bits of each operand
    parameter bit          Signed = 0,   // 1: operands and product are two's complement
    parameter int unsigned InReg  = 1,   // registers before the multiplier, 0 to 2
    parameter int unsigned OutReg = 1    // registers after the multiplier, 0 to 2
) (
    input  logic               clk_i,
    input  logic               en_i,   // clock enable of all registers
    input  logic [  Width-1:0] a_i,    // first factor
    input  logic [  Width-1:0] b_i,    // second factor
    output logic [2*Width-1:0] p_o     // product
);

  if (InReg > 2) begin : gen_bad_in_reg
    $fatal(1, "pm_mul_leaf: InReg must be 0, 1 or 2");
  end
  if (OutReg > 2) begin : gen_bad_out_reg
    $fatal(1, "pm_mul_leaf: OutReg must be 0, 1 or 2");
  end

  logic [Width-1:0] a, b;

  if (InReg == 0) begin : gen_in0
    assign a = a_i;
    assign b = b_i;
  end else if (InReg == 1) begin : gen_in1
    logic [Width-1:0] a_q, b_q;
    always_ff @(posedge clk_i)
      if (en_i) begin
        a_q <= a_i;
        b_q <= b_i;
      end
    assign a = a_q;
    assign b = b_q;
  end else begin : gen_in2
    logic [Width-1:0] a0_q, a1_q, b0_q, b1_q;
    always_ff @(posedge clk_i)
      if (en_i) begin
        a0_q <= a_i;
        b0_q <= b_i;
        a1_q <= a0_q;
        b1_q <= b0_q;
      end
    assign a = a1_q;
    assign b = b1_q;
  end

  logic [2*Width-1:0] prod;

  if (Signed) begin : gen_signed
    assign prod = (2 * Width)'(signed'(a)) * (2 * Width)'(signed'(b));
  end else begin : gen_unsigned
    assign prod = (2 * Width)'(a) * (2 * Width)'(b);
  end

  if (OutReg == 0) begin : gen_out0
    assign p_o = prod;
  end else if (OutReg == 1) begin : gen_out1
    logic [2*Width-1:0] p_q;
    always_ff @(posedge clk_i) if (en_i) p_q <= prod;
    assign p_o = p_q;
  end else begin : gen_out2
    logic [2*Width-1:0] m_q, p_q;
    always_ff @(posedge clk_i)
      if (en_i) begin
        m_q <= prod;
        p_q <= m_q;
      end
    assign p_o = p_q;
  end

  // Only a configuration without any register leaves clock and enable idle.
  if (InReg + OutReg == 0) begin : gen_comb
    logic unused;
    assign unused = ^{clk_i, en_i};
  end

endmodule
