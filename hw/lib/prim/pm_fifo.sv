// SPDX-License-Identifier: Apache-2.0
//
// Small synchronous FIFO with valid/ready on both sides.
//
// Latency:  an item pushed in cycle c is offered in cycle c + 1; one push and one pop per cycle.
//           ready_o does not depend on ready_i nor valid_o on valid_i, so it also cuts the timing
//           paths of a handshake (Depth >= 2 for full throughput).
// Reset:    asynchronous, active low: empty. The memory is not reset.
// Wipe:     entries that were read become 0, one in each cycle in which none is offered, the
//           oldest first; what is pushed on one replaces it.
// Read is asynchronous (distributed RAM): for a few dozen entries, not for block RAM.
module pm_fifo #(
    parameter int unsigned Width = 64,  // bits of an item, at least 1
    parameter int unsigned Depth = 4,  // items, a power of two, at least 2
    parameter bit Wipe = 1'b0,  // 1: overwrite what was read
    localparam int unsigned AddrWidth = $clog2(Depth)
) (
    input  logic               clk_i,    // clock
    input  logic               rst_ni,   // asynchronous reset, active low
    input  logic               valid_i,  // an item is offered
    output logic               ready_o,  // it is taken: the FIFO is not full
    input  logic [  Width-1:0] data_i,   // the item
    output logic               valid_o,  // the FIFO is not empty
    input  logic               ready_i,  // the oldest item is taken
    output logic [  Width-1:0] data_o,   // the oldest item
    output logic [AddrWidth:0] usage_o   // items inside
);

  if (Width < 1) begin : gen_bad_width
    $fatal(1, "pm_fifo: Width must be at least 1");
  end
  if (Depth < 2 || (Depth & (Depth - 1)) != 0) begin : gen_bad_depth
    $fatal(1, "pm_fifo: Depth must be a power of two and at least 2");
  end

  logic [Width-1:0] mem_q[Depth];
  // One bit more than the address, so that full and empty differ.
  logic [AddrWidth:0] write_q, read_q;

  assign usage_o = write_q - read_q;
  assign valid_o = write_q != read_q;
  // Full: the same address, one round apart.
  assign ready_o = write_q != {!read_q[AddrWidth], read_q[AddrWidth-1:0]};
  assign data_o  = mem_q[read_q[AddrWidth-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
    end else begin
      if (valid_i && ready_o) write_q <= write_q + 1'b1;
      if (valid_o && ready_i) read_q <= read_q + 1'b1;
    end
  end

  logic wipe;  // there is an entry that was read and still holds its item: this one
  logic [AddrWidth-1:0] wipe_at;

  if (Wipe) begin : gen_wipe
    logic [AddrWidth:0] wiped_q, wiped_d;  // up to here

    assign wipe_at = wiped_q[AddrWidth-1:0];
    // One further if its item is overwritten, by 0 or by what is pushed.
    assign wiped_d = wiped_q + (AddrWidth + 1)'(valid_i ?
        ready_o && wiped_q != read_q && wipe_at == write_q[AddrWidth-1:0] : wipe);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        wiped_q <= '0;
        wipe <= 1'b0;
      end else begin
        wiped_q <= wiped_d;
        wipe <= wiped_d != read_q;
      end
    end
  end else begin : gen_keep
    assign wipe = 1'b0;
    assign wipe_at = '0;
  end

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      if (ready_o) mem_q[write_q[AddrWidth-1:0]] <= data_i;
    end else if (wipe) mem_q[wipe_at] <= '0;
  end

endmodule
