// SPDX-License-Identifier: Apache-2.0
//
// Registers, products and sums of skewed numbers (pm_mont_skew, pm_skew_add): a microinstruction in
// every cycle, whose digit j column j carries out j cycles later.
//
// Each:      reads two registers, a and b; begins the product a b R^-1, or a sum of them, or
//            neither; and writes one register with the sum, product or number from outside whose
//            digit 0 is there.
// Ranges:    those of both units, of numbers of at most Columns + 1 digits. Nothing checks them.
// Form:      numbers of registers go along the columns, each of which decodes them: a read is a sum
//            of products.
// Latency:   a sum is there for the microinstruction 4 cycles after its own, a product for that
//            (digits_i + 1) Period + 2 after, with named_i for (digits_i / 2 - 1) NamedPeriod + 8;
//            what one writes can be read by the next one. Products begin where pm_mont_skew is
//            ready, and each result is written in its cycle: both are up to the program, and
//            asserted.
// Handshake: none. p_i, digits_i and named_i must not change while there are microinstructions.
// Reset:     operations and writes; registers and reads are not reset. Constant time.

module pm_skew_datapath
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit = 39,  // of pm_mont_skew, as the next five
    parameter int unsigned Columns = 7,
    parameter int unsigned Tile = 0,
    parameter int unsigned Named = 0,
    parameter int unsigned NamedPeriod = 4,
    parameter int unsigned Spare = 0,
    parameter int unsigned Registers = 32,
    parameter logic [Registers-1:0] Stored = '1,  // the registers that there are
    parameter int One = -1,  // this register is the number 1; -1: none is
    parameter int Short = -1,  // this one has digit 0 alone, the others are 0; -1: none has
    localparam int unsigned Most = 2 * Columns + 1,
    localparam int unsigned CountBits = $clog2(Most + 1),
    localparam int unsigned AddressBits = $clog2(Registers)
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [Columns:0][Digit-1:0] p_i,  // k m + 1
    input logic [CountBits-1:0] digits_i,  // of x, at least 2; with named_i even
    input logic named_i,  // p is the named prime
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
    input logic [Columns:0][Digit-1:0] outside_i,  // written, a cycle after its microinstruction
    output logic [Columns:0][Digit-1:0] a_o  // register a, 2 cycles after its microinstruction
);

  typedef logic [Registers-1:0] choice_t;  // a bit for each register

  function automatic choice_t only(logic [AddressBits-1:0] address);
    return choice_t'(1) << address;
  endfunction

  // The digit of the one that is chosen, in a tree.
  function automatic logic [Digit-1:0] chosen(logic [Registers-1:0][Digit-1:0] digits,
                                              choice_t choice);
    logic [Registers-1:0][Digit-1:0] left;
    for (int unsigned i = 0; i < Registers; i++) left[i] = digits[i] & {Digit{choice[i]}};
    for (int unsigned step = 1; step < Registers; step *= 2) begin
      for (int unsigned i = 0; i + step < Registers; i += 2 * step) left[i] |= left[i+step];
    end
    return left[0];
  endfunction

  // By column: what is read and written in it.
  logic [Columns:0][AddressBits-1:0] read_a_q, read_b_q, write_to_q;
  logic [Columns:0] write_q;
  skew_source_e [Columns:0] source_q;
  logic [Columns:0][Digit-1:0] a_q, b_q, product, sum, sum_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) write_q <= '0;
    else write_q <= {write_q[Columns-1:0], write_i};
  end

  always_ff @(posedge clk_i) begin
    read_a_q   <= {read_a_q[Columns-1:0], a_i};
    read_b_q   <= {read_b_q[Columns-1:0], b_i};
    write_to_q <= {write_to_q[Columns-1:0], c_i};
    source_q   <= {source_q[Columns-1:0], source_i};
  end

  for (genvar j = 0; j <= Columns; j++) begin : gen_column
    localparam logic [Digit-1:0] Used = '1 >> (j == Columns ? Spare : 0);
    logic [Registers-1:0][Digit-1:0] registers;
    logic [Digit-1:0] result, written;
    choice_t write;

    assign write = write_q[j] ? only(write_to_q[j]) : '0;

    always_comb begin
      unique case (source_q[j])
        SkewProduct: result = product[j];
        SkewOutside: result = outside_i[j];
        default: result = sum_q[j];
      endcase
    end
    assign written = result & Used;

    always_ff @(posedge clk_i) assert (!write_q[j] || written == result);

    for (genvar i = 0; i < int'(Registers); i++) begin : gen_register
      if (i == One) begin : gen_one
        logic unused;
        assign registers[i] = Digit'(j == 0);
        assign unused = write[i];
      end else if (!Stored[i] || (i == Short && j != 0)) begin : gen_none
        logic unused;
        assign registers[i] = '0;
        assign unused = write[i];
      end else begin : gen_stored
        logic [Digit-1:0] register_q;
        always_ff @(posedge clk_i) if (write[i]) register_q <= written;
        assign registers[i] = register_q;
      end
    end

    always_ff @(posedge clk_i) begin
      a_q[j] <= chosen(registers, only(read_a_q[j]));
      b_q[j] <= chosen(registers, only(read_b_q[j]));
    end
  end

  assign a_o = a_q;

  // With what column 0 reads, and with its operands.
  typedef struct packed {
    logic multiply, add, sub;
    logic [1:0] shift;
    logic [2:0] scale;
  } operation_t;

  operation_t soon_q, now_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      soon_q <= '0;
      now_q  <= '0;
    end else begin
      soon_q <= '{multiply: multiply_i, add: add_i, sub: sub_i, shift: shift_i, scale: scale_i};
      now_q  <= soon_q;
    end
  end

  logic product_ready, product_valid, sum_ready, sum_soon, sum_valid;

  pm_mont_skew #(
      .Digit  (Digit),
      .Columns(Columns),
      .Tile   (Tile),
      .Named  (Named),
      .NamedPeriod(NamedPeriod),
      .Spare(Spare)
  ) u_products (
      .clk_i,
      .rst_ni,
      .p_i    ((Most * Digit)'(p_i)),
      .digits_i,
      .wide_i (1'b0),
      .named_i,
      .valid_i(now_q.multiply),
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
      .valid_i(now_q.add),
      .ready_o(sum_ready),
      .sub_i  (now_q.sub),
      .shift_i(now_q.shift),
      .scale_i(now_q.scale),
      .x_i    (a_q),
      .y_i    (b_q),
      .valid_o(sum_soon),
      .r_o    (sum)
  );

  always_ff @(posedge clk_i) sum_q <= sum;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sum_valid <= 1'b0;
    else begin
      sum_valid <= sum_soon;
      assert (!now_q.multiply || product_ready);
      assert (!now_q.add || sum_ready);
      assert (!product_valid || (write_q[0] && source_q[0] == SkewProduct));
      assert (!sum_valid || (write_q[0] && source_q[0] == SkewSum));
    end
  end

endmodule
