// SPDX-License-Identifier: Apache-2.0
//
// Sum of products of two digits as two numbers that are not added yet, for the Lattice ECP5, in
// place of the module of the same name in hw/lib/field: multiplier blocks of 18 bits also where
// the generic one has Booth digits (Tile = 0), with its Bias and its latency.
//
// Ranges:    any a, d. The sum is exact, as that of the generic module.
// Form:      a and d in parts of 18 or Tile bits; a row of the tree for each difference of the
//            places of two parts, whose products do not overlap. With Tile = 0 a product is a cycle
//            in the fabric, from d in registers and a to registers of its own, so that nextpnr sees
//            the path through the block; with Tile > 0 it is pm_mul_leaf.
// Latency:   1 with Tile = 0, 3 with Tile > 0, from a, and then a tree without a register; d is
//            there a cycle before a. One sum per cycle.
// Handshake: none. Reset: none (data only). Constant time.

module pm_cs_mul #(
    parameter int unsigned Digit = 39,  // bits of a and d
    parameter int unsigned Tile = 0,  // 0, or bits of a part, at most 18
    parameter int unsigned Products = 1,  // 1 or 2
    localparam int unsigned Bits = 2 * Digit + Products
) (
    input  logic                           clk_i,
    input  logic [Products-1:0][Digit-1:0] a_i,
    input  logic [Products-1:0][Digit-1:0] d_i,    // a cycle before a
    output logic [         1:0][ Bits-1:0] pair_o
);

  localparam int unsigned Part = Tile == 0 ? 18 : Tile;
  localparam int unsigned Parts = (Digit + Part - 1) / Part;
  localparam int unsigned Count = 2 * Parts - 1;  // rows of a product
  localparam int unsigned Rows = Count * Products + (Tile == 0 ? 1 : 0);  // with that of Bias
  localparam logic [Bits-1:0] Bias =
      Tile == 0 ? Bits'(Products) * ((Bits'(1) << (2 * Digit)) - (Bits'(1) << (Digit + 1))) : '0;

  logic [Products-1:0][Count-1:0][Bits-1:0] rows;

  for (genvar k = 0; k < Products; k++) begin : gen_product
    logic [Parts-1:0][Part-1:0] a, d_q;
    logic [Parts-1:0][Parts-1:0][2*Part-1:0] p;

    assign a = (Parts * Part)'(a_i[k]);
    always_ff @(posedge clk_i) d_q <= (Parts * Part)'(d_i[k]);

    for (genvar i = 0; i < Parts; i++) begin : gen_a
      for (genvar j = 0; j < Parts; j++) begin : gen_d
        if (Tile == 0) begin : gen_fabric
          always_ff @(posedge clk_i) p[i][j] <= (2 * Part)'(a[i]) * (2 * Part)'(d_q[j]);
        end else begin : gen_leaf
          pm_mul_leaf #(
              .Width (Part),
              .InReg (1),
              .OutReg(2)
          ) u_leaf (
              .clk_i,
              .en_i(1'b1),
              .a_i (a[i]),
              .b_i (d_q[j]),
              .p_o (p[i][j])
          );
        end
      end
    end

    for (genvar r = 0; r < Count; r++) begin : gen_row
      always_comb begin
        rows[k][r] = '0;
        for (int unsigned i = 0; i < Parts; i++) begin
          for (int unsigned j = 0; j < Parts; j++) begin
            if (i + Parts == j + r + 1) rows[k][r] |= Bits'(p[i][j]) << (Part * (i + j));
          end
        end
      end
    end
  end

  pm_csa #(
      .Rows(Rows),
      .Bits(Bits)
  ) u_tree (
      .rows_i((Rows * Bits)'({Bias, rows})),
      .rows_o(pair_o)
  );

endmodule
