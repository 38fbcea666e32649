// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_multicurve for the benches, as pm_tb_stream.h has it.

#include <cstdint>

#include "Vpm_multicurve.h"
#include "pm_tb_stream.h"

namespace {

constexpr size_t kHead = 2, kNumber = 9, kMost = kHead + 2 * kNumber;  // beats

// As multicurve_core.py has it: the beats of an answer, and the cycle in which the last one was taken.
struct Result {
  uint64_t beats[kMost];
  uint64_t answered_at;
  uint32_t count, unused;
};

}  // namespace

struct Core : pm_tb::StreamCore<Vpm_multicurve, Result> {
  Core() : StreamCore("pm_multicurve") {}

 private:
  bool Put(Result& result, size_t beat, uint64_t data) override {
    if (beat >= kMost) return false;
    result.beats[beat] = data;
    result.count = uint32_t(beat + 1);
    return true;
  }

  bool End(Result&, size_t beats) override { return beats >= kHead && (beats - kHead) % kNumber == 0; }
};

extern "C" {

Core* pm_core_new() { return new Core; }
void pm_core_delete(Core* core) { delete core; }
void pm_core_reset(Core* core, unsigned cycles) { core->Reset(cycles); }
void pm_core_pace(Core* core, uint64_t seed, unsigned idle, unsigned stall) { core->Pace(seed, idle, stall); }
void pm_core_push(Core* core, const uint8_t* beats, size_t count) { core->Push(beats, count); }
uint64_t pm_core_run(Core* core, uint64_t cycles, size_t results) { return core->Run(cycles, results); }
size_t pm_core_take(Core* core, Result* out, size_t most) { return core->Take(out, most); }
int pm_core_write(Core* core, uint8_t address, uint32_t data) { return core->Write(address, data); }
int pm_core_read(Core* core, uint8_t address, uint32_t* data) { return core->Read(address, data); }
int pm_core_irq(const Core* core) { return core->irq(); }
uint32_t pm_core_violations(const Core* core) { return core->violations(); }

}  // extern "C"
