// SPDX-License-Identifier: Apache-2.0
//
// Claim: what pm_digit_walk asks for makes Q = k P of every scalar k, with P and Q as its header
//        says; Q is set by the first digit of the scalars that are joined, and by no other; no
//        two digits are adjacent; it ends after the last addition. Of the bits, index_o, more_o
//        and begun_o are what the header says, at every place.
//
// left_q is what the operations that were begun leave of the scalar, in units of P's multiple:
// each digit is taken off, each doubling divides by 2 and has to be exact, at the end it is 0.
// With Sum the multiples of P and Q are also made, and compared with the scalar.

module pm_digit_walk_formal
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 544,
    parameter bit Sum = 1'b0,
    localparam int unsigned CountBits = $clog2(Width + 3)
) (
    input logic                 clk_i,
    input logic                 clear_i,
    input logic                 load_i,
    input logic                 join_i,
    input logic [    Width-1:0] scalar_i,
    input logic [CountBits-1:0] count_i,
    input logic                 step_i,
    input logic                 restart_i,
    input logic                 next_i
);

  localparam int unsigned Wide = Width + 2;

  logic too_long, empty, index, more, begun;
  digit_op_e op;

  pm_digit_walk #(
      .Width(Width)
  ) u_dut (
      .clk_i,
      .clear_i,
      .load_i,
      .join_i,
      .scalar_i,
      .count_i,
      .too_long_o(too_long),
      .op_o(op),
      .empty_o(empty),
      .step_i,
      .restart_i,
      .next_i,
      .index_o(index),
      .more_o(more),
      .begun_o(begun)
  );

  // ---- NAF
  logic active_q = 1'b0;
  logic exists_q;  // Q exists
  logic used_q;  // the digit of this place was used
  logic before_q;  // there was a digit at the place before
  logic ended_q;  // the last addition was begun
  logic signed [Wide-1:0] left_q, less;
  logic adds, takes, sets, doubles, step;

  assign adds = op inside {DigitPlus, DigitSet, DigitLast};
  assign takes = op inside {DigitMinus, DigitSetMinus};
  assign sets = op inside {DigitSet, DigitSetMinus};
  assign doubles = op inside {DigitZero, DigitPlus, DigitMinus};
  assign step = active_q && step_i && !load_i && !clear_i;
  assign less = left_q - Wide'({1'b0, adds}) + Wide'({1'b0, takes});

  always_ff @(posedge clk_i) begin
    if (clear_i) active_q <= 1'b0;
    else if (load_i) active_q <= 1'b1;
    if (load_i) begin
      exists_q <= active_q && join_i && exists_q;
      used_q   <= 1'b0;
      before_q <= 1'b0;
      ended_q  <= 1'b0;
      left_q   <= Wide'({1'b0, scalar_i});
    end else if (step) begin
      exists_q <= exists_q || adds || takes;
      used_q   <= sets && less != '0;
      before_q <= adds || takes || used_q;
      ended_q  <= ended_q || op == DigitLast;
      left_q   <= doubles ? less >>> 1 : less;
    end
  end

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  logic [Wide-1:0] high, low;  // the difference of which is what is left of the digits
  assign high = Wide'(u_dut.some_q ^ u_dut.minus_q);
  assign low  = Wide'(u_dut.minus_q);

  always_comb begin
    // A load that joins follows another one, without a clear; nothing is loaded with a clear.
    a_join : assume (!(load_i && join_i) || active_q);
    a_load : assume (!(load_i && clear_i));

    if (active_q) begin
      p_exact : assert (!doubles || !less[0]);
      p_done : assert ((op == DigitDone) == (left_q == '0));
      p_set : assert (sets == ((adds || takes) && !exists_q));
      p_apart : assert (!(adds || takes) || !before_q);
      p_last : assert (op != DigitLast || less == '0);
      p_ended : assert (!ended_q || op == DigitDone);
      p_empty : assert (empty == (!exists_q && left_q == '0));

      // For the induction step.
      i_begun : assert (u_dut.begun_q == exists_q && u_dut.added_q == used_q);
      i_left : assert (left_q + low + (used_q ? (u_dut.minus_q[0] ? '1 : Wide'(1)) : '0) == high);
      i_used : assert (!used_q || (u_dut.some_q[0] && exists_q && u_dut.some_q[Width:1] != '0));
      i_apart : assert ((u_dut.some_q & u_dut.some_q >> 1) == '0);
      i_before : assert (!before_q || used_q || !u_dut.some_q[0]);
      i_ended : assert (!ended_q || u_dut.some_q == '0);
      i_positive : assert (!left_q[Wide-1]);
      i_sign : assert (!u_dut.minus_q[Width]);
    end
  end

  if (Sum) begin : gen_sum
    logic [Width-1:0] scalar_q;
    localparam int unsigned Places = $clog2(Width + 1);
    logic [2*Width-1:0] p_q, q_q;  // multiples
    logic [ Places-1:0] places_q;  // doublings
    logic [2*Width-1:0] left;

    logic [2*Width+1:0] beyond;  // the digits at their places

    assign left   = (2 * Width)'(left_q) << places_q;
    assign beyond = (2 * Width + 2)'(u_dut.some_q) << places_q;

    always_ff @(posedge clk_i) begin
      if (load_i) begin
        scalar_q <= scalar_i;
        p_q <= (2 * Width)'(1);
        places_q <= '0;
        q_q <= '0;
      end else if (step) begin
        if (adds) q_q <= q_q + p_q;
        if (takes) q_q <= q_q - p_q;
        if (doubles) begin
          p_q <= p_q << 1;
          places_q <= places_q + Places'(1);
        end
      end
    end

    always_comb begin
      if (active_q) begin
        if (op == DigitDone) begin
          p_multiple : assert (q_q == (2 * Width)'(scalar_q));
        end
        i_multiple : assert (q_q + left == (2 * Width)'(scalar_q));
        i_one : assert (left_q == '0 || p_q == (2 * Width)'(1) << places_q);
        i_places :
        assert (left_q == '0 || (places_q <= Places'(Width) && beyond >> (Width + 1) == '0));
      end
    end
  end

  // ---- bits
  logic walk_q = 1'b0;
  logic loaded_q;
  logic [Width-1:0] number_q;
  logic [CountBits-1:0] count_q, at_q;  // places below the present one, and it
  logic seen_q;  // a 1 before the bit before
  logic [Width+1:0] bits;  // bit i at i + 1
  logic bit_here, bit_before;

  assign bits = {1'b0, number_q, 1'b0};
  assign bit_here = at_q != '0 && |(bits >> at_q & (Width + 2)'(1));
  assign bit_before = at_q != count_q && |(bits >> at_q & (Width + 2)'(2));

  always_ff @(posedge clk_i) begin
    if (clear_i) walk_q <= 1'b0;
    else if (restart_i) walk_q <= 1'b1;
    if (restart_i) begin
      number_q <= scalar_i;
      count_q <= count_i;
      at_q <= count_i;
      seen_q <= 1'b0;
    end else if (next_i && at_q != '0) begin
      at_q   <= at_q - CountBits'(1);
      seen_q <= seen_q || bit_before;
    end
  end

  always_comb begin
    if (restart_i) begin
      a_count : assume (count_i != '0 && count_i <= CountBits'(Width + 1));
    end
    if (walk_q) begin
      a_hold : assume (scalar_i == number_q && count_i == count_q);
      p_index : assert (index == (bit_here ^ bit_before));
      p_more : assert (more == (at_q != '0));
      p_begun : assert (begun == seen_q);
      i_at : assert (u_dut.left_q == at_q && at_q <= count_q && count_q <= CountBits'(Width + 1));
    end
    p_too_long : assert (too_long == (scalar_i >> count_i != '0));
  end

endmodule
