// SPDX-License-Identifier: Apache-2.0
//
// Claim: pm_lifo is a stack. Its outputs are those of an array with a counter for every sequence of
// inputs and resets: nothing is lost, doubled or reordered, a push to a full stack and a pop of an
// empty one change nothing, push with pop replaces the top, clear_i wins.

module pm_lifo_formal #(
    parameter int unsigned Width = 8,
    parameter int unsigned Depth = 5,
    localparam int unsigned CountWidth = $clog2(Depth + 1)
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             clear_i,
    input logic             push_i,
    input logic [Width-1:0] data_i,
    input logic             pop_i
);

  logic empty, full;
  logic [Width-1:0] top;

  pm_lifo #(
      .Width(Width),
      .Depth(Depth)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_i,
      .data_i,
      .pop_i,
      .top_o  (top),
      .empty_o(empty),
      .full_o (full)
  );

  // The stack: count_q entries, entry 0 the oldest.
  logic [Depth-1:0][Width-1:0] stack_q, stack_d;
  logic [CountWidth-1:0] count_q, count_d;

  always_comb begin
    stack_d = stack_q;
    count_d = count_q;
    if (pop_i && count_d != '0) count_d = count_d - 1'b1;
    if (push_i && count_d != CountWidth'(Depth)) begin
      stack_d[count_d] = data_i;
      count_d = count_d + 1'b1;
    end
    if (clear_i) count_d = '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_q <= '0;
    else count_q <= count_d;
  end

  always_ff @(posedge clk_i) stack_q <= stack_d;

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    i_count : assert (count_q <= CountWidth'(Depth) && count_q == u_dut.count_q);
    p_empty : assert (empty == (count_q == '0));
    p_full : assert (full == (count_q == CountWidth'(Depth)));
    if (!empty) begin
      p_top : assert (top == stack_q[CountWidth'(count_q-1'b1)]);
    end
  end

  // What lies under the top, for the induction step.
  for (genvar i = 0; i + 1 < Depth; i++) begin : gen_entry
    always_comb begin
      if (i + 1 < 32'(count_q)) begin
        i_memory : assert (u_dut.mem_q[i] == stack_q[i]);
      end
    end
  end

endmodule
