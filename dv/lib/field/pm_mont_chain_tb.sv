// SPDX-License-Identifier: Apache-2.0
//
// pm_mont_chain with pm_mod_sum behind it, which the bench can use alone as well: sums begin
// with sum_i, on the operands of products.

module pm_mont_chain_tb #(
    parameter int unsigned Width   = 704,
    parameter int unsigned Digit   = 16,
    parameter int unsigned Tile    = 18,
    parameter int unsigned Segment = 64,
    localparam int unsigned CountBits = $clog2(Width / Digit + 1),
    localparam int unsigned Segments = (Width + 2 + Segment - 1) / Segment
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 wipe_i,
    input  logic [    Width-1:0] p_i,
    input  logic [    Width-1:0] pinv_i,
    input  logic [CountBits-1:0] digits_i,
    input  logic                 plain_i,
    input  logic                 valid_i,
    input  logic                 sum_i,      // a sum, not a product
    input  logic                 sub_i,
    input  logic [    Width-1:0] x_i,
    input  logic [    Width-1:0] y_i,
    output logic                 soon_o,     // of a product, four cycles before it
    output logic                 valid_o,    // r_o is a result
    output logic [    Width-1:0] r_o,
    output logic                 reached_o,
    output logic                 zero_o,     // a cycle after valid_o
    output logic [    Width-1:0] low_o
);

  logic product, carry;
  logic [Width:0] even, odd;
  logic [2:0] valid_q;
  logic [Width-1:0] x_q, y_q;
  logic sum_q, sub_q;

  // Operands are there a cycle behind valid_i.
  always_ff @(posedge clk_i) begin
    {x_q, y_q, sub_q} <= {x_i, y_i, sub_i};
    sum_q <= valid_i && sum_i;
  end

  pm_mont_chain #(
      .Width(Width),
      .Digit(Digit),
      .Tile (Tile)
  ) u_chain (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .p_i,
      .pinv_load_i(1'b1),
      .pinv_i,
      .digits_i,
      .plain_i,
      .ahead_i    (valid_i && !sum_i),
      .x_i        (x_q),
      .y_i        (y_q),
      .soon_o,
      .valid_o    (product),
      .even_o     (even),
      .odd_o      (odd),
      .carry_o    (carry),
      .low_o
  );

  pm_mod_sum #(
      .Width  (Width),
      .Segment(Segment)
  ) u_sum (
      .clk_i,
      .wipe_i,
      .p_i,
      .sub_i  ({Segments{!product && sub_q}}),
      .plain_i,
      .carry_i(product && carry),
      .x_i    (product ? even : {1'b0, x_q}),
      .y_i    (product ? odd : {1'b0, y_q}),
      .r_o,
      .reached_o,
      .zero_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[1:0], product || sum_q};
  end

  assign valid_o = valid_q[2];

endmodule
