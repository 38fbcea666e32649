// SPDX-License-Identifier: Apache-2.0
//
// Inverse inv_o = a_i^-1 mod p of wide numbers for any odd modulus p, at a short cycle: one step of
// the plus-minus algorithm (Brent and Kung) in a cycle, on numbers whose carries go no further than
// a segment, in a number of cycles that does not depend on a_i.
//
// Step:      f = p, g = a, d = 0, e = 1, z = 0 in the beginning. g becomes (g + y) / 4, where y is
//            0 if 4 divides g, g if 2 does, and of f and -f the one that makes the sum a multiple
//            of 4 if g is odd. If g is odd and z >= 0, f becomes g, and z becomes 1 - z; otherwise
//            z grows by 1 if y is g, by 2 if not. d and e go with f and g, divided modulo p: 0, p,
//            2 p or -p is added to the sum. So f = d a and g = e a (mod p); at the end g = 0,
//            f = +-gcd(a, p). 105 bits(p) / 64 + 2 steps are enough.
// Ranges:    p odd, p >= 3; a_i in [0, p). The result is in [0, p). f, g, d and e stay in [-p, p].
// Form:      a number X is held as segments and a carry into each, which is added in the next step,
//            and as X + B, where B has the highest bit of every segment but the last one: so the
//            complement of every segment and of every carry holds -X, and a quarter of the sum of
//            two numbers, or of one and 0, and of B the right one; no carry is less than 0 or more
//            than 1. A carry out of a segment and the lowest bits of the next one have the same
//            place in the quarter.
// End:       segment by segment: first whether f is 1 or -1, and the sign of d as f has it, then
//            the result.
// Errors:    error_o = 1 and inv_o = 0 if a_i and p have a common factor (a_i = 0 included).
// Latency:   105 bits_i / 64 (rounded down) + 2 Segments + 9 cycles from acceptance to valid_o.
// Handshake: valid_i/ready_o, then valid_o for one cycle; inv_o and error_o hold until the next
//            acceptance. clear_i abandons the job; of the result nothing is left two cycles later,
//            of the numbers nothing but p_i and a_i one. p_i and bits_i must not change from
//            acceptance to valid_o.
// Reset:     idle; data registers are not reset. Constant time: depends on bits_i alone.
// Source:    Brent and Kung 1983, "Systolic VLSI arrays for linear-time GCD computation"; modular
//            division by it: Takagi 1998, IEICE E81-D(7). The bound of the steps is computed in
//            dv/lib/field/test_pm_plus_minus_inverter.py.

