// SPDX-License-Identifier: Apache-2.0
//
// Modular inverse: inv_o = a_i^-1 mod p, p = 2^N - C odd, by the binary extended Euclidean
// algorithm with one step per cycle.
//
// Operands: a_i is any value in [0, 2^(N+1)); it needs no reduction beforehand, because the first
// subtractions of the algorithm do it. The result is canonical, in [0, p). a_i = 0 mod p gives 0,
// and so does every a_i that has a factor in common with p.
//
// Invariants (s1, s2 = +1 or -1 from neg1_q, neg2_q):
//     s1 * x1 * a = u,  s2 * x2 * a = v  (mod p),  v odd,  |x1| < p,  |x2| < p.
// Step, with k = min(number of trailing zeros, MaxShift):
//     u even:        u = u / 2^k,        x1 = (x1 + c*p) / 2^k
//     u odd, u >= v: u = (u - v) / 2^k,  x1 = (x1 - s1*s2*x2 + c*p) / 2^k
//     u odd, u < v:  the same with v - u; the old u, x1 become v, x2, and s1 changes its sign.
// The sign flags spare the negation, so that x1 needs a single adder. c makes the sum divisible by
// 2^k. Bounds: t = x1 - s1*s2*x2 has |t| < 2p. For k >= 2, c lies in (-2^(k-1), 2^(k-1)], hence
// |t + c*p| < (2 + 2^(k-1)) * p <= 2^k * p. For k = 1 and odd t, c = -1 when x1 >= 0 and c = +1
// otherwise: t is then above -p (below p), so that |t + c*p| < 2p. So |x1| < p is kept.
// The loop ends when u or v is 1, or u is 0 (no inverse).
// k, c and the signs of a step follow from the lowest MaxShift bits. They are found in the cycle
// before, from the low bits of the differences and of the sum, which are there long before the
// carries reach the upper ones.
//
// Latency: data dependent; accept to valid_o is the number of steps + 2 cycles. Measured at
// p = 2^255 - 19 on 20,000 random operands: mean 206.1, longest 226 with MaxShift = 3; 240.2 and
// 260 with 2; 359.2 and 400 with 1. Interval: latency + 1 (one job at a time).
// Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds until taken. clear_i abandons
// the job or the result. Reset: idle; data registers are not reset.
// Constant time: NO. The number of cycles depends on a_i; for public data only.
// Source: extended Euclid in place of Fermat as in Xue et al. 2022, J. Commun. 43(3), section 3
// (table 5: 507 cycles on average); signed cofactors and multi-bit shifts are this design's.

