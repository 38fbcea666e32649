// SPDX-License-Identifier: Apache-2.0
//
// axi_memory.h: the memory of a system behind the AXI4 ports m_axi_* of a verilated core, cycle by cycle.
//
// Take() is called when the outputs of a cycle are settled, before its rising edge, and sees what is transferred in it;
// Drive() behind the edge, and puts on the ports what the memory offers and takes in the next cycle. Undisturbed
// it takes an address at once and responds in the next cycle, then a beat a cycle.

#ifndef PM_AXI_MEMORY_H
#define PM_AXI_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>

namespace pm_sim {

template <typename Core>
class AxiMemory {
 public:
  // The memory: `size` bytes from `address` on, which are those at `bytes`. Beats elsewhere are answered with an error.
  void Map(std::uint64_t address, std::uint8_t* bytes, std::size_t size) {
    begin_ = address;
    bytes_ = bytes;
    size_ = size;
  }

  void Reset(Core& core) {
    reads_.clear();
    writes_.clear();
    answers_.clear();
    core.m_axi_awready = core.m_axi_wready = core.m_axi_bvalid = 0;
    core.m_axi_arready = core.m_axi_rvalid = 0;
  }

  void Take(const Core& core) {
    if (core.m_axi_awvalid && core.m_axi_awready) {
      writes_.push_back(Burst(core.m_axi_awaddr, core.m_axi_awlen, core.m_axi_awsize, core.m_axi_awburst));
    }
    if (core.m_axi_arvalid && core.m_axi_arready) {
      reads_.push_back(Burst(core.m_axi_araddr, core.m_axi_arlen, core.m_axi_arsize, core.m_axi_arburst));
    }
    if (core.m_axi_wvalid && core.m_axi_wready) {
      Access& burst = writes_.front();
      std::uint8_t data[kBeat];
      std::memcpy(data, &core.m_axi_wdata, kBeat);
      std::uint8_t* at = Find(burst.address);
      for (std::size_t i = 0; at != nullptr && i < kBeat; i++) {
        if (core.m_axi_wstrb >> i & 1) {
          at[i] = data[i];
        }
      }
      burst.refused |= at == nullptr;
      violations_ += core.m_axi_wlast != (burst.left == 1);
      if (Next(burst)) {
        answers_.push_back(burst.refused);
        writes_.pop_front();
      }
    }
    if (core.m_axi_bvalid && core.m_axi_bready) {
      answers_.pop_front();
    }
    if (core.m_axi_rvalid && core.m_axi_rready && Next(reads_.front())) {
      reads_.pop_front();
    }
    answered_ = core.m_axi_bvalid && !core.m_axi_bready;
    read_ = core.m_axi_rvalid && !core.m_axi_rready;
  }

  // ready: asked once for each channel, whether the memory offers or takes something there in the next cycle.
  template <typename Ready>
  void Drive(Core& core, Ready ready) {
    core.m_axi_awready = ready();
    core.m_axi_arready = ready();
    core.m_axi_wready = ready() && !writes_.empty();
    core.m_axi_bvalid = answered_ || (ready() && !answers_.empty());
    core.m_axi_rvalid = read_ || (ready() && !reads_.empty());
    core.m_axi_bid = core.m_axi_rid = 0;
    if (core.m_axi_bvalid) {
      core.m_axi_bresp = answers_.front() ? kSlaveError : 0;
    }
    if (core.m_axi_rvalid) {
      const std::uint8_t* at = Find(reads_.front().address);
      core.m_axi_rresp = at == nullptr ? kSlaveError : 0;
      core.m_axi_rlast = reads_.front().left == 1;
      if (at != nullptr) {
        std::memcpy(&core.m_axi_rdata, at, kBeat);
      }
    }
  }

  // What was no legal burst.
  std::uint32_t violations() const { return violations_; }

 private:
  static constexpr std::size_t kBeat = 16;
  static constexpr unsigned kSlaveError = 2;
  static constexpr unsigned kPage = 4096;

  struct Access {
    std::uint64_t address;
    unsigned left;
    bool refused;
  };

  Access Burst(std::uint64_t address, unsigned length, unsigned size, unsigned burst) {
    violations_ += size != 4 || burst != 1 || address % kBeat != 0 || address % kPage + kBeat * (length + 1) > kPage;
    return {address, length + 1, false};
  }

  static bool Next(Access& burst) {
    burst.address += kBeat;
    return --burst.left == 0;
  }

  std::uint8_t* Find(std::uint64_t address) {
    const std::uint64_t at = address - begin_;
    return at < size_ && size_ - at >= kBeat ? bytes_ + at : nullptr;
  }

  std::uint64_t begin_ = 0;
  std::uint8_t* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::deque<Access> reads_, writes_;
  std::deque<bool> answers_;
  bool answered_ = false, read_ = false;
  std::uint32_t violations_ = 0;
};

}  // namespace pm_sim

#endif
