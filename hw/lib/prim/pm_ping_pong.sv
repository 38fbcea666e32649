// SPDX-License-Identifier: Apache-2.0
//
// Ping-pong buffer of a wide stream: two places, taken in turn. What loads them depends on two
// registers alone, so the handshake of neither side reaches the registers of data.
//
// Latency:   one cycle, if the receiver is ready; one item per cycle.
// Handshake: valid/ready on both sides; ready_o does not depend on valid_i nor on ready_i. Items
//            hold until taken. Two cycles after an item was taken its place holds 0, or what was on
//            data_i in between, item or not; data_o is of no use without valid_o.
// Reset:     asynchronous, active low: empty. Constant time.

module pm_ping_pong #(
    parameter int unsigned Width = 8  // bits of an item
) (
    input  logic             clk_i,    // clock
    input  logic             rst_ni,   // asynchronous reset, active low
    input  logic             valid_i,  // an item is offered
    output logic             ready_o,  // it is taken
    input  logic [Width-1:0] data_i,   // the item
    output logic             valid_o,  // an item is offered
    input  logic             ready_i,  // it is taken
    output logic [Width-1:0] data_o    // the item
);

  logic [1:0] full_q;
  logic write_q, read_q;  // the place that is written, and read, next
  logic [1:0][Width-1:0] place_q;

  assign ready_o = !full_q[write_q];
  assign valid_o = full_q[read_q];
  assign data_o  = place_q[read_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {full_q, write_q, read_q} <= '0;
    else begin
      if (valid_i && ready_o) {full_q[write_q], write_q} <= {1'b1, !write_q};
      if (valid_o && ready_i) {full_q[read_q], read_q} <= {1'b0, !read_q};
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_place
    always_ff @(posedge clk_i) begin
      if (!full_q[i]) place_q[i] <= write_q == 1'(i) ? data_i : '0;
    end
  end

endmodule
