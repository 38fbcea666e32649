// SPDX-License-Identifier: Apache-2.0
//
// Inverse inv_o = a_i^-1 mod p of wide numbers for any odd modulus p, at a short cycle: one step of
// division (Bernstein and Yang) in a cycle, on numbers whose carries go no further than a segment,
// in a number of cycles that does not depend on a_i.
//
// Step:      with f = p, g = a, d = 0, e = 2^Spare, z = -1 in the beginning: g odd and z < 0: (f,
//            g, d, e, z) = (g, (g - f) / 2, e, (e - d) / 2, -z - 2); else (f, (g + f) / 2, d,
//            (e + d) / 2, z - 1) with g odd, and (f, g / 2, d, e / 2, z - 1) with g even. d and e
//            are halved modulo p: p is added to what is odd. So 2^Spare f = d a and 2^Spare g = e a
//            (mod p); at the end g = 0, f = +-gcd(a, p). 295 bits(p) / 128 + 2 steps are enough.
// Ranges:    p odd, p >= 3; a_i in [0, p). The result is in [0, p). d and e stay below (steps / 2)
//            p + 2^Spare in absolute value, for which Spare bits are there. Spare halvings of +-d
//            behind the steps bring it into (-p, 2 p), and make up for 2^Spare.
// Form:      a number X is held as segments and a carry into each, which is added in the next step,
//            and as X + B, where B has the highest bit of every segment but the last one: so the
//            complement of every segment and of every carry holds -X, the sum of two numbers, or of
//            one and 0, halved, the right one, and no carry is less than 0 or more than 1. A carry
//            out of a segment and the lowest bit of the next one have the same place when they are
//            halved.
// End:       segment by segment: first whether f is 1 or -1 and where the result lies, then the
//            result.
// Errors:    error_o = 1 and inv_o = 0 if a_i and p have a common factor (a_i = 0 included).
// Latency:   295 bits_i / 128 (rounded down) + Spare + 2 Segments + 8 cycles from acceptance to
//            valid_o.
// Handshake: valid_i/ready_o, then valid_o for one cycle; inv_o and error_o hold until the next
//            acceptance. clear_i abandons the job; of the result nothing is left two cycles later,
//            of the numbers nothing but p_i and a_i one. p_i and bits_i must not change from
//            acceptance to valid_o.
// Reset:     idle; data registers are not reset. Constant time: depends on bits_i alone.
// Source:    Bernstein and Yang 2019, "Fast constant-time gcd computation and modular inversion",
//            TCHES 2019(3); the variant with z, and its bound of the steps, by Wuille 2021,
//            "Computing the bounds of safegcd".

