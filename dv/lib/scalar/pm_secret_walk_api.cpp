// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_secret_walk: rounds in which all contexts are scanned at the same time, at
// random; every digit is looked at in the first cycle in which it must be there and in the last one.

#include <vector>

#include "Vpm_secret_walk.h"
#include "pm_tb_unit.h"

namespace {

constexpr int kDigitBits = 11;
constexpr uint64_t kLatency = 6;

Vpm_secret_walk* dut = nullptr;
uint64_t cycle = 0;

void tick() {
  pm_tb::tick(*dut);
  ++cycle;
}

void start() {
  dut = pm_tb::started<Vpm_secret_walk>(
      [](auto* unit) { unit->we_i = unit->init_i = unit->step_i = unit->zero_i = 0; });
}

struct Context {
  bool ladder = false, two = false, begun = false;
  int count = 0, digits = 0;  // digits of the walk; how many have been begun
  uint64_t due = 0;           // cycle in which the present one must be there
  uint32_t seen = 0;
  uint32_t* out = nullptr;
};

}  // namespace

// Walks of all contexts at once: modes[c] is 0 for the comb of one scalar, 1 for that of two, 2 for a
// ladder; scalars of 8 words, two per context; out + c * max_digits gets the digits. busy: out of 256, how
// often a cycle has a step. comb_digits: of one scalar. Returns the number of cycles with steps of
// different contexts in a row, negative if the unit misbehaves.
extern "C" int pm_secret_walk_run(int contexts, const int* modes, const uint32_t* scalars,
                                  int comb_digits, uint64_t seed, int busy, uint32_t* out,
                                  int max_digits) {
  if (dut == nullptr) start();
  pm_tb::Random random(seed);
  std::vector<Context> all(contexts);
  for (int c = 0; c < contexts; ++c) {
    all[c].ladder = modes[c] == 2;
    all[c].two = modes[c] == 1;
    all[c].count = all[c].ladder ? 255 : (modes[c] + 1) * comb_digits;
    all[c].out = out + c * max_digits;
    if (all[c].count > max_digits) return -1;
    for (int slot = 0; slot < 2; ++slot) {
      dut->we_i = 1;
      dut->wctx_i = c;
      dut->wslot_i = slot;
      for (int i = 0; i < 8; ++i) dut->wdata_i[i] = scalars[(2 * c + slot) * 8 + i];
      tick();
    }
  }
  dut->we_i = 0;
  for (int i = 0; i < 8; ++i) dut->wdata_i[i] = random.next();
  int open = contexts, in_a_row = 0, last = -1;
  for (uint64_t begin = cycle; open > 0;) {
    if (cycle - begin > 200000) return -2;
    // Digits that are due, and those that are about to change: the same in between.
    for (int c = 0; c < contexts; ++c) {
      Context& x = all[c];
      if (!x.begun || cycle < x.due) continue;
      const uint32_t current = pm_tb::element(dut->current_o, kDigitBits, c);
      if (cycle == x.due) x.out[x.digits - 1] = x.seen = current;
      if (current != x.seen) return -3;
      if ((dut->more_o >> c & 1) != (x.two && x.digits <= comb_digits)) return -4;
    }
    dut->init_i = dut->step_i = 0;
    dut->ladder_i = random.next() & 1;
    dut->two_i = random.next() & 1;
    dut->ctx_i = random.next() % contexts;
    // A raw read goes on beside the walks.
    const int rctx = random.next() % contexts, rslot = random.next() & 1;
    dut->rctx_i = rctx;
    dut->rslot_i = rslot;
    const int c = random.next() % contexts;
    int stepped = -1;
    if (!all[c].begun && random.next() % 4 == 0) {
      // The other contexts may delay the first digit; the protocol bench says by how much.
      dut->init_i = 1u << c;
      dut->ladder_i = all[c].ladder;
      dut->two_i = all[c].two;
      all[c].begun = true;
      all[c].digits = 1;
      all[c].due = cycle + kLatency + contexts;
    } else if (static_cast<int>(random.next() & 255) < busy) {
      // The first context from a random one on that may step.
      for (int i = 0; i < contexts && stepped < 0; ++i) {
        const int d = (c + i) % contexts;
        if (all[d].begun && cycle >= all[d].due && all[d].digits < all[d].count) stepped = d;
      }
    }
    if (stepped >= 0) {
      Context& x = all[stepped];
      dut->step_i = 1;
      dut->ctx_i = stepped;
      ++x.digits;
      x.due = cycle + kLatency;
      in_a_row += last >= 0 && last != stepped;
    }
    last = stepped;
    tick();
    for (int i = 0; i < 8; ++i) {
      if (dut->rdata_o[i] != scalars[(2 * rctx + rslot) * 8 + i]) return -5;
    }
    open = 0;
    for (const Context& x : all) open += !x.begun || x.digits < x.count || cycle <= x.due;
  }
  dut->init_i = dut->step_i = 0;
  return in_a_row;
}
