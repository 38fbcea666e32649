// SPDX-License-Identifier: Apache-2.0
//
// Runs the packets of a file through the verilated pm_multicurve, each alone in the core, and prints what
// happened inside, one JSON object a line for each:
//   {"reason","cycles","payload":[beats],"issued":{address: times},"spent":{address: [cycles, busy]},
//    "products":{cycles: how many},"inversions":[cycles, ...]}
// A cycle belongs to the word that was issued last; `busy` counts the multipliers that work in it, 0 to 2 a
// cycle. `products` are those of both multipliers from start to result, `inversions` the times from start to
// result of the inverter.
// File: number of packets (uint64), then their beats (8 data bytes, keep, last each).
// Usage: curve_probe PACKETS

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "Vpm_multicurve.h"
#include "Vpm_multicurve___024root.h"
#include "verilated.h"

namespace {

constexpr size_t kBeatBytes = 10;
constexpr uint64_t kLimit = 4'000'000;  // more cycles than any job takes

using Counts = std::map<unsigned long long, unsigned long long>;

void print(const char *name, const Counts &counts) {
  printf(",\"%s\":{", name);
  const char *comma = "";
  for (const auto &[key, count] : counts) {
    printf("%s\"%llu\":%llu", comma, key, count);
    comma = ",";
  }
  printf("}");
}

template <typename Numbers>
void print(const char *name, const Numbers &numbers, size_t from) {
  printf(",\"%s\":[", name);
  for (size_t i = from; i < numbers.size(); i++) {
    printf("%s%llu", i == from ? "" : ",", static_cast<unsigned long long>(numbers[i]));
  }
  printf("]");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  uint64_t packets = 0;
  std::vector<uint8_t> beats;
  FILE *file = fopen(argv[1], "rb");
  if (!file || fread(&packets, sizeof packets, 1, file) != 1) return 2;
  uint8_t buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));) {
    beats.insert(beats.end(), buffer, buffer + n);
  }
  fclose(file);

  VerilatedContext context;
  const auto top = std::make_unique<Vpm_multicurve>(&context);
  auto *root = top->rootp;
#define ENGINE(signal) root->pm_multicurve__DOT__g_engines__DOT__g_engine__BRA__0__KET____DOT__u_engine__DOT__##signal
  top->rst_ni = 0;
  top->m_axis_tready = 1;
  for (int i = 0; i < 8; i++) {
    top->clk_i = i & 1;
    top->eval();
  }
  top->rst_ni = 1;

  size_t position = 0;
  for (uint64_t packet = 0; packet < packets; packet++) {
    Counts issued, products;
    std::map<unsigned, std::array<uint64_t, 2>> spent;
    std::vector<uint64_t> answer, inversions;
    uint64_t inverting = 0, since[2] = {0, 0};
    bool flying[2] = {false, false};
    unsigned fetched = 0, word = 0;
    bool running = false, offered = true, last = false;
    for (uint64_t cycle = 1; !last; cycle++) {
      if (cycle > kLimit) return 1;
      top->s_axis_tvalid = offered;
      if (offered) {
        const uint8_t *beat = &beats.at(position * kBeatBytes);
        memcpy(&top->s_axis_tdata, beat, 8);
        top->s_axis_tkeep = beat[8];
        top->s_axis_tlast = beat[9];
      }
      top->clk_i = 0;
      top->eval();
      const bool taken = offered && top->s_axis_tready;
      if (ENGINE(u_sequencer__DOT__issue_o)) {
        running = true;
        word = fetched;
        issued[word]++;
      }
      fetched = ENGINE(u_sequencer__DOT__rom_addr_o);
      const unsigned start = ENGINE(u_datapath__DOT__mul_issue_o);
      const unsigned done = ENGINE(u_datapath__DOT__mul_done_o);
      for (int unit = 0; unit < 2; unit++) {
        const bool starts = start >> unit & 1, ready = done >> unit & 1;
        if (flying[unit] && ready) {
          products[cycle - since[unit]]++;
          flying[unit] = false;
        }
        if (starts) {
          since[unit] = cycle;
          flying[unit] = true;
        }
        if (running) spent[word][1] += flying[unit];
      }
      if (running) spent[word][0]++;
      if (inverting && ENGINE(u_inverter__DOT__valid)) {
        inversions.push_back(cycle - inverting);
        inverting = 0;
      }
      if (ENGINE(u_inverter__DOT__start_inverse) || ENGINE(u_inverter__DOT__start_power)) inverting = cycle;
      if (top->m_axis_tvalid) {
        answer.push_back(top->m_axis_tdata);
        last = top->m_axis_tlast;
      }
      top->clk_i = 1;
      top->eval();
      if (taken) {
        offered = !beats[position * kBeatBytes + 9];
        position++;
      }
    }
    printf("{\"reason\":%u,\"cycles\":%u", static_cast<unsigned>(answer.at(0) & 255),
           static_cast<unsigned>(answer.at(1)));
    print("payload", answer, 2);
    print("inversions", inversions, 0);
    print("issued", issued);
    print("products", products);
    printf(",\"spent\":{");
    const char *comma = "";
    for (const auto &[address, counts] : spent) {
      printf("%s\"%u\":[%llu,%llu]", comma, address, static_cast<unsigned long long>(counts[0]),
             static_cast<unsigned long long>(counts[1]));
      comma = ",";
    }
    printf("}}\n");
  }
  top->final();
  return 0;
}
