// SPDX-License-Identifier: Apache-2.0
//
// Montgomery product r = x y R^-1 mod p for any odd modulus p below 2^Width, with
// R = 2^(Digit digits_i): one digit of x in a cycle, or with two passes in two when p is wider than
// half of Width.
//
// Ranges:    p odd, 3 <= p < R, R at most 2^Width; y in [0, p); any x in [0, R), reduced or not;
//            pinv = -1/p mod 2^Digit. The result is fully reduced, in [0, p), so that results are
//            operands. wide_i may be 0 only if p < 2^Half. Nothing checks the ranges.
// Step:      Z' = (Z + x_i y + q p) / 2^Digit,  q = (Z + x_i y_0) pinv mod 2^Digit,  from Z = 0.
//            Z stays below y + p < 2p, since Z' <= (Z + (2^Digit - 1)(y + p)) / 2^Digit, so that
//            one conditional subtraction ends it. It is done in the cycle of the last digit: the
//            sign of Z' - p selects.
// Products:  Z + x_i y, then q of its lowest digit, then the sum with q p: arrays of Half x Digit,
//            Digit x Digit and Half x Digit.
//            wide_i = 0: p and y have at most Half bits, one cycle a digit.
//            wide_i = 1: the lower halves first, then the upper halves on the same arrays.
// Latency:   digits_i (1 + wide_i) cycles, interval the same: operands accepted in cycle t give
//            the result in cycle t + latency, in which the next operands may be accepted. At 192,
//            224, 256, 384, 448 and 521 bits: 6, 7, 8, 24, 28, 34.
// Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds until taken. The first digit
//            is worked on in the cycle of acceptance, without an operand register before it. p_i,
//            pinv_i, digits_i and wide_i must not change from acceptance to valid_o. wipe_i
//            clears all registers that hold data; what is under way then ends in its time with a
//            result of no use.
// Reset:     idle; data registers are not reset.
// Constant time: the cycles depend on digits_i and wide_i alone.
// Source:    Liu et al. 2023, Acta Electronica Sinica 51(6), algorithm 2 and fig. 2. There x_i y_0
//            has an array of its own.

