// SPDX-License-Identifier: Apache-2.0
//
// Clock and reset of every C++ bench that runs a unit itself. Inputs are set, and outputs looked at, between the edges.

#ifndef PM_TB_CLOCK_H
#define PM_TB_CLOCK_H

#include "verilated.h"

namespace pm_tb {

// Registers begin with random values, the same every time, so that a missing reset shows.
inline const bool random_start = [] {
  Verilated::threadContextp()->randReset(2);
  Verilated::threadContextp()->randSeed(1);
  return true;
}();

// The end of a cycle: the rising edge. The caller sets the inputs of the next cycle and evaluates.
template <typename Unit>
void rise(Unit& dut) {
  dut.clk_i = 1;
  dut.eval();
  dut.clk_i = 0;
}

// The same; the outputs of the next cycle can be read after it.
template <typename Unit>
void tick(Unit& dut) {
  rise(dut);
  dut.eval();
}

// A reset of so many rising edges: none, since it is asynchronous. The caller has set the other inputs.
template <typename Unit>
void reset(Unit& dut, int edges = 0) {
  dut.clk_i = 0;
  for (int level : {1, 0}) {  // its edge
    dut.rst_ni = level;
    dut.eval();
  }
  for (int i = 0; i < edges; ++i) tick(dut);
  dut.rst_ni = 1;
  dut.eval();
}

}  // namespace pm_tb

#endif
