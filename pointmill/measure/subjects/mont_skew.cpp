// SPDX-License-Identifier: Apache-2.0
//
// Chains of squares on a verilated pm_mont_skew: each begins when its last result is there and the unit is ready, the
// chain that waits longest first. Compiled with PM_DIGIT and PM_COLUMNS.
// Arguments: digits wide rounds, in hex the scaled modulus, and a first operand for each chain.
// Prints the cycle of the last result of half of the rounds and that of all, and the last result of each chain in hex.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "Vpm_mont_skew.h"

namespace {

constexpr int kDigit = PM_DIGIT, kColumns = PM_COLUMNS, kDigits = 2 * kColumns + 1;
constexpr int kLongest = 100000;  // cycles

using Digits = std::vector<uint64_t>;

Digits Parse(const std::string& hex) {
  Digits digits(kDigits);
  for (size_t i = 0; i < 4 * hex.size(); ++i) {
    const uint64_t value = std::stoul(hex.substr(hex.size() - 1 - i / 4, 1), nullptr, 16);
    if (value >> (i % 4) & 1) digits[i / kDigit] |= uint64_t{1} << (i % kDigit);
  }
  return digits;
}

void Print(const Digits& digits) {
  std::string hex;
  for (int i = 0; i < kDigit * kDigits; i += 4) {
    int value = 0;
    for (int at = i + 3; at >= i; --at) {
      value = 2 * value + (at < kDigit * kDigits && (digits[at / kDigit] >> (at % kDigit) & 1));
    }
    hex.insert(hex.begin(), "0123456789abcdef"[value]);
  }
  std::printf("%s\n", hex.c_str());
}

template <typename Port>
void Put(Port& port, int digit, uint64_t value) {
  for (int i = 0; i < kDigit; ++i) {
    const int at = digit * kDigit + i;
    const EData mask = EData{1} << (at % 32);
    port[at / 32] = value >> i & 1 ? port[at / 32] | mask : port[at / 32] & ~mask;
  }
}

template <typename Port>
uint64_t Get(const Port& port, int digit) {
  uint64_t value = 0;
  for (int i = kDigit - 1; i >= 0; --i) {
    const int at = digit * kDigit + i;
    value = 2 * value + (port[at / 32] >> (at % 32) & 1);
  }
  return value;
}

// The result of one product is the operand of the next in its chain, which reads each digit after it was written.
struct Product {
  int chain, begin, end;
  std::shared_ptr<Digits> operand, result = std::make_shared<Digits>(kDigits);
};

// The digit of a number at a port, so many cycles after its digit 0; -1: none.
int DigitAt(int port, int cycle, bool wide) {
  if (cycle == port) return port;
  return wide && port > 0 && cycle == port + kColumns ? port + kColumns : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return 2;
  Vpm_mont_skew dut;
  const auto tick = [&dut] {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
  };
  dut.clk_i = dut.rst_ni = dut.valid_i = 0;
  dut.eval();
  tick();
  dut.rst_ni = 1;
  dut.digits_i = std::atoi(argv[1]);
  const bool wide = dut.wide_i = std::atoi(argv[2]) != 0;
  const int rounds = std::atoi(argv[3]), chains = argc - 5;
  const Digits modulus = Parse(argv[4]);
  for (int i = 0; i < kDigits; ++i) Put(dut.p_i, i, modulus[i]);

  std::deque<Product> waiting, under_way;
  std::vector<std::shared_ptr<Digits>> last(chains);
  std::vector<int> ended(chains);
  const int rounds_of_half = rounds / 2;
  int half = 0, all = 0, left = chains * rounds;
  for (int i = 0; i < chains; ++i) waiting.push_back({i, 0, -1, std::make_shared<Digits>(Parse(argv[5 + i]))});
  for (int now = 0; left > 0; ++now) {
    if (now > kLongest) return 4;
    dut.valid_i = !waiting.empty();
    dut.eval();
    if (dut.valid_i && dut.ready_o) {
      under_way.push_back(waiting.front());
      under_way.back().begin = now;
      waiting.pop_front();
    }
    if (dut.valid_o) {
      Product& one = *std::find_if(under_way.begin(), under_way.end(), [](const Product& p) { return p.end < 0; });
      one.end = now;
      if (++ended[one.chain] < rounds) waiting.push_back({one.chain, 0, -1, one.result});
      last[one.chain] = one.result;
      if (ended[one.chain] == rounds_of_half) half = now;
      all = now;
    }
    for (Product& one : under_way) {
      for (int port = 0; port <= kColumns; ++port) {
        if (const int i = DigitAt(port, now - one.begin, wide); i >= 0) {
          Put(dut.x_i, port, (*one.operand)[i]);
          Put(dut.y_i, port, (*one.operand)[i]);
        }
        if (one.end < 0) continue;
        if (const int i = DigitAt(port, now - one.end, wide); i >= 0) (*one.result)[i] = Get(dut.r_o, port);
      }
    }
    tick();
    while (!under_way.empty() && under_way.front().end >= 0 && now == under_way.front().end + 2 * kColumns) {
      under_way.pop_front();
      --left;
    }
  }
  std::printf("%d %d\n", half, all);
  for (const auto& digits : last) Print(*digits);
  return 0;
}
