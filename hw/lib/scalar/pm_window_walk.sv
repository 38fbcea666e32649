// SPDX-License-Identifier: Apache-2.0
//
// Scans the signed windows (pm_window_digits) of one scalar, or of two side by side, from the
// highest digit on, and says what each place asks for in a method that doubles a sum for each place
// and adds a point from a table for each digit: the first digit sets the sum, a place with two
// digits takes two operations, two places without any are one operation.
//
// Handshake: load_i takes the scalars, of which the second may be 0. Then the digit scan looks for
//            the first digit; ready_o says that op_o is valid, and stays. step_i goes to the next
//            operation.
// Timing:    load_i to ready_o at most Width / 16 + 17 cycles; op_o and its digit follow a step in
//            the next cycle.
// Reset:     not needed before load_i. clear_i forgets the scalars.
// Constant time: NO. For public scalars only.
module pm_window_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 544,  // bits of a scalar, at least 32
    parameter int unsigned MaxWindow = 7,  // 3 to 8
    localparam int unsigned IndexBits = MaxWindow - 2
) (
    input logic clk_i,  // clock
    input logic clear_i,  // forget the scalars
    input logic load_i,  // pulse: begin
    input logic [1:0][Width-1:0] scalars_i,  // scalars
    input logic [1:0][3:0] windows_i,  // widths of their windows, to hold while they are walked
    output logic ready_o,  // op_o is valid
    output window_op_e op_o,  // what comes next
    output logic source_o,  // whose digit it takes
    output logic negative_o,  // the digit is negative
    output logic [IndexBits-1:0] index_o,  // (|digit| - 1) / 2
    input logic step_i  // pulse: it is begun
);

  localparam int unsigned PlaceBits = $clog2(Width + 2);

  logic [1:0] digit, negative, following, blank;
  window_stride_e shift;
  logic [1:0][IndexBits-1:0] index;
  logic [PlaceBits-1:0] left_q;  // places from the present one on
  logic begun_q;  // the sum exists
  logic used_q;  // the first scalar's digit of this place has been used
  logic first, second, both;

  for (genvar s = 0; s < 2; s++) begin : g_digits
    pm_window_digits #(
        .Width    (Width),
        .MaxWindow(MaxWindow)
    ) u_digits (
        .clk_i,
        .clear_i,
        .load_i,
        .scalar_i  (scalars_i[s]),
        .window_i  (windows_i[s]),
        .shift_i   (shift),
        .digit_o   (digit[s]),
        .negative_o(negative[s]),
        .index_o   (index[s]),
        .next_o    (following[s]),
        .blank_o   (blank[s])
    );
  end

  assign first = digit[0] && !used_q;
  assign second = digit[1];
  assign both = first && second;
  assign ready_o = begun_q || first || second || left_q == '0;
  assign source_o = !first;
  assign negative_o = negative[source_o];
  assign index_o = index[source_o];

  always_comb begin
    if (left_q == '0) op_o = WindowDone;
    else if (used_q) op_o = WindowAlso;
    else if (!begun_q) op_o = WindowSet;
    else if (first || second) op_o = WindowAdd;
    else if (left_q != PlaceBits'(1) && following == '0) op_o = WindowPair;
    else op_o = WindowDouble;
  end

  always_comb begin
    shift = StrideNone;
    if (!ready_o) shift = &blank && left_q > PlaceBits'(16) ? StrideMany : StrideOne;
    else if (step_i && left_q != '0 && !both) shift = op_o == WindowPair ? StrideTwo : StrideOne;
  end

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      left_q  <= PlaceBits'(Width + 1);
      begun_q <= 1'b0;
      used_q  <= 1'b0;
    end else begin
      unique case (shift)
        StrideOne: left_q <= left_q - PlaceBits'(1);
        StrideTwo: left_q <= left_q - PlaceBits'(2);
        StrideMany: left_q <= left_q - PlaceBits'(16);
        default: ;
      endcase
      if (step_i && ready_o) begin
        begun_q <= 1'b1;
        used_q  <= both;
      end
    end
  end

endmodule
