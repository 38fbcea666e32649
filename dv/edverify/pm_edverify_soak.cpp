// SPDX-License-Identifier: Apache-2.0
//
// Soak of the verilated pm_edverify: jobs drawn from a pool with known answers, at random pace, with
// soft and hard resets at random cycles. Every result is compared, and every job must have one:
//
// - A result has the tag of a job that is outstanding, the rule of its header, and the pool's reason.
// - `aborted` is right only for a job whose header was taken before the end of a soft reset's write and
//   that had no result then, soon after it; no reset aborts more jobs than the core can hold.
// - With one context results come in the order of the jobs; with several no job waits for ever.
// - A hard reset forgets what was not completed; these jobs are offered again.
// - When all jobs are complete the core is idle, says nothing more, and has counted the same.

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "pm_edverify_api.h"
#include "pm_tb_big.h"

namespace {

constexpr uint8_t kCtrl = 0x0c, kStatus = 0x10, kJobs = 0x20, kValid = 0x24, kErrors = 0x28;
constexpr uint8_t kOk = 0, kMalformed = 1, kAborted = 8;
constexpr size_t kBeat = 10, kReasons = 256;
constexpr size_t kWaiting = 8;         // packets on offer, so that the stream never runs dry by itself
constexpr uint64_t kSlice = 64;        // cycles after which taken packets are replaced
constexpr uint64_t kQuiet = 2000000;   // cycles without any answer after which the core is dead
constexpr uint64_t kAfterReset = 50;   // answers after a soft reset, besides those of the aborted jobs
constexpr uint64_t kCalm = 2000;       // cycles that the idle core is watched at the end

struct Packet {
  std::vector<uint8_t> beats;
  uint8_t rule, reason;
};

struct Job {
  uint64_t number;  // in the order of first offers
  const Packet* packet;
};

struct Write {
  uint8_t address;
  uint32_t value;
};

struct Offer {
  uint64_t first_beat, last_beat;  // counted as pm_core_accepted() does
  uint32_t tag;
};

}  // namespace

// As dv/edverify/test_soak.py has it.
struct Report {
  uint64_t reasons[kReasons];  // answers, by reason
  uint64_t soft_resets, hard_resets, most_aborted, cycles, offered;
  char failure[256];  // empty while all is right
};

struct Soak {
  Core* core;
  pm_tb::Random random;
  unsigned contexts, most_aborted;
  uint64_t passed;                    // a job is lost when one so much later is answered
  uint64_t soft_cycles, hard_cycles;  // at most, between two resets
  std::vector<Write> writes;          // to registers after a hard reset
  std::vector<Packet> pool;
  std::map<uint64_t, uint32_t> order;             // outstanding jobs: number to tag
  std::unordered_map<uint32_t, Job> outstanding;  // by tag
  std::unordered_map<uint32_t, bool> in_reset;    // may be answered `aborted`
  std::deque<Offer> offers;                       // pushed, not wholly taken
  uint64_t numbers = 0, pushed = 0, last_answer = 0, answers = 0, reset_at_answer = 0;
  uint64_t next_pace = 0, next_soft = 0, next_hard = 0, aborted_since = 0;
  uint32_t jobs = 0, valid = 0, errors = 0;  // as the core counts since its last hard reset
  unsigned allowed = 0;
  Report report{};

  Soak(Core* the_core, uint64_t seed, unsigned the_contexts, unsigned most, uint64_t most_passed,
       uint64_t soft, uint64_t hard)
      : core(the_core),
        random(seed),
        contexts(the_contexts),
        most_aborted(most),
        passed(most_passed),
        soft_cycles(soft),
        hard_cycles(hard) {
    last_answer = pm_core_cycle(core);
    pushed = pm_core_accepted(core);
    plan(next_pace, 1);
    plan(next_soft, soft_cycles);
    plan(next_hard, hard_cycles);
  }

  uint64_t below(uint64_t bound) { return random.next() % bound; }
  void plan(uint64_t& event, uint64_t range) { event = pm_core_cycle(core) + 1 + below(range); }
  bool failed() const { return report.failure[0] != '\0'; }

  void fail(const char* format, ...) __attribute__((format(printf, 2, 3))) {
    if (failed()) return;
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(report.failure, sizeof report.failure, format, arguments);
    va_end(arguments);
  }

