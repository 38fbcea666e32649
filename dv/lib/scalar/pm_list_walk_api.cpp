// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_list_walk: rounds in which all contexts are loaded and scanned at
// the same time, at random.

#include <vector>

#include "Vpm_list_walk.h"
#include "pm_tb_unit.h"

namespace {

enum Op : uint32_t { kDone = 0, kDouble = 1, kAdd = 2 };
constexpr int kPointBits = 11;

struct Context {
  enum { kClear, kLoad, kWalk, kEnd } phase = kClear;
  int pushed = 0, count = 0;
  const uint32_t* entries = nullptr;
  uint32_t* out = nullptr;
  int ops = 0;
  uint64_t steady = 0;    // cycle from which it may be asked for
  uint64_t earliest = 0;  // cycle of the earliest next step
  bool seen = false;    // next was sampled in this state
  uint32_t next = 0;    // op, need_t, point as first seen
  bool added = false;
  uint32_t point = 0;   // of the latest addition
  uint64_t point_from = 0;  // cycle from which it is current
};

}  // namespace

// Each context walks its own list: counts[c] packed entries of lists + c * stride. Stored in
// out + c * max_ops for each operation: op, need_t and point, packed (2 + 1 + 11 bits). spacing:
// least number of cycles from a step of a context to its next one (1: as soon as it may be asked).
// busy: out of 256, how often a cycle has a step. Returns the number of cycles with steps of
// different contexts in succession, negative if the unit misbehaves; ops[c]: operations.
extern "C" int pm_list_walk_run(int contexts, const uint32_t* lists, int stride, const int* counts,
                                uint64_t seed, int spacing, int busy, uint32_t* out, int max_ops,
                                int* ops) {
  static Vpm_list_walk* const dut = pm_tb::started<Vpm_list_walk>(
      [](auto* unit) { unit->clear_i = unit->init_i = unit->push_valid_i = unit->step_i = 0; });
  pm_tb::Random random(seed);
  std::vector<Context> state(contexts);
  for (int c = 0; c < contexts; ++c) {
    state[c].entries = lists + c * stride;
    state[c].count = counts[c];
    state[c].out = out + c * max_ops;
  }
  int running = contexts, in_a_row = 0, last_step = -1, asked = -1;
  bool asked_in_time = false;
  for (uint64_t cycle = 0; running > 0; ++cycle) {
    if (cycle > 1000000) return -1;
    dut->clear_i = dut->init_i = dut->push_valid_i = dut->step_i = 0;
    // At most one context gets a push, at random; clears and inits come as they may.
    const int loading = static_cast<int>(random.next() % contexts);
    for (int c = 0; c < contexts; ++c) {
      Context& x = state[c];
      if (x.phase == Context::kClear && random.next() % 4 == 0) {
        dut->clear_i |= 1u << c;
        x.phase = Context::kLoad;
        x.steady = cycle + 2;
      } else if (x.phase == Context::kLoad && x.pushed == x.count && random.next() % 8 == 0) {
        dut->init_i |= 1u << c;
        x.phase = Context::kWalk;
        x.steady = cycle + 3;
        x.seen = false;
      } else if (x.phase == Context::kLoad && x.pushed < x.count && c == loading) {
        dut->push_valid_i = 1;
        dut->push_ctx_i = c;
        dut->push_entry_i = x.entries[x.pushed++];
      }
    }
    dut->eval();
    if (dut->push_valid_i && !dut->push_ready_o) return -2;
    // The answer to the question of the cycle before, and perhaps a step.
    int chosen = -1;
    if (asked >= 0 && asked_in_time) {
      Context& x = state[asked];
      const uint32_t op = dut->op_o;
      const uint32_t next = op << 12 | dut->need_t_o << 11 | (op == kAdd ? dut->point_o : 0);
      if (x.phase == Context::kLoad && op != kDone) return -4;
      if (dut->init_i >> asked & 1) {
      } else if (dut->started_o != (x.phase == Context::kWalk || x.phase == Context::kEnd)) {
        return -7;
      }
      if (x.phase == Context::kEnd) dut->step_i = 1;  // no effect
      if (x.phase == Context::kWalk && !(dut->init_i >> asked & 1)) {
        if (x.seen && next != x.next) return -5;
        x.seen = true;
        x.next = next;
        if (op == kDone) {
          x.phase = Context::kEnd;
          ops[asked] = x.ops;
          --running;
        } else if (cycle >= x.earliest && static_cast<int>(random.next() % 256) < busy) {
          chosen = asked;
        }
      }
    }
    for (int c = 0; c < contexts; ++c) {
      const Context& x = state[c];
      if (!x.added || cycle < x.point_from) continue;
      if (pm_tb::element(dut->current_o, kPointBits, c) != x.point) return -3;
    }
    if (chosen >= 0) {
      Context& x = state[chosen];
      if (x.ops == max_ops) return -6;
      x.out[x.ops++] = x.next;
      const bool add = x.next >> 12 == kAdd;
      if (add) {
        x.added = true;
        x.point = x.next & 0x7FF;
        x.point_from = cycle + 2;
      }
      x.steady = cycle + (add ? 5 : 3);
      x.earliest = cycle + spacing;
      x.seen = false;
      dut->step_i = 1;
      if (last_step >= 0 && last_step != chosen) ++in_a_row;
    }
    // The next question: to a context that may be asked, if there is one.
    asked = static_cast<int>(random.next() % contexts);
    for (int i = 0; i < contexts; ++i) {
      const int c = (asked + i) % contexts;
      if (state[c].phase == Context::kWalk && cycle >= state[c].steady) {
        asked = c;
        break;
      }
    }
    asked_in_time = cycle >= state[asked].steady && state[asked].phase != Context::kClear;
    dut->ctx_i = asked;
    last_step = chosen;
    pm_tb::tick(*dut);
  }
  dut->clear_i = dut->init_i = dut->push_valid_i = dut->step_i = 0;
  return in_a_row;
}
