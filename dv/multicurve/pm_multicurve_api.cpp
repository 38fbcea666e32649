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

#include "pm_tb_stream_api.h"
