// SPDX-License-Identifier: Apache-2.0
//
// For the benches of units with a modulus given at run time: the vector files of mont_vectors.py.

#ifndef POINTMILL_TB_FIELD_MONT_BENCH_H
#define POINTMILL_TB_FIELD_MONT_BENCH_H

#include <cstdio>
#include <string>

#include "pm_tb_big.h"
#include "pm_tb_clock.h"

namespace mont {

using pm_tb::Big;

// Words of a value in a file.
#ifdef PM_WORDS
constexpr int kWords = PM_WORDS;
#else
constexpr int kWords = 17;
#endif

// Groups of vectors: six small numbers, the first of them the number of records, then the records.
class File {
 public:
  explicit File(const char* path) : file_(std::fopen(path, "rb")) {
    if (file_ == nullptr) pm_tb::fail(std::string("cannot open ") + path);
  }
  ~File() { std::fclose(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool head(uint32_t (&small)[6]) { return std::fread(small, sizeof small, 1, file_) == 1; }
  Big value() {
    Big r;
    if (std::fread(r.w, 4, kWords, file_) != kWords) pm_tb::fail("the vector file is too short");
    return r;
  }

 private:
  std::FILE* file_;
};

// A job of an idle unit, of which the caller has set the operands, up to its result, which must come after exactly
// `latency` cycles; accepted(): what the caller does when the operands were taken.
template <typename Unit, typename Accepted>
void job(Unit& dut, uint32_t latency, Accepted accepted) {
  dut.valid_i = 1;
  dut.ready_i = 0;
  dut.eval();
  if (!dut.ready_o || dut.valid_o) pm_tb::fail("not idle");
  pm_tb::tick(dut);
  dut.valid_i = 0;
  accepted();
  for (uint32_t cycle = 1; cycle < latency; ++cycle) {
    if (dut.valid_o || dut.ready_o) pm_tb::fail("valid or ready in cycle " + std::to_string(cycle));
    pm_tb::tick(dut);
  }
  if (!dut.valid_o) pm_tb::fail("late");
}

}  // namespace mont

#endif
