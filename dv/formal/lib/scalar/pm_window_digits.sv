// SPDX-License-Identifier: Apache-2.0
//
// Claim: the digits of pm_window_digits, each times two to its place, are the scalar; they are
//        odd and below 2^(window - 1); next_o says whether the next place has one, blank_o that
//        the present one and the next 15 have none; a scalar that was forgotten leaves nothing.
//
// Of places p and higher the scalar has (scalar >> p) + the bit below, in units of p: owed_q is
// that less the digits. At each place it is doubled, changed by the bits and by the digit; it
// stays below 2^MaxWindow and is 0 behind the lowest place. With Sum the digits are also added
// up, with a doubling for each place, and compared with the scalar.

module pm_window_digits_formal
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 544,
    parameter int unsigned MaxWindow = 7,
    parameter bit Sum = 1'b0,
    localparam int unsigned IndexBits = MaxWindow - 2
) (
    input logic             clk_i,
    input logic             clear_i,
    input logic             load_i,
    input logic [Width-1:0] scalar_i,
    input logic [      3:0] window_i,
    input logic [      1:0] shift_i
);

  localparam int unsigned PlaceBits = $clog2(Width + 2);
  localparam int unsigned Low = MaxWindow + 3;  // bits of what is owed, with room

  logic has, negative, next, blank;
  logic [IndexBits-1:0] index;
  window_stride_e shift;
  assign shift = window_stride_e'(shift_i);

  pm_window_digits #(
      .Width(Width),
      .MaxWindow(MaxWindow)
  ) u_dut (
      .clk_i,
      .clear_i,
      .load_i,
      .scalar_i,
      .window_i,
      .shift_i(shift),
      .digit_o(has),
      .negative_o(negative),
      .index_o(index),
      .next_o(next),
      .blank_o(blank)
  );

  logic active_q = 1'b0;
  logic cleared_q = 1'b0;
  logic [3:0] window_q;
  logic [PlaceBits-1:0] left_q;  // places from the present one on
  logic [Width:0] bits_q;  // the present place's bit on top
  logic signed [Low-1:0] owed_q, owed;  // of the places before, of the present one too
  logic signed [Low-1:0] digit, here, below;  // changes by the bits
  logic moved_one_q, next_q, many;

  assign many  = shift == StrideMany;
  assign digit = has ? (negative ? -Low'({1'b0, index, 1'b1}) : Low'({1'b0, index, 1'b1})) : '0;
  assign here  = Low'({1'b0, bits_q[Width-1]}) - Low'({1'b0, bits_q[Width]});
  assign below = Low'({1'b0, bits_q[Width-2]}) - Low'({1'b0, bits_q[Width-1]});
  assign owed  = (owed_q <<< 1) + here - digit;

  always_ff @(posedge clk_i) begin
    cleared_q <= clear_i;
    next_q <= next;
    moved_one_q <= active_q && shift == StrideOne && !clear_i && !load_i;
    if (clear_i) active_q <= 1'b0;
    else if (load_i) active_q <= 1'b1;
    if (load_i) begin
      window_q <= window_i;
      left_q   <= PlaceBits'(Width + 1);
      bits_q   <= {1'b0, scalar_i};
      owed_q   <= '0;
    end else begin
      unique case (shift)
        StrideOne: begin
          left_q <= left_q - PlaceBits'(1);
          bits_q <= bits_q << 1;
          owed_q <= owed;
        end
        StrideTwo: begin
          left_q <= left_q - PlaceBits'(2);
          bits_q <= bits_q << 2;
          owed_q <= (owed <<< 1) + below;
        end
        StrideMany: begin
          left_q <= left_q - PlaceBits'(16);
          bits_q <= bits_q << 16;
          owed_q <= owed;
        end
        default: ;
      endcase
    end
  end

  // The window that is open, as in the module.
  localparam int unsigned StateBits = 4 + 3 + 1 + 1 + IndexBits;
  logic [StateBits-1:0] state;
  logic [3:0] open;  // its places from the present one on
  logic [2:0] ahead;  // places to its digit
  logic wanted, minus;
  logic [IndexBits-1:0] size;
  assign state = u_dut.state_q;
  assign {open, ahead, wanted, minus, size} = state;

  logic signed [2*Low-1:0] coming, value;
  assign coming = minus ? -(2 * Low)'({1'b0, size, 1'b1}) : (2 * Low)'({1'b0, size, 1'b1});

  logic [2*Low-1:0] upper, lower;  // bits of the places of the window, and one below them
  always_comb begin
    value = '0;
    upper = '0;
    lower = '0;
    for (int unsigned n = 1; n < MaxWindow; n++) begin
      if (open == 4'(n)) begin
        for (int unsigned i = 0; i < n; i++) begin
          upper[n-1-i] = bits_q[Width-i];
          lower[n-1-i] = bits_q[Width-1-i];
        end
        value = (2 * Low)'(owed_q) <<< n;
        if (wanted) value = value - (coming <<< (4'(n - 1) - 4'(ahead)));
      end
    end
  end

  always_comb begin
    a_load : assume (!(load_i && clear_i));
    if (load_i) begin
      a_window : assume (window_i >= 4'd3 && window_i <= 4'(MaxWindow));
    end
    if (active_q) begin
      a_hold : assume (load_i || window_i == window_q);
      a_one : assume (shift != StrideOne || left_q != '0);
      a_two : assume (shift != StrideTwo || (left_q > PlaceBits'(1) && !next));
      a_many : assume (!many || (left_q > PlaceBits'(16) && blank));

      if (left_q == '0) begin
        p_all : assert (owed_q == '0 && !has);
      end
      if (has) begin
        p_digit : assert (32'(index) < 32'(1) << (window_q - 4'd2));
      end
      if (moved_one_q && left_q != '0 && window_i == window_q) begin
        p_next : assert (has == next_q);
      end
      if (blank) begin
        p_blank :
        assert (!has && owed == '0 && (bits_q[Width-:17] == '0 || bits_q[Width-:17] == '1));
      end
      p_small : assert (owed < Low'(1) <<< MaxWindow && -owed < Low'(1) <<< MaxWindow);
    end
    if (cleared_q) begin
      p_forget : assert (u_dut.bits_q == '0 && state == '0);
    end

    // For the induction step.
    if (active_q) begin
      i_bits : assert (u_dut.bits_q == bits_q);
      i_window : assert (window_q >= 4'd3 && window_q <= 4'(MaxWindow));
      i_left : assert (left_q <= PlaceBits'(Width + 1));
      i_open : assert (open < window_q);
      i_ahead : assert (!wanted || 4'(ahead) < open);
      i_size : assert (!wanted || 32'(size) < 32'(1) << (window_q - 4'd2));
      i_value : assert (value + lower - upper == '0);
      if (open == '0) begin
        i_none : assert (owed_q == '0);
      end
      i_owed : assert (owed_q < Low'(1) <<< MaxWindow && -owed_q < Low'(1) <<< MaxWindow);
    end
  end

  // Below the lowest place there are zeros.
  for (genvar i = 0; i <= int'(Width); i++) begin : gen_zero
    always_comb begin
      if (active_q && i + 32'(left_q) < Width + 1) i_zero : assert (!bits_q[i]);
    end
  end

  if (Sum) begin : gen_sum
    localparam int unsigned Wide = Width + MaxWindow + 2;
    logic [Width-1:0] scalar_q;
    logic signed [Wide-1:0] sum_q, sum;
    assign sum = (sum_q <<< 1) + Wide'(digit);

    always_ff @(posedge clk_i) begin
      if (load_i) begin
        scalar_q <= scalar_i;
        sum_q <= '0;
      end else begin
        unique case (shift)
          StrideOne: sum_q <= sum;
          StrideTwo: sum_q <= sum <<< 1;
          StrideMany: sum_q <= sum <<< 15;
          default: ;
        endcase
      end
    end

    always_comb begin
      if (active_q && left_q == '0) begin
        p_sum : assert (sum_q == Wide'({1'b0, scalar_q}));
      end
      if (active_q) begin
        i_place : assert (bits_q == (Width + 1)'(scalar_q) << (PlaceBits'(Width + 1) - left_q));
        i_sum :
        assert (sum_q + Wide'(owed_q) ==
                        Wide'({1'b0, scalar_q} >> left_q) + Wide'({1'b0, bits_q[Width]}));
      end
    end
  end

endmodule
