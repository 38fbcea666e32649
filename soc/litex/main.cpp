// SPDX-License-Identifier: Apache-2.0
//
// main.cpp: runs the system of LiteX until its program ends, and copies what it prints to standard output. The content
// of the RAM is the file pm_litex_main_ram.init of the present folder.
//
// Argument: most clock cycles to run. Exit status: that of the program; 254 the processor stopped, 255 the cycles were
// over.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vpm_litex.h"
#include "verilated.h"

namespace {

constexpr int kResetCycles = 8;
constexpr int kStopped = 254;
constexpr int kCyclesOver = 255;

void Cycle(Vpm_litex* soc) {
  soc->clk = 1;
  soc->eval();
  soc->clk = 0;
  soc->eval();
}

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s <cycles>\n", argv[0]);
    return kCyclesOver;
  }
  std::uint64_t limit = std::strtoull(argv[1], nullptr, 10);
  Vpm_litex soc(&context);
  soc.serial_sink_valid = 0;
  soc.serial_sink_data = 0;
  soc.serial_source_ready = 1;
  soc.rst = 1;
  for (int cycle = 0; cycle < kResetCycles; cycle++) {
    Cycle(&soc);
  }
  soc.rst = 0;
  int status = kCyclesOver;
  for (std::uint64_t cycle = 0; cycle < limit && status == kCyclesOver; cycle++) {
    if (soc.serial_source_valid) {
      std::putchar(soc.serial_source_data);
    }
    Cycle(&soc);
    if (soc.ending_trap) {
      status = kStopped;
    } else if (soc.ending_halt) {
      status = soc.ending_status;
    }
  }
  soc.final();
  std::fflush(stdout);
  return status;
}
