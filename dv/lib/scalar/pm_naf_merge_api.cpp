// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_naf_merge: one list per call.

#include "Vpm_naf_merge.h"
#include "pm_tb_unit.h"

// Makes the list of the four magnitudes (s0, s1, c, d, 8 words each; signs: of c in bit 0, of d in bit 1), as
// pm_tb::take_list; stall_seed 0: every entry is taken at once. -1: the unit is not ready.
extern "C" int pm_naf_merge_run(const uint32_t* scalars, uint32_t signs, uint64_t stall_seed,
                                uint32_t* out, int max_entries, int* cycles) {
  static Vpm_naf_merge* const dut = pm_tb::started<Vpm_naf_merge>(
      [](auto* unit) { unit->clear_i = unit->valid_i = unit->push_ready_i = 0; });
  pm_tb::Random random(stall_seed);
  if (!dut->ready_o) return -1;
  pm_tb::put(dut->s0_i, pm_tb::load(scalars));
  pm_tb::put(dut->s1_i, pm_tb::load(scalars + 8));
  pm_tb::put(dut->c_i, pm_tb::load(scalars + 16));
  pm_tb::put(dut->d_i, pm_tb::load(scalars + 24));
  dut->c_neg_i = signs & 1;
  dut->d_neg_i = signs >> 1;
  dut->valid_i = 1;
  pm_tb::tick(*dut);
  dut->valid_i = 0;
  dut->c_neg_i = random.next() & 1;
  dut->d_neg_i = random.next() & 1;
  return pm_tb::take_list(dut, random, stall_seed == 0, -1, out, max_entries, cycles);
}
