// SPDX-License-Identifier: Apache-2.0
//
// For the C++ benches of units that make the list of a verification from S and a digest: jobs one after the other.

#ifndef PM_TB_SCALAR_JOBS_H
#define PM_TB_SCALAR_JOBS_H

#include "pm_tb_unit.h"

namespace pm_tb {

// Runs `count` jobs, each offered as soon as the one before was read: 16 words of digest, 8 of S. entries[i]: number
// of entries of job i, which are in out + 160 i, packed; ends[i]: cycles from the first offer to its done_o.
// stall_seed 0: entries are taken at once and jobs offered without pause; otherwise at random times. clear_after >= 0:
// clear_i in that cycle, and the call ends with it. Returns the number of lists, negative if the unit misbehaves.
template <typename Unit>
int run_scalar_jobs(const uint32_t* jobs, int count, uint64_t stall_seed, int64_t clear_after, uint32_t* out,
                    int* entries, int64_t* ends) {
  constexpr int kJobWords = 24;  // digest, S
  constexpr int kMaxEntries = 160;
  static Unit* const dut =
      started<Unit>([](auto* unit) { unit->clear_i = unit->valid_i = unit->push_ready_i = 0; });
  Random random(stall_seed);
  int sent = 0, done = 0;
  bool held = false;
  entries[0] = 0;
  for (int64_t cycle = 0; done < count; ++cycle) {
    if (cycle > int64_t{20000} * (count + 1)) return -1;
    // An offer stays until it was read.
    if (sent < count && !dut->valid_i) dut->valid_i = stall_seed == 0 || random.next() % 64 == 0;
    for (int i = 0; i < 16; ++i) {
      dut->digest_i[i] = dut->valid_i ? jobs[kJobWords * sent + i] : static_cast<uint32_t>(random.next());
    }
    for (int i = 0; i < 8; ++i) {
      dut->s_i[i] = dut->valid_i ? jobs[kJobWords * sent + 16 + i] : i < 7 ? static_cast<uint32_t>(random.next()) : 0;
    }
    dut->push_ready_i = stall_seed == 0 || random.next() % 16 == 0;
    dut->clear_i = cycle == clear_after;
    dut->eval();
    if (dut->ready_o && !dut->valid_i) return -2;
    if (held && !dut->push_valid_o) return -3;
    if (dut->push_valid_o) {
      if (done >= sent) return -4;
      uint32_t& entry = out[kMaxEntries * done + entries[done]];
      if (entries[done] == kMaxEntries) return -5;
      if (held && entry != dut->push_entry_o) return -6;
      entry = dut->push_entry_o;
      held = !dut->push_ready_i;
      entries[done] += dut->push_ready_i;
    }
    if (dut->done_o) {
      if (done >= sent || dut->push_valid_o) return -7;
      ends[done] = cycle + 1;
      if (++done < count) entries[done] = 0;
    }
    const bool read = dut->ready_o;
    const bool clear = dut->clear_i;
    tick(*dut);
    if (read || clear) {
      dut->valid_i = 0;
      ++sent;
    }
    if (clear) {
      dut->clear_i = 0;
      dut->eval();
      return dut->push_valid_o || dut->done_o ? -8 : done;
    }
  }
  return done;
}

}  // namespace pm_tb

#endif
