// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_split_list: one list per call.

#include "Vpm_split_list.h"
#include "pm_tb_unit.h"

namespace {

Vpm_split_list* unit() {
  static Vpm_split_list* const dut = pm_tb::started<Vpm_split_list>(
      [](auto* unit) { unit->clear_i = unit->valid_i = unit->push_ready_i = 0; });
  return dut;
}

// Has the scalars (8 words each) accepted.
void accept(Vpm_split_list* dut, const uint32_t* scalars) {
  pm_tb::put(dut->s_i, pm_tb::load(scalars));
  pm_tb::put(dut->k_i, pm_tb::load(scalars + 8));
  dut->valid_i = 1;
  dut->eval();
  pm_tb::tick(*dut);
  dut->valid_i = 0;
}

}  // namespace

// Makes the list of s and k, as pm_tb::take_list; stall_seed 0: every entry is taken at once. -1: the unit is not
// ready.
extern "C" int pm_split_list_run(const uint32_t* scalars, uint64_t stall_seed, int clear_after,
                                 uint32_t* out, int max_entries, int* cycles) {
  Vpm_split_list* const dut = unit();
  pm_tb::Random random(stall_seed);
  if (!dut->ready_o) return -1;
  accept(dut, scalars);
  return pm_tb::take_list(dut, random, stall_seed == 0, clear_after, out, max_entries, cycles);
}

// Begins the list of s and k, and resets the unit so many cycles later. 1: it is idle, without a clock edge.
extern "C" int pm_split_list_reset(const uint32_t* scalars, int after) {
  Vpm_split_list* const dut = unit();
  accept(dut, scalars);
  dut->push_ready_i = 1;
  for (int i = 0; i < after; ++i) pm_tb::tick(*dut);
  dut->push_ready_i = 0;
  pm_tb::reset(*dut);
  return dut->ready_o && !dut->push_valid_o && !dut->done_o;
}