module pm_divstep_inverter #(
    parameter int unsigned Width = 704,  // bits of modulus, operand and result
    parameter int unsigned Size = 48,  // bits of a segment, at least 5
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,  // abandon the job, clear all data
    input  logic [   Width-1:0] p_i,      // modulus
    input  logic [BitsBits-1:0] bits_i,   // its bits
    input  logic                valid_i,  // a_i is valid
    output logic                ready_o,  // idle
    input  logic [   Width-1:0] a_i,      // operand
    output logic                valid_o,  // the result is there
    output logic [   Width-1:0] inv_o,    // a_i^-1 mod p; 0 if there is none
    output logic                error_o   // there is none
);

  // Half of the steps is below 2^Spare - 2.
  localparam int unsigned Spare = $clog2((295 * Width) / 256 + 6);
  localparam int unsigned All = Width + Spare + 3;
  localparam int unsigned Segments = (All + Size - 1) / Size;
  localparam int unsigned StepBits = $clog2((295 * Width) / 128 + Spare + 4);

  if (Width < 2 || Size < 5) begin : gen_bad
    $fatal(1, "pm_divstep_inverter: Width must be at least 2, Size at least 5.");
  end

  typedef logic [Segments-1:0][Size-1:0] number_t;
  typedef struct packed {
    number_t             part;
    logic [Segments-1:0] carry;  // into each segment; into the first one there is none
  } pending_t;

  typedef enum logic [2:0] {
    StIdle,
    StRun,
    StHalve,  // the result alone
    StLook,   // the segments, for signs
    StGive,   // again, for the result
    StDone
  } state_e;

  // X + B of a number of exact segments.
  function automatic pending_t held(number_t value);
    held.part  = value;
    held.carry = '0;
    for (int unsigned j = 0; j + 1 < Segments; j++) begin
      held.part[j][Size-1] = !value[j][Size-1];
      held.carry[j+1] = value[j][Size-1];
    end
  endfunction

  // -X, 0 or X; every segment has its own copy of which.
  function automatic pending_t chosen(pending_t value, logic [Segments-1:0] some,
                                      logic [Segments-1:0] minus);
    for (int unsigned j = 0; j < Segments; j++) begin
      chosen.part[j]  = some[j] ? value.part[j] ^ {Size{minus[j]}} : '0;
      chosen.carry[j] = some[j] && (value.carry[j] ^ minus[j]);
      if (j + 1 < Segments && !some[j]) chosen.part[j][Size-1] = 1'b1;
    end
  endfunction

  // Half of the sum of two numbers and an exact one, which is even.
  function automatic pending_t half(pending_t x, pending_t y, number_t exact);
    logic [Segments-1:0][Size+2:0] sum;
    for (int unsigned j = 0; j < Segments; j++) begin
      logic [Size-1:0] save, majority;
      save = x.part[j] ^ y.part[j] ^ exact[j];
      majority = (x.part[j] & y.part[j]) | (exact[j] & (x.part[j] | y.part[j]));
      // The second carry enters as a bit below: one chain in every technology.
      sum[j] = {2'b00, save, 1'b1} + {1'b0, majority, x.carry[j], y.carry[j]};
    end
    half.carry[0] = 1'b0;
    for (int unsigned j = 0; j < Segments; j++) begin
      half.part[j] = sum[j][Size+1:2];
      if (j + 1 < Segments) begin
        half.part[j][Size-1] = sum[j][Size+1] ^ sum[j+1][1];
        half.carry[j+1] = sum[j][Size+2] || (sum[j][Size+1] && sum[j+1][1]);
      end else begin
        half.part[j][Size-1] = sum[j][Size];
      end
    end
  endfunction

  state_e state_q, state_d;
  pending_t f_q, g_q, d_q, e_q, g_half, e_half;
  logic [StepBits-1:0] left_q;
  logic last_q;  // one is left
  logic signed [StepBits:0] z_q, z_d;
  number_t p, a;
  logic running, halving, odd, swap, minus, wrong;

  assign p = (Segments * Size)'(p_i);
  assign a = (Segments * Size)'(a_i);

  // ------------------------------------------------------------------------------------ one step
  // What the next cycle does is known from the lowest bits a cycle before; every segment has it in
  // registers of its own.
  typedef struct packed {
    logic load;  // operands are taken
    logic run;  // a step
    logic take;  // f and g change places
    logic add;  // a step or a halving
    logic odd;  // g is odd
    logic swap;  // f is subtracted
    logic wrong;  // p has to be added
    logic some_e;  // e counts
    logic some_d;  // d does
    logic minus_d;  // it is subtracted
  } control_t;

  control_t control_d;
  control_t [Segments-1:0] control_q;
  logic [Segments-1:0] odd_q, swap_q, some_e, some_d, minus_d;
  number_t p_added;

  pm_copies #(
      .Bits  ($bits(control_t)),
      .Copies(Segments)
  ) u_control (
      .clk_i,
      .d_i(control_d),
      .q_o(control_q)
  );

  for (genvar j = 0; j < Segments; j++) begin : gen_control
    assign odd_q[j]   = control_q[j].odd;
    assign swap_q[j]  = control_q[j].swap;
    assign some_e[j]  = control_q[j].some_e;
    assign some_d[j]  = control_q[j].some_d;
    assign minus_d[j] = control_q[j].minus_d;
    assign p_added[j] = control_q[j].wrong ? p[j] : '0;
  end

  logic [BitsBits+8:0] bits, most;  // 295 bits of p, in sums that take no multiplier block
  assign bits = (BitsBits + 9)'(bits_i);
  assign most = (bits << 8) + (bits << 5) + (bits << 3) - bits;

  assign running = state_q == StRun;
  assign halving = state_q == StHalve;

  assign g_half = half(g_q, chosen(f_q, odd_q, swap_q), '0);
  assign e_half = half(chosen(e_q, some_e, '0), chosen(d_q, some_d, minus_d), p_added);

  // Lowest bits behind the step; those of e and d by its halves.
  assign odd = g_half.part[0][0];
  assign z_d = swap_q[0] ? -z_q - (StepBits + 1)'(2) : z_q - (StepBits + 1)'(1);
  assign swap = odd && z_d[StepBits];
  assign minus = swap_q[0] ? e_q.part[0][0] : d_q.part[0][0];  // of the next d
  always_comb begin
    if (running && !last_q) wrong = e_half.part[0][0] ^ (odd && minus);
    else if (running) wrong = minus;
    else wrong = e_half.part[0][0];
  end

  // The first halving takes -d or d in place of e and d: f is 1 or -1.
  logic steps, halves;
  assign steps  = state_d == StRun;
  assign halves = running && state_d == StHalve;

  always_comb begin
    control_d.load = state_d == StIdle;
    control_d.run = steps;
    control_d.add = steps || state_d == StHalve;
    control_d.odd = state_q == StIdle ? a_i[0] : odd;
    control_d.swap = state_q == StIdle ? a_i[0] : swap;
    control_d.take = steps && control_d.swap;
    control_d.wrong = state_q != StIdle && wrong;
    control_d.some_e = !halves;
    control_d.some_d = steps ? control_d.odd : halves;
    control_d.minus_d = steps ? control_d.swap : swap_q[0] ? g_q.part[0][1] : f_q.part[0][1];
  end

  // Idle, they hold the operands alone.
  pending_t p_held, a_held, one_held, zero_held;
  assign p_held = held(p);
  assign a_held = held(a);
  assign one_held = held(number_t'(1) << Spare);
  assign zero_held = held('0);

  for (genvar j = 0; j < Segments; j++) begin : gen_segment
    always_ff @(posedge clk_i) begin
      if (control_q[j].load) begin
        {f_q.part[j], f_q.carry[j]} <= {p_held.part[j], p_held.carry[j]};
        {g_q.part[j], g_q.carry[j]} <= {a_held.part[j], a_held.carry[j]};
        {d_q.part[j], d_q.carry[j]} <= {zero_held.part[j], zero_held.carry[j]};
        {e_q.part[j], e_q.carry[j]} <= {one_held.part[j], one_held.carry[j]};
      end else begin
        if (control_q[j].run) {g_q.part[j], g_q.carry[j]} <= {g_half.part[j], g_half.carry[j]};
        if (control_q[j].take) begin
          {f_q.part[j], f_q.carry[j]} <= {g_q.part[j], g_q.carry[j]};
          {d_q.part[j], d_q.carry[j]} <= {e_q.part[j], e_q.carry[j]};
        end
        if (control_q[j].add) {e_q.part[j], e_q.carry[j]} <= {e_half.part[j], e_half.carry[j]};
      end
    end
  end

  // There are always more than one to begin with.
  always_ff @(posedge clk_i) begin
    last_q <= (running || halving) && left_q == StepBits'(2);
    if (state_q == StIdle) begin
      z_q <= '1;
      left_q <= StepBits'(most[BitsBits+8:7]) + StepBits'(2);
    end else if (running || halving) begin
      if (running) z_q <= z_d;
      left_q <= last_q ? StepBits'(Spare) : left_q - StepBits'(1);
    end
  end

  // ------------------------------------------------------------------------- segment by segment
  // Each passes the registers of these cycles: chosen, exact, p added or subtracted. Which one it
  // is has a bit for each segment, beside it.
  typedef struct packed {
    logic valid;
    logic first;
    logic last;
  } token_t;

  logic [Segments-1:0] place_q, part_place_q, exact_place_q, give_q;
  token_t token_d, token_q, exact_token_q, token_end_q;
  logic [Size-1:0] e_at, f_at, e_part_q, f_part_q, p_part_q, e_exact_q, p_exact_q, f_exact_q;
  logic e_carry_at, f_carry_at, e_carry_q, f_carry_q;
  logic [Size-1:0] p_at, chosen_q;
  logic signed [2:0] e_over_q, f_over_q;  // from exact segments to the next ones
  logic signed [Size+2:0] e_sum, f_sum;
  logic less_carry_q, more_carry_q, e_sign_q, less_sign_q, f_sign_q, f_other_q;
  logic [Size+1:0] less_sum, more_sum;

  assign token_d = '{
          valid: state_q inside {StLook, StGive} && place_q != '0,
          first: place_q[0],
          last: place_q[Segments-1]
      };

  always_comb begin
    {e_at, f_at, p_at, e_carry_at, f_carry_at} = '0;
    for (int unsigned j = 0; j < Segments; j++) begin
      if (place_q[j]) begin
        e_at |= e_q.part[j];
        f_at |= f_q.part[j];
        p_at |= p[j];
        e_carry_at |= e_q.carry[j];
        f_carry_at |= f_q.carry[j];
      end
    end
  end

  // A segment less its bit of B, with what comes from below.
  function automatic logic signed [Size+2:0] exact(logic [Size-1:0] part, logic carry, logic last,
                                                   logic signed [2:0] over);
    logic signed [Size+2:0] value;
    logic less;
    less  = !last && !part[Size-1];  // below 0 without its bit of B
    value = last ? (Size + 3)'(signed'(part)) : {{4{less}}, part[Size-2:0]};
    return value + (Size + 3)'(signed'({1'b0, carry})) + (Size + 3)'(over);
  endfunction

  assign e_sum = exact(e_part_q, e_carry_q, token_q.last, token_q.first ? 3'sd0 : e_over_q);
  assign f_sum = exact(f_part_q, f_carry_q, token_q.last, token_q.first ? 3'sd0 : f_over_q);
  assign less_sum = {1'b0, e_exact_q, 1'b1} + 
      {1'b0, ~p_exact_q, exact_token_q.first || less_carry_q};
  assign more_sum = {1'b0, e_exact_q, 1'b1} + 
      {1'b0, p_exact_q, !exact_token_q.first && more_carry_q};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      token_q <= '0;
      exact_token_q <= '0;
      token_end_q <= '0;
    end else begin
      token_q <= token_d;
      exact_token_q <= token_q;
      token_end_q <= exact_token_q;
    end
  end

  always_ff @(posedge clk_i) begin
    {e_part_q, f_part_q, p_part_q, e_carry_q, f_carry_q} <= {
      e_at, f_at, p_at, e_carry_at, f_carry_at
    };
    e_exact_q <= e_sum[Size-1:0];
    e_over_q <= e_sum[Size+2:Size];
    f_exact_q <= f_sum[Size-1:0];
    f_over_q <= f_sum[Size+2:Size];
    p_exact_q <= p_part_q;
    less_carry_q <= less_sum[Size+1];
    more_carry_q <= more_sum[Size+1];
    // Behind StLook signs are known.
    if (e_sign_q) chosen_q <= more_sum[Size:1];
    else if (less_sign_q) chosen_q <= e_exact_q;
    else chosen_q <= less_sum[Size:1];
    // Signs of the whole numbers, behind their last segments.
    if (exact_token_q.valid && exact_token_q.last && state_q == StLook) begin
      e_sign_q <= e_exact_q[Size-1];
      less_sign_q <= less_sum[Size];
    end
    // f is 1 or -1: of the lowest segment the rest, and all of the others, is as its sign.
    if (exact_token_q.valid && state_q == StLook) begin
      if (exact_token_q.first) begin
        f_sign_q  <= f_exact_q[1];
        f_other_q <= f_exact_q[Size-1:1] != {(Size - 1) {f_exact_q[1]}} || !f_exact_q[0];
      end else if (f_exact_q != {Size{f_sign_q}}) begin
        f_other_q <= 1'b1;
      end
    end
  end

  // ------------------------------------------------------------------------------------ result
  number_t result_q;
  logic clear_q;  // what is there goes

  always_ff @(posedge clk_i) begin
    clear_q <= clear_i || (state_q == StIdle && valid_i);
    if (clear_q) result_q <= '0;
    else begin
      for (int unsigned j = 0; j < Segments; j++) begin
        if (give_q[j]) result_q[j] <= chosen_q;
      end
    end
    if (state_q == StGive) error_o <= f_other_q;
  end

  assign inv_o = Width'(result_q);

  // ------------------------------------------------------------------------------------- states
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (valid_i) state_d = StRun;
      StRun:   if (last_q) state_d = StHalve;
      StHalve: if (last_q) state_d = StLook;
      StLook:  if (token_end_q.valid && token_end_q.last) state_d = StGive;
      StGive:  if (token_end_q.valid && token_end_q.last) state_d = StDone;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (!(state_q inside {StLook, StGive}) || state_d != state_q) place_q <= Segments'(1);
    else place_q <= place_q << 1;
    part_place_q  <= place_q;
    exact_place_q <= part_place_q;
    if (clear_i || state_q != StGive || !exact_token_q.valid || f_other_q) give_q <= '0;
    else give_q <= exact_place_q;
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;

  logic unused;
  assign unused = ^{most[6:0], result_q, less_sum[0], more_sum[0], token_end_q.first};

endmodule
