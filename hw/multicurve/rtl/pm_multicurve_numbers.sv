// SPDX-License-Identifier: Apache-2.0
//
// Numbers of a job of `multicurve`: which of its points, scalars and other operands the program
// calls x, y and e, and which scalar is scanned.
//
// Computes: x_o and y_o, as received: the job's first point, the second one from the unit `second`
//           on, until `first`; of a signature r and s, or d and k, from `pair` on; from `result` on
//           the result so far. The first point is the base point in jobs that take it, in others
//           from `use_base` on. e_o: the number signed (pm_multicurve_signed_number), then what
//           `put_u` put there. scalar_o: the scalar of the selected point, in X25519 and X448
//           clamped.
// Handshake: job, base point and results must hold from start_i on, until the job ends.
// Timing:   a selection holds in the cycle after start_i or its unit; selected_o is 1 in that
//           cycle.
// Reset:    asynchronous, active low, of selected_o; the rest begins with start_i. wipe_i sets e
//           and the second scalar to 0.
// Constant time: yes; selection and cycles depend on operation, units, bits and the length of a
//                digest, not on numbers.
// Source:   RFC 7748, section 5 (scalars and coordinates of X25519 and X448).
module pm_multicurve_numbers
  import pm_dual_ucode_pkg::*;
  import pm_multicurve_machine_pkg::*;
  import pm_multicurve_pkg::*;
