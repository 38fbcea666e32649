// SPDX-License-Identifier: Apache-2.0
//
// main.cpp: runs the simulated system until its program ends, and copies what it prints over the serial port to
// standard output.
//
// Arguments: +ram=<file>  content of the RAM, words in hexadecimal
//            <cycles>     most clock cycles to run
// Exit status: that of the program; 254 the processor stopped, 255 the cycles were over.

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "Vpm_soc.h"
#include "verilated.h"

namespace {

constexpr int kResetCycles = 8;
constexpr int kBitCycles = 4;  // of the serial port
constexpr int kStopped = 254;
constexpr int kCyclesOver = 255;

// Receiver of the serial line: one call a clock cycle.
class Receiver {
 public:
  void Cycle(bool line) {
    if (count_ < 0) {
      if (line) {
        return;
      }
      count_ = 0;  // the start bit begins
      byte_ = 0;
    }
    count_++;
    int bit = count_ / kBitCycles;
    if (count_ % kBitCycles == kBitCycles / 2) {
      if (bit >= 1 && bit <= 8 && line) {
        byte_ |= 1 << (bit - 1);
      } else if (bit == 9) {
        std::putchar(line ? byte_ : '?');
        count_ = -1;
      }
    }
  }

  bool idle() const { return count_ < 0; }

 private:
  int count_ = -1;  // cycles of the byte under way
  int byte_ = 0;
};

// One clock cycle. The core's clock is a gated one: while it stands still it costs the simulation nothing.
void Cycle(Vpm_soc* soc) {
  soc->clk_i = 1;
  soc->core_clk_i = soc->core_clock_o;
  soc->eval();
  soc->clk_i = 0;
  soc->core_clk_i = 0;
  soc->eval();
}

}  // namespace

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s +ram=<file> <cycles>\n", argv[0]);
    return kCyclesOver;
  }
  std::uint64_t limit = std::strtoull(argv[2], nullptr, 10);
  Vpm_soc soc(&context);
  Receiver receiver;
  soc.rst_ni = 0;
  for (int cycle = 0; cycle < kResetCycles; cycle++) {
    Cycle(&soc);
  }
  soc.rst_ni = 1;
  int status = kCyclesOver;
  for (std::uint64_t cycle = 0; cycle < limit; cycle++) {
    Cycle(&soc);
    receiver.Cycle(soc.tx_o);
    if (soc.trap_o) {
      status = kStopped;
      break;
    }
    if (soc.halt_o && receiver.idle() && soc.tx_o) {
      status = soc.status_o;
      break;
    }
  }
  soc.final();
  std::fflush(stdout);
  return status;
}
