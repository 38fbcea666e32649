/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_dma.c: see fake_dma.h. Registers and descriptors are those of AMD PG021, written down a second time.
 */
#define _GNU_SOURCE

#include "fake_dma.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../sw/backends/uio/dma.h"
#include "../../sw/src/regs.h"

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int file, void *bytes, size_t length);
ssize_t __real_write(int file, const void *bytes, size_t length);
int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_read(int file, void *bytes, size_t length);
ssize_t __wrap_write(int file, const void *bytes, size_t length);
int __wrap_ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const void *mask);
int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);

enum { PAGE = 4096, CYCLE_NS = 10, STEP = 50 /* cycles */, PATHS = 512, MOST_WAITS = 100000 };

typedef struct channel {
  uint32_t base, tail, current, status, offset;
  bool active;
} channel;

fake_dma fake;

extern const pm_backend pm_backend_fake;

static volatile uint32_t *registers, *dma, *memory;
static uint32_t memory_at;
static void *core;
static channel channels[2];
static char dma_path[PATHS], settings[4 * PATHS];
static int dma_file;
static bool enabled, pending;

static uint32_t *word_at(uint32_t address) {
  uint32_t offset = address - memory_at;
  if (address % 4 != 0 || offset >= PM_DMA_MEMORY) {
    fake.complaints++;
    return (uint32_t *)memory;
  }
  return (uint32_t *)memory + offset / 4;
}

static void new_core(void) {
  if (core != NULL) {
    pm_backend_fake.close(core);
  }
  if (pm_backend_fake.open("edverify", fake.core != NULL ? fake.core : "", &core) != PM_OK) {
    abort();
  }
}

static void reset_all(void) {
  memset((void *)dma, 0, PAGE);
  for (uint32_t i = 0; i < 2; i++) {
    channels[i] = (channel){.base = i * 0x30, .status = fake.fault == FAKE_NO_RINGS ? 1 : 9};
    dma[channels[i].base / 4] = 0x10002;
  }
  new_core(); /* its reset is the output of the DMA */
  fake.transfers[0] = fake.transfers[1] = 0;
}

static void stop(channel *c, uint32_t error) {
  c->status |= error | 1 | 1 << 14;
  c->active = false;
}

/* Takes over what the driver wrote to the registers. */
static void take_writes(void) {
  uint32_t value = registers[PM_REG_CTRL / 4];
  if (value != 0) {
    (void)pm_backend_fake.reg_write(core, PM_REG_CTRL, value);
    registers[PM_REG_CTRL / 4] = 0;
  }
  if (((dma[0] | dma[0x30 / 4]) & 4) != 0 && fake.fault != FAKE_STAYS_IN_RESET) {
    reset_all();
  }
  for (int i = 0; i < 2; i++) {
    channel *c = &channels[i];
    volatile uint32_t *at = dma + c->base / 4;
    if ((at[1] & 8) == 0) { /* which is set in what was shown, and not in what the driver writes */
      c->status &= ~(at[1] & 0x7000);
    }
    if ((at[0] & 1) != 0 && (c->status & 1) != 0 && (c->status & 0x770) == 0) {
      c->status &= ~1u;
      c->current = at[2];
      c->tail = 0;
    }
    if (at[4] != c->tail) {
      fake.complaints += (c->status & 1) != 0 && (c->status & 0x770) == 0; /* written before the channel ran */
      c->tail = at[4];
      c->active = (c->status & 1) == 0;
    }
  }
}

static void show(void) {
  for (int i = 0; i < 2; i++) {
    dma[channels[i].base / 4 + 1] = channels[i].status;
  }
  for (uint32_t address = 0; address < 0x100; address += 4) {
    uint32_t value = 0;
    if (pm_backend_fake.reg_read(core, address, &value) == PM_OK) {
      registers[address / 4] = value;
    }
  }
}

/* Whether the fault of a channel is due. */
static bool due(const channel *c, fake_fault fault) {
  ptrdiff_t index = c - channels;
  return fake.fault == fault && fake.on_results == (index == 1) && fake.transfers[index] == fake.after;
}

