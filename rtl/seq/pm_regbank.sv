// SPDX-License-Identifier: Apache-2.0
//
// Register bank with one write port and asynchronous read ports, meant for distributed RAM (one copy
// of the memory for each read port).
//
// Latency:  a value written in cycle c is read from cycle c + 1 on; reading is combinational.
// Reset:    none; the content is undefined until written.

module pm_regbank #(
    parameter int unsigned Width = 256,  // bits of a register
    parameter int unsigned AddrBits = 5,  // 2^AddrBits registers
    parameter int unsigned NumReads = 4  // read ports
) (
    input  logic                              clk_i,    // clock
    input  logic                              we_i,     // write
    input  logic [AddrBits-1:0]               waddr_i,  // register to write
    input  logic [   Width-1:0]               wdata_i,  // its new value
    input  logic [NumReads-1:0][AddrBits-1:0] raddr_i,  // registers to read
    output logic [NumReads-1:0][   Width-1:0] rdata_o   // their values
);

  for (genvar r = 0; r < NumReads; r++) begin : g_copy
    logic [Width-1:0] memory[1 << AddrBits];

    always_ff @(posedge clk_i) begin
      if (we_i) memory[waddr_i] <= wdata_i;
    end

    assign rdata_o[r] = memory[raddr_i[r]];
  end

endmodule
