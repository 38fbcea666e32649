// SPDX-License-Identifier: Apache-2.0
//
// pm_addsub, default parameters: sum and difference modulo 2^258 for any operands, and, where the
// stated ranges hold, that nothing overflowed. All pairs of edges with all shifts, then random.
//
// Arguments: seed, random operand pairs. Prints counters as `name value`, fails on the first
// difference.

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vpm_addsub.h"
#include "operands.h"
#include "verilated.h"

using namespace field_ref;

namespace {

// Residue modulo p of a value below 2^258.
U255 residue(const U258& x) { return long_division({x[0], x[1], x[2], x[3], x[4]}); }

U255 add_mod(const U255& x, const U255& y) {
  Product s{};
  unsigned __int128 carry = 0;
  for (int i = 0; i < 4; i++) {
    carry += (unsigned __int128)x[i] + y[i];
    s[i] = uint64_t(carry);
    carry >>= 64;
  }
  s[4] = uint64_t(carry);
  return long_division(s);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mt19937_64 rng(std::strtoull(argv[1], nullptr, 10));
  const std::vector<U258> edge = edges();
  const long edge_pairs = 4 * long(edge.size() * edge.size());
  const long total = edge_pairs + std::atol(argv[2]);
  const U258 k = p_times(4), x_limit = sub(U258{}, k);  // 2^258 - 4p

  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_addsub>(context.get());
  long sums = 0, differences = 0;
  for (long i = 0; i < total; i++) {
    U258 x, y;
    unsigned shifts;
    if (i < edge_pairs) {
      shifts = unsigned(i & 3);
      x = edge[size_t(i >> 2) / edge.size()];
      y = edge[size_t(i >> 2) % edge.size()];
    } else {
      shifts = unsigned(rng() & 3);
      x = operand(int(rng() % kKinds), rng, edge);
      y = operand(int(rng() % kKinds), rng, edge);
    }
    drive(dut->x_i, x);
    drive(dut->y_i, y);
    dut->shift_x_i = shifts & 1;
    dut->shift_y_i = shifts >> 1;
    dut->eval();
    const U258 sum = sample(dut->sum_o), diff = sample(dut->diff_o);

    const bool x_fits = !(shifts & 1) || x[4] < 2, y_fits = !(shifts & 2) || y[4] < 2;
    if (shifts & 1) x = add(x, x);
    if (shifts & 2) y = add(y, y);
    bool ok = sum == add(x, y) && diff == add(sub(x, y), k);
    if (x_fits && y_fits && !less(sum, x)) {  // no carry out of bit 257: exact
      ok = ok && residue(sum) == add_mod(residue(x), residue(y));
      sums++;
    }
    if (x_fits && y_fits && less(x, x_limit) && !less(k, y)) {  // the stated ranges
      ok = ok && add_mod(residue(diff), residue(y)) == residue(x);
      differences++;
    }
    if (!ok) {
      std::printf("FAIL operand pair %ld, shifts %u\n", i, shifts);
      return 1;
    }
  }
  std::printf("edge_pairs %ld total %ld sums %ld differences %ld\n", edge_pairs, total, sums,
              differences);
  dut->final();
  return 0;
}
