// SPDX-License-Identifier: Apache-2.0
//
// Sum of products of two digits as two numbers that are not added yet: both together are the sum of
// a d + Bias.
//
// Ranges:    any a, d. The sum is exact, not only right modulo a power of two, so that both numbers
//            may be cut at any bit and their parts added elsewhere.
// Form:      Tile = 0, for standard cells: radix-4 Booth digits of d in {-2, ..., 2}, Digit / 2 + 1
//            rows a product, and one tree for all, with a register behind three levels. A negative
//            row is the complement of its positive one and a one; the signs would count
//            -2^(Digit+1) 4^r each, and together with the constant that makes all rows positive
//            they are Bias = 2^(2 Digit) - 2^(Digit+1). Tile > 0, for multiplier blocks: a and d in
//            two parts, four pm_mul_leaf, three rows a product. Bias is 0.
// Latency:   1 with Tile = 0, 3 with Tile > 0, from a, and then a tree without a register; d is
//            there a cycle before a, so that what a Booth digit asks for is known when a comes. One
//            sum per cycle.
// Handshake: none. Reset: none (data only). Constant time.
// Source:    Booth 1951; MacSorley 1961, Proc. IRE 49(1).

module pm_cs_mul #(
    parameter int unsigned Digit = 39,  // bits of a and d, at least 4
    parameter int unsigned Tile = 0,  // 0, or bits of the lower parts: Digit at most 2 Tile
    parameter int unsigned Products = 1,  // 1 or 2
    localparam int unsigned Bits = 2 * Digit + Products
) (
    input  logic                           clk_i,
    input  logic [Products-1:0][Digit-1:0] a_i,
    input  logic [Products-1:0][Digit-1:0] d_i,    // a cycle before a
    output logic [         1:0][ Bits-1:0] pair_o
);

  if (Digit < 4 || (Tile != 0 && (Digit > 2 * Tile || Digit <= Tile))) begin : gen_bad
    $fatal(
        1, "pm_cs_mul: Digit must be at least 4, and more than Tile up to 2 Tile if that is not 0."
    );
  end else if (Products < 1 || Products > 2) begin : gen_bad_products
    $fatal(1, "pm_cs_mul: Products must be 1 or 2.");
  end else if (Tile == 0) begin : gen_booth
    localparam int unsigned Count = Digit / 2 + 1;  // of a product
    localparam int unsigned Rows = Count * Products;
    // Behind one, two and three levels of the tree.
    localparam int unsigned One = Rows - Rows / 3;
    localparam int unsigned Two = One - One / 3;
    localparam int unsigned Left = Two - Two / 3;

    // Bias less 2^(Digit+1) 4^r of every row that may be negative. Row 0 has 3 - neg at its sign,
    // so that three more are taken here: the lowest two bits of the rest are free then.
    function automatic logic [Bits-1:0] constant();
      logic [Bits-1:0] value;
      value = Bits'(1) << (2 * Digit);
      for (int unsigned r = 0; r + 1 < Count; r++) value -= Bits'(1) << (Digit + 1 + 2 * r);
      value -= Bits'(3) << (Digit + 1);
      return value;
    endfunction

    // Rows of equal weight of both products follow each other, so that many adders of the tree have
    // nothing to add.
    logic [Rows-1:0][Bits-1:0] rows;
    logic [Left-1:0][Bits-1:0] left, left_q;

    for (genvar i = 0; i < Products; i++) begin : gen_product
      logic [2*Count:0] recoded;  // d, a zero below it, zeros above
      logic [Count-1:0] one_q, two_q, neg_q;  // what row r is of a: once, twice, negative

      assign recoded = (2 * Count + 1)'({d_i[i], 1'b0});

      for (genvar r = 0; r < Count; r++) begin : gen_row
        logic [Digit:0] chosen, turned;
        logic [Bits-1:0] row;
        always_ff @(posedge clk_i) begin
          one_q[r] <= recoded[2*r] ^ recoded[2*r+1];
          two_q[r] <= recoded[2*r] == recoded[2*r+1] && recoded[2*r+2] != recoded[2*r+1];
          neg_q[r] <= recoded[2*r+2];
        end
        assign chosen = (one_q[r] ? {1'b0, a_i[i]} : '0) | (two_q[r] ? {a_i[i], 1'b0} : '0);
        assign turned = chosen ^ {(Digit + 1) {neg_q[r]}};
        if (r == 0) begin : gen_first
          assign row = Bits'({1'b1, !neg_q[r], turned}) | constant();
        end else begin : gen_other
          // The one of the negative row below has its place under this row.
          logic below;
          assign below = neg_q[r-1];
          if (r == Count - 1) begin : gen_last
            assign row = (Bits'(turned) << (2 * r)) | (Bits'(below) << (2 * r - 2));
          end else begin : gen_middle
            assign row = (Bits'({!neg_q[r], turned}) << (2 * r)) | (Bits'(below) << (2 * r - 2));
          end
        end
        assign rows[r*Products+i] = row;
      end
    end

    pm_csa_late #(
        .Rows(Rows),
        .Bits(Bits),
        .Out (Left)
    ) u_early (
        .rows_i(rows),
        .rows_o(left)
    );

    always_ff @(posedge clk_i) left_q <= left;

    pm_csa_late #(
        .Rows(Left),
        .Bits(Bits)
    ) u_late (
        .rows_i(left_q),
        .rows_o(pair_o)
    );
  end else begin : gen_tiles
    logic [3*Products-1:0][Bits-1:0] rows;

    for (genvar k = 0; k < Products; k++) begin : gen_product
      logic [1:0][Tile-1:0] a, d;
      logic [1:0][1:0][2*Tile-1:0] p;
      assign a = (2 * Tile)'(a_i[k]);
      always_ff @(posedge clk_i) d <= (2 * Tile)'(d_i[k]);
      for (genvar i = 0; i < 2; i++) begin : gen_a
        for (genvar j = 0; j < 2; j++) begin : gen_d
          pm_mul_leaf #(
              .Width (Tile),
              .InReg (1),
              .OutReg(2)
          ) u_leaf (
              .clk_i,
              .en_i(1'b1),
              .a_i (a[i]),
              .b_i (d[j]),
              .p_o (p[i][j])
          );
        end
      end
      assign rows[3*k]   = Bits'({p[1][1], p[0][0]});
      assign rows[3*k+1] = Bits'(p[0][1]) << Tile;
      assign rows[3*k+2] = Bits'(p[1][0]) << Tile;
    end

    pm_csa #(
        .Rows(3 * Products),
        .Bits(Bits)
    ) u_tree (
        .rows_i(rows),
        .rows_o(pair_o)
    );
  end

endmodule
