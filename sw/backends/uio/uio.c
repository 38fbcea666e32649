/* SPDX-License-Identifier: Apache-2.0
 *
 * uio.c: back-end "uio", a core in an FPGA under Linux: registers and interrupts through UIO, jobs and results through
 * an AXI DMA and memory that is not cached.
 *
 * Hardware expected:
 *   - the AXI4-Lite port of the core, mapping 0 of the UIO device `regs`;
 *   - an AXI DMA (dma.h) with scatter-gather engine and streams of 64 bits at the core's ports, mapping 0 of the UIO
 *     device `dma`, whose interrupt is that of both channels; best, its reset output resets the core, so that no packet
 *     of a program that ended is left half sent;
 *   - `buffer`, memory of PM_DMA_MEMORY bytes below 4 GiB, from the kernel module u-dma-buf or reserved memory as a UIO
 *     device; its address on the bus is read from `sysfs`.
 * Settings: regs=/dev/uio0,dma=/dev/uio1,buffer=/dev/udmabuf-pointmill,sysfs=/sys/class,mhz=100 (clock of the core, for
 * time-outs alone).
 *
 * Waiting is for the interrupt of the DMA, and looks after at most 20 ms, in case one got lost. The processor takes an
 * AXI error response as a bus error, so accesses that the core would reject are rejected here, before they are made.
 * This back-end is tested on a simulated DMA (tests/driver/fake_dma.c); it was not run on a board.
 */
#define _GNU_SOURCE /* ppoll */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../src/regs.h"
#include "dma.h"
#include "pm_multicurve_regs.h"

enum { MAP_BYTES = 4096, PATH_BYTES = 128, NAP_NS = 20000000 };

/* A core, and its registers by bits: bit i is the one at address 4 i. */
typedef struct core {
  uint32_t name;
  uint64_t readable, writable;
} core;

#define CORE(PREFIX) {PREFIX##__NAME__VALUE_reset, PREFIX##__readable, PREFIX##__writable}

static const core cores[] = {CORE(PM_EDVERIFY_REGS), CORE(PM_MULTICURVE_REGS), CORE(PM_X25519_REGS)};

typedef struct uio {
  const core *core;
  volatile uint32_t *regs, *dma_regs, *buffer;
  int interrupt; /* the file of the DMA, or -1 */
  uint64_t mhz;
  struct timespec opened;
  pm_dma dma;
} uio;

extern const pm_backend pm_backend_uio;

static const char BUFFER[] = "/dev/udmabuf-pointmill";

static uint32_t load(const volatile uint32_t *base, uint32_t offset) { return base[offset / 4]; }

static void store(volatile uint32_t *base, uint32_t offset, uint32_t value) {
  base[offset / 4] = value;
}

static struct timespec now(void) {
  struct timespec time = {0, 0};
  (void)clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail for this clock */
  return time;
}

/* Cycles of the core between then and now. */
static uint64_t cycles_since(const uio *u, struct timespec then) {
  struct timespec time = now();
  int64_t seconds = (int64_t)(time.tv_sec - then.tv_sec);
  int64_t nanoseconds = (int64_t)(time.tv_nsec - then.tv_nsec);
  uint64_t microseconds = (uint64_t)(seconds * 1000000 + nanoseconds / 1000);
  return microseconds * u->mhz;
}

/* A setting that is a path. */
static pm_error path_of(const char *config, const char *key, const char *otherwise, char path[PATH_BYTES]) {
  bool found = false;
  pm_error error = pm_config_text(config, key, path, PATH_BYTES, &found);
  if (error == PM_OK && !found) {
    (void)snprintf(path, PATH_BYTES, "%s", otherwise);
  }
  return error;
}

