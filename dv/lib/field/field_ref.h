// SPDX-License-Identifier: Apache-2.0
//
// Two references for products modulo p = 2^255 - 19 that share no step: schoolbook over 64-bit
// limbs with a bitwise long division by p, and a bytewise Horner scheme over 32-bit digits that
// folds 2^255 = 19. Operands have up to 258 bits, results lie in [0, p).

#ifndef POINTMILL_TB_FIELD_REF_H
#define POINTMILL_TB_FIELD_REF_H

#include <array>
#include <cstdint>

namespace field_ref {

using U258 = std::array<uint64_t, 5>;  // 64-bit limbs, least significant first
using U255 = std::array<uint64_t, 4>;
using Product = std::array<uint64_t, 10>;

inline const U255 kP = {~uint64_t(18), ~uint64_t(0), ~uint64_t(0), ~uint64_t(0) >> 1};

// a b, schoolbook.
inline Product multiply(const U258& a, const U258& b) {
  Product p{};
  for (int i = 0; i < 5; i++) {
    uint64_t carry = 0;
    for (int j = 0; j < 5; j++) {
      unsigned __int128 t = (unsigned __int128)a[i] * b[j] + p[i + j] + carry;
      p[i + j] = uint64_t(t);
      carry = uint64_t(t >> 64);
    }
    p[i + 5] = carry;
  }
  return p;
}

// x mod `kP` for x < 2^516, by restoring division; nothing in it knows the form of the modulus.
inline U255 long_division(const Product& x) {
  U255 r{};
  for (int i = 0; i < 4; i++)  // the top 254 of 516 bits are below p
    r[i] = (x[i + 4] >> 6) | (x[i + 5] << 58);
  for (int bit = 261; bit >= 0; bit--) {
    uint64_t in = (x[bit / 64] >> (bit % 64)) & 1;
    for (auto& limb : r) {
      uint64_t out = limb >> 63;
      limb = (limb << 1) | in;
      in = out;
    }
    U255 d;
    unsigned char borrow = 0;
    for (int i = 0; i < 4; i++) {
      unsigned __int128 t = (unsigned __int128)r[i] - kP[i] - borrow;
      d[i] = uint64_t(t);
      borrow = uint64_t(t >> 64) != 0;
    }
    if (!borrow) r = d;
  }
  return r;
}

inline U255 schoolbook(const U258& a, const U258& b) { return long_division(multiply(a, b)); }

// The same residue: r = 256 r + a b_i over the bytes of b, reduced after each.
inline U255 horner(const U258& a, const U258& b) {
  std::array<uint32_t, 9> r{};
  for (int byte = 32; byte >= 0; byte--) {
    uint64_t digit = (b[byte / 8] >> (8 * (byte % 8))) & 255, carry = 0;
    for (int i = 0; i < 9; i++) {
      uint32_t ai = uint32_t(a[i / 2] >> (32 * (i % 2)));
      carry += uint64_t(r[i]) * 256 + uint64_t(ai) * digit;
      r[i] = uint32_t(carry);
      carry >>= 32;
    }
    while (r[8] != 0 || (r[7] >> 31) != 0) {
      carry = 19 * ((uint64_t(r[8]) << 1) | (r[7] >> 31));
      r[8] = 0;
      r[7] &= 0x7fffffff;
      for (auto& x : r) {
        carry += x;
        x = uint32_t(carry);
        carry >>= 32;
      }
    }
  }
  bool all = r[7] == 0x7fffffff && r[0] >= 0xffffffed;
  for (int i = 1; i < 7; i++) all = all && r[i] == 0xffffffff;
  if (all) {
    r[0] -= 0xffffffed;
    for (int i = 1; i < 8; i++) r[i] = 0;
  }
  U255 out;
  for (int i = 0; i < 4; i++) out[i] = r[2 * i] | (uint64_t(r[2 * i + 1]) << 32);
  return out;
}

}  // namespace field_ref

#endif
