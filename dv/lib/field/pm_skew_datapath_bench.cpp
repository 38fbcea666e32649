// SPDX-License-Identifier: Apache-2.0
//
// Programs on pm_skew_datapath, a microinstruction in every cycle; what it reads is compared where the program asks.
//   pm_skew_datapath_sim <path>      programs of test_pm_skew_datapath.py
// Compiled with PM_DIGIT and PM_COLUMNS of the unit. Numbers from outside that are not wanted are noise.
// Prints: compared numbers, cycles.

#include <deque>

#include "Vpm_skew_datapath.h"
#include "mont_bench.h"
#include "skew_bench.h"

using pm_tb::Big;
using skew::kColumns;

namespace {

struct Number {
  uint64_t begin;  // cycle of digit 0
  Big value, got;
};

struct Bench {
  Vpm_skew_datapath dut;
  pm_tb::Random random{7};
  std::deque<Number> outside, compared;
  uint64_t now = 0, count = 0;

  Bench() {
    instruction(0);
    pm_tb::reset(dut, 1);
  }

  void instruction(uint32_t word) {
    dut.a_i = word & 63;
    dut.b_i = word >> 6 & 63;
    dut.c_i = word >> 12 & 63;
    dut.multiply_i = word >> 18 & 1;
    dut.add_i = word >> 19 & 1;
    dut.sub_i = word >> 20 & 1;
    dut.shift_i = word >> 21 & 3;
    dut.scale_i = word >> 23 & 7;
    dut.write_i = word >> 26 & 1;
    dut.source_i = word >> 27 & 3;
  }

  // One cycle with a microinstruction; its number from outside, and what it reads if that is compared.
  void cycle(uint32_t word, const Big& in, const Big& want) {
    instruction(word);
    if ((word >> 27 & 3) == 2) outside.push_back({now + 1, in, {}});
    if (word >> 29 & 1) compared.push_back({now + 2, want, {}});
    Big ports = random.bits((kColumns + 1) * skew::kDigit);
    for (const Number& one : outside)
      for (int port = 0; port <= kColumns; ++port)
        if (one.begin + port == now) skew::copy(ports, port, one.value, port);
    pm_tb::put(dut.outside_i, ports);
    dut.eval();
    const Big a = pm_tb::get(dut.a_o);
    for (Number& one : compared)
      for (int port = 0; port <= kColumns; ++port)
        if (one.begin + port == now) skew::copy(one.got, port, a, port);
    pm_tb::tick(dut);
    ++now;
    if (!outside.empty() && now > outside.front().begin + kColumns) outside.pop_front();
    if (!compared.empty() && now > compared.front().begin + kColumns) {
      const Number& one = compared.front();
      if (!(one.got == one.value)) pm_tb::fail("number: " + one.got.hex() + " is not " + one.value.hex());
      ++count;
      compared.pop_front();
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) pm_tb::fail("usage: PATH");
  Bench bench;
  mont::File file(argv[1]);
  uint32_t head[6];
  while (file.head(head)) {
    pm_tb::put(bench.dut.p_i, file.value());
    bench.dut.digits_i = head[1];
    file.value();
    file.value();
    for (uint32_t i = 1; i < head[0]; ++i) {
      const uint32_t word = file.value().w[0];
      const Big in = file.value();
      bench.cycle(word, in, file.value());
    }
    for (int i = 0; i < 2 * kColumns; ++i) bench.cycle(0, Big{}, Big{});
  }
  pm_tb::print({{"compared", bench.count}, {"cycles", bench.now}});
  return 0;
}
