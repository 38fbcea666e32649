// SPDX-License-Identifier: Apache-2.0
//
// Multiples of p + 1 of a special prime, by skewed digits: q (p + 1) as a few shifted copies of q.
//
// Computes:  q (p + 1), where q has two digits, as the sum of NamedRows numbers. Named = 256: p + 1
//            = 2^256 - 2^224 + 2^192 + 2^96 (P-256); another n: p + 1 = 2^n (p a Mersenne number).
// Ranges:    the least power of p + 1 is at least 2^(2 Digit), the largest one at most 2^(Digit
//            Columns). Digits of all numbers are positive; those of Columns + 1 are signed.
// Latency:   low_i comes at a time, high_i a cycle later; digit j of the numbers is there j - 1
//            cycles after low_i. One q per cycle.
// Handshake: none; with on_i 0 all numbers are 0. Reset: none (data only). Constant time.
// Source:    FIPS 186-4, appendix D.2 (primes as sums of powers of 2).

module pm_mont_named
  import pm_mont_skew_pkg::*;
#(
    parameter int unsigned Digit   = 39,
    parameter int unsigned Columns = 7,
    parameter int unsigned Named   = 256  // 0: all numbers are 0
) (
    input  logic                                         clk_i,
    input  logic                                         on_i,    // must not change under way
    input  logic [  Digit-1:0]                           low_i,   // digit 0 of q
    input  logic [  Digit-1:0]                           high_i,  // digit 1, a cycle later
    output logic [Columns+1:2][NamedRows-1:0][Digit-1:0] rows_o   // by digit
);

  // Powers in the order of the rows that add them; row 0 adds two, which do not overlap.
  localparam int unsigned Terms = Named == 256 ? 4 : 1;
  localparam int unsigned Negative = 2;  // this one is subtracted: the complement of q, and ones
  localparam int unsigned NegativeRow = 1;  // above it; 2^exponent is added by row 2

  function automatic int unsigned exponent(int unsigned term);
    if (Named != 256) return Named;
    unique case (term)
      0: return 96;
      1: return 192;
      2: return 224;
      default: return 256;
    endcase
  endfunction

  function automatic int unsigned row(int unsigned term);
    return term < 2 ? 0 : term - 1;
  endfunction

  localparam int unsigned Least = exponent(0);
  localparam int unsigned Largest = exponent(Terms - 1);

  if (Named != 0 && (Least < 2 * Digit || Largest > Digit * Columns)) begin : gen_bad_named
    $fatal(1, "pm_mont_named: powers of p + 1 must be from 2^(2 Digit) to 2^(Digit Columns).");
  end

  if (Named == 0) begin : gen_none
    logic unused;
    assign rows_o = '0;
    assign unused = ^{clk_i, on_i, low_i, high_i};
  end else begin : gen_named
    // Digits of q, by the digit of the sum that they are for: what is not read there is no
    // register.
    logic [Columns+1:2][Digit-1:0] low_q, high_q;
    logic [Columns+1:2] on_q;  // on_i for each of them

    always_ff @(posedge clk_i) begin
      on_q   <= {on_q[Columns:2], on_i};
      low_q  <= {low_q[Columns:2], low_i & {Digit{on_i}}};
      high_q <= {high_q[Columns:3], high_i & {Digit{on_i}}, Digit'(0)};
    end

    for (genvar j = 2; j <= Columns + 1; j++) begin : gen_digit
      logic [2*Digit-1:0] q;
      assign q = {high_q[j], low_q[j]};
      always_comb begin
        rows_o[j] = '0;
        for (int unsigned t = 0; t < Terms; t++) begin
          for (int unsigned b = 0; b < Digit; b++) begin
            // Bit of the number; not below 0 where it is read.
            automatic int unsigned at = j * Digit + b;
            automatic int unsigned e = exponent(t);
            if (Terms == 4 && t == Negative) begin
              if (at >= e) rows_o[j][NegativeRow][b] = on_q[j] && !(at < e + 2 * Digit && q[at-e]);
              if (at == e) rows_o[j][NegativeRow+1][b] = on_q[j];
            end else if (at >= e && at < e + 2 * Digit) begin
              rows_o[j][row(t)][b] = q[at-e];
            end
          end
        end
      end
    end
  end

endmodule
