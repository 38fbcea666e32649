// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_edverify_barrel_engine: runs a queue of jobs of all kinds in the first
// `contexts` contexts, each of which gets the next job as soon as it is free, and plays control, scalar
// unit and memory of results.

#include <deque>
#include <utility>
#include <vector>

#include "Vpm_edverify_barrel_engine.h"
#include "pm_tb_big.h"
#include "pm_tb_clock.h"

struct Job {
  uint32_t op, flags;
  uint32_t s[8], r[8], a[8];
  uint32_t slots[2][8];
  const uint32_t* entries;  // operation list of a verification
  uint32_t entry_count;
};

struct Result {
  uint32_t reason, zero, outputs, context;  // outputs: number of words written
  uint32_t words[2][8];
  uint64_t started, finished;
};

namespace {

constexpr uint32_t kVerify = 1, kSign = 4;

// Packed structs of pm_edverify_barrel_pkg: word and bit of their fields.
constexpr int kProgramA = 0, kProgramR = 8, kProgramS = 16, kProgramHead = 24;  // head: op, batch, slot, flags
constexpr int kProgramOpBit = 16;
constexpr int kSlotHead = 8;                         // of slot_word_t: valid, slot
constexpr int kShareHead = 16;                       // of share_request_t and share_status_t
constexpr uint32_t kShareFlag = 1u << 5;             // valid, ready
constexpr uint32_t kListDone = 1u << 21, kListValid = 1u << 22;  // over the entry

Vpm_edverify_barrel_engine* dut = nullptr;
uint64_t cycle = 0;

template <typename Port>
void put(Port& port, const uint32_t* words, int at = 0) {
  for (int i = 0; i < 8; ++i) port[at + i] = words[i];
}

void rise() {
  pm_tb::rise(*dut);
  ++cycle;
}

void begin() {
  dut = new Vpm_edverify_barrel_engine;
  dut->start_i = dut->clear_i = dut->list_i = dut->walk_zero_i = 0;
  dut->walk_i[kSlotHead] = dut->share_i[kShareHead] = 0;
  pm_tb::reset(*dut, 1);
  for (int i = 0; i < 64; ++i) rise();  // slots are wiped
}

struct Context {
  int job = -1;
  bool ended = true;    // it has a verdict
  bool listed = true;   // its list is complete
  bool second = false;  // the second scalar of the next job is written
  bool wipe = false;    // its scalars are to be wiped
};

}  // namespace

// Runs jobs in order; share: out of 256, how often another unit asks for the multiplier. Returns 0, or 1
// if not all jobs have ended after `limit` cycles.
extern "C" int pm_engine_run(const Job* jobs, Result* results, int count, int contexts, int share,
                             uint64_t seed, uint64_t limit) {
  if (dut == nullptr) begin();
  std::vector<Context> all(static_cast<size_t>(contexts));
  std::deque<std::pair<int, uint32_t>> lists;  // context and next entry
  uint64_t random = seed;
  int next = 0, ended = 0;
  bool asking = false;
  for (uint64_t end = cycle + limit; ended < count && cycle < end;) {
    dut->start_i = dut->list_i = dut->walk_i[kSlotHead] = dut->walk_zero_i = 0;
    random = random * 6364136223846793005u + 1442695040888963407u;
    asking = asking || (random >> 56) < static_cast<unsigned>(share);
    dut->share_i[kShareHead] = asking ? kShareFlag : 0;

    int starting = -1;
    for (int c = 0; c < contexts && next < count; ++c) {
      Context& context = all[static_cast<size_t>(c)];
      if (!context.ended || !context.listed || context.wipe) continue;
      const Job& job = jobs[next];
      put(dut->program_i, job.s, kProgramS);
      put(dut->program_i, job.r, kProgramR);
      put(dut->program_i, job.a, kProgramA);
      dut->program_i[kProgramHead] = job.op << kProgramOpBit | job.flags;
      dut->walk_ctx_i = c;
      if (job.op != kVerify) {
        const bool both = job.op == kSign && !context.second;
        dut->walk_i[kSlotHead] = 2u | both;
        put(dut->walk_i, job.slots[both]);
        if (both) {
          context.second = true;
          break;
        }
      }
      dut->start_i = 1u << c;
      starting = c;
      break;
    }
    for (int c = 0; c < contexts; ++c) {
      if (all[static_cast<size_t>(c)].wipe) dut->walk_zero_i |= 1u << c;
      all[static_cast<size_t>(c)].wipe = false;
    }
    bool pushing = false;
    if (!lists.empty()) {
      const Job& job = jobs[all[static_cast<size_t>(lists.front().first)].job];
      dut->list_ctx_i = lists.front().first;
      if (lists.front().second < job.entry_count) {
        dut->list_i = kListValid | job.entries[lists.front().second];
        pushing = true;
      } else {
        dut->list_i = kListDone;
      }
    }
    dut->eval();

    if (dut->out_o[kSlotHead] & 2u) {
      Result& result = results[all[dut->out_ctx_o].job];
      for (int i = 0; i < 8; ++i) result.words[dut->out_o[kSlotHead] & 1u][i] = dut->out_o[i];
      ++result.outputs;
    }
    const bool finish = dut->finish_o;
    const int finished = dut->finish_ctx_o;
    const uint32_t reason = dut->verdict_o >> 1, zero = dut->verdict_o & 1u;
    const bool pushed = pushing && dut->list_push_ready_o;
    asking = asking && !(dut->share_o[kShareHead] & kShareFlag);
    rise();
    if (pushed) ++lists.front().second;
    if (dut->list_i & kListDone) {
      all[static_cast<size_t>(lists.front().first)].listed = true;
      lists.pop_front();
    }
    if (starting >= 0) {
      Context& context = all[static_cast<size_t>(starting)];
      context.job = next;
      context.ended = context.second = false;
      context.listed = jobs[next].op != kVerify;
      if (!context.listed) lists.emplace_back(starting, 0);
      results[next].started = cycle - 1;
      results[next].context = static_cast<uint32_t>(starting);
      ++next;
    }
    if (finish) {
      Context& context = all[static_cast<size_t>(finished)];
      Result& result = results[context.job];
      result.reason = reason;
      result.zero = zero;
      result.finished = cycle - 1;
      context.wipe = jobs[context.job].op != kVerify;
      context.ended = true;
      ++ended;
    }
  }
  return ended < count;
}
