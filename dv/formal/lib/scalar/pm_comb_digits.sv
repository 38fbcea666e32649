// SPDX-License-Identifier: Apache-2.0
//
// Claim: the digit of weight 2^i that pm_comb_digits has, of tooth j in column c with i = j
//        columns + c, is 1 or -1 as bit i + 1 of the scalar is 1 or 0, the highest one 1; all
//        with the other sign for a number that was given in place of an even scalar. A scalar
//        that was forgotten leaves nothing. With Sum: the digits, added up column by column,
//        from the last one on and with a doubling between two, are the scalar, or the opposite
//        of the number in its place.
//
// plus_q and minus_q are the sums of the digits 1 and of those that are -1; they are exact,
// since no tooth reaches the next one.

module pm_comb_digits_formal #(
    parameter int unsigned Width = 544,
    parameter int unsigned Teeth = 8,
    parameter bit Sum = 1'b0,
    localparam int unsigned MaxPairs = Width / 2 / Teeth,
    localparam int unsigned PairBits = $clog2(MaxPairs + 1),
    localparam int unsigned ColumnBits = PairBits + 1
) (
    input logic                clk_i,
    input logic                clear_i,
    input logic                load_i,
    input logic                opposite_i,
    input logic [   Width-1:0] scalar_i,
    input logic [PairBits-1:0] pairs_i,
    input logic                next_i
);

  logic [Teeth-2:0] index;
  logic negative;

  pm_comb_digits #(
      .Width(Width),
      .Teeth(Teeth)
  ) u_dut (
      .clk_i,
      .clear_i,
      .load_i,
      .opposite_i,
      .scalar_i,
      .pairs_i,
      .next_i,
      .index_o(index),
      .negative_o(negative)
  );

  // The scalar, or the number in its place.
  logic active_q = 1'b0;
  logic cleared_q = 1'b0;
  logic [Width-1:0] number_q;
  logic instead_q;  // in its place
  logic [PairBits-1:0] pairs_q;
  logic [ColumnBits-1:0] gone_q;  // columns that were left
  logic step;
  assign step = active_q && next_i && !opposite_i;

  always_ff @(posedge clk_i) begin
    cleared_q <= clear_i;
    if (clear_i) active_q <= 1'b0;
    else if (load_i) active_q <= 1'b1;
    if (load_i) begin
      number_q <= scalar_i;
      instead_q <= 1'b0;
      pairs_q <= pairs_i;
      gone_q <= '0;
    end else if (active_q && opposite_i) begin
      if (!number_q[0]) number_q <= scalar_i;
      instead_q <= !number_q[0];
    end else if (step) begin
      gone_q <= gone_q + ColumnBits'(1);
    end
  end

  logic [Teeth-1:0] sign;  // of the digits of this column, 1: negative
  assign sign = {negative, {(Teeth - 1) {negative}} ^ ~index};

  logic [Width-1:0] all;  // bits of a number of so many columns
  logic [Teeth-1:0] wanted;  // signs by the bits of the number
  always_comb begin
    all = '0;
    wanted = '0;
    for (int unsigned p = 1; p <= MaxPairs; p++) begin
      if (pairs_i == PairBits'(p)) begin
        all = {Width{1'b1}} >> (Width - 2 * p * Teeth);
        for (int unsigned g = 0; g < 2 * p; g++) begin
          for (int unsigned j = 0; j < Teeth; j++) begin
            if (gone_q == ColumnBits'(g) && (g != 0 || j + 1 != Teeth)) begin
              wanted[j] = !number_q[2*p*(j+1)-g];
            end
          end
        end
      end
    end
  end

  always_comb begin
    a_pairs : assume (pairs_i != '0 && pairs_i <= PairBits'(MaxPairs));
    if (active_q) begin
      a_hold : assume (pairs_i == pairs_q);
      a_last : assume (!next_i || gone_q != {pairs_i, 1'b0} - ColumnBits'(1));
      a_before : assume (!opposite_i || (gone_q == '0 && !instead_q));
    end
    if (load_i || opposite_i) begin
      a_below : assume ((scalar_i & ~all) == '0);
    end
    if (opposite_i) begin
      a_odd : assume (scalar_i[0]);
    end

    if (active_q) begin
      p_digit : assert (sign == (wanted ^ {Teeth{instead_q}}));
    end
    if (cleared_q) begin
      p_forget : assert (u_dut.bits_q == '0 && !u_dut.turned_q && !u_dut.first_q);
    end

    // For the induction step.
    if (active_q) begin
      i_state : assert (u_dut.turned_q == instead_q && u_dut.first_q == (gone_q == '0));
      i_gone : assert (gone_q < {pairs_i, 1'b0});
      i_number : assert ((number_q & ~all) == '0);
    end
  end

  for (genvar g = 0; g < 2 * int'(MaxPairs); g++) begin : gen_gone
    always_comb begin
      if (active_q && gone_q == ColumnBits'(g)) begin
        i_bits : assert (u_dut.bits_q == (Width + 1)'(number_q) << g);
      end
    end
  end

  if (Sum) begin : gen_sum
    logic [Width-1:0] plus_q, minus_q, plus, minus;  // without and with the present column
    logic [Width-1:0] here_plus, here_minus;  // this column, at its teeth

    always_comb begin
      here_plus  = '0;
      here_minus = '0;
      for (int unsigned p = 1; p <= MaxPairs; p++) begin
        if (pairs_i == PairBits'(p)) begin
          for (int unsigned j = 0; j < Teeth; j++) begin
            here_plus[2*p*j]  = !sign[j];
            here_minus[2*p*j] = sign[j];
          end
        end
      end
      plus  = (plus_q << 1) + here_plus;
      minus = (minus_q << 1) + here_minus;
    end

    always_ff @(posedge clk_i) begin
      if (load_i || opposite_i) {plus_q, minus_q} <= '0;
      else if (step) {plus_q, minus_q} <= {plus, minus};
    end

    always_comb begin
      if (active_q && gone_q == {pairs_i, 1'b0} - ColumnBits'(1) && number_q[0]) begin
        p_sum : assert ((instead_q ? minus - plus : plus - minus) == number_q);
      end
    end

    // The bits of both sums.
    for (genvar p = 1; p <= int'(MaxPairs); p++) begin : gen_pairs
      for (genvar b = 0; b < int'(Width); b++) begin : gen_bit
        localparam int Place = b % (2 * p);
        localparam int Tooth = b / (2 * p);
        logic known;  // the digit was added
        logic [Width:0] moved;
        logic highest;  // it is 1 for its weight
        assign highest = Tooth == int'(Teeth) - 1 && Place + 1 == 32'(gone_q);
        assign known   = Tooth < int'(Teeth) && Place < 32'(gone_q);
        // Of the column gone_q - Place columns before the present one.
        assign moved   = (Width + 1)'(number_q) >> (32'(b) + 2 * p + 1 - 32'(gone_q));
        always_comb begin
          if (active_q && pairs_i == PairBits'(p)) begin
            i_plus : assert (plus_q[b] == (known && (instead_q ^ (moved[0] || highest))));
            i_minus : assert (minus_q[b] == (known && !plus_q[b]));
          end
        end
      end
    end
  end

endmodule
