// SPDX-License-Identifier: Apache-2.0
//
// SHA-512 constants and functions (FIPS 180-4, sections 4.1.3, 4.2.3 and 5.3.5).
//
// RoundConst[t] is the first 64 bits of the fractional part of the cube root of the t-th prime,
// InitHash[i] that of the square root; dv/lib/hash/test_pm_sha512_pkg.py recomputes both.
package pm_sha512_pkg;

  typedef logic [63:0] word_t;

  // Working variables a (index 0) to h (index 7); the chaining value has the same order.
  typedef word_t [7:0] state_t;

  // The index order of the literals below is descending, hence InitHash[0] comes last.
  localparam state_t InitHash = {
    64'h5be0cd19137e2179,
    64'h1f83d9abfb41bd6b,
    64'h9b05688c2b3e6c1f,
    64'h510e527fade682d1,
    64'ha54ff53a5f1d36f1,
    64'h3c6ef372fe94f82b,
    64'hbb67ae8584caa73b,
    64'h6a09e667f3bcc908
  };

  localparam int unsigned Rounds = 80;

  localparam word_t [Rounds-1:0] RoundConst = {
    64'h6c44198c4a475817,
    64'h5fcb6fab3ad6faec,
    64'h597f299cfc657e2a,
    64'h4cc5d4becb3e42b6,
    64'h431d67c49c100d4c,
    64'h3c9ebe0a15c9bebc,
    64'h32caab7b40c72493,
    64'h28db77f523047d84,
    64'h1b710b35131c471b,
    64'h113f9804bef90dae,
    64'h0a637dc5a2c898a6,
    64'h06f067aa72176fba,
    64'hf57d4f7fee6ed178,
    64'heada7dd6cde0eb1e,
    64'hd186b8c721c0c207,
    64'hca273eceea26619c,
    64'hc67178f2e372532b,
    64'hbef9a3f7b2c67915,
    64'ha4506cebde82bde9,
    64'h90befffa23631e28,
    64'h8cc702081a6439ec,
    64'h84c87814a1f0ab72,
    64'h78a5636f43172f60,
    64'h748f82ee5defb2fc,
    64'h682e6ff3d6b2b8a3,
    64'h5b9cca4f7763e373,
    64'h4ed8aa4ae3418acb,
    64'h391c0cb3c5c95a63,
    64'h34b0bcb5e19b48a8,
    64'h2748774cdf8eeb99,
    64'h1e376c085141ab53,
    64'h19a4c116b8d2d0c8,
    64'h106aa07032bbd1b8,
    64'hf40e35855771202a,
    64'hd69906245565a910,
    64'hd192e819d6ef5218,
    64'hc76c51a30654be30,
    64'hc24b8b70d0f89791,
    64'ha81a664bbc423001,
    64'ha2bfe8a14cf10364,
    64'h92722c851482353b,
    64'h81c2c92e47edaee6,
    64'h766a0abb3c77b2a8,
    64'h650a73548baf63de,
    64'h53380d139d95b3df,
    64'h4d2c6dfc5ac42aed,
    64'h2e1b21385c26c926,
    64'h27b70a8546d22ffc,
    64'h142929670a0e6e70,
    64'h06ca6351e003826f,
    64'hd5a79147930aa725,
    64'hc6e00bf33da88fc2,
    64'hbf597fc7beef0ee4,
    64'hb00327c898fb213f,
    64'ha831c66d2db43210,
    64'h983e5152ee66dfab,
    64'h76f988da831153b5,
    64'h5cb0a9dcbd41fbd4,
    64'h4a7484aa6ea6e483,
    64'h2de92c6f592b0275,
    64'h240ca1cc77ac9c65,
    64'h0fc19dc68b8cd5b5,
    64'hefbe4786384f25e3,
    64'he49b69c19ef14ad2,
    64'hc19bf174cf692694,
    64'h9bdc06a725c71235,
    64'h80deb1fe3b1696b1,
    64'h72be5d74f27b896f,
    64'h550c7dc3d5ffb4e2,
    64'h243185be4ee4b28c,
    64'h12835b0145706fbe,
    64'hd807aa98a3030242,
    64'hab1c5ed5da6d8118,
    64'h923f82a4af194f9b,
    64'h59f111f1b605d019,
    64'h3956c25bf348b538,
    64'he9b5dba58189dbbc,
    64'hb5c0fbcfec4d3b2f,
    64'h7137449123ef65cd,
    64'h428a2f98d728ae22
  };

  // Position in the working variables.
  localparam int unsigned A = 0, B = 1, C = 2, D = 3, E = 4, F = 5, G = 6, H = 7;

  // Sum_0 of (4.10).
  function automatic word_t big_sigma0(word_t x);
    return {x[27:0], x[63:28]} ^ {x[33:0], x[63:34]} ^ {x[38:0], x[63:39]};
  endfunction

  // Sum_1 of (4.11).
  function automatic word_t big_sigma1(word_t x);
    return {x[13:0], x[63:14]} ^ {x[17:0], x[63:18]} ^ {x[40:0], x[63:41]};
  endfunction

  // sigma_0 of (4.12).
  function automatic word_t small_sigma0(word_t x);
    return {x[0], x[63:1]} ^ {x[7:0], x[63:8]} ^ {7'd0, x[63:7]};
  endfunction

  // sigma_1 of (4.13).
  function automatic word_t small_sigma1(word_t x);
    return {x[18:0], x[63:19]} ^ {x[60:0], x[63:61]} ^ {6'd0, x[63:6]};
  endfunction

  // Ch of (4.8).
  function automatic word_t ch(word_t x, word_t y, word_t z);
    return (x & y) ^ (~x & z);
  endfunction

  // Maj of (4.9).
  function automatic word_t maj(word_t x, word_t y, word_t z);
    return (x & y) ^ (x & z) ^ (y & z);
  endfunction

  // Reverses the bytes of a word: streams carry the first byte in bits 7:0, SHA-512 words in 63:56.
  function automatic word_t bswap(word_t x);
    return {x[7:0], x[15:8], x[23:16], x[31:24], x[39:32], x[47:40], x[55:48], x[63:56]};
  endfunction

endpackage