/* Ends a transfer of `length` bytes with further bits of its descriptor. */
static void complete(channel *c, uint32_t length, uint32_t bits) {
  uint32_t failed = 0;
  if (due(c, FAKE_FAILED)) {
    failed = UINT32_C(1) << 29;
    stop(c, 1 << 5);
  } else if (due(c, FAKE_SHORT)) {
    length -= 8;
  } else if (due(c, FAKE_EMPTY)) {
    length = 0;
  } else if (due(c, FAKE_LONG)) {
    length = PM_DMA_RESULT_BYTES + 8;
  } else if (due(c, FAKE_UNENDED)) {
    bits = 0;
  }
  *word_at(c->current + 0x1c) = UINT32_C(1) << 31 | failed | bits | length;
  c->status |= 1 << 12;
  fake.transfers[c - channels]++;
  c->offset = 0;
  c->active = c->active && c->current != c->tail;
  c->current = *word_at(c->current);
}

/* The descriptor that is next, if the channel works; its buffer and control word. */
static bool next(channel *c, uint32_t *buffer, uint32_t *control) {
  if (!c->active || due(c, FAKE_STUCK)) {
    return false;
  }
  if (due(c, FAKE_HALTED)) {
    stop(c, 1 << 10);
    return false;
  }
  fake.complaints += c->current % 64 != 0;
  if ((*word_at(c->current + 0x1c) >> 31) != 0) { /* stale */
    fake.complaints++;
    stop(c, 1 << 8);
    return false;
  }
  *buffer = *word_at(c->current + 8);
  *control = *word_at(c->current + 0x18);
  fake.complaints += *buffer % 8 != 0 || (*control & 0x3ffffff) == 0;
  return true;
}

static void send_jobs(void) {
  static bool inside;
  channel *c = &channels[0];
  uint32_t buffer, control;
  inside = inside && fake.transfers[0] != 0;
  while (next(c, &buffer, &control)) {
    uint32_t length = control & 0x3ffffff;
    bool ends = (control >> 26 & 1) != 0;
    size_t taken = 0;
    fake.complaints += c->offset == 0 && (control >> 27 & 1) == inside;
    fake.complaints += !ends && length % 8 != 0;
    if (pm_backend_fake.send(core, (const uint8_t *)word_at(buffer) + c->offset, length - c->offset, ends, &taken) !=
        PM_OK) {
      abort();
    }
    c->offset += (uint32_t)taken;
    if (c->offset < length) {
      break;
    }
    inside = !ends;
    complete(c, length, 0);
  }
}

static void receive_results(void) {
  static bool inside;
  channel *c = &channels[1];
  uint32_t buffer, control;
  inside = inside && fake.transfers[1] != 0;
  while (next(c, &buffer, &control)) {
    size_t length = 0;
    bool last = false;
    (void)pm_backend_fake.recv(core, (uint8_t *)word_at(buffer), control & 0x3ffffff, &length, &last);
    if (length == 0) {
      break;
    }
    complete(c, (uint32_t)length, (last ? UINT32_C(1) << 26 : 0) | (inside ? 0 : UINT32_C(1) << 27));
    inside = !last;
  }
}

static bool wants_attention(void) {
  bool line = false;
  for (int i = 0; i < 2; i++) {
    line = line || (channels[i].status & dma[channels[i].base / 4] & 0x5000) != 0;
  }
  return line;
}

/* Lets time pass, until an interrupt at most if `until_interrupt`. */
static void pass(uint64_t nanoseconds, bool until_interrupt) {
  uint64_t end = fake.nanoseconds + nanoseconds;
  take_writes();
  while (fake.nanoseconds < end && !(until_interrupt && pending)) {
    uint64_t spent = 0;
    send_jobs();
    (void)pm_backend_fake.advance(core, STEP, &spent);
    receive_results();
    fake.nanoseconds += spent * CYCLE_NS;
    bool line = wants_attention() && fake.fault != FAKE_LOST_INTERRUPT;
    if (enabled && (line || fake.fault == FAKE_SPURIOUS)) {
      enabled = false; /* the kernel's handler disables it */
      pending = true;
      fake.interrupts++;
    }
  }
  show();
}

/* ---- in place of the system ----------------------------------------------------------------------------------- */

int __wrap_open(const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  int file = __real_open(path, flags, (flags & O_CREAT) != 0 ? va_arg(more, int) : 0);
  va_end(more);
  if (strcmp(path, dma_path) == 0) {
    dma_file = file;
    enabled = true;
  }
  return file;
}

