// SPDX-License-Identifier: Apache-2.0
//
// Flips bits of the verilated PM_TOP while it works on job packets, without a change of its RTL.
//
// inject JOBS NEXT CONTROL [FLIPS PROCESSES [plain]]
//
// JOBS: beats of the packets that are sent (8 data bytes, keep, last each), NEXT: of more jobs, for the core after a
// hang. CONTROL: address of the register whose bit 0 is the soft reset. Without FLIPS it prints the first cycle and
// what the core does without a fault, with JOBS and with NEXT behind them. FLIPS has lines of a cycle and pairs of
// register (of registers.inc, from 0) and bit; for each line one line with what the core does then.
//
// This process makes the run without a fault, and forks in the cycle of each flip, so many PROCESSES at a time;
// the bits are changed behind the clock edge and the combinational logic is settled again. Two things save cycles, and
// change no line that is printed; with `plain` neither is done:
//
// - A run ends where the whole model and all results so far are as in an earlier run, or in the one without a fault, in
//   the same cycle: from there on it goes on as that one. Hashes of 64 bits tell.
// - A flip in a word of a memory moves to the cycle in which the run without a fault touches that word next, by a read
//   or a write (spied.h): until then both runs are alike but for the bit. Where nothing touches it any more, it has no
//   effect.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "spied.h"
#include "state.h"

void PM_JOIN(PM_ROOT, ___eval_settle)(PM_ROOT* root);  // all combinational logic, from the registers

namespace {

using pm_state::Beat, pm_state::Slot, pm_state::beats_of, pm_state::slots;

constexpr uint64_t kMost = 4'000'000;  // cycles of the run without a fault
constexpr uint64_t kStride = 32;  // cycles between two comparisons with other runs
constexpr unsigned kPatience = 100;  // cycles until a transfer on AXI4-Lite counts as lost
constexpr size_t kBeats = 256;  // of all results that are kept
constexpr uint64_t kLonger = 50'000;  // cycles that a job may take which is rejected early without a fault

struct Seen {
  enum End : uint32_t { kCrash, kDone, kLate, kJoined } end;
  uint32_t count, before_reset;
  uint64_t cycle;
  uint64_t data[kBeats];
  uint64_t ended[kBeats];  // 0, of the last beat of a packet the cycle
};

// What a process tells its parent. states: the hashes of its run on the way, of `count` of them; joined: the run that
// had the same state as the next one.
struct Work {
  Seen seen;
  uint32_t joined;
  uint64_t count;
  uint64_t states[kMost / kStride];

  void Note(uint64_t state) {
    if (count < kMost / kStride) states[count++] = state;
  }
};

// Zeros, which forked processes share.
template <typename T>
T* shared(size_t count = 1) {
  void* memory = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  return static_cast<T*>(memory);
}

// Which run had a state, by its hash; the first process adds, others look while it does. What is beyond three quarters
// of the table is left out.
class Known {
 public:
  void Add(uint64_t state, uint32_t run) {
    Entry& entry = Of(state);
    if (entry.state || used_ == kEntries / 4 * 3) return;
    ++used_;
    entry.run = run;
    entry.state.store(state, std::memory_order_release);
  }
  const uint32_t* Find(uint64_t state) const {
    const Entry& entry = Of(state);
    return entry.state.load(std::memory_order_acquire) ? &entry.run : nullptr;
  }

 private:
  struct Entry {
    std::atomic<uint64_t> state;  // 0: none
    uint32_t run;
  };
  static constexpr size_t kEntries = size_t(1) << 24;

  Entry& Of(uint64_t state) const {
    size_t at = state % kEntries;
    while (entries_[at].state && entries_[at].state != state) at = (at + 1) % kEntries;
    return entries_[at];
  }

  Entry* entries_ = shared<Entry>(kEntries);
  size_t used_ = 0;
};

// The cycles in which the run without a fault touches words of memories: those that are watched.
class Touches {
 public:
  explicit Touches(const void* model) : model_(static_cast<const uint8_t*>(model)), last_(sizeof(PM_ROOT), kNever) {}
  void Watch(const uint8_t* word) { last_[word - model_] = kNotYet; }

  // In the process of that run: from now on, for a clock that is read at each touch.
  void Begin(const uint64_t* cycle) {
    told_ = this;
    cycle_ = cycle;
    pm_spied::touch = [](const void* word) { told_->Touch(static_cast<const uint8_t*>(word)); };
  }

