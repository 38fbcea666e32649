// SPDX-License-Identifier: Apache-2.0
//
// Registers, products and sums of skewed numbers (pm_mont_skew, pm_skew_add): a microinstruction in
// every cycle, whose digit j column j carries out j cycles later.
//
// Each:      reads two registers, a and b; begins the product a b R^-1, or a sum of them, or
//            neither; and writes one register with the sum, product or number from outside whose
//            digit 0 is there.
// Ranges:    those of both units, of numbers of at most Columns + 1 digits. Nothing checks them.
// Latency:   a sum is there 3 cycles after its microinstruction, a product (digits_i + 1) Period +
//            2; what is written can be read a cycle later. Products begin where pm_mont_skew is
//            ready, and each result is written in its cycle: both are up to the program, and
//            asserted.
// Handshake: none. p_i and digits_i must not change while there are microinstructions.
// Reset:     control; registers are not reset. Constant time.

module pm_skew_datapath
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit = 39,  // of pm_mont_skew, as the next two
    parameter int unsigned Columns = 7,
    parameter int unsigned Tile = 0,
    parameter int unsigned Registers = 32,
    parameter int One = -1,  // this register is the number 1; -1: none is
    localparam int unsigned Most = 2 * Columns + 1,
    localparam int unsigned CountBits = $clog2(Most + 1),
    localparam int unsigned AddressBits = $clog2(Registers)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Columns:0][Digit-1:0] p_i,  // k m + 1
    input logic [CountBits-1:0] digits_i,  // of x, at least 2
    // Microinstruction.
    input logic [AddressBits-1:0] a_i,  // registers read
    input logic [AddressBits-1:0] b_i,
    input logic multiply_i,  // begins a product
    input logic add_i,  // begins a sum, with the next three
    input logic sub_i,
    input logic [1:0] shift_i,
    input logic [2:0] scale_i,
    input logic write_i,  // writes register c
    input logic [AddressBits-1:0] c_i,
    input skew_source_e source_i,  // what is written
    // Skewed: digit j j cycles later.
    input logic [Columns:0][Digit-1:0] outside_i,  // number to be written
    output logic [Columns:0][Digit-1:0] a_o  // register a, a cycle after its microinstruction
);

  typedef struct packed {
    logic [AddressBits-1:0] a, b, c;
    logic write;
    skew_source_e source;
  } control_t;

  control_t [  Columns:0] control;
  control_t [Columns-1:0] control_q;
  logic [Columns:0][Digit-1:0] a_q, b_q, product, sum;

  assign control = {
    control_q, control_t'{a: a_i, b: b_i, c: c_i, write: write_i, source: source_i}
  };
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) control_q <= '0;
    else control_q <= control[Columns-1:0];
  end

  for (genvar j = 0; j <= Columns; j++) begin : gen_column
    logic [Digit-1:0] registers[Registers];
    logic [Digit-1:0] written;

    always_comb begin
      unique case (control[j].source)
        SkewProduct: written = product[j];
        SkewOutside: written = outside_i[j];
        default: written = sum[j];
      endcase
    end

    for (genvar i = 0; i < int'(Registers); i++) begin : gen_register
      if (i == One) begin : gen_one
        assign registers[i] = Digit'(j == 0);
      end else begin : gen_stored
        logic [Digit-1:0] register_q;
        always_ff @(posedge clk_i) begin
          if (control[j].write && control[j].c == AddressBits'(i)) register_q <= written;
        end
        assign registers[i] = register_q;
      end
    end

    always_ff @(posedge clk_i) begin
      a_q[j] <= registers[control[j].a];
      b_q[j] <= registers[control[j].b];
    end
  end

  assign a_o = a_q;

  // With the operands of column 0.
  logic multiply_q, add_q, sub_q;
  logic [1:0] shift_q;
  logic [2:0] scale_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {multiply_q, add_q, sub_q, shift_q, scale_q} <= '0;
    end else begin
      {multiply_q, add_q, sub_q} <= {multiply_i, add_i, sub_i};
      {shift_q, scale_q} <= {shift_i, scale_i};
    end
  end

  logic product_ready, product_valid, sum_ready, sum_valid;

  pm_mont_skew #(
      .Digit  (Digit),
      .Columns(Columns),
      .Tile   (Tile)
  ) u_products (
      .clk_i,
      .rst_ni,
      .p_i    ((Most * Digit)'(p_i)),
      .digits_i,
      .wide_i (1'b0),
      .valid_i(multiply_q),
      .ready_o(product_ready),
      .x_i    (a_q),
      .y_i    (b_q),
      .valid_o(product_valid),
      .r_o    (product)
  );

  pm_skew_add #(
      .Digit  (Digit),
      .Columns(Columns)
  ) u_sums (
      .clk_i,
      .rst_ni,
      .p_i    ((Most * Digit)'(p_i)),
      .wide_i (1'b0),
      .valid_i(add_q),
      .ready_o(sum_ready),
      .sub_i  (sub_q),
      .shift_i(shift_q),
      .scale_i(scale_q),
      .x_i    (a_q),
      .y_i    (b_q),
      .valid_o(sum_valid),
      .r_o    (sum)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
    end else begin
      assert (!multiply_q || product_ready);
      assert (!add_q || sum_ready);
      assert (!product_valid || (write_i && source_i == SkewProduct));
      assert (!sum_valid || (write_i && source_i == SkewSum));
    end
  end

endmodule
