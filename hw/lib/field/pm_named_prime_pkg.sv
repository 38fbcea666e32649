// Generated from data/curves.yaml by `python -m pointmill.gen`. Do not edit.
// SPDX-License-Identifier: Apache-2.0
//
// Primes whose multiples are sums of a few shifted numbers, and where pm_mont_mul_packed adds them:
// pointmill/gen/named_prime.py says how they come about.

package pm_named_prime_pkg;

  typedef enum logic [3:0] {
    NamedNone = 4'd0,
    NamedP192 = 4'd1,
    NamedP224 = 4'd2,
    NamedP256 = 4'd3,
    NamedP384 = 4'd4,
    NamedP521 = 4'd5,
    NamedSm2 = 4'd6,
    NamedX25519 = 4'd7,
    NamedX448 = 4'd8
  } named_e;

  localparam int unsigned NumNamed = 8;
  localparam int unsigned NamedLaneBits = 134;

  // By the number of the prime: the prime; digits of R, of 64 bits; steps, segments of each and cycles of a product;
  // where pm_named_halves makes it, the steps of its second part.
  localparam logic [NumNamed:0][543:0] NamedPrime = {
    544'hfffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffffffffffffffffffff,
    544'h7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed,
    544'hfffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff,
    544'h1ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff,
    544'hfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff,
    544'hffffffff00000001000000000000000000000000ffffffffffffffffffffffff,
    544'hffffffffffffffffffffffffffffffff000000000000000000000001,
    544'hfffffffffffffffffffffffffffffffeffffffffffffffff,
    544'h0
  };
  localparam logic [NumNamed:0][4:0] NamedDigits = {
    5'd7, 5'd4, 5'd4, 5'd9, 5'd6, 5'd4, 5'd4, 5'd3, 5'd0
  };
  localparam logic [NumNamed:0][4:0] NamedSteps = {
    5'd11, 5'd4, 5'd4, 5'd14, 5'd6, 5'd4, 5'd4, 5'd3, 5'd0
  };
  localparam logic [NumNamed:0][4:0] NamedSegments = {
    5'd4, 5'd4, 5'd4, 5'd4, 5'd6, 5'd4, 5'd4, 5'd4, 5'd0
  };
  localparam logic [NumNamed:0][4:0] NamedCycles = {
    5'd11, 5'd4, 5'd4, 5'd14, 5'd9, 5'd4, 5'd4, 5'd3, 5'd0
  };
  localparam logic [NumNamed:0][4:0] NamedSecond = {
    5'd4, 5'd0, 5'd0, 5'd5, 5'd0, 5'd0, 5'd0, 5'd0, 5'd0
  };

  // Numbers that a step adds, by their bits: the quotient q, q (2^32 + 1), what is left of the lowest
  // digit of the sum and of q p where p ends in 2^32 - 1, and in -19.
  typedef enum logic [1:0] {
    WordQ = 2'd0,
    WordTwin = 2'd1,
    WordHalf = 2'd2,
    WordRest = 2'd3
  } word_e;

  function automatic int unsigned word_bits(word_e word);
    unique case (word)
      WordTwin: return 97;
      WordHalf: return 32;
      WordRest: return 64;
      default:  return 64;
    endcase
  endfunction

  // What a segment of a step adds, in the lanes that ever have it: a row with a number and ones, and a
  // row with the complement of a number and ones.
  typedef struct packed {
    named_e named;
    logic [2:0] segment;
    logic [3:0] lanes;
    logic plus;
    logic [7:0] plus_at;
    word_e plus_word;
    logic minus;
    logic [7:0] minus_at;
    word_e minus_word;
    logic [133:0] plus_ones;
    logic [133:0] minus_ones;
  } place_t;

  localparam int unsigned NumPlaces = 25;
  localparam place_t [NumPlaces-1:0] Places = {
    {
      NamedX25519,
      3'd3,
      4'b1000,
      1'b1,
      8'd51,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'h3fffffffffffffffffffffffffffffffff
    },
    {
      NamedX25519,
      3'd2,
      4'b0100,
      1'b0,
      8'd0,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'hfffffffffffffffff
    },
    {
      NamedX25519,
      3'd1,
      4'b0010,
      1'b0,
      8'd0,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'hf0000000000000000
    },
    {
      NamedX25519,
      3'd0,
      4'b0001,
      1'b0,
      8'd0,
      WordQ,
      1'b1,
      8'd64,
      WordRest,
      134'h10000000000000000,
      134'hf00000000000000000000000000000000
    },
    {
      NamedSm2,
      3'd3,
      4'b1000,
      1'b1,
      8'd52,
      WordQ,
      1'b1,
      8'd20,
      WordQ,
      134'h0,
      134'h3ffffffffffff0000000000000000fffff
    },
    {NamedSm2, 3'd2, 4'b0100, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hf0000000000000000},
    {
      NamedSm2,
      3'd1,
      4'b0010,
      1'b0,
      8'd0,
      WordQ,
      1'b1,
      8'd28,
      WordQ,
      134'h10000000,
      134'hffffffffff00000000000000000000000
    },
    {NamedSm2, 3'd0, 4'b0001, 1'b1, 8'd64, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'h0},
    {
      NamedP384,
      3'd5,
      4'b1010,
      1'b1,
      8'd44,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'h3fffffffffffffffffffffffffffffffff
    },
    {
      NamedP384, 3'd4, 4'b0101, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hfffffffffffffffff
    },
    {
      NamedP384, 3'd3, 4'b1010, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hfffffffffffffffff
    },
    {
      NamedP384, 3'd2, 4'b0101, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hf0000000000000000
    },
    {
      NamedP384,
      3'd1,
      4'b1010,
      1'b0,
      8'd0,
      WordQ,
      1'b1,
      8'd28,
      WordTwin,
      134'h10000000,
      134'hfe0000000000000000000000000000000
    },
    {NamedP384, 3'd0, 4'b0101, 1'b1, 8'd64, WordHalf, 1'b0, 8'd0, WordQ, 134'h0, 134'h0},
    {
      NamedP256,
      3'd3,
      4'b1000,
      1'b1,
      8'd52,
      WordQ,
      1'b1,
      8'd20,
      WordQ,
      134'h100000,
      134'h3ffffffffffff000000000000000000000
    },
    {NamedP256, 3'd2, 4'b0100, 1'b1, 8'd56, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'h0},
    {NamedP256, 3'd1, 4'b0010, 1'b1, 8'd28, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'h0},
    {
      NamedP224,
      3'd3,
      4'b1000,
      1'b1,
      8'd20,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'h3fffffffffffffffffffffffffffffffff
    },
    {
      NamedP224, 3'd2, 4'b0100, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hf0000000000000000
    },
    {
      NamedP224,
      3'd1,
      4'b0010,
      1'b0,
      8'd0,
      WordQ,
      1'b1,
      8'd28,
      WordQ,
      134'h10000000,
      134'hffffffffff00000000000000000000000
    },
    {NamedP224, 3'd0, 4'b0001, 1'b1, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'h0},
    {
      NamedP192,
      3'd3,
      4'b1000,
      1'b0,
      8'd0,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'h3fffffffffffffffffffffffffffffffff
    },
    {
      NamedP192,
      3'd2,
      4'b0100,
      1'b1,
      8'd56,
      WordQ,
      1'b0,
      8'd0,
      WordQ,
      134'h0,
      134'hfffffffffffffffff
    },
    {
      NamedP192, 3'd1, 4'b0010, 1'b0, 8'd0, WordQ, 1'b0, 8'd0, WordQ, 134'h0, 134'hf0000000000000000
    },
    {
      NamedP192,
      3'd0,
      4'b0001,
      1'b0,
      8'd0,
      WordQ,
      1'b1,
      8'd64,
      WordQ,
      134'h10000000000000000,
      134'hf00000000000000000000000000000000
    }
  };

endpackage
