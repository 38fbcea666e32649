// SPDX-License-Identifier: Apache-2.0
//
// Modular inverse in constant time for any odd modulus: inv_o = a_i^-1 mod p_i, 0 if there is none,
// by divsteps. Numbers are cut into digits; column j holds digit j of all of them and works a cycle
// after column j - 1, so that no carry passes more than a digit in a cycle. A step takes two
// cycles.
//
// Step:      of f, g, d, e and delta, which begin as p, a, 0, 1 and 1/2; a d = f, a e = g mod p:
//              g odd, delta > 0: f, g, delta = g, (g - f) / 2, 1 - delta; d, e = e, (e - d) / 2
//              otherwise:        g, delta = (g + f (g mod 2)) / 2, 1 + delta; e = the same of d
//            After enough steps g = 0 and f = 1 or -1, or another divisor of a and p up to sign.
//            Halves of e are modulo p: where it is odd, p is added first. Nothing is compared, so
//            that d and e grow, by p / 2 a step at most.
// Halvings:  K = ceil(log2(Steps + 1)) + 2 steps more bring the inverse into its range. The first
//            adds d to e = 0 mod p, and f to g = 0, or subtracts them where f = -1; the others only
//            halve, and the last one adds p or 2p. So e begins as 2^K, not 1. Where the sum of f
//            and g is not 1 there is no inverse, and e is cleared.
// Ranges:    p odd, at least 9, (Steps + 2) p + 2^(K + 1) at most 2^(W - 1), W = Digit Columns;
//            0 <= a <= p. The inverse is in (0, 2p). Steps 590 suffice for p below 2^256; then for
//            p below 2^255 a may exceed p by 2^-100 p, since |g| < 1/2 would be reached. 544 bits
//            take 1255, 704 bits 1624.
// Latency:   2 (Steps + K) + Columns + 1 cycles from acceptance to valid_o; interval one more (one
//            job at a time). 590 steps, 8 columns: 1213.
// Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds until taken. clear_i abandons
//            the job or the result. p_i holds from acceptance to valid_o.
// Reset:     idle; data registers hold constants again two cycles after the result was taken, after
//            clear_i and after reset. Constant time.
// Source:    Bernstein, Yang 2019, "Fast constant-time gcd computation and modular inversion",
//            TCHES 2019(3); delta = 1/2 and the number of steps: Wuille,
//            github.com/sipa/safegcd-bounds.