ssize_t __wrap_read(int file, void *bytes, size_t length) {
  if (file != dma_file) {
    return __real_read(file, bytes, length);
  }
  if (length != 4 || !pending || fake.fault == FAKE_GONE) {
    errno = EIO;
    return -1;
  }
  pending = false;
  memcpy(bytes, &fake.interrupts, 4);
  return 4;
}

ssize_t __wrap_write(int file, const void *bytes, size_t length) {
  uint32_t value = 0;
  if (file != dma_file) {
    return __real_write(file, bytes, length);
  }
  if (length != 4 || fake.fault == FAKE_NO_INTERRUPT) {
    errno = EINVAL;
    return -1;
  }
  memcpy(&value, bytes, 4);
  fake.complaints += value != 1;
  enabled = true;
  return 4;
}

int __wrap_ppoll(struct pollfd *files, nfds_t count, const struct timespec *limit, const void *mask) {
  fake.complaints += count != 1 || files->fd != dma_file || mask != NULL || limit->tv_nsec > 999999999;
  if (fake.waits++ == MOST_WAITS) {
    abort(); /* a driver that waits for ever */
  }
  if (fake.fault == FAKE_INTERRUPTED && fake.waits % 2 != 0) {
    errno = EINTR;
    return -1;
  }
  pass((uint64_t)limit->tv_sec * 1000000000 + (uint64_t)limit->tv_nsec, true);
  files->revents = fake.fault == FAKE_GONE ? POLLERR : pending ? POLLIN : 0;
  return files->revents != 0;
}

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left) {
  fake.complaints += left != NULL;
  pass((uint64_t)wanted->tv_sec * 1000000000 + (uint64_t)wanted->tv_nsec, false);
  return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time) {
  fake.complaints += clock != CLOCK_MONOTONIC;
  pass(fake.between, false);
  time->tv_sec = (time_t)(fake.nanoseconds / 1000000000);
  time->tv_nsec = (long)(fake.nanoseconds % 1000000000);
  return 0;
}

/* ---- for the test --------------------------------------------------------------------------------------------- */

static volatile uint32_t *make_file(const char *path, size_t bytes) {
  int file = __real_open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate(file, (off_t)bytes) != 0) {
    abort();
  }
  void *map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return map;
}

/* Writes `text` to folder/relative and makes the folders. */
static void tell(const char *folder, const char *relative, const char *text) {
  char path[PATHS];
  (void)snprintf(path, sizeof path, "%s/%s", folder, relative);
  for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = 0;
    (void)mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "w");
  if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
    abort();
  }
}

const char *fake_begin(const char *folder, const char *told_in, const char *address) {
  char path[PATHS];
  (void)snprintf(path, sizeof path, "%s/regs", folder);
  registers = make_file(path, PAGE);
  (void)snprintf(path, sizeof path, "%s/buffer", folder);
  memory = make_file(path, PM_DMA_MEMORY);
  (void)snprintf(dma_path, sizeof dma_path, "%s/dma", folder);
  dma = make_file(dma_path, PAGE);
  tell(folder, told_in, address);
  memory_at = (uint32_t)strtoul(address, NULL, 16);
  fake = (fake_dma){0};
  enabled = pending = false;
  reset_all();
  show();
  (void)snprintf(settings, sizeof settings, "regs=%s/regs,dma=%s/dma,buffer=%s/buffer,sysfs=%s", folder, folder, folder,
                 folder);
  return settings;
}

void fake_end(void) {
  pm_backend_fake.close(core);
  core = NULL;
  munmap((void *)registers, PAGE);
  munmap((void *)dma, PAGE);
  munmap((void *)memory, PM_DMA_MEMORY);
  dma_file = -1;
}

size_t fake_left(void) {
  size_t left = 0;
  for (size_t i = 2 * PM_DMA_SLOTS * PM_DMA_DESCRIPTOR; i < PM_DMA_MEMORY; i++) {
    left += ((volatile uint8_t *)memory)[i] != 0;
  }
  return left;
}

uint32_t fake_resets(void) {
  uint32_t count = 0;
  (void)pm_backend_fake.reg_read(core, PM_REG_IRQ_STATUS, &count);
  return count;
}
