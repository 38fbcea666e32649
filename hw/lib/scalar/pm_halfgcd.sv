// SPDX-License-Identifier: Apache-2.0
//
// Half-size scalars: for k < L a pair (c, d) with c = d * k mod 8L, d odd, both of about 128 bits
// for most k. S G - k A = R then holds on the whole curve (its group has exponent 8L) exactly if
// d S G - c A - d R = 0, because d is invertible modulo 8L (below).
//
// Extended Euclid by shift and subtract on pairs (r, t), r = t * k mod 8L, starting from (8L, 0)
// and (k, 1). A step takes the pair with the larger remainder, (r0, t0), and replaces it by (r0
// -+ r1 * 2^s, t0 -+ t1 * 2^s), the sign such that |r0| and |r1| * 2^s are subtracted. With n
// the bit length of a remainder and m the bit below its leading one, s = n0 - n1 - (m1 and not
// m0). The unit stops at the first pair it makes with |r| < 2^StopBits, t odd and r not 0 (r =
// -2^StopBits counts as below); (k, 1) itself may be that pair, also if k = 0. It then forms |r|
// and |t|.
// Of a negative remainder, n and m are those of |r| - 0, the numbers just below |r|: all ranges
// below are closed at that end, and hold.
//
// Why it ends. The larger remainder is the one with larger (n, m), so s >= 0. |r1| * 2^s and
// |r0| have equal n, or the former is shorter by one and (m1, m0) = (1, 0); either way the new
// remainder has at least one bit less. The step matrices have determinant +-1, so t0 and t1 are
// coprime: never both even. If the smaller remainder is below the bound without stopping, its t
// is even, so the other t is odd, stays odd (odd minus even) and its remainder shrinks until it
// stops, or jumps to 0. In that case |r1| = gcd(k, 8L) and |t0| = 8L / |r1|, which is odd: |r1| =
// 8, |t0| = L. The next step (s = 0) makes (-+r1, t0 -+ t1) with t odd, and stops. Every other
// step starts from |r0| >= 2^StopBits and takes a bit off it, so there are at most (256 -
// StopBits) + (253 - StopBits) + 1 steps.
// How large t gets. Let W = |t0 r1| + |t1 r0|; r0 t1 - r1 t0 = +-8L always. A step that keeps
// the sign of r0 does not increase W. One that changes it has |r1| * 2^s <= 1.5 |r0| (otherwise
// m1 = 1, m0 = 0 and s is one less), so |r0'| <= |r0| / 2, and, if the products then have the
// same sign, W' = 8L + 2u' with u' = |t1 r0'| <= |t1 r0| / 2 <= (8L + u) / 2: u <= 8L, W <= 24L,
// throughout. Both remainders at or above 2^StopBits: |t| < 24L / 2^StopBits. Once r1 is below,
// t1 is even, so r1 = t1 k mod 8L is even, and |t0| <= 24L / |r1| <= 12L < 2^256; after r0 = 0,
// |t0| <= L + |t1|. So d, which is of StopBits size for random k, fits 256 bits for every k.
// Why d is invertible. It is odd. If L divided d, it would divide c; but 0 < |c| <= 2^StopBits < L,
// or k = 0, c = 0 and d = 1.
//
// Operands: 0 <= k < L (k = L has no such d and would never end). c_o, d_o: magnitudes.
// Latency: accept to valid_o in 7 * steps + 9 cycles; mean 638 for uniform k, at most 1,787 for
// any k (StopBits = 128).
// Interval: latency + 1. A step is: decide; shift r1 by multiples of 64; of 4; by the rest and add
//           to r0
// in segments; select (pm_segadd); leading one in each group; of all. One shifter and one adder
// serve both columns, t one cycle after r.
// Handshake: valid_i/ready_o, then valid_o/ready_i; results hold until taken. clear_i abandons job
// and result. Reset: idle.
// Constant time: NO. For public scalars only.
// Source: T. Pornin, "Optimized Lattice Basis Reduction In Dimension 2, and Fast Schnorr and EdDSA
// Signature Verification" (IACR ePrint 2020/454) for the use of short vectors; step rule, stop rule
// and bounds are this design's.

module pm_halfgcd
  import pm_scalar_pkg::*;
