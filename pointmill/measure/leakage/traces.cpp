// SPDX-License-Identifier: Apache-2.0
//
// Toggles of all registers and memories of the verilated PM_TOP, cycle by cycle, while it works on a job.
//
// traces WARM JOBS TOGGLES
//
// WARM, JOBS: beats of packets (8 data bytes, keep, last each). Before each packet of JOBS the core is reset, and does
// those of WARM. TOGGLES: for each job a row of 32-bit numbers, the bits that changed in each cycle from its
// first beat to the end of its result. Prints the cycles of a row, then the beats of each result. Exit code 4: a job
// without result, or two that take different times.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "state.h"

namespace {

using pm_state::Beat, pm_state::Slot;

constexpr unsigned kIdle = 1000;  // cycles in which a core is surely ready for the next job
constexpr uint64_t kMost = 4'000'000;

void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(4);
}

class Bench {
 public:
  Bench() : slots_(pm_state::slots(top_.rootp)) {
    for (const Slot& slot : slots_) bytes_ += slot.words * slot.bytes;
    last_.resize(bytes_);
  }

  void Reset() {
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) Cycle(nullptr);
    top_.rst_ni = 1;
  }

  // Sends packets and returns the beats of their results.
  std::vector<uint64_t> Run(const std::vector<Beat>& packets, std::vector<uint32_t>* toggles) {
    size_t results = 0;
    for (const Beat& beat : packets) results += beat.last;
    beats_.clear();
    Toggles();
    size_t next = 0;
    for (uint64_t i = 0; results > 0; ++i) {
      if (i == kMost) fail("a job has no result");
      next += Cycle(next < packets.size() ? &packets[next] : nullptr);
      results -= ended_;
      if (toggles) toggles->push_back(Toggles());
    }
    return beats_;
  }

  void Idle() {
    for (unsigned i = 0; i < kIdle; ++i) Cycle(nullptr);
  }

 private:
  // Whether the beat that is offered was taken.
  bool Cycle(const Beat* beat) {
    top_.s_axis_tvalid = beat != nullptr;
    top_.s_axis_tdata = beat ? beat->data : 0;
    top_.s_axis_tkeep = beat ? beat->keep : 0;
    top_.s_axis_tlast = beat ? beat->last : 0;
    top_.m_axis_tready = 1;
    top_.clk_i = 0;
    top_.eval();
    const bool taken = beat && top_.s_axis_tready;
    ended_ = top_.rst_ni && top_.m_axis_tvalid && top_.m_axis_tlast;
    if (top_.rst_ni && top_.m_axis_tvalid) beats_.push_back(top_.m_axis_tdata);
    top_.clk_i = 1;
    top_.eval();
    return taken;
  }

  // Bits that changed since the last call.
  uint32_t Toggles() {
    uint32_t count = 0;
    uint8_t* last = last_.data();
    for (const Slot& slot : slots_) {
      const size_t size = slot.words * slot.bytes;
      size_t at = 0;
      for (; at + 8 <= size; at += 8) {
        uint64_t now, before;
        std::memcpy(&now, slot.data + at, 8);
        std::memcpy(&before, last + at, 8);
        count += __builtin_popcountll(now ^ before);
      }
      for (; at < size; ++at) count += __builtin_popcount(slot.data[at] ^ last[at]);
      std::memcpy(last, slot.data, size);
      last += size;
    }
    return count;
  }

  PM_CLASS top_;
  std::vector<Slot> slots_;
  size_t bytes_ = 0;
  std::vector<uint8_t> last_;
  std::vector<uint64_t> beats_;
  bool ended_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto warm = pm_state::beats_of(argv[1]), jobs = pm_state::beats_of(argv[2]);
  std::ofstream file(argv[3], std::ios::binary);
  Bench bench;
  size_t cycles = 0;
  std::vector<Beat> packet;
  for (const Beat& beat : jobs) {
    packet.push_back(beat);
    if (!beat.last) continue;
    std::vector<uint32_t> toggles;
    bench.Reset();
    bench.Run(warm, nullptr);
    bench.Idle();
    const auto result = bench.Run(packet, &toggles);
    packet.clear();
    if (cycles == 0) std::printf("%zu\n", cycles = toggles.size());
    if (toggles.size() != cycles) fail("jobs take different times");
    file.write(reinterpret_cast<const char*>(toggles.data()), std::streamsize(4 * cycles));
    for (const uint64_t data : result) std::printf("%llx ", (unsigned long long)data);
    std::printf("\n");
  }
  return file.good() ? 0 : 2;
}
