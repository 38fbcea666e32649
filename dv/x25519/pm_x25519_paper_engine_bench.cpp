// SPDX-License-Identifier: Apache-2.0
//
// Jobs for pm_x25519_paper_engine, from test_pm_x25519_paper_engine.py: a line "job K U HOLD" or "clear K U WHEN" each,
// K and U 64 hexadecimal digits of the number.
//   job    a result is taken HOLD cycles after it came, the next job offered at once
//   clear  clear_i comes WHEN cycles after the job was accepted
//   both   are followed by a comparison, some cycles later, of the whole state of the model with that after
//          the last line of the same kind and number: nothing may be left that depends on a job
// With a job comes a random number, which only an engine with Randomised looks at: until it is there, a cycle after the
// job, such an engine must not take the job.
// Prints for a job: result, its zero flag, cycles from acceptance to result; in the end the comparisons made.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "Vpm_x25519_paper_engine.h"
#include "Vpm_x25519_paper_engine___024root.h"
#include "pm_tb_clock.h"
#include "verilated.h"

namespace {

constexpr int kLimit = 100000;

[[noreturn]] void fail(const std::string& what, unsigned long line) {
  std::printf("line %lu: %s\n", line, what.c_str());
  std::exit(1);
}

template <typename Port>
void put(Port& port, const char* hex) {
  for (int i = 0; i < 8; ++i) port[i] = std::strtoul(std::string(hex + 8 * (7 - i), 8).c_str(), nullptr, 16);
}

struct Bench {
  Vpm_x25519_paper_engine dut;
  unsigned long line = 0, compared = 0;
  std::map<std::string, std::vector<char>> states;
  std::mt19937 rng;

  Bench() {
    dut.clear_i = dut.job_valid_i = dut.result_ready_i = 0;
    dut.random_valid_i = 1;
    pm_tb::reset(dut);
    if (dut.job_ready_o || dut.busy_o || dut.result_valid_o) fail("not idle after reset", 0);
    tick();
  }
  void tick() { pm_tb::tick(dut); }
  // The first ones are the least and the greatest.
  void random() {
    for (int i = 0; i < 8; ++i) dut.random_i[i] = line == 1 ? 0 : line == 2 ? ~0u : uint32_t(rng());
    dut.random_i[7] &= (1u << 29) - 1;
  }
  void offer(const char* k, const char* u) {
    put(dut.job_k_i, k);
    put(dut.job_u_i, u);
    if (PM_RANDOMISED) {
      dut.job_valid_i = 1;
      dut.random_valid_i = 0;
      dut.eval();
      if (dut.job_ready_o) fail("ready without a random number", line);
      tick();
    }
    dut.job_valid_i = dut.random_valid_i = 1;
    random();
    int waited = 0;
    for (dut.eval(); !dut.job_ready_o; tick()) {
      if (++waited > 2) fail("not ready for a job", line);
    }
    tick();
    dut.job_valid_i = 0;
    for (int i = 0; i < 8; ++i) dut.random_i[i] = 0;
    put(dut.job_k_i, std::string(64, '0').c_str());
    put(dut.job_u_i, std::string(64, '0').c_str());
    dut.eval();
    if (!dut.busy_o || dut.job_ready_o) fail("a job is inside, but not busy or still ready", line);
  }
  void job(const char* k, const char* u, int hold) {
    offer(k, u);
    int cycles = 1;
    for (; !dut.result_valid_o; tick()) {
      if (++cycles > kLimit) fail("no result", line);
    }
    if (dut.refused_o) fail("refused", line);
    for (int i = 0; i < hold; ++i) {
      tick();
      if (!dut.result_valid_o || dut.job_ready_o) fail("the result did not hold", line);
    }
    for (int i = 7; i >= 0; --i) std::printf("%08x", dut.result_o[i]);
    std::printf(" %d %d\n", dut.result_zero_o, cycles);
    dut.result_ready_i = 1;
    tick();
    dut.result_ready_i = 0;
    dut.eval();
    if (dut.result_valid_o || dut.busy_o || dut.job_ready_o) fail("no wiping after a result", line);
    tick();
    if (!dut.job_ready_o) fail("not ready after a result", line);
  }
  void clear(const char* k, const char* u, int when) {
    offer(k, u);
    for (int i = 1; i < when; ++i) tick();
    dut.clear_i = 1;
    dut.eval();
    if (dut.job_ready_o) fail("ready while cleared", line);
    tick();
    dut.clear_i = 0;
    dut.eval();
    if (dut.result_valid_o || dut.busy_o || dut.job_ready_o) fail("no wiping after clear", line);
    tick();
    if (!dut.job_ready_o) fail("not ready after clear", line);
  }
  void compare(const std::string& key) {
    for (int i = 0; i < 40; ++i) {
      tick();
      if (dut.result_valid_o || dut.busy_o) fail("a result without a job", line);
    }
    for (int i = 0; i < 8; ++i) {
      if (dut.result_o[i] != 0) fail("the result stayed", line);
    }
    const char* root = reinterpret_cast<const char*>(dut.rootp);
    const std::vector<char> state(root, root + sizeof(*dut.rootp));
    const auto [seen, fresh] = states.emplace(key, state);
    if (fresh) return;
    if (seen->second != state) fail("something that depends on a job stayed", line);
    ++compared;
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) fail("usage: pm_x25519_paper_engine_sim PATH", 0);
  std::FILE* file = std::fopen(argv[1], "r");
  if (file == nullptr) fail("cannot open the jobs", 0);
  Bench bench;
  char kind[8], k[65], u[65];
  int number = 0;
  while (std::fscanf(file, "%7s %64s %64s %d", kind, k, u, &number) == 4) {
    ++bench.line;
    if (std::strcmp(kind, "job") == 0) {
      bench.job(k, u, number);
    } else {
      bench.clear(k, u, number);
    }
    bench.compare(kind + std::to_string(number));
  }
  std::fclose(file);
  std::printf("compared %lu\n", bench.compared);
  return 0;
}