#(
    // remainders below 2^StopBits end the search, 100 to 160
    parameter int unsigned StopBits = 128,
    parameter int unsigned SegmentBits = 86  // bits of a carry chain of the adder, 2 to 257
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,  // abandon the job, drop the result
    input  logic         valid_i,  // k_i is valid
    output logic         ready_o,  // idle
    input  logic [252:0] k_i,      // scalar, below L
    output logic         valid_o,  // the results are valid
    input  logic         ready_i,  // the results are taken
    output logic         c_neg_o,  // 1: c is negative
    output logic [255:0] c_o,      // |c|, at most 2^StopBits
    output logic         d_neg_o,  // 1: d is negative
    output logic [255:0] d_o       // |d|, odd
);

  if (StopBits < 100 || StopBits > 160) begin : gen_check
    $fatal(1, "pm_halfgcd: StopBits must lie between 100 and 160.");
  end

  typedef enum logic [3:0] {
    StIdle,
    StLead,  // leading one in each group of r; new t
    StLeadAll,  // leading one of r
    StDecide,  // order the pairs, choose the shift, or stop
    StShiftR,  // r of the lesser pair by multiples of 64
    StShiftT,  // t likewise; r by multiples of 4
    StAddR,  // r by the rest, segments of the new r; t by multiples of 4
    StAddT,  // t by the rest, segments of the new t; new r
    StDone
  } state_e;

  // Size of a remainder, ordered like its magnitude.
  typedef struct packed {
    logic [8:0] length;    // bit length, counted from one place below the units of {|r|, s, s}
    logic       mantissa;  // bit below the leading one
  } size_t;

  localparam logic [256:0] Modulus = {1'b0, L, 3'd0};
  localparam size_t ModulusSize = '{length: 9'd257, mantissa: 1'b0};

  state_e state_q, state_d;
  logic [1:0][256:0] r_q, t_q;  // the two pairs, two's complement
  logic slot_q;  // up to the decision the pair made last, then the greater one, which is replaced
  size_t size0_q, size1_q, size;  // of the pair made last, of the other
  logic zero0_q;  // the remainder made last is 0
  logic [7:0] shift_q, shift;
  logic sub_q;  // subtract the shifted value
  logic first_q;  // the pair made last is (k, 1)
  logic last_q;  // form magnitudes, in pair 0
  logic c_neg_q, d_neg_q;

  // ------------------------------------------------------------------ shifter and adder, one each
  // The shift has three parts, by multiples of 64, of 4, and the rest, one a cycle. Selections are
  // registers of their own, because each of them reaches 257 bits; those before the adder and the
  // second shift once for each part of these bits. These are loaded at different times, lest tools
  // make one of them again.
  localparam int unsigned Parts = 3;
  localparam int unsigned PartBits = 86;

  logic [256:0] to_shift, coarse_q, middle_q, shifted, base, sum;
  logic [1:0] shift_sel_q;  // {t, pair}
  logic [Parts-1:0][3:0] middle_shift_q;
  logic [Parts-1:0][1:0] fine_shift_q;
  logic [Parts-1:0] base_pair_q, base_t_q;
  logic fill_q;  // the complement is added

  assign to_shift = shift_sel_q[1] ? t_q[shift_sel_q[0]] : r_q[shift_sel_q[0]];

  for (genvar i = 0; i < int'(Parts); i++) begin : gen_part
    localparam int unsigned From = i * PartBits;
    localparam int unsigned Bits = i == int'(Parts) - 1 ? 257 - From : PartBits;
    logic [ Bits+2:0] longer;  // with the three bits below
    logic [Bits+59:0] coarse;  // with those that a shift by up to 60 brings

    if (i == 0) begin : gen_first
      assign longer = {middle_q[Bits-1:0], {3{fill_q}}};
      assign coarse = {coarse_q[Bits-1:0], 60'd0};
    end else begin : gen_other
      assign longer = middle_q[From+Bits-1:From-3];
      assign coarse = coarse_q[From+Bits-1:From-60];
    end

    assign shifted[From+:Bits] = Bits'(longer >> (2'd3 - fine_shift_q[i]));
    assign base[From+:Bits] = base_t_q[i] ? t_q[base_pair_q[i]][From+:Bits]
                                          : r_q[base_pair_q[i]][From+:Bits];

    always_ff @(posedge clk_i) begin
      middle_q[From+:Bits] <= Bits'(coarse >> {4'd15 - middle_shift_q[i], 2'd0}) ^ {Bits{sub_q}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StShiftR) begin
      {fine_shift_q[0], base_pair_q[0], middle_shift_q[0]} <= {shift_q[1:0], slot_q, shift_q[5:2]};
    end
    if (state_q == StShiftT) {fine_shift_q[1], base_pair_q[1]} <= {shift_q[1:0], slot_q};
    if (state_q == StShiftR || state_q == StShiftT) begin
      {fine_shift_q[2], base_pair_q[2]} <= {shift_q[1:0], slot_q};
    end
    if (state_q == StShiftR || state_q == StAddT) middle_shift_q[1] <= shift_q[5:2];
    if (state_q == StShiftR || state_q == StLead) middle_shift_q[2] <= shift_q[5:2];
    base_t_q[0] <= state_q == StAddR;
    if (state_q == StAddR) base_t_q[2:1] <= '1;
    if (state_q == StShiftR) base_t_q[1] <= 1'b0;
    if (state_q == StShiftT) base_t_q[2] <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    coarse_q <= to_shift << {shift_q[7:6], 6'd0};
    fill_q   <= sub_q;
  end

  pm_segadd #(
      .Width(257),
      .SegmentBits(SegmentBits)
  ) u_add (
      .clk_i,
      .en_i(1'b1),
      .a_i(base),
      .b_i(shifted),
      .carry_i(fill_q),
      .sum_o(sum)
  );

  // Of each pair: r or t takes the sum, both become 0. Known a cycle ahead, because they reach
  //               every bit.
  logic [1:0] write_r_q, write_t_q, wipe_q;
  logic write;  // to which pair

  assign write = slot_q && !last_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) begin
      write_r_q[i] <= state_q == StAddR && write == i[0];
      write_t_q[i] <= state_q == StAddT && write == i[0];
      // the magnitude is 0 +- the other one
      wipe_q[i] <= state_q == StShiftR && last_q && slot_q == i[0];
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_pair
    always_ff @(posedge clk_i) begin
      if (state_q == StIdle) begin
        r_q[i] <= (i == 0) ? 257'(k_i) : Modulus;
        t_q[i] <= (i == 0) ? 257'd1 : '0;
      end else if (wipe_q[i]) begin
        r_q[i] <= '0;
        t_q[i] <= '0;
      end else begin
        if (write_r_q[i]) r_q[i] <= sum;
        if (write_t_q[i]) t_q[i] <= sum;
      end
    end
  end

  // --------------------------------------------------------------- leading one of the latest r
  // |r| (less one if negative) with two copies of the sign below the units: -1 is just below 1,
  // and so on for all powers of two. 17 groups of 16 bits.
  localparam int unsigned Groups = 17;
  logic [256:0] latest_q;  // a copy that has no other load
  logic [16*Groups:0] scan;  // one more bit at the bottom, for the mantissa of bit 0

  assign scan = {
    (16 * Groups - 258)'(0), latest_q[255:0] ^ {256{latest_q[256]}}, {2{latest_q[256]}}, 1'b0
  };

  logic [Groups-1:0] any_q;
  logic [Groups-1:0][4:0] local_q;  // place in the group, mantissa

  for (genvar g = 0; g < int'(Groups); g++) begin : gen_group
    logic any, mantissa;
    logic [3:0] place;

    pm_highest #(
        .Leaves  (16),
        .DataBits(1)
    ) u_highest (
        .word_i (scan[16*g+1+:16]),
        .data_i (scan[16*g+:16]),
        .any_o  (any),
        .index_o(place),
        .data_o (mantissa)
    );

    always_ff @(posedge clk_i) begin
      any_q[g]   <= any;
      local_q[g] <= {place, mantissa};
    end
  end

  // Without any bit it is group 0 and place 0, whose mantissa is 0.
  logic nonzero;

  pm_highest #(
      .Leaves  (32),
      .DataBits(5)
  ) u_highest (
      .word_i ({15'd0, any_q}),
      .data_i ({75'd0, local_q}),
      .any_o  (nonzero),
      .index_o(size[9:5]),
      .data_o (size[4:0])
  );

  // -------------------------------------------------------------------------------------- decision
  logic small0, stop, swap;
  logic [7:0] shift01, shift10;

  assign small0 = size0_q.length <= 9'(StopBits + 1);
  assign stop = small0 && t_q[slot_q][0] && (first_q || !zero0_q);
  // A remainder of 0 stays: the next step adds the other one to it.
  assign swap = stop || (!zero0_q && size0_q < size1_q);
  assign shift01 = 8'(size0_q.length - size1_q.length) - 8'(size1_q.mantissa && !size0_q.mantissa);
  assign shift10 = 8'(size1_q.length - size0_q.length) - 8'(size0_q.mantissa && !size1_q.mantissa);
  assign shift = (stop || zero0_q) ? '0 : (size0_q < size1_q) ? shift10 : shift01;

  // ------------------------------------------------------------------------------ state, registers
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (valid_i) state_d = StLead;
      StLead:    state_d = last_q ? StDone : StLeadAll;
      StLeadAll: state_d = StDecide;
      StDecide:  state_d = StShiftR;
      StShiftR:  state_d = StShiftT;
      StShiftT:  state_d = StAddR;
      StAddR:    state_d = StAddT;
      StAddT:    state_d = StLead;
      StDone:    if (ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle: begin
        slot_q   <= 1'b0;
        latest_q <= 257'(k_i);
        size1_q  <= ModulusSize;
        first_q  <= 1'b1;
        last_q   <= 1'b0;
      end
      StLeadAll: begin
        size0_q <= size;
        zero0_q <= !nonzero;
      end
      StDecide: begin
        if (swap) size1_q <= size0_q;
        slot_q <= slot_q ^ swap;
        shift_q <= shift;
        shift_sel_q <= {1'b0, !(slot_q ^ swap)};
        first_q <= 1'b0;
        last_q <= stop;
      end
      StShiftR: begin
        sub_q <= last_q ? r_q[!slot_q][256] : r_q[0][256] == r_q[1][256];
        c_neg_q <= r_q[!slot_q][256];
        d_neg_q <= t_q[!slot_q][256];
        shift_sel_q[1] <= 1'b1;
      end
      StShiftT: if (last_q) sub_q <= d_neg_q;
      StAddT:   latest_q <= sum;
      default:  ;
    endcase
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;
  assign c_neg_o = c_neg_q;
  assign c_o     = r_q[0][255:0];
  assign d_neg_o = d_neg_q;
  assign d_o     = t_q[0][255:0];

endmodule
