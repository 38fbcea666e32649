// SPDX-License-Identifier: Apache-2.0
//
// Toggles of the registers of pm_x25519_paper_engine, cycle by cycle, while it works on a job.
//
// traces JOBS TOGGLES
//
// JOBS: of each job scalar, coordinate and random number, 32 bytes each, little-endian. Each begins behind a reset.
// TOGGLES: for each job a row for each part of registers.inc, of 32-bit numbers, the bits that changed in each cycle
// from the one in which the job is taken to that in which its result is wiped. Prints the cycles of a row, then each
// result. Exit code 4: a job without result, or two that take different times.

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "Vpm_x25519_paper_engine.h"
#include "Vpm_x25519_paper_engine___024root.h"
#include "pm_tb_clock.h"

namespace {

constexpr size_t kMost = 100'000;

struct Slot {
  unsigned part;
  const uint8_t* data;
  size_t bytes;
};

#define PM_REGISTER(part, member) {part, reinterpret_cast<const uint8_t*>(&root->member), sizeof root->member},
std::vector<Slot> slots(const Vpm_x25519_paper_engine___024root* root) {
  return {
#include "registers.inc"
  };
}

using Parts = std::array<uint32_t, PM_PARTS>;

// Bits that changed between two calls.
class Toggles {
 public:
  explicit Toggles(const std::vector<Slot>& slots) : slots_(slots) {
    for (const Slot& slot : slots_) last_.emplace_back(slot.bytes);
  }

  Parts operator()() {
    Parts counts{};
    for (size_t i = 0; i < slots_.size(); ++i) {
      for (size_t at = 0; at < slots_[i].bytes; ++at) {
        counts[slots_[i].part] += unsigned(__builtin_popcount(slots_[i].data[at] ^ last_[i][at]));
      }
      std::memcpy(last_[i].data(), slots_[i].data, slots_[i].bytes);
    }
    return counts;
  }

 private:
  const std::vector<Slot> slots_;
  std::vector<std::vector<uint8_t>> last_;
};

void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(4);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream jobs(argv[1], std::ios::binary);
  std::ofstream file(argv[2], std::ios::binary);
  Vpm_x25519_paper_engine dut;
  Toggles toggles(slots(dut.rootp));
  size_t cycles = 0;
  uint32_t job[24];
  while (jobs.read(reinterpret_cast<char*>(job), sizeof job)) {
    dut.clear_i = dut.job_valid_i = 0;
    dut.result_ready_i = 1;
    pm_tb::reset(dut);
    pm_tb::tick(dut);  // wipes
    for (int i = 0; i < 8; ++i) {
      dut.job_k_i[i] = job[i];
      dut.job_u_i[i] = job[8 + i];
      dut.random_i[i] = job[16 + i] & (i == 7 ? (1u << 29) - 1 : ~0u);
    }
    dut.job_valid_i = dut.random_valid_i = 1;
    toggles();
    std::vector<Parts> row;
    dut.eval();
    if (!dut.job_ready_o) fail("a job is not taken");
    do {
      if (row.size() == kMost) fail("a job has no result");
      dut.eval();
      if (dut.result_valid_o) {
        for (int i = 7; i >= 0; --i) std::printf("%08x", dut.result_o[i]);
        std::printf("\n");
      }
      pm_tb::tick(dut);
      dut.job_valid_i = 0;
      row.push_back(toggles());
    } while (dut.busy_o);
    pm_tb::tick(dut);
    row.push_back(toggles());
    if (cycles == 0) cycles = row.size();
    if (row.size() != cycles) fail("jobs take different times");
    for (unsigned part = 0; part < PM_PARTS; ++part) {
      for (const Parts& counts : row) file.write(reinterpret_cast<const char*>(&counts[part]), 4);
    }
  }
  return file.good() ? 0 : 2;
}
