// SPDX-License-Identifier: Apache-2.0
//
// Counts events, modulo 2^Width. The count is divided into parts: the carry out of the lowest one
// passes the parts that are all ones at once (carry skip), so that the path is that of one part.
//
// Timing:   an event in cycle c shows in count_o in cycle c + 1. An event in the cycle of clear_i
//           is the first of the new count.
// Reset:    asynchronous, active low: 0.
module pm_event_counter #(
    parameter int unsigned Width  = 32,  // bits of the count, at least 1
    parameter int unsigned Events = 1    // kinds of events counted together, 1 to 255
) (
    input  logic              clk_i,    // clock
    input  logic              rst_ni,   // asynchronous reset, active low
    input  logic              clear_i,  // start again
    input  logic [Events-1:0] event_i,  // events of this cycle, each counts
    output logic [ Width-1:0] count_o   // events
);

  localparam int unsigned Part = 8;  // bits
  localparam int unsigned Low = Width < Part ? Width : Part;

  logic [Part:0] events, low;
  logic [Width-1:0] next;

  // Without Part bits in the count, nothing takes the carry.
  assign events = (Part + 1)'($countones(event_i));
  assign low = (Part + 1)'(count_o[Low-1:0]) + events;
  // Many bits read clear_i: it comes last.
  assign next[Low-1:0] = clear_i ? events[Low-1:0] : low[Low-1:0];

  for (genvar from = Part; from < Width; from += Part) begin : gen_part
    localparam int unsigned Bits = Width - from < Part ? Width - from : Part;

    logic [Bits-1:0] more;
    logic carry;

    assign more = count_o[from+:Bits] + 1'b1;
    if (from == Part) begin : gen_first
      assign carry = low[Part];
    end else begin : gen_skip
      assign carry = low[Part] && &count_o[from-1:Part];
    end
    assign next[from+:Bits] = clear_i ? '0 : carry ? more : count_o[from+:Bits];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) count_o <= '0;
    else count_o <= next;
  end

endmodule
