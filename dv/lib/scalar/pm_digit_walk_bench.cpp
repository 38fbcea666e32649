// SPDX-License-Identifier: Apache-2.0
//
// pm_digit_walk with 32 bits: every scalar of every length up to a limit and a bit more, as NAF and as bits,
// against operations made from the definition, each followed by another one of the same sum; random ones; digits
// given up in the middle.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "Vpm_digit_walk.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

enum Op { kDone, kZero, kPlus, kMinus, kSet, kSetMinus, kLast };

VerilatedContext context;
Vpm_digit_walk dut{&context};
uint64_t vectors = 0;

void tick() { pm_tb::tick(dut); }

[[noreturn]] void fail(const char* what, unsigned count, uint32_t k) {
  std::printf("FAIL %s: count %u, k %u\n", what, count, k);
  std::exit(1);
}

void pulse(CData& signal) {
  signal = 1;
  tick();
  signal = 0;
}

// Operations for the non-adjacent form, made digit by digit (Reitwiesner).
std::vector<int> operations(uint64_t k, bool begun) {
  std::vector<int> wanted;
  while (k != 0) {
    const int digit = (k & 1) ? 2 - int(k & 3) : 0;
    k = (k - uint64_t(int64_t(digit))) >> 1;
    if (digit != 0 && !begun) {
      wanted.push_back(digit > 0 ? kSet : kSetMinus);
      if (k != 0) wanted.push_back(kZero);
      begun = true;
    } else if (k == 0) {
      wanted.push_back(kLast);
    } else {
      wanted.push_back(digit == 0 ? kZero : digit > 0 ? kPlus : kMinus);
    }
  }
  return wanted;
}

void walk(unsigned count, uint32_t k, const std::vector<int>& operations) {
  for (const int wanted : operations) {
    if (int(dut.op_o) != wanted) fail("operation", count, k);
    pulse(dut.step_i);
  }
  if (dut.op_o != kDone) fail("end", count, k);
}

void one(unsigned count, uint32_t k) {
  ++vectors;
  dut.scalar_i = k;
  dut.count_i = count;
  pulse(dut.load_i);
  const bool fits = count >= 32 || k >> count == 0;
  if (bool(dut.too_long_o) == fits) fail("too_long", count, k);
  if (bool(dut.empty_o) != (k == 0)) fail("empty", count, k);
  walk(count, k, operations(k, false));
  if (k != 0 && dut.empty_o) fail("empty at the end", count, k);
  const uint32_t further = (k * 2654435761u) >> (k % 32);
  dut.scalar_i = further;
  dut.join_i = 1;
  pulse(dut.load_i);
  dut.join_i = 0;
  if (bool(dut.empty_o) != (k == 0 && further == 0)) fail("empty before the second", count, k);
  walk(count, k, operations(further, k != 0));
  dut.scalar_i = k;
  pulse(dut.restart_i);
  const uint64_t within = k & ((uint64_t{1} << count) - 1);
  unsigned before = 0;
  for (unsigned i = count; i-- > 0;) {
    const unsigned bit = i < 32 ? k >> i & 1 : 0;
    if (dut.index_o != (bit ^ before)) fail("index", count, k);
    if (!dut.more_o) fail("more", count, k);
    if (bool(dut.begun_o) != (within >> (i + 2) != 0)) fail("begun", count, k);
    before = bit;
    pulse(dut.next_i);
  }
  if (dut.more_o || dut.index_o != before) fail("last index", count, k);
  if (bool(dut.begun_o) != (within >> 1 != 0)) fail("begun at the end", count, k);
}

}  // namespace

int main(int, char** argv) {
  const unsigned limit = unsigned(std::atoi(argv[1]));
  dut.load_i = dut.join_i = dut.step_i = dut.restart_i = dut.next_i = dut.clear_i = 0;
  for (unsigned count = 1; count <= limit; ++count) {
    for (uint32_t k = 0; k < 2u << count; ++k) one(count, k);
  }
  uint32_t k = 1;
  for (int i = 0; i < 5000; ++i) {
    k = k * 1664525u + 1013904223u;
    const unsigned count = 1 + (k >> 7) % 33;
    one(count, count >= 32 ? k : k >> (32 - count));
    one(33, k | (i % 3 == 0 ? 0xffff0000u : 0));
    if (i % 7 == 0) {
      pulse(dut.load_i);
      pulse(dut.step_i);
      pulse(dut.clear_i);
      if (dut.op_o != kDone) fail("operation after clear", 33, k);
    }
  }
  dut.final();
  std::printf("%llu scalars ok\n", static_cast<unsigned long long>(vectors));
}
