// SPDX-License-Identifier: Apache-2.0
//
// What the Montgomery units must know of a modulus p: its bits and digits, whether it takes two
// passes, and -1/p mod 2^Digit. R mod p and R^2 mod p come from pm_mont_inverter, which gives
// powers of two.
//
// Ranges:    any p_i. error_o = 1 if p is even or below 3; the other results are then of no use.
// Method:    h = -1/p mod 2^Digit from its lowest bit on: bit i of h is chosen so that 1 + p h
//            becomes divisible by 2^(i+1). t holds (1 + p h) / 2^i, right in its lower Digit - i
//            bits, the others being of no use any more. Meanwhile the highest digit of p that is
//            not 0 moves up until its top bit is 1, which gives the bits of p.
// Latency:   Digit + 2 cycles (34) from acceptance to valid_o; interval one more.
// Handshake: valid_i/ready_o, then valid_o/ready_i; the results hold until taken. p_i must not
//            change from acceptance until the results are taken.
// Reset:     idle; data registers are not reset. Constant time.
// Source:    Liu et al. 2023, Acta Electronica Sinica 51(6), algorithm 2, takes h as given; the
//            way to it is this design's.

module pm_mont_setup #(
    parameter int unsigned Digit = 32,  // bits of a digit
    parameter int unsigned Half = 272,  // as of pm_mont_mul: more than Digit
    parameter int unsigned Passes = 2,  // as of pm_mont_mul
    localparam int unsigned Width = Passes * Half,
    localparam int unsigned Digits = Width / Digit,
    localparam int unsigned CountBits = $clog2(Digits + 1),
    localparam int unsigned BitsBits = $clog2(Width + 1)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 valid_i,   // p_i is valid
    output logic                 ready_o,   // idle
    input  logic [    Width-1:0] p_i,       // modulus
    output logic                 valid_o,   // the results are valid
    input  logic                 ready_i,   // they are taken
    output logic [ BitsBits-1:0] bits_o,    // bits of p
    output logic [CountBits-1:0] digits_o,  // digits of p
    output logic                 wide_o,    // p has more than Half bits
    output logic [    Digit-1:0] pinv_o,    // -1/p mod 2^Digit
    output logic                 error_o    // p is even, or below 3
);

  if (Passes < 1 || Passes > 2 || Digit < 2 || Half <= Digit ||
      Width % Digit != 0) begin : gen_bad_half
    $fatal(
        1, "pm_mont_setup: Digit must be at least 2, Half more and its multiple, Passes 1 or 2."
    );
  end

  localparam int unsigned StepBits = $clog2(Digit);

  typedef enum logic [1:0] {
    StIdle,
    StTop,   // the highest digit is fetched
    StRun,
    StDone
  } state_e;

  state_e state_q, state_d;
  logic [StepBits-1:0] step_q;
  logic [CountBits-1:0] digits, digits_q;
  logic [BitsBits-1:0] bits_q;
  logic [Digit-1:0] top, top_q, t_q, h_q;
  logic [Digit-1:0] t_sum;

  always_comb begin
    digits = '0;
    for (int unsigned i = 0; i < Digits; i++) begin
      if (p_i[Digit*i+:Digit] != '0) digits = CountBits'(i + 1);
    end
  end

  always_comb begin
    top = '0;
    for (int unsigned i = 0; i < Digits; i++) begin
      if (digits_q == CountBits'(i + 1)) top = p_i[Digit*i+:Digit];
    end
  end

  assign t_sum = t_q + (t_q[0] ? p_i[Digit-1:0] : '0);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (valid_i) state_d = StTop;
      StTop:   state_d = StRun;
      StRun:   if (step_q == StepBits'(Digit - 1)) state_d = StDone;
      StDone:  if (ready_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StIdle:  digits_q <= digits;
      StTop: begin
        step_q <= '0;
        bits_q <= BitsBits'(Digit) * BitsBits'(digits_q);
        top_q  <= top;
        t_q    <= Digit'(1);
      end
      StRun: begin
        step_q <= step_q + StepBits'(1);
        if (!top_q[Digit-1]) begin
          bits_q <= bits_q - BitsBits'(1);
          top_q  <= top_q << 1;
        end
        t_q <= t_sum >> 1;
        h_q <= {t_q[0], h_q[Digit-1:1]};
      end
      default: ;
    endcase
  end

  assign ready_o  = state_q == StIdle;
  assign valid_o  = state_q == StDone;
  assign bits_o   = bits_q;
  assign digits_o = digits_q;
  assign wide_o   = bits_q > BitsBits'(Half);
  assign pinv_o   = h_q;
  assign error_o  = !p_i[0] || bits_q < BitsBits'(2);

endmodule
