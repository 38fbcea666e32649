// SPDX-License-Identifier: Apache-2.0
//
// All pairs of 9-bit operands through the slots of pm_karatsuba_tb, with the clock enable off in
// every fifth cycle. Each product must appear after exactly the stated number of enabled cycles.
// Prints counters as `name value`, fails on the first difference.

#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "Vpm_karatsuba_tb.h"
#include "pm_tb_clock.h"
#include "verilated.h"

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_karatsuba_tb>(context.get());
  dut->clk_i = 0;
  dut->eval();

  struct Slot {
    unsigned index, latency;
    uint32_t mask;
  };
  std::vector<Slot> slots;
  long latencies = 0;
  for (unsigned s = 0; s < 36; s++)
    if ((dut->present_o >> s) & 1) {
      slots.push_back({s, dut->state_o[s] >> 24, (2u << (s / 4)) - 1});
      latencies += slots.back().latency;
    }

  const long pairs = 1L << 18, drain = 32;
  std::array<uint32_t, 32> past{};  // operand pairs of the last 32 enabled cycles, newest first
  long seen = 0, frozen = 0, products = 0;
  for (long t = 0; seen < pairs + drain; t++) {
    const uint32_t pair = uint32_t(seen) & uint32_t(pairs - 1);
    dut->a_i = pair & 511;
    dut->b_i = pair >> 9;
    dut->en_i = t % 5 != 4;
    dut->eval();
    for (const Slot& slot : slots) {
      // What stands at the output before this clock edge: `latency` enabled edges old.
      if (seen < long(slot.latency) || seen - long(slot.latency) >= pairs) continue;
      const uint32_t old = slot.latency == 0 ? pair : past[slot.latency - 1];
      const uint32_t a = (old & 511) & slot.mask, b = (old >> 9) & slot.mask;
      if ((dut->state_o[slot.index] & 0xffffff) != a * b) {
        std::printf("FAIL width %u, levels %u: %u * %u\n", slot.index / 4 + 1, slot.index % 4, a, b);
        return 1;
      }
      products += dut->en_i;
    }
    if (dut->en_i) {
      for (size_t i = past.size() - 1; i > 0; i--) past[i] = past[i - 1];
      past[0] = pair;
      seen++;
    } else {
      frozen++;
    }
    pm_tb::rise(*dut);
  }
  std::printf("slots %zu latencies %ld pairs %ld products %ld frozen %ld\n", slots.size(), latencies,
              pairs, products, frozen);
  dut->final();
  return 0;
}
