// SPDX-License-Identifier: Apache-2.0
//
// What pm_edverify_api.cpp offers to other C++ of the benches.

#ifndef PM_EDVERIFY_API_H
#define PM_EDVERIFY_API_H

#include <cstddef>
#include <cstdint>

struct Core;

// As dv/edverify/edverify_core.py has it.
struct Result {
  uint32_t tag, cycles;
  uint64_t answered_at;  // clock cycle in which the last beat was taken
  uint8_t rule, reason, valid, all_zero, length, unused[3];
  uint8_t payload[96];  // `length` bytes
};

extern "C" {

// Reset for `cycles` clock cycles. Queued beats and results not taken are forgotten.
void pm_core_reset(Core* core, unsigned cycles);

// Random pauses from now on, in per cent of the cycles: idle without an offer, stall without taking.
void pm_core_pace(Core* core, uint64_t seed, unsigned idle, unsigned stall);

// Queue beats: 10 bytes each, data (first byte first), keep, last.
void pm_core_push(Core* core, const uint8_t* beats, size_t count);

// Run the clock until `results` results wait to be taken, or for `cycles` cycles. Cycles it took.
uint64_t pm_core_run(Core* core, uint64_t cycles, size_t results);

// Take up to `most` results, the oldest first.
size_t pm_core_take(Core* core, Result* out, size_t most);

// AXI4-Lite transfers; the response code, or -1 without an answer in 100 cycles.
int pm_core_write(Core* core, uint8_t address, uint32_t data);
int pm_core_read(Core* core, uint8_t address, uint32_t* data);

uint64_t pm_core_cycle(const Core* core);
uint64_t pm_core_accepted(const Core* core);  // beats, since ever
}

#endif
