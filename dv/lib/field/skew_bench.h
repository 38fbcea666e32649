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

}  // namespace skew

#endif
