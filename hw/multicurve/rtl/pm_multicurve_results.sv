// SPDX-License-Identifier: Apache-2.0
//
// Results of a job of `multicurve`, and the flags that its program remembers.
//
// Computes: results_o, the operands of the latest units `result_x` and `result_y`; whether the
//           result is infinity; whether the job's point, or the result, is on the curve
//           (`note_point`); whether a zero was remembered (`note_zero`).
// Timing:   an output follows its unit in the next cycle, and holds until the next start_i.
// Reset:    none; start_i (a job begins) sets all to 0. wipe_i sets the results to 0.
// Constant time: yes.
module pm_multicurve_results
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_pkg::*;
(
    input  logic                                  clk_i,         // clock
    input  logic                                  start_i,       // pulse: a job begins
    input  logic                                  wipe_i,        // pulse: clear the results
    input  logic                                  unit_start_i,  // pulse: start unit unit_i
    input  logic [   ArgBits-1:0]                 unit_i,        // side unit
    input  logic [NumberBits-1:0]                 operand_i,     // its operand
    input  logic                                  zero_i,        // the latest zero flag
    output logic [MaxPayload-1:0][NumberBits-1:0] results_o,     // results
    output logic                                  infinity_o,    // the point at infinity
    output logic                                  all_zero_o,    // the first result is 0
    output logic                                  on_curve_o,    // a point is on the curve
    output logic                                  zero_noted_o   // a zero was remembered
);

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      on_curve_o   <= 1'b0;
      zero_noted_o <= 1'b0;
      infinity_o   <= 1'b0;
    end else if (unit_start_i) begin
      unique case (unit_i)
        UnitNotePoint: on_curve_o <= zero_i;
        UnitNoteZero: zero_noted_o <= zero_noted_o || zero_i;
        UnitInfinity: infinity_o <= 1'b1;
        UnitNoteInfinity: infinity_o <= zero_i;
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i || wipe_i) results_o <= '0;
    else if (unit_start_i && unit_i == UnitResultX) results_o[0] <= operand_i;
    else if (unit_start_i && unit_i == UnitResultY) results_o[1] <= operand_i;
  end

  assign all_zero_o = results_o[0] == '0;

endmodule
