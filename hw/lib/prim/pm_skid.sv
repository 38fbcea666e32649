// SPDX-License-Identifier: Apache-2.0
//
// Elastic register stage of a stream: no combinational path between its two sides, apart from
// clear_i.
//
// Latency:   one cycle, if the receiver is ready; one item per cycle. With Stages = 0 wires.
// Handshake: valid/ready on both sides; ready_o does not depend on valid_i nor on ready_i. Items
//            hold until taken. clear_i drops what is inside; in its cycle nothing is taken or
//            offered.
// Reset:     asynchronous, active low: empty. Constant time.

module pm_skid #(
    parameter int unsigned Width  = 8,  // bits of an item
    parameter int unsigned Stages = 1   // 1; 0: no register at all
) (
    // Without a register nothing is there to be clocked or cleared.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic             clk_i,    // clock
    input  logic             rst_ni,   // asynchronous reset, active low
    input  logic             clear_i,  // drop what is inside
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic             valid_i,  // an item is offered
    output logic             ready_o,  // it is taken
    input  logic [Width-1:0] data_i,   // the item
    output logic             valid_o,  // an item is offered
    input  logic             ready_i,  // it is taken
    output logic [Width-1:0] data_o    // the item
);

  if (Stages > 1) begin : g_refuse_stages
    $fatal(1, "pm_skid: Stages must be 0 or 1");
  end

  if (Stages == 0) begin : g_wire
    assign ready_o = ready_i;
    assign valid_o = valid_i;
    assign data_o  = data_i;
  end else begin : g_stage
    // The spare place takes the item that comes while the receiver stands still.
    logic valid_q, spare_q;
    logic [Width-1:0] data_q, spare_data_q;

    assign ready_o = !spare_q && !clear_i;
    assign valid_o = valid_q && !clear_i;
    assign data_o  = data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) {valid_q, spare_q} <= '0;
      else if (clear_i) {valid_q, spare_q} <= '0;
      else if (!valid_q || ready_i) begin
        valid_q <= spare_q || valid_i;
        spare_q <= 1'b0;
      end else if (valid_i) spare_q <= 1'b1;
    end

    always_ff @(posedge clk_i) begin
      if (!valid_q || ready_i) data_q <= spare_q ? spare_data_q : data_i;
      if (!spare_q) spare_data_q <= data_i;
    end
  end

endmodule
