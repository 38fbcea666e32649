// SPDX-License-Identifier: Apache-2.0
//
// Product, sum and difference modulo p = 2^255 - 19 of redundant limbs: operands and results are 17
// limbs of 16 bits, limb i of weight 2^(15 i) (pm_limb_pkg). A result is right modulo p, not
// reduced, and again a valid operand.
//
// Ranges:    every x_i and y_i, whatever its limbs; LimbSmall wants y_i limbs from SmallDigits on
//            to be 0. Every limb of a result is below 2^16, after every operation and for all
//            operands: pointmill/model/limb.py proves it by exact bounds, an assertion checks it in
//            every run.
// Product:   17 columns, one multiplier and accumulator each (pm_limb_mac). In a cycle one limb of
//            y meets all limbs of x; then x moves up one column. The limb that leaves the highest
//            column comes back at the lowest one as 19 times itself, since 2^255 = 19: one
//            multiplier by a constant serves them all. A y that has only SmallDigits limbs takes as
//            many cycles.
// Carry:     in a pass every column keeps its lower 15 bits and takes what the column below has
//            above them; the lowest one takes 19 times that of the highest, by the same multiplier.
//            Two passes bring the columns of products (41 bits) to 16 bits, one pass those of sums;
//            carries that remain are passed on by nobody until the very end (pm_limb_canon).
// Sum:       x + y in one cycle. Difference: 3p is added to x first, in limbs that are all above
//            2^16, then y taken away, so that no limb is negative; 2p would not do.
// Latency:   22 cycles a product, 7 one by a small constant, 4 a sum, 5 a difference, interval the
//            same: operands are taken in the first, done_o and the result come in the last, so that
//            a register that stores it can be read by the operation started in the cycle after.
// Handshake: start_i with operands while the unit is idle, that is not between start and done_o.
//            r_o is the result while done_o = 1. clear_i ends what is under way and makes every
//            register 0 that holds data.
// Reset:     asynchronous, active low: idle. Registers of data have none (DSP slices): clear_i is
//            for them.
// Constant time: yes, by op_i alone.
// Source:    Hu et al. 2024, J. Hefei Univ. Technol. 47(11), algorithm 5, section 2.2, fig. 2.
//            There the top carry is multiplied by the lowest column's DSP, and sums have two passes
//            as well.

module pm_limb_unit
  import pm_limb_pkg::*;
(
    input  logic     clk_i,
    input  logic     rst_ni,
    input  logic     clear_i,  // stop, and make all data 0
    input  logic     start_i,  // begin an operation
    input  limb_op_e op_i,     // which
    input  limbs_t   x_i,      // first operand
    input  limbs_t   y_i,      // second operand
    output logic     done_o,   // r_o is the result
    output limbs_t   r_o       // result
);

  // ------------------------------------------------------------------------------------------
  // control
  logic [4:0] left_q;  // cycles of the operation that are left, the present one included; 0 if idle
  limb_op_e op_q;
  logic product, begin_q, first_q;

  assign product = op_q inside {LimbMul, LimbSmall};
  assign done_o  = left_q == 5'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q  <= '0;
      op_q    <= LimbMul;
      begin_q <= 1'b0;
      first_q <= 1'b0;
    end else begin
      begin_q <= start_i && !clear_i;
      first_q <= begin_q;
      if (clear_i) left_q <= '0;
      else if (start_i) left_q <= 5'(limb_cycles(op_i) - 1);
      else if (left_q != '0) left_q <= left_q - 5'd1;
      if (start_i) op_q <= op_i;
    end
  end

  // -----------------------------------------------------------------------------------------
  // operands
  logic [Limbs-1:0][WrappedBits-1:0] wide, x_q;  // x_i with room for multiples of its limbs
  limbs_t y_q;
  logic [Limbs-1:0][ProductBits-1:0] p;
  logic [Limbs-1:0][CarriedBits-1:0] r_q;
  logic [CarriedBits-1:0] to_wrap, wrapped;  // what passes the multiplier by 19

  always_comb begin
    unique case (left_q)
      5'd3: to_wrap = CarriedBits'(p[Limbs-1][ProductBits-1:DigitBits]);
      5'd2: to_wrap = CarriedBits'(r_q[Limbs-1][CarriedBits-1:DigitBits]);
      default: to_wrap = CarriedBits'(x_q[Limbs-1]);
    endcase
  end

  // In adders, so that no DSP slice is spent on it.
  assign wrapped = (to_wrap << 4) + (to_wrap << 1) + to_wrap;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      x_q <= '0;
      y_q <= '0;
    end else if (start_i) begin
      x_q <= wide;
      y_q <= y_i;
    end else if (product) begin
      x_q <= {x_q[Limbs-2:0], wrapped[WrappedBits-1:0]};
      y_q <= {LimbBits'(0), y_q[Limbs-1:1]};
    end
  end

  // ------------------------------------------------------------------------------------------
  // columns
  for (genvar i = 0; i < Limbs; i++) begin : g_column
    // A limb of 3p; taking y away is adding its complement, whose 1 - 2^16 is here.
    localparam int unsigned ThreeP = 3 * ((1 << DigitBits) - (i == 0 ? Wrap : 1));
    localparam int unsigned Lifted = ThreeP + 1 - (1 << LimbBits);

    logic [CarriedBits-1:0] kept, added;
    logic [LimbBits-1:0] less;

    assign wide[i] = WrappedBits'(x_i[i]);
    assign less = ~y_q[i];

    pm_limb_mac u_mac (
        .clk_i,
        .clear_i,
        .first_i(first_q),
        .a_i    (x_q[i]),
        .b_i    (y_q[0]),
        .p_o    (p[i])
    );

    always_comb begin
      unique case (left_q)
        5'd4: begin
          kept  = CarriedBits'(x_q[i]);
          added = CarriedBits'(Lifted);
        end
        5'd3: begin
          if (product) begin
            kept  = CarriedBits'(p[i][DigitBits-1:0]);
            added = i == 0 ? wrapped : p[(i+Limbs-1)%Limbs][ProductBits-1:DigitBits];
          end else if (op_q == LimbSub) begin
            kept  = r_q[i];
            added = CarriedBits'(less);
          end else begin
            kept  = CarriedBits'(x_q[i]);
            added = CarriedBits'(y_q[i]);
          end
        end
        default: begin
          kept  = CarriedBits'(r_q[i][DigitBits-1:0]);
          added = i == 0 ? wrapped : CarriedBits'(r_q[(i+Limbs-1)%Limbs][CarriedBits-1:DigitBits]);
        end
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (clear_i) r_q[i] <= '0;
      else if (left_q inside {5'd4, 5'd3, 5'd2}) r_q[i] <= kept + added;
    end

    assign r_o[i] = r_q[i][LimbBits-1:0];
  end

  always_ff @(posedge clk_i) begin
    assert (!start_i || left_q == '0);
    assert (!start_i || op_i != LimbSmall || y_i[Limbs-1:SmallDigits] == '0);
    for (int unsigned i = 0; i < Limbs; i++) begin
      assert (!done_o || r_q[i][CarriedBits-1:LimbBits] == '0);  // a limb has 16 bits
    end
  end

endmodule
