// SPDX-License-Identifier: Apache-2.0
//
// Jobs through an X25519 engine. Reads lines `k u` (64 hexadecimal digits each, most significant
// first) from standard input and prints, in the order of the jobs, `result zero cycles` for each, cycles from the
// accept to the first cycle of result_valid_o; then `gap` and the cycles from the first result to the last.
//
// Arguments: seed of the pauses before jobs and results are offered and taken, 0: none; with a second one that is
// not 0 a job is offered when the one before is done.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "pm_tb_clock.h"
#include "verilated.h"

namespace pm_x25519_bench {

inline void put(VlWide<8>& port, const std::string& hex) {
  for (int i = 0; i < 8; i++)
    port[i] = uint32_t(std::stoul(hex.substr(size_t(56 - 8 * i), 8), nullptr, 16));
}

template <class Dut>
int run(int argc, char** argv) {
  const unsigned seed = argc > 1 ? unsigned(std::atoi(argv[1])) : 0;
  const bool alone = argc > 2 && std::atoi(argv[2]) != 0;
  std::mt19937 rng(seed);
  std::vector<std::pair<std::string, std::string>> jobs;
  for (std::string k, u; std::cin >> k >> u;) jobs.emplace_back(k, u);

  auto context = std::make_unique<VerilatedContext>();
  auto dut = std::make_unique<Dut>(context.get());
  pm_tb::reset(*dut, 1);

  std::deque<long> accepted;
  size_t sent = 0, done = 0;
  long cycle = 0, first = 0, last = 0, seen = -1;
  bool offering = false;
  while (done < jobs.size()) {
    offering = sent < jobs.size() && (!alone || sent == done) && (offering || seed == 0 || rng() % 512 == 0);
    dut->job_valid_i = offering;
    if (offering) {
      put(dut->job_k_i, jobs[sent].first);
      put(dut->job_u_i, jobs[sent].second);
    } else {
      for (int i = 0; i < 8; i++) dut->job_k_i[i] = dut->job_u_i[i] = rng();
    }
    dut->result_ready_i = seed == 0 || rng() % 512 == 0;
    dut->eval();
    if (dut->busy_o != !accepted.empty()) {
      std::printf("FAIL busy_o in cycle %ld\n", cycle);
      return 1;
    }
    const bool send = offering && dut->job_ready_o;
    if (dut->result_valid_o && seen < 0) seen = cycle;
    if (dut->refused_o) {
      std::printf("FAIL refused in cycle %ld\n", cycle);
      return 1;
    }
    const bool take = dut->result_valid_o && dut->result_ready_i;
    if (take) {
      for (int i = 7; i >= 0; i--) std::printf("%08x", dut->result_o[i]);
      std::printf(" %d %ld\n", int(dut->result_zero_o), seen - accepted.front());
      accepted.pop_front();
      if (done++ == 0) first = seen;
      last = seen;
      seen = -1;
    } else if (!dut->result_valid_o && seen >= 0) {
      std::printf("FAIL result withdrawn in cycle %ld\n", cycle);
      return 1;
    }
    pm_tb::rise(*dut);
    if (send) {
      accepted.push_back(cycle);
      sent++;
      offering = false;
    }
    if (++cycle > 400000 + long(jobs.size()) * 60000) {
      std::printf("FAIL no result\n");
      return 1;
    }
  }
  std::printf("gap %ld\n", last - first);
  dut->final();
  return 0;
}

}  // namespace pm_x25519_bench
