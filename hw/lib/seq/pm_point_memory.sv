// SPDX-License-Identifier: Apache-2.0
//
// Memory of table points for block RAM: entries of several coordinates, which a program writes one
// at a time, as they are made, and reads all at once.
//
// Latency:  a coordinate written in cycle c is read by addresses of cycle c + 1 on; the entry is
//           there a cycle after its address. A write and a read in every cycle.
// Reset:    none; the content is undefined until written.
// Constant time: YES.

module pm_point_memory #(
    parameter int unsigned Coordinates = 3,  // values of an entry, 1 to 4
    parameter int unsigned AddrBits = 9,  // 2^AddrBits entries
    parameter int unsigned Width = 255,  // bits of a coordinate
    localparam int unsigned CoordBits = Coordinates > 1 ? $clog2(Coordinates) : 1
) (
    input  logic                              clk_i,     // clock
    input  logic                              we_i,      // write
    input  logic [  CoordBits-1:0]            wcoord_i,  // this coordinate
    input  logic [   AddrBits-1:0]            waddr_i,   // of this entry
    input  logic [      Width-1:0]            wdata_i,   // its new value
    input  logic [   AddrBits-1:0]            raddr_i,   // entry to read
    output logic [Coordinates-1:0][Width-1:0] rdata_o    // its coordinates
);

  if (Coordinates < 1 || Coordinates > 4) begin : g_refuse_coordinates
    $fatal(1, "pm_point_memory: Coordinates must be 1 to 4");
  end

  for (genvar c = 0; c < int'(Coordinates); c++) begin : g_coordinate
    pm_regbank #(
        .Width(Width),
        .AddrBits(AddrBits),
        .NumReads(1),
        .ReadReg(1)
    ) u_values (
        .clk_i,
        .we_i(we_i && wcoord_i == CoordBits'(c)),
        .waddr_i,
        .wdata_i,
        .raddr_i,
        .rdata_o(rdata_o[c])
    );
  end

endmodule