module pm_skew_inverter #(
    parameter int unsigned Digit = 34,  // bits of a digit, at least 3
    parameter int unsigned Columns = 8,  // digits, at least 2
    parameter int unsigned Steps = 590,  // steps until g = 0, at least 2
    localparam int unsigned W = Digit * Columns
) (
    input  logic         clk_i,    // clock
    input  logic         rst_ni,   // asynchronous reset, active low
    input  logic         clear_i,  // abandon the job, drop the result
    input  logic [W-1:0] p_i,      // modulus
    input  logic         valid_i,  // a_i is valid
    output logic         ready_o,  // idle
    input  logic [W-2:0] a_i,      // operand
    output logic         valid_o,  // inv_o is valid
    input  logic         ready_i,  // inv_o is taken
    output logic [W-1:0] inv_o     // inverse, 0 if there is none
);

  if (Digit < 3 || Columns < 2 || Steps < 2) begin : g_refuse_size
    $fatal(1, "pm_skew_inverter: Digit must be at least 3, Columns and Steps at least 2");
  end

  localparam int unsigned Halvings = $clog2(Steps + 1) + 2;
  localparam int unsigned CountBits = $clog2(Steps + Halvings + 1);
  localparam int unsigned DeltaBits = $clog2(Steps + 1) + 1;

  if (W < Halvings + 2) begin : g_refuse_width
    $fatal(1, "pm_skew_inverter: the digits are too few for so many steps");
  end

  typedef enum logic [1:0] {
    Idle,
    Run,
    Drain,  // the columns behind the first one
    Done
  } state_e;

  // ---- time -------------------------------------------------------------------------------------
  // Of a step the first column adds f and d in the cycle with add_q, and p in the one before it of
  // the next step, in which that is decided.

  state_e state_q;
  logic add_q, ended;
  logic [CountBits-1:0] left_q;  // steps
  logic divides_q, joins_q;  // the next step is one of Steps; the first one behind them
  logic joined_q, last_q;  // the step before was that; was the last one

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      add_q   <= 1'b0;
    end else if (clear_i) begin
      state_q <= Idle;
      add_q   <= 1'b0;
    end else begin
      unique case (state_q)
        Idle: if (valid_i) state_q <= Run;
        Run: begin
          add_q <= !add_q && !last_q;
          if (!add_q && last_q) state_q <= Drain;
        end
        Drain: if (ended) state_q <= Done;
        default: if (ready_i) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) begin
      left_q <= CountBits'(Steps + Halvings);
      {divides_q, joins_q, joined_q, last_q} <= 4'b1000;
    end else if (add_q) begin
      left_q <= left_q - CountBits'(1);
      divides_q <= left_q > CountBits'(Halvings + 1);
      joins_q <= left_q == CountBits'(Halvings + 1);
      joined_q <= joins_q;
      last_q <= left_q == CountBits'(1);
    end
  end

  assign ready_o = state_q == Idle;
  assign valid_o = state_q == Done;

  // ---- decisions --------------------------------------------------------------------------------
  // delta - 1/2, whose sign says whether delta > 0. f is 1 or -1 behind the Steps.

  typedef struct packed {
    logic swap;    // f and g, d and e change places
    logic add;     // f and d are added
    logic negate;  // or subtracted
  } step_t;

  typedef struct packed {
    logic odd;  // p is added
    logic last;  // or 2p
    logic joined;  // g is 1 if there is an inverse
  } half_t;

  logic signed [DeltaBits-1:0] delta_q;
  logic g_odd, f_negative, e_odd;
  step_t step_q;
  half_t half;

  always_ff @(posedge clk_i) begin
    if (state_q == Idle) delta_q <= '0;
    else if (add_q) delta_q <= (delta_q ^ {DeltaBits{step_q.swap}}) + DeltaBits'(1);
    step_q <= '{
        swap: divides_q && g_odd && !delta_q[DeltaBits-1],
        add: divides_q ? g_odd : joins_q,
        negate: divides_q ? g_odd && !delta_q[DeltaBits-1] : f_negative
    };
  end

  assign half = '{odd: e_odd, last: last_q, joined: joined_q};

  // ---- columns ----------------------------------------------------------------------------------

  logic load, none_q;
  logic [Columns-1:0] adds, halves;  // what a column does in this cycle
  step_t [Columns-1:0] step;
  half_t [Columns-1:0] halving;
  logic [Columns-1:0][Digit-1:0] p, a, f_q, g_q, d_q, s_q, e_q, g, e, e_next;  // s_q: e +- d
  /* verilator lint_off UNUSEDSIGNAL */
  logic [Columns-1:0] g_carry_q, s_carry_q, e_carry_q;  // out of each; the last one's say nothing
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Columns-1:0] other_q;  // g is not 1, as far as that column

  assign load = state_q == Idle;
  assign p = p_i;
  assign a = {a_i, 1'b0};
  assign g_odd = g[0][0];
  assign f_negative = f_q[0][1];
  assign e_odd = s_q[0][0];
  assign {adds[0], halves[0]} = {add_q, state_q == Run && !add_q};
  assign {step[0], halving[0]} = {step_q, half};

  // Digit j of what e begins as, before it is halved.
  function automatic logic [Digit-1:0] first(int unsigned j);
    return (Halvings + 1) / Digit == j ? Digit'(1) << (Halvings + 1) % Digit : '0;
  endfunction

  // The lowest bit of a digit is the highest one of the digit below when a number is halved.
  for (genvar j = 0; j < Columns; j++) begin : g_column
    logic [Digit+1:0] g_sum, s_sum, e_sum;
    logic [Digit-1:0] f_term, d_term, p_term;
    logic p_below;

    if (j == Columns - 1) begin : g_top
      assign {g[j], e[j], inv_o[j*Digit+:Digit]} = {
        g_q[j][Digit-1], g_q[j][Digit-1:1], {2{e_q[j][Digit-1], e_q[j][Digit-1:1]}}
      };
    end else begin : g_middle
      assign g[j] = {g_q[j+1][0], g_q[j][Digit-1:1]};
      assign e[j] = {e_next[j+1][0], e_q[j][Digit-1:1]};
      assign inv_o[j*Digit+:Digit] = {e_q[j+1][0], e_q[j][Digit-1:1]};
    end
    if (j == 0) begin : g_first
      assign p_below = 1'b0;
      assign g_sum   = {1'b0, g[j], 1'b1} + {1'b0, f_term, step[j].negate && step[j].add};
      assign s_sum   = {1'b0, e[j], 1'b1} + {1'b0, d_term, step[j].negate && step[j].add};
      assign e_sum   = {1'b0, s_q[j], 1'b0} + {1'b0, p_term, 1'b0};
      always_ff @(posedge clk_i) other_q[j] <= g_q[j] != Digit'(1);
    end else begin : g_next
      logic [2:0] what_q;

      assign p_below = p[j-1][Digit-1];
      assign g_sum   = {1'b0, g[j], 1'b1} + {1'b0, f_term, g_carry_q[j-1]};
      assign s_sum   = {1'b0, e[j], 1'b1} + {1'b0, d_term, s_carry_q[j-1]};
      assign e_sum   = {1'b0, s_q[j], 1'b1} + {1'b0, p_term, e_carry_q[j-1]};
      always_ff @(posedge clk_i) other_q[j] <= other_q[j-1] || g_q[j] != '0;

      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) {adds[j], halves[j]} <= '0;
        else if (clear_i) {adds[j], halves[j]} <= '0;
        else {adds[j], halves[j]} <= {adds[j-1], halves[j-1]};
      end

      always_ff @(posedge clk_i) begin
        if (load) what_q <= '0;
        else what_q <= adds[j-1] ? step[j-1] : halving[j-1];
      end
      assign {step[j], halving[j]} = {2{what_q}};
    end

    assign f_term = (f_q[j] ^ {Digit{step[j].negate}}) & {Digit{step[j].add}};
    assign d_term = (d_q[j] ^ {Digit{step[j].negate}}) & {Digit{step[j].add}};
    assign p_term = (p[j] & {Digit{halving[j].odd}}) |
        ({p[j][Digit-2:0], p_below} & {Digit{halving[j].last && !halving[j].odd}});
    assign e_next[j] = e_sum[Digit:1];

    always_ff @(posedge clk_i) begin
      if (load || adds[j]) g_q[j] <= load ? a[j] & {Digit{valid_i}} : g_sum[Digit:1];
      if (load) {f_q[j], d_q[j]} <= {p[j], Digit'(0)};
      else if (adds[j] && step[j].swap) {f_q[j], d_q[j]} <= {g[j], e[j]};
      if (load) s_q[j] <= first(j);
      else if (adds[j]) s_q[j] <= s_sum[Digit:1];
      if (load) e_q[j] <= first(j);
      else if (none_q) e_q[j] <= '0;
      else if (halves[j]) e_q[j] <= e_next[j];
      if (load) {g_carry_q[j], s_carry_q[j], e_carry_q[j]} <= '0;
      else
        {g_carry_q[j], s_carry_q[j], e_carry_q[j]} <= {
          g_sum[Digit+1], s_sum[Digit+1], e_sum[Digit+1]
        };
    end
  end

  assign ended = halves[Columns-1] && halving[Columns-1].last;

  // Known a cycle after the last column has added f.
  logic known_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {known_q, none_q} <= '0;
    else begin
      known_q <= halves[Columns-1] && halving[Columns-1].joined && !load;
      none_q  <= !load && (none_q || (known_q && other_q[Columns-1]));
    end
  end

endmodule
