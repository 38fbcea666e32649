// SPDX-License-Identifier: Apache-2.0
//
// Multiplier cell of the Lattice ECP5, as far as it is used here, with all its registers or with
// those of the operands alone: what Yosys is shown of it (as a black box), and its simulation
// model.
//
// Ranges:    A, B unsigned, or two's complement where SIGNEDA, SIGNEDB say so; SOURCEA = SOURCEB =
//            0.
// Latency:   3 cycles with CE0 = 1, with registers of the operands alone 1. Reset: RST0,
//            synchronous. Constant time.
// Source:    Lattice Semiconductor, ECP5 and ECP5-5G sysDSP Usage Guide (FPGA-TN-02205).

module MULT18X18D #(
    // clocks of the registers: "CLK0", or "NONE" for no register
    parameter REG_INPUTA_CLK   = "NONE",
    parameter REG_INPUTB_CLK   = "NONE",
    parameter REG_PIPELINE_CLK = "NONE",
    parameter REG_OUTPUT_CLK   = "NONE"
) (
    input  logic A17,
    A16,
    A15,
    A14,
    A13,
    A12,
    A11,
    A10,
    A9,
    A8,
    A7,
    A6,
    A5,
    A4,
    A3,
    A2,
    A1,
    A0,
    B17,
    B16,
    B15,
    B14,
    B13,
    B12,
    B11,
    B10,
    B9,
    B8,
    B7,
    B6,
    B5,
    B4,
    B3,
    B2,
    B1,
    B0,
    SIGNEDA,
    SIGNEDB,
    SOURCEA,
    SOURCEB,
    CLK0,
    CE0,
    RST0,
    output logic P35,
    P34,
    P33,
    P32,
    P31,
    P30,
    P29,
    P28,
    P27,
    P26,
    P25,
    P24,
    P23,
    P22,
    P21,
    P20,
    P19,
    P18,
    P17,
    P16,
    P15,
    P14,
    P13,
    P12,
    P11,
    P10,
    P9,
    P8,
    P7,
    P6,
    P5,
    P4,
    P3,
    P2,
    P1,
    P0
);

  if (REG_INPUTA_CLK != "CLK0" || REG_INPUTB_CLK != "CLK0" || REG_PIPELINE_CLK != REG_OUTPUT_CLK ||
      (REG_OUTPUT_CLK != "CLK0" && REG_OUTPUT_CLK != "NONE")) begin : gen_bad_registers
    $fatal(1, "MULT18X18D: modelled are all registers, and those of the operands alone");
  end

  logic [17:0] a_q, b_q;
  logic signed_a_q, signed_b_q;
  logic [35:0] product, p;

  always_ff @(posedge CLK0) begin
    if (CE0) begin
      a_q <= {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
      b_q <= {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
      signed_a_q <= SIGNEDA;
      signed_b_q <= SIGNEDB;
      if (RST0) {a_q, b_q} <= '0;
    end
  end

  assign product = 36'(signed'({signed_a_q && a_q[17], a_q})) *
      36'(signed'({signed_b_q && b_q[17], b_q}));

  if (REG_OUTPUT_CLK == "CLK0") begin : gen_all
    logic [35:0] pipe_q, p_q;
    always_ff @(posedge CLK0) begin
      if (CE0) begin
        pipe_q <= product;
        p_q <= pipe_q;
        if (RST0) {pipe_q, p_q} <= '0;
      end
    end
    assign p = p_q;
  end else begin : gen_operands
    assign p = product;
  end

  assign
      {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
      P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = p;

  logic unused;
  assign unused = SOURCEA || SOURCEB;

endmodule
