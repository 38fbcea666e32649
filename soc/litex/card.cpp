// SPDX-License-Identifier: Apache-2.0
//
// card.cpp: the system of soc/litex/pcie_system.py as a card behind dv/lib/pcie/litepcie_file.h: what the kernel module
// does to LitePCIe's DMA, and a host that exchanges the packets of PCIe with it, reads and writes of 32-bit addresses.
//
// On the link words of four bytes have their first byte in the highest bits. A read of the host's memory has its
// completion, whole, after kLatency cycles.

#include "dv/lib/pcie/litepcie_file.h"

#include <deque>
#include <memory>

#include "Vpm_litex.h"
#include "dv/common/pm_tb_clock.h"

using pm_card::module;

namespace {

constexpr std::uint32_t kBar0 = 0xf0000000, kBarBytes = 0x100000;
constexpr std::uint32_t kJobs = 0x10000000, kResults = 0x20000000;  // addresses on the bus
constexpr std::uint32_t kMemoryRead = 0x00, kMemoryWrite = 0x40, kCompletion = 0x4a;
constexpr std::uint32_t kHost = 0x0008;  // as requester and completer
constexpr std::uint64_t kLatency = 60;
constexpr std::uint64_t kPatience = 100000;  // cycles until a request counts as without response
constexpr std::uint32_t kLastDisable = 1 << 25, kInterruptDisable = 1 << 24;
constexpr std::uint32_t kInterruptEach = 32;  // buffers

struct Packet {
  std::uint64_t due;
  std::vector<std::uint32_t> words;
};

struct Device {
  std::unique_ptr<Vpm_litex> unit = std::make_unique<Vpm_litex>();
  std::deque<Packet> out;                  // to the card
  std::size_t sent = 0;                    // words of the first one
  std::vector<std::uint32_t> in;           // of the packet that comes
  std::vector<std::uint32_t> completions;  // of the accesses of the host
  std::uint64_t read_bytes = 0, written_bytes = 0;
};

Device d;

std::uint32_t Swapped(std::uint32_t word) { return __builtin_bswap32(word); }

// Four bytes of memory by their address on the bus; null where there is none.
std::uint32_t* Memory(std::uint32_t address) {
  std::uint32_t bytes = static_cast<std::uint32_t>(module.words * module.count * 8);
  for (auto [base, memory] : {std::pair{kJobs, &module.jobs}, std::pair{kResults, &module.results}}) {
    if (address - base < bytes) return reinterpret_cast<std::uint32_t*>(memory->data()) + (address - base) / 4;
  }
  return nullptr;
}

void Received(const std::vector<std::uint32_t>& packet) {
  std::uint32_t kind = packet[0] >> 24 & 0x7f, length = packet[0] & 0x3ff;
  if (kind == kCompletion) {
    d.completions.push_back(Swapped(packet[3]));
  } else if (kind == kMemoryWrite) {
    for (std::uint32_t i = 0; i < length; i++) {
      if (std::uint32_t* word = Memory(packet[2] + 4 * i)) *word = Swapped(packet[3 + i]);
    }
    d.written_bytes += 4 * length;
  } else if (kind == kMemoryRead) {
    Packet reply{module.cycle + kLatency,
                 {kCompletion << 24 | length, kHost << 16 | 4 * length,
                  (packet[1] & 0xffffff00) | (packet[2] & 0x7f)}};
    for (std::uint32_t i = 0; i < length; i++) {
      const std::uint32_t* word = Memory(packet[2] + 4 * i);
      reply.words.push_back(word ? Swapped(*word) : 0);
    }
    d.read_bytes += 4 * length;
    d.out.push_back(reply);
  }
}

// A register of LitePCIe's DMA.
void Put(std::uint32_t offset, std::uint32_t value) { pm_card::Access(true, kBar0 + offset, &value); }

}  // namespace

