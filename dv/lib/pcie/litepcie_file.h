// SPDX-License-Identifier: Apache-2.0
//
// litepcie_file.h: the character device of LitePCIe's kernel module, for a program that is linked with the driver by
// --wrap of the calls below and has a simulated card. The file is PM_FILE; time is that of the simulated clock, which
// runs in register accesses and naps. Written from the description of the interface in docs/pcie.md.

#ifndef PM_LITEPCIE_FILE_H
#define PM_LITEPCIE_FILE_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <set>
#include <vector>

#define PM_FILE "/dev/litepcie-bench"
#define PM_SHOWN extern "C" __attribute__((visibility("default")))

extern "C" {
int __real_open(const char* path, int flags, ...);
int __real_close(int file);
int __real_ioctl(int file, unsigned long request, ...);
void* __real_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset);
int __real_munmap(void* at, size_t bytes);
}

namespace pm_card {

constexpr int kCycleNs = 10;

// What the kernel module has; the card is elsewhere.
struct Module {
  std::vector<std::uint64_t> jobs, results;
  std::size_t words = 64, count = 32;  // of a buffer; of buffers
  std::uint64_t cycle = 0;
  int owner = -1;  // the file that holds both channels
};

inline Module module;
inline std::set<int> files;  // of open()

// The card: an access through BAR0, the channel of the writer or of the reader, a cycle of the clock.
void Access(bool write, std::uint32_t address, std::uint32_t* value);
void Channel(bool writer, bool enable);
void Cycle();

}  // namespace pm_card

extern "C" {

int __wrap_open(const char* path, int flags, ...) {
  if (std::strcmp(path, PM_FILE) == 0) return *pm_card::files.insert(__real_open("/dev/null", flags)).first;
  va_list more;
  va_start(more, flags);
  int mode = va_arg(more, int);
  va_end(more);
  return __real_open(path, flags, mode);
}

int __wrap_close(int file) {
  using namespace pm_card;
  if (file == module.owner) {
    Channel(false, false);
    Channel(true, false);
    module.owner = -1;
  }
  files.erase(file);
  return __real_close(file);
}

int __wrap_ioctl(int file, unsigned long request, void* argument) {
  using namespace pm_card;
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
    case 22:
      Channel((request & 0xff) == 21, bytes[0] != 0);
      return 0;
    case 24: {
      std::uint64_t total = module.words * module.count * 8;
      const std::uint64_t info[] = {0, module.words * 8, module.count, total, module.words * 8, module.count};
      std::memcpy(bytes, info, sizeof info);
      return 0;
    }
    case 25:
      bytes[4] = bytes[5] = module.owner < 0;
      if (module.owner < 0) module.owner = file;
      return 0;
    default: return -1;
  }
}

void* __wrap_mmap(void* at, size_t bytes, int protection, int flags, int file, off_t offset) {
  using namespace pm_card;
  if (files.count(file) == 0) return __real_mmap(at, bytes, protection, flags, file, offset);
  bool placed = offset == 0 || static_cast<size_t>(offset) == bytes;
  if (bytes != module.words * module.count * 8 || !placed) return MAP_FAILED;
  return offset == 0 ? module.jobs.data() : module.results.data();
}

int __wrap_munmap(void* at, size_t bytes) {
  using namespace pm_card;
  return at == module.jobs.data() || at == module.results.data() ? 0 : __real_munmap(at, bytes);
}

int __wrap_nanosleep(const struct timespec* time, struct timespec*) {
  for (long i = 0; i < time->tv_nsec / pm_card::kCycleNs; i++) pm_card::Cycle();
  return 0;
}

int __wrap_clock_gettime(clockid_t, struct timespec* time) {
  std::uint64_t ns = (pm_card::module.cycle + 1) * pm_card::kCycleNs;
  time->tv_sec = static_cast<time_t>(ns / 1000000000);
  time->tv_nsec = static_cast<long>(ns % 1000000000);
  return 0;
}

}  // extern "C"

#endif
