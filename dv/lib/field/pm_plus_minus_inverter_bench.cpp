// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_plus_minus_inverter, from files of test_pm_plus_minus_inverter.py. Of a group: bits of p, cycles
// of an inversion; records p, 0, then a, inverse or 0. Then jobs abandoned at many times. Prints: vectors, errors.

#include "Vpm_plus_minus_inverter.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

class Bench {
 public:
  Bench() {
    dut_.valid_i = dut_.clear_i = 0;
    pm_tb::reset(dut_);
  }

  void Group(const uint32_t (&head)[6], mont::File& file) {
    pm_tb::put(dut_.p_i, file.value());
    file.value();
    dut_.bits_i = head[1];
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big a = file.value(), want = file.value();
      Begin(a);
      for (uint32_t at = 1; at < head[2]; ++at) {
        if (dut_.valid_o || dut_.ready_o) pm_tb::fail("an inverse is early");
        pm_tb::tick(dut_);
      }
      if (!dut_.valid_o) pm_tb::fail("an inverse is late");
      const bool none = want == Big();
      if (!(pm_tb::get(dut_.inv_o) == want)) {
        pm_tb::fail("1 / " + a.hex() + ": " + pm_tb::get(dut_.inv_o).hex() + " is not " + want.hex());
      }
      if (dut_.error_o != none) pm_tb::fail("wrong error_o");
      errors_ += none;
      ++vectors_;
      pm_tb::tick(dut_);
      if (dut_.valid_o || !dut_.ready_o) pm_tb::fail("an inverse comes twice");
      if (!(pm_tb::get(dut_.inv_o) == want) || dut_.error_o != none) pm_tb::fail("an inverse does not stay");
    }
  }

  // Nothing comes of a job that is abandoned.
  void Clear(uint32_t cycles) {
    for (uint32_t at = 1; at < cycles; at += 1 + at / 8) {
      Begin(Big(1));
      for (uint32_t i = 1; i < at; ++i) pm_tb::tick(dut_);
      dut_.clear_i = 1;
      pm_tb::tick(dut_);
      dut_.clear_i = 0;
      dut_.eval();
      if (!dut_.ready_o) pm_tb::fail("a job was not abandoned");
      pm_tb::tick(dut_);
      if (!(pm_tb::get(dut_.inv_o) == Big())) pm_tb::fail("a result was not cleared");
      for (uint32_t i = 0; i < 3; ++i) {
        if (dut_.valid_o) pm_tb::fail("a job that was abandoned ended");
        pm_tb::tick(dut_);
      }
    }
  }

  void Print() const {
    pm_tb::print({{"vectors", vectors_}, {"errors", errors_}});
  }

 private:
  void Begin(const Big& a) {
    if (!dut_.ready_o) pm_tb::fail("not ready");
    pm_tb::put(dut_.a_i, a);
    dut_.valid_i = 1;
    dut_.eval();
    pm_tb::tick(dut_);
    dut_.valid_i = 0;
    pm_tb::put(dut_.a_i, Big());
    dut_.eval();
  }

  Vpm_plus_minus_inverter dut_;
  uint64_t vectors_ = 0, errors_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) pm_tb::fail("usage: PATH");
  Bench bench;
  mont::File file(argv[1]);
  uint32_t head[6], cycles = 0;
  while (file.head(head)) {
    cycles = head[2];
    bench.Group(head, file);
  }
  bench.Clear(cycles);
  bench.Print();
  return 0;
}
