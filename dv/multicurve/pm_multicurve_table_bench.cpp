// SPDX-License-Identifier: Apache-2.0
//
// pm_multicurve_table with 32 bits and 16 pairs: random writes of halves and takes in any cycle, also both at once and
// one take upon the other, and wipes, against an array.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vpm_multicurve_table.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

constexpr uint32_t kP = 4294967291u;
constexpr int kLatency = 3;

VerilatedContext context;
Vpm_multicurve_table dut{&context};

}  // namespace

int main(int argc, char** argv) {
  const int cycles = argc > 1 ? std::atoi(argv[1]) : 1000;
  uint32_t x[16] = {}, y[16] = {}, want_x = 0, want_y = 0;
  uint64_t state = 7, takes = 0, zeros = 0;
  int left = 0;       // cycles until the pair is there
  bool known = false;
  bool wiped = false;  // since the latest take
  const auto random = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return uint32_t(state >> 33);
  };
  dut.p_i = kP;
  pm_tb::reset(dut);
  for (int i = 0; i < cycles + 16; ++i) {
    const bool filling = i < 16;
    dut.at_i = filling ? unsigned(i) : random() % 16;
    dut.data_i = random() % 4 ? (uint64_t(random()) * 2 + random() % 2) % kP : 0;
    dut.write_x_i = filling || random() % 4 == 0;
    dut.write_y_i = filling || random() % 4 == 0;
    dut.take_i = !filling && random() % 4 == 0;
    dut.from_i = random() % 2 ? dut.at_i : random() % 16;
    dut.negative_i = random() % 2;
    dut.wipe_i = !filling && random() % 16 == 0;
    if (dut.write_x_i) x[dut.at_i] = dut.data_i;
    if (dut.write_y_i) y[dut.at_i] = dut.data_i;
    dut.eval();
    if (!wiped && bool(dut.ready_o) != (left == 0)) {
      std::printf("FAIL ready in cycle %d\n", i);
      return 1;
    }
    if (left == 0 && known && (dut.x_o != want_x || dut.y_o != want_y)) {
      std::printf("FAIL another pair in cycle %d\n", i);
      return 1;
    }
    if (dut.wipe_i) {  // before a take
      want_x = want_y = 0;
      left = 0;
      known = wiped = true;
    } else if (dut.take_i) {
      // What is written in the next cycle comes too late.
      want_x = x[dut.from_i];
      const uint32_t value = y[dut.from_i];
      want_y = dut.negative_i && value != 0 ? kP - value : value;
      zeros += dut.negative_i && value == 0;
      left = kLatency;
      known = true;
      wiped = false;
      ++takes;
    }
    if (left > 0) --left;
    pm_tb::tick(dut);
  }
  std::printf("%llu takes %d zeros\n", static_cast<unsigned long long>(takes), int(zeros > 0));
  return 0;
}
