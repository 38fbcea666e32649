// SPDX-License-Identifier: Apache-2.0
//
// Almost Montgomery inverse after Kaliski: inv_o = a_i^-1 2^steps_i mod p for any odd modulus p
// below 2^Width, in a number of cycles that does not depend on a_i. a_i = 1 gives powers of two:
// 2^steps_i mod p.
//
// Ranges:    p odd, p >= 3; any a_i, reduced or not; steps_i at least bits(p) + bits(a_i), that is
//            2 bits(p) for a_i in [0, p); bits(p) is enough for a_i = 1. The result is in [0, p).
// Errors:    error_o = 1 and inv_o = 0 if a_i and p have a common factor (a_i = 0 included), if p
//            is even, or if steps_i was too small.
// Invariant: a r = -u 2^k, a s = v 2^k (mod p), and u s + v r = p, after k steps from u = p, v = a,
//            r = 0, s = 1. One step:
//                u even:           u = u / 2,        s = 2 s
//                v even:           v = v / 2,        r = 2 r mod p
//                both odd, u > v:  u = (u - v) / 2,  r = r + s,  s = 2 s
//                otherwise:        v = (v - u) / 2,  s = r + s,  r = 2 r mod p
//            As long as v > 0, u s + v r = p keeps r and s at or below p. At the end v = 0 and
//            u = gcd(a, p), which is odd, so that further steps are those of the second row: they
//            double r modulo p. So the correction of 2^k to 2^steps_i, which Kaliski gives a loop
//            of its own, takes the same adder and no decision, and the steps are always steps_i in
//            number. In the step that makes v = 0 the doubled r may reach p, and is reduced like
//            all others. bits(p) + bits(a_i) steps suffice: each halves u v, which ends at 1 or
//            more before the last.
// Latency:   steps_i + 2 cycles from acceptance to valid_o; interval one more (one job at a time).
//            steps_i = 2 bits(p): 386, 450, 514, 770, 898, 1044 at 192, 224, 256, 384, 448, 521
//            bits.
// Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds until taken. clear_i abandons
//            the job or the result. p_i must not change from acceptance to valid_o.
// Reset:     idle; data registers are not reset. In idle they follow p_i and a_i, so that nothing
//            of an earlier operand stays. Constant time: depends on steps_i alone.
// Source:    Kaliski's algorithm; Liu et al. 2023, Acta Electronica Sinica 51(6), section 3.3.
//
// pm_inverter, the inverter of edverify, cannot take this place: it corrects its cofactors by
// multiples of a modulus that is a parameter, and its number of cycles depends on the operand, so
// that it is for public operands only.

module pm_mont_inverter #(
    parameter int unsigned Width = 544,  // bits of modulus, operand and result
    localparam int unsigned CountBits = $clog2(2 * Width + 1)
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 clear_i,  // abandon the job, drop the result
    input  logic [    Width-1:0] p_i,      // modulus
    input  logic [CountBits-1:0] steps_i,  // exponent of 2; read at acceptance
    input  logic                 valid_i,  // a_i is valid
    output logic                 ready_o,  // idle
    input  logic [    Width-1:0] a_i,      // operand
    output logic                 valid_o,  // inv_o and error_o are valid
    input  logic                 ready_i,  // they are taken
    output logic [    Width-1:0] inv_o,    // a_i^-1 2^steps_i mod p; 0 if there is none
    output logic                 error_o   // no inverse, p even, or steps_i too small
);

  if (Width < 2) begin : gen_bad_width
    $fatal(1, "pm_mont_inverter: Width must be at least 2.");
  end

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StDone
  } state_e;

  state_e state_q, state_d;
  logic [CountBits-1:0] left_q, left_d;
  logic [Width-1:0] u_q, u_d, v_q, v_d, r_q, r_d, s_q, s_d;
  logic error_q, error_d;

  // ------------------------------------------------------------------------------------ one step
  logic ends;  // the last step is done
  logic above;  // u > v
  logic [Width-1:0] apart;  // |u - v|
  logic [Width-1:0] sum;
  logic [Width+1:0] less;  // p - 2 r - 1 in two's complement, or p - r where the steps end
  logic [Width-1:0] twice;  // 2 r mod p
  logic unused_carry, unused_carry_less;

  assign ends = left_q == '0;
  assign above = u_q > v_q;
  assign {apart, unused_carry} = ({u_q, 1'b1} + {~v_q, above}) ^ {(Width + 1) {!above}};
  assign sum = r_q + s_q;
  assign {less, unused_carry_less} =
      {2'b00, p_i, 1'b1} + {~(ends ? {2'b00, r_q} : {1'b0, r_q, 1'b0}), ends};
  assign twice = less[Width+1] ? ~less[Width-1:0] : {r_q[Width-2:0], 1'b0};

  logic found;
  assign found = p_i[0] && v_q == '0 && u_q == Width'(1);

  // ------------------------------------------------------------------------------ state, registers
  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (valid_i) state_d = StRun;
      StRun:   if (ends) state_d = StDone;
      StDone:  if (ready_i) state_d = StIdle;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_comb begin
    left_d = left_q;
    u_d = u_q;
    v_d = v_q;
    r_d = r_q;
    s_d = s_q;
    error_d = error_q;
    unique case (state_q)
      StIdle: begin
        left_d = steps_i;
        u_d = p_i;
        v_d = a_i;
        r_d = '0;
        s_d = Width'(1);
      end
      StRun: begin
        if (!ends) left_d = left_q - CountBits'(1);
        if (ends) begin
          r_d = found ? less[Width-1:0] : '0;
          error_d = !found;
        end else if (!u_q[0]) begin
          u_d = u_q >> 1;
          s_d = s_q << 1;
        end else if (!v_q[0]) begin
          v_d = v_q >> 1;
          r_d = twice;
        end else if (above) begin
          u_d = apart >> 1;
          r_d = sum;
          s_d = s_q << 1;
        end else begin
          v_d = apart >> 1;
          s_d = sum;
          r_d = twice;
        end
      end
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    left_q  <= left_d;
    u_q     <= u_d;
    v_q     <= v_d;
    r_q     <= r_d;
    s_q     <= s_d;
    error_q <= error_d;
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;
  assign inv_o   = r_q;
  assign error_o = error_q;

endmodule