  // In another process, behind that run. False where the log was too small.
  bool Read() {
    for (size_t i = 0; i < log_->count; ++i) cycles_[log_->words[i]].push_back(log_->cycles[i]);
    return log_->count < kLog;
  }

  // The first cycle from `cycle` on in which a word is touched, or kNever: settling in it, or up to the next one.
  uint64_t Next(const uint8_t* word, uint64_t cycle) const {
    const auto found = cycles_.find(uint32_t(word - model_));
    if (found == cycles_.end()) return kNever;
    const auto touched = std::lower_bound(found->second.begin(), found->second.end(), cycle);
    return touched == found->second.end() ? kNever : *touched;
  }

  static constexpr uint32_t kNever = ~0u;

 private:
  static constexpr uint32_t kNotYet = kNever - 1;
  static constexpr size_t kLog = size_t(1) << 28;
  struct Log {
    size_t count;
    uint32_t words[kLog], cycles[kLog];
  };

  void Touch(const uint8_t* word) {
    const size_t at = word - model_;  // beyond the model where it is a constant
    const auto cycle = uint32_t(*cycle_);
    if (at >= last_.size() || last_[at] == kNever || last_[at] == cycle || log_->count == kLog) return;
    last_[at] = cycle;
    log_->words[log_->count] = uint32_t(at);
    log_->cycles[log_->count++] = cycle;
  }

  static inline Touches* told_ = nullptr;
  const uint8_t* model_;
  const uint64_t* cycle_ = nullptr;
  std::vector<uint32_t> last_;  // by the byte where a word begins: the cycle of its last touch; kNever: not watched
  Log* log_ = shared<Log>();
  std::unordered_map<uint32_t, std::vector<uint32_t>> cycles_;
};

uint8_t* word_of(const Slot& slot, uint64_t bit) { return slot.data + bit / slot.bits * slot.bytes; }

// The halves of a product, one over the other.
uint64_t mixed(uint64_t value, size_t key) {
  constexpr uint64_t kKeys[] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93};
  __extension__ using Product = unsigned __int128;
  const Product product = Product(value ^ kKeys[3 - key]) * kKeys[key];
  return uint64_t(product) ^ uint64_t(product >> 64);
}

class Bench {
 public:
  Bench(std::vector<Beat> jobs, std::vector<Beat> next, uint8_t control)
      : input_(std::move(jobs)), next_(std::move(next)), control_(control), top_(&context_) {
    context_.fatalOnError(false);  // a flip may well make an assertion of the RTL fail
    for (const Beat& beat : input_) packets_ += beat.last;
    top_.rst_ni = 0;
    for (int i = 0; i < 4; ++i) Tick();
    top_.rst_ni = 1;
  }

  PM_ROOT* root() { return top_.rootp; }
  uint64_t cycle() const { return cycle_; }

  // What the core does up to the last result, for at most `limit` cycles. Behind each cycle the logic is settled as it
  // is behind a flip, so that `touches` has what settling touches in it.
  void RunFree(Work& work, Touches& touches, uint64_t limit) {
    seen_ = &work.seen;
    touches.Begin(&cycle_);
    Settle(root());
    while (done_ < packets_ && cycle_ < limit) {
      Tick();
      Settle(root());
      if (cycle_ % kStride == 0) work.Note(Hash());
    }
    Finish(done_ == packets_ ? Seen::kDone : Seen::kLate);
    pm_spied::touch = nullptr;
  }

  // Up to a cycle.
  void RunTo(uint64_t cycle) {
    while (cycle_ < cycle) Tick();
  }

  // After a fault, up to a state that is known.
  void RunOn(Work& work, const Known* known, uint64_t limit) {
    while (done_ < packets_ && cycle_ < limit) {
      Tick();
      if (known == nullptr || cycle_ % kStride) continue;
      const uint64_t state = Hash();
      if (const uint32_t* run = known->Find(state)) {
        work.joined = *run;
        return Finish(Seen::kJoined);
      }
      work.Note(state);
    }
    if (done_ == packets_) return Finish(Seen::kDone);
    seen_->before_reset = seen_->count;
    input_.clear();
    position_ = 0;
    pm_sim::AxilWrite(top_, *this, control_, 1, 0xf, kPatience);
    for (unsigned i = 0; i < kPatience; ++i) Tick();
    RunNext(limit);
    Finish(Seen::kLate);
  }

