// SPDX-License-Identifier: Apache-2.0
//
// pm_half_memory of hw/lib/seq for the Lattice ECP5: two PDPW16KD with their output registers,
// which Yosys does not use. Takes the place of the generic module in place-and-route runs.
//
// Latency:  data_o: 2 cycles after read_addr_i. A word written in cycle c is read by addresses of
//           c + 1 on; one that is written while it is read has no defined value.
// Reset:    none; contents are undefined until written. Constant time.

module pm_half_memory #(
    parameter int unsigned Width = 65,  // bits of a word, at most 72
    parameter int unsigned AddrBits = 9  // 2^AddrBits words, at most 9
) (
    input  logic                clk_i,         // clock
    input  logic                we_i,          // write
    input  logic [AddrBits-1:0] write_addr_i,  // here
    input  logic [   Width-1:0] data_i,        // this
    input  logic [AddrBits-1:0] read_addr_i,   // word to read
    output logic [   Width-1:0] data_o         // what it holds
);

  if (Width > 72 || AddrBits > 9) begin : g_bad_size
    $fatal(1, "pm_half_memory: at most 512 words of 72 bits");
  end

  logic [71:0] di, d;
  logic [8:0] w, r;
  logic unused;

  assign di = 72'(data_i);
  assign w = 9'(write_addr_i);
  assign r = 9'(read_addr_i);
  assign data_o = d[Width-1:0];
  assign unused = ^{1'b0, d[71:Width-1]};

  for (genvar i = 0; i < 2; i++) begin : g_block
    // verilog_format: off
    PDPW16KD #(
        .DATA_WIDTH_W(36), .DATA_WIDTH_R(36), .REGMODE("OUTREG"), .RESETMODE("SYNC"),
        .GSR("DISABLED"), .CSDECODE_W("0b000"), .CSDECODE_R("0b000")
    ) u_block (
        .CLKW(clk_i), .CEW(we_i), .CLKR(clk_i), .CER(1'b1), .OCER(1'b1), .RST(1'b0),
        .BE0(1'b1), .BE1(1'b1), .BE2(1'b1), .BE3(1'b1),
        .CSW0(1'b0), .CSW1(1'b0), .CSW2(1'b0), .CSR0(1'b0), .CSR1(1'b0), .CSR2(1'b0),
        .ADR0(1'b0), .ADR1(1'b0), .ADR2(1'b0), .ADR3(1'b0), .ADR4(1'b0),
        .ADW0(w[0]), .ADW1(w[1]), .ADW2(w[2]), .ADW3(w[3]),
        .ADW4(w[4]), .ADW5(w[5]), .ADW6(w[6]), .ADW7(w[7]),
        .ADW8(w[8]),
        .ADR5(r[0]), .ADR6(r[1]), .ADR7(r[2]), .ADR8(r[3]),
        .ADR9(r[4]), .ADR10(r[5]), .ADR11(r[6]), .ADR12(r[7]),
        .ADR13(r[8]),
        .DI0(di[36*i+0]), .DI1(di[36*i+1]), .DI2(di[36*i+2]), .DI3(di[36*i+3]),
        .DI4(di[36*i+4]), .DI5(di[36*i+5]), .DI6(di[36*i+6]), .DI7(di[36*i+7]),
        .DI8(di[36*i+8]), .DI9(di[36*i+9]), .DI10(di[36*i+10]), .DI11(di[36*i+11]),
        .DI12(di[36*i+12]), .DI13(di[36*i+13]), .DI14(di[36*i+14]), .DI15(di[36*i+15]),
        .DI16(di[36*i+16]), .DI17(di[36*i+17]), .DI18(di[36*i+18]), .DI19(di[36*i+19]),
        .DI20(di[36*i+20]), .DI21(di[36*i+21]), .DI22(di[36*i+22]), .DI23(di[36*i+23]),
        .DI24(di[36*i+24]), .DI25(di[36*i+25]), .DI26(di[36*i+26]), .DI27(di[36*i+27]),
        .DI28(di[36*i+28]), .DI29(di[36*i+29]), .DI30(di[36*i+30]), .DI31(di[36*i+31]),
        .DI32(di[36*i+32]), .DI33(di[36*i+33]), .DI34(di[36*i+34]), .DI35(di[36*i+35]),
        .DO0(d[36*i+0]), .DO1(d[36*i+1]), .DO2(d[36*i+2]), .DO3(d[36*i+3]),
        .DO4(d[36*i+4]), .DO5(d[36*i+5]), .DO6(d[36*i+6]), .DO7(d[36*i+7]),
        .DO8(d[36*i+8]), .DO9(d[36*i+9]), .DO10(d[36*i+10]), .DO11(d[36*i+11]),
        .DO12(d[36*i+12]), .DO13(d[36*i+13]), .DO14(d[36*i+14]), .DO15(d[36*i+15]),
        .DO16(d[36*i+16]), .DO17(d[36*i+17]), .DO18(d[36*i+18]), .DO19(d[36*i+19]),
        .DO20(d[36*i+20]), .DO21(d[36*i+21]), .DO22(d[36*i+22]), .DO23(d[36*i+23]),
        .DO24(d[36*i+24]), .DO25(d[36*i+25]), .DO26(d[36*i+26]), .DO27(d[36*i+27]),
        .DO28(d[36*i+28]), .DO29(d[36*i+29]), .DO30(d[36*i+30]), .DO31(d[36*i+31]),
        .DO32(d[36*i+32]), .DO33(d[36*i+33]), .DO34(d[36*i+34]), .DO35(d[36*i+35])
    );
    // verilog_format: on
  end

endmodule