module pm_mont_mul #(
    parameter int unsigned Digit = 32,  // bits of a digit
    parameter int unsigned Half = 272,  // bits of the arrays; more than Digit
    parameter int unsigned Tile = 0,  // of pm_digit_mac: 24 for DSP48E1, 0 for standard cells
    localparam int unsigned Width = 2 * Half,  // a multiple of Digit
    localparam int unsigned CountBits = $clog2(Width / Digit + 1)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 wipe_i,    // clear data registers
    input  logic [    Width-1:0] p_i,       // modulus
    input  logic [    Digit-1:0] pinv_i,    // -1/p mod 2^Digit
    input  logic [CountBits-1:0] digits_i,  // digits of x, 1 to Width / Digit
    input  logic                 wide_i,    // 1: two passes a digit
    input  logic                 valid_i,   // x_i, y_i are valid
    output logic                 ready_o,   // they are accepted
    input  logic [    Width-1:0] x_i,       // factor below R
    input  logic [    Width-1:0] y_i,       // factor below p
    output logic                 valid_o,   // r_o is valid
    input  logic                 ready_i,   // r_o is taken
    output logic [    Width-1:0] r_o        // product in [0, p)
);

  if (Digit < 1 || Half <= Digit || Width % Digit != 0) begin : gen_bad_half
    $fatal(1, "pm_mont_mul: Half must be more than Digit, and 2 Half a multiple of it.");
  end

  localparam int unsigned SumBits = Half + Digit + 1;  // of half a step, before the shift

  // --------------------------------------------------------------------------------- control
  logic busy_q, hi_q, valid_q;
  logic [CountBits-1:0] left_q, left;  // digits that are not done
  logic active, digit_done, last;

  assign ready_o = !busy_q && (!valid_q || ready_i);
  assign active = busy_q || (valid_i && ready_o);
  assign left = busy_q ? left_q : digits_i;
  assign digit_done = hi_q == wide_i;
  assign last = digit_done && (left <= CountBits'(1));

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      hi_q    <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      busy_q  <= active && !last;
      hi_q    <= active && !digit_done;
      valid_q <= (active && last) || (valid_q && !ready_i);
    end
  end

  // -------------------------------------------------------------------------------- operands
  logic [Width-1:0] x_q, y_q, x, y;
  logic [Width:0] z_q;  // Z; below 2p
  logic [Digit:0] carry_q;  // from the lower into the upper half of a step
  logic [Digit-1:0] q_q, digit;
  logic [Half-1:0] y_half, p_half;
  logic [Half:0] z_half;

  assign x = busy_q ? x_q : x_i;
  assign y = busy_q ? y_q : y_i;
  assign digit = x[Digit-1:0];
  assign y_half = hi_q ? y[Width-1:Half] : y[Half-1:0];
  assign p_half = hi_q ? p_i[Width-1:Half] : p_i[Half-1:0];
  assign z_half = !busy_q ? '0 : hi_q ? z_q[Width:Half] : {z_q[Half] && !wide_i, z_q[Half-1:0]};

  // -------------------------------------------------------------------------------- products
  logic [2*Digit-1:0] quotient;
  logic [  Digit-1:0] q;
  logic [SumBits-1:0] partial, sum;  // Z + x_i y, and with q p

  pm_digit_mac #(
      .Width(Half),
      .Digit(Digit),
      .Tile (Tile)
  ) u_product (
      .a_i (y_half),
      .d_i (digit),
      .c0_i(SumBits'(z_half)),
      .c1_i(hi_q ? SumBits'(carry_q) : '0),
      .p_o (partial)
  );

  pm_digit_mul #(
      .Width(Digit),
      .Digit(Digit),
      .Tile (Tile)
  ) u_quotient (
      .a_i(pinv_i),
      .d_i(partial[Digit-1:0]),
      .p_o(quotient)
  );

  assign q = hi_q ? q_q : quotient[Digit-1:0];

  pm_digit_mac #(
      .Width(Half),
      .Digit(Digit),
      .Tile (Tile)
  ) u_reduce (
      .a_i (p_half),
      .d_i (q),
      .c0_i(partial),
      .c1_i('0),
      .p_o (sum)
  );

  logic unused_quotient;
  assign unused_quotient = ^quotient[2*Digit-1:Digit];

  // ------------------------------------------------------------------- conditional subtraction
  logic [SumBits:0] less;  // two's complement
  logic [Half+Digit-1:0] p_above;  // part of p at the place of the sum
  logic [Half-Digit:0] z_less;  // lower part of Z - p, of the Z left by the first pass
  logic take_less;

  assign p_above = wide_i ? (Half + Digit)'(p_i >> (Half - Digit)) : {p_i[Half-1:0], {Digit{1'b0}}};
  assign z_less = {1'b0, z_q[Half-1:Digit]} - {1'b0, p_i[Half-Digit-1:0]};
  assign less = {1'b0, sum} - (SumBits + 1)'(p_above)
      - (SumBits + 1)'(wide_i && z_less[Half-Digit]);
  assign take_less = last && !less[SumBits];

  // ------------------------------------------------------------------------------- registers
  logic [Width:0] z_d, z_narrow;

  assign z_narrow = (Width + 1)'(take_less ? less[SumBits-1:Digit] : sum[SumBits-1:Digit]);

  always_comb begin
    if (!wide_i) z_d = z_narrow;
    else if (!hi_q) z_d = {busy_q ? z_q[Width:Half] : '0, sum[Half-1:0]};
    else if (take_less) z_d = {less[SumBits-1:0], z_less[Half-Digit-1:0]};
    else z_d = {sum, z_q[Half-1:Digit]};
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      x_q <= '0;
      y_q <= '0;
      z_q <= '0;
      q_q <= '0;
      carry_q <= '0;
    end else if (active) begin
      x_q <= digit_done ? x >> Digit : x;
      y_q <= y;
      z_q <= z_d;
      q_q <= q;
      carry_q <= sum[SumBits-1:Half];
    end
    if (active) left_q <= digit_done ? left - CountBits'(1) : left;
  end

  assign valid_o = valid_q;
  assign r_o = z_q[Width-1:0];

endmodule
