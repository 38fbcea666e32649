/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_uio.c: back-end of `mpu` for Linux UIO.
 *
 * Mapping 0 of the device are the registers, mapping 1 the operand memory, and its interrupt is the core's line. The
 * processor takes an AXI error response as a bus error, which ends the program: accesses to registers that an idle
 * core rejects are rejected here, before they are made. Programs do not know where on the bus their memory is, so there
 * are no transfers. This back-end is compiled and run on a file in CI; it was not run on a board.
 */
#define _POSIX_C_SOURCE 200809L

#include "pm_mpu_uio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../src/backend.h"
#include "../src/regs.h"
#include "pm_mpu_regs.h"

enum { REGISTER_BYTES = 4096, MEMORY_BYTES = 4096, SLEEP_NS = 20000, NS_PER_MS = 1000000 };

static pm_error uio_read32(void *state, uint32_t address, uint32_t *value) {
  const pm_mpu_uio *uio = state;
  if (!pm_reg_in(PM_MPU_REGS__readable, address)) {
    return PM_ERR_BUS;
  }
  *value = uio->registers[address / 4];
  return PM_OK;
}

static pm_error uio_write32(void *state, uint32_t address, uint32_t value) {
  const pm_mpu_uio *uio = state;
  if (!pm_reg_in(PM_MPU_REGS__writable, address)) {
    return PM_ERR_BUS;
  }
  uio->registers[address / 4] = value;
  return PM_OK;
}

static pm_error uio_copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  const pm_mpu_uio *uio = state;
  for (size_t i = 0; i < count; i++) {
    uio->memory[address / 4 + i] = words[i];
  }
  return PM_OK;
}

static pm_error uio_copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  const pm_mpu_uio *uio = state;
  for (size_t i = 0; i < count; i++) {
    words[i] = uio->memory[address / 4 + i];
  }
  return PM_OK;
}

/* Enables the interrupt and waits for it. */
static pm_error wait_interrupt(const pm_mpu_uio *uio, int milliseconds) {
  const uint32_t enable = 1;
  uint32_t count = 0;
  if (write(uio->file, &enable, sizeof enable) != (ssize_t)sizeof enable) {
    return PM_ERR_IO;
  }
  struct pollfd event = {.fd = uio->file, .events = POLLIN};
  int ready = poll(&event, 1, milliseconds);
  if (ready < 0) {
    return errno == EINTR ? PM_OK : PM_ERR_IO; /* after a signal to the program the driver waits again */
  }
  return ready == 0 || read(uio->file, &count, sizeof count) == (ssize_t)sizeof count ? PM_OK : PM_ERR_IO;
}

static pm_error uio_wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  const pm_mpu_uio *uio = state;
  struct timespec before = {0, 0}, after = {0, 0};
  pm_error error = PM_OK;
  (void)clock_gettime(CLOCK_MONOTONIC, &before); /* cannot fail for this clock */
  if (interrupt) {
    error = wait_interrupt(uio, (int)(cycles * 1000 / uio->mhz / NS_PER_MS) + 1);
  } else {
    (void)nanosleep(&(struct timespec){.tv_nsec = SLEEP_NS}, NULL); /* shorter is allowed */
  }
  (void)clock_gettime(CLOCK_MONOTONIC, &after);
  int64_t nanoseconds = (int64_t)(after.tv_sec - before.tv_sec) * 1000 * NS_PER_MS +
                        (int64_t)(after.tv_nsec - before.tv_nsec);
  *spent = (uint64_t)nanoseconds * uio->mhz / 1000 + 1;
  return error;
}

const pm_mpu_backend pm_mpu_uio_backend = {.read32 = uio_read32,
                                           .write32 = uio_write32,
                                           .copy_in = uio_copy_in,
                                           .copy_out = uio_copy_out,
                                           .wait = uio_wait};

/* Mapping `index` of a UIO device is at this many pages. */
static volatile uint32_t *map(int file, int index, size_t bytes) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                  (off_t)index * (off_t)sysconf(_SC_PAGESIZE));
  return at == MAP_FAILED ? NULL : at;
}

void pm_mpu_uio_close(pm_mpu_uio *uio) {
  if (uio->registers != NULL) {
    munmap((void *)uio->registers, REGISTER_BYTES);
  }
  if (uio->memory != NULL) {
    munmap((void *)uio->memory, MEMORY_BYTES);
  }
  if (uio->file >= 0) {
    close(uio->file);
  }
}

pm_error pm_mpu_uio_open(pm_mpu_uio *uio, const char *path, uint32_t mhz) {
  *uio = (pm_mpu_uio){.file = -1, .mhz = mhz};
  pm_open_begin();
  if (mhz == 0) {
    return pm_open_failed(PM_ERR_ARGUMENT, "setting mhz=0: the clock of the core in MHz is wanted");
  }
  uio->file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (uio->file < 0) {
    return pm_open_failed(PM_ERR_IO, "%s: %s; is the UIO driver loaded? Name the device by the setting device=<file>",
                          path, strerror(errno));
  }
  uio->registers = map(uio->file, 0, REGISTER_BYTES);
  uio->memory = map(uio->file, 1, MEMORY_BYTES);
  if (uio->registers == NULL || uio->memory == NULL) {
    pm_error error = pm_open_failed(PM_ERR_IO, "%s (setting device) cannot be mapped: %s", path, strerror(errno));
    pm_mpu_uio_close(uio);
    return error;
  }
  return PM_OK;
}
