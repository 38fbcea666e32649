// SPDX-License-Identifier: Apache-2.0
//
// The verilated PM_TOP with its registers, and packets that go through it.

#ifndef POINTMILL_MEASURE_LEAKAGE_BENCH_H
#define POINTMILL_MEASURE_LEAKAGE_BENCH_H

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "state.h"

namespace pm_leakage {

using pm_state::Beat, pm_state::Slot;

constexpr unsigned kIdle = 1000;  // cycles in which a core is surely ready for the next job
constexpr uint64_t kMost = 4'000'000;
constexpr int kPatience = 100;  // cycles until a transfer on AXI4-Lite counts as lost

inline void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(4);
}

// Packets of a file, one by one.
inline std::vector<std::vector<Beat>> packets_of(const char* path) {
  std::vector<std::vector<Beat>> found(1);
  for (const Beat& beat : pm_state::beats_of(path)) {
    found.back().push_back(beat);
    if (beat.last) found.emplace_back();
  }
  found.pop_back();
  return found;
}

class Bench {
 public:
  Bench() : slots_(pm_state::slots(top_.rootp)) {}

  const std::vector<Slot>& slots() const { return slots_; }
  const std::vector<uint64_t>& beats() const { return beats_; }  // of results since the last packet was offered

  void Reset() {
    offered_ = nullptr;
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) Tick();
    top_.rst_ni = 1;
  }

  // Sends a packet and goes on to the end of its result, or for so many cycles; each() after every cycle.
  template <typename Each>
  void Run(const std::vector<Beat>& packet, uint64_t limit, Each each) {
    beats_.clear();
    ended_ = false;
    size_t next = 0;
    for (uint64_t i = 0; i < limit && !ended_; ++i) {
      offered_ = next < packet.size() ? &packet[next] : nullptr;
      Tick();
      next += taken_;
      each();
    }
    offered_ = nullptr;
  }

  // The same to the end.
  template <typename Each>
  void Run(const std::vector<Beat>& packet, Each each) {
    Run(packet, kMost, each);
    if (!ended_) fail("a job has no result");
  }

  void Idle() {
    for (unsigned i = 0; i < kIdle; ++i) Tick();
  }

  // Sets bit 0 of a register.
  void Write(uint8_t address) {
    if (pm_sim::AxilWrite(top_, *this, address, 1, 0xf, kPatience) != 0) fail("a register cannot be written");
  }

  // A cycle: its inputs and outputs, its end, and that a response on AXI4-Lite is taken at once.
  void Settle() { pm_state::offer(top_, offered_); }
  void Edge() {
    taken_ = offered_ && top_.s_axis_tready;
    if (top_.rst_ni && top_.m_axis_tvalid) {
      beats_.push_back(top_.m_axis_tdata);
      ended_ = top_.m_axis_tlast;
    }
    top_.clk_i = 1;
    top_.eval();
  }
  bool Ready() { return true; }

 private:
  void Tick() {
    Settle();
    Edge();
  }

  PM_CLASS top_;
  std::vector<Slot> slots_;
  std::vector<uint64_t> beats_;
  const Beat* offered_ = nullptr;
  bool taken_ = false, ended_ = false;
};

}  // namespace pm_leakage

#endif
