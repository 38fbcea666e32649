// SPDX-License-Identifier: Apache-2.0
//
// Runs a file of packets (stream.h) through the verilated pm_edverify and says what the multiplier did
// in every cycle. On standard output, JSON objects, one a line:
//   {"tag","reason","cycles","latency","end"}  for each result: `cycles` as reported, `latency` from the
//     arrival of the packet, `end` the absolute cycle
//   {"cycles","products","words":[[...],[...]],"scalar":[[...],[...]],"free","idle":{...}}  at the end, of
//     the cycles after result FIRST, up to result LAST (counted from 1):
//     `words`: cycles in which the word of an address reached the multiplier, of jobs whose digest was
//       not handed over yet, and of those whose was; `scalar`: those of them in which the scalar unit
//       started a product; `free`: cycles without a word in which it did; `idle`: cycles without either,
//       by cause; `products`: starts as the datapath counts them
// A run in which nothing happens for long ends with exit code 1.
// Build with -DPM_BLOCK=<generate block of the engine>, -DPM_STAGES=<cycles from a word to its product>,
// -DPM_FETCH, -DPM_HOLD=<cycles from an address, from a hold to the issue>, and -DPM_BARREL where the
// engine is one of a cluster (of one).
// Usage: flow PACKETS FIRST LAST

#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "Vpm_edverify.h"
#include "Vpm_edverify___024root.h"
#include "stream.h"
#include "verilated.h"

#define PM_JOIN(block, signal) pm_edverify__DOT__##block##__DOT__u_core__DOT__##signal
#define PM_PATH(block, signal) PM_JOIN(block, signal)
#define SIGNAL(signal) root->PM_PATH(PM_BLOCK, signal)
#define ENGINE(signal) SIGNAL(u_engine__DOT__##signal)
#ifdef PM_BARREL
#define SEQUENCER(signal) ENGINE(u_issue__DOT__g_issue__DOT__u_sequencer__DOT__##signal)
#else
#define SEQUENCER(signal) ENGINE(u_control__DOT__u_sequencer__DOT__##signal)
#endif

namespace {

constexpr unsigned kWords = 1024;
// Cycles from the address of a word, and from hold_i, to the issue they concern.
constexpr unsigned kFetch = PM_FETCH, kHold = PM_HOLD;
constexpr uint64_t kPatience = 100'000;  // cycles without a beat or an answer: the core is stuck

enum Cause { kHeld, kNoneDue, kNoJob, kCauses };

// What the sequencer did in a cycle: a word, or why not.
struct Slot {
  bool word = false;
  bool received = false;  // the digest of the word's job was handed over
  unsigned address = 0;
  Cause cause = kNoJob;
};

struct Counts {
  using Words = std::array<std::array<uint64_t, kWords>, 2>;  // before and after the digest, by address
  uint64_t cycles = 0, products = 0, free = 0;
  Words words{}, scalar{};
  std::array<uint64_t, kCauses> idle{};

  void count(const Slot &slot, bool product, bool of_word) {
    cycles++;
    products += product;
    const bool shared = product && !of_word;
    if (slot.word) {
      words[slot.received][slot.address]++;
      scalar[slot.received][slot.address] += shared;
    } else if (shared) {
      free++;
    } else {
      idle[slot.cause]++;
    }
  }
};

void print(const char *name, const Counts::Words &counts) {
  printf("\"%s\":[", name);
  for (size_t half = 0; half < counts.size(); half++) {
    for (size_t i = 0; i < kWords; i++) {
      printf("%s%" PRIu64, i ? "," : half ? "],[" : "[", counts[half][i]);
    }
  }
  printf("]],");
}

}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  bench::Stream stream(argv[1]);
  const size_t jobs = stream.packets();
  const size_t first = strtoul(argv[2], nullptr, 10), last = strtoul(argv[3], nullptr, 10);

  VerilatedContext context;
  const auto top = std::make_unique<Vpm_edverify>(&context);
  auto *root = top->rootp;
  bench::reset(*top);

  const auto all_idle = SEQUENCER(idle_o);  // after reset
  std::array<Slot, PM_STAGES + 1> slots{};
  Counts counts;
  uint64_t cycle = 0, answer = 0, progress = 0;
  size_t answered = 0;
  std::array<unsigned, kFetch> fetched{};
  std::array<bool, kHold> held{};
  unsigned received = 0;

  while (answered < jobs) {
    stream.offer(*top, cycle);
    top->clk_i = 0;
    top->eval();
    const bool accepted = top->s_axis_tvalid && top->s_axis_tready;
    if (accepted) progress = cycle;

    Slot slot;
    slot.word = SEQUENCER(valid_o);
    slot.address = fetched[cycle % kFetch];
    if (!slot.word) {
      if (SEQUENCER(idle_o) == all_idle) slot.cause = kNoJob;
      else slot.cause = held[cycle % kHold] ? kHeld : kNoneDue;
    }
    fetched[cycle % kFetch] = SEQUENCER(rom_addr_o);
    held[cycle % kHold] = SEQUENCER(hold_i);
#ifdef PM_BARREL
    slot.received = received >> SEQUENCER(ctx_o) & 1;
    received &= ~SIGNAL(start);
    if (SIGNAL(half_now) && SIGNAL(half_ready)) received |= 1u << SIGNAL(job_ctx);
#endif
    for (size_t i = PM_STAGES; i >= 1; i--) slots[i] = slots[i - 1];
    slots[0] = slot;
    if (answered >= first && answered < last) {
      counts.count(slots[PM_STAGES], ENGINE(u_datapath__DOT__mul_issue_o),
                   !ENGINE(u_datapath__DOT__share_ready_o));
    }

    if (top->m_axis_tvalid && !top->m_axis_tlast) answer = top->m_axis_tdata;
    if (top->m_axis_tvalid && top->m_axis_tlast) {
      const auto tag = static_cast<uint32_t>(answer >> 32);
      printf("{\"tag\":%u,\"reason\":%u,\"cycles\":%u,\"latency\":%" PRIu64 ",\"end\":%" PRIu64 "}\n", tag,
             static_cast<unsigned>(answer & 255), static_cast<unsigned>(top->m_axis_tdata),
             cycle - stream.arrival(tag), cycle);
      answered++;
      progress = cycle;
    }
    top->clk_i = 1;
    top->eval();
    cycle++;
    if (accepted) stream.advance();
    if (stream.pauses(cycle)) progress = cycle;
    if (cycle - progress > kPatience) return 1;
  }
  printf("{\"cycles\":%" PRIu64 ",\"products\":%" PRIu64 ",", counts.cycles, counts.products);
  print("words", counts.words);
  print("scalar", counts.scalar);
  printf("\"free\":%" PRIu64 ",\"idle\":{\"held\":%" PRIu64 ",\"none_due\":%" PRIu64 ",\"no_job\":%" PRIu64
         "}}\n",
         counts.free, counts.idle[kHeld], counts.idle[kNoneDue], counts.idle[kNoJob]);
  top->final();
  return 0;
}
