// SPDX-License-Identifier: Apache-2.0
//
// Register banks of pm_butterfly_datapath and what a word reads of them: the operands of the
// butterfly and the factors that do not come from it. Banks for products, sums and differences,
// each with a copy for each port that reads it (pm_regbank).
//
// Computes: x_o, y_o  registers rx and ry of the word, or its external value, doubled where x2 and
//           y2 say so; a_o, b_o  registers ra and rb, or the external value.
// Latency:  x_o and y_o are there ReadReg cycles after the word, a_o and b_o FactorTime cycles.
// Reset:    asynchronous, active low: what is under way is lost; the registers stay as they are.
// Constant time.

module pm_operand_banks
  import pm_ucode_pkg::*;
#(
    // of a register: its number, and its context above
    parameter int unsigned AddrBits = RegisterBits,
    parameter int unsigned IndexBits = 3,  // bits of the index for indexed registers
    parameter int unsigned ExtBits = 255,  // bits of an external value, up to 258
    // 2^DiffBits registers in bank diff for each context
    parameter int unsigned DiffBits = RegisterBits,
    parameter bit YFromMul = 1'b0,  // 1: port ry never reads the banks sum and diff
    parameter int unsigned ReadReg = 0,  // registers behind the banks, 0 or 1
    parameter int unsigned FactorTime = 0,  // cycles from a word to its factors, at least ReadReg
    localparam int unsigned W = 258
) (
    input logic clk_i,  // clock
    input logic rst_ni, // asynchronous reset, active low

    // Of a word its ports are looked at.
    /* verilator lint_off UNUSEDSIGNAL */
    input word_t word_i,  // the word
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [AddrBits-1:0] base_i,  // register 0 of its context
    input logic [IndexBits-1:0] index_i,  // its index for indexed registers
    input logic [ExtBits-1:0] ext_i,  // its external value, ReadReg cycles later

    output logic [W-1:0] x_o,  // operands of the butterfly
    output logic [W-1:0] y_o,
    output logic [W-1:0] a_o,  // factors
    output logic [W-1:0] b_o,

    input logic                mul_we_i,     // a product comes
    input logic [AddrBits-1:0] mul_addr_i,   // its register
    input logic [       255:0] mul_data_i,
    input logic                sum_we_i,     // a sum
    input logic [AddrBits-1:0] sum_addr_i,
    input logic [       W-1:0] sum_data_i,
    input logic                diff_we_i,    // a difference
    input logic [AddrBits-1:0] diff_addr_i,
    input logic [       W-1:0] diff_data_i
);

  localparam int unsigned SumReads = YFromMul ? 3 : 4;  // ports that read the banks sum and diff
  localparam int unsigned DiffAddrBits = DiffBits + AddrBits - RegisterBits;

  port_t [3:0] ports;  // y, x, b, a
  logic [3:0][RegisterBits-1:0] number;
  logic [3:0][AddrBits-1:0] addr;
  logic [3:0][1:0] bank, read_bank;
  logic x2, y2;
  logic [SumReads-1:0][DiffAddrBits-1:0] diff_raddr;
  logic [3:0][255:0] mul_rdata;
  logic [SumReads-1:0][W-1:0] sum_rdata, diff_rdata;
  logic [3:0][W-1:0] value;  // of the ports, ReadReg cycles after the word

  assign ports = {word_i.ry, word_i.rx, word_i.rb, word_i.ra};

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      number[i] = ports[i].number ^ (ports[i].indexed ? RegisterBits'(index_i) : '0);
      addr[i]   = base_i | AddrBits'(number[i]);
      bank[i]   = ports[i].bank;
    end
  end

  pm_delay #(
      .Width(10),
      .Depth(ReadReg)
  ) u_read_word (
      .clk_i,
      .rst_ni,
      .data_i({word_i.y2, word_i.x2, bank}),
      .data_o({y2, x2, read_bank})
  );

  // In bank diff, which may have fewer registers.
  function automatic logic [DiffAddrBits-1:0] diff_address(logic [AddrBits-1:0] address);
    return DiffAddrBits'(((32'(address) >> RegisterBits) << DiffBits) | 32'(address[DiffBits-1:0]));
  endfunction

  for (genvar i = 0; i < SumReads; i++) begin : g_diff_raddr
    assign diff_raddr[i] = diff_address(addr[i]);
  end

  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      unique case (read_bank[i])
        BankMul:  value[i] = W'(mul_rdata[i]);
        BankSum:  value[i] = i < SumReads ? sum_rdata[i%SumReads] : 'x;
        BankDiff: value[i] = i < SumReads ? diff_rdata[i%SumReads] : 'x;
        default:  value[i] = W'(ext_i);
      endcase
    end
  end

  pm_reskew #(
      .W   (2 * W),
      .Lead(int'(FactorTime - ReadReg))
  ) u_factors (
      .clk_i,
      .en_i(1'b1),
      .d_i (value[1:0]),
      .d_o ({b_o, a_o})
  );

  pm_regbank #(
      .Width(256),
      .AddrBits(AddrBits),
      .ReadReg(ReadReg)
  ) u_mul_bank (
      .clk_i,
      .we_i(mul_we_i),
      .waddr_i(mul_addr_i),
      .wdata_i(mul_data_i),
      .raddr_i(addr),
      .rdata_o(mul_rdata)
  );

  pm_regbank #(
      .Width(W),
      .AddrBits(AddrBits),
      .NumReads(SumReads),
      .ReadReg(ReadReg)
  ) u_sum_bank (
      .clk_i,
      .we_i(sum_we_i),
      .waddr_i(sum_addr_i),
      .wdata_i(sum_data_i),
      .raddr_i(addr[SumReads-1:0]),
      .rdata_o(sum_rdata)
  );

  pm_regbank #(
      .Width(W),
      .AddrBits(DiffAddrBits),
      .NumReads(SumReads),
      .ReadReg(ReadReg)
  ) u_diff_bank (
      .clk_i,
      .we_i(diff_we_i),
      .waddr_i(diff_address(diff_addr_i)),
      .wdata_i(diff_data_i),
      .raddr_i(diff_raddr),
      .rdata_o(diff_rdata)
  );

  assign y_o = y2 ? value[3] << 1 : value[3];
  assign x_o = x2 ? value[2] << 1 : value[2];

endmodule
