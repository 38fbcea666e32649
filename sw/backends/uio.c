/* SPDX-License-Identifier: Apache-2.0
 *
 * uio.c: back-end "uio", a core in an FPGA under Linux, reached through two UIO devices.
 *
 * Hardware expected:
 *   - the AXI4-Lite port of the core, mapping 0 of the UIO device `regs`;
 *   - an AXI4-Stream FIFO (AMD/Xilinx LogiCORE, product guide PG080) with AXI4-Lite data interface,
 *     32-bit streams with TKEEP, mapping 0 of the UIO device `fifo`; its transmit stream goes to
 *     the job port and the result port to its receive stream, each through a 32/64-bit stream width
 *     converter. Without "transmit cut-through" a job (104 bytes and the message) must fit the
 *     transmit FIFO; a longer one is never taken and ends in a time-out.
 * Settings: regs=/dev/uio0,fifo=/dev/uio1,mhz=100 (clock of the core, for time-outs alone).
 *
 * The processor takes an AXI error response as a bus error, so accesses that the core would reject
 * are rejected here, before they are made. Waiting is polling with short sleeps; interrupts are not
 * used. This back-end is compiled and its opening is tested in CI; it was not run on a board.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../src/backend.h"
#include "../src/regs.h"
#include "pm_multicurve_regs.h"

enum {
  MAP_BYTES = 4096,
  PATH_BYTES = 128,
  SLEEP_NS = 20000,
  /* registers of the FIFO */
  FIFO_TDFV = 0x0c, /* free words, transmit */
  FIFO_TDFD = 0x10, /* data, transmit */
  FIFO_TLR = 0x14,  /* bytes of the packet; ends it */
  FIFO_RDFO = 0x1c, /* words there, receive */
  FIFO_RDFD = 0x20, /* data, receive */
  FIFO_RLR = 0x24,  /* bytes of the packet */
  FIFO_SRR = 0x28,  /* reset */
  FIFO_RESET_KEY = 0xa5,
  FIFO_LENGTH_MASK = 0x7fffff
};

/* A core, and its registers by bits: bit i is the one at address 4 i. */
typedef struct core {
  uint32_t name;
  uint64_t readable, writable;
} core;

#define CORE(PREFIX) {PREFIX##__NAME__VALUE_reset, PREFIX##__readable, PREFIX##__writable}

static const core cores[] = {CORE(PM_EDVERIFY_REGS), CORE(PM_MULTICURVE_REGS), CORE(PM_X25519_REGS)};

typedef struct uio {
  const core *core;
  volatile uint32_t *regs, *fifo;
  uint64_t mhz;
  struct timespec opened;
  size_t sent;       /* bytes of the job packet under way */
  size_t to_receive; /* bytes of the result packet under way */
} uio;

extern const pm_backend pm_backend_uio;

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

/* Maps a UIO device; `key` is the setting that names it. */
static pm_error map_device(const char *key, const char *path, volatile uint32_t **base) {
  int file = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
  if (file < 0) {
    return pm_open_failed(PM_ERR_IO, "%s: %s; is the UIO driver loaded? Name the device by the setting %s=<file>", path,
                          strerror(errno), key);
  }
  void *map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (map == MAP_FAILED) {
    return pm_open_failed(PM_ERR_IO, "%s (setting %s) cannot be mapped: %s", path, key, strerror(errno));
  }
  *base = map;
  return PM_OK;
}

static void uio_close(void *state) {
  uio *u = state;
  if (u->regs != NULL) {
    munmap((void *)u->regs, MAP_BYTES);
  }
  if (u->fifo != NULL) {
    munmap((void *)u->fifo, MAP_BYTES);
  }
  free(u);
}

static pm_error map_named(const char *config, const char *key, const char *otherwise,
                          volatile uint32_t **base) {
  char path[PATH_BYTES];
  bool found = false;
  pm_error error = pm_config_text(config, key, path, sizeof path, &found);
  return error != PM_OK ? error : map_device(key, found ? path : otherwise, base);
}

static const core *find_core(uint32_t name) {
  for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
    if (cores[i].name == name) {
      return &cores[i];
    }
  }
  return NULL;
}

static pm_error uio_open(const char *core_name, const char *config, void **state) {
  static const char *const keys[] = {"regs", "fifo", "mhz", NULL};
  (void)core_name; /* the register NAME says it */
  uio *u = calloc(1, sizeof *u);
  if (u == NULL) {
    return PM_ERR_MEMORY;
  }
  u->mhz = 100;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) {
    error = pm_config_number(config, "mhz", 10000, &u->mhz);
  }
  if (error == PM_OK && u->mhz == 0) {
    error = pm_open_failed(PM_ERR_CONFIG, "setting mhz=0: the clock of the core in MHz is wanted");
  }
  if (error == PM_OK) {
    error = map_named(config, "regs", "/dev/uio0", &u->regs);
  }
  if (error == PM_OK) {
    u->core = find_core(load(u->regs, PM_REG_NAME));
    error = u->core != NULL ? PM_OK : PM_ERR_DEVICE; /* before anything is written to it */
  }
  if (error == PM_OK) {
    error = map_named(config, "fifo", "/dev/uio1", &u->fifo);
  }
  if (error != PM_OK) {
    uio_close(u);
    return error;
  }
  u->opened = now();
  store(u->regs, PM_REG_CTRL, PM_CTRL_SOFT_RESET);
  store(u->fifo, FIFO_SRR, FIFO_RESET_KEY);
  *state = u;
  return PM_OK;
}

static pm_error uio_send(void *state, const uint8_t *bytes, size_t length, bool last,
                         size_t *taken) {
  uio *u = state;
  size_t room = (size_t)load(u->fifo, FIFO_TDFV) * 4;
  size_t n = length <= room ? length : room / 8 * 8;
  for (size_t i = 0; i < n; i += 4) {
    uint32_t word = 0;
    for (size_t j = 0; j < 4 && i + j < n; j++) {
      word |= (uint32_t)bytes[i + j] << (8 * j);
    }
    store(u->fifo, FIFO_TDFD, word);
  }
  u->sent += n;
  if (last && n == length) {
    store(u->fifo, FIFO_TLR, (uint32_t)u->sent);
    u->sent = 0;
  }
  *taken = n;
  return PM_OK;
}

static pm_error uio_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length,
                         bool *last) {
  uio *u = state;
  *length = 0;
  if (u->to_receive == 0) {
    if (load(u->fifo, FIFO_RDFO) == 0) {
      return PM_OK;
    }
    u->to_receive = load(u->fifo, FIFO_RLR) & FIFO_LENGTH_MASK;
  }
  while (u->to_receive != 0 && *length + 4 <= capacity) {
    uint32_t word = load(u->fifo, FIFO_RDFD);
    size_t n = u->to_receive < 4 ? u->to_receive : 4;
    for (size_t j = 0; j < n; j++) {
      bytes[(*length)++] = (uint8_t)(word >> (8 * j));
    }
    u->to_receive -= n;
  }
  *last = u->to_receive == 0;
  return PM_OK;
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

static pm_error uio_advance(void *state, uint64_t cycles, uint64_t *spent) {
  uio *u = state;
  struct timespec before = now();
  uint64_t wanted = cycles < u->mhz * 1000000 ? cycles * 1000 / u->mhz : SLEEP_NS;
  struct timespec nap = {0, wanted < SLEEP_NS ? (long)wanted : SLEEP_NS};
  (void)nanosleep(&nap, NULL); /* an early return does no harm */
  uint64_t passed = cycles_since(u, before) + 1;
  *spent = passed < cycles ? passed : cycles;
  return PM_OK;
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
