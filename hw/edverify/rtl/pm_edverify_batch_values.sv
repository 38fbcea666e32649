// SPDX-License-Identifier: Apache-2.0
//
// Tables of the batches under way, and what the sums read of them: Y+X, Y-X, 2dT and 2Z of the
// multiples 1, 3, 5, 7 of A and of R of every signature. Z of the first multiple is 1; its 2Z is
// neither written nor read. Of a negative digit Y+X and Y-X change places. A memory of 258 bits,
// one value each: sums and differences are kept as they come, unreduced.
//
// Latency:  hit_o and value_o: ExtLatency cycles after point_i and select_i, as
//           pm_edverify_digit_values. A value written in a cycle is read by the addresses of later
//           ones.
// Reset:    none that matters: values are read only after they were written.
// Constant time: NO: public points only.

module pm_edverify_batch_values
  import pm_edverify_bulk_ucode_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Slots = 10,  // batches, at least 2
    parameter int unsigned Members = 64,  // signatures of a batch, a power of two, at least 2
    parameter int unsigned ExtLatency = 1,  // at least 1
    localparam int unsigned PlaceBits = $clog2(Slots) + $clog2(Members)
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic we_i,  // write a value
    input logic [PlaceBits-1:0] wplace_i,  // of this signature
    input logic [4:0] wunit_i,  // {coordinate, entry}: the unit's number, without its base
    input logic [257:0] wdata_i,  // the value
    input logic sum_i,  // the word is of the sum of a batch
    input logic [PlaceBits-1:0] place_i,  // signature of its present digit
    /* verilator lint_off UNUSEDSIGNAL */
    input list_point_t point_i,  // its present digit
    /* verilator lint_on UNUSEDSIGNAL */
    input logic [3:0] select_i,  // external value that it asks for
    output logic hit_o,  // that is a value of a table
    output logic [257:0] value_o  // the value
);

  localparam int unsigned Values = Slots * Members * 32;
  localparam int unsigned AddrBits = $clog2(Values);

  logic [257:0] values_q[Values];
  logic [257:0] data_q;
  // Numbered as the units that store them.
  typedef enum logic [1:0] {
    CoordYp,
    CoordYm,
    CoordT2d,
    CoordZ2
  } coord_e;

  coord_e coordinate;
  logic   hit;

  always_comb begin
    unique case (ext_e'(select_i))
      ExtGYp:  coordinate = point_i.neg ? CoordYm : CoordYp;
      ExtGYm:  coordinate = point_i.neg ? CoordYp : CoordYm;
      ExtGT2d: coordinate = CoordT2d;
      default: coordinate = CoordZ2;
    endcase
  end

  assign hit = sum_i && (point_i.kind == ListA || point_i.kind == ListR) &&
      ext_e'(select_i) inside {ExtGYp, ExtGYm, ExtGT2d, ExtGZ2};

  always_ff @(posedge clk_i) begin
    if (we_i) values_q[AddrBits'({wplace_i, wunit_i})] <= wdata_i;
    data_q <= values_q[AddrBits'({place_i, coordinate, point_i.kind==ListR, point_i.idx[1:0]})];
  end

  pm_delay #(
      .Width(1),
      .Depth(ExtLatency)
  ) u_hit (
      .clk_i,
      .rst_ni,
      .data_i(hit),
      .data_o(hit_o)
  );

  pm_delay #(
      .Width(258),
      .Depth(ExtLatency - 1)
  ) u_value (
      .clk_i,
      .rst_ni,
      .data_i(data_q),
      .data_o(value_o)
  );

endmodule
