// SPDX-License-Identifier: Apache-2.0
//
// Register bank with one write port and several read ports, a copy of the memory for each: read
// combinationally (distributed RAM), or into a register (block RAM).
//
// Latency:  a value written in cycle c is read by addresses of cycle c + 1 on; its value is there
//           ReadReg cycles after the address.
// Reset:    none; the content is undefined until written.

module pm_regbank #(
    parameter int unsigned Width = 256,  // bits of a register
    parameter int unsigned AddrBits = 5,  // 2^AddrBits registers
    parameter int unsigned NumReads = 4,  // read ports
    parameter int unsigned ReadReg = 0  // cycles from addresses to values, 0 or 1
) (
    input  logic                              clk_i,    // clock
    input  logic                              we_i,     // write
    input  logic [AddrBits-1:0]               waddr_i,  // register to write
    input  logic [   Width-1:0]               wdata_i,  // its new value
    input  logic [NumReads-1:0][AddrBits-1:0] raddr_i,  // registers to read
    output logic [NumReads-1:0][   Width-1:0] rdata_o   // their values
);

  if (ReadReg > 1) begin : g_bad_read_reg
    $fatal(1, "pm_regbank: ReadReg must be 0 or 1");
  end

  for (genvar r = 0; r < NumReads; r++) begin : g_copy
    logic [Width-1:0] memory[1 << AddrBits];

    always_ff @(posedge clk_i) begin
      if (we_i) memory[waddr_i] <= wdata_i;
    end

    if (ReadReg == 0) begin : g_no_read_reg
      assign rdata_o[r] = memory[raddr_i[r]];
    end else begin : g_read_reg
      always_ff @(posedge clk_i) rdata_o[r] <= memory[raddr_i[r]];
    end
  end

endmodule
