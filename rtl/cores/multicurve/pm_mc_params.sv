// SPDX-License-Identifier: Apache-2.0
//
// Parameters of `multicurve`: three moduli with what Montgomery multiplication needs of them, and the curve.
//
// The first set is the field of the curve, with as many digits as its modulus has, or twice as many as its name has
// digits of 64 bits. The second one is the order
// of the base point, with the digits of the longer of both, so that what is below the field's R is a legal first
// factor. The third one serves modular arithmetic of any modulus: it always works with 17 digits, R = 2^544, so
// that every number of 544 bits is one. The unit `modulus` takes modulus, order and base point from the job, and
// starts pm_mont_setup, from which -1/p mod 2^32, bits and digits come, `order` starts it for the order; the
// other parameters are written by side units with an operand, those of a modulus into the selected set.
// An order that is even or 1 serves no operation: it is as if there were none, but for `setup_error_o`.
// Timing:   a parameter is there, and another set selected, in the cycle after its unit was started;
//           setup_done_o 36 cycles after that of a modulus.
// Reset:    asynchronous, active low: no curve. start_i (a job begins) selects the field.
// Constant time: yes.
module pm_mc_params
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_ucode_pkg::*;
  import pm_named_prime_pkg::*;
#(
    parameter bit Named = 1'b0,  // fields with the primes of pm_named_prime_pkg have the R of their name
    localparam int unsigned Width = 544,
    localparam int unsigned MaxDigits = Width / 32
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: a job begins
    input logic unit_start_i,  // pulse: start unit unit_i
    input logic [ArgBits-1:0] unit_i,  // side unit
    input logic [Width-1:0] operand_i,  // its operand
    input logic [Width-1:0] new_p_i,  // modulus of the job
    input logic [Width-1:0] new_a_i,  // coefficient a of the job
    input logic [Width-1:0] new_gx_i,  // base point of the job
    input logic [Width-1:0] new_gy_i,
    input logic [Width-1:0] new_n_i,  // order of the base point, 0 if it is unknown
    input logic no_base_i,  // the job has no base point
    input logic other_i,  // the job's modulus is that of modular arithmetic
    input logic zero_i,  // the latest zero flag
    output logic [Width-1:0] p_o,  // of the selected set: modulus
    output logic [31:0] pinv_o,  // -1/p mod 2^32
    output logic [4:0] digits_o,  // digits of R
    output logic wide_o,  // p has more than 272 bits
    output named_e named_o,  // name of p, if it is that of the field and Named
    output logic [Width-1:0] one_o,  // R mod p
    output logic [Width-1:0] r2_o,  // R^2 mod p
    output logic [9:0] bits_o,  // bits of p
    output logic other_o,  // the selected set is that of modular arithmetic
    output logic setup_done_o,  // they are there, all but R and R^2
    output logic setup_error_o,  // p of the selected set is even or below 3; an order of 0 is none
    output logic [9:0] field_bits_o,  // bits of the field's modulus
    output logic [9:0] order_bits_o,  // bits of the order
    output logic order_known_o,  // there is one, odd and above 1
    output logic [Width-1:0] a_o,  // coefficients
    output logic [Width-1:0] b_o,
    output logic [Width-1:0] gx_o,  // base point, as received
    output logic [Width-1:0] gy_o,
    output logic a_zero_o,  // a is 0
    output logic a_minus3_o,  // a is -3
    output logic a_121666_o,  // a was received as 121666, that of Curve25519
    output logic a_39082_o,  // a was received as 39082, that of Curve448
    output logic valid_o  // the curve is complete
);

  typedef struct packed {
    logic [Width-1:0] p;
    logic [Width-1:0] one;
    logic [Width-1:0] r2;
    logic [31:0] pinv;
    logic [9:0] bits;
    logic [4:0] digits;
    logic wide;
    logic error;  // it is even or below 3
  } modulus_t;

  typedef enum logic [1:0] {
    SetField,  // of the curve
    SetOrder,  // of the base point
    SetOther   // of modular arithmetic
  } set_e;

  modulus_t set_q[3];
  set_e select_q;
  named_e named, named_q;  // of the field's modulus
  logic [4:0] named_digits, order_digits;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [4:0] named_cycles;  // programs need not know
  /* verilator lint_on UNUSEDSIGNAL */
  logic setup_start_q, setup_live_q, setup_done_q, order_given_q;
  logic new_curve, new_other, new_order, setup_new, setup_end;
  logic setup_ready, setup_valid, setup_wide, setup_error;
  logic [ 9:0] setup_bits;
  logic [ 4:0] setup_digits;
  logic [31:0] setup_pinv;

  assign new_curve = unit_start_i && unit_i == UnitModulus && !other_i;
  assign new_other = unit_start_i && unit_i == UnitModulus && other_i;
  assign new_order = unit_start_i && unit_i == UnitOrder;

  pm_mont_setup u_setup (
      .clk_i,
      .rst_ni,
      .valid_i (setup_start_q),
      .ready_o (setup_ready),
      .p_i     (set_q[select_q].p),
      .valid_o (setup_valid),
      .ready_i (1'b1),
      .bits_o  (setup_bits),
      .digits_o(setup_digits),
      .wide_o  (setup_wide),
      .pinv_o  (setup_pinv),
      .error_o (setup_error)
  );

  if (Named) begin : g_named
    pm_named_prime u_named (
        .p_i(set_q[SetField].p),
        .named_o(named),
        .digits_o(named_digits),
        .cycles_o(named_cycles)
    );
  end else begin : g_no_names
    assign named = NamedNone;
    assign named_digits = '0;
    assign named_cycles = '0;
  end

  // What is below the field's R is below 2^544 too, since registers have no more bits.
  assign order_digits = set_q[SetField].digits > 5'(MaxDigits) ? 5'(MaxDigits) : set_q[SetField].digits;
  assign setup_new = new_curve || new_other || new_order;
  assign setup_end = setup_valid && setup_live_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      select_q <= SetField;
      setup_start_q <= 1'b0;
      setup_live_q <= 1'b0;
      setup_done_q <= 1'b0;
      valid_o <= 1'b0;
    end else begin
      if (start_i || (unit_start_i && unit_i == UnitUseField)) select_q <= SetField;
      else if (new_order || (unit_start_i && unit_i == UnitUseOrder)) select_q <= SetOrder;
      else if (new_other) select_q <= SetOther;
      // A job that was abandoned may have left the unit at work.
      setup_start_q <= !start_i && (setup_new || (setup_start_q && !setup_ready));
      setup_live_q  <= !start_i && !setup_end && (setup_live_q || (setup_start_q && setup_ready));
      if (setup_new) setup_done_q <= 1'b0;
      else if (setup_end) setup_done_q <= 1'b1;
      if (new_curve) valid_o <= 1'b0;
      else if (unit_start_i && unit_i == UnitMarkValid) valid_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (new_other) set_q[SetOther].p <= new_p_i;
    if (setup_end) begin
      set_q[select_q].pinv  <= setup_pinv;
      set_q[select_q].bits  <= setup_bits;
      set_q[select_q].wide  <= setup_wide;
      set_q[select_q].error <= setup_error;
      unique case (select_q)
        SetField: begin
          named_q <= named;
          set_q[SetField].digits <= named != NamedNone ? 5'(named_digits << 1) : setup_digits;
        end
        SetOrder:
        set_q[SetOrder].digits <= setup_digits > order_digits ? setup_digits : order_digits;
        default: set_q[SetOther].digits <= 5'(MaxDigits);
      endcase
    end
    if (new_curve) begin
      set_q[SetField].p <= new_p_i;
      set_q[SetOrder].p <= new_n_i;
      set_q[SetOrder].error <= 1'b0;
      order_given_q <= new_n_i != '0;
      gx_o <= no_base_i ? '1 : new_gx_i;  // not below p: refused wherever it is used
      gy_o <= new_gy_i;
      a_zero_o <= 1'b0;
      a_minus3_o <= 1'b0;
      a_121666_o <= new_a_i == Width'(121_666);
      a_39082_o <= new_a_i == Width'(39_082);
    end
    if (unit_start_i) begin
      unique case (unit_i)
        UnitPutOne: set_q[select_q].one <= operand_i;
        UnitPutR2: set_q[select_q].r2 <= operand_i;
        UnitPutA: a_o <= operand_i;
        UnitPutB: b_o <= operand_i;
        UnitKindZero: a_zero_o <= zero_i;
        UnitKindMinus3: a_minus3_o <= zero_i;
        default: ;
      endcase
    end
  end

  assign p_o = set_q[select_q].p;
  assign pinv_o = set_q[select_q].pinv;
  assign digits_o = set_q[select_q].digits;
  assign wide_o = set_q[select_q].wide;
  assign named_o = select_q == SetField ? named_q : NamedNone;
  assign one_o = set_q[select_q].one;
  assign r2_o = set_q[select_q].r2;
  assign bits_o = set_q[select_q].bits;
  assign other_o = select_q == SetOther;
  assign field_bits_o = set_q[SetField].bits;
  assign order_bits_o = set_q[SetOrder].bits;
  assign setup_done_o = setup_done_q;
  assign setup_error_o = set_q[select_q].error;
  assign order_known_o = order_given_q && !set_q[SetOrder].error;

endmodule
