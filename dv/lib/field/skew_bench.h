// SPDX-License-Identifier: Apache-2.0
//
// Skewed numbers for the benches of pm_mont_skew and pm_skew_add. Compiled with PM_DIGIT and PM_COLUMNS.

#ifndef POINTMILL_TB_FIELD_SKEW_BENCH_H
#define POINTMILL_TB_FIELD_SKEW_BENCH_H

#include "pm_tb_big.h"

namespace skew {

using pm_tb::Big;

constexpr int kDigit = PM_DIGIT, kColumns = PM_COLUMNS;

// The digit that a port has in a cycle, counted from that of digit 0; -1: none.
inline int digit_at(int port, int64_t cycle, bool wide) {
  if (cycle == port) return port;
  return wide && port > 0 && cycle == port + kColumns ? port + kColumns : -1;
}

// Digit `from` of value becomes digit `to` of ports.
inline void copy(Big& ports, int to, const Big& value, int from) {
  for (int i = 0; i < kDigit; ++i) {
    const int at = to * kDigit + i, bit = from * kDigit + i;
    const uint32_t mask = uint32_t{1} << (at % 32);
    const bool one = bit < 32 * Big::kWords && value.bit(bit);
    if (at < 32 * Big::kWords) ports.w[at / 32] = one ? ports.w[at / 32] | mask : ports.w[at / 32] & ~mask;
  }
}

// Puts the digits of operands of an operation to the ports in a cycle, `in` after its digits 0, and takes those of its
// result, `out` after theirs.
template <class Operation>
void exchange(Operation& one, int64_t in, int64_t out, bool wide, Big& x, Big& y, const Big& r) {
  for (int port = 0; port <= kColumns; ++port) {
    if (const int i = digit_at(port, in, wide); i >= 0) {
      copy(x, port, one.x, i);
      copy(y, port, one.y, i);
    }
    if (const int i = digit_at(port, out, wide); i >= 0) copy(one.got, i, r, port);
  }
}

}  // namespace skew

#endif
