// SPDX-License-Identifier: Apache-2.0
//
// The registers of a datapath whose issue slots are Turn cycles apart, at least three: one memory
// with one write port and two copies to read, where pm_regbank has a copy for each port of each
// bank.
//
// In the cycle of a word x and y are read, in the other cycles of its issue slot a and b. A product
// is written when it comes; a sum and a difference wait for the next cycle in which nothing else is
// written.
//
// Latency:  values of x and y are there 1 cycle after the word, of a and b 2 to Turn cycles after
//           it. What a word writes is read by words from MulTime + 1 cycles after it on.
// Reset:    asynchronous, active low: writes that wait are lost; the registers stay as they are.

module pm_turn_bank #(
    parameter int unsigned Width = 258,  // bits of a register
    parameter int unsigned AddrBits = 9,  // 2^AddrBits registers
    parameter int unsigned Turn = 3,  // cycles from one word to the next
    parameter int unsigned MulTime = 12,  // cycles from a word to its product
    parameter int unsigned SumTime = 2,  // to its sum, at most MulTime + 1 - Turn
    parameter int unsigned DiffTime = 2  // and to its difference, at most MulTime + 2 - Turn
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    input logic turn_i,  // a word may come in this cycle
    input logic [AddrBits-1:0] addr_a_i,  // registers that the word reads
    input logic [AddrBits-1:0] addr_b_i,
    input logic [AddrBits-1:0] addr_x_i,
    input logic [AddrBits-1:0] addr_y_i,
    output logic [1:0][Width-1:0] data_o,  // {y, x} 1 cycle after the word, {b, a} from 2 on

    input logic                mul_we_i,     // a product comes
    input logic [AddrBits-1:0] mul_addr_i,   // its register
    input logic [   Width-1:0] mul_data_i,
    input logic                sum_we_i,     // a sum
    input logic [AddrBits-1:0] sum_addr_i,
    input logic [   Width-1:0] sum_data_i,
    input logic                diff_we_i,    // a difference
    input logic [AddrBits-1:0] diff_addr_i,
    input logic [   Width-1:0] diff_data_i
);

  // Until the first and the second cycle after that of a product.
  localparam int unsigned SumWait = (MulTime + 1 + SumTime * (Turn - 1)) % Turn;
  localparam int unsigned DiffWait = (MulTime + 2 + DiffTime * (Turn - 1)) % Turn;

  if (Turn < 3) begin : g_bad_turn
    $fatal(1, "pm_turn_bank: Turn must be at least 3");
  end
  if (SumTime + SumWait > MulTime || DiffTime + DiffWait > MulTime) begin : g_bad_time
    $fatal(1, "pm_turn_bank: sums and differences must be written before the product");
  end

  // ---- reading ----------------------------------------------------------------------------------

  logic [1:0][AddrBits-1:0] late_q, raddr;

  always_ff @(posedge clk_i) begin
    if (turn_i) late_q <= {addr_b_i, addr_a_i};
  end

  assign raddr = turn_i ? {addr_y_i, addr_x_i} : late_q;

  // ---- writing ----------------------------------------------------------------------------------

  logic sum_we, diff_we, we;
  logic [AddrBits-1:0] sum_addr, diff_addr, waddr;
  logic [Width-1:0] sum_data, diff_data, wdata;

  pm_delay #(
      .Width(1 + AddrBits + Width),
      .Depth(SumWait)
  ) u_sum (
      .clk_i,
      .rst_ni,
      .data_i({sum_we_i, sum_addr_i, sum_data_i}),
      .data_o({sum_we, sum_addr, sum_data})
  );

  pm_delay #(
      .Width(1 + AddrBits + Width),
      .Depth(DiffWait)
  ) u_diff (
      .clk_i,
      .rst_ni,
      .data_i({diff_we_i, diff_addr_i, diff_data_i}),
      .data_o({diff_we, diff_addr, diff_data})
  );

  always_comb begin
    we = mul_we_i || sum_we || diff_we;
    if (mul_we_i) {waddr, wdata} = {mul_addr_i, mul_data_i};
    else if (sum_we) {waddr, wdata} = {sum_addr, sum_data};
    else {waddr, wdata} = {diff_addr, diff_data};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else assert ($onehot0({mul_we_i, sum_we, diff_we}));
  end

  pm_regbank #(
      .Width(Width),
      .AddrBits(AddrBits),
      .NumReads(2),
      .ReadReg(1)
  ) u_memory (
      .clk_i,
      .we_i(we),
      .waddr_i(waddr),
      .wdata_i(wdata),
      .raddr_i(raddr),
      .rdata_o(data_o)
  );

endmodule
