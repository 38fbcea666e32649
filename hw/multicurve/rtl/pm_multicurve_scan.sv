// SPDX-License-Identifier: Apache-2.0
//
// Scans of scalars of `multicurve`: signed digits of a public scalar, with or without a table of
// multiples, bits of a secret one, and columns of a fixed-base comb.
//
// Computes: where a dispatch goes, by the next digit of the selected scalar; the index of the
//           present bit, or the flag that the unit `pick` took instead; the entry of the table
//           that a digit or column asks for (x_o, y_o); the cycles of the latest loop.
// Machines: without a table the digits are those of the non-adjacent form of pm_digit_walk; with
//           one they are those of pm_multicurve_windows, which also keeps the table.
// Handshake: load_i (pulse) begins with the selected scalar; a dispatch or unit steps on. Words
//           that read x_o or y_o wait while hold_o is 1.
// Timing:   outputs follow a step or unit in the next cycle, x_o and y_o in the third
//           (pm_multicurve_table).
// Reset:    asynchronous, active low: no loop, no multiples. clear_i forgets scalars and entries.
// Constant time: bits and columns YES; digits NO, the sequencer rejects a dispatch on a secret job.
module pm_multicurve_scan
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_machines_pkg::*;
  import pm_multicurve_types_pkg::*;
  import pm_scalar_pkg::*;
#(
    parameter machine_t Machine = machine_of(MachineFast),  // whose units there are
    localparam int unsigned Width = 544
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: a job begins
    input logic clear_i,  // pulse: abandon
    input logic load_i,  // pulse: begin with the selected scalar
    input logic unit_start_i,  // pulse: start unit unit_i
    input logic [ArgBits-1:0] unit_i,  // side unit
    input logic [Width-1:0] operand_i,  // its operand
    input logic dispatch_i,  // pulse: a dispatch is carried out
    input logic [3:0] ext_i,  // external value of the word that wants to be issued
    input logic zero_i,  // the latest zero flag
    // scalars
    input logic secret_i,  // they are secret
    input logic two_i,  // there are two products, whose sum is formed
    input logic second_i,  // the second point is selected
    input logic [Width-1:0] first_scalar_i,  // scalars of both points
    input logic [Width-1:0] second_scalar_i,
    input logic [Width-1:0] scalar_i,  // that of the selected point
    input logic [9:0] bits_i,  // bits of it that are scanned
    // curve
    input logic base_i,  // the first point is the base point
    input logic loading_i,  // the job loads a curve
    input logic forget_i,  // pulse: the multiples of the base point are not right any more
    input logic [Width-1:0] p_i,  // modulus
    input logic wide_i,  // it has more than 272 bits
    input logic order_known_i,  // there is an order of the base point
    input logic [9:0] order_bits_i,  // bits of it
    input logic a_zero_i,  // coefficient a is 0
    input logic a_minus3_i,  // it is -3
    // what comes of it
    output logic [ArgBits-1:0] address_o,  // where a dispatch goes
    output logic index_o,  // which of two registers a word takes
    output logic hold_o,  // the word has to wait
    output scan_t state_o,  // what programs ask for
    output logic [Width-1:0] x_o,  // entry that was taken last
    output logic [Width-1:0] y_o,
    output logic [31:0] loop_o  // cycles of the latest loop
);

  logic step_bit, restart, empty, walk_index, picked_q, pick_q, scanned, first_of_two;
  digit_op_e digit_op;
  logic unused_begun;

  assign step_bit = unit_start_i && unit_i == UnitDigit;
  assign restart = unit_start_i && unit_i == UnitRestart;
  assign first_of_two = two_i && !second_i;

  pm_digit_walk #(
      .Width(Width)
  ) u_walk (
      .clk_i,
      .clear_i,
      .load_i,
      .join_i(second_i),
      .scalar_i,
      .count_i(bits_i),
      .too_long_o(state_o.too_long),
      .op_o(digit_op),
      .empty_o(empty),
      .step_i(dispatch_i),
      .restart_i(restart),
      .next_i(step_bit),
      .index_o(walk_index),
      .more_o(state_o.more_bits),
      .begun_o(unused_begun)
  );

  // ---- index ------------------------------------------------------------------------------------
  // A program may choose registers by a flag instead of a bit.

  always_ff @(posedge clk_i) begin
    if (start_i || restart || step_bit) picked_q <= 1'b0;
    else if (unit_start_i && unit_i == UnitPick) picked_q <= 1'b1;
    if (unit_start_i && unit_i == UnitPick) pick_q <= zero_i;
  end

  assign index_o = picked_q ? pick_q : walk_index;

  // ---- digits -----------------------------------------------------------------------------------

  if (Machine.table_units) begin : g_windows
    pm_multicurve_windows #(
        .Machine(Machine)
    ) u_windows (
        .clk_i,
        .rst_ni,
        .start_i,
        .load_i      (load_i && !secret_i),           // the walk never gets a secret scalar
        .clear_i,
        .unit_start_i,
        .unit_i,
        .operand_i,
        .dispatch_i,
        .ext_i,
        .scalar0_i   (first_scalar_i),
        .scalar1_i   (two_i ? second_scalar_i : '0),
        .second_i,
        .base_i,
        .secret_i,
        .loading_i,
        .forget_i,
        .p_i,
        .wide_i,
        .order_known_i,
        .order_bits_i,
        .a_zero_i,
        .a_minus3_i,
        .address_o,
        .ready_o     (state_o.walk_ready),
        .done_o      (scanned),
        .hold_o,
        .table_last_o(state_o.table_last),
        .table_done_o(state_o.table_done),
        .base_kept_o (state_o.base_kept),
        .comb_fits_o (state_o.comb_fits),
        .x_o,
        .y_o
    );

    logic unused_digits;
    assign unused_digits = ^{digit_op, empty, first_of_two};
  end else begin : g_digits
    localparam walk_t At = Machine.at;
    kinds_t at;

    always_comb begin
      unique case (digit_op)
        DigitZero: at = At.walk_double;
        DigitPlus: at = At.walk_add;
        DigitMinus: at = At.walk_sub;
        DigitSet: at = At.walk_set;
        DigitSetMinus: at = At.walk_set_minus;
        DigitLast: at = At.walk_last;
        default: at = first_of_two ? At.walk_next : empty ? At.walk_nothing : At.walk_end;
      endcase
    end

    assign address_o = of_kind(at, a_minus3_i, a_zero_i);
    assign scanned = digit_op == DigitDone && !first_of_two;
    assign hold_o = 1'b0;
    assign {state_o.walk_ready, state_o.table_last, state_o.table_done, state_o.base_kept,
            state_o.comb_fits} = '0;
    assign {x_o, y_o} = '0;

    logic unused_table;
    assign unused_table = ^{operand_i, ext_i, secret_i, first_scalar_i, second_scalar_i, base_i,
                            loading_i, forget_i, p_i, wide_i, order_known_i, order_bits_i};
  end

  // ---- cycles -----------------------------------------------------------------------------------

  pm_multicurve_loop_counter u_loop (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .restart_i(restart),
      .step_digit_i(dispatch_i),
      .walk_done_i(scanned),
      .step_bit_i(step_bit),
      .more_bits_i(state_o.more_bits),
      .step_column_i(Machine.comb_units && secret_i && unit_start_i && unit_i == UnitTakeBelow),
      .last_column_i(state_o.table_last),
      .cycles_o(loop_o)
  );

endmodule
