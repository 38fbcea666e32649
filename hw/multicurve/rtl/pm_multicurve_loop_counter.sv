// SPDX-License-Identifier: Apache-2.0
//
// Cycles of a scalar loop of `multicurve`, for the result and the registers.
//
// Computes: cycles_o: from the first step of digits, bits or columns to the last; of two digit
//           scans, of both. A ladder that makes a product again begins anew.
// Timing:   cycles_o follows a step in the next cycle, and holds until the first step of the next
//           loop.
// Reset:    asynchronous, active low: no loop, 0. clear_i ends the loop.
// Constant time: yes, where the loop is.
module pm_multicurve_loop_counter (
    input  logic        clk_i,          // clock
    input  logic        rst_ni,         // asynchronous reset, active low
    input  logic        start_i,        // pulse: a job begins
    input  logic        clear_i,        // pulse: abandon
    input  logic        restart_i,      // pulse: a ladder begins
    input  logic        step_digit_i,   // pulse: a step of the walk
    input  logic        walk_done_i,    // the walk has ended
    input  logic        step_bit_i,     // pulse: a step of the ladder
    input  logic        more_bits_i,    // it has further bits
    input  logic        step_column_i,  // pulse: a column of the comb is taken
    input  logic        last_column_i,  // it is the last one
    output logic [31:0] cycles_o        // cycles of the latest loop
);

  logic looping_q, laddering_q;

  always_ff @(posedge clk_i) begin
    if (start_i) laddering_q <= 1'b0;
    else if (restart_i) laddering_q <= 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      looping_q <= 1'b0;
      cycles_o  <= '0;
    end else begin
      if (clear_i || restart_i) looping_q <= 1'b0;
      else if (step_digit_i) looping_q <= !walk_done_i;
      else if (step_bit_i) looping_q <= 1'b1;
      else if (step_column_i) looping_q <= !last_column_i;
      if ((step_digit_i || step_bit_i || step_column_i) && !looping_q) cycles_o <= 32'd0;
      else if (looping_q && (more_bits_i || !laddering_q)) cycles_o <= cycles_o + 32'd1;
    end
  end

endmodule
