// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_mont_skew, with many products under way; every cycle's ready and valid are compared with
// those of the rules of its header, and every digit in its cycle.
//   pm_mont_skew_sim <path> <stall seed>      vectors of test_pm_mont_skew.py; seed 0: operands are always offered
// Compiled with PM_DIGIT, PM_COLUMNS, PM_PERIOD and PM_NAMED_PERIOD of the unit. Operands that are not wanted are
// noise.
// Prints: vectors, cycles from the first operands to the last result, products whose operand is the result before
// them, in the cycle in which it comes.

#include <cstdlib>
#include <deque>

#include "Vpm_mont_skew.h"
#include "mont_bench.h"
#include "skew_bench.h"

using pm_tb::Big;
using skew::kColumns;

namespace {

constexpr int kPeriod = PM_PERIOD, kNamedPeriod = PM_NAMED_PERIOD;
constexpr int kSlots = kPeriod > kNamedPeriod ? kPeriod : kNamedPeriod;

struct Product {
  uint64_t begin, end;  // cycles of the digits 0 of operands and result
  Big x, y, want, got;
};

struct Bench {
  Vpm_mont_skew dut;
  pm_tb::Random random;
  bool stalls;
  std::deque<Product> under_way;
  uint64_t now = 0, vectors = 0, chained = 0, first = 0;
  bool started = false;
  uint64_t free_from[kSlots] = {};  // cycles from which a slot takes a product
  bool second[kSlots] = {};  // it has, or had, a second lap
  int digits = 0;
  bool wide = false, named = false;

  explicit Bench(uint64_t seed) : random(seed), stalls(seed != 0) {
    dut.valid_i = 0;
    pm_tb::reset(dut, 1);
  }

  void modulus(const Big& scaled, int count, bool twice, bool pairs) {
    drain();
    pm_tb::put(dut.p_i, scaled);
    dut.digits_i = digits = count;
    dut.wide_i = wide = twice;
    dut.named_i = named = pairs;
    for (int i = 0; i < kColumns + 2; ++i) cycle(nullptr);
  }

  // One cycle, with operands offered or not; true if they were accepted.
  bool cycle(const Product* offered) {
    dut.valid_i = offered != nullptr;
    dut.eval();
    const int period = named ? kNamedPeriod : kPeriod;
    const uint64_t slot = now % period, upper = (now + kColumns) % kPeriod;
    const uint64_t upper_at = now + (second[upper] ? kColumns : kColumns % kPeriod);
    const bool ready = free_from[slot] <= now && !(wide && free_from[upper] > upper_at);
    if (dut.ready_o != ready) pm_tb::fail("ready_o not as expected, vector " + std::to_string(vectors));
    const bool accepted = offered != nullptr && ready;
    const int steps = named ? digits / 2 : digits;
    if (accepted) {
      if (!started) first = now;
      started = true;
      free_from[slot] = now + steps * period;
      second[slot] = false;
      if (wide) {
        free_from[upper] = now + kColumns + digits * kPeriod;
        second[upper] = true;
      }
      under_way.push_back(*offered);
      under_way.back().begin = now;
      under_way.back().end = now + steps * period + (named ? 7 - period : period + 1);
      ++vectors;
    }
    skew::pass(dut, random, under_way, now, wide, "product", vectors);
    ++now;
    return accepted;
  }

  // chain: wait until the result before it comes, as if it were an operand.
  void product(const Product& one, bool chain) {
    if (chain && !under_way.empty()) {
      while (now < under_way.back().end) cycle(nullptr);
      ++chained;
    }
    while (stalls && !chain && random.next() % 4 == 0) cycle(nullptr);
    while (!cycle(&one)) {
    }
  }

  void drain() {
    while (!under_way.empty()) cycle(nullptr);
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) pm_tb::fail("usage: PATH SEED");
  Bench bench(std::strtoull(argv[2], nullptr, 10));
  mont::File file(argv[1]);
  uint32_t head[6];
  uint64_t last = 0;
  while (file.head(head)) {
    const Big scaled = file.value();
    bench.modulus(scaled, head[1], head[2] != 0, head[3] != 0);
    file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      Product one{};
      one.x = file.value();
      one.y = file.value();
      one.want = file.value();
      bench.product(one, bench.stalls && i % 8 == 0);
      last = bench.under_way.back().end;
    }
  }
  bench.drain();
  pm_tb::print({{"vectors", bench.vectors}, {"cycles", last - bench.first}, {"chained", bench.chained}});
  return 0;
}
