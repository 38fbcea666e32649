// SPDX-License-Identifier: Apache-2.0
// Reads the registers NAME and VERSION of any core over its AXI4-Lite port: a beginning for programs of your own.
#include <cstdint>
#include <cstdio>
#include <initializer_list>

#define QUOTED(name) #name
#define HEADER(name) QUOTED(name.h)
#include HEADER(PM_TOP)  // of the verilated core, as PM_TOP is

namespace {

using Core = PM_TOP;

void Cycle(Core& core) {
  core.clk_i = 0;
  core.eval();
  core.clk_i = 1;
  core.eval();
}

// The content of the register at `address`; false without a response, or with an error response.
bool Read(Core& core, std::uint32_t address, std::uint32_t* value) {
  core.s_axil_araddr = address;
  core.s_axil_arvalid = 1;
  core.s_axil_rready = 1;
  for (int cycle = 0; cycle < 100; cycle++) {
    core.clk_i = 0;
    core.eval();
    bool accepted = core.s_axil_arvalid && core.s_axil_arready, complete = core.s_axil_rvalid;
    bool ok = core.s_axil_rresp == 0;
    *value = core.s_axil_rdata;
    Cycle(core);
    if (accepted) core.s_axil_arvalid = 0;
    if (complete) return ok;
  }
  return false;
}

}  // namespace

int main() {
  VerilatedContext context;
  Core core(&context);
  for (core.rst_ni = 0; context.time() < 4; context.timeInc(1)) Cycle(core);
  core.rst_ni = 1;
  for (std::uint32_t address : {0x0, 0x4}) {
    std::uint32_t value = 0;
    if (!Read(core, address, &value)) return 1;
    std::printf("%02x: %08x\n", address, value);
  }
  return 0;
}
