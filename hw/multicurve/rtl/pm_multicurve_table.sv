// SPDX-License-Identifier: Apache-2.0
//
// Table of points of `multicurve`: a memory of pairs (x, y), one of which is taken at a time, y
// negated if wanted.
//
// Timing:   x_o and y_o are those of the pair taken three cycles after take_i, when ready_o comes
//           back, and hold. A pair is written in the cycle of its write enables, x and y without a
//           command, and can be taken in it.
// Ranges:   numbers in [0, p); p_i has to hold while a pair is taken.
// Reset:    asynchronous, active low: ready. The memory is not reset; one write and one read port,
//           the read one registered, so that it can be block RAM.
// Constant time: yes; the address may depend on a secret, as every place of the memory is read in
//           the same time. wipe_i forgets what was taken last and from where.
module pm_multicurve_table #(
    parameter int unsigned Width = 544,  // bits of a number
    parameter int unsigned AddrBits = 7  // 2^AddrBits pairs
) (
    input  logic                clk_i,       // clock
    input  logic                rst_ni,      // asynchronous reset, active low
    input  logic                wipe_i,      // pulse: forget what was taken
    input  logic [   Width-1:0] p_i,         // modulus
    input  logic                write_x_i,   // write x of the pair at at_i
    input  logic                write_y_i,   // write y
    input  logic [AddrBits-1:0] at_i,        // where
    input  logic [   Width-1:0] data_i,      // what
    input  logic                take_i,      // pulse: take the pair at from_i
    input  logic [AddrBits-1:0] from_i,      // which
    input  logic                negative_i,  // its negative
    output logic                ready_o,     // the pair taken last is there
    output logic [   Width-1:0] x_o,         // its x
    output logic [   Width-1:0] y_o          // y or -y
);

  logic [Width-1:0] x_mem[1 << AddrBits];
  logic [Width-1:0] y_mem[1 << AddrBits];
  logic [Width-1:0] x_q, y_q;
  logic [AddrBits-1:0] from_q;
  logic negative_q;
  logic [1:0] under_way_q;

  always_ff @(posedge clk_i) begin
    if (write_x_i) x_mem[at_i] <= data_i;
    if (write_y_i) y_mem[at_i] <= data_i;
    x_q <= x_mem[from_q];
    y_q <= y_mem[from_q];
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      from_q <= '0;
      negative_q <= 1'b0;
      x_o <= '0;
      y_o <= '0;
    end else if (take_i) begin
      from_q <= from_i;
      negative_q <= negative_i;
    end
    if (under_way_q[1] && !wipe_i) begin
      x_o <= x_q;
      y_o <= negative_q && y_q != '0 ? p_i - y_q : y_q;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) under_way_q <= '0;
    else if (wipe_i) under_way_q <= '0;
    else under_way_q <= take_i ? 2'b01 : under_way_q << 1;
  end

  assign ready_o = under_way_q == '0;

endmodule
