// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_naf_recoder: one scalar per call.

#include "Vpm_naf_recoder.h"
#include "pm_tb_unit.h"

// Recodes scalar (8 words, least significant first) and stores each digit as pos, neg, idx in out.
// stall_seed 0: every digit is taken at once; otherwise at random times. Returns the number of
// digits, negative if the unit misbehaves; *cycles: from acceptance to done_o.
extern "C" int pm_naf_recode(const uint32_t* scalar, uint64_t stall_seed, uint32_t* out,
                             int max_digits, int* cycles) {
  static Vpm_naf_recoder* const dut = pm_tb::started<Vpm_naf_recoder>(
      [](auto* unit) { unit->clear_i = unit->valid_i = unit->digit_ready_i = 0; });
  pm_tb::Random random(stall_seed);
  const pm_tb::Big value = pm_tb::load(scalar);
  if (!dut->ready_o) return -1;
  pm_tb::put(dut->scalar_i, value);
  dut->valid_i = 1;
  pm_tb::tick(*dut);
  dut->valid_i = 0;
  if (dut->done_o || dut->ready_o) return -2;  // done_o must fall with the acceptance
  int digits = 0;
  bool held = false;
  for (*cycles = 1; !dut->done_o; ++*cycles) {
    if (*cycles > 20000) return -3;
    dut->digit_ready_i = stall_seed == 0 || random.next() % 3 == 0;
    dut->eval();
    if (held && !dut->digit_valid_o) return -4;  // an offered digit was withdrawn
    if (dut->digit_valid_o) {
      if (digits == max_digits) return -5;
      const uint32_t digit[3] = {dut->digit_pos_o, dut->digit_neg_o, dut->digit_idx_o};
      for (int i = 0; i < 3; ++i) {
        if (held && out[3 * digits + i] != digit[i]) return -6;  // it changed while waiting
        out[3 * digits + i] = digit[i];
      }
      held = !dut->digit_ready_i;
      if (!held) ++digits;
    }
    pm_tb::tick(*dut);
  }
  dut->digit_ready_i = 0;
  if (!dut->ready_o || dut->digit_valid_o) return -7;
  return digits;
}
