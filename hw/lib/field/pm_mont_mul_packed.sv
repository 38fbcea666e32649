// SPDX-License-Identifier: Apache-2.0
//
// Montgomery product r = x y R^-1 mod p for any odd modulus p below 2^Width, with
// R = 2^(Digit digits_i), as pm_mont_mul, in fewer cycles for p wider than half of Width; and in
// about half as many, with R = 2^(64 d), for the primes of pm_named_prime_pkg, which have d digits
// of 64 bits.
//
// Ranges:    as of pm_mont_mul: p odd, 3 <= p < R, R at most 2^Width; y in [0, p); any x in [0, R);
//            pinv = -1/p mod 2^Digit. The result lies in [0, p). wide_i may be 0 only if p <
//            2^Half. named_i may be other than NamedNone only if Named is set and p_i is that
//            prime; pinv_i, digits_i and wide_i are then of no account, and x is any number below R
//            and 2^Width.
// Step:      Z' = (Z + x_i y + q p) / 2^Digit,  q = (Z + x_i y_0) pinv mod 2^Digit,  from Z = 0; at
//            the end Z or Z - p, whichever is in [0, p). For special primes the same with 64 bits.
// Schedule:  both product arrays, of x_i y and of q p, are four lanes of Half / 4 bits (68) by
//            Digit. A step is cut in s segments of that width: s = 4 if wide_i = 0, otherwise as
//            many as the digits_i digits fill, at least 4: 5 to 340 bits, 6 to 408, 7 to 476, 8 to
//            544. Segment j of step i is number i s + j + o of a sequence of which four are worked
//            on in each cycle, in lanes 0 to 3; o = -s digits_i mod 4 lanes are idle in the first
//            cycle, so that the last cycle ends with the last segment in lane 3. So the end of a
//            step and the beginning of the next one share a cycle: they work on two digits with two
//            q.
// Order:     segment j of a step reads segments j and j + 1 of the step before, which are s and s -
//            1 places earlier; being 4 at least, that is an earlier cycle. (With s = 4 the places 3
//            earlier would be behind the last segment, which is the overflow of the step.) q needs
//            segment 0 alone, and is formed in the cycle in which that is worked on.
// Named:     the array of q p multiplies y by the upper half of the digit. q is t, the lowest 64
//            bits of Z + x_i y, or takes a few additions; q p is added as at most one shifted
//            number and one complement in each lane.
// Halves:    the products of P-521 and X448 are three of halves of the factors, in pm_named_halves;
//            to the schedule they are 14 or 11 steps of four segments.
// Latency:   ceil(s digits_i / 4) cycles, NamedCycles for a special prime; interval the same.
//            Operands accepted in cycle t give the result in cycle t + latency, in which the next
//            operands may be accepted.
//              bits             192  224  256  384  448  521
//              any modulus        6    7    8   18   25   34
//              special prime        3    4    4    9   11   14   (4 also for SM2 and 2^255 - 19)
// Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds until taken. The first digit
//            is worked on in the cycle of acceptance. p_i, pinv_i, digits_i, wide_i and named_i
//            must not change from acceptance to valid_o. wipe_i clears all registers that hold
//            data; what is under way then ends in its time with a result of no use.
// Reset:     idle; data registers are not reset.
// Constant time: the cycles depend on digits_i, wide_i and named_i alone.
// Source:    algorithm of Liu et al. 2023, Acta Electronica Sinica 51(6), algorithm 2; the lanes,
//            their schedule and the special primes are this design's.

module pm_mont_mul_packed
  import pm_named_prime_pkg::*;
