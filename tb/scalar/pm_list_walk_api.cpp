// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_list_walk: rounds in which all contexts are loaded and walked at
// the same time, at random.

#include <vector>

#include "Vpm_list_walk.h"
#include "pm_tb_big.h"

namespace {

enum Op : uint32_t { kDone = 0, kDouble = 1, kAdd = 2 };
constexpr int kPointBits = 11;

Vpm_list_walk* dut = nullptr;

void tick() {
  dut->clk_i = 1;
  dut->eval();
  dut->clk_i = 0;
  dut->eval();
}

void start() {
  dut = new Vpm_list_walk;
  dut->rst_ni = 0;
  dut->clk_i = 0;
  dut->clear_i = dut->init_i = dut->push_valid_i = dut->step_i = 0;
  dut->eval();
  tick();
  dut->rst_ni = 1;
  tick();
}

uint32_t current(int context) {
  return static_cast<uint32_t>(
      slice(pm_tb::get(dut->current_o), kPointBits * context, kPointBits).low64());
}

struct Context {
  enum { kClear, kLoad, kWalk, kEnd } phase = kClear;
  int pushed = 0, count = 0;
  const uint32_t* entries = nullptr;
  uint32_t* out = nullptr;
  int ops = 0;
  uint64_t steady = 0;    // cycle from which op_o must hold still and be right
  uint64_t earliest = 0;  // cycle of the earliest next step
  bool seen = false;    // next was sampled in this state
  uint32_t next = 0;    // op, need_t, point as first seen
  bool added = false;
  uint32_t point = 0;   // of the latest addition
};

}  // namespace

// Each context walks its own list: counts[c] packed entries of lists + c * stride. Stored in
// out + c * max_ops for each operation: op, need_t and point, packed (2 + 1 + 11 bits). spacing:
// least number of cycles from a step of a context to its next one (1: as soon as op_o is known).
// busy: out of 256, how often a cycle has a step. Returns the number of cycles with steps of
// different contexts in succession, negative if the unit misbehaves; ops[c]: operations.
extern "C" int pm_list_walk_run(int contexts, const uint32_t* lists, int stride, const int* counts,
                                uint64_t seed, int spacing, int busy, uint32_t* out, int max_ops,
                                int* ops) {
  if (dut == nullptr) start();
  pm_tb::Random random(seed);
  std::vector<Context> state(contexts);
  for (int c = 0; c < contexts; ++c) {
    state[c].entries = lists + c * stride;
    state[c].count = counts[c];
    state[c].out = out + c * max_ops;
  }
  int running = contexts, in_a_row = 0, last_step = -1;
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
        x.steady = cycle + 1;
      } else if (x.phase == Context::kLoad && x.pushed == x.count && random.next() % 8 == 0) {
        dut->init_i |= 1u << c;
        x.phase = Context::kWalk;
        x.steady = cycle + 1;
        x.seen = false;
      } else if (x.phase == Context::kLoad && x.pushed < x.count && c == loading) {
        dut->push_valid_i = 1;
        dut->push_ctx_i = c;
        dut->push_entry_i = x.entries[x.pushed++];
      }
    }
    // Look at all contexts, then leave ctx_i at the one to step, if any.
    int chosen = -1;
    const int first = static_cast<int>(random.next() % contexts);
    for (int i = 0; i < contexts; ++i) {
      const int c = (first + i) % contexts;
      Context& x = state[c];
      dut->ctx_i = c;
      dut->eval();
      if (dut->push_valid_i && !dut->push_ready_o) return -2;
      if (x.added && current(c) != x.point) return -3;
      if (cycle < x.steady || x.phase == Context::kClear) continue;
      const uint32_t op = dut->op_o;
      if (x.phase != Context::kWalk || dut->init_i >> c & 1) {
        if (op != kDone && !(dut->clear_i >> c & 1)) return -4;
        continue;
      }
      const uint32_t next = op << 12 | dut->need_t_o << 11 | (op == kAdd ? dut->point_o : 0);
      if (x.seen && next != x.next) return -5;
      x.seen = true;
      x.next = next;
      if (op == kDone) {
        x.phase = Context::kEnd;
        ops[c] = x.ops;
        --running;
      } else if (chosen < 0 && cycle >= x.earliest &&
                 static_cast<int>(random.next() % 256) < busy) {
        chosen = c;
      }
    }
    if (chosen >= 0) {
      Context& x = state[chosen];
      if (x.ops == max_ops) return -6;
      x.out[x.ops++] = x.next;
      if (x.next >> 12 == kAdd) {
        x.added = true;
        x.point = x.next & 0x7FF;
      }
      x.steady = cycle + (x.next >> 12 == kAdd ? 2 : 1);
      x.earliest = cycle + spacing;
      x.seen = false;
      dut->ctx_i = chosen;
      dut->step_i = 1;
      if (last_step >= 0 && last_step != chosen) ++in_a_row;
    } else {
      dut->ctx_i = static_cast<int>(random.next() % contexts);
      for (const Context& x : state) {
        if (&x - state.data() == dut->ctx_i) dut->step_i = x.phase == Context::kEnd;  // no effect
      }
    }
    last_step = chosen;
    tick();
  }
  dut->clear_i = dut->init_i = dut->push_valid_i = dut->step_i = 0;
  return in_a_row;
}
