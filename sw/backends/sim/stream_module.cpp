// SPDX-License-Identifier: Apache-2.0
//
// stream_module.cpp: the verilated core PM_SIM_TOP (pm_edverify, pm_multicurve, pm_x25519) as a module of the back-end
// "sim"; PM_SIM_CORE and PM_SIM_CONFIG are its name and that of its configuration.
//
// Every port is driven cycle by cycle as a bus master would: inputs change after the rising edge,
// handshakes are sampled just before the next one. Register accesses and both streams go on in the
// same cycles. One packet is handed over at a time, so that what was not yet begun stays in the
// driver; it refills without a lost cycle, because advance() returns when the packet is out.

#include <cstring>
#include <deque>
#include <memory>
#include <new>
#include <vector>

#define PM_CLASS_OF(top) V##top
#define PM_CLASS(top) PM_CLASS_OF(top)

#include "../../src/backend.h"
#include "axil.h"
#include "export.h"
#include PM_TEXT(PM_CLASS(PM_SIM_TOP).h)
#include "verilated.h"

namespace {

constexpr int kResetCycles = 8;
constexpr int kBusCycles = 1000;           // a register access that takes longer has failed
constexpr std::size_t kBeatBytes = 8;
constexpr std::size_t kSendBytes = 4096;   // of the packet under way
constexpr std::size_t kPackets = 64;       // results held before the result port is stalled
constexpr std::size_t kResultBytes = 160;  // no result is longer, so that its bytes never move
constexpr std::uint8_t kAllBytes = 0xf;
constexpr int kRespOkay = 0;

struct Beat {
  std::uint64_t data;
  std::uint8_t keep;
  bool last;
};

struct Received {
  std::vector<std::uint8_t> bytes;
  std::size_t given = 0;
};

class Simulation {
 public:
  explicit Simulation(const pm_sim_pauses& pauses)
      : core_(&context_), idle_(pauses.idle), stall_(pauses.stall), random_(pauses.seed * 2 + 1) {
    core_.rst_ni = 0;
    for (int i = 0; i < kResetCycles; i++) {
      Cycle();
    }
    core_.rst_ni = 1;
    Cycle();
    cycles_ = 0;
  }

  ~Simulation() {
    while (!beats_.empty()) {
      DropBeat();
    }
    for (Received& packet : received_) {
      pm_wipe(packet.bytes.data(), packet.bytes.size());
    }
    core_.final();
  }

  std::uint64_t cycles() const { return cycles_; }

  // Takes bytes of the packet under way, or none while another packet is not wholly out.
  std::size_t Send(const std::uint8_t* bytes, std::size_t length, bool last) {
    if (packet_closed_ && !beats_.empty()) {
      return 0;
    }
    packet_closed_ = false;
    std::size_t room = kSendBytes - beats_.size() * kBeatBytes;
    std::size_t taken = length <= room ? length : room;
    for (std::size_t at = 0; at < taken; at += kBeatBytes) {
      std::size_t n = taken - at < kBeatBytes ? taken - at : kBeatBytes;
      Beat beat = {0, static_cast<std::uint8_t>((1u << n) - 1), last && at + n == length};
      std::memcpy(&beat.data, bytes + at, n);  // a little-endian host, see below
      beats_.push_back(beat);
      packet_closed_ = beat.last;
    }
    return taken;
  }

  std::size_t Receive(std::uint8_t* bytes, std::size_t capacity, bool* last) {
    if (complete_ == 0) {
      return 0;
    }
    Received& packet = received_.front();
    std::size_t left = packet.bytes.size() - packet.given;
    std::size_t n = left < capacity ? left : capacity;
    std::memcpy(bytes, packet.bytes.data() + packet.given, n);
    packet.given += n;
    *last = packet.given == packet.bytes.size();
    if (*last) {
      pm_wipe(packet.bytes.data(), packet.bytes.size());
      received_.pop_front();
      complete_--;
    }
    return n;
  }

  // Runs until a result packet is complete, the beats have gone out, or the cycles are over.
  std::uint64_t Advance(std::uint64_t limit) {
    std::uint64_t start = cycles_;
    bool sending = !beats_.empty();
    while (cycles_ - start < limit) {
      Cycle();
      if (complete_ != 0 || (sending && beats_.empty())) {
        break;
      }
    }
    return cycles_ - start;
  }

