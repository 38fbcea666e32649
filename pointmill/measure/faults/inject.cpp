// SPDX-License-Identifier: Apache-2.0
//
// Flips bits of the verilated PM_TOP while it works on job packets, without a change of its RTL.
//
// inject JOBS NEXT CONTROL [FLIPS]
//
// JOBS: beats of the packets that are sent (8 data bytes, keep, last each), NEXT: of more jobs, for the core after a
// hang. CONTROL: address of the register whose bit 0 is the soft reset. Without FLIPS it prints the first cycle and
// what the core does without a fault, with JOBS and with NEXT behind them. FLIPS has lines of a cycle and pairs of
// register (of registers.inc, from 0) and bit; for each line one line with what the core does then.
//
// This process forks in the cycle of the flip; the bits are changed behind the clock edge and the combinational logic
// is settled again. A run ends early once the whole model is as it is without a fault.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "state.h"

void PM_JOIN(PM_ROOT, ___eval_settle)(PM_ROOT* root);  // all combinational logic, from the registers

namespace {

using pm_state::Beat, pm_state::Slot, pm_state::beats_of, pm_state::slots;

constexpr uint64_t kStride = 32;    // cycles between two comparisons with the run without a fault
constexpr unsigned kPatience = 100;  // cycles until a transfer on AXI4-Lite counts as lost
constexpr size_t kBeats = 256;      // of all results that are kept
constexpr uint64_t kLonger = 50'000;  // cycles that a job may take which is rejected early without a fault

struct Seen {
  enum End : uint32_t { kCrash, kEqual, kDone, kLate } end;
  uint32_t count, before_reset;
  uint64_t cycle;
  uint64_t data[kBeats];
  uint64_t ended[kBeats];  // 0, of the last beat of a packet the cycle
};

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

  // What the core does up to the last result, for at most `limit` cycles, with the hashes of its state on the way.
  void RunFree(Seen& seen, uint64_t limit) {
    seen_ = &seen;
    while (done_ < packets_ && cycle_ < limit) {
      Tick();
      if (cycle_ % kStride == 0) hashes_.push_back(Hash());
    }
    Finish(done_ == packets_ ? Seen::kDone : Seen::kLate);
  }

  // Up to a cycle.
  void RunTo(uint64_t cycle) {
    while (cycle_ < cycle) Tick();
  }

  // After a fault; `hashes` of the run without.
  void RunOn(const std::vector<uint64_t>& hashes, uint64_t limit) {
    while (done_ < packets_ && cycle_ < limit) {
      Tick();
      const uint64_t index = cycle_ / kStride - first_;
      if (cycle_ % kStride == 0 && index < hashes.size() && hashes[index] == Hash()) return Finish(Seen::kEqual);
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
    const uint64_t word = bit / slot.bits, in_word = bit % slot.bits;
    slot.data[word * slot.bytes + in_word / 8] ^= uint8_t(1u << in_word % 8);
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
  std::vector<uint64_t> Hashes() const { return hashes_; }
  void First(uint64_t cycle) { first_ = cycle / kStride + 1; }

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

  // Of the whole model, ports and combinational values too, of what was sent, and of the results.
  uint64_t Hash() {
    const auto* words = reinterpret_cast<const uint64_t*>(top_.rootp);
    constexpr size_t count = sizeof(PM_ROOT) / 8;
    uint64_t lanes[4] = {position_, done_, 3, 4};
    for (size_t i = 0; i + 4 <= count; i += 4)
      for (size_t lane = 0; lane < 4; ++lane) {
        lanes[lane] = (lanes[lane] ^ words[i + lane]) * 0x9e3779b97f4a7c15;
        lanes[lane] ^= lanes[lane] >> 29;
      }
    for (size_t i = count & ~size_t(3); i < count; ++i) lanes[0] = (lanes[0] ^ words[i]) * 0x9e3779b97f4a7c15;
    for (uint32_t i = 0; i < seen_->count; ++i) lanes[1] = (lanes[1] ^ seen_->data[i]) * 0x9e3779b97f4a7c15;
    return (lanes[0] ^ lanes[1] << 7) * 3 + (lanes[2] ^ lanes[3] << 9);
  }

  std::vector<Beat> input_, next_;
  uint8_t control_;
  VerilatedContext context_;
  PM_CLASS top_;
  size_t packets_ = 0, done_ = 0, position_ = 0;
  bool offered_ = false;
  uint64_t cycle_ = 0, first_ = 0;
  Seen* seen_ = nullptr;
  std::vector<uint64_t> hashes_;
};

void print(const Seen& seen) {
  static const char* const kEnds[] = {"crash", "equal", "done", "late"};
  std::printf("%s %llu %u", kEnds[seen.end], (unsigned long long)seen.cycle, seen.before_reset);
  for (uint32_t i = 0; i < seen.count; ++i)
    std::printf(" %llx:%llu", (unsigned long long)seen.data[i], (unsigned long long)seen.ended[i]);
  std::printf("\n");
}

Seen* shared() {
  void* memory = mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("mmap");
    std::exit(2);
  }
  return static_cast<Seen*>(memory);
}

// Runs `work` in a process of its own, quietly, and waits for it.
template <typename Work>
void in_fork(Work work) {
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
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  const auto jobs = beats_of(argv[1]), next = beats_of(argv[2]);
  Bench bench(jobs, next, uint8_t(std::stoul(argv[3], nullptr, 0)));
  const auto all = slots(bench.root());
  // The run without a fault, in this process's own future: a fork leaves the bench as it is.
  constexpr uint64_t kMost = 4'000'000;
  const size_t kHashes = kMost / kStride;
  auto* hashes = static_cast<uint64_t*>(
      mmap(nullptr, (kHashes + 1) * 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (hashes == MAP_FAILED) return 2;
  Seen *free_run = shared(), *next_run = shared();
  bench.First(bench.cycle());
  in_fork([&] {
    bench.RunFree(*free_run, kMost);
    const auto found = bench.Hashes();
    hashes[0] = found.size();
    std::memcpy(hashes + 1, found.data(), 8 * found.size());
    next_run->before_reset = 0;
    bench.Watch(*next_run);
    if (argc == 4) bench.RunNext(kMost);
  });
  if (free_run->end != Seen::kDone) return 3;
  const std::vector<uint64_t> wanted(hashes + 1, hashes + 1 + hashes[0]);
  if (argc == 4) {
    std::printf("%llu\n", (unsigned long long)bench.cycle());
    print(*free_run);
    print(*next_run);
    return 0;
  }
  std::ifstream lines(argv[4]);
  std::string line;
  Seen* seen = shared();
  auto own = std::make_unique<Seen>();
  bench.Watch(*own);
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    uint64_t cycle = 0, slot = 0, bit = 0;
    words >> cycle;
    bench.RunTo(cycle);
    std::memset(seen, 0, sizeof *seen);
    in_fork([&] {
      *seen = *own;
      seen->end = Seen::kCrash;
      bench.Watch(*seen);
      while (words >> slot >> bit) bench.Flip(all.at(slot), bit);
      bench.Settle(bench.root());
      bench.RunOn(wanted, free_run->cycle + free_run->cycle / 2 + kLonger);
    });
    print(*seen);
  }
  return 0;
}