void pm_card::Cycle() {
  Vpm_litex& u = *d.unit;
  bool offered = !d.out.empty() && d.out.front().due <= module.cycle;
  if (offered) {
    const std::vector<std::uint32_t>& words = d.out.front().words;
    bool both = d.sent + 1 < words.size();
    u.from_host_dat = words[d.sent] | (both ? static_cast<std::uint64_t>(words[d.sent + 1]) << 32 : 0);
    u.from_host_be = both ? 0xff : 0x0f;
    u.from_host_first = d.sent == 0;
    u.from_host_last = d.sent + 2 >= words.size();
  }
  u.from_host_valid = offered;
  u.to_host_ready = 1;
  u.eval();
  bool gone = offered && u.from_host_ready, come = u.to_host_valid, last = u.to_host_last;
  if (come) {
    d.in.push_back(static_cast<std::uint32_t>(u.to_host_dat));
    if (u.to_host_be >> 4 != 0) d.in.push_back(static_cast<std::uint32_t>(u.to_host_dat >> 32));
  }
  pm_tb::tick(u);
  if (gone) {
    d.sent += 2;
    if (d.sent >= d.out.front().words.size()) {
      d.out.pop_front();
      d.sent = 0;
    }
  }
  if (come && last) {
    Received(d.in);
    d.in.clear();
  }
  module.cycle++;
}

// One that has no response reads as all ones.
void pm_card::Access(bool write, std::uint32_t address, std::uint32_t* value) {
  std::uint32_t offset = address - kBar0;
  if (offset >= kBarBytes) {
    *value = ~0u;
    return;
  }
  Packet request{module.cycle, {(write ? kMemoryWrite : kMemoryRead) << 24 | 1, kHost << 16 | 0x0f, offset}};
  if (write) request.words.push_back(Swapped(*value));
  d.out.push_back(request);
  std::uint64_t end = module.cycle + kPatience;
  while (!d.out.empty() && module.cycle < end) Cycle();
  if (write) return;
  while (d.completions.empty() && module.cycle < end) Cycle();
  *value = d.completions.empty() ? ~0u : d.completions.front();
  d.completions.clear();
}

void pm_card::Channel(bool writer, bool enable) {
  std::uint32_t base = writer ? 0x00 : 0x20;
  enum { kEnable = 0x00, kValue = 0x04, kAddress = 0x08, kWrite = 0x0c, kLoop = 0x10, kFlush = 0x1c };
  if (!enable) {
    Put(base + kLoop, 0);
    Put(base + kFlush, 1);
    for (int i = 0; i < 2000; i++) Cycle();
    Put(base + kEnable, 0);
    Put(base + kFlush, 1);
    return;
  }
  Put(base + kEnable, 0);
  Put(base + kFlush, 1);
  Put(base + kLoop, 0);
  std::uint32_t bytes = static_cast<std::uint32_t>(module.words) * 8;
  for (std::uint32_t i = 0; i < module.count; i++) {
    Put(base + kValue, kLastDisable | (i % kInterruptEach != 0 ? kInterruptDisable : 0) | bytes);
    Put(base + kAddress, (writer ? kResults : kJobs) + i * bytes);
    Put(base + kWrite, 0);
  }
  Put(base + kLoop, 1);
  Put(base + kEnable, 1);
}

// A new card, with so many buffers of so many words.
PM_SHOWN void pm_bench_begin(unsigned words, unsigned count) {
  d = Device();
  module = {};
  module.words = words;
  module.count = count;
  module.jobs.assign(words * count, 0x5555555555555555);
  module.results.assign(words * count, 0x5555555555555555);
  pm_tb::reset(*d.unit, 8);
}

// 0: bytes that the card has read from memory; 1: that it has written; 2: a register, by its address.
PM_SHOWN unsigned long long pm_bench_count(int what, unsigned address) {
  std::uint32_t value = 0;
  if (what == 2) pm_card::Access(false, address, &value);
  return what == 0 ? d.read_bytes : what == 1 ? d.written_bytes : value;
}
