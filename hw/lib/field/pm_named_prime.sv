// SPDX-License-Identifier: Apache-2.0
//
// Tells whether a modulus is one of the primes that pm_mont_mul_packed recognises, and what it does
// with that one.
//
// Ranges:    any p_i.
// Latency:   0 (combinational). Constant time.
// Source:    the primes are those of data/curves.yaml, by way of pm_named_prime_pkg.

module pm_named_prime
  import pm_named_prime_pkg::*;
#(
    localparam int unsigned Width = 544
) (
    input logic [Width-1:0] p_i,  // modulus
    output named_e named_o,  // its name, NamedNone if it has none; then the rest is 0
    output logic [4:0] digits_o,  // digits of 64 bits of a factor: R = 2^(64 digits)
    output logic [4:0] cycles_o  // cycles of a product
);

  always_comb begin
    named_o = NamedNone;
    for (int unsigned n = 1; n <= NumNamed; n++) begin
      if (p_i == NamedPrime[n]) named_o = named_e'(n);
    end
  end

  assign digits_o = NamedDigits[named_o];
  assign cycles_o = NamedCycles[named_o];

endmodule
