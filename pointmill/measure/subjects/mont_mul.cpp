// SPDX-License-Identifier: Apache-2.0
//
// One product of a verilated pm_mont_mul or pm_mont_mul_packed (PM_PACKED): cycles from the operands to the
// result, and the result in hex. Arguments: named digits wide, then in hex pinv p x y.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#ifdef PM_PACKED
#include "Vpm_mont_mul_packed.h"
using Dut = Vpm_mont_mul_packed;
#else
#include "Vpm_mont_mul.h"
using Dut = Vpm_mont_mul;
#endif

namespace {

constexpr int kLongest = 10000;  // cycles

template <typename Port>
void Put(Port& port, const std::string& hex) {
  if constexpr (std::is_integral_v<Port>) {
    port = static_cast<Port>(std::strtoull(hex.c_str(), nullptr, 16));
  } else {
    constexpr size_t kWords = sizeof(Port) / sizeof(EData);
    const std::string digits = std::string(8 * kWords, '0') + hex;
    for (size_t i = 0; i < kWords; ++i) {
      port[i] = static_cast<EData>(std::strtoul(digits.substr(digits.size() - 8 * (i + 1), 8).c_str(), nullptr, 16));
    }
  }
}

template <typename Port>
void Print(const Port& port) {
  if constexpr (std::is_integral_v<Port>) {
    std::printf("%llx\n", static_cast<unsigned long long>(port));
  } else {
    for (size_t i = sizeof(Port) / sizeof(EData); i > 0; --i) std::printf("%08x", port[i - 1]);
    std::printf("\n");
  }
}

void Tick(Dut& dut) {
  dut.clk_i = 1;
  dut.eval();
  dut.clk_i = 0;
  dut.eval();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  Dut dut;
  dut.clk_i = dut.rst_ni = dut.wipe_i = dut.valid_i = 0;
  dut.eval();
  Tick(dut);
  dut.rst_ni = 1;
#ifdef PM_PACKED
  dut.named_i = static_cast<uint8_t>(std::atoi(argv[1]));
#endif
  dut.digits_i = static_cast<uint8_t>(std::atoi(argv[2]));
  dut.wide_i = std::atoi(argv[3]) != 0;
  Put(dut.pinv_i, argv[4]);
  Put(dut.p_i, argv[5]);
  Put(dut.x_i, argv[6]);
  Put(dut.y_i, argv[7]);
  dut.valid_i = dut.ready_i = 1;
  dut.eval();
  if (!dut.ready_o) return 3;
  int cycles = 0;
  do {
    Tick(dut);
    dut.valid_i = 0;
    dut.eval();
    if (++cycles > kLongest) return 4;
  } while (!dut.valid_o);
  std::printf("%d\n", cycles);
  Print(dut.r_o);
  return 0;
}