module pm_plus_minus_inverter #(
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

  localparam int unsigned All = Width + 3;  // 4 p, with a sign
  localparam int unsigned Segments = (All + Size - 1) / Size;
  localparam int unsigned StepBits = $clog2((105 * Width) / 64 + 3);

  if (Width < 2 || Size < 5) begin : gen_bad
    $fatal(1, "pm_plus_minus_inverter: Width must be at least 2, Size at least 5.");
  end

  typedef logic [Segments-1:0][Size-1:0] number_t;
  typedef struct packed {
    number_t             part;
    logic [Segments-1:0] carry;  // into each segment; into the first one there is none
  } pending_t;

  typedef enum logic [2:0] {
    StIdle,
    StRun,
    StLook,  // the segments, for signs
    StGive,  // again, for the result
    StDone
  } state_e;

  // What is added to g, and to e.
  typedef enum logic [1:0] {
    AddNone,
    AddTwice,  // the number itself
    AddOther,  // f or d
    SubOther
  } add_e;

  // X + B of a number of exact segments.
  function automatic pending_t held(number_t value);
    held.part  = value;
    held.carry = '0;
    for (int unsigned j = 0; j + 1 < Segments; j++) begin
      held.part[j][Size-1] = !value[j][Size-1];
      held.carry[j+1] = value[j][Size-1];
    end
  endfunction

  // A quarter of the sum of x, of what is added to it (every segment has its own copy of which) and
  // of an exact number.
  function automatic pending_t quarter(pending_t x, pending_t other, add_e [Segments-1:0] add,
                                       number_t exact);
    logic [Segments-1:0][Size+2:0] sum;
    for (int unsigned j = 0; j < Segments; j++) begin
      logic [Size-1:0] y, save, majority;
      logic carry;
      unique case (add[j])
        AddNone: begin
          y = (j + 1 < Segments) ? Size'(1) << (Size - 1) : '0;
          carry = 1'b0;
        end
        AddTwice: {y, carry} = {x.part[j], x.carry[j]};
        AddOther: {y, carry} = {other.part[j], other.carry[j]};
        default:  {y, carry} = ~{other.part[j], other.carry[j]};
      endcase
      save = x.part[j] ^ y ^ exact[j];
      majority = (x.part[j] & y) | (exact[j] & (x.part[j] | y));
      // The second carry enters as a bit below: one chain in every technology.
      sum[j] = {2'b00, save, 1'b1} + {1'b0, majority, x.carry[j], carry};
    end
    quarter.carry[0] = 1'b0;
    for (int unsigned j = 0; j < Segments; j++) begin
      quarter.part[j] = {2'b00, sum[j][Size:3]};
      if (j + 1 < Segments) begin
        {quarter.carry[j+1], quarter.part[j][Size-1:Size-2]} =
            3'(sum[j][Size+2:Size+1]) + 3'(sum[j+1][2:1]) + 3'd1;
      end else begin
        quarter.part[j][Size-1:Size-2] = {2{sum[j][Size]}};
      end
    end
  endfunction

  state_e state_q, state_d;
  pending_t f_q, g_q, d_q, e_q, g_quarter, e_quarter;
  logic [StepBits-1:0] left_q;
  logic last_q;  // one is left
  logic signed [StepBits+1:0] z_q, z_d;
  number_t p, a;
  logic running;

  assign p = (Segments * Size)'(p_i);
  assign a = (Segments * Size)'(a_i);

  // ------------------------------------------------------------------------------------ one step
  // What the next cycle does is known from the lowest bits a cycle before; every segment has it in
  // registers of its own.
  typedef struct packed {
    logic load;  // operands are taken
    logic run;  // a step
    logic take;  // f and g change places
    add_e add;
    logic [1:0] times;  // p is added so many times, 3: subtracted
  } control_t;

  control_t control_d;
  control_t [Segments-1:0] control_q;
  add_e [Segments-1:0] add_q;
  number_t p_twice, p_minus, p_added;

  pm_copies #(
      .Bits  ($bits(control_t)),
      .Copies(Segments)
  ) u_control (
      .clk_i,
      .d_i(control_d),
      .q_o(control_q)
  );

  assign p_twice = p << 1;
  assign p_minus = ~p | number_t'(1);  // p is odd

  for (genvar j = 0; j < Segments; j++) begin : gen_control
    assign add_q[j] = control_q[j].add;
    always_comb begin
      unique case (control_q[j].times)
        2'd0: p_added[j] = '0;
        2'd1: p_added[j] = p[j];
        2'd2: p_added[j] = p_twice[j];
        default: p_added[j] = p_minus[j];
      endcase
    end
  end

  logic [BitsBits+6:0] bits, most;  // 105 bits of p, in sums that take no multiplier block
  assign bits = (BitsBits + 7)'(bits_i);
  assign most = (bits << 6) + (bits << 5) + (bits << 3) + bits;

  assign running = state_q == StRun;

  assign g_quarter = quarter(g_q, f_q, add_q, '0);
  assign e_quarter = quarter(e_q, d_q, add_q, p_added);

  // Lowest bits of the numbers behind the step, or of those that are loaded.
  logic [1:0] f_low, g_low, d_low, e_low, sum_low;
  logic odd;
  add_e add;

  always_comb begin
    if (state_q == StIdle) begin
      {f_low, g_low, d_low, e_low} = {p_i[1:0], a_i[1:0], 2'd0, 2'd1};
      z_d = '0;
    end else begin
      g_low = g_quarter.part[0][1:0];
      e_low = e_quarter.part[0][1:0];
      if (control_q[0].take) begin
        {f_low, d_low} = {g_q.part[0][1:0], e_q.part[0][1:0]};
        z_d = (StepBits + 2)'(1) - z_q;
      end else begin
        {f_low, d_low} = {f_q.part[0][1:0], d_q.part[0][1:0]};
        z_d = z_q + (add_q[0] == AddTwice ? (StepBits + 2)'(1) : (StepBits + 2)'(2));
      end
    end
  end

  assign odd = g_low[0];

  always_comb begin
    if (!odd) add = g_low[1] ? AddTwice : AddNone;
    else add = f_low == g_low ? SubOther : AddOther;  // both are odd
    unique case (add)
      AddNone:  sum_low = e_low;
      AddTwice: sum_low = e_low << 1;
      AddOther: sum_low = e_low + d_low;
      default:  sum_low = e_low - d_low;
    endcase
    control_d.load  = state_d == StIdle;
    control_d.run   = state_d == StRun;
    control_d.take  = control_d.run && odd && !z_d[StepBits+1];
    control_d.add   = add;
    control_d.times = p_i[1] ? sum_low : -sum_low;  // p is its own inverse modulo 4
  end

  // Idle, they hold the operands alone.
  pending_t p_held, a_held, one_held, zero_held;
  assign p_held = held(p);
  assign a_held = held(a);
  assign one_held = held(number_t'(1));
  assign zero_held = held('0);

  for (genvar j = 0; j < Segments; j++) begin : gen_segment
    always_ff @(posedge clk_i) begin
      if (control_q[j].load) begin
        {f_q.part[j], f_q.carry[j]} <= {p_held.part[j], p_held.carry[j]};
        {g_q.part[j], g_q.carry[j]} <= {a_held.part[j], a_held.carry[j]};
        {d_q.part[j], d_q.carry[j]} <= {zero_held.part[j], zero_held.carry[j]};
        {e_q.part[j], e_q.carry[j]} <= {one_held.part[j], one_held.carry[j]};
      end else begin
        if (control_q[j].take) begin
          {f_q.part[j], f_q.carry[j]} <= {g_q.part[j], g_q.carry[j]};
          {d_q.part[j], d_q.carry[j]} <= {e_q.part[j], e_q.carry[j]};
        end
        if (control_q[j].run) begin
          {g_q.part[j], g_q.carry[j]} <= {g_quarter.part[j], g_quarter.carry[j]};
          {e_q.part[j], e_q.carry[j]} <= {e_quarter.part[j], e_quarter.carry[j]};
        end
      end
    end
  end

  // There are always more than one to begin with.
  always_ff @(posedge clk_i) begin
    last_q <= running && left_q == StepBits'(2);
    z_q <= z_d;
    if (state_q == StIdle) left_q <= StepBits'(most[BitsBits+6:6]) + StepBits'(2);
    else left_q <= left_q - StepBits'(1);
  end

  // ------------------------------------------------------------------------- segment by segment
  // Each passes the registers of these cycles: chosen, exact, with p added. Which one it is has a
  // bit for each segment, beside it. d is complemented if f is -1.
  typedef struct packed {
    logic valid;
    logic first;
    logic last;
  } token_t;

  logic [Segments-1:0] place_q, part_place_q, exact_place_q, give_q;
  token_t token_d, token_q, exact_token_q, token_end_q;
  logic [Size-1:0] d_at, f_at, p_at, d_part_q, f_part_q, p_part_q, d_exact_q, f_exact_q, p_exact_q;
  logic d_carry_at, f_carry_at, d_carry_q, f_carry_q, f_minus;
  logic [Size-1:0] chosen_q;
  logic signed [2:0] d_over_q, f_over_q;  // from exact segments to the next ones
  logic signed [Size+2:0] d_sum, f_sum;
  logic p_carry_q, d_sign_q, f_sign_q, f_other_q;
  logic [Size+1:0] p_sum;

  assign token_d = '{
          valid: state_q inside {StLook, StGive} && place_q != '0,
          first: place_q[0],
          last: place_q[Segments-1]
      };

  always_comb begin
    {d_at, f_at, p_at, d_carry_at, f_carry_at} = '0;
    for (int unsigned j = 0; j < Segments; j++) begin
      if (place_q[j]) begin
        d_at |= d_q.part[j];
        f_at |= f_q.part[j];
        p_at |= p[j];
        d_carry_at |= d_q.carry[j];
        f_carry_at |= f_q.carry[j];
      end
    end
  end

  assign f_minus = f_q.part[0][1];  // if f is 1 or -1

  // A segment less its bit of B, with what comes from below.
  function automatic logic signed [Size+2:0] exact(logic [Size-1:0] part, logic carry, logic last,
                                                   logic signed [2:0] over);
    logic signed [Size+2:0] value;
    logic less;
    less  = !last && !part[Size-1];  // below 0 without its bit of B
    value = last ? (Size + 3)'(signed'(part)) : {{4{less}}, part[Size-2:0]};
    return value + (Size + 3)'(signed'({1'b0, carry})) + (Size + 3)'(over);
  endfunction

  assign d_sum = exact(d_part_q, d_carry_q, token_q.last, token_q.first ? 3'sd0 : d_over_q);
  assign f_sum = exact(f_part_q, f_carry_q, token_q.last, token_q.first ? 3'sd0 : f_over_q);
  assign p_sum = {1'b0, d_exact_q, 1'b1} + {1'b0, p_exact_q, !exact_token_q.first && p_carry_q};

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
    {d_part_q, d_carry_q} <= {d_at, d_carry_at} ^ {(Size + 1) {f_minus}};
    {f_part_q, f_carry_q, p_part_q} <= {f_at, f_carry_at, p_at};
    {d_over_q, d_exact_q} <= d_sum;
    {f_over_q, f_exact_q} <= f_sum;
    p_exact_q <= p_part_q;
    p_carry_q <= p_sum[Size+1];
    chosen_q <= d_sign_q ? p_sum[Size:1] : d_exact_q;
    if (exact_token_q.valid && state_q == StLook) begin
      if (exact_token_q.last) d_sign_q <= d_exact_q[Size-1];
      // f is 1 or -1: of the lowest segment the rest, and all of the others, is as its sign.
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
      StRun:   if (last_q) state_d = StLook;
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
  assign unused = ^{most[5:0], result_q, p_sum[0], token_end_q.first};

endmodule
