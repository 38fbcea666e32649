// SPDX-License-Identifier: Apache-2.0
//
// Signed windows of one scalar, from the highest place on: scalar = sum of d * 2^place over the
// digits, every d odd, |d| < 2^(window - 1), one place of window + 1 with a digit in the mean.
//
// The first place whose bit differs from the bit below opens a window of so many places. Its value
// in units of its lowest place, that is of the bits in it and the one below, is d times a power of
// two, which says at which of its places d stands. Nothing is recoded ahead: a window needs the
// bits in it alone.
//
// Handshake: load_i takes the scalar; the first place is the one above its highest possible bit.
//            shift_i moves on by one, two or 16 places, the latter only with blank_o. digit_o and
//            next_o belong to the present place and to the one below it; below the lowest place
//            there are none.
// Timing:    outputs are valid in the cycle after load_i or a shift.
// Reset:     not needed before load_i. clear_i forgets the scalar.
// Constant time: NO. For public scalars only.
// Source:    Okeya, Schmidt-Samoa, Spahn, Takagi 2004, "Signed binary representations revisited"
//            (wMOF).
module pm_window_digits
  import pm_scalar_pkg::*;
#(
    parameter int unsigned Width = 544,  // bits of a scalar, at least 16
    parameter int unsigned MaxWindow = 7,  // 3 to 8
    localparam int unsigned IndexBits = MaxWindow - 2
) (
    input logic clk_i,  // clock
    input logic clear_i,  // forget the scalar
    input logic load_i,  // pulse: begin
    input logic [Width-1:0] scalar_i,  // scalar
    input logic [3:0] window_i,  // width of its windows, 3 to MaxWindow; to hold while it is walked
    input window_stride_e shift_i,  // move on
    output logic digit_o,  // there is a digit at the present place
    output logic negative_o,  // it is negative
    output logic [IndexBits-1:0] index_o,  // (|d| - 1) / 2
    output logic next_o,  // there is one at the next place
    output logic blank_o  // there is none at the present place and the next 15
);

  if (Width < 16 || MaxWindow < 3 || MaxWindow > 8) begin : gen_bad_parameters
    $fatal(1, "pm_window_digits: Width must be at least 16, MaxWindow 3 to 8.");
  end

  typedef struct packed {
    logic [3:0] left;  // places of the window from the present one on, 0: there is no window
    logic [2:0] ahead;  // places to its digit
    logic wanted;  // the digit is still to come
    logic negative;
    logic [IndexBits-1:0] index;
  } state_t;

  logic [Width:0] bits_q;  // the present place's bit on top
  state_t state_q, here, below, after;

  // The state with a window that opens at the present place; bits are those from there on.
  function automatic state_t open(state_t state, logic [MaxWindow:0] top, logic [3:0] window);
    logic [MaxWindow:0] field;
    logic [MaxWindow-1:0] value;
    logic [2:0] zeros;
    open = state;
    if (state.left == '0 && top[MaxWindow] != top[MaxWindow-1]) begin
      field = (top[MaxWindow] ? ~top : top) >> (4'(MaxWindow) - window);
      value = MaxWindow'(field >> 1) + MaxWindow'(field[0]);
      zeros = '0;
      for (int i = MaxWindow - 1; i >= 0; i--) if (value[i]) zeros = 3'(i);
      open.left = window;
      open.ahead = 3'(window - 4'd1) - zeros;
      open.wanted = 1'b1;
      open.negative = top[MaxWindow];
      open.index = IndexBits'(value >> zeros >> 1);
    end
  endfunction

  // One place on.
  function automatic state_t step(state_t state);
    step = state;
    if (state.left != '0) step.left = state.left - 4'd1;
    if (state.ahead == '0) step.wanted = 1'b0;
    else step.ahead = state.ahead - 3'd1;
  endfunction

  assign here = open(state_q, bits_q[Width-:MaxWindow+1], window_i);
  assign below = open(step(here), bits_q[Width-1-:MaxWindow+1], window_i);
  assign after = step(below);
  assign digit_o = here.wanted && here.ahead == '0;
  assign negative_o = here.negative;
  assign index_o = here.index;
  assign next_o = below.wanted && below.ahead == '0;
  assign blank_o = state_q.left == '0 && (bits_q[Width-:17] == '0 || bits_q[Width-:17] == '1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      bits_q  <= '0;
      state_q <= '0;
    end else if (load_i) begin
      bits_q  <= {1'b0, scalar_i};
      state_q <= '0;
    end else begin
      unique case (shift_i)
        StrideOne: begin
          bits_q  <= bits_q << 1;
          state_q <= step(here);
        end
        StrideTwo: begin
          bits_q  <= bits_q << 2;
          state_q <= after;
        end
        StrideMany: bits_q <= bits_q << 16;
        default: ;
      endcase
    end
  end

endmodule
