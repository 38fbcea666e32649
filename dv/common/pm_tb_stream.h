// SPDX-License-Identifier: Apache-2.0
//
// For the benches of cores: a verilated core with a job stream, a result stream and AXI4-Lite. A queue of beats, a list
// of results, transfers, reset. Both streams move in every clock cycle, whichever call runs the clock. What is wrong
// with protocol or packets, and failed assertions, are counted.

#ifndef PM_TB_STREAM_H
#define PM_TB_STREAM_H

#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>

#include "axil.h"
#include "pm_tb_big.h"
#include "pm_tb_clock.h"

namespace pm_tb {

// Result: what a packet of the result stream becomes; has `answered_at`, the cycle in which its last beat was taken.
template <typename Top, typename Result>
class StreamCore {
 public:
  explicit StreamCore(const char* name) {
    context_.fatalOnError(false);  // a failed assertion is counted, see Edge()
    dut_ = std::make_unique<Top>(&context_, name);
    dut_->clk_i = 0;
  }
  virtual ~StreamCore() = default;

  // Queued beats and results not taken are forgotten.
  void Reset(unsigned cycles) {
    input_.clear();
    results_.clear();
    offered_ = held_ = false;
    beats_ = 0;
    dut_->s_axil_awvalid = dut_->s_axil_wvalid = dut_->s_axil_arvalid = 0;
    dut_->s_axil_bready = dut_->s_axil_rready = 0;
    dut_->rst_ni = 0;
    for (unsigned i = 0; i < cycles; ++i) Tick();
    dut_->rst_ni = 1;
  }

  // Random pauses from now on, in per cent of the cycles: idle without an offer, stall without taking.
  void Pace(uint64_t seed, unsigned idle, unsigned stall) {
    random_ = Random(seed);
    idle_ = idle;
    stall_ = stall;
  }

  // Queues beats: 10 bytes each, data (first byte first), keep, last.
  void Push(const uint8_t* beats, size_t count) {
    for (size_t i = 0; i < count; ++i, beats += 10) {
      Beat beat{0, beats[8], beats[9]};
      std::memcpy(&beat.data, beats, 8);
      input_.push_back(beat);
    }
  }

  // Runs until so many results wait, or for so many cycles; the cycles it took.
  uint64_t Run(uint64_t cycles, size_t results) {
    const uint64_t from = cycle_;
    while (cycle_ - from < cycles && results_.size() < results) Tick();
    return cycle_ - from;
  }

  // Takes up to `most` results, the oldest first.
  size_t Take(Result* out, size_t most) {
    size_t count = 0;
    for (; count < most && !results_.empty(); ++count) {
      out[count] = results_.front();
      results_.pop_front();
    }
    return count;
  }

  // AXI4-Lite transfers; the response code, or -1 without an answer in time.
  int Write(uint8_t address, uint32_t data) {
    return pm_sim::AxilWrite(*dut_, *this, address, data, 0xf, kPatience);
  }
  int Read(uint8_t address, uint32_t* data) { return pm_sim::AxilRead(*dut_, *this, address, data, kPatience); }

  // A cycle: its inputs and outputs, its end, and that an answer on AXI4-Lite is taken at once.
  void Settle() {
    if (!offered_) offered_ = !input_.empty() && (idle_ == 0 || random_.next() % 100 >= idle_);
    dut_->s_axis_tvalid = offered_;
    dut_->s_axis_tdata = offered_ ? input_.front().data : random_.next();
    dut_->s_axis_tkeep = offered_ ? input_.front().keep : 0x5a;
    dut_->s_axis_tlast = offered_ ? input_.front().last : cycle_ & 1;
    dut_->m_axis_tready = stall_ == 0 || random_.next() % 100 >= stall_;
    dut_->clk_i = 0;
    dut_->eval();
  }
  void Edge() {
    const bool sent = dut_->rst_ni && offered_ && dut_->s_axis_tready;
    const bool valid = dut_->rst_ni && dut_->m_axis_tvalid;
    if (held_ && (!valid || dut_->m_axis_tdata != held_data_)) ++violations_;
    if (valid && dut_->m_axis_tready) Arrive();
    held_ = valid && !dut_->m_axis_tready;
    held_data_ = dut_->m_axis_tdata;
    rise(*dut_);
    ++cycle_;
    if (sent) {
      input_.pop_front();
      offered_ = false;
      ++accepted_;
    }
    if (context_.gotError()) {
      ++violations_;
      context_.gotError(false);
      context_.gotFinish(false);
    }
  }
  bool Ready() { return true; }

  bool irq() const { return dut_->irq_o; }
  uint64_t cycle() const { return cycle_; }
  uint64_t accepted() const { return accepted_; }  // beats, since ever
  uint32_t violations() const { return violations_; }

 private:
  static constexpr int kPatience = 100;  // cycles until a transfer counts as lost

  struct Beat {
    uint64_t data;
    uint8_t keep, last;
  };

  // Puts a beat of a packet into its result; whether it may be there.
  virtual bool Put(Result& result, size_t beat, uint64_t data) = 0;
  // Ends the result of a packet of so many beats; whether it may have so many.
  virtual bool End(Result& result, size_t beats) = 0;

  void Tick() {
    Settle();
    Edge();
  }

  void Arrive() {
    if (beats_ == 0) result_ = {};
    if (!Put(result_, beats_++, dut_->m_axis_tdata) || dut_->m_axis_tkeep != 0xff) ++violations_;
    if (!dut_->m_axis_tlast) return;
    if (!End(result_, beats_)) ++violations_;
    result_.answered_at = cycle_;
    results_.push_back(result_);
    beats_ = 0;
  }

  VerilatedContext context_;
  std::unique_ptr<Top> dut_;
  std::deque<Beat> input_;
  std::deque<Result> results_;
  Random random_{0};
  unsigned idle_ = 0, stall_ = 0;
  bool offered_ = false;  // a beat is offered and not taken yet
  bool held_ = false;     // a result beat was offered and not taken
  size_t beats_ = 0;      // taken of the packet that arrives
  Result result_ = {};    // of that packet
  uint64_t held_data_ = 0, cycle_ = 0, accepted_ = 0;
  uint32_t violations_ = 0;
};

}  // namespace pm_tb

#endif
