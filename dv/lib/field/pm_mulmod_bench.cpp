// SPDX-License-Identifier: Apache-2.0
//
// Mass test of pm_mulmod for p = 2^255 - 19, W = 258: every result against two references, every
// tap against the schoolbook product of the halves, every valid and ready bit against a shift
// register of the documented latency (so nothing is lost, doubled, reordered, early or late).
//
// Arguments: seed, random operand pairs, stalls (1: random idle and back-pressure), index of a
// result to corrupt before checking (-1: none). Prints counters as `name value`, fails on the first
// difference. PM_LATENCY and PM_PART_LATENCY are set by the build.

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include "Vpm_mulmod.h"
#include "operands.h"
#include "pm_tb_clock.h"
#include "verilated.h"

using namespace field_ref;

namespace {

struct Job {
  U258 a, b;
  long index;  // -1: a bubble
};

[[noreturn]] void fail(const char* what, long index) {
  std::printf("FAIL %s at operand pair %ld\n", what, index);
  std::exit(1);
}

U258 low_half(const U258& x) { return {x[0], x[1], x[2] & 1, 0, 0}; }

U258 high_half(const U258& x) {
  U258 y{};
  for (int i = 0; i < 3; i++) y[i] = (x[i + 2] >> 1) | (i < 2 ? x[i + 3] << 63 : 0);
  return y;
}

U258 widen(const U255& x) { return {x[0], x[1], x[2], x[3], 0}; }

U258 first_limbs(const Product& x) { return {x[0], x[1], x[2], x[3], x[4]}; }

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  std::mt19937_64 rng(std::strtoull(argv[1], nullptr, 10));
  const long random_pairs = std::atol(argv[2]);
  const bool stalls = std::atoi(argv[3]) != 0;
  const long corrupt = std::atol(argv[4]);

  const std::vector<U258> edge = edges();
  const long edge_pairs = long(edge.size() * edge.size());
  const long total = edge_pairs + random_pairs;
  // T_max / 2^255 for two operands of ones is 2^133 + 1191 and a remainder.
  const U258 r_max = [] {
    U258 q = add(power(133), small(1191)), m{};
    for (int i = 0; i < 19; i++) m = add(m, q);
    return add(m, sub(power(255), small(1)));
  }();

  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_mulmod>(context.get());
  const Job bubble{{}, {}, -1};
  std::deque<Job> pipe(PM_LATENCY, bubble);  // front: newest

  long sent = 0, results = 0, taps = 0, idle = 0, stalled = 0, above_p = 0, above_255 = 0;
  std::vector<long> pairs(kKinds * kKinds);

  pm_tb::reset(*dut);

  while (results < total) {
    Job next = bubble;
    if (sent < total && (!stalls || rng() % 8 != 0)) {
      next.index = sent;
      if (sent < edge_pairs) {
        next.a = edge[size_t(sent) / edge.size()];
        next.b = edge[size_t(sent) % edge.size()];
      } else {
        int ka = int(rng() % kKinds), kb = int(rng() % kKinds);
        next.a = operand(ka, rng, edge);
        next.b = rng() % 16 == 0 ? next.a : operand(kb, rng, edge);
        pairs[size_t(ka * kKinds + kb)]++;
      }
    } else {
      next.a = trim({rng(), rng(), rng(), rng(), rng()});
      idle++;
    }
    dut->valid_i = next.index >= 0;
    drive(dut->a_i, next.a);
    drive(dut->b_i, next.b);

    bool moved = false;
    while (!moved) {
      dut->ready_i = !stalls || rng() % 8 != 0;
      dut->eval();
      const Job& part = pipe[PM_PART_LATENCY - 1];
      const Job& last = pipe[PM_LATENCY - 1];
      if (dut->valid_o != (last.index >= 0)) fail("valid_o", last.index);
      if (dut->part_valid_o != (part.index >= 0)) fail("part_valid_o", part.index);
      moved = dut->ready_i || last.index < 0;
      if (dut->ready_o != moved) fail("ready_o", last.index);
      stalled += !moved;

      if (part.index >= 0) {
        if (sample(dut->part_h_o) !=
            first_limbs(multiply(high_half(part.a), high_half(part.b))))
          fail("part_h_o", part.index);
        if (sample(dut->part_l_o) != first_limbs(multiply(low_half(part.a), low_half(part.b))))
          fail("part_l_o", part.index);
        taps += moved;
      }
      if (last.index >= 0 && moved) {
        U258 r = sample(dut->r_o);
        if (last.index == corrupt) r[2] ^= 1 << 7;
        if (less(r_max, r)) fail("bound of r_o", last.index);
        above_255 += (r[3] >> 63) != 0;
        if (!less(r, p_times(1))) {
          r = sub(r, p_times(1));
          above_p++;
        }
        if (r != widen(schoolbook(last.a, last.b))) fail("r_o (schoolbook)", last.index);
        if (r != widen(horner(last.a, last.b))) fail("r_o (Horner)", last.index);
        results++;
      }
      pm_tb::rise(*dut);
      if (moved) {
        pipe.push_front(next);
        pipe.pop_back();
      }
    }
    sent += next.index >= 0;
  }
  long fewest = pairs[0];
  for (long n : pairs) fewest = n < fewest ? n : fewest;
  std::printf(
      "edge_pairs %ld sent %ld results %ld taps %ld idle %ld stalled %ld above_p %ld "
      "above_255 %ld fewest_of_a_kind %ld\n",
      edge_pairs, sent, results, taps, idle, stalled, above_p, above_255, fewest);
  dut->final();
  return 0;
}