#(
    parameter int unsigned Digit = 32,  // bits of a digit
    parameter int unsigned Half = 272,  // bits of the arrays; a multiple of 4, more than 4 Digit
    parameter int unsigned Tile = 0,  // of pm_digit_mul: 24 for DSP48E1, 0 for standard cells
    parameter bit Named = 1'b0,  // knows the primes of pm_named_prime_pkg; Digit 32, Half 272
    localparam int unsigned Width = 2 * Half,
    localparam int unsigned CountBits = $clog2(Width / Digit + 1)
) (
    input  logic                   clk_i,
    input  logic                   rst_ni,
    input  logic                   wipe_i,    // clear data registers
    input  logic   [    Width-1:0] p_i,       // modulus
    input  logic   [    Digit-1:0] pinv_i,    // -1/p mod 2^Digit
    input  logic   [CountBits-1:0] digits_i,  // digits of x, 1 to Width / Digit
    input  logic                   wide_i,    // 1: p may have more than Half bits
    input  named_e                 named_i,   // name of p if Named, or NamedNone
    input  logic                   valid_i,   // x_i, y_i are valid
    output logic                   ready_o,   // they are accepted
    input  logic   [    Width-1:0] x_i,       // factor below R
    input  logic   [    Width-1:0] y_i,       // factor below p
    output logic                   valid_o,   // r_o is valid
    input  logic                   ready_i,   // r_o is taken
    output logic   [    Width-1:0] r_o        // product in [0, p)
);

  localparam int unsigned Lanes = 4;
  localparam int unsigned Seg = Half / Lanes;
  localparam int unsigned Segs = 2 * Lanes;  // of Width
  localparam int unsigned Most = Named ? 2 * Digit : Digit;  // bits of the longest digit
  localparam int unsigned OverBits = Named ? Most + 2 : Most + 1;  // of what a segment passes on
  localparam int unsigned LaneBits = Seg + OverBits;
  localparam int unsigned HalvesBits = 576;  // of the sum of pm_named_halves
  localparam int unsigned LessBits = Half + OverBits + 1;

  if (Digit < 1 || Half % Lanes != 0 || Seg <= Digit || Width % Digit != 0) begin : gen_bad_half
    $fatal(1, "pm_mont_mul_packed: Half / 4 must be more than Digit, 2 Half a multiple of it.");
  end
  if (Named && (Digit != 32 || LaneBits != NamedLaneBits)) begin : gen_bad_named
    $fatal(1, "pm_mont_mul_packed: Named wants a Digit of 32 and a Half of 272.");
  end

  // --------------------------------------------------------------------------------- control
  logic busy_q, valid_q;
  logic special, special_q;  // p has a name
  logic halves;  // pm_named_halves makes the product
  logic [CountBits-1:0] left_q, left, digits;  // digits whose step has not begun; all of them
  logic [3:0] segs;  // s
  logic [1:0] idle;  // o
  logic [2:0] first_q, first;  // segment of lane 0
  logic [Lanes-1:0][2:0] seg;  // segment of a lane
  logic [Lanes-1:0] fresh;  // its step begins in this cycle
  logic [Lanes-1:0] bottom, top;  // it has the first, the last segment of a step
  logic active, last;

  assign special = Named && named_i != NamedNone;
  assign halves  = special && NamedSecond[named_i] != '0;
  assign digits  = special ? CountBits'(NamedSteps[named_i]) : digits_i;

  always_comb begin
    segs = 4'(Lanes);
    for (int unsigned s = Lanes + 1; s <= Segs; s++) begin
      if (wide_i && digits_i > CountBits'((s - 1) * Seg / Digit)) segs = 4'(s);
    end
    if (special) segs = 4'(NamedSegments[named_i]);
  end

  assign idle  = -(2'(digits) * segs[1:0]);
  assign first = busy_q ? first_q : idle == '0 ? '0 : 3'(segs - 4'(idle));

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      fresh[l]  = first == '0 || 4'(first) + 4'(l) >= segs;
      seg[l]    = 3'(4'(first) + 4'(l) >= segs ? 4'(first) + 4'(l) - segs : 4'(first) + 4'(l));
      bottom[l] = seg[l] == '0;
      top[l]    = 4'(seg[l]) + 4'd1 == segs;
    end
  end

  assign ready_o = !busy_q && (!valid_q || ready_i);
  assign active = busy_q || (valid_i && ready_o);
  assign left = busy_q ? left_q : digits;
  assign last = top[Lanes-1] && left <= CountBits'(fresh[Lanes-1]);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      busy_q  <= active && !last;
      valid_q <= (active && last) || (valid_q && !ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (active) begin
      left_q  <= left - CountBits'(fresh[Lanes-1]);
      first_q <= top[Lanes-1] ? '0 : seg[Lanes-1] + 3'd1;
    end
  end

  // -------------------------------------------------------------------------------- operands
  // The sum before its shift by a digit, cut in segments, that of lane 0 first: a cycle takes
  // four away in front and adds four behind. When the last step is done segment j is at place j.
  logic [Segs:0][Seg-1:0] v_q;
  logic [(Segs+1)*Seg-1:0] v_flat;
  logic [OverBits-1:0] over_q;  // what the last step leaves above its segments
  logic [OverBits-1:0] carry_q;  // what lane 3 passes on to lane 0 of the next cycle
  logic [Width-1:0] x_q, y_q, x;
  logic [Most-1:0] digit_q, q_q;  // of the step that goes on
  logic [Segs-1:0][Seg-1:0] y, p;
  logic [Lanes-1:0][Seg-1:0] y_half_a, y_half_b;  // of pm_named_halves
  logic [Digit-1:0] digit_a, digit_b, x_top;
  logic y_change;
  logic [Half-1:0] y_sum;
  logic [HalvesBits-1:0] halves_sum;
  logic [Width-1:0] halves_product;
  logic [Lanes-1:0][Most-1:0] digit;
  logic [Lanes-1:0][Digit-1:0] q;
  logic [Lanes-1:0][Seg-1:0] p_lane;
  logic [Lanes-1:0][Seg:0] z;

  assign v_flat = v_q;
  assign x = busy_q ? x_q : x_i;
  assign y = busy_q ? y_q : y_i;
  assign p = p_i;

  always_comb begin
    logic [OverBits-1:0] above;
    for (int unsigned l = 0; l < Lanes; l++) begin
      digit[l] = fresh[l] ? x[Most-1:0] : busy_q ? digit_q : '0;
      p_lane[l] = p[seg[l]];
      above = top[l] ? over_q
          : special ? OverBits'(v_q[l+1][Most-1:0]) : OverBits'(v_q[l+1][Digit-1:0]);
      z[l] = special ? (Seg + 1)'({above, v_q[l]} >> Most) : (Seg + 1)'({above, v_q[l]} >> Digit);
      if (!busy_q) z[l] = '0;
    end
  end

  // -------------------------------------------------------------------------------- products
  // The second array multiplies q and p, or the upper half of a long digit and y.
  logic [Lanes-1:0][Seg+Digit-1:0] first_product, second_product;
  logic [Lanes-1:0][LaneBits-1:0] early, both, plus, minus, sum;
  logic [2*Digit-1:0] quotient;
  logic [  Digit-1:0] to_clear;
  logic [   Most-1:0] q_named;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    pm_digit_mul #(
        .Width(Seg),
        .Digit(Digit),
        .Tile (Tile)
    ) u_first (
        .a_i(halves ? y_half_a[l] : y[seg[l]]),
        .d_i(halves ? digit_a : digit[l][Digit-1:0]),
        .p_o(first_product[l])
    );

    // What does not wait for q is added before q p arrives.
    assign early[l] = LaneBits'(z[l]) + LaneBits'(first_product[l])
        + (l == 0 && busy_q ? LaneBits'(carry_q) : '0);
    assign q[l] = fresh[l] ? quotient[Digit-1:0] : busy_q ? q_q[Digit-1:0] : '0;

    pm_digit_mul #(
        .Width(Seg),
        .Digit(Digit),
        .Tile (Tile)
    ) u_second (
        .a_i(halves ? y_half_b[l] : special ? y[seg[l]] : p_lane[l]),
        .d_i(halves ? digit_b : special ? digit[l][Most-1-:Digit] : q[l]),
        .p_o(second_product[l])
    );

    assign both[l] = early[l]
        + (special ? LaneBits'(second_product[l]) << Digit : LaneBits'(second_product[l]));
    assign sum[l] = both[l] + (plus[l] + minus[l]);
  end

  always_comb begin
    to_clear = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (bottom[l]) to_clear |= early[l][Digit-1:0];
    end
  end

  pm_digit_mul #(
      .Width(Digit),
      .Digit(Digit),
      .Tile (Tile)
  ) u_quotient (
      .a_i(pinv_i),
      .d_i(to_clear),
      .p_o(quotient)
  );

  logic unused_quotient;
  assign unused_quotient = ^quotient[2*Digit-1:Digit];

  // ----------------------------------------------------------------------------- named primes
  if (Named) begin : gen_named
    // t is what q clears; the words are those of pm_named_prime_pkg. All but q itself are wanted in
    // the cycle of t alone.
    logic [Most-1:0] t, by_513, by_19, by_171, half_sum;
    logic [Most+4:0] times_19;
    logic [3:0][96:0] word;

    always_comb begin
      t = '0;
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (bottom[l]) t |= both[l][Most-1:0];
      end
    end

    // t / 19 = 27 t / 513, and 1 / (1 + 2^9) = (1 - 2^9) (1 + 2^18) (1 + 2^36) modulo 2^64.
    always_comb begin
      by_513 = t - (t << 9);
      by_513 = by_513 + (by_513 << 18);
      by_513 = by_513 + (by_513 << 36);
      by_171 = by_513 + (by_513 << 1);
      by_19 = by_171 + (by_171 << 3);
      half_sum = {2{t[Most-1:Digit]}} + {2{t[Digit-1:0]}};  // upper half: with the end-around carry
      unique case (named_i)
        NamedP224:   q_named = -t;
        NamedP384:   q_named = {half_sum[Digit-1:0], t[Digit-1:0]};
        NamedX25519: q_named = by_19;
        default:     q_named = t;
      endcase
      times_19       = (Most + 5)'(by_19) + ((Most + 5)'(by_19) << 1) + ((Most + 5)'(by_19) << 4);
      word           = '0;
      word[WordTwin] = 97'(q_named) + {1'b0, q_named, {Digit{1'b0}}};
      word[WordHalf] = 97'(half_sum[Most-1:Digit]);
      word[WordRest] = 97'(times_19[Most+4:Most]);
    end

    pm_named_halves u_halves (
        .clk_i,
        .wipe_i,
        .enable_i(active && halves),
        .first_i(!busy_q),
        .left_i(left),
        .named_i,
        .x_i(x),
        .y_i(y),
        .x_top_o(x_top),
        .y_change_o(y_change),
        .y_sum_o(y_sum),
        .half_a_o(y_half_a),
        .half_b_o(y_half_b),
        .digit_a_o(digit_a),
        .digit_b_o(digit_b),
        .product_a_i(first_product),
        .product_b_i(second_product),
        .lower_i(v_flat[HalvesBits/2-1:0]),
        .upper_i(v_flat[HalvesBits-1-:HalvesBits/2]),
        .lower_o(halves_sum[HalvesBits/2-1:0]),
        .upper_o(halves_sum[HalvesBits-1-:HalvesBits/2]),
        .r_o(halves_product)
    );

    logic unused_times_19;
    assign unused_times_19 = ^times_19[Most-1:0];

    for (genvar l = 0; l < Lanes; l++) begin : gen_rows
      logic hit;
      logic [Most-1:0] q_lane;
      logic [LaneBits-1:0] number;

      always_comb begin
        q_lane   = fresh[l] ? q_named : q_q;
        plus[l]  = '0;
        minus[l] = '0;
        number   = '0;
        hit      = 1'b0;
        for (int unsigned k = 0; k < NumPlaces; k++) begin
          if (Places[k].lanes[l]) begin
            hit = named_i == Places[k].named && seg[l] == Places[k].segment;
            plus[l] |= {LaneBits{hit}} & Places[k].plus_ones;
            minus[l] |= {LaneBits{hit}} & Places[k].minus_ones;
            if (Places[k].plus) begin
              number = LaneBits'(word[Places[k].plus_word]);
              if (Places[k].plus_word == WordQ) number = LaneBits'(q_lane);
              plus[l] |= {LaneBits{hit}} & (number << Places[k].plus_at);
            end
            if (Places[k].minus) begin
              number = LaneBits'(word[Places[k].minus_word]);
              if (Places[k].minus_word == WordQ) number = LaneBits'(q_lane);
              number = ~number & ((LaneBits'(1) << word_bits(Places[k].minus_word)) - LaneBits'(1));
              minus[l] |= {LaneBits{hit}} & (number << Places[k].minus_at);
            end
          end
        end
      end
    end
  end else begin : gen_unnamed
    assign q_named = '0;
    assign plus = '0;
    assign minus = '0;
    assign {x_top, y_change, y_sum, y_half_a, y_half_b, digit_a, digit_b} = '0;
    assign {halves_sum, halves_product} = '0;
  end

  // ------------------------------------------------------------------------------------ sums
  // Lanes of one step are joined by one carry chain, with a bit between lanes that lets the carry
  // through within a step, and catches it at its end.
  logic [Lanes-1:0][Seg:0] lower, upper, joined;
  logic [Lanes-1:0][OverBits-1:0] over;
  logic [OverBits-1:0] over_top;
  logic [Lanes-1:0][Seg-1:0] v_lane, low_less;
  logic borrow;  // from the segments below the lanes
  logic [Most-1:0] p_below;  // bits of p below those of lane 0
  logic [Half+Most-1:0] p_shifted;
  logic [LessBits-1:0] less;  // two's complement
  logic take_less;

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      lower[l] = {!top[l] && l != Lanes - 1, sum[l][Seg-1:0]};
      upper[l] = '0;
      if (l != 0 && !bottom[l]) upper[l] = (Seg + 1)'(sum[l-1][LaneBits-1:Seg]);
    end
  end

  assign joined = lower + upper;

  always_comb begin
    over_top = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      v_lane[l] = joined[l][Seg-1:0];
      over[l]   = sum[l][LaneBits-1:Seg] + OverBits'(joined[l][Seg]);
      if (top[l]) over_top |= over[l];
    end
  end

  // Sum - 2^Digit p, in the last cycle: segments from 0 on are at place 4, the last four in the
  // lanes.
  assign p_shifted = special ? {p_i[Half-1:0], {Most{1'b0}}}
      : (Half + Most)'({p_i[Half-1:0], {Digit{1'b0}}});

  always_comb begin
    logic running;
    running = 1'b0;
    borrow  = 1'b0;
    p_below = '0;
    for (int unsigned j = 0; j < Lanes; j++) begin
      {running, low_less[j]} = {1'b0, v_q[Lanes+j]} - (Seg + 1)'(running)
          - {1'b0, Seg'(p_shifted >> (j * Seg))};
      if (segs == 4'(Lanes + 1 + j)) begin
        borrow  = running;
        p_below = p_i[(j+1)*Seg-Most+:Most];
      end
    end
  end

  assign less = {1'b0, over_top, v_lane} - LessBits'(borrow)
      - (special ? LessBits'({p_lane, p_below}) : LessBits'({p_lane, p_below[Most-1-:Digit]}));
  assign take_less = last && !less[LessBits-1];

  // ------------------------------------------------------------------------------- registers
  logic [Segs:0][Seg-1:0] v_d;

  always_comb begin
    v_d = '0;
    for (int unsigned k = 0; k < Lanes; k++) begin
      if (busy_q) v_d[k] = take_less ? low_less[k] : v_q[k+Lanes];
    end
    for (int unsigned s = Lanes; s <= Segs; s++) begin
      if (segs == 4'(s)) begin
        {v_d[s], v_d[s-1-:Lanes]} = take_less ? (Half + Seg)'(less[LessBits-2:0])
            : {Seg'(over_top), v_lane};
      end
    end
    if (halves) v_d = ((Segs + 1) * Seg)'(last ? {halves_product, Most'(0)} : halves_sum);
  end

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      x_q <= '0;
      y_q <= '0;
      v_q <= '0;
      digit_q <= '0;
      q_q <= '0;
      over_q <= '0;
      carry_q <= '0;
    end else if (active) begin
      x_q <= !fresh[Lanes-1] ? x : special &&
          !halves ? x >> Most : {halves ? x_top : '0, x[Width-1:Digit]};
      y_q <= halves && y_change ? Width'(y_sum) : y;
      special_q <= special;
      v_q <= v_d;
      digit_q <= digit[Lanes-1];
      q_q <= special ? q_named : Most'(q[Lanes-1]);
      over_q <= top != '0 ? over_top : busy_q ? over_q : '0;
      carry_q <= top[Lanes-1] ? '0 : over[Lanes-1];
    end
  end

  assign valid_o = valid_q;
  assign r_o = special_q ? v_flat[Most+:Width] : v_flat[Digit+:Width];

  logic unused_v;
  assign unused_v = ^v_flat[(Segs+1)*Seg-1:Width+Most] ^ ^v_flat[Digit-1:0];

endmodule