#(
    localparam int unsigned Width = NumberBits
) (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic start_i,  // pulse: a job begins
    input logic wipe_i,  // pulse: clear
    input logic unit_start_i,  // pulse: start unit unit_i
    input logic [ArgBits-1:0] unit_i,  // side unit
    input logic [Width-1:0] operand_i,  // its operand
    input logic [7:0] op_i,  // operation of the job
    input logic [7:0] option_i,  // its option
    input logic [MaxOperands-1:0][Width-1:0] operands_i,  // its operands
    input logic [MaxPayload-1:0][Width-1:0] results_i,  // its results so far
    input logic [Width-1:0] gx_i,  // base point
    input logic [Width-1:0] gy_i,
    input logic [4:0] digits_i,  // digits of R
    input logic [9:0] field_bits_i,  // bits of the field's modulus
    input logic [9:0] order_bits_i,  // bits of the order
    output logic verifying_o,  // the job verifies a signature
    output logic signing_o,  // it makes one
    output logic sm2_o,  // it is one of SM2
    output logic base_first_o,  // the first point is the base point
    output logic two_o,  // there is a second product
    output logic second_o,  // the second point is selected
    output logic selected_o,  // pulse: another point may be selected than before
    output logic [Width-1:0] x_o,  // x of the selected point, or the first of two numbers
    output logic [Width-1:0] y_o,  // y, or the second one
    output logic [Width-1:0] e_o,  // number signed, or what is left of it
    output logic e_ready_o,  // it is there
    output logic more_digits_o,  // digits of it are left
    output logic [Width-1:0] first_scalar_o,  // scalars as received, or computed
    output logic [Width-1:0] second_scalar_o,
    output logic [Width-1:0] scalar_o,  // that of the selected point
    output logic [9:0] scalar_bits_o,  // bits that are walked
    output logic misfit_o  // the field is not that of X25519 or X448
);

  logic use_base_q, second_q, pair_q, result_q, two_q, selected_q;
  logic is_x25519, is_x448, is_ecdsa, has_base, select_first, select_second;
  logic [Width-1:0] v_q;

  assign is_ecdsa = op_i == OpcodeEcdsaVerify || op_i == OpcodeEcdsaSign;
  assign sm2_o = op_i == OpcodeSm2Verify || op_i == OpcodeSm2Sign;
  assign verifying_o = op_i == OpcodeEcdsaVerify || op_i == OpcodeSm2Verify;
  assign signing_o = op_i == OpcodeEcdsaSign || op_i == OpcodeSm2Sign;
  assign is_x25519 = op_i == OpcodeLadder && option_i == 8'd1;
  assign is_x448 = op_i == OpcodeLadder && option_i == 8'd2;
  assign has_base = op_i == OpcodeEcmulBase || verifying_o || signing_o;

  // ---- selection --------------------------------------------------------------------------------

  assign select_first = unit_start_i && unit_i == UnitFirst;
  assign select_second = unit_start_i && unit_i == UnitSecond;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      use_base_q <= has_base;
      two_q <= op_i == OpcodeEcmul2 || verifying_o;
      {second_q, pair_q, result_q} <= '0;
    end else if (unit_start_i) begin
      if (unit_i == UnitUseBase) use_base_q <= 1'b1;
      if (unit_i == UnitAlone) two_q <= 1'b0;
      if (select_first || select_second) begin
        second_q <= select_second;
        {pair_q, result_q} <= '0;
      end
      if (unit_i == UnitPair || unit_i == UnitResult)
        {pair_q, result_q} <= {unit_i == UnitPair, unit_i == UnitResult};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) selected_q <= 1'b0;
    else selected_q <= start_i || select_first || select_second;
  end

  logic same_q;  // the first point of ecmul2 has the coordinates of the base point

  always_ff @(posedge clk_i) same_q <= operands_i[1] == gx_i && operands_i[2] == gy_i;

  assign base_first_o = has_base || (op_i == OpcodeEcmul2 && same_q);
  assign two_o = two_q;
  assign second_o = second_q;
  assign selected_o = selected_q;

  // ---- points and pairs -------------------------------------------------------------------------

  logic base;  // that of the base point
  logic [2:0] at;  // otherwise x is the operand of this place, y the next one
  logic received;
  logic [Width-1:0] x_received, y_received;  // 0 where another is selected

  always_comb begin
    base = use_base_q;
    at   = 3'd1;
    unique case (op_i)
      OpcodeEcmul2: if (second_q) {base, at} = {1'b0, 3'd4};
      OpcodeEcdsaVerify: begin
        if (second_q) {base, at} = {1'b0, 3'd2};
        if (pair_q) {base, at} = {1'b0, 3'd4};
      end
      OpcodeSm2Verify: begin
        if (second_q) {base, at} = {1'b0, 3'd1};
        if (pair_q) {base, at} = {1'b0, 3'd3};
      end
      OpcodeEcdsaSign, OpcodeSm2Sign: if (pair_q) {base, at} = {1'b0, 3'd0};
      OpcodeCheck: {base, at} = {1'b0, 3'd0};
      OpcodeLadder: base = 1'b0;
      default: ;
    endcase
  end

  assign received = !result_q && !base;

  pm_select #(
      .Items(MaxOperands - 1),
      .Width(Width)
  ) u_x (
      .items_i(operands_i[MaxOperands-2:0]),
      .at_i(at),
      .en_i(received),
      .item_o(x_received)
  );

  pm_select #(
      .Items(MaxOperands - 1),
      .Width(Width)
  ) u_y (
      .items_i(operands_i[MaxOperands-1:1]),
      .at_i(at),
      .en_i(received && op_i != OpcodeLadder),
      .item_o(y_received)
  );

  function automatic logic [Width-1:0] chosen(logic result, logic from_base, logic [Width-1:0] made,
                                              logic [Width-1:0] of_base);
    return ({Width{result}} & made) | ({Width{!result && from_base}} & of_base);
  endfunction

  always_comb begin
    x_o = x_received;
    // RFC 7748: the uppermost bit of u is ignored.
    if (is_x25519) x_o[Width-1:255] = '0;
    if (is_x448) x_o[Width-1:448] = '0;
    x_o |= chosen(result_q, base, results_i[0], gx_i);
    y_o = y_received | chosen(result_q, base, results_i[1], gy_i);
  end

  // ---- number signed ----------------------------------------------------------------------------

  // The digest's length may be any number; from 2047 on its digest is 0 after the shift, as it is
  // from there on.
  logic [Width-1:0] length;
  logic [10:0] short_length;

  assign length = op_i == OpcodeEcdsaVerify ? operands_i[1] : operands_i[3];
  assign short_length = length[Width-1:11] != '0 ? '1 : length[10:0];

  pm_multicurve_signed_number u_number (
      .clk_i,
      .wipe_i,
      .load_i(start_i),
      .value_i(signing_o ? operands_i[2] : operands_i[0]),
      .excess_i(is_ecdsa &&
          short_length > 11'(order_bits_i) ? short_length - 11'(order_bits_i) : '0),
      .next_i(unit_start_i && unit_i == UnitNextDigits),
      .digits_i,
      .put_i(unit_start_i && unit_i == UnitPutU),
      .put_value_i(operand_i),
      .number_o(e_o),
      .ready_o(e_ready_o),
      .more_o(more_digits_o)
  );

  // ---- scalars ----------------------------------------------------------------------------------

  always_ff @(posedge clk_i) begin
    if (start_i || wipe_i) v_q <= '0;
    else if (unit_start_i && unit_i == UnitPutV) v_q <= operand_i;
  end

  // Scalars of RFC 7748 belong to moduli of their length.
  assign misfit_o = (is_x25519 && field_bits_i != 10'd255) || (is_x448 && field_bits_i != 10'd448);

  assign second_scalar_o = op_i == OpcodeEcmul2 ? operands_i[3] : v_q;

  always_comb begin
    unique case (op_i)
      OpcodeEcdsaVerify: first_scalar_o = e_o;
      OpcodeSm2Verify: first_scalar_o = operands_i[4];
      OpcodeEcdsaSign, OpcodeSm2Sign: first_scalar_o = operands_i[1];
      default: first_scalar_o = operands_i[0];
    endcase
  end

  // The order of a curve has at most one bit more than p (Hasse). RFC 7748, section 5: scalars are
  // clamped.
  always_comb begin
    scalar_bits_o = field_bits_i + 10'd1;
    scalar_o = second_q ? second_scalar_o : first_scalar_o;
    if (is_x25519) begin
      scalar_o[255:254] = 2'b01;
      scalar_o[2:0] = '0;
      scalar_bits_o = 10'd255;
    end else if (is_x448) begin
      scalar_o[447] = 1'b1;
      scalar_o[1:0] = '0;
      scalar_bits_o = 10'd448;
    end
  end

endmodule