/* Maps the file that the setting `key` names. *file: stays open, if not null. */
static pm_error map_device(const char *config, const char *key, const char *otherwise, size_t bytes, int *file,
                           volatile uint32_t **base) {
  char path[PATH_BYTES];
  pm_error error = path_of(config, key, otherwise, path);
  if (error != PM_OK) {
    return error;
  }
  int opened = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (opened < 0) {
    return pm_open_failed(PM_ERR_IO, "%s: %s; is its driver loaded? Name the device by the setting %s=<file>", path,
                          strerror(errno), key);
  }
  void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, opened, 0);
  if (map == MAP_FAILED) {
    error = pm_open_failed(PM_ERR_IO, "%s (setting %s) cannot be mapped: %s", path, key, strerror(errno));
  } else {
    *base = map;
  }
  if (file != NULL) {
    *file = opened;
  } else {
    close(opened);
  }
  return error;
}

/* Address of the buffer on the bus: u-dma-buf and UIO tell it in different files. */
static pm_error buffer_address(const char *config, uint32_t *address) {
  static const char *const forms[] = {"%s/u-dma-buf/%s/phys_addr", "%s/uio/%s/maps/map0/addr"};
  char folder[PATH_BYTES], path[PATH_BYTES], file[2 * PATH_BYTES + 32];
  pm_error error = path_of(config, "sysfs", "/sys/class", folder);
  if (error == PM_OK) {
    error = path_of(config, "buffer", BUFFER, path);
  }
  if (error != PM_OK) {
    return error;
  }
  const char *slash = strrchr(path, '/');
  uint64_t value = 0;
  bool told = false;
  for (size_t i = 0; !told && i < sizeof forms / sizeof forms[0]; i++) {
    (void)snprintf(file, sizeof file, forms[i], folder, slash != NULL ? slash + 1 : path);
    FILE *text = fopen(file, "r");
    if (text != NULL) {
      told = fscanf(text, "%" SCNx64, &value) == 1;
      (void)fclose(text);
    }
  }
  if (!told) {
    return pm_open_failed(PM_ERR_IO, "no address of %s in %s (setting sysfs)", path, folder);
  }
  if (value % MAP_BYTES != 0 || value > UINT32_MAX - PM_DMA_MEMORY) {
    return pm_open_failed(PM_ERR_CONFIG, "%s is at %#" PRIx64 ": a multiple of 4096 below 4 GiB is wanted", path,
                          value);
  }
  *address = (uint32_t)value;
  return PM_OK;
}

static const core *find_core(uint32_t name) {
  for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
    if (cores[i].name == name) {
      return &cores[i];
    }
  }
  return NULL;
}

/* Null where it was not mapped. */
static void unmap(volatile uint32_t *base, size_t bytes) {
  if (base != NULL) {
    munmap((void *)base, bytes);
  }
}

static void uio_close(void *state) {
  uio *u = state;
  if (u->dma.registers != NULL) {
    pm_dma_end(&u->dma);
  }
  unmap(u->regs, MAP_BYTES);
  unmap(u->dma_regs, MAP_BYTES);
  unmap(u->buffer, PM_DMA_MEMORY);
  if (u->interrupt >= 0) {
    close(u->interrupt);
  }
  free(u);
}

/* Everything but the reset of the core. */
static pm_error open_parts(uio *u, const char *config) {
  static const char *const keys[] = {"regs", "dma", "buffer", "sysfs", "mhz", NULL};
  uint32_t address = 0;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) {
    error = pm_config_number(config, "mhz", 10000, &u->mhz);
  }
  if (error == PM_OK && u->mhz == 0) {
    error = pm_open_failed(PM_ERR_CONFIG, "setting mhz=0: the clock of the core in MHz is wanted");
  }
  if (error == PM_OK) {
    error = map_device(config, "regs", "/dev/uio0", MAP_BYTES, NULL, &u->regs);
  }
  if (error == PM_OK) {
    u->core = find_core(load(u->regs, PM_REG_NAME)); /* before anything is written to it */
    error = u->core != NULL ? pm_check_map(u->core->name, load(u->regs, PM_REG_VERSION)) : PM_ERR_DEVICE;
  }
  if (error == PM_OK) {
    error = map_device(config, "dma", "/dev/uio1", MAP_BYTES, &u->interrupt, &u->dma_regs);
  }
  if (error == PM_OK) {
    error = map_device(config, "buffer", BUFFER, PM_DMA_MEMORY, NULL, &u->buffer);
  }
  if (error == PM_OK) {
    error = buffer_address(config, &address);
  }
  return error != PM_OK ? error : pm_dma_begin(&u->dma, u->dma_regs, u->buffer, address);
}

