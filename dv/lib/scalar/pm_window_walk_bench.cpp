// SPDX-License-Identifier: Apache-2.0
//
// pm_window_walk with 32 bits: pairs of scalars, every short one beside every other, random ones and such with long
// runs, for every width of window: what the operations add up to, which digits, and where, by the definition.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "Vpm_window_walk.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

enum Op { kDone, kSet, kDouble, kPair, kAdd, kAlso };

VerilatedContext context;
Vpm_window_walk dut{&context};
uint64_t walks = 0;

void tick() { pm_tb::tick(dut); }

[[noreturn]] void fail(const char* what, uint32_t u, uint32_t v) {
  std::printf("FAIL %s: u %08x, v %08x\n", what, u, v);
  std::exit(1);
}

// Digits by place. The differences of neighbouring bits, b(i - 1) - b(i), from the highest place on; the first
// that is not 0 and those at the next places of its window make one digit.
std::map<int, int> digits(uint64_t k, int window) {
  const auto difference = [k](int i) {
    const int low = i > 0 ? (k >> (i - 1)) & 1 : 0;
    return i < 0 ? 0 : low - int((k >> i) & 1);
  };
  std::map<int, int> found;
  for (int place = 32; place >= 0;) {
    if (difference(place) == 0) {
      --place;
      continue;
    }
    int value = 0, low = place - window + 1;
    for (int i = place; i >= low; --i) value = 2 * value + difference(i);
    for (; value % 2 == 0; value /= 2) ++low;
    found[low] = value;
    place -= window;
  }
  return found;
}

void one(uint32_t u, uint32_t v, unsigned first, unsigned second) {
  const std::map<int, int> wanted[2] = {digits(u, int(first)), digits(v, int(second))};
  dut.scalars_i = uint64_t(v) << 32 | u;
  dut.windows_i = second << 4 | first;
  dut.load_i = 1;
  tick();
  dut.load_i = 0;
  dut.eval();
  for (int wait = 0; !dut.ready_o; ++wait) {
    if (wait == 32 / 16 + 17) fail("is never ready", u, v);
    tick();
  }
  int64_t sums[2] = {0, 0};
  std::map<int, int> met[2];
  int places = 0;  // doublings so far
  for (int steps = 0;; ++steps) {
    if (steps > 80) fail("does not end", u, v);
    const int op = dut.op_o, number = dut.source_o;
    if (!dut.ready_o) fail("is not ready any more", u, v);
    if (op == kDone) break;
    if ((op == kSet) != (steps == 0)) fail("sets the sum elsewhere", u, v);
    const int by = op == kPair ? 2 : op == kDouble || op == kAdd ? 1 : 0;
    places += by;
    for (int64_t& sum : sums) sum *= int64_t(1) << by;
    if (op == kSet || op == kAdd || op == kAlso) {
      const int digit = (2 * dut.index_o + 1) * (dut.negative_o ? -1 : 1);
      if (op == kAlso && (number != 1 || met[0].count(places) == 0)) fail("also without a first", u, v);
      if (!met[number].emplace(places, digit).second) fail("two digits at one place", u, v);
      sums[number] += digit;
    }
    // Nothing happens without a step.
    if (walks % 5 == 0) {
      tick();
      if (dut.op_o != op || dut.source_o != number) fail("moves on by itself", u, v);
    }
    dut.step_i = 1;
    tick();
    dut.step_i = 0;
    dut.eval();
  }
  if (sums[0] != u || sums[1] != v) fail("another sum", u, v);
  for (int number = 0; number < 2; ++number) {
    if (met[number].size() != wanted[number].size()) fail("other digits", u, v);
    for (const auto& [done, digit] : met[number])
      if (wanted[number].count(places - done) == 0 || wanted[number].at(places - done) != digit)
        fail("another digit", u, v);
  }
  ++walks;
}

}  // namespace

int main(int argc, char** argv) {
  const uint32_t limit = argc > 1 ? uint32_t(std::atoi(argv[1])) : 64;
  dut.clear_i = dut.load_i = dut.step_i = 0;
  for (unsigned window = 3; window <= 8; ++window) {
    for (uint32_t u = 0; u < limit; ++u)
      for (uint32_t v = 0; v < limit; ++v) one(u, v, window, window);
    for (uint32_t k = 0; k < 5000; ++k) one(k, 0, window, window);
  }
  uint64_t state = 1;
  for (int i = 0; i < 36000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint32_t u = uint32_t(state >> 32), run = uint32_t(-1) << (i % 32);
    one(u, i % 3 == 0 ? run : i % 3 == 1 ? ~run : u * 0x9e3779b9u, 3 + i % 6, 3 + i / 6 % 6);
  }
  // Forgotten in the middle: nothing but zeros is left.
  dut.scalars_i = ~uint64_t(0);
  dut.load_i = 1;
  tick();
  dut.load_i = 0;
  dut.clear_i = 1;
  tick();
  dut.clear_i = 0;
  one(0, 0, 5, 5);
  std::printf("%llu walks ok\n", static_cast<unsigned long long>(walks));
  return 0;
}
