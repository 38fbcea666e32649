// SPDX-License-Identifier: Apache-2.0
//
// Read port of pm_dual_datapath: what an operand of a word names, a register, its external value or
// 0. A product that is ready is read in place of its destination.
//
// Latency:   0 (combinational). Constant time.

module pm_dual_port
  import pm_dual_ucode_pkg::*;
#(
    localparam int unsigned Width = 544,
    localparam int unsigned NumRegisters = 1 << RegisterBits
) (
    input port_t at_i,  // operand
    input logic index_i,  // exchange of indexed registers
    input logic [Width-1:0] ext_i,  // external value
    input logic [NumRegisters-1:0][Width-1:0] registers_i,
    input logic [1:0] valid_i,  // products that are ready, not both for one register
    input logic [1:0][RegisterBits-1:0] dest_i,  // their destinations
    input logic [1:0][Width-1:0] product_i,
    output logic [Width-1:0] value_o  // operand, of bank chain the register of its number
);

  logic [RegisterBits-1:0] number;
  logic [Width-1:0] register;  // 0 where it is not read
  logic [1:0] forward;
  logic stored;

  assign number = at_i.number ^ RegisterBits'(at_i.indexed && index_i);

  pm_select #(
      .Items(NumRegisters),
      .Width(Width)
  ) u_register (
      .items_i(registers_i),
      .at_i(number),
      .en_i(stored && forward == '0),
      .item_o(register)
  );

  assign stored = at_i.bank == BankReg || at_i.bank == BankChain;
  for (genvar u = 0; u < 2; u++) begin : g_forward
    assign forward[u] = stored && valid_i[u] && dest_i[u] == number;
  end

  assign value_o = register | ({Width{forward[0]}} & product_i[0]) |
      ({Width{forward[1]}} & product_i[1]) | ({Width{at_i.bank == BankExt}} & ext_i);

endmodule
