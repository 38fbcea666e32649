// SPDX-License-Identifier: Apache-2.0
//
// mpu_module.cpp: the verilated core pm_mpu as a module; PM_SIM_CONFIG is the name of its configuration.
//
// Ports are driven cycle by cycle as a bus master would: inputs change after the rising edge, handshakes are sampled
// just before the next one. An operand is copied by one burst of as many beats of 128 bits as it touches. The memory
// behind the core's own port is that of the program which was announced last, under its addresses.

#include <cstdint>
#include <new>

#include "Vpm_mpu.h"
#include "axi_memory.h"
#include "axil.h"
#include "export.h"
#include "verilated.h"

namespace {

constexpr int kResetCycles = 8;
constexpr int kBusCycles = 1000;  // a transfer that takes longer has failed
constexpr unsigned kBeatWords = 4;
constexpr unsigned kBeatSize = 4;  // AxSIZE of 16 bytes
constexpr unsigned kIncrement = 1;
constexpr std::uint8_t kAllBytes = 0xf;
constexpr int kOkay = 0;

class Simulation {
 public:
  Simulation() : core_(&context_) {
    core_.rst_ni = 0;
    for (int i = 0; i < kResetCycles; i++) {
      Cycle();
    }
    core_.rst_ni = 1;
    Cycle();
    cycles_ = 0;
  }

  ~Simulation() { core_.final(); }

  std::uint64_t cycles() const { return cycles_; }

  bool Read(std::uint32_t address, std::uint32_t* value) {
    return pm_sim::AxilRead(core_, *this, static_cast<std::uint8_t>(address), value, kBusCycles) == kOkay;
  }

  bool Write(std::uint32_t address, std::uint32_t value) {
    return pm_sim::AxilWrite(core_, *this, static_cast<std::uint8_t>(address), value, kAllBytes, kBusCycles) == kOkay;
  }

  bool CopyIn(std::uint32_t address, const std::uint32_t* words, std::size_t count) {
    const unsigned first = address / 4 % kBeatWords;
    const std::size_t beats = (first + count + kBeatWords - 1) / kBeatWords;
    core_.s_axi_awaddr = address / 16 * 16;
    core_.s_axi_awlen = static_cast<std::uint8_t>(beats - 1);
    core_.s_axi_awsize = kBeatSize;
    core_.s_axi_awburst = kIncrement;
    core_.s_axi_awvalid = 1;
    core_.s_axi_bready = 1;
    std::size_t beat = 0;
    for (int i = 0; i < kBusCycles; i++) {
      core_.s_axi_wvalid = beat < beats;
      core_.s_axi_wlast = beat + 1 == beats;
      core_.s_axi_wstrb = 0;
      for (unsigned lane = 0; lane < kBeatWords; lane++) {
        std::size_t at = beat * kBeatWords + lane;
        bool used = at >= first && at < first + count;
        core_.s_axi_wdata[lane] = used ? words[at - first] : 0;
        core_.s_axi_wstrb |= static_cast<std::uint16_t>((used ? 0xf : 0) << (4 * lane));
      }
      Settle();
      bool addressed = core_.s_axi_awvalid && core_.s_axi_awready;
      bool written = core_.s_axi_wvalid && core_.s_axi_wready;
      bool answered = core_.s_axi_bvalid;
      bool okay = core_.s_axi_bresp == kOkay;
      Edge();
      if (addressed) {
        core_.s_axi_awvalid = 0;
      }
      beat += written;
      if (answered) {
        core_.s_axi_bready = 0;
        return okay;
      }
    }
    core_.s_axi_awvalid = 0;
    core_.s_axi_wvalid = 0;
    core_.s_axi_bready = 0;
    return false;
  }