  // The jobs for the core after a hang, and what else comes behind their results.
  void RunNext(uint64_t limit) {
    size_t results = done_;
    for (const Beat& beat : next_) results += beat.last;
    input_ = next_;
    position_ = 0;
    for (const uint64_t end = cycle_ + limit; cycle_ < end && done_ < results;) Tick();
    for (unsigned i = 0; i < kPatience; ++i) Tick();
  }

  void Flip(const Slot& slot, uint64_t bit) {
    const uint64_t in_word = bit % slot.bits;
    word_of(slot, bit)[in_word / 8] ^= uint8_t(1u << in_word % 8);
  }
  void Settle(PM_ROOT* root) { PM_JOIN(PM_ROOT, ___eval_settle)(root); }

  // A cycle: its inputs and outputs, its end, and that an answer on AXI4-Lite is taken at once.
  void Settle() {
    offered_ = position_ < input_.size();
    pm_state::offer(top_, offered_ ? &input_[position_] : nullptr);
  }
  void Edge() {
    if (top_.rst_ni && top_.m_axis_tvalid) {
      if (seen_ && seen_->count < kBeats) {
        seen_->data[seen_->count] = top_.m_axis_tdata;
        seen_->ended[seen_->count++] = top_.m_axis_tlast ? cycle_ : 0;
      }
      done_ += top_.m_axis_tlast;
    }
    position_ += top_.rst_ni && offered_ && top_.s_axis_tready;
    top_.clk_i = 1;
    top_.eval();
    ++cycle_;
    context_.gotError(false);
    context_.gotFinish(false);
  }
  bool Ready() { return true; }

  void Watch(Seen& seen) { seen_ = &seen; }

 private:
  void Tick() {
    Settle();
    Edge();
  }

  void Finish(Seen::End end) {
    if (end != Seen::kLate) seen_->before_reset = seen_->count;
    seen_->end = end;
    seen_->cycle = cycle_;
  }

  // Of the cycle, of the whole model, which is one object (--flatten), registers and memories, ports and combinational
  // values, of what was sent, and of the results with their cycles; not 0.
  uint64_t Hash() {
    static_assert(sizeof(PM_ROOT) % 8 == 0);
    const auto* words = reinterpret_cast<const uint64_t*>(root());
    constexpr size_t count = sizeof(PM_ROOT) / 8;
    uint64_t lanes[4] = {cycle_, position_, done_, seen_->count};
    for (size_t i = 0; i < count; ++i) lanes[i % 4] = mixed(lanes[i % 4] ^ words[i], i % 4);
    for (uint32_t i = 0; i < seen_->count; ++i)
      lanes[i % 4] = mixed(mixed(lanes[i % 4] ^ seen_->data[i], 0) ^ seen_->ended[i], 1);
    uint64_t all = 0;
    for (const uint64_t lane : lanes) all = mixed(all ^ lane, 2);
    return std::max<uint64_t>(all, 1);
  }

  std::vector<Beat> input_, next_;
  uint8_t control_;
  VerilatedContext context_;
  PM_CLASS top_;
  size_t packets_ = 0, done_ = 0, position_ = 0;
  bool offered_ = false;
  uint64_t cycle_ = 0;
  Seen* seen_ = nullptr;
};

std::string line_of(const Seen& seen) {
  static const char* const kEnds[] = {"crash", "done", "late"};
  std::ostringstream line;
  line << kEnds[seen.end] << ' ' << seen.cycle << ' ' << seen.before_reset << std::hex;
  for (uint32_t i = 0; i < seen.count; ++i) line << ' ' << seen.data[i] << ':' << std::dec << seen.ended[i] << std::hex;
  return line.str();
}

// A process that does `work` quietly.
template <typename Task>
pid_t forked(Task work) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) {
    std::perror("fork");
    std::exit(2);
  }
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    work();
    _exit(0);
  }
  return child;
}

struct Flips {
  uint64_t cycle;
  std::vector<std::pair<uint64_t, uint64_t>> places;  // register and bit
};

std::vector<Flips> flips_of(const char* path) {
  std::ifstream file(path);
  std::vector<Flips> found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Flips one{};
    words >> one.cycle;
    for (uint64_t slot, bit; words >> slot >> bit;) one.places.emplace_back(slot, bit);
    found.push_back(std::move(one));
  }
  return found;
}

// The runs after the flips, so many processes at a time. Run 0 is that without a fault, whose states are known; all are
// as that one until they have been started.
class Pool {
 public:
  Pool(size_t processes, size_t runs, const Seen& free_run, Known& known)
      : places_(processes), lines_(runs), as_(runs), known_(known) {
    for (Place& place : places_) place.work = shared<Work>();
    lines_[0] = line_of(free_run);
  }

