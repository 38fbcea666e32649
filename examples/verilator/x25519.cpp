// SPDX-License-Identifier: Apache-2.0
// A key agreement on pm_x25519, with waves in x25519.fst.
#include <array>
#include <cstdint>
#include <cstdio>

#include "Vpm_x25519.h"
#include "verilated_fst_c.h"

int main() {
  // Header, k and u of RFC 7748, section 5.2 (docs/bus-stream.md).
  const std::array<std::uint64_t, 9> job = {
      0x0000000700000200, 0x9d7c52f06be346a5, 0xdd5e46824b15163b, 0x185afcc10a4c1462, 0xc49a44ba44226a50,
      0xdb3030586768dbe6, 0x7c5fb124a4c19435, 0x3b35b326ec246672, 0x4c1cabd0a603a910};
  VerilatedContext context;
  context.traceEverOn(true);
  Vpm_x25519 core(&context);
  VerilatedFstC waves;
  core.trace(&waves, 99);
  waves.open("x25519.fst");
  std::size_t sent = 0, beat = 0;
  core.m_axis_tready = 1;
  for (std::uint64_t cycle = 0; cycle < 100000; cycle++) {
    core.rst_ni = cycle >= 4;
    core.s_axis_tvalid = cycle >= 8 && sent < job.size();
    core.s_axis_tdata = job[sent < job.size() ? sent : 0];
    core.s_axis_tkeep = 0xff;
    core.s_axis_tlast = sent == job.size() - 1;
    core.clk_i = 0;
    core.eval();
    waves.dump(2 * cycle);
    sent += core.s_axis_tvalid && core.s_axis_tready;
    if (core.m_axis_tvalid) {
      std::printf("%zu %016llx\n", beat++, static_cast<unsigned long long>(core.m_axis_tdata));
      if (core.m_axis_tlast) return 0;
    }
    core.clk_i = 1;
    core.eval();
    waves.dump(2 * cycle + 1);
  }
  return 1;
}
