// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_split_list: one list per call.

#include "Vpm_split_list.h"
#include "pm_tb_big.h"

namespace {

Vpm_split_list* dut = nullptr;

void tick() {
  dut->clk_i = 1;
  dut->eval();
  dut->clk_i = 0;
  dut->eval();
}

void start() {
  dut = new Vpm_split_list;
  dut->rst_ni = 0;
  dut->clk_i = 0;
  dut->clear_i = dut->valid_i = dut->push_ready_i = 0;
  dut->eval();
  tick();
  dut->rst_ni = 1;
  tick();
}

pm_tb::Big load(const uint32_t* words) {
  pm_tb::Big value;
  for (int i = 0; i < 8; ++i) value.w[i] = words[i];
  return value;
}

}  // namespace

// Makes the list of s and k (8 words each) and stores its entries, packed, in out. stall_seed 0: every entry is
// taken at once; otherwise at random times. clear_after: abandons the list after so many cycles, none
// if negative. Returns the number of entries, negative if the unit misbehaves; *cycles: from acceptance
// to done_o.
extern "C" int pm_split_list_run(const uint32_t* scalars, uint64_t stall_seed, int clear_after,
                                 uint32_t* out, int max_entries, int* cycles) {
  if (dut == nullptr) start();
  pm_tb::Random random(stall_seed);
  if (!dut->ready_o) return -1;
  pm_tb::put(dut->s_i, load(scalars));
  pm_tb::put(dut->k_i, load(scalars + 8));
  dut->valid_i = 1;
  dut->eval();
  tick();
  dut->valid_i = 0;
  if (dut->done_o || dut->ready_o) return -2;  // done_o must fall with the acceptance
  int entries = 0;
  bool held = false;
  for (*cycles = 1; !dut->done_o; ++*cycles) {
    if (*cycles > 20000) return -3;
    dut->push_ready_i = stall_seed == 0 || random.next() % 3 == 0;
    dut->clear_i = *cycles == clear_after;
    dut->eval();
    if (dut->clear_i) {
      tick();
      dut->clear_i = dut->push_ready_i = 0;
      dut->eval();
      return dut->push_valid_o || dut->done_o || !dut->ready_o ? -8 : entries;
    }
    if (held && !dut->push_valid_o) return -4;  // an offered entry was withdrawn
    if (dut->push_valid_o) {
      if (entries == max_entries) return -5;
      if (held && out[entries] != dut->push_entry_o) return -6;  // it changed while waiting
      out[entries] = dut->push_entry_o;
      held = !dut->push_ready_i;
      entries += dut->push_ready_i;
    }
    tick();
  }
  dut->push_ready_i = 0;
  dut->eval();
  if (held || dut->push_valid_o || !dut->ready_o) return -7;
  return entries;
}