  bool Read(std::uint32_t address, std::uint32_t* value) {
    return pm_sim::AxilRead(core_, *this, static_cast<std::uint8_t>(address), value,
                            kBusCycles) == kRespOkay;
  }

  bool Write(std::uint32_t address, std::uint32_t value) {
    return pm_sim::AxilWrite(core_, *this, static_cast<std::uint8_t>(address), value, kAllBytes,
                             kBusCycles) == kRespOkay;
  }

  // Chooses the stream inputs of this cycle and lets the core settle.
  void Settle() {
    if (!core_.s_axis_tvalid && !beats_.empty() && !Chance(idle_)) {
      const Beat& beat = beats_.front();  // offered until taken
      core_.s_axis_tvalid = 1;
      core_.s_axis_tdata = beat.data;
      core_.s_axis_tkeep = beat.keep;
      core_.s_axis_tlast = beat.last;
    }
    core_.m_axis_tready = received_.size() < kPackets && Ready();
    core_.clk_i = 0;
    core_.eval();
  }

  // The rising edge; takes over what was transferred by it.
  void Edge() {
    bool sent = core_.s_axis_tvalid && core_.s_axis_tready && core_.rst_ni;
    bool taken = core_.m_axis_tvalid && core_.m_axis_tready && core_.rst_ni;
    if (taken) {
      Take();
    }
    core_.clk_i = 1;
    core_.eval();
    cycles_++;
    if (sent) {
      DropBeat();
      core_.s_axis_tvalid = 0;
      core_.s_axis_tdata = 0;
    }
  }

  // Whether a result or an answer is taken in this cycle.
  bool Ready() { return !Chance(stall_); }

 private:
  bool Chance(std::uint64_t percent) {
    if (percent == 0) {
      return false;
    }
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return (random_ >> 20) % 100 < percent;
  }

  void Cycle() {
    Settle();
    Edge();
  }

  // Beats and results may be secret.
  void DropBeat() {
    pm_wipe(&beats_.front(), sizeof(Beat));
    beats_.pop_front();
  }

  void Take() {
    if (received_.size() == complete_) {
      received_.emplace_back();
      received_.back().bytes.reserve(kResultBytes);
    }
    std::vector<std::uint8_t>& bytes = received_.back().bytes;
    for (unsigned i = 0; i < kBeatBytes; i++) {
      if (core_.m_axis_tkeep >> i & 1) {
        bytes.push_back(static_cast<std::uint8_t>(core_.m_axis_tdata >> (8 * i)));
      }
    }
    complete_ += core_.m_axis_tlast;
  }

  VerilatedContext context_;
  PM_CLASS(PM_SIM_TOP) core_;
  std::uint64_t idle_, stall_, random_;
  std::uint64_t cycles_ = 0;
  std::deque<Beat> beats_;
  bool packet_closed_ = false;      // beats_ ends with the last beat of a packet
  std::deque<Received> received_;   // complete ones, then perhaps one that is not
  std::size_t complete_ = 0;
};

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "beats are filled by memcpy");

Simulation* Of(void* state) { return static_cast<Simulation*>(state); }

void* Open(const pm_sim_pauses* pauses) { return new (std::nothrow) Simulation(*pauses); }

void Close(void* state) { delete Of(state); }

std::size_t Send(void* state, const std::uint8_t* bytes, std::size_t length, bool last) {
  return Of(state)->Send(bytes, length, last);
}

std::size_t Recv(void* state, std::uint8_t* bytes, std::size_t capacity, bool* last) {
  return Of(state)->Receive(bytes, capacity, last);
}

bool RegRead(void* state, std::uint32_t address, std::uint32_t* value) { return Of(state)->Read(address, value); }

bool RegWrite(void* state, std::uint32_t address, std::uint32_t value) { return Of(state)->Write(address, value); }

std::uint64_t Advance(void* state, std::uint64_t cycles) { return Of(state)->Advance(cycles); }

std::uint64_t Elapsed(const void* state) { return static_cast<const Simulation*>(state)->cycles(); }

const pm_sim_stream kStream = {Open, Close, Send, Recv, RegRead, RegWrite, Advance, Elapsed};

}  // namespace

PM_SIM_EXPORT(PM_TEXT(PM_SIM_CORE), &kStream, nullptr)
