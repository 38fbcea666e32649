// SPDX-License-Identifier: Apache-2.0
//
// litepcie_device.cpp: a card behind litepcie_file.h: in place of LitePCIe's DMA, with the verilated bridge behind it.
//
// As LitePCIe does, the reader goes round and round the buffers of jobs and reads ahead as far as it has memory; the
// writer goes round those of results. Neither looks at what the driver has read or written.
//
// A fault strikes one buffer: of the reader the n-th that has jobs, of the writer the n-th.

#include "dv/lib/pcie/litepcie_file.h"

#include <deque>
#include <memory>
#include <random>

#include "Vpm_pcie_system.h"
#include "dv/common/pm_tb_clock.h"

using pm_card::module;

namespace {

constexpr std::uint32_t kBase = 0xf0010000;
constexpr std::uint64_t kMagicJobs = 0x4a4c4d50;

enum Kind { kLose, kDouble, kDamage, kDelay };

struct Fault {
  int kind = -1, at = 0;
};

struct Device {
  std::unique_ptr<Vpm_pcie_system> unit = std::make_unique<Vpm_pcie_system>();
  std::mt19937_64 random{1};
  std::uint64_t late_until = 0, reader_until = 0;
  std::size_t prefetch = 256;                          // words read ahead
  unsigned pause = 20;                                 // percent of cycles in which a stream stands still
  std::size_t lag = 40;                                // cycles until a word is in memory
  bool running = false, gone = false;
  // reader
  std::deque<std::uint64_t> ahead;
  std::size_t read_word = 0;
  bool repeat = false;
  int frames = 0;
  // writer
  struct Word {
    std::uint64_t at, due, data;
    bool dropped;
  };
  std::deque<Word> flying;
  std::vector<std::uint64_t> buffer;
  std::uint64_t write_word = 0;
  int buffers = 0;
  Fault reader_fault, writer_fault;
  int struck = 0;
  std::size_t damaged_word = 0;
  int damaged_bit = 0;
};

Device d;

// The driver starts and stops both channels, the writer first.
void StartStop(bool enable) {
  d.running = enable;
  d.ahead.clear();
  d.read_word = 0;
  d.write_word = 0;
  d.flying.clear();
  d.buffer.clear();
  d.repeat = false;
}

bool Strikes(const Fault& fault, int kind, int at) { return fault.kind == kind && fault.at == at; }

// Reads a word of the buffers of jobs, if there is memory for it.
void ReadAhead() {
  if (!d.running || d.ahead.size() >= d.prefetch || module.cycle < d.reader_until) return;
  std::size_t total = module.words * module.count, at = d.read_word % total;
  if (at % module.words == 0 && (module.jobs[at] & 0xffffffff) == kMagicJobs && !d.repeat) {
    int number = d.frames++;
    if (d.reader_fault.at == number && d.reader_fault.kind >= 0) d.struck++;
    if (Strikes(d.reader_fault, kLose, number)) {
      d.read_word += module.words;
      return;
    }
    if (Strikes(d.reader_fault, kDamage, number)) {
      d.damaged_word = at + d.random() % 4;
      d.damaged_bit = static_cast<int>(d.random() % 64);
    }
    if (Strikes(d.reader_fault, kDelay, number)) d.reader_until = module.cycle + 30000;
  }
  std::uint64_t word = module.jobs[at];
  if (d.reader_fault.kind == kDamage && d.reader_fault.at == d.frames - 1 && at == d.damaged_word) {
    word ^= std::uint64_t{1} << d.damaged_bit;
  }
  d.ahead.push_back(word);
  d.read_word++;
  if (d.read_word % module.words == 0) {
    bool again = d.reader_fault.kind == kDouble && d.reader_fault.at == d.frames - 1 && !d.repeat &&
                 (module.jobs[at - (module.words - 1)] & 0xffffffff) == kMagicJobs;
    d.repeat = again;
    if (again) d.read_word -= module.words;
  }
}

// A whole buffer of results is on its way to memory.
void Send(std::uint64_t due, bool dropped) {
  for (std::size_t i = 0; i < module.words; i++) {
    d.flying.push_back({d.write_word % (module.words * module.count), due + i, d.buffer[i], dropped});
    d.write_word++;
  }
}

void Written(std::uint64_t word) {
  d.buffer.push_back(word);
  if (d.buffer.size() < module.words) return;
  int number = d.buffers++;
  if (d.writer_fault.at == number && d.writer_fault.kind >= 0) d.struck++;
  if (Strikes(d.writer_fault, kDamage, number)) {
    // In what the CRC has to find: the first pair, which is a beat, or the last one.
    std::size_t at = std::vector<std::size_t>{0, 1, module.words - 2, module.words - 1}[d.random() % 4];
    d.buffer[at] ^= std::uint64_t{1} << d.random() % (at == 0 ? 9 : 64);
  }
  if (Strikes(d.writer_fault, kDelay, number)) d.late_until = module.cycle + 30000;
  std::uint64_t due = (d.late_until > module.cycle ? d.late_until : module.cycle) + d.lag;
  Send(due, Strikes(d.writer_fault, kLose, number));
  if (Strikes(d.writer_fault, kDouble, number)) Send(due, false);
  d.buffer.clear();
}

bool Flows() { return d.random() % 100 >= d.pause; }

}  // namespace

