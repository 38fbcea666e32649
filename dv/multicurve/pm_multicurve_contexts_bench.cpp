// SPDX-License-Identifier: Apache-2.0
//
// Jobs on pm_multicurve_contexts, each in the first context that is free.
//   pm_multicurve_contexts_sim < COMMANDS
// A number is its digits, lowest first. Commands:
//   curve LONG NAMED BITS N (REGISTER NUMBER)*N N (REGISTER NUMBER)*N
//       a job that loads it, when all contexts are idle: numbers of all of them, numbers of its context
//   shared N (REGISTER NUMBER)*N    numbers of all contexts, when all are idle
//   job N (REGISTER NUMBER)*N
// Prints a line for each job in the order of the commands: its context, reason, cycles, cycle of its end, digits of x
// and of y; then the cycles and products of all.

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "Vpm_multicurve_contexts.h"
#include "pm_tb_clock.h"

namespace {

constexpr int kContexts = 3, kDigits = PM_COLUMNS + 1, kBits = PM_DIGIT;
constexpr int kLongest = 1000000;

struct Job {
  int context = 0;
  bool curve = false;
  unsigned reason = 0;
  uint64_t begin = 0, end = 0;
  std::vector<uint64_t> numbers[2];
};

struct Bench {
  Vpm_multicurve_contexts dut;
  std::mt19937_64 random{7};
  std::vector<Job> jobs;
  int running[kContexts] = {-1, -1, -1};
  int unread[kContexts] = {-1, -1, -1};  // jobs whose result is still in the context
  uint64_t now = 0, products = 0;

  Bench() {
    dut.load_valid_i = dut.start_i = dut.long_i = dut.named_i = dut.read_i = 0;
    pm_tb::reset(dut, 2);
  }

  [[noreturn]] void fail(const char* what) {
    std::printf("FAIL %s in cycle %llu\n", what, static_cast<unsigned long long>(now));
    std::exit(1);
  }

  void cycle() {
    dut.eval();
    if (dut.finish_o) {
      const int at = running[dut.finish_ctx_o];
      if (at < 0) fail("an end without a job");
      jobs[at].reason = dut.reason_o;
      jobs[at].end = now;
      if (!jobs[at].curve && dut.reason_o == 0) unread[dut.finish_ctx_o] = at;
      running[dut.finish_ctx_o] = -1;
    }
    products += dut.mul_issue_o;
    pm_tb::tick(dut);
    ++now;
    dut.load_digit_i = random() >> 25;  // noise
    dut.start_i = 0;
  }

  void load(bool shared, int context) {
    int count;
    std::cin >> count;
    for (int i = 0; i < count; ++i) {
      unsigned number;
      uint64_t digits[kDigits];
      std::cin >> number;
      for (uint64_t& digit : digits) std::cin >> digit;
      dut.load_shared_i = shared;
      dut.load_ctx_i = context;
      dut.load_register_i = number;
      for (bool soon = false; !soon;) {
        dut.eval();
        soon = dut.load_soon_o;
        cycle();
      }
      dut.load_valid_i = 1;
      for (int j = 0; j < kDigits; ++j) {
        dut.load_digit_i = digits[j];
        cycle();
        dut.load_valid_i = 0;
      }
    }
  }

  bool idle() const { return dut.idle_o == (1 << kContexts) - 1; }

  void wait() {
    for (int i = 0; !idle(); ++i) {
      if (i == kLongest) fail("no end");
      cycle();
    }
    for (int i = 0; i < 50; ++i) cycle();
    for (int c = 0; c < kContexts; ++c) read(c);
  }

  // The coordinates of the result of an idle context, if there is one.
  void read(int context) {
    if (unread[context] < 0) return;
    Job& job = jobs[unread[context]];
    dut.read_i = 1 << context;
    for (int y = 0; y < 2; ++y) {
      dut.read_y_i = y;
      const size_t digits = kDigits - !dut.long_i;
      for (int i = 0; job.numbers[y].size() < digits; ++i) {
        if (i == kLongest) fail("a digit is missing");
        dut.eval();
        if (dut.result_valid_o && dut.result_y_o == y && dut.result_index_o == job.numbers[y].size())
          job.numbers[y].push_back(dut.result_digit_o);
        cycle();
      }
    }
    dut.read_i = 0;
    unread[context] = -1;
  }

  void begin(bool curve) {
    Job one;
    while (!(dut.idle_o >> one.context & 1)) ++one.context;
    read(one.context);
    one.curve = curve;
    load(false, one.context);
    dut.start_i = 1 << one.context;
    dut.curve_i = curve;
    one.begin = now;
    running[one.context] = static_cast<int>(jobs.size());
    jobs.push_back(one);
    cycle();
  }

  void job() {
    for (int i = 0; dut.idle_o == 0; ++i) {
      if (i == kLongest) fail("no end");
      cycle();
    }
    cycle();  // the end is noted
    begin(false);
  }

  void shared() {
    wait();
    load(true, 0);
  }

  void curve() {
    wait();
    int is_long, is_named, bits;
    std::cin >> is_long >> is_named >> bits;
    dut.long_i = is_long;
    dut.named_i = is_named;
    dut.bits_i = bits - 1;
    for (int i = 0; i < 10; ++i) cycle();  // the present slot ends
    load(true, 0);
    begin(true);
    wait();
  }
};

}  // namespace

int main() {
  Bench bench;
  for (std::string command; std::cin >> command;) {
    if (command == "curve") bench.curve();
    else if (command == "job") bench.job();
    else if (command == "shared") bench.shared();
    else bench.fail("a command");
  }
  bench.wait();
  for (const Job& job : bench.jobs) {
    std::printf("%d %u %llu %llu", job.context, job.reason, static_cast<unsigned long long>(job.end - job.begin),
                static_cast<unsigned long long>(job.end));
    for (const std::vector<uint64_t>& number : job.numbers)
      for (int j = 0; j < kDigits; ++j)
        std::printf(" %llu", static_cast<unsigned long long>(j < int(number.size()) ? number[j] : 0));
    std::printf("\n");
  }
  std::printf("%llu %llu\n", static_cast<unsigned long long>(bench.now),
              static_cast<unsigned long long>(bench.products));
  return 0;
}