static pm_error uio_open(const char *core_name, const char *config, void **state) {
  (void)core_name; /* the register NAME says it */
  uio *u = calloc(1, sizeof *u);
  if (u == NULL) {
    return PM_ERR_MEMORY;
  }
  u->mhz = 100;
  u->interrupt = -1;
  pm_error error = open_parts(u, config);
  if (error != PM_OK) {
    uio_close(u);
    return error;
  }
  u->opened = now();
  store(u->regs, PM_REG_CTRL, PM_CTRL_SOFT_RESET);
  *state = u;
  return PM_OK;
}

static pm_error uio_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  return pm_dma_send(&((uio *)state)->dma, bytes, length, last, taken);
}

static pm_error uio_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  return pm_dma_recv(&((uio *)state)->dma, bytes, capacity, length, last);
}

static pm_error uio_reg_read(void *state, uint32_t address, uint32_t *value) {
  uio *u = state;
  if (!pm_reg_in(u->core->readable, address)) {
    return PM_ERR_BUS;
  }
  *value = load(u->regs, address);
  return PM_OK;
}

static pm_error uio_reg_write(void *state, uint32_t address, uint32_t value) {
  uio *u = state;
  bool busy = (load(u->regs, PM_REG_STATUS) & PM_STATUS_BUSY) != 0;
  if (!pm_reg_in(u->core->writable, address) || (address == PM_REG_COUNT_CLEAR && busy)) {
    return PM_ERR_BUS;
  }
  store(u->regs, address, value);
  return PM_OK;
}

/* Enables the interrupt, which the kernel disabled when it came, and waits for it. */
static pm_error wait_interrupt(const uio *u, uint64_t cycles) {
  const uint32_t enable = 1;
  uint32_t count = 0;
  uint64_t wanted = cycles < u->mhz * 1000000 ? cycles * 1000 / u->mhz : NAP_NS;
  struct timespec nap = {0, wanted < NAP_NS ? (long)wanted : NAP_NS};
  struct pollfd event = {.fd = u->interrupt, .events = POLLIN};
  if (write(u->interrupt, &enable, sizeof enable) != (ssize_t)sizeof enable) {
    return PM_ERR_IO;
  }
  int ready = ppoll(&event, 1, &nap, NULL);
  if (ready < 0) {
    return errno == EINTR ? PM_OK : PM_ERR_IO;
  }
  return ready == 0 || read(u->interrupt, &count, sizeof count) == (ssize_t)sizeof count ? PM_OK : PM_ERR_IO;
}

static pm_error uio_advance(void *state, uint64_t cycles, uint64_t *spent) {
  uio *u = state;
  struct timespec before = now();
  bool moved = false;
  pm_error error = pm_dma_look(&u->dma, &moved);
  if (error == PM_OK && !moved) {
    error = wait_interrupt(u, cycles);
  }
  uint64_t passed = cycles_since(u, before) + 1;
  *spent = passed < cycles ? passed : cycles;
  return error;
}

static uint64_t uio_elapsed(void *state) {
  uio *u = state;
  return cycles_since(u, u->opened);
}

const pm_backend pm_backend_uio = {
    .name = "uio",
    .open = uio_open,
    .close = uio_close,
    .send = uio_send,
    .recv = uio_recv,
    .reg_read = uio_reg_read,
    .reg_write = uio_reg_write,
    .advance = uio_advance,
    .elapsed = uio_elapsed,
};
