// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_halfgcd: many scalars per call.

#include "Vpm_halfgcd.h"
#include "pm_tb_unit.h"

// Runs `count` scalars of 8 words, least significant first. For each, 18 words of out: |c|, |d|,
// signs (c in bit 0, d in bit 1), cycles from acceptance to valid_o. hold_seed 0: results are taken
// at once; otherwise after a few cycles in which they must not change. Returns 0, negative if the
// unit misbehaves.
extern "C" int pm_halfgcd_run(const uint32_t* k, int count, uint64_t hold_seed, uint32_t* out) {
  static Vpm_halfgcd* const dut =
      pm_tb::started<Vpm_halfgcd>([](auto* unit) { unit->clear_i = unit->valid_i = unit->ready_i = 0; });
  pm_tb::Random random(hold_seed);
  for (int n = 0; n < count; ++n, k += 8, out += 18) {
    const pm_tb::Big value = pm_tb::load(k);
    if (!dut->ready_o || dut->valid_o) return -1;
    pm_tb::put(dut->k_i, value);
    dut->valid_i = 1;
    pm_tb::tick(*dut);
    dut->valid_i = 0;
    pm_tb::put(dut->k_i, random.bits(253));
    uint32_t cycles = 1;
    for (; !dut->valid_o; ++cycles) {
      if (dut->ready_o) return -2;
      if (cycles > 2500) return -3;
      pm_tb::tick(*dut);
    }
    for (uint64_t wait = hold_seed == 0 ? 0 : random.next() % 4;; --wait) {
      if (!dut->valid_o) return -4;
      const pm_tb::Big c = pm_tb::get(dut->c_o), d = pm_tb::get(dut->d_o);
      const uint32_t words[2] = {dut->c_neg_o | uint32_t{dut->d_neg_o} << 1, cycles};
      for (int i = 0; i < 8; ++i) {
        out[i] = c.w[i];
        out[8 + i] = d.w[i];
      }
      out[16] = words[0];
      out[17] = words[1];
      if (wait == 0) break;
      pm_tb::tick(*dut);
      if (!(pm_tb::get(dut->c_o) == c) || !(pm_tb::get(dut->d_o) == d)) return -5;
    }
    dut->ready_i = 1;
    pm_tb::tick(*dut);
    dut->ready_i = 0;
  }
  return 0;
}