void pm_card::Cycle() {
  Vpm_pcie_system& u = *d.unit;
  bool stands = u.s_valid_i && !u.s_ready_o;
  u.s_valid_i = !d.ahead.empty() && (stands || Flows());
  u.s_data_i = d.ahead.empty() ? 0 : d.ahead.front();
  u.m_ready_i = Flows();
  u.eval();
  bool read = u.s_valid_i && u.s_ready_o, written = u.m_valid_o && u.m_ready_i;
  std::uint64_t word = u.m_data_o;
  pm_tb::tick(u);
  if (read) d.ahead.pop_front();
  if (written && d.running) Written(word);
  ReadAhead();
  for (; !d.flying.empty() && d.flying.front().due <= module.cycle; d.flying.pop_front()) {
    const Device::Word& one = d.flying.front();
    if (!one.dropped) module.results[one.at] = one.data;
  }
  module.cycle++;
}

// One that has no response reads as all ones.
void pm_card::Access(bool write, std::uint32_t address, std::uint32_t* value) {
  Vpm_pcie_system& u = *d.unit;
  if (d.gone) {
    *value = ~0u;
    return;
  }
  if (address < kBase || address - kBase >= 0x1000) {
    *value = 0;
    return;
  }
  u.s_axil_awvalid = u.s_axil_wvalid = write;
  u.s_axil_arvalid = !write;
  u.s_axil_awaddr = u.s_axil_araddr = static_cast<std::uint16_t>(address - kBase);
  u.s_axil_wdata = *value;
  u.s_axil_wstrb = 15;
  u.s_axil_bready = u.s_axil_rready = 1;
  u.eval();
  while (!(write ? u.s_axil_awready && u.s_axil_wready : u.s_axil_arready)) Cycle();
  Cycle();
  u.s_axil_awvalid = u.s_axil_wvalid = u.s_axil_arvalid = 0;
  u.eval();
  while (!(write ? u.s_axil_bvalid : u.s_axil_rvalid)) Cycle();
  *value = u.s_axil_rdata;
  Cycle();
}

void pm_card::Channel(bool writer, bool enable) {
  if (!writer) StartStop(enable && !d.gone);
}

// ---- what a test says -------------------------------------------------------------------------------------------

// Before a device is opened: a new card, with buffers of so many words, so many of them, and memory for `prefetch`.
PM_SHOWN void pm_bench_begin(unsigned words, unsigned count, unsigned prefetch, unsigned pause, unsigned seed) {
  d = Device();
  module = {};
  module.words = words;
  module.count = count;
  d.prefetch = prefetch;
  d.pause = pause;
  d.random.seed(seed);
  module.jobs.resize(module.words * module.count);
  module.results.resize(module.words * module.count);
  for (std::vector<std::uint64_t>* memory : {&module.jobs, &module.results}) {
    for (std::uint64_t& word : *memory) word = d.random();
  }
  pm_tb::reset(*d.unit);
}

// The fault that is to come.
PM_SHOWN void pm_bench_fault(int writer, int kind, int at) {
  (writer != 0 ? d.writer_fault : d.reader_fault) = {kind, at};
}

// The card is pulled out.
PM_SHOWN void pm_bench_unplug() {
  d.gone = true;
  d.running = false;
}

// A register of the bridge.
PM_SHOWN unsigned pm_bench_read(unsigned address) {
  std::uint32_t value = 0;
  pm_card::Access(false, kBase + address, &value);
  return value;
}

// 0: faults that struck; 1: buffers of results sent; 2: buffers with jobs read; 3: words of job memory that are not 0;
// 4: of result memory; 5: whether a file holds the channels; 6: cycles.
PM_SHOWN unsigned long long pm_bench_count(int what) {
  auto used = [](const std::vector<std::uint64_t>& memory) {
    unsigned long long sum = 0;
    for (std::uint64_t word : memory) sum += word != 0;
    return sum;
  };
  switch (what) {
    case 0: return static_cast<unsigned long long>(d.struck);
    case 1: return static_cast<unsigned long long>(d.buffers);
    case 2: return static_cast<unsigned long long>(d.frames);
    case 3: return used(module.jobs);
    case 4: return used(module.results);
    case 5: return module.owner >= 0;
    default: return module.cycle;
  }
}