  void offer(uint32_t tag, const Packet& packet) {
    std::vector<uint8_t> beats = packet.beats;
    std::memcpy(&beats[4], &tag, sizeof tag);  // header {tag, ...}, little-endian
    const uint64_t count = beats.size() / kBeat;
    offers.push_back({pushed, pushed + count - 1, tag});
    pushed += count;
    pm_core_push(core, beats.data(), count);
  }

  void offer_new() {
    const uint64_t number = numbers++;
    const uint32_t tag = static_cast<uint32_t>(number * 0x9e3779b1u);  // each once in 2^32
    const Packet& packet = pool[below(pool.size())];
    outstanding[tag] = {number, &packet};
    order[number] = tag;
    offer(tag, packet);
    ++report.offered;
  }

  void check(const Result& result) {
    last_answer = pm_core_cycle(core);
    if (++answers > reset_at_answer + most_aborted + kAfterReset) in_reset.clear();
    const auto found = outstanding.find(result.tag);
    if (found == outstanding.end()) {
      return fail("answer with tag %08x, which no outstanding job has", result.tag);
    }
    const Job job = found->second;
    const Packet& packet = *job.packet;
    const bool aborted = result.reason == kAborted;
    for (const Offer& waiting : offers) {
      const uint64_t needed = aborted ? waiting.first_beat : waiting.last_beat;
      if (waiting.tag == result.tag && needed >= pm_core_accepted(core)) {
        return fail("job %llu answered before it was taken", (unsigned long long)job.number);
      }
    }
    if (result.valid != (result.reason == kOk)) {
      return fail("job %llu: valid %d, reason %d", (unsigned long long)job.number, result.valid,
                  result.reason);
    }
    ++report.reasons[result.reason];
    ++jobs;
    valid += result.valid;
    errors += result.reason == kMalformed || aborted;
    if (result.rule != packet.rule || (!aborted && result.reason != packet.reason)) {
      fail("job %llu, pool %d: rule %d, reason %d, not %d, %d", (unsigned long long)job.number,
           int(&packet - pool.data()), result.rule, result.reason, packet.rule, packet.reason);
    }
    if (aborted) {
      if (!in_reset.count(result.tag)) {
        fail("job %llu aborted without a soft reset", (unsigned long long)job.number);
      }
      if (++aborted_since > allowed) fail("more than %u jobs aborted by a soft reset", allowed);
      if (aborted_since > report.most_aborted) report.most_aborted = aborted_since;
    }
    if (contexts == 1 && order.begin()->first != job.number) {
      fail("job %llu answered before job %llu", (unsigned long long)job.number,
           (unsigned long long)order.begin()->first);
    }
    if (job.number > order.begin()->first + passed) {
      fail("job %llu is lost", (unsigned long long)order.begin()->first);
    }
    outstanding.erase(found);
    in_reset.erase(result.tag);
    order.erase(job.number);
  }

  // Runs for up to `cycles` cycles or to the next answers, and compares these.
  void run(uint64_t cycles) {
    report.cycles += pm_core_run(core, cycles, 1);
    collect();
    if (!outstanding.empty() && pm_core_cycle(core) - last_answer > kQuiet) {
      fail("%zu jobs outstanding, and no answer for long", outstanding.size());
    }
  }

  void collect() {
    Result results[64];
    while (const size_t count = pm_core_take(core, results, 64)) {
      for (size_t i = 0; i < count; ++i) check(results[i]);
    }
    while (!offers.empty() && offers.front().last_beat < pm_core_accepted(core)) {
      offers.pop_front();
    }
  }

  // Mostly brisk; now and then nothing is offered, or no result is taken, for a long time.
  void change_pace() {
    static constexpr unsigned kPaces[][3] = {  // idle, stall, cycles at most
        {0, 0, 60000},  {0, 0, 60000},   {30, 0, 40000},  {0, 60, 40000}, {50, 50, 40000},
        {90, 0, 30000}, {0, 98, 30000},  {98, 95, 20000}, {99, 0, 20000}, {100, 0, 20000},
        {0, 100, 40000}, {100, 100, 9000}};
    const unsigned* pace = kPaces[below(sizeof kPaces / sizeof kPaces[0])];
    pm_core_pace(core, random.next(), pace[0], pace[1]);
    plan(next_pace, pace[2]);
  }

