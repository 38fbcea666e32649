// SPDX-License-Identifier: Apache-2.0
//
// Vectors for pm_limb_unit, from test_pm_limb_unit.py: records of 52 words of 16 bits, operation, x, y, result, 17
// limbs each but the first. Operations follow each other as closely as they may; done_o is expected in the
// last cycle of each, and in no other.
//   pm_limb_unit_sim play <path>    run all records
//   pm_limb_unit_sim wide <path>    give limb 0 of every result a bit too many: the unit's assertion ends the run
//   pm_limb_unit_sim clear <path>   in record i clear in cycle i mod (its cycles), and look for data that stayed
// Prints: operations of each kind; with clear how many were cleared.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "Vpm_limb_unit.h"
#include "Vpm_limb_unit___024root.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

constexpr int kLimbs = 17, kRecord = 1 + 3 * kLimbs;
constexpr int kCycles[4] = {22, 7, 4, 5};

[[noreturn]] void fail(const std::string& what, unsigned long record) {
  std::fprintf(stderr, "record %lu: %s\n", record, what.c_str());
  std::exit(1);
}

template <typename Port>
void put(Port& port, const uint16_t* limbs) {
  for (int i = 0; i < 9; ++i) port[i] = 0;
  for (int i = 0; i < kLimbs; ++i) port[i / 2] |= uint32_t{limbs[i]} << (16 * (i % 2));
}

struct Bench {
  Vpm_limb_unit dut;
  unsigned long done[4] = {}, cleared = 0, record = 0;

  Bench() {
    pm_tb::reset(dut);
    dut.clear_i = 1;
    tick();
    dut.clear_i = 0;
  }
  void tick() { pm_tb::tick(dut); }
  void begin(const uint16_t* r) {
    dut.start_i = 1;
    dut.op_i = r[0];
    put(dut.x_i, r + 1);
    put(dut.y_i, r + 1 + kLimbs);
    dut.eval();
    if (dut.done_o) fail("done in the first cycle", record);
    tick();
    dut.start_i = 0;
  }
  void play(const uint16_t* r) {
    begin(r);
    for (int cycle = 1; cycle < kCycles[r[0]] - 1; ++cycle) {
      if (dut.done_o) fail("done too early", record);
      tick();
    }
    if (!dut.done_o) fail("not done in the last cycle", record);
    for (int i = 0; i < kLimbs; ++i) {
      const unsigned got = (dut.r_o[i / 2] >> (16 * (i % 2))) & 0xffff;
      const unsigned want = r[1 + 2 * kLimbs + i];
      if (got != want) {
        fail("operation " + std::to_string(r[0]) + ", limb " + std::to_string(i) + " is " +
                 std::to_string(got) + ", not " + std::to_string(want),
             record);
      }
    }
    tick();
    ++done[r[0]];
    ++record;
  }
  void wide(const uint16_t* r) {
    begin(r);
    while (!dut.done_o) tick();
    dut.rootp->pm_limb_unit__DOT__r_q[0] |= 1U << 20;
    tick();
  }
  void empty() {
    const auto* root = dut.rootp;
    uint64_t left = 0;
    for (int i = 0; i < 12; ++i) left |= root->pm_limb_unit__DOT__x_q[i];
    for (int i = 0; i < 9; ++i) left |= root->pm_limb_unit__DOT__y_q[i];
    for (int i = 0; i < 14; ++i) left |= root->pm_limb_unit__DOT__r_q[i];
    for (int i = 0; i < 22; ++i) left |= root->pm_limb_unit__DOT__p[i];
    if (left != 0) fail("data stayed after clear", record);
  }
  // The registers of products have no name to look at: what stays there is in the sums later on.
  void clear(const uint16_t* r) {
    const int when = static_cast<int>(record) % kCycles[r[0]];
    begin(r);
    for (int cycle = 1; cycle < when; ++cycle) tick();
    dut.clear_i = 1;
    tick();
    dut.clear_i = 0;
    dut.eval();
    if (dut.done_o) fail("done after clear", record);
    empty();
    for (int cycle = 0; cycle < 25; ++cycle) {
      if (dut.done_o) fail("done without a start", record);
      tick();
    }
    empty();
    ++cleared;
    ++record;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: play PATH | wide PATH | clear PATH", 0);
  std::FILE* file = std::fopen(argv[2], "rb");
  if (file == nullptr) fail("cannot open the vectors", 0);
  Bench bench;
  uint16_t record[kRecord];
  while (std::fread(record, sizeof record, 1, file) == 1) {
    if (std::strcmp(argv[1], "wide") == 0) bench.wide(record);
    if (std::strcmp(argv[1], "clear") == 0) bench.clear(record);
    bench.play(record);
  }
  std::fclose(file);
  std::printf("mul %lu small %lu add %lu sub %lu cleared %lu\n", bench.done[0], bench.done[1],
              bench.done[2], bench.done[3], bench.cleared);
  return 0;
}
