// SPDX-License-Identifier: Apache-2.0
//
// Registers and memories of the verilated PM_TOP, and beats of packets: from a file, and into the core.
// registers.inc is made by registers.py.

#ifndef POINTMILL_MEASURE_FAULTS_STATE_H
#define POINTMILL_MEASURE_FAULTS_STATE_H

#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#define PM_TEXT_OF(word) #word
#define PM_TEXT(word) PM_TEXT_OF(word)
#define PM_JOIN_OF(left, right) left##right
#define PM_JOIN(left, right) PM_JOIN_OF(left, right)
#define PM_CLASS PM_JOIN(V, PM_TOP)
#define PM_ROOT PM_JOIN(PM_CLASS, ___024root)

#include PM_TEXT(PM_CLASS.h)
#include PM_TEXT(PM_ROOT.h)
#include "axil.h"

namespace pm_state {

struct Beat {
  uint64_t data;
  uint8_t keep, last;
};

// A register or memory of the model: `words` elements of `bits`, each in `bytes`.
struct Slot {
  uint8_t* data;
  uint32_t bits, words, bytes;
};

template <typename T>
Slot located(T& word, uint32_t bits) {
  return {reinterpret_cast<uint8_t*>(&word), bits, 1, sizeof(T)};
}
template <typename T, std::size_t N>
Slot located(VlUnpacked<T, N>& memory, uint32_t bits) {
  return {reinterpret_cast<uint8_t*>(&memory[0]), bits, N, sizeof(T)};
}

// Those of registers.inc, in its order.
#define PM_REGISTER(bits, member) located(root->member, bits),
inline std::vector<Slot> slots(PM_ROOT* root) {
  return {
#include "registers.inc"
  };
}
#undef PM_REGISTER

inline std::vector<Beat> beats_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Beat> found;
  char raw[10];
  while (file.read(raw, sizeof raw)) {
    Beat beat{0, uint8_t(raw[8]), uint8_t(raw[9])};
    std::memcpy(&beat.data, raw, 8);
    found.push_back(beat);
  }
  return found;
}

// Inputs and outputs of a cycle in which a beat is offered, or with nullptr none; those of results are always taken.
inline void offer(PM_CLASS& top, const Beat* offered) {
  const Beat beat = offered ? *offered : Beat{};
  top.s_axis_tvalid = offered != nullptr;
  top.s_axis_tdata = beat.data;
  top.s_axis_tkeep = beat.keep;
  top.s_axis_tlast = beat.last;
  top.m_axis_tready = 1;
  top.clk_i = 0;
  top.eval();
}

}  // namespace pm_state

#endif
