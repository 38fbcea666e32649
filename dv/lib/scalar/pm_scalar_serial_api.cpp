// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_scalar_serial: jobs one after the other, their lists.

#include "Vpm_scalar_serial.h"
#include "pm_tb_unit.h"

namespace {

constexpr int kJobWords = 24;  // digest, S
constexpr int kMaxEntries = 160;

Vpm_scalar_serial* dut = nullptr;

void start() {
  dut = pm_tb::started<Vpm_scalar_serial>([](auto* unit) { unit->clear_i = unit->valid_i = unit->push_ready_i = 0; });
}

}  // namespace

// Runs `count` jobs, each offered as soon as the one before was read: 16 words of digest, 8 of S. entries[i]: number
// of entries of job i, which are in out + 160 i, packed. stall_seed 0: entries are taken at once and jobs offered
// without pause; otherwise at random times. clear_after >= 0: clear_i in that cycle, and the call ends with it.
// *cycles: from the first offer to the last done_o. Returns the number of lists, negative if the unit misbehaves.
extern "C" int pm_scalar_serial_run(const uint32_t* jobs, int count, uint64_t stall_seed, int64_t clear_after,
                                    uint32_t* out, int* entries, int64_t* cycles) {
  if (dut == nullptr) start();
  pm_tb::Random random(stall_seed);
  int sent = 0, done = 0;
  bool held = false;
  entries[0] = 0;
  for (*cycles = 0; done < count; ++*cycles) {
    if (*cycles > int64_t{20000} * (count + 1)) return -1;
    // An offer stays until it was read.
    if (sent < count && !dut->valid_i) dut->valid_i = stall_seed == 0 || random.next() % 64 == 0;
    for (int i = 0; i < 16; ++i) {
      dut->digest_i[i] = dut->valid_i ? jobs[kJobWords * sent + i] : static_cast<uint32_t>(random.next());
    }
    for (int i = 0; i < 8; ++i) {
      dut->s_i[i] = dut->valid_i ? jobs[kJobWords * sent + 16 + i] : i < 7 ? static_cast<uint32_t>(random.next()) : 0;
    }
    dut->push_ready_i = stall_seed == 0 || random.next() % 16 == 0;
    dut->clear_i = *cycles == clear_after;
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
      if (++done < count) entries[done] = 0;
    }
    const bool read = dut->ready_o;
    const bool clear = dut->clear_i;
    pm_tb::tick(*dut);
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
