// SPDX-License-Identifier: Apache-2.0
//
// Parameters of `multicurve`: three moduli with what Montgomery multiplication needs of them, and
// the curve.
//
// The first modulus is that of the field of the curve, with as many digits as it has, or those of
// the R of its special prime. The second one is the order of the base point, with the digits of the
// longer of both, so that what is below the field's R is a legal first factor. The third one serves
// modular arithmetic of any modulus: it always works with 17 digits, R = 2^544, so that every
// number of 544 bits is one. The unit `modulus` takes modulus, order and base point from the job,
// and starts pm_mont_setup, from which -1/p mod 2^32, bits and digits come; `order` starts it for
// the order; the other parameters are written by side units with an operand, those of a modulus
// into the selected one. An order that is even or 1 serves no operation: it is as if there were
// none, but for modulus_o.error.
// Timing:   a parameter is there, and another modulus selected, in the cycle after its unit was
//           started; setup_done_o 36 cycles after that of a modulus.
// Reset:    asynchronous, active low: no curve. start_i (a job begins) selects the field.
// Constant time: yes.
module pm_multicurve_params
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_named_prime_pkg::*;
  import pm_multicurve_pkg::*;
  import pm_multicurve_types_pkg::*;
#(
    // fields with the primes of pm_named_prime_pkg have the R of their name
    parameter bit Named = 1'b0,
    localparam int unsigned Width = NumberBits,
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
    input logic montgomery_i,  // its curve is a Montgomery curve
    input logic other_i,  // the job's modulus is that of modular arithmetic
    input logic zero_i,  // the latest zero flag
    output modulus_t modulus_o,  // selected modulus
    output named_e named_o,  // its name, if it is that of the field and Named
    output logic other_o,  // it is that of modular arithmetic
    output logic setup_done_o,  // it is there, all but R and R^2; an order of 0 is none
    output curve_t curve_o  // the curve
);

  typedef enum logic [1:0] {
    SetField,  // of the field of the curve
    SetOrder,  // order of the base point
    SetOther   // of modular arithmetic
  } select_e;

  localparam int unsigned Sets = 3;
  modulus_t set_q[Sets];  // by select_e; the modulus of modular arithmetic stays with the job
  select_e select_q;
  named_e named, named_q;  // of the field's modulus
  logic [4:0] named_digits, order_digits;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [4:0] named_cycles;  // programs need not know
  /* verilator lint_on UNUSEDSIGNAL */
  logic setup_start_q, setup_live_q, order_given_q, valid_q, montgomery_q;
  logic a_zero_q, a_minus3_q, a_121666_q, a_39082_q;
  logic [Width-1:0] a_q, b_q, gx_q, gy_q;
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
      .p_i     (modulus_o.p),
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
  assign order_digits = set_q[SetField].digits > 5'(MaxDigits) ?
      5'(MaxDigits) : set_q[SetField].digits;
  assign setup_new = new_curve || new_other || new_order;
  assign setup_end = setup_valid && setup_live_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      select_q <= SetField;
      setup_start_q <= 1'b0;
      setup_live_q <= 1'b0;
      setup_done_o <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (start_i || (unit_start_i && unit_i == UnitUseField)) select_q <= SetField;
      else if (new_order || (unit_start_i && unit_i == UnitUseOrder)) select_q <= SetOrder;
      else if (new_other) select_q <= SetOther;
      // A job that was abandoned may have left the unit at work.
      setup_start_q <= !start_i && (setup_new || (setup_start_q && !setup_ready));
      setup_live_q  <= !start_i && !setup_end && (setup_live_q || (setup_start_q && setup_ready));
      if (setup_new) setup_done_o <= 1'b0;
      else if (setup_end) setup_done_o <= 1'b1;
      if (new_curve) valid_q <= 1'b0;
      else if (unit_start_i && unit_i == UnitMarkValid) valid_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Sets; s++) begin
      if (select_q == select_e'(s)) begin
        if (setup_end) begin
          set_q[s].pinv  <= setup_pinv;
          set_q[s].bits  <= setup_bits;
          set_q[s].wide  <= setup_wide;
          set_q[s].error <= setup_error;
        end
        if (unit_start_i && unit_i == UnitPutOne) set_q[s].one <= operand_i;
        if (unit_start_i && unit_i == UnitPutR2) set_q[s].r2 <= operand_i;
      end
    end
    if (setup_end) begin
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
      gx_q <= no_base_i ? '1 : new_gx_i;  // not below p: refused wherever it is used
      gy_q <= new_gy_i;
      a_zero_q <= 1'b0;
      a_minus3_q <= 1'b0;
      a_121666_q <= new_a_i == Width'(121_666);
      a_39082_q <= new_a_i == Width'(39_082);
    end
    if (unit_start_i) begin
      unique case (unit_i)
        UnitMarkValid: montgomery_q <= montgomery_i;
        UnitPutA: a_q <= operand_i;
        UnitPutB: b_q <= operand_i;
        UnitKindZero: a_zero_q <= zero_i;
        UnitKindMinus3: a_minus3_q <= zero_i;
        default: ;
      endcase
    end
  end

  always_comb begin
    modulus_o = '0;
    for (int unsigned s = 0; s < Sets; s++)
    modulus_o |= {$bits(modulus_t) {select_q == select_e'(s)}} & set_q[s];
    if (other_o) modulus_o.p = new_p_i;
  end

  assign named_o = select_q == SetField ? named_q : NamedNone;
  assign other_o = select_q == SetOther;
  assign curve_o = '{
          form: !valid_q ? CurveNone : montgomery_q ? CurveMontgomery : CurveWeierstrass,
          a: a_q,
          b: b_q,
          gx: gx_q,
          gy: gy_q,
          field_bits: set_q[SetField].bits,
          order_bits: set_q[SetOrder].bits,
          order_known: order_given_q && !set_q[SetOrder].error,
          a_zero: a_zero_q,
          a_minus3: a_minus3_q,
          a_121666: a_121666_q,
          a_39082: a_39082_q
      };

endmodule
