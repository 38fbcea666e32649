// SPDX-License-Identifier: Apache-2.0
//
// Modular sum or difference: r = a + b mod p or r = a - b mod p, for any modulus p below 2^Width.
//
// Ranges:    sum: 0 <= a + b < 2p; difference: -p <= a - b < p; both hold for a, b in [0, p). The
//            result is in [0, p), so that results are operands. a + 0 reduces any a below 2p.
//            Nothing checks the ranges.
// Latency:   0 (combinational). Constant time. Two carry chains side by side: one without p, one
//            with.
// Source:    Liu et al. 2023, Acta Electronica Sinica 51(6), section 4.1 and fig. 7.

module pm_mod_addsub #(
    parameter int unsigned Width = 544  // bits of modulus, operands and result
) (
    input  logic [Width-1:0] p_i,    // modulus
    input  logic [Width-1:0] a_i,    // operands
    input  logic [Width-1:0] b_i,
    input  logic             sub_i,  // 1: difference
    output logic [Width-1:0] r_o,    // a + b or a - b mod p
    output logic             zero_o  // r_o is 0
);

  if (Width < 2) begin : gen_bad_width
    $fatal(1, "pm_mod_addsub: Width must be at least 2.");
  end

  logic [Width+1:0] a, b, minus_p, plain, other;  // two's complement

  assign a = {2'b00, a_i};
  assign b = {2'b00, b_i} ^ {(Width + 2) {sub_i}};
  assign minus_p = {2'b00, p_i} ^ {(Width + 2) {!sub_i}};
  assign plain = a + b + (Width + 2)'(sub_i);

  // a + b - p = a + b + ~p + 1 and a - b + p = a + ~b + p + 1: a carry-save row, then one chain.
  logic [Width+1:0] s;
  logic [  Width:0] c;
  assign s = a ^ b ^ minus_p;
  assign c = (a[Width:0] & b[Width:0]) | (minus_p[Width:0] & (a[Width:0] | b[Width:0]));
  assign other = s + {c, 1'b1};

  assign r_o = (sub_i ? plain[Width+1] : !other[Width+1]) ? other[Width-1:0] : plain[Width-1:0];
  assign zero_o = r_o == '0;

endmodule
