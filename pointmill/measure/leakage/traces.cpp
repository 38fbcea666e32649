// SPDX-License-Identifier: Apache-2.0
//
// Toggles of all registers and memories of the verilated PM_TOP, cycle by cycle, while it works on a job.
//
// traces WARM JOBS TOGGLES
//
// WARM, JOBS: beats of packets (8 data bytes, keep, last each). Before each packet of JOBS the core is reset, and does
// those of WARM. TOGGLES: for each job a row of 32-bit numbers, the bits that changed in each cycle from its first beat
// to the end of its result. Prints the cycles of a row, then the beats of each result. Exit code 4: a job without
// result, or two that take different times.

#include "bench.h"

namespace {

// Bits that changed between two calls.
class Toggles {
 public:
  explicit Toggles(const std::vector<pm_state::Slot>& slots) : slots_(slots) {
    size_t bytes = 0;
    for (const auto& slot : slots_) bytes += slot.words * slot.bytes;
    last_.resize(bytes);
  }

  uint32_t operator()() {
    uint32_t count = 0;
    uint8_t* last = last_.data();
    for (const auto& slot : slots_) {
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

 private:
  const std::vector<pm_state::Slot>& slots_;
  std::vector<uint8_t> last_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto warm = pm_leakage::packets_of(argv[1]), jobs = pm_leakage::packets_of(argv[2]);
  std::ofstream file(argv[3], std::ios::binary);
  pm_leakage::Bench bench;
  Toggles toggles(bench.slots());
  size_t cycles = 0;
  for (const auto& packet : jobs) {
    bench.Reset();
    for (const auto& one : warm) bench.Run(one, [] {});
    bench.Idle();
    toggles();
    std::vector<uint32_t> row;
    bench.Run(packet, [&] { row.push_back(toggles()); });
    if (cycles == 0) std::printf("%zu\n", cycles = row.size());
    if (row.size() != cycles) pm_leakage::fail("jobs take different times");
    file.write(reinterpret_cast<const char*>(row.data()), std::streamsize(4 * cycles));
    for (const uint64_t data : bench.beats()) std::printf("%llx ", (unsigned long long)data);
    std::printf("\n");
  }
  return file.good() ? 0 : 2;
}
