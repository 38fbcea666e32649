// SPDX-License-Identifier: Apache-2.0
//
// Product of a skewed number by a small constant of at most three ones, as a sum of shifts:
// p = C v, skewed.
//
// Ranges:    any v.
// Latency:   Lead + 1 cycles with en_i = 1 from segment 0 of v to segment 0 of p; one product per
//            cycle. v consists of bits InShift and up of a skewed number of InW bits.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_times_c_skew #(
    parameter int unsigned W = 134,  // bits of v
    parameter int unsigned C = 19,  // constant, at most three ones
    parameter int unsigned Segment = 65,  // bits of a carry chain
    parameter int unsigned InW = W,  // see above
    parameter int unsigned InShift = 0,
    parameter int Lead = 0,
    localparam int unsigned OutW = W + $clog2(C + 1)
) (
    input  logic            clk_i,
    input  logic            en_i,   // clock enable of all registers
    input  logic [   W-1:0] v_i,    // skewed number
    output logic [OutW-1:0] p_o     // skewed product
);

  localparam int unsigned Ones = pm_field_pkg::ones(C, 32);

  if (Ones < 1 || Ones > 3) begin : gen_bad_constant
    $fatal(1, "pm_times_c_skew: C must have one to three ones");
  end

  logic [2:0][OutW-1:0] terms;

  for (genvar i = 0; i < 3; i++) begin : gen_term
    if (i < Ones) begin : gen_shift
      localparam int unsigned Place = pm_field_pkg::place_of_one(C, i);
      logic [W-1:0] v;
      pm_reskew #(
          .W         (W),
          .InW       (InW),
          .InSegment (Segment),
          .InShift   (InShift),
          .OutW      (OutW),
          .OutSegment(Segment),
          .OutShift  (Place),
          .Lead      (Lead)
      ) u_v (
          .clk_i,
          .en_i,
          .d_i(v_i),
          .d_o(v)
      );
      assign terms[i] = OutW'(v) << Place;
    end else begin : gen_none
      assign terms[i] = '0;
    end
  end

  pm_segment_add #(
      .W      (OutW),
      .Segment(Segment),
      .Terms  (3)
  ) u_sum (
      .clk_i,
      .en_i,
      .terms_i(terms),
      .s_o    (p_o)
  );

endmodule
