// SPDX-License-Identifier: Apache-2.0
//
// Runs a file of packets (stream.h) through the verilated pm_edverify with one context and prints what
// happened inside, one JSON object a line:
//   {"tag","valid","rule","reason","cycles","end","at":{address: cycle},"units":{unit: [cycles, ...]}}
//     for each job; cycles of `at` (first issue of a word) count from the header beat, `end` is the
//     absolute cycle of the result, `units` the times from start to result of the side units
//   {"cycles","products"} at the end
// Usage: probe PACKETS

#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "Vpm_edverify.h"
#include "Vpm_edverify___024root.h"
#include "stream.h"
#include "verilated.h"

namespace {

struct Unit {
  const char *name;
  const CData *start;
  const CData *done;
  int64_t since = -1;
};

// One job, as seen from inside.
struct Job {
  uint64_t header = 0;
  std::map<unsigned, uint64_t> at;
  std::map<std::string, std::vector<uint64_t>> units;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  bench::Stream stream(argv[1]);
  const size_t jobs = stream.packets();

  VerilatedContext context;
  const auto top = std::make_unique<Vpm_edverify>(&context);
  auto *root = top->rootp;
#define ENGINE(signal) \
  &root->pm_edverify__DOT__g_paper__DOT__u_core__DOT__u_engine__DOT__u_control__DOT__##signal
  const CData *issued = ENGINE(u_sequencer__DOT__valid_o);
  const CData *address = ENGINE(u_sequencer__DOT__rom_addr_o);
  Unit units[] = {
      {"modl", ENGINE(start_modl), ENGINE(modl_valid)},
      {"naf_g", ENGINE(start_naf_g), ENGINE(g_done)},
      {"naf_a", ENGINE(start_naf_a), ENGINE(a_done)},
  };
#undef ENGINE

  bench::reset(*top);

  std::deque<Job> open;  // the last one is under way, the one before may still be answered
  uint64_t cycle = 0, products = 0, answer = 0;
  size_t answered = 0;
  unsigned fetched = 0;
  const uint64_t limit = 20000ull * jobs + 20 * stream.beats() + 1000;

  while (answered < jobs && cycle < limit) {
    stream.offer(*top, cycle);
    top->clk_i = 0;
    top->eval();

    const bool accepted = top->s_axis_tvalid && top->s_axis_tready;
    if (root->pm_edverify__DOT__u_rx__DOT__job_start_o) {
      open.emplace_back().header = cycle;
      for (Unit &unit : units) unit.since = -1;
    }
    if (*issued) open.back().at.emplace(fetched, cycle - open.back().header);
    products += root->pm_edverify__DOT__mul_issue;
    fetched = *address;
    for (Unit &unit : units) {
      if (unit.since >= 0 && *unit.done && static_cast<uint64_t>(unit.since) < cycle) {
        open.back().units[unit.name].push_back(cycle - static_cast<uint64_t>(unit.since));
        unit.since = -1;
      }
      if (*unit.start) unit.since = static_cast<int64_t>(cycle);
    }
    if (top->m_axis_tvalid && !top->m_axis_tlast) answer = top->m_axis_tdata;
    if (top->m_axis_tvalid && top->m_axis_tlast) {
      printf("{\"tag\":%u,\"valid\":%u,\"rule\":%u,\"reason\":%u,\"cycles\":%u,\"end\":%llu,\"at\":{",
             static_cast<unsigned>(answer >> 32), static_cast<unsigned>(answer >> 16 & 1),
             static_cast<unsigned>(answer >> 8 & 255), static_cast<unsigned>(answer & 255),
             static_cast<unsigned>(top->m_axis_tdata), static_cast<unsigned long long>(cycle));
      const char *comma = "";
      for (const auto &[word, when] : open.front().at) {
        printf("%s\"%u\":%llu", comma, word, static_cast<unsigned long long>(when));
        comma = ",";
      }
      printf("},\"units\":{");
      comma = "";
      for (const auto &[name, times] : open.front().units) {
        printf("%s\"%s\":[", comma, name.c_str());
        comma = ",";
        for (size_t i = 0; i < times.size(); i++) {
          printf("%s%llu", i ? "," : "", static_cast<unsigned long long>(times[i]));
        }
        printf("]");
      }
      open.pop_front();
      printf("}}\n");
      answered++;
    }
    top->clk_i = 1;
    top->eval();
    cycle++;
    if (accepted) stream.advance();
  }
  printf("{\"cycles\":%llu,\"products\":%llu}\n", static_cast<unsigned long long>(cycle),
         static_cast<unsigned long long>(products));
  top->final();
  return answered == jobs ? 0 : 1;
}
