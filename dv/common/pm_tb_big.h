// SPDX-License-Identifier: Apache-2.0
//
// For the C++ benches: plain unsigned integers of 768 bits, a random generator, and the way of both
// into and out of verilated ports. Slow and simple on purpose: this is the reference side.

#ifndef PM_TB_BIG_H
#define PM_TB_BIG_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "verilated.h"

namespace pm_tb {

struct Big {
  static constexpr int kWords = 24;
  uint32_t w[kWords] = {};

  Big() = default;
  explicit Big(uint64_t value) {
    w[0] = static_cast<uint32_t>(value);
    w[1] = static_cast<uint32_t>(value >> 32);
  }
  static Big power_of_two(int exponent) {
    Big r;
    r.w[exponent / 32] = uint32_t{1} << (exponent % 32);
    return r;
  }
  static Big from_decimal(const char* digits) {
    Big r;
    for (; *digits != '\0'; ++digits) {
      uint64_t carry = static_cast<uint64_t>(*digits - '0');
      for (uint32_t& word : r.w) {
        carry += uint64_t{10} * word;
        word = static_cast<uint32_t>(carry);
        carry >>= 32;
      }
    }
    return r;
  }
  bool bit(int i) const { return (w[i / 32] >> (i % 32)) & 1; }
  int bit_length() const {
    for (int i = 32 * kWords; i > 0; --i) {
      if (bit(i - 1)) return i;
    }
    return 0;
  }
  uint64_t low64() const { return w[0] | (uint64_t{w[1]} << 32); }
  std::string hex() const {
    std::string text;
    char part[9];
    for (int i = kWords - 1; i >= 0; --i) {
      std::snprintf(part, sizeof part, "%08x", w[i]);
      text += part;
    }
    const size_t first = text.find_first_not_of('0');
    return "0x" + (first == std::string::npos ? "0" : text.substr(first));
  }
};

inline int compare(const Big& a, const Big& b) {
  for (int i = Big::kWords - 1; i >= 0; --i) {
    if (a.w[i] != b.w[i]) return a.w[i] < b.w[i] ? -1 : 1;
  }
  return 0;
}
inline bool operator==(const Big& a, const Big& b) { return compare(a, b) == 0; }
inline bool operator<(const Big& a, const Big& b) { return compare(a, b) < 0; }

inline Big operator+(const Big& a, const Big& b) {
  Big r;
  uint64_t carry = 0;
  for (int i = 0; i < Big::kWords; ++i) {
    carry += uint64_t{a.w[i]} + b.w[i];
    r.w[i] = static_cast<uint32_t>(carry);
    carry >>= 32;
  }
  return r;
}
inline Big operator-(const Big& a, const Big& b) {
  Big r;
  int64_t borrow = 0;
  for (int i = 0; i < Big::kWords; ++i) {
    borrow += int64_t{a.w[i]} - b.w[i];
    r.w[i] = static_cast<uint32_t>(borrow);
    borrow >>= 32;
  }
  return r;
}
inline Big operator*(const Big& a, const Big& b) {
  Big r;
  for (int i = 0; i < Big::kWords; ++i) {
    uint64_t carry = 0;
    for (int j = 0; i + j < Big::kWords; ++j) {
      carry += uint64_t{a.w[i]} * b.w[j] + r.w[i + j];
      r.w[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  return r;
}

// a mod m by shift and subtract; m below 2^(32 * kWords - 1).
inline Big mod(const Big& a, const Big& m) {
  Big r;
  for (int i = a.bit_length() - 1; i >= 0; --i) {
    r = r + r;
    r.w[0] |= a.bit(i);
    if (!(r < m)) r = r - m;
  }
  return r;
}

// Bits [low, low + count) of a; low + count at most 32 * kWords.
inline Big slice(const Big& a, int low, int count) {
  Big r;
  for (int i = 0; i < count; ++i) {
    if (a.bit(low + i)) r.w[i / 32] |= uint32_t{1} << (i % 32);
  }
  return r;
}

// splitmix64: small, seeded, the same everywhere.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // Uniform below 2^bits.
  Big bits(int bits) {
    Big r;
    for (int i = 0; 32 * i < bits; ++i) {
      r.w[i] = static_cast<uint32_t>(next());
      const int rest = bits - 32 * i;
      if (rest < 32) r.w[i] &= (uint32_t{1} << rest) - 1;
    }
    return r;
  }

 private:
  uint64_t state_;
};

// The last line of a bench: its counters, each behind its name.
struct Counter {
  const char* name;
  uint64_t value;
};
inline void print(std::initializer_list<Counter> counters) {
  for (const Counter& one : counters) {
    std::printf("%s %llu ", one.name, static_cast<unsigned long long>(one.value));
  }
  std::printf("\n");
}

[[noreturn]] inline void fail(const std::string& text) {
  std::fprintf(stderr, "FAIL: %s\n", text.c_str());
  std::exit(1);
}

// Zero above 768 bits.
template <typename Port>
void put(Port& port, const Big& value) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(value.low64());
  } else {
    for (size_t i = 0; i < sizeof(Port) / sizeof(EData); ++i) port[i] = i < Big::kWords ? value.w[i] : 0;
  }
}

// Fails where a bit above 768 is set.
template <typename Port>
Big get(const Port& port) {
  Big r;
  if constexpr (std::is_integral_v<Port>) {
    r = Big(port);
  } else {
    for (size_t i = 0; i < sizeof(Port) / sizeof(EData); ++i) {
      if (i < Big::kWords) {
        r.w[i] = port[i];
      } else if (port[i] != 0) {
        fail("a port's value has more than 768 bits");
      }
    }
  }
  return r;
}

}  // namespace pm_tb

#endif
