// SPDX-License-Identifier: Apache-2.0
//
// A memory of words of up to 72 bits with a write port and a read port, in block RAM with its
// output register.
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

  logic [Width-1:0] mem_q  [2**AddrBits];
  logic [Width-1:0] read_q;

  always_ff @(posedge clk_i) begin
    if (we_i) mem_q[write_addr_i] <= data_i;
    read_q <= mem_q[read_addr_i];
    data_o <= read_q;
  end

endmodule
