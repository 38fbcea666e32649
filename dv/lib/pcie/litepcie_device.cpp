// SPDX-License-Identifier: Apache-2.0
//
// litepcie_device.cpp: in place of LitePCIe's kernel module and DMA, with the verilated bridge behind it. Linked with
// the driver by --wrap of the calls below, it takes the file PM_FILE; time is that of the simulated clock, which runs
// in register accesses and naps.
//
// As LitePCIe does, the reader goes round and round the buffers of jobs and reads ahead as far as it has memory; the
// writer goes round those of results. Neither looks at what the driver has read or written. Written from the
// description of the interface in docs/pcie.md.
//
// A fault strikes one buffer: of the reader the n-th that has jobs, of the writer the n-th.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "Vpm_pcie_system.h"
#include "dv/common/pm_tb_clock.h"

#define PM_FILE "/dev/litepcie-bench"
#define PM_SHOWN extern "C" __attribute__((visibility("default")))

extern "C" {
int __real_open(const char* path, int flags, ...);
int __real_close(int file);
int __real_ioctl(int file, unsigned long request, ...);
void* __real_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void* at, size_t bytes);
}

namespace {

constexpr std::uint32_t kBase = 0xf0010000;
constexpr std::uint64_t kMagicJobs = 0x4a4c4d50;
constexpr int kCycleNs = 10;

enum Kind { kLose, kDouble, kDamage, kDelay };

struct Fault {
  int kind = -1, at = 0;
};

struct Device {
  std::unique_ptr<Vpm_pcie_system> unit = std::make_unique<Vpm_pcie_system>();
  std::mt19937_64 random{1};
  std::vector<std::uint64_t> jobs, results;
  std::uint64_t cycle = 0, late_until = 0, reader_until = 0;
  std::size_t words = 64, count = 32, prefetch = 256;  // words read ahead
  unsigned pause = 20;                                 // percent of cycles in which a stream stands still
  std::size_t lag = 40;                                // cycles until a word is in memory
  bool running = false, gone = false;
  int owner = -1;  // the file that holds both channels
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
std::set<int> files;  // of open()

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
  if (!d.running || d.ahead.size() >= d.prefetch || d.cycle < d.reader_until) return;
  std::size_t total = d.words * d.count, at = d.read_word % total;
  if (at % d.words == 0 && (d.jobs[at] & 0xffffffff) == kMagicJobs && !d.repeat) {
    int number = d.frames++;
    if (d.reader_fault.at == number && d.reader_fault.kind >= 0) d.struck++;
    if (Strikes(d.reader_fault, kLose, number)) {
      d.read_word += d.words;
      return;
    }
    if (Strikes(d.reader_fault, kDamage, number)) {
      d.damaged_word = at + d.random() % 4;
      d.damaged_bit = static_cast<int>(d.random() % 64);
    }
    if (Strikes(d.reader_fault, kDelay, number)) d.reader_until = d.cycle + 30000;
  }
  std::uint64_t word = d.jobs[at];
  if (d.reader_fault.kind == kDamage && d.reader_fault.at == d.frames - 1 && at == d.damaged_word) {
    word ^= std::uint64_t{1} << d.damaged_bit;
  }
  d.ahead.push_back(word);
  d.read_word++;
  if (d.read_word % d.words == 0) {
    bool again = d.reader_fault.kind == kDouble && d.reader_fault.at == d.frames - 1 && !d.repeat &&
                 (d.jobs[at - (d.words - 1)] & 0xffffffff) == kMagicJobs;
    d.repeat = again;
    if (again) d.read_word -= d.words;
  }
}

// A whole buffer of results is on its way to memory.
void Send(std::uint64_t due, bool dropped) {
  for (std::size_t i = 0; i < d.words; i++) {
    d.flying.push_back({d.write_word % (d.words * d.count), due + i, d.buffer[i], dropped});
    d.write_word++;
  }
}

void Written(std::uint64_t word) {
  d.buffer.push_back(word);
  if (d.buffer.size() < d.words) return;
  int number = d.buffers++;
  if (d.writer_fault.at == number && d.writer_fault.kind >= 0) d.struck++;
  if (Strikes(d.writer_fault, kDamage, number)) {
    // In what the CRC has to find: the first pair, which is a beat, or the last one.
    std::size_t at = std::vector<std::size_t>{0, 1, d.words - 2, d.words - 1}[d.random() % 4];
    d.buffer[at] ^= std::uint64_t{1} << d.random() % (at == 0 ? 9 : 64);
  }
  if (Strikes(d.writer_fault, kDelay, number)) d.late_until = d.cycle + 30000;
  std::uint64_t due = (d.late_until > d.cycle ? d.late_until : d.cycle) + d.lag;
  Send(due, Strikes(d.writer_fault, kLose, number));
  if (Strikes(d.writer_fault, kDouble, number)) Send(due, false);
  d.buffer.clear();
}

bool Flows() { return d.random() % 100 >= d.pause; }

void Cycle() {
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
  for (; !d.flying.empty() && d.flying.front().due <= d.cycle; d.flying.pop_front()) {
    const Device::Word& one = d.flying.front();
    if (!one.dropped) d.results[one.at] = one.data;
  }
  d.cycle++;
}

// An access through BAR0; one that has no response reads as all ones.
void Access(bool write, std::uint32_t address, std::uint32_t* value) {
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

}  // namespace

// ---- what a test says -------------------------------------------------------------------------------------------

// Before a device is opened: a new card, with buffers of so many words, so many of them, and memory for `prefetch`.
PM_SHOWN void pm_bench_begin(unsigned words, unsigned count, unsigned prefetch, unsigned pause, unsigned seed) {
  d = Device();
  d.words = words;
  d.count = count;
  d.prefetch = prefetch;
  d.pause = pause;
  d.random.seed(seed);
  d.jobs.resize(d.words * d.count);
  d.results.resize(d.words * d.count);
  for (std::vector<std::uint64_t>* memory : {&d.jobs, &d.results}) {
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
  Access(false, kBase + address, &value);
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
    case 3: return used(d.jobs);
    case 4: return used(d.results);
    case 5: return d.owner >= 0;
    default: return d.cycle;
  }
}

// ---- the calls of the system ------------------------------------------------------------------------------------

extern "C" {

int __wrap_open(const char* path, int flags, ...) {
  if (std::strcmp(path, PM_FILE) == 0) return *files.insert(__real_open("/dev/null", flags)).first;
  va_list more;
  va_start(more, flags);
  int mode = va_arg(more, int);
  va_end(more);
  return __real_open(path, flags, mode);
}

int __wrap_close(int file) {
  if (file == d.owner) {
    StartStop(false);
    d.owner = -1;
  }
  files.erase(file);
  return __real_close(file);
}

int __wrap_ioctl(int file, unsigned long request, void* argument) {
  if (files.count(file) == 0) return __real_ioctl(file, request, argument);
  auto* bytes = static_cast<std::uint8_t*>(argument);
  if ((request >> 8 & 0xff) != 'S') return -1;
  switch (request & 0xff) {
    case 0: {
      std::uint32_t address, value;
      std::memcpy(&address, bytes, 4);
      std::memcpy(&value, bytes + 4, 4);
      Access(bytes[8] != 0, address, &value);
      std::memcpy(bytes + 4, &value, 4);
      return 0;
    }
    case 21:
    case 22:  // the driver starts and stops both, the writer first
      if ((request & 0xff) == 22) StartStop(bytes[0] != 0 && !d.gone);
      return 0;
    case 24: {
      std::uint64_t total = d.words * d.count * 8;
      const std::uint64_t info[] = {0, d.words * 8, d.count, total, d.words * 8, d.count};
      std::memcpy(bytes, info, sizeof info);
      return 0;
    }
    case 25:
      bytes[4] = bytes[5] = d.owner < 0;
      if (d.owner < 0) d.owner = file;
      return 0;
    default: return -1;
  }
}

void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  if (files.count(file) == 0) return __real_mmap(at, bytes, protection, flags, file, offset);
  if (bytes != d.words * d.count * 8 || (offset != 0 && static_cast<size_t>(offset) != bytes)) return MAP_FAILED;
  return offset == 0 ? d.jobs.data() : d.results.data();
}

int __wrap_munmap(void* at, size_t bytes) {
  return at == d.jobs.data() || at == d.results.data() ? 0 : __real_munmap(at, bytes);
}

int __wrap_nanosleep(const struct timespec* time, struct timespec*) {
  for (long i = 0; i < time->tv_nsec / kCycleNs; i++) Cycle();
  return 0;
}

int __wrap_clock_gettime(clockid_t, struct timespec* time) {
  std::uint64_t ns = (d.cycle + 1) * kCycleNs;
  time->tv_sec = static_cast<time_t>(ns / 1000000000);
  time->tv_nsec = static_cast<long>(ns % 1000000000);
  return 0;
}

}  // extern "C"