  bool CopyOut(std::uint32_t address, std::uint32_t* words, std::size_t count) {
    const unsigned first = address / 4 % kBeatWords;
    const std::size_t beats = (first + count + kBeatWords - 1) / kBeatWords;
    core_.s_axi_araddr = address / 16 * 16;
    core_.s_axi_arlen = static_cast<std::uint8_t>(beats - 1);
    core_.s_axi_arsize = kBeatSize;
    core_.s_axi_arburst = kIncrement;
    core_.s_axi_arvalid = 1;
    core_.s_axi_rready = 1;
    bool okay = true;
    std::size_t beat = 0;
    for (int i = 0; i < kBusCycles; i++) {
      Settle();
      bool addressed = core_.s_axi_arvalid && core_.s_axi_arready;
      bool answered = core_.s_axi_rvalid;
      bool last = core_.s_axi_rlast;
      if (answered) {
        okay = okay && core_.s_axi_rresp == kOkay;
        for (unsigned lane = 0; lane < kBeatWords; lane++) {
          std::size_t at = beat * kBeatWords + lane;
          if (at >= first && at < first + count) {
            words[at - first] = core_.s_axi_rdata[lane];
          }
        }
        beat++;
      }
      Edge();
      if (addressed) {
        core_.s_axi_arvalid = 0;
      }
      if (answered && last) {
        core_.s_axi_rready = 0;
        return okay && beat == beats;
      }
    }
    core_.s_axi_arvalid = 0;
    core_.s_axi_rready = 0;
    return false;
  }

  std::uint64_t Wait(bool interrupt, std::uint64_t limit) {
    std::uint64_t start = cycles_;
    do {
      Cycle();
    } while (cycles_ - start < limit && !(interrupt && core_.irq_o));
    return cycles_ - start;
  }

  // Settle and Edge are a cycle; an answer is taken at once.
  void Settle() {
    core_.clk_i = 0;
    core_.eval();
  }

  void Edge() {
    memory_.Take(core_);
    core_.clk_i = 1;
    core_.eval();
    memory_.Drive(core_, [] { return true; });
    cycles_++;
  }

  bool Ready() { return true; }

  void Map(void* memory, std::size_t bytes) {
    memory_.Map(reinterpret_cast<std::uintptr_t>(memory), static_cast<std::uint8_t*>(memory), bytes);
  }

 private:
  void Cycle() {
    Settle();
    Edge();
  }

  VerilatedContext context_;
  Vpm_mpu core_;
  pm_sim::AxiMemory<Vpm_mpu> memory_;
  std::uint64_t cycles_ = 0;
};

Simulation* Of(void* state) { return static_cast<Simulation*>(state); }

pm_error Outcome(bool okay) { return okay ? PM_OK : PM_ERR_BUS; }

pm_error Read32(void* state, std::uint32_t address, std::uint32_t* value) {
  return Outcome(Of(state)->Read(address, value));
}

pm_error Write32(void* state, std::uint32_t address, std::uint32_t value) {
  return Outcome(Of(state)->Write(address, value));
}

pm_error CopyIn(void* state, std::uint32_t address, const std::uint32_t* words, std::size_t count) {
  return Outcome(Of(state)->CopyIn(address, words, count));
}

pm_error CopyOut(void* state, std::uint32_t address, std::uint32_t* words, std::size_t count) {
  return Outcome(Of(state)->CopyOut(address, words, count));
}

pm_error Wait(void* state, bool interrupt, std::uint64_t cycles, std::uint64_t* spent) {
  *spent = Of(state)->Wait(interrupt, cycles);
  return PM_OK;
}

pm_error DmaAddress(void* state, void* memory, std::size_t bytes, std::uint64_t* address) {
  Of(state)->Map(memory, bytes);
  *address = reinterpret_cast<std::uintptr_t>(memory);
  return PM_OK;
}

void* Open() { return new (std::nothrow) Simulation(); }

void Close(void* state) { delete Of(state); }

std::uint64_t Elapsed(const void* state) { return static_cast<const Simulation*>(state)->cycles(); }

const pm_sim_memory kMemory = {Open, Close, Elapsed, {Read32, Write32, CopyIn, CopyOut, Wait, DmaAddress}};

}  // namespace

PM_SIM_EXPORT("mpu", nullptr, &kMemory)
