// SPDX-License-Identifier: Apache-2.0
//
// Registers of 258 bits of a datapath that works on halves: a memory for each half, with one write
// port and two copies to read.
//
// The upper half is read and written two cycles after the lower one. Of each half, bits from 65 on
// are read and written a cycle after the others: every address passes its four memories in turn.
//
// Latency:  lo_o: 2 cycles after raddr_i, hi_o: 4; bits from 65 on a cycle later.
//           Written is a lower half with lo_we_i, an upper half with hi_we_i; bits from 65 on of
//           the data come a cycle later.
// Reset:    none; contents are undefined until written. Constant time.

module pm_half_bank #(
    parameter int unsigned AddrBits = 9  // 2^AddrBits registers
) (
    input  logic                              clk_i,      // clock
    input  logic [         1:0][AddrBits-1:0] raddr_i,    // what the copies read
    output logic [         1:0][       128:0] lo_o,       // its lower halves
    output logic [         1:0][       128:0] hi_o,       // its upper halves
    input  logic                              lo_we_i,    // write a lower half
    input  logic [AddrBits-1:0]               lo_addr_i,  // of this register
    input  logic [       128:0]               lo_data_i,
    input  logic                              hi_we_i,    // write an upper half
    input  logic [AddrBits-1:0]               hi_addr_i,
    input  logic [       128:0]               hi_data_i
);

  logic [3:1][1:0][AddrBits-1:0] raddr_q;  // so many cycles ago
  logic lo_we_q, hi_we_q;
  logic [AddrBits-1:0] lo_addr_q, hi_addr_q;

  always_ff @(posedge clk_i) begin
    raddr_q <= {raddr_q[2:1], raddr_i};
    {lo_we_q, lo_addr_q} <= {lo_we_i, lo_addr_i};
    {hi_we_q, hi_addr_q} <= {hi_we_i, hi_addr_i};
  end

  for (genvar i = 0; i < 2; i++) begin : g_copy
    pm_half_memory #(
        .Width(65),
        .AddrBits(AddrBits)
    ) u_lo_low (
        .clk_i,
        .we_i(lo_we_i),
        .write_addr_i(lo_addr_i),
        .data_i(lo_data_i[64:0]),
        .read_addr_i(raddr_i[i]),
        .data_o(lo_o[i][64:0])
    );

    pm_half_memory #(
        .Width(64),
        .AddrBits(AddrBits)
    ) u_lo_high (
        .clk_i,
        .we_i(lo_we_q),
        .write_addr_i(lo_addr_q),
        .data_i(lo_data_i[128:65]),
        .read_addr_i(raddr_q[1][i]),
        .data_o(lo_o[i][128:65])
    );

    pm_half_memory #(
        .Width(65),
        .AddrBits(AddrBits)
    ) u_hi_low (
        .clk_i,
        .we_i(hi_we_i),
        .write_addr_i(hi_addr_i),
        .data_i(hi_data_i[64:0]),
        .read_addr_i(raddr_q[2][i]),
        .data_o(hi_o[i][64:0])
    );

    pm_half_memory #(
        .Width(64),
        .AddrBits(AddrBits)
    ) u_hi_high (
        .clk_i,
        .we_i(hi_we_q),
        .write_addr_i(hi_addr_q),
        .data_i(hi_data_i[128:65]),
        .read_addr_i(raddr_q[3][i]),
        .data_o(hi_o[i][128:65])
    );
  end

endmodule
