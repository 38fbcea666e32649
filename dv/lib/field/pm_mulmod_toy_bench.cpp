// SPDX-License-Identifier: Apache-2.0
//
// All operand pairs of PM_WIDTH bits through the slots of pm_mulmod_toy_tb: the weakly reduced
// result bit by bit and against its bound, the canonical form, the zero flag. Narrower slots see
// the low bits. Prints counters as `name value`, fails on the first difference.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "Vpm_mulmod_toy_tb.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

template <size_t kWords>
uint32_t field(const VlWide<kWords>& port, int bits, int index) {
  int low = bits * index;
  return (port[low / 32] >> (low % 32)) & ((uint64_t(1) << bits) - 1);
}

}  // namespace

int main() {
  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_mulmod_toy_tb>(context.get());
  pm_tb::reset(*dut);

  struct Slot {
    int index;
    long latency;
    uint64_t n, c, w, r_max;
  };
  std::vector<Slot> slots;
  for (int s = 0; s < 9; s++)
    if ((dut->present_o >> s) & 1) {
      uint32_t c = field(dut->config_o, 32, s);
      slots.push_back({s, long(c >> 24), c & 255, (c >> 8) & 255, (c >> 16) & 255,
                       field(dut->r_max_o, 16, s)});
    }

  const long pairs = 1L << (2 * PM_WIDTH);
  const uint64_t mask = (uint64_t(1) << PM_WIDTH) - 1;
  long results = 0, zeros = 0;
  for (long t = 0; t < pairs + 64; t++) {
    dut->a_i = t & mask;
    dut->b_i = (t >> PM_WIDTH) & mask;
    pm_tb::tick(*dut);
    for (Slot& slot : slots) {
      const bool valid = (dut->valid_o >> slot.index) & 1, due = t + 1 >= slot.latency;
      if (valid != due) {
        std::printf("FAIL valid_o of slot %d in cycle %ld\n", slot.index, t);
        return 1;
      }
      const long index = t + 1 - slot.latency;
      if (!due || index >= pairs) continue;
      const uint64_t a = uint64_t(index) & mask & ((1u << slot.w) - 1);
      const uint64_t b = uint64_t(index) >> PM_WIDTH & ((1u << slot.w) - 1);
      const uint64_t p = (1u << slot.n) - slot.c, m = slot.w / 2, half = (1u << m) - 1;
      const uint64_t ah = a >> m, al = a & half, bh = b >> m, bl = b & half;
      const uint64_t sum = (slot.c << (slot.w - slot.n)) * ah * bh + ((ah * bl + al * bh) << m) +
                           al * bl;
      const uint64_t weak = slot.c * (sum >> slot.n) + (sum & ((1u << slot.n) - 1));
      const uint64_t r = field(dut->r_o, 16, slot.index);
      const uint64_t canon = field(dut->canon_o, 16, slot.index);
      const bool zero = (dut->zero_o >> slot.index) & 1;
      if (r != weak || r > slot.r_max || r >= 2 * p || canon != a * b % p ||
          zero != (a * b % p == 0)) {
        std::printf("FAIL slot %d: %lu * %lu gives %lu, %lu, zero %d\n", slot.index, a, b, r,
                    canon, zero);
        return 1;
      }
      results++;
      zeros += zero;
    }
  }
  std::printf("slots %zu pairs %ld results %ld zeros %ld\n", slots.size(), pairs, results, zeros);
  dut->final();
  return 0;
}
