// SPDX-License-Identifier: Apache-2.0
//
// Mass vectors for pm_mont_chain and pm_mod_sum, from files of test_pm_mont_chain.py. Of a group: cycles of a product,
// digits, what is done (0 products, 1 plain products, 2 sums, 3 differences); records p, -1/p, 0, then x, y, result;
// of plain products their lower half behind it, of sums whether they reach p. Prints: vectors.

#include <algorithm>
#include <deque>

#include "Vpm_mont_chain_tb.h"
#include "mont_bench.h"

using pm_tb::Big;

namespace {

constexpr uint32_t kWipe = 4;  // cycles

enum Kind : uint32_t { kProduct, kPlain, kSum, kDifference };

struct Flight {
  uint64_t at;  // cycle in which it is there
  Big result;
};

struct Wanted {
  Big result;
  bool reached;
};

class Bench {
 public:
  Bench() : random_(5) {
    dut_.wipe_i = dut_.valid_i = dut_.sum_i = dut_.sub_i = dut_.plain_i = 0;
    pm_tb::reset(dut_);
  }

  void Group(const uint32_t (&head)[6], mont::File& file) {
    const uint32_t cycles = head[1], kind = head[3];
    pm_tb::put(dut_.p_i, file.value());
    pm_tb::put(dut_.pinv_i, file.value());
    file.value();
    dut_.digits_i = head[2];
    dut_.plain_i = kind == kPlain;
    for (uint32_t i = 1; i < head[0]; ++i) {
      const Big x = file.value(), y = file.value(), want = file.value();
      const Big more = kind == kProduct ? Big() : file.value();
      Offer(x, y, kind);
      if (kind == kProduct) {
        Fly(cycles, std::max(head[2] + 1, 6U), want);
      } else if (kind == kPlain) {
        Product(cycles, want);
        if (!(pm_tb::get(dut_.low_o) == more)) pm_tb::fail("wrong low_o");
      } else {
        due_.push_back({want, kind == kSum && !(more == Big())});
        Cycle(kind == kSum);
      }
      ++vectors_;
    }
    while (!flights_.empty()) Step();
    while (!due_.empty()) Idle(kind == kSum);
    Tick();  // the last sum goes
    was_valid_ = false;
  }

  // With registers wiped for as long as it takes, before a product is in the adder, nothing comes of it.
  void Wipe(uint32_t cycles) {
    for (uint32_t at = 1; at + 3 < cycles; ++at) {
      Offer(random_.bits(32 * mont::kWords), random_.bits(32 * mont::kWords), kProduct);
      for (uint32_t i = 0; i < at; ++i) Tick();
      dut_.wipe_i = 1;
      for (uint32_t i = 0; i < kWipe; ++i) Tick();
      dut_.wipe_i = 0;
      for (uint32_t i = 0; i < cycles + 3; ++i) {
        if (dut_.valid_o) pm_tb::fail("a product that was abandoned came");
        if (!(pm_tb::get(dut_.low_o) == Big())) pm_tb::fail("data were left");
        Tick();
      }
    }
  }

  uint64_t vectors() const { return vectors_; }

 private:
  void Offer(const Big& x, const Big& y, uint32_t kind) {
    dut_.valid_i = 1;
    dut_.sum_i = kind >= kSum;
    dut_.sub_i = kind == kDifference;
    pm_tb::put(dut_.x_i, x);
    pm_tb::put(dut_.y_i, y);
    dut_.eval();
  }

  void Tick() {
    pm_tb::tick(dut_);
    dut_.valid_i = 0;
    pm_tb::put(dut_.x_i, random_.bits(32 * mont::kWords));
    pm_tb::put(dut_.y_i, random_.bits(32 * mont::kWords));
    dut_.eval();
  }

  void Result(const Big& want) {
    const Big got = pm_tb::get(dut_.r_o);
    if (!(got == want)) pm_tb::fail("vector " + std::to_string(vectors_) + ": " + got.hex() + " is not " + want.hex());
  }

  // A product, and the cycles until the next one: often the least.
  void Fly(uint32_t cycles, uint32_t least, const Big& want) {
    flights_.push_back({now_ + cycles, want});
    const uint32_t more = random_.next() % 3 == 0 ? random_.next() % (cycles + 4) : 0;
    for (uint32_t i = 0; i < least + more; ++i) Step();
  }

  // A cycle, with what products under way have to show in it.
  void Step() {
    bool soon = false;
    for (const Flight& flight : flights_) soon = soon || flight.at == now_ + 4;
    if (dut_.soon_o != soon) pm_tb::fail("wrong soon_o");
    const bool there = !flights_.empty() && flights_.front().at == now_;
    if (dut_.valid_o != there) pm_tb::fail(there ? "a product is late" : "a product that nobody wanted");
    if (there) {
      Result(flights_.front().result);
      flights_.pop_front();
    }
    Tick();
    ++now_;
  }

  void Product(uint32_t cycles, const Big& want) {
    for (uint32_t i = 0; i < cycles; ++i) {
      if (dut_.valid_o) pm_tb::fail("a product is early");
      if (dut_.soon_o != (i + 4 == cycles)) pm_tb::fail("wrong soon_o");
      Tick();
    }
    if (!dut_.valid_o) pm_tb::fail("a product is late");
    Result(want);
    Tick();
    if (dut_.zero_o != (want == Big())) pm_tb::fail("wrong zero_o");
    if (dut_.valid_o) pm_tb::fail("a product comes twice");
  }

  // A cycle of sums, which come three cycles after their operands.
  void Cycle(bool sum) {
    Tick();
    if (was_valid_ && dut_.zero_o != was_zero_) pm_tb::fail("wrong zero_o");
    was_valid_ = dut_.valid_o;
    if (!dut_.valid_o) return;
    if (due_.empty()) pm_tb::fail("a sum that nobody wanted");
    Result(due_.front().result);
    if (sum && dut_.reached_o != due_.front().reached) pm_tb::fail("wrong reached_o");
    was_zero_ = due_.front().result == Big();
    due_.pop_front();
  }

  void Idle(bool sum) {
    if (++idle_ > 1000) pm_tb::fail("a sum does not come");
    Cycle(sum);
    if (due_.empty()) idle_ = 0;
  }

  Vpm_mont_chain_tb dut_;
  pm_tb::Random random_;
  std::deque<Wanted> due_;
  std::deque<Flight> flights_;
  uint64_t now_ = 0;  // cycles of products that overlap
  bool was_valid_ = false, was_zero_ = false;
  uint64_t vectors_ = 0;
  int idle_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) pm_tb::fail("usage: PATH");
  Bench bench;
  mont::File file(argv[1]);
  uint32_t head[6], longest = 0;
  while (file.head(head)) {
    longest = head[1];
    bench.Group(head, file);
  }
  bench.Wipe(longest);
  pm_tb::print({{"vectors", bench.vectors()}});
  return 0;
}
