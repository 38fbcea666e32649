// SPDX-License-Identifier: Apache-2.0
//
// Claims: pm_mont_mul accepts operands exactly when it is idle and its result is, or was, taken;
//         the
// result comes digits (1 + wide) cycles after them; it holds until taken unless it is wiped. None
// of it depends on operands or modulus, which are free in every cycle. The number of digits is the
// real one; they are short, since no claim looks at a value.

module pm_mont_mul_formal #(
    parameter int unsigned Digit = 2,
    parameter int unsigned Half = 17,
    localparam int unsigned Width = 2 * Half,
    localparam int unsigned CountBits = $clog2(Width / Digit + 1)
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 wipe_i,
    input logic [    Width-1:0] p_i,
    input logic [    Digit-1:0] pinv_i,
    input logic [CountBits-1:0] digits_i,
    input logic                 wide_i,
    input logic                 valid_i,
    input logic [    Width-1:0] x_i,
    input logic [    Width-1:0] y_i,
    input logic                 ready_i
);

  logic ready, valid;
  logic [Width-1:0] r, unused_low;

  pm_mont_mul #(
      .Digit(Digit),
      .Half (Half)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .wipe_i,
      .p_i,
      .pinv_i,
      .digits_i,
      .wide_i,
      .valid_i,
      .ready_o(ready),
      .x_i,
      .y_i,
      .valid_o(valid),
      .ready_i,
      .r_o    (r),
      .low_o  (unused_low)
  );

  // Cycles until the result, and whether there is one.
  logic [CountBits:0] left_q, latency;
  logic done_q, accept;
  assign latency = (CountBits + 1)'(digits_i) << wide_i;
  assign accept  = valid_i && left_q == '0 && (!done_q || ready_i);

  // What the last cycle was like.
  logic past_q, held_q, wide_q;
  logic [Width-1:0] r_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      done_q <= 1'b0;
      past_q <= 1'b0;
      held_q <= 1'b0;
    end else begin
      if (accept) begin
        left_q <= latency - (CountBits + 1)'(1);
        done_q <= latency == (CountBits + 1)'(1);
      end else if (left_q != '0) begin
        left_q <= left_q - (CountBits + 1)'(1);
        done_q <= left_q == (CountBits + 1)'(1);
      end else if (ready_i) begin
        done_q <= 1'b0;
      end
      past_q <= 1'b1;
      held_q <= done_q && !ready_i && !wipe_i;
    end
  end

  always_ff @(posedge clk_i) begin
    wide_q <= wide_i;
    r_q <= r;
  end

  logic first_q = 1'b1;
  always_ff @(posedge clk_i) first_q <= 1'b0;

  always_comb begin
    if (first_q) a_reset : assume (!rst_ni);
    a_digits : assume (digits_i != '0 && digits_i <= CountBits'(Width / Digit));
    // Only this of the modulus must not change while the unit works.
    if (left_q != '0 && past_q) a_stable : assume (wide_i == wide_q);
    if (rst_ni) begin
      p_ready : assert (ready == (left_q == '0 && (!done_q || ready_i)));
      p_valid : assert (valid == done_q);
      if (held_q) p_hold : assert (valid && r == r_q);
      i_busy : assert (u_dut.busy_q == (left_q != '0));
      i_one : assert (!(done_q && left_q != '0));
      i_past : assert (past_q || left_q == '0);
      if (left_q == '0)
        i_low :
        assert (!u_dut.hi_q);
        else if (wide_q)
          i_wide :
          assert (left_q == ({u_dut.left_q, 1'b0} - (CountBits + 1)'(u_dut.hi_q))
            && u_dut.left_q != '0);
          else i_narrow : assert (left_q == (CountBits + 1)'(u_dut.left_q) && !u_dut.hi_q);
      if (held_q) i_held : assert (done_q && left_q == '0);
    end
  end

endmodule
