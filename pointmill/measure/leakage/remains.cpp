// SPDX-License-Identifier: Apache-2.0
//
// What the registers and memories of the verilated PM_TOP hold behind a job.
//
// remains WARM JOBS CONTROL CYCLES STATES
//
// WARM, JOBS: beats of packets (8 data bytes, keep, last each). Each packet of JOBS goes to a new core, behind those of
// WARM. CYCLES: 0, up to its result; else so many, and then a soft reset, bit 0 of the register at address CONTROL.
// STATES: for each job a row, the registers of registers.inc in their order, some cycles later.
// Prints the bytes of each register, then the beats of each result.

#include <memory>

#include "bench.h"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const auto warm = pm_leakage::packets_of(argv[1]), jobs = pm_leakage::packets_of(argv[2]);
  const auto control = uint8_t(std::strtoul(argv[3], nullptr, 0));
  const uint64_t cycles = std::strtoull(argv[4], nullptr, 0);
  std::ofstream file(argv[5], std::ios::binary);
  bool first = true;
  for (const auto& packet : jobs) {
    auto bench = std::make_unique<pm_leakage::Bench>();
    for (const auto& slot : bench->slots()) {
      if (first) std::printf("%u ", slot.words * slot.bytes);
    }
    if (first) std::printf("\n");
    first = false;
    bench->Reset();
    for (const auto& one : warm) bench->Run(one, [] {});
    bench->Idle();
    if (cycles == 0) {
      bench->Run(packet, [] {});
    } else {
      bench->Run(packet, cycles, [] {});
      bench->Write(control);
    }
    bench->Idle();
    for (const uint64_t data : bench->beats()) std::printf("%llx ", (unsigned long long)data);
    std::printf("\n");
    for (const auto& slot : bench->slots()) {
      file.write(reinterpret_cast<const char*>(slot.data), std::streamsize(slot.words * slot.bytes));
    }
  }
  return file.good() ? 0 : 2;
}
