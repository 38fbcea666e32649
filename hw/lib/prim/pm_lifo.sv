// SPDX-License-Identifier: Apache-2.0
//
// Stack with its newest entry in a register.
//
// top_o and empty_o come from registers and describe the stack as it is before this cycle's push or
// pop. push_i with pop_i replaces the top. A push to a full stack and a pop of an empty one are
// ignored. clear_i empties the stack and wins over push and pop.
//
// Latency 1 cycle, interval 1. Reset: empty; the entries themselves are not reset.
// Constant time: yes. Source: original.

module pm_lifo #(
    parameter int unsigned Width = 8,  // bits of an entry
    parameter int unsigned Depth = 16  // number of entries, at least 2
) (
    input  logic             clk_i,
    input  logic             rst_ni,
    input  logic             clear_i,  // empty the stack
    input  logic             push_i,   // put data_i on top
    input  logic [Width-1:0] data_i,   // entry to push
    input  logic             pop_i,    // drop the top
    output logic [Width-1:0] top_o,    // newest entry; meaningless while empty_o
    output logic             empty_o,  // no entry
    output logic             full_o    // Depth entries
);

  if (Depth < 2 || Width < 1) begin : gen_check
    $fatal(1, "pm_lifo: Width must be at least 1 and Depth at least 2.");
  end

  localparam int unsigned CountWidth = $clog2(Depth + 1);
  localparam int unsigned AddrWidth = (Depth > 2) ? $clog2(Depth - 1) : 1;

  // mem_q holds what lies under the top: entry i of the stack, counted from the bottom, is
  // mem_q[i].
  logic [Width-1:0] mem_q[Depth-1];
  logic [Width-1:0] top_q;
  logic [CountWidth-1:0] count_q;
  logic do_push, do_pop;

  assign empty_o = count_q == '0;
  assign full_o  = count_q == CountWidth'(Depth);
  assign top_o   = top_q;
  assign do_pop  = pop_i && !empty_o;
  assign do_push = push_i && (!full_o || do_pop);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
    end else if (clear_i) begin
      count_q <= '0;
    end else if (do_push && !do_pop) begin
      count_q <= count_q + CountWidth'(1);
    end else if (do_pop && !do_push) begin
      count_q <= count_q - CountWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (do_push) begin
      top_q <= data_i;
    end else if (do_pop && count_q > CountWidth'(1)) begin
      top_q <= mem_q[AddrWidth'(count_q-CountWidth'(2))];
    end
    if (do_push && !do_pop && !empty_o) mem_q[AddrWidth'(count_q-CountWidth'(1))] <= top_q;
  end

endmodule
