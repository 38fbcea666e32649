// SPDX-License-Identifier: Apache-2.0
//
// Operands of 258 bits that look for trouble: edges of the field and of the halves, sparse, dense,
// runs of ones, halves of zeros or ones, besides uniform ones.

#ifndef POINTMILL_TB_FIELD_OPERANDS_H
#define POINTMILL_TB_FIELD_OPERANDS_H

#include <cstdint>
#include <random>
#include <vector>

#include "field_ref.h"
#include "verilated.h"

namespace field_ref {

inline U258 trim(U258 x) {
  x[4] &= 3;
  return x;
}

inline U258 add(const U258& x, const U258& y) {
  U258 s;
  unsigned __int128 carry = 0;
  for (int i = 0; i < 5; i++) {
    carry += (unsigned __int128)x[i] + y[i];
    s[i] = uint64_t(carry);
    carry >>= 64;
  }
  return trim(s);
}

inline U258 negate(U258 x) {
  for (auto& limb : x) limb = ~limb;
  return add(x, U258{1});
}

inline U258 sub(const U258& x, const U258& y) { return add(x, negate(y)); }

inline U258 small(uint64_t v) { return U258{v, 0, 0, 0, 0}; }

inline U258 power(int bit) {  // 2^bit
  U258 x{};
  x[bit / 64] = uint64_t(1) << (bit % 64);
  return x;
}

inline U258 ones(int low, int high) { return sub(power(high), power(low)); }  // bits low..high-1

inline U258 p_times(int k) {
  U258 x{};
  for (int i = 0; i < k; i++) x = add(x, sub(power(255), small(19)));
  return x;
}

// Edge values; the benches multiply all pairs of them.
inline std::vector<U258> edges() {
  const U258 top = negate(small(1));  // 2^258 - 1
  std::vector<U258> e = {small(0), small(1), small(2), small(18), small(19), small(20), top};
  for (int k : {1, 2, 4, 8})  // 8p = 2^258 - 152
    for (int d : {-1, 0, 1})
      e.push_back(d < 0 ? sub(p_times(k), small(1)) : add(p_times(k), small(d)));
  for (int bit : {16, 17, 33, 65, 128, 129, 130, 194, 255, 256, 257}) {
    e.push_back(power(bit));
    e.push_back(sub(power(bit), small(1)));
    e.push_back(add(power(bit), small(1)));
  }
  e.push_back(ones(129, 257));                     // high half without its top bit
  e.push_back(sub(top, ones(0, 129)));             // high half of ones, low half zero
  e.push_back(add(power(255), power(138)));        // the bound of weakly reduced results
  e.push_back(add(power(255), ones(0, 138)));
  U258 a{}, b{};
  for (int i = 0; i < 258; i++) (i & 1 ? a : b) = add(i & 1 ? a : b, power(i));
  e.push_back(a);
  e.push_back(b);
  for (int step : {17, 33, 65}) {  // a single one at every place where factors are cut
    U258 x{};
    for (int i = 0; i < 258; i += step) x = add(x, power(i));
    e.push_back(x);
    e.push_back(negate(x));
  }
  return e;
}

constexpr int kKinds = 8;

// One operand of the given kind, 0 to kKinds - 1.
inline U258 operand(int kind, std::mt19937_64& rng, const std::vector<U258>& edge) {
  U258 x = trim({rng(), rng(), rng(), rng(), rng()});
  switch (kind) {
    case 0:
      return x;
    case 1:  // 255 bits
      x[3] &= ~uint64_t(0) >> 1;
      x[4] = 0;
      return x;
    case 2:    // one to four ones
    case 3: {  // one to four zeros
      U258 s{};
      for (int n = 1 + int(rng() % 4); n > 0; n--) {
        int bit = int(rng() % 258);
        s[bit / 64] |= uint64_t(1) << (bit % 64);
      }
      return kind == 2 ? s : sub(negate(small(1)), s);
    }
    case 4: {  // halves of zeros, ones or random bits
      const U258 low = ones(0, 129), high = negate(power(129));
      int pick = int(rng() % 9);
      for (int i = 0; i < 5; i++) {
        if (pick % 3 == 0) x[i] &= ~low[i];
        if (pick % 3 == 1) x[i] |= low[i];
        if (pick / 3 == 0) x[i] &= ~high[i];
        if (pick / 3 == 1) x[i] |= high[i];
      }
      return trim(x);
    }
    case 5: {  // a run of ones
      int low = int(rng() % 258), length = 1 + int(rng() % 257);
      return low + length > 257 ? negate(power(low)) : ones(low, low + length);
    }
    case 6:
      return edge[rng() % edge.size()];
    default:  // near an edge
      return sub(add(edge[rng() % edge.size()], small(rng() % 64)), small(rng() % 64));
  }
}

// Into and out of ports.
inline void drive(VlWide<9>& port, const U258& x) {
  for (int i = 0; i < 9; i++) port[i] = uint32_t(x[i / 2] >> (32 * (i % 2)));
}

template <size_t kWords>
inline U258 sample(const VlWide<kWords>& port) {
  U258 x{};
  for (size_t i = 0; i < kWords; i++) x[i / 2] |= uint64_t(port[i]) << (32 * (i % 2));
  return x;
}

inline bool less(const U258& x, const U258& y) {
  for (int i = 4; i >= 0; i--)
    if (x[i] != y[i]) return x[i] < y[i];
  return false;
}

}  // namespace field_ref

#endif
