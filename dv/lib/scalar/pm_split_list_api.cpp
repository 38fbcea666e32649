// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_split_list: one list per call.

#include "Vpm_split_list.h"
#include "pm_tb_unit.h"

// Makes the list of s and k (8 words each), as pm_tb::take_list; stall_seed 0: every entry is taken at once. -1: the
// unit is not ready.
extern "C" int pm_split_list_run(const uint32_t* scalars, uint64_t stall_seed, int clear_after,
                                 uint32_t* out, int max_entries, int* cycles) {
  static Vpm_split_list* const dut = pm_tb::started<Vpm_split_list>(
      [](auto* unit) { unit->clear_i = unit->valid_i = unit->push_ready_i = 0; });
  pm_tb::Random random(stall_seed);
  if (!dut->ready_o) return -1;
  pm_tb::put(dut->s_i, pm_tb::load(scalars));
  pm_tb::put(dut->k_i, pm_tb::load(scalars + 8));
  dut->valid_i = 1;
  dut->eval();
  pm_tb::tick(*dut);
  dut->valid_i = 0;
  return pm_tb::take_list(dut, random, stall_seed == 0, clear_after, out, max_entries, cycles);
}
