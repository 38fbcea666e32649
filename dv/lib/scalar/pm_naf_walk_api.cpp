// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_naf_walk: one whole job per call.

#include <vector>

#include "Vpm_naf_walk.h"
#include "pm_tb_unit.h"

namespace {

enum Op : uint32_t { kDone = 0, kDouble = 1, kAddG = 2, kAddA = 3 };

}  // namespace

// Clears the unit, loads the digits (pos, neg, idx each, ascending positions), walks to the end and
// stores each operation as op, neg, idx in out; idx is read while that operation is the current
// one. seed: order of the loading and idle cycles between steps (0: a step in every cycle).
// Returns the number of operations, negative if the unit misbehaves.
extern "C" int pm_naf_walk_run(const uint32_t* g, int g_count, const uint32_t* a, int a_count,
                               uint64_t seed, uint32_t* out, int max_ops) {
  static Vpm_naf_walk* const dut = pm_tb::started<Vpm_naf_walk>([](auto* unit) {
    unit->clear_i = unit->g_valid_i = unit->a_valid_i = unit->init_i = unit->step_i = 0;
  });
  pm_tb::Random random(seed);
  dut->clear_i = 1;
  pm_tb::tick(*dut);
  dut->clear_i = 0;
  if (dut->op_o != kDone) return -1;
  int g_sent = 0, a_sent = 0;
  while (g_sent < g_count || a_sent < a_count) {
    dut->g_valid_i = g_sent < g_count && (seed == 0 || random.next() % 2);
    dut->a_valid_i = a_sent < a_count && (seed == 0 || random.next() % 2);
    if (dut->g_valid_i) {
      dut->g_pos_i = g[3 * g_sent];
      dut->g_neg_i = g[3 * g_sent + 1];
      dut->g_idx_i = g[3 * g_sent + 2];
    }
    if (dut->a_valid_i) {
      dut->a_pos_i = a[3 * a_sent];
      dut->a_neg_i = a[3 * a_sent + 1];
      dut->a_idx_i = a[3 * a_sent + 2];
    }
    dut->eval();
    if ((dut->g_valid_i && !dut->g_ready_o) || (dut->a_valid_i && !dut->a_ready_o)) return -2;
    g_sent += dut->g_valid_i;
    a_sent += dut->a_valid_i;
    pm_tb::tick(*dut);
  }
  dut->g_valid_i = dut->a_valid_i = 0;
  if (dut->op_o != kDone) return -3;
  dut->init_i = 1;
  pm_tb::tick(*dut);
  dut->init_i = 0;
  int ops = 0, g_left = g_count, a_left = a_count;
  while (dut->op_o != kDone) {
    if (ops == max_ops) return -4;
    // Nothing may move until the next step; with digits left, the tops can be read ahead.
    const uint32_t op = dut->op_o, neg = dut->op_neg_o, g_idx = dut->g_idx_o, a_idx = dut->a_idx_o;
    for (uint64_t i = seed == 0 ? 0 : random.next() % 4; i > 0; --i) {
      pm_tb::tick(*dut);
      if (dut->op_o != op || dut->op_neg_o != neg) return -5;
      if (dut->g_idx_o != g_idx || dut->a_idx_o != a_idx) return -6;
    }
    dut->step_i = 1;
    pm_tb::tick(*dut);
    dut->step_i = 0;
    if (op == kAddG) --g_left;
    if (op == kAddA) --a_left;
    out[3 * ops] = op;
    out[3 * ops + 1] = neg;
    out[3 * ops + 2] = op == kAddG ? dut->g_idx_o : op == kAddA ? dut->a_idx_o : 0;
    if (op != kAddG && g_left > 0 && dut->g_idx_o != g[3 * g_left - 1]) return -7;
    if (op != kAddA && a_left > 0 && dut->a_idx_o != a[3 * a_left - 1]) return -8;
    ++ops;
  }
  if (g_left != 0 || a_left != 0) return -9;
  dut->step_i = seed % 2;  // a step at the end changes nothing
  pm_tb::tick(*dut);
  dut->step_i = 0;
  if (dut->op_o != kDone) return -10;
  return ops;
}
