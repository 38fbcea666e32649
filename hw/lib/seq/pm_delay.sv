// SPDX-License-Identifier: Apache-2.0
//
// Delay line: data_o is data_i of Depth cycles ago; a wire if Depth = 0.
// Reset:    asynchronous, active low: zeros.

module pm_delay #(
    parameter int unsigned Width = 1,  // bits
    parameter int unsigned Depth = 1   // cycles
) (
    // Neither is used if Depth = 0.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic             clk_i,   // clock
    input  logic             rst_ni,  // asynchronous reset, active low
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [Width-1:0] data_i,  // what is to be delayed
    output logic [Width-1:0] data_o   // what was given Depth cycles ago
);

  if (Depth == 0) begin : g_wire
    assign data_o = data_i;
  end else begin : g_line
    logic [Depth-1:0][Width-1:0] line_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) line_q <= '0;
      else line_q <= (Depth * Width)'({line_q, data_i});
    end

    assign data_o = line_q[Depth-1];
  end

endmodule
