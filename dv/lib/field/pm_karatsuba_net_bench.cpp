// SPDX-License-Identifier: Apache-2.0
//
// Netlist of pm_karatsuba, W = 34, latency 3: pairs of edge values and random operands against
// 128-bit products. Arguments: seed, random pairs. Prints counters as `name value`.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "Vpm_karatsuba.h"
#include "verilated.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::mt19937_64 rng(std::strtoull(argv[1], nullptr, 10));
  const uint64_t top = (uint64_t(1) << 34) - 1, half = (1 << 17) - 1;
  const std::vector<uint64_t> edge = {0, 1, 2, half - 1, half, half + 1, half + 2, top - half,
                                      top - half - 1, top - 1, top, 0x155555555};
  std::vector<std::pair<uint64_t, uint64_t>> pairs;
  for (uint64_t a : edge)
    for (uint64_t b : edge) pairs.push_back({a, b});
  for (long n = std::atol(argv[2]); n > 0; n--) pairs.push_back({rng() & top, rng() & top});

  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Vpm_karatsuba>(context.get());
  constexpr size_t kLatency = 3;
  size_t products = 0;
  auto step = [&](int clk) {
    dut->clk_i = clk;
    dut->eval();
    context->timeInc(500'000);
  };
  dut->en_i = 1;
  // Stay clear of the global reset that the cell models hold at power-up.
  for (int i = 0; i < 4; i++) {
    step(0);
    step(1);
  }
  step(0);
  for (size_t t = 0; t < pairs.size() + kLatency; t++) {
    const auto& in = pairs[t % pairs.size()];
    dut->a_i = in.first;
    dut->b_i = in.second;
    step(0);
    if (t >= kLatency) {
      const auto& old = pairs[t - kLatency];
      unsigned __int128 want = (unsigned __int128)old.first * old.second, have = 0;
      for (int i = 2; i >= 0; i--) have = (have << 32) | dut->p_o[i];
      if (have != want) {
        std::printf("FAIL %lx * %lx\n", old.first, old.second);
        return 1;
      }
      products++;
    }
    step(1);
  }
  std::printf("latency %zu products %zu\n", kLatency, products);
  dut->final();
  return 0;
}