module pm_inverter #(
    parameter int unsigned N = 255,  // p = 2^N - C; N at least 5
    parameter int unsigned C = 19,  // odd, below 2^(N-1)
    parameter int unsigned MaxShift = 3  // most trailing zeros removed per cycle, 1 to 3
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,  // abandon the job, drop the result
    input  logic         valid_i,  // a_i is valid
    output logic         ready_o,  // idle
    input  logic [  N:0] a_i,      // operand, any value
    output logic         valid_o,  // inv_o is valid
    input  logic         ready_i,  // inv_o is taken
    output logic [N-1:0] inv_o     // inverse in [0, p); 0 if there is none
);

  if (N < 5 || MaxShift < 1 || MaxShift > 3) begin : gen_check_range
    $fatal(1, "pm_inverter: N must be at least 5 and MaxShift 1, 2 or 3.");
  end
  if (C % 2 == 0 || (N < 33 && (64'(C) >> (N - 1)) != 0)) begin : gen_check_modulus
    $fatal(1, "pm_inverter: C must be odd and below 2^(N-1).");
  end

  localparam logic [N-1:0] P = N'({1'b1, {N{1'b0}}} - (N + 1)'(C));
  localparam int unsigned SumWidth = N + 1 + MaxShift;  // signed, holds |t + c*p| < 2^MaxShift * p

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StDone
  } state_e;

  // What a step does.
  typedef struct packed {
    logic odd;  // u is odd: v and x2 take part
    logic negate;  // x2 is subtracted
    logic [1:0] shift;  // k
    logic by_sign;  // c is 1 or -1, by the sign of x1
    logic signed [3:0] c;  // otherwise
  } step_t;

  state_e state_q, state_d;
  step_t step_q, step_d;
  logic [N:0] u_q, u_d;  // u < 2^(N+1)
  logic [N-1:0] v_q, v_d;  // v <= p, odd
  logic v_one_q, v_one_d;  // v is 1
  logic signed [N:0] x1_q, x1_d, x2_q, x2_d;  // in (-p, p)
  logic neg1_q, neg1_d, neg2_q, neg2_d;

  // The step that follows from the lowest bits of u, v, x1 and x2.
  function automatic step_t decide(input logic [MaxShift-1:0] u, input logic [MaxShift-1:0] v,
                                   input logic [MaxShift-1:0] x1, input logic [MaxShift-1:0] x2,
                                   input logic neg1, input logic neg2);
    logic [MaxShift-1:0] u_low, t_low, c_low;
    decide.odd = u[0];
    decide.negate = u[0] && neg1 == neg2;
    // Both differences have the same number of trailing zeros, known without their signs.
    u_low = u[0] ? u - v : u;
    decide.shift = 2'(MaxShift);
    for (int unsigned i = MaxShift - 1; i >= 1; i--) begin
      if (u_low[i]) decide.shift = 2'(i);
    end
    t_low = x1 + (!u[0] ? '0 : decide.negate ? ~x2 : x2) + MaxShift'(decide.negate);
    // t + c*p = t - c*C = 0 mod 2^k, and C is its own inverse modulo 8. Written as sums, since
    // synthesis gives a product of three bits a whole multiplier.
    c_low = t_low;
    for (int unsigned i = 1; i < MaxShift; i++) begin
      if ((C >> i) % 2 == 1) c_low += t_low << i;
    end
    decide.by_sign = decide.shift == 2'd1 && c_low[0];
    unique case (decide.shift)
      2'd1: decide.c = '0;
      2'd2: decide.c = (2'(c_low) == 2'd3) ? -4'sd1 : signed'({2'b00, 2'(c_low)});
      default: decide.c = signed'({3'(c_low) > 3'd4, 3'(c_low)});
    endcase
  endfunction

  // ------------------------------------------------------------------------------------- |u - v|
  logic [N+1:0] diff_uv;
  logic [N:0] diff_vu;  // valid when u is less
  logic swap;  // u and v change places
  logic [N:0] u_magnitude;

  assign diff_uv = {1'b0, u_q} - {2'b00, v_q};
  assign diff_vu = {1'b0, v_q} - u_q;
  assign swap = step_q.odd && diff_uv[N+1];
  assign u_magnitude = !step_q.odd ? u_q : swap ? diff_vu : diff_uv[N:0];

  // ------------------------------------------------------------------- cofactor: (t + c*p) / 2^k
  logic signed [N:0] x2_term;
  logic signed [3:0] c;
  logic signed [SumWidth-1:0] c_times_p, sum;
  logic signed [N:0] x1_next;

  assign x2_term = !step_q.odd ? '0 : step_q.negate ? ~x2_q : x2_q;
  assign c = !step_q.by_sign ? step_q.c : x1_q[N] ? 4'sd1 : -4'sd1;

  // A selection among constants, not a multiplication.
  always_comb begin
    c_times_p = '0;
    for (int i = -3; i <= 4; i++) begin
      if (c == 4'(i)) c_times_p = SumWidth'(i) * signed'({{(MaxShift + 1) {1'b0}}, P});
    end
  end

  assign sum = SumWidth'(x1_q) + SumWidth'(x2_term) + c_times_p
      + signed'({{(SumWidth - 1) {1'b0}}, step_q.negate});
  assign x1_next = (N + 1)'(sum >>> step_q.shift);

  // ----------------------------------------------------------------------------- the step after
  // Both ways, since swap is the last to be known. After a change of places the signs differ.
  logic [MaxShift-1:0] u_kept, u_swapped;
  step_t step_kept, step_swapped;

  assign u_kept = MaxShift'((step_q.odd ?
      diff_uv[2*MaxShift-1:0] : u_q[2*MaxShift-1:0]) >> step_q.shift);
  assign u_swapped = MaxShift'(diff_vu[2*MaxShift-1:0] >> step_q.shift);
  assign step_kept = decide(
      u_kept, v_q[MaxShift-1:0], x1_next[MaxShift-1:0], x2_q[MaxShift-1:0], neg1_q, neg2_q
  );
  assign step_swapped = decide(
      u_swapped, u_q[MaxShift-1:0], x1_next[MaxShift-1:0], x1_q[MaxShift-1:0], 1'b0, 1'b1
  );

  // ----------------------------------------------------------------------------------- result
  logic last, invertible;
  logic signed [N:0] x_end;
  logic neg_end, below_zero;
  logic [N-1:0] result;

  assign last       = v_one_q || (u_q[N:1] == '0);
  assign invertible = v_one_q || u_q[0];
  assign x_end      = v_one_q ? x2_q : x1_q;
  assign neg_end    = v_one_q ? neg2_q : neg1_q;
  assign below_zero = x_end[N] ^ neg_end;  // of s * x; x is not 0 when there is an inverse
  assign result     = (below_zero ? P : '0) + (x_end[N-1:0] ^ {N{neg_end}}) + N'(neg_end);

  // ------------------------------------------------------------------------------ state, registers
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (valid_i) state_d = StRun;
      StRun:   if (last) state_d = StDone;
      StDone:  if (ready_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_comb begin
    step_d = step_q;
    u_d = u_q;
    v_d = v_q;
    v_one_d = v_one_q;
    x1_d = x1_q;
    x2_d = x2_q;
    neg1_d = neg1_q;
    neg2_d = neg2_q;
    unique case (state_q)
      StIdle: begin
        u_d = a_i;
        v_d = P;
        v_one_d = 1'b0;
        x1_d = (N + 1)'(1);
        x2_d = '0;
        neg1_d = 1'b0;
        neg2_d = 1'b0;
        step_d = decide(u_d[MaxShift-1:0], P[MaxShift-1:0], MaxShift'(1), '0, 1'b0, 1'b0);
      end
      StRun: begin
        step_d = swap ? step_swapped : step_kept;
        u_d = u_magnitude >> step_q.shift;
        x1_d = x1_next;
        if (swap) begin
          v_d = u_q[N-1:0];
          v_one_d = u_q == (N + 1)'(1);
          x2_d = x1_q;
          neg2_d = neg1_q;
          neg1_d = !neg1_q;
        end
        if (last) x1_d = invertible ? {1'b0, result} : '0;
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    step_q <= step_d;
    u_q <= u_d;
    v_q <= v_d;
    v_one_q <= v_one_d;
    x1_q <= x1_d;
    x2_q <= x2_d;
    neg1_q <= neg1_d;
    neg2_q <= neg2_d;
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;
  assign inv_o   = x1_q[N-1:0];

endmodule
