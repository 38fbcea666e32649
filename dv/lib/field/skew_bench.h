// SPDX-License-Identifier: Apache-2.0
//
// Skewed numbers for the benches of pm_mont_skew and pm_skew_add. Compiled with PM_DIGIT and PM_COLUMNS.

#ifndef POINTMILL_TB_FIELD_SKEW_BENCH_H
#define POINTMILL_TB_FIELD_SKEW_BENCH_H

#include <deque>
#include <string>

#include "pm_tb_big.h"
#include "pm_tb_clock.h"

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

// The end of cycle `now`: digits of all operations pass the ports, where those that are not wanted are noise, and an
// operation is compared and forgotten behind its last digit. Its begin and end: cycles of the digits 0 of operands and
// result. what: an operation, in messages.
template <class Unit, class Operation>
void pass(Unit& dut, pm_tb::Random& random, std::deque<Operation>& under_way, uint64_t now, bool wide, const char* what,
          uint64_t vectors) {
  Big x = random.bits((kColumns + 1) * kDigit), y = random.bits((kColumns + 1) * kDigit);
  const Big r = pm_tb::get(dut.r_o);
  bool valid = false;
  for (Operation& one : under_way) {
    valid = valid || one.end == now;
    exchange(one, now - one.begin, now - one.end, wide, x, y, r);
  }
  if (dut.valid_o != valid) pm_tb::fail("valid_o not as expected, vector " + std::to_string(vectors));
  pm_tb::put(dut.x_i, x);
  pm_tb::put(dut.y_i, y);
  dut.eval();
  pm_tb::tick(dut);
  while (!under_way.empty() && now >= under_way.front().end + (wide ? 2 : 1) * kColumns) {
    const Operation& done = under_way.front();
    if (!(done.got == done.want)) pm_tb::fail(what + (": " + done.got.hex()) + " is not " + done.want.hex());
    under_way.pop_front();
  }
}

}  // namespace skew

#endif