  void soft_reset() {
    collect();
    aborted_since = 0;
    allowed = 0;
    const unsigned times = below(4) == 0 ? 2 : 1;
    for (unsigned i = 0; i < times; ++i) {
      if (i != 0 && below(2) == 0) run(1 + below(40));
      if (pm_core_write(core, kCtrl, 1) != 0) fail("CTRL cannot be written");
      allowed += most_aborted;
      const uint64_t taken = pm_core_accepted(core);
      for (const auto& entry : outstanding) in_reset[entry.first] = true;
      for (const Offer& waiting : offers) {
        if (waiting.first_beat >= taken) in_reset.erase(waiting.tag);
      }
      reset_at_answer = answers;
      ++report.soft_resets;
    }
    collect();
    plan(next_soft, soft_cycles);
  }

  void hard_reset() {
    collect();
    pm_core_reset(core, 1 + below(4));
    for (const Write& w : writes) write(w);
    ++report.hard_resets;
    offers.clear();
    in_reset.clear();
    jobs = valid = errors = 0;
    aborted_since = 0;
    pushed = pm_core_accepted(core);
    for (const auto& entry : order) offer(entry.second, *outstanding[entry.second].packet);
    plan(next_hard, hard_cycles);
  }

  uint64_t verdicts() const {
    return answers - report.reasons[kAborted];
  }

  // Goes on until there are so many verdicts more; `aborted` is none.
  void verify(uint64_t more) {
    const uint64_t goal = verdicts() + more;
    while (!failed() && verdicts() < goal) {
      const uint64_t now = pm_core_cycle(core);
      if (now >= next_pace) change_pace();
      if (now >= next_soft) soft_reset();
      if (now >= next_hard) hard_reset();
      while (offers.size() < kWaiting) offer_new();
      run(1 + below(kSlice));
    }
  }

  void write(const Write& w) {
    if (pm_core_write(core, w.address, w.value) != 0) fail("register %02x cannot be written", w.address);
  }

  uint32_t reg(uint8_t address) {
    uint32_t value = 0;
    if (pm_core_read(core, address, &value) != 0) fail("register %02x cannot be read", address);
    return value;
  }

  void expect(const char* what, uint64_t is, uint64_t wanted) {
    if (is != wanted) {
      fail("%s is %llu, not %llu", what, (unsigned long long)is, (unsigned long long)wanted);
    }
  }

  void drain() {
    pm_core_pace(core, random.next(), 0, 0);
    while (!failed() && !outstanding.empty()) run(kQuiet);
    if (failed()) return;
    const uint64_t before = answers;
    for (uint64_t i = 0; i < kCalm; i += 100) run(100);
    expect("number of answers of the idle core", answers - before, 0);
    expect("STATUS", reg(kStatus), 0);
    expect("JOBS", reg(kJobs), jobs);
    expect("VALID", reg(kValid), valid);
    expect("ERRORS", reg(kErrors), errors);
    expect("number of answers", answers, report.offered);
  }
};

extern "C" {

// A soak of an idle core with `contexts` contexts; a soft reset aborts at most `most_aborted` jobs, and at
// most `passed` later ones are answered before a job. Resets of both kinds come after up to so many cycles each.
Soak* pm_soak_new(Core* core, uint64_t seed, unsigned contexts, unsigned most_aborted,
                  uint64_t passed, uint64_t soft_cycles, uint64_t hard_cycles) {
  return new Soak(core, seed, contexts, most_aborted, passed, soft_cycles, hard_cycles);
}
void pm_soak_delete(Soak* soak) { delete soak; }

// Puts a packet into the pool, beats as pm_core_push() wants them, with its answer. Not after a run.
void pm_soak_add(Soak* soak, const uint8_t* beats, size_t count, uint8_t rule, uint8_t reason) {
  soak->pool.push_back({std::vector<uint8_t>(beats, beats + kBeat * count), rule, reason});
}

// Writes a register now and after every hard reset. Not after a run.
void pm_soak_write(Soak* soak, uint8_t address, uint32_t value) {
  soak->writes.push_back({address, value});
  soak->write(soak->writes.back());
}

// So many verdicts more.
void pm_soak_verify(Soak* soak, uint64_t verdicts) { soak->verify(verdicts); }

// Waits for the answers that are missing, and looks at the idle core.
void pm_soak_drain(Soak* soak) { soak->drain(); }

void pm_soak_report(const Soak* soak, Report* report) { *report = soak->report; }
}
