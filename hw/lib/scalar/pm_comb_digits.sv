// SPDX-License-Identifier: Apache-2.0
//
// Digits of one secret scalar for a fixed-base comb of Teeth teeth, from the last column on: all of
// them 1 or -1, one of each tooth in a column.
//
// The digit of weight 2^i of an odd scalar is 1 where bit i + 1 is set and -1 where not; the
// highest one, of weight 2^(Teeth columns - 1), is 1. That of tooth j in column c is the digit of
// weight 2^(j columns + c). An even scalar gives way to its opposite (n - k, which is odd then),
// whose digits are all turned: they stand for k modulo n.
//
// Computes: index_o, bit j of which says whether the tooth's digit is that of the last tooth, and
//           negative_o, whether that is -1; of the present column.
// Handshake: load_i takes the scalar; opposite_i, later, takes scalar_i in its place if it is even.
//           next_i goes to the column before.
// Ranges:   pairs_i, half the columns, 1 to Width / 2 / Teeth, to hold; the scalar below 2^(Teeth
//           columns).
// Timing:   outputs are valid in the cycle after load_i, opposite_i or next_i.
// Reset:    none; load_i begins. clear_i forgets the scalar.
// Constant time: yes, for given pairs_i.
// Source:   Lim and Lee 1994, "More flexible exponentiation with precomputation"; Hedabou, Pinel
//           and Beneteau 2005, "Countermeasures for preventing comb method against SCA attacks"
//           (digits 1 and -1).
module pm_comb_digits #(
    parameter int unsigned Width = 544,  // bits of a scalar
    parameter int unsigned Teeth = 8,  // at least 2
    localparam int unsigned MaxPairs = Width / 2 / Teeth,
    localparam int unsigned PairBits = $clog2(MaxPairs + 1)
) (
    input logic clk_i,  // clock
    input logic clear_i,  // forget the scalar
    input logic load_i,  // pulse: begin
    input logic opposite_i,  // pulse: of an even scalar take this one
    input logic [Width-1:0] scalar_i,  // scalar
    input logic [PairBits-1:0] pairs_i,  // half the columns
    input logic next_i,  // pulse: go to the column before
    output logic [Teeth-2:0] index_o,  // which teeth have the digit of the last one
    output logic negative_o  // that is -1
);

  if (Teeth < 2 || Width % (2 * Teeth) != 0) begin : gen_bad_parameters
    $fatal(1, "pm_comb_digits: Teeth must be at least 2, Width a multiple of twice that.");
  end

  logic [Width:0] bits_q;
  logic turned_q, first_q;  // all digits are turned; no column was left yet
  logic [Teeth-1:0] signs;

  // Bits move up by one for each column, so that a tooth's digit is always found at the bit of its
  // highest one.
  always_comb begin
    signs = '0;
    for (int unsigned pairs = 1; pairs <= MaxPairs; pairs++) begin
      if (pairs_i == PairBits'(pairs)) begin
        for (int unsigned j = 0; j < Teeth; j++) signs[j] = bits_q[(j+1)*2*pairs];
      end
    end
    if (first_q) signs[Teeth-1] = 1'b1;
  end

  assign index_o = ~(signs[Teeth-2:0] ^{(Teeth - 1) {signs[Teeth-1]}});
  assign negative_o = signs[Teeth-1] == turned_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      bits_q   <= '0;
      turned_q <= 1'b0;
      first_q  <= 1'b0;
    end else if (load_i) begin
      bits_q   <= {1'b0, scalar_i};
      turned_q <= 1'b0;
      first_q  <= 1'b1;
    end else if (opposite_i) begin
      if (!bits_q[0]) bits_q <= {1'b0, scalar_i};
      turned_q <= !bits_q[0];
    end else if (next_i) begin
      bits_q  <= bits_q << 1;
      first_q <= 1'b0;
    end
  end

endmodule