  // Lines of all runs but the first, once they have ended.
  void Print() {
    while (busy_) Wait();
    for (size_t run = 1; run < as_.size(); ++run) std::printf("%s\n", lines_[as_[run]].c_str());
  }

  // `task` gets a Work, in a process of its own.
  template <typename Task>
  void Start(uint32_t run, Task task) {
    if (busy_ == places_.size()) Wait();
    Place& place = *std::find_if(places_.begin(), places_.end(), [](const Place& one) { return one.child == 0; });
    Work& work = *place.work;
    work.seen = Seen{};
    work.count = 0;
    place.run = run;
    place.child = forked([&] { task(work); });
    ++busy_;
  }

 private:
  struct Place {
    pid_t child;
    uint32_t run;
    Work* work;
  };

  void Wait() {
    const pid_t child = waitpid(-1, nullptr, 0);
    Place& place = *std::find_if(places_.begin(), places_.end(), [&](const Place& one) { return one.child == child; });
    const Work& work = *place.work;
    const bool joined = work.seen.end == Seen::kJoined;
    const uint32_t run = joined ? work.joined : place.run;
    as_[place.run] = run;
    if (!joined) lines_[run] = line_of(work.seen);
    if (work.seen.end != Seen::kCrash)
      for (size_t i = 0; i < work.count; ++i) known_.Add(work.states[i], run);
    place.child = 0;
    --busy_;
  }

  std::vector<Place> places_;
  size_t busy_ = 0;
  std::vector<std::string> lines_;
  std::vector<uint32_t> as_;  // the run whose line it has
  Known& known_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto jobs = beats_of(argv[1]), next = beats_of(argv[2]);
  const auto flips = argc > 5 ? flips_of(argv[4]) : std::vector<Flips>();
  const bool plain = argc > 6;
  Bench bench(jobs, next, uint8_t(std::stoul(argv[3], nullptr, 0)));
  const auto all = slots(bench.root());
  Touches touches(bench.root());
  for (const Flips& one : flips)
    for (const auto& [slot, bit] : one.places)
      if (all.at(slot).words > 1) touches.Watch(word_of(all[slot], bit));
  // The run without a fault, in this process's own future: a fork leaves the bench as it is.
  auto* free_run = shared<Work>();
  auto* next_run = shared<Seen>();
  const pid_t free_process = forked([&] {
    bench.RunFree(*free_run, touches, kMost);
    bench.Watch(*next_run);
    if (argc == 4) bench.RunNext(kMost);
  });
  waitpid(free_process, nullptr, 0);
  if (free_run->seen.end != Seen::kDone || !touches.Read()) return 3;
  if (argc == 4) {
    std::printf("%llu\n%s\n%s\n", (unsigned long long)bench.cycle(), line_of(free_run->seen).c_str(),
                line_of(*next_run).c_str());
    return 0;
  }
  Known known;
  for (size_t i = 0; i < free_run->count; ++i) known.Add(free_run->states[i], 0);
  std::vector<uint64_t> cycles;  // in which the flips are made
  for (const Flips& one : flips) {
    uint64_t cycle = one.places.empty() ? one.cycle : Touches::kNever;
    for (const auto& [slot, bit] : one.places)
      cycle = std::min(cycle, all[slot].words > 1 && !plain ? touches.Next(word_of(all[slot], bit), one.cycle)
                                                            : one.cycle);
    cycles.push_back(cycle);
  }
  std::vector<uint32_t> order(flips.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return cycles[a] < cycles[b]; });
  auto own = std::make_unique<Seen>();
  bench.Watch(*own);
  Pool pool(std::stoul(argv[5]), flips.size() + 1, free_run->seen, known);
  for (const uint32_t number : order) {
    if (cycles[number] == Touches::kNever) break;  // and all behind it: as without a fault
    bench.RunTo(cycles[number]);
    pool.Start(number + 1, [&](Work& work) {
      work.seen = *own;
      work.seen.end = Seen::kCrash;
      bench.Watch(work.seen);
      for (const auto& [slot, bit] : flips[number].places) bench.Flip(all[slot], bit);
      bench.Settle(bench.root());
      const uint64_t most = free_run->seen.cycle + free_run->seen.cycle / 2 + kLonger;
      bench.RunOn(work, plain ? nullptr : &known, most);
    });
  }
  pool.Print();
  return 0;
}
