// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated core PM_TB_TOP (pm_edverify, pm_x25519, which has the same packets) for the benches, as
// pm_tb_stream.h has it.

#include <cstdint>
#include <cstring>

#define PM_TEXT_OF(word) #word
#define PM_TEXT(word) PM_TEXT_OF(word)
#define PM_CLASS_OF(top) V##top
#define PM_CLASS(top) PM_CLASS_OF(top)

#include PM_TEXT(PM_CLASS(PM_TB_TOP).h)
#include "pm_edverify_api.h"
#include "pm_tb_stream.h"

struct Core : pm_tb::StreamCore<PM_CLASS(PM_TB_TOP), Result> {
  Core() : StreamCore(PM_TEXT(PM_TB_TOP)) {}

 private:
  static constexpr size_t kHead = 2, kMost = kHead + sizeof(Result::payload) / 8;  // beats

  bool Put(Result& result, size_t beat, uint64_t data) override {
    if (beat == 0) {
      result.tag = uint32_t(data >> 32);
      result.rule = uint8_t(data >> 8);
      result.reason = uint8_t(data);
      result.valid = data >> 16 & 1;
      result.all_zero = data >> 17 & 1;
      return (data >> 18 & 0x3fff) == 0;
    }
    if (beat == 1) {
      result.cycles = uint32_t(data);
      return data >> 32 == 0;
    }
    if (beat >= kMost) return false;
    std::memcpy(result.payload + 8 * (beat - kHead), &data, 8);
    return true;
  }

  bool End(Result& result, size_t beats) override {
    result.length = uint8_t(8 * (beats - kHead));
    return beats == kHead || beats == 6 || beats == kMost;
  }
};

#include "pm_tb_stream_api.h"
