// SPDX-License-Identifier: Apache-2.0
//
// Product of a wide number and a digit: p = a d, for one row of a digit-serial multiplier.
//
// Ranges:    any a, d; the product is exact.
// Latency:   0 (combinational). Constant time.
// Form:      Tile = 0: one product; for standard cells there is another in syn/tech/cells.
//            Tile > 0: a in pieces of Tile bits, d in halves, one DSP block for each pair (24:
//            DSP48E1, unsigned 24 x 16 of its 24 x 17). Products of every other piece do not
//            overlap, so that four numbers are added, whatever the width.

module pm_digit_mul #(
    parameter int unsigned Width = 272,  // bits of a
    parameter int unsigned Digit = 32,  // bits of d, at least 2
    parameter int unsigned Tile = 0  // bits of a in one DSP block, at least half a digit; 0: plain
) (
    input  logic [      Width-1:0] a_i,  // factors
    input  logic [      Digit-1:0] d_i,
    output logic [Width+Digit-1:0] p_o   // product
);

  localparam int unsigned Part = (Digit + 1) / 2;
  localparam int unsigned Bits = Width + Digit;

  if (Tile == 0) begin : gen_plain
    assign p_o = (Width + Digit)'(a_i) * (Width + Digit)'(d_i);
  end else if (Digit < 2 || Tile < Part) begin : gen_bad_tile
    $fatal(1, "pm_digit_mul: Digit must be at least 2 and Tile at least half of it, or 0.");
  end else begin : gen_tiles
    localparam int unsigned Pieces = (Width + Tile - 1) / Tile;
    logic [Bits-1:0] row[4];  // even and odd pieces times the halves of d

    for (genvar r = 0; r < 4; r++) begin : gen_row
      localparam int unsigned Low = (r / 2) * Part;
      localparam int unsigned High = (r / 2 == 0) ? Part : Digit;
      logic [Pieces-1:0][Bits-1:0] placed;

      for (genvar i = 0; i < Pieces; i++) begin : gen_piece
        if (i % 2 == r % 2) begin : gen_mine
          localparam int unsigned Top = ((i + 1) * Tile < Width) ? (i + 1) * Tile : Width;
          localparam int unsigned TileBits = Top - i * Tile + High - Low;
          logic [TileBits-1:0] product;
          assign product   = TileBits'(a_i[Top-1:i*Tile]) * TileBits'(d_i[High-1:Low]);
          assign placed[i] = Bits'(product) << (i * Tile + Low);
        end else begin : gen_other
          assign placed[i] = '0;
        end
      end

      always_comb begin
        row[r] = '0;
        for (int unsigned i = 0; i < Pieces; i++) row[r] |= placed[i];
      end
    end

    assign p_o = (row[0] + row[1]) + (row[2] + row[3]);
  end

endmodule
