// SPDX-License-Identifier: Apache-2.0
//
// For the C++ benches of units: a unit that comes out of reset, a list that it gives.

#ifndef PM_TB_UNIT_H
#define PM_TB_UNIT_H

#include "pm_tb_big.h"
#include "pm_tb_clock.h"

namespace pm_tb {

// A unit after a cycle of reset and one without; idle(unit) sets its control inputs to 0.
template <typename Unit, typename Idle>
Unit* started(Idle idle) {
  Unit* dut = new Unit;
  idle(dut);
  reset(*dut, 1);
  tick(*dut);
  return dut;
}

// A number of 256 bits, or of so many words.
inline Big load(const uint32_t* words, int count = 8) {
  Big value;
  for (int i = 0; i < count; ++i) value.w[i] = words[i];
  return value;
}

// An element of a packed array of such with so many bits.
template <typename Port>
uint32_t element(const Port& port, int bits, int index) {
  return static_cast<uint32_t>(slice(get(port), bits * index, bits).low64());
}

// Stores the entries, packed, of a list of which the operands were accepted in the cycle before. at_once: every entry
// is taken at once; otherwise at random times. clear_after: abandons the list after so many cycles, none if negative.
// Returns the number of entries, negative if the unit misbehaves; *cycles: from acceptance to done_o.
template <typename Unit>
int take_list(Unit* dut, Random& random, bool at_once, int clear_after, uint32_t* out, int max_entries, int* cycles) {
  if (dut->done_o || dut->ready_o) return -2;  // done_o must fall with the acceptance
  int entries = 0;
  bool held = false;
  for (*cycles = 1; !dut->done_o; ++*cycles) {
    if (*cycles > 20000) return -3;
    dut->push_ready_i = at_once || random.next() % 3 == 0;
    dut->clear_i = *cycles == clear_after;
    dut->eval();
    if (dut->clear_i) {
      tick(*dut);
      dut->clear_i = dut->push_ready_i = 0;
      dut->eval();
      return dut->push_valid_o || dut->done_o || !dut->ready_o ? -8 : entries;
    }
    if (held && !dut->push_valid_o) return -4;  // an offered entry was withdrawn
    if (dut->push_valid_o) {
      if (entries == max_entries) return -5;
      if (held && out[entries] != dut->push_entry_o) return -6;  // it changed while waiting
      out[entries] = dut->push_entry_o;
      held = !dut->push_ready_i;
      entries += dut->push_ready_i;
    }
    tick(*dut);
  }
  dut->push_ready_i = 0;
  dut->eval();
  if (held || dut->push_valid_o || !dut->ready_o) return -7;
  return entries;
}

}  // namespace pm_tb

#endif
