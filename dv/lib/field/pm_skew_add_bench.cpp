// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_skew_add, operations in every cycle or with pauses; every cycle's ready and valid are compared
// with those of the rules of its header, and every digit in its cycle.
//   pm_skew_add_sim <path> <stall seed>      vectors of test_pm_skew_add.py; seed 0: operands are always offered
// Compiled with PM_DIGIT and PM_COLUMNS of the unit. Operands that are not wanted are noise.
// Prints: vectors, cycles from the first operands to the last result.

#include <cstdlib>
#include <deque>

#include "Vpm_skew_add.h"
#include "mont_bench.h"
#include "skew_bench.h"

using pm_tb::Big;
using skew::kColumns;

namespace {

constexpr uint64_t kLatency = 2;

struct Operation {
  uint64_t begin, end;  // cycles of the digits 0 of operands and result
  uint32_t code;        // sub, shift, scale from bit 0 up
  Big x, y, want, got;
};

struct Bench {
  Vpm_skew_add dut;
  pm_tb::Random random;
  bool stalls, wide = false;
  std::deque<Operation> under_way;
  uint64_t now = 0, vectors = 0, first = 0, last = 0;

  explicit Bench(uint64_t seed) : random(seed), stalls(seed != 0) {
    dut.valid_i = 0;
    pm_tb::reset(dut, 1);
  }

  void modulus(const Big& scaled, bool twice) {
    drain();
    pm_tb::put(dut.p_i, scaled);
    dut.wide_i = wide = twice;
  }

  // One cycle, with operands offered or not; true if they were accepted.
  bool cycle(const Operation* offered) {
    bool ready = true;
    for (const Operation& one : under_way) ready = ready && !(wide && one.begin + kColumns == now);
    const uint32_t code = offered != nullptr ? offered->code : uint32_t(random.next());
    dut.valid_i = offered != nullptr;
    dut.sub_i = code & 1;
    dut.shift_i = code >> 1 & 3;
    dut.scale_i = (code >> 3 & 7) % 7;
    dut.eval();
    if (dut.ready_o != ready) pm_tb::fail("ready_o not as expected, vector " + std::to_string(vectors));
    const bool accepted = offered != nullptr && ready;
    if (accepted) {
      if (vectors++ == 0) first = now;
      last = now + kLatency;
      under_way.push_back(*offered);
      under_way.back().begin = now;
      under_way.back().end = last;
    }
    skew::pass(dut, random, under_way, now, wide, "sum", vectors);
    ++now;
    return accepted;
  }

  void operation(const Operation& one) {
    while (stalls && random.next() % 4 == 0) cycle(nullptr);
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
  while (file.head(head)) {
    bench.modulus(file.value(), head[1] != 0);
    for (int i = 1; i < 4; ++i) file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      Operation one{};
      one.code = file.value().w[0];
      one.x = file.value();
      one.y = file.value();
      one.want = file.value();
      bench.operation(one);
    }
  }
  bench.drain();
  pm_tb::print({{"vectors", bench.vectors}, {"cycles", bench.last - bench.first}});
  return 0;
}
