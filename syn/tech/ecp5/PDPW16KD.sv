// SPDX-License-Identifier: Apache-2.0
//
// Block RAM cell of the Lattice ECP5 as a memory of 512 x 36 bits with a write port and a read
// port, as far as it is used here, with its output register: what Yosys is shown of it (as a black
// box), and its simulation model.
//
// Ranges:    byte enables and chip selects all set; ADR4 to ADR0 are 0. A word that is written
//            while it is read has no defined value; here it is the old one.
// Latency:   2 cycles from ADR to DO. Reset: none that is used. Constant time.
// Source:    Lattice Semiconductor, ECP5 and ECP5-5G Memory Usage Guide (FPGA-TN-02204).

module PDPW16KD #(
    parameter int DATA_WIDTH_W = 36,  // bits of a word written
    parameter int DATA_WIDTH_R = 36,  // and read
    parameter REGMODE = "NOREG",  // "OUTREG": with output register
    parameter RESETMODE = "SYNC",
    parameter GSR = "ENABLED",  // "DISABLED": no global reset
    parameter CSDECODE_W = "0b000",  // chip select that means it
    parameter CSDECODE_R = "0b000"
) (
    input  logic DI35,
    DI34,
    DI33,
    DI32,
    DI31,
    DI30,
    DI29,
    DI28,
    DI27,
    DI26,
    DI25,
    DI24,
    DI23,
    DI22,
    DI21,
    DI20,
    DI19,
    DI18,
    DI17,
    DI16,
    DI15,
    DI14,
    DI13,
    DI12,
    DI11,
    DI10,
    DI9,
    DI8,
    DI7,
    DI6,
    DI5,
    DI4,
    DI3,
    DI2,
    DI1,
    DI0,
    ADW8,
    ADW7,
    ADW6,
    ADW5,
    ADW4,
    ADW3,
    ADW2,
    ADW1,
    ADW0,
    BE3,
    BE2,
    BE1,
    BE0,
    CEW,
    CLKW,
    CSW2,
    CSW1,
    CSW0,
    ADR13,
    ADR12,
    ADR11,
    ADR10,
    ADR9,
    ADR8,
    ADR7,
    ADR6,
    ADR5,
    ADR4,
    ADR3,
    ADR2,
    ADR1,
    ADR0,
    CER,
    OCER,
    CLKR,
    CSR2,
    CSR1,
    CSR0,
    RST,
    output logic DO35,
    DO34,
    DO33,
    DO32,
    DO31,
    DO30,
    DO29,
    DO28,
    DO27,
    DO26,
    DO25,
    DO24,
    DO23,
    DO22,
    DO21,
    DO20,
    DO19,
    DO18,
    DO17,
    DO16,
    DO15,
    DO14,
    DO13,
    DO12,
    DO11,
    DO10,
    DO9,
    DO8,
    DO7,
    DO6,
    DO5,
    DO4,
    DO3,
    DO2,
    DO1,
    DO0
);

  if (DATA_WIDTH_W != 36 || DATA_WIDTH_R != 36 || REGMODE != "OUTREG" || RESETMODE != "SYNC" ||
      GSR != "DISABLED" || CSDECODE_W != "0b000" || CSDECODE_R != "0b000") begin : gen_bad_mode
    $fatal(1, "PDPW16KD: modelled are words of 36 bits with output register");
  end

  logic [35:0] mem_q[512];
  logic [35:0] read_q, out_q;

  always_ff @(posedge CLKW) begin
    if (CEW && {BE3, BE2, BE1, BE0} == '1 && {CSW2, CSW1, CSW0} == '0) begin
      mem_q[{
        ADW8, ADW7, ADW6, ADW5, ADW4, ADW3, ADW2, ADW1, ADW0
      }] <= {
        DI35,
        DI34,
        DI33,
        DI32,
        DI31,
        DI30,
        DI29,
        DI28,
        DI27,
        DI26,
        DI25,
        DI24,
        DI23,
        DI22,
        DI21,
        DI20,
        DI19,
        DI18,
        DI17,
        DI16,
        DI15,
        DI14,
        DI13,
        DI12,
        DI11,
        DI10,
        DI9,
        DI8,
        DI7,
        DI6,
        DI5,
        DI4,
        DI3,
        DI2,
        DI1,
        DI0
      };
    end
  end

  always_ff @(posedge CLKR) begin
    if (CER && {CSR2, CSR1, CSR0} == '0) begin
      read_q <= mem_q[{ADR13, ADR12, ADR11, ADR10, ADR9, ADR8, ADR7, ADR6, ADR5}];
    end
    if (OCER) out_q <= RST ? '0 : read_q;
  end

  assign {
    DO35, DO34, DO33, DO32, DO31, DO30, DO29, DO28, DO27, DO26,
    DO25, DO24, DO23, DO22, DO21, DO20, DO19, DO18, DO17, DO16,
    DO15, DO14, DO13, DO12, DO11, DO10, DO9, DO8, DO7, DO6,
    DO5, DO4, DO3, DO2, DO1, DO0
  } = out_q;

  logic unused;
  assign unused = ADR4 || ADR3 || ADR2 || ADR1 || ADR0;

endmodule
