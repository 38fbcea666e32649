// SPDX-License-Identifier: Apache-2.0
//
// Claims: pm_mont_mul accepts operands exactly when it is idle and its result is, or was, taken;
//         the result comes digits (1 + wide) cycles after them; it holds until taken unless it is
//         wiped. None of it depends on operands or modulus, which are free in every cycle. The
//         number of digits is the real one; they are short, since no claim looks at a value.
// Values: with a modulus that holds, and operands in the ranges of the header: each digit makes
//         Z' 2^Digit = Z + x_i y + q p of Z, so that the result, which is below p, is x y + Q p
//         over R, or that less p.

module pm_mont_mul_formal #(
    parameter int unsigned Digit = 2,
    parameter int unsigned Half = 17,
    parameter bit Values = 1'b0,
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
  logic [Width-1:0] r;

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
      .r_o    (r)
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

  if (Values) begin : gen_values
    localparam int unsigned Room = 2 * Width + 2;
    logic [Width-1:0] p_q, y_q, x_q;
    logic [Digit-1:0] pinv_q, digit;
    logic [CountBits-1:0] digits_q, count_q;  // of the product; those that are done
    logic wiped_q, working, at_digit;
    logic [Width:0] z, before_q;  // Z at the last whole digit
    logic [Room-1:0] total_q;  // x_i y + q p of the digits so far, each at its place
    logic [Width+Digit:0] step;

    assign working = accept || left_q != '0;
    assign digit = accept ? x_i[Digit-1:0] : x_q[Digit-1:0];
    assign step = (Width + Digit + 1)'(digit) * (Width + Digit + 1)'(accept ? y_i : y_q) +
        (Width + Digit + 1)'(u_dut.q) * (Width + Digit + 1)'(p_i);
    assign at_digit = u_dut.digit_done;
    assign z = accept ? '0 : u_dut.hi_q ? before_q : u_dut.z_q;

    always_ff @(posedge clk_i) begin
      {p_q, pinv_q, digits_q} <= {p_i, pinv_i, digits_i};
      if (wipe_i) wiped_q <= 1'b1;
      else if (accept) wiped_q <= 1'b0;
      if (accept) y_q <= y_i;
      if (working) begin
        before_q <= z;
        if (at_digit) begin
          x_q <= (accept ? x_i : x_q) >> Digit;
          count_q <= (accept ? '0 : count_q) + CountBits'(1);
          total_q <= (accept ? '0 : total_q) +
              (Room'(step) << (Digit * 32'(accept ? '0 : count_q)));
        end else begin
          x_q <= accept ? x_i : x_q;
          count_q <= accept ? '0 : count_q;
          total_q <= accept ? '0 : total_q;
        end
      end
    end

    logic [Room-1:0] product;
    assign product = total_q >> (Digit * 32'(digits_i));

    always_comb begin
      if (left_q != '0 || done_q) begin
        a_modulus : assume ({p_i, pinv_i, digits_i, wide_i} == {p_q, pinv_q, digits_q, wide_q});
      end
      a_odd : assume (p_i[0] && p_i != Width'(1));
      a_inverse : assume (Digit'(p_i * Width'(pinv_i)) == '1);
      a_room : assume (p_i >> (Digit * 32'(digits_i)) == '0 && (wide_i || p_i >> Half == '0));
      if (accept) begin
        a_operands : assume (x_i >> (Digit * 32'(digits_i)) == '0 && y_i < p_i);
      end

      if (rst_ni && !wiped_q) begin
        if (done_q) begin
          p_below : assert (r < p_i);
          p_product : assert (Room'(r) == product || Room'(r) + Room'(p_i) == product);
          p_whole : assert (total_q == product << (Digit * 32'(digits_i)));
        end
        if (left_q != '0 || done_q) begin
          i_y : assert (y_q < p_i);
          i_count :
          assert (32'(count_q) + 32'(u_dut.left_q) == 32'(digits_i) ||
                  (done_q && count_q == digits_i));
        end
        if (left_q != '0) begin
          i_operands : assert (u_dut.x_q == x_q && u_dut.y_q == y_q);
          i_z : assert (z < (Width + 1)'(y_q) + (Width + 1)'(p_i));
          i_total : assert (Room'(z) << (Digit * 32'(count_q)) == total_q);
          if (u_dut.hi_q) begin
            i_half :
            assert ((Half + Digit + 1)'({u_dut.carry_q, u_dut.z_q[Half-1:0]}) ==
                (Half + Digit + 1)'(before_q[Half-1:0]) +
                (Half + Digit + 1)'(x_q[Digit-1:0]) * (Half + Digit + 1)'(y_q[Half-1:0]) +
                (Half + Digit + 1)'(u_dut.q_q) * (Half + Digit + 1)'(p_i[Half-1:0]) &&
                u_dut.z_q[Width:Half] == before_q[Width:Half]);
          end else begin
            i_narrow_z : assert (wide_i || u_dut.z_q >> (Half + 1) == '0);
          end
        end
      end
    end
  end

endmodule
