// SPDX-License-Identifier: Apache-2.0
//
// C interface to the verilated pm_barrel_engine: runs a queue of jobs of all kinds in the first
// `contexts` contexts, each of which gets the next job as soon as it is free, and plays control, scalar
// unit and memory of results.

#include <deque>
#include <utility>
#include <vector>

#include "Vpm_barrel_engine.h"
#include "pm_tb_big.h"

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

Vpm_barrel_engine* dut = nullptr;
uint64_t cycle = 0;

template <typename Port>
void put(Port& port, const uint32_t* words) {
  for (int i = 0; i < 8; ++i) port[i] = words[i];
}

void rise() {
  dut->clk_i = 1;
  dut->eval();
  dut->clk_i = 0;
  ++cycle;
}

void begin() {
  dut = new Vpm_barrel_engine;
  dut->rst_ni = 0;
  dut->clk_i = 0;
  dut->start_i = dut->clear_i = dut->push_valid_i = dut->list_done_i = dut->walk_we_i = 0;
  dut->walk_zero_i = dut->share_valid_i = 0;
  dut->eval();
  rise();
  dut->rst_ni = 1;
  dut->eval();
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
    dut->start_i = dut->push_valid_i = dut->list_done_i = dut->walk_we_i = dut->walk_zero_i = 0;
    random = random * 6364136223846793005u + 1442695040888963407u;
    asking = asking || (random >> 56) < static_cast<unsigned>(share);
    dut->share_valid_i = asking;

    int starting = -1;
    for (int c = 0; c < contexts && next < count; ++c) {
      Context& context = all[static_cast<size_t>(c)];
      if (!context.ended || !context.listed || context.wipe) continue;
      const Job& job = jobs[next];
      put(dut->s_i, job.s);
      put(dut->r_i, job.r);
      put(dut->a_i, job.a);
      dut->flags_i = job.flags;
      dut->op_i = job.op;
      dut->walk_ctx_i = c;
      if (job.op != kVerify) {
        const bool both = job.op == kSign && !context.second;
        dut->walk_we_i = 1;
        dut->walk_slot_i = both;
        put(dut->walk_data_i, job.slots[both]);
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
      dut->push_ctx_i = lists.front().first;
      if (lists.front().second < job.entry_count) {
        dut->push_valid_i = 1;
        dut->push_entry_i = job.entries[lists.front().second];
        pushing = true;
      } else {
        dut->list_done_i = 1;
      }
    }
    dut->eval();

    if (dut->out_valid_o) {
      Result& result = results[all[dut->out_ctx_o].job];
      for (int i = 0; i < 8; ++i) result.words[dut->out_slot_o][i] = dut->out_data_o[i];
      ++result.outputs;
    }
    const bool finish = dut->finish_o;
    const int finished = dut->finish_ctx_o;
    const uint32_t reason = dut->reason_o, zero = dut->zero_o;
    const bool pushed = pushing && dut->push_ready_o;
    asking = asking && !dut->share_ready_o;
    rise();
    if (pushed) ++lists.front().second;
    if (dut->list_done_i) {
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
