/* SPDX-License-Identifier: Apache-2.0
 *
 * litepcie.c: back-end "litepcie", a core behind pm_pcie_bridge on a PCIe card with LitePCIe, through the character
 * device of LitePCIe's kernel module (docs/pcie.md).
 *
 * Settings: port=/dev/litepcie0; regs=0xf0010000, address of the bridge's registers in the system of LiteX; ahead=4,
 * buffers that LitePCIe's DMA may have read ahead of the bridge; wait=100, ms until a buffer that was sent must be
 * there.
 *
 * Both DMA channels of the device are this back-end's alone while it is open. Their buffers are mapped: the module's
 * counts, which its interrupts bring up to date every 32 buffers, are not looked at, nor are `read`, `write` and
 * `poll`, which depend on them. Waiting is by naps. Memory is coherent on x86; where the processor does not see what a
 * device writes, this back-end cannot be used. It is tested on the simulated bridge (dv/lib/pcie); it was not run on a
 * board.
 */
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rings.h"

/* What the kernel module takes, by the numbers and layouts of its interface. */
struct request_register {
  uint32_t address, value;
  uint8_t write;
};
struct request_dma {
  uint8_t enable;
  int64_t hardware, software; /* buffers */
};
struct request_lock {
  uint8_t take_reader, take_writer, leave_reader, leave_writer, has_reader, has_writer;
};
struct request_info {
  uint64_t jobs_offset, jobs_bytes, jobs_count, results_offset, results_bytes, results_count;
};

#define REQUEST_REGISTER _IOWR('S', 0, struct request_register)
#define REQUEST_WRITER _IOWR('S', 21, struct request_dma)
#define REQUEST_READER _IOWR('S', 22, struct request_dma)
#define REQUEST_INFO _IOR('S', 24, struct request_info)
#define REQUEST_LOCK _IOWR('S', 25, struct request_lock)

enum {
  PATH_BYTES = 128,
  NAP_NS = 20000,
  OPEN_NAPS = 1000, /* until the bridge has reset the core */
  MAX_AHEAD = 64,
  MAX_MS = 1000000
};

typedef struct litepcie {
  int file;
  uint32_t base; /* of the registers */
  size_t bytes;  /* of the memory of one direction */
  uint32_t identity[PM_IDENTITY_WORDS];
  char configuration[PM_IDENTITY_CONFIGURATION + 1];
  pm_rings rings;
} litepcie;

extern const pm_backend pm_backend_litepcie;

static uint64_t now_us(void) {
  struct timespec time = {0, 0};
  (void)clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail for this clock */
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void nap(void) {
  const struct timespec time = {0, NAP_NS};
  (void)nanosleep(&time, NULL); /* an early return does no harm */
}

static pm_error access_register(void *state, bool write, uint32_t address, uint32_t *value) {
  litepcie *l = state;
  struct request_register request = {.address = l->base + address, .value = *value, .write = write};
  if (ioctl(l->file, REQUEST_REGISTER, &request) != 0) {
    return PM_ERR_IO;
  }
  *value = request.value;
  return PM_OK;
}

/* An access to the core or the identity. BUS: it was not executed; IO: the device is gone. */
static pm_error access_core(litepcie *l, bool write, uint32_t address, uint32_t *value) {
  uint32_t response = 0;
  pm_error error = address < PM_PCIE_REG_MAGIC && address % 4 == 0 ? PM_OK : PM_ERR_BUS;
  if (error == PM_OK) {
    error = access_register(l, write, address, value);
  }
  if (error == PM_OK) {
    error = access_register(l, false, PM_PCIE_REG_RESPONSE, &response);
  }
  if (error == PM_OK && response != 0) {
    error = response == UINT32_MAX ? PM_ERR_IO : PM_ERR_BUS;
  }
  return error;
}

static pm_error litepcie_reg_read(void *state, uint32_t address, uint32_t *value) {
  *value = 0;
  return access_core(state, false, address, value);
}

static pm_error litepcie_reg_write(void *state, uint32_t address, uint32_t value) {
  return access_core(state, true, address, &value);
}

/* ---- opening -------------------------------------------------------------------------------------------------- */

/* Starts or stops both channels. */
static bool run_dma(litepcie *l, uint8_t enable) {
  struct request_dma reader = {.enable = enable}, writer = {.enable = enable};
  return ioctl(l->file, REQUEST_WRITER, &writer) == 0 && ioctl(l->file, REQUEST_READER, &reader) == 0;
}

static pm_error map_rings(litepcie *l) {
  struct request_info info = {0};
  if (ioctl(l->file, REQUEST_INFO, &info) != 0) {
    return pm_open_failed(PM_ERR_IO, "the device has no buffers of LitePCIe: %s", strerror(errno));
  }
  if (info.jobs_bytes != info.results_bytes || info.jobs_count != info.results_count ||
      info.jobs_bytes != l->rings.words * sizeof(uint64_t) || info.jobs_count < 4 * (uint64_t)(l->rings.ahead + 1) ||
      info.jobs_count > UINT16_MAX || (info.jobs_count & (info.jobs_count - 1)) != 0) {
    return pm_open_failed(PM_ERR_DEVICE,
                          "the kernel module has %llu buffers of %llu bytes; wanted are a power of two, at least %u, "
                          "of %llu bytes",
                          (unsigned long long)info.jobs_count, (unsigned long long)info.jobs_bytes,
                          4 * ((unsigned)l->rings.ahead + 1),
                          (unsigned long long)(l->rings.words * sizeof(uint64_t)));
  }
  l->bytes = (size_t)(info.jobs_count * info.jobs_bytes);
  l->rings.count = (uint32_t)info.jobs_count;
  void *jobs = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, l->file, (off_t)info.jobs_offset);
  l->rings.jobs = jobs == MAP_FAILED ? NULL : jobs;
  void *results = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, l->file, (off_t)info.results_offset);
  l->rings.results = results == MAP_FAILED ? NULL : results;
  if (l->rings.jobs == NULL || l->rings.results == NULL) {
    return pm_open_failed(PM_ERR_IO, "the buffers of LitePCIe cannot be mapped: %s", strerror(errno));
  }
  return PM_OK;
}

/* Takes both channels for this program, and stops them. */
static pm_error take_dma(litepcie *l, const char *port) {
  struct request_lock lock = {.take_reader = 1, .take_writer = 1};
  if (ioctl(l->file, REQUEST_LOCK, &lock) != 0) {
    return pm_open_failed(PM_ERR_IO, "%s is no device of LitePCIe: %s", port, strerror(errno));
  }
  if (lock.has_reader == 0 || lock.has_writer == 0) {
    return pm_open_failed(PM_ERR_IO, "%s is in use", port);
  }
  return run_dma(l, 0) ? PM_OK : pm_open_failed(PM_ERR_IO, "%s: %s", port, strerror(errno));
}

/* Whether the bridge is behind the registers, and how large its buffers are. */
static pm_error find_bridge(litepcie *l) {
  uint32_t magic = 0, format = 0;
  pm_error error = access_register(l, false, PM_PCIE_REG_MAGIC, &magic);
  if (error == PM_OK) {
    error = access_register(l, false, PM_PCIE_REG_FORMAT, &format);
  }
  l->rings.words = format >> 16;
  if (error == PM_OK && (magic != PM_PCIE_MAGIC_BRIDGE || (format & 0xff) != PM_PCIE_VERSION ||
                         l->rings.words < PM_PCIE_WORDS_MIN || l->rings.words > PM_PCIE_WORDS_MAX)) {
    error = pm_open_failed(PM_ERR_DEVICE,
                           "at %#x there is no bridge that this driver knows (%08x, %08x); name its address by the "
                           "setting regs=<address>",
                           (unsigned)l->base, (unsigned)magic, (unsigned)format);
  }
  return error;
}

/* Numbers of sessions that follow each other differ, and none is 0. */
static uint32_t fresh_nonce(void) {
  struct timespec time = {0, 0};
  (void)clock_gettime(CLOCK_REALTIME, &time);
  return ((uint32_t)time.tv_nsec ^ (uint32_t)time.tv_sec << 12 ^ (uint32_t)getpid() << 20) | 1;
}

/* Begins a session, which resets the core; then starts the channels. */
static pm_error begin_session(litepcie *l) {
  uint32_t none = 0, status = 0;
  l->rings.nonce = fresh_nonce();
  pm_wipe(l->rings.jobs, l->bytes);
  pm_wipe(l->rings.results, l->bytes);
  uint32_t nonce = l->rings.nonce;
  pm_error error = access_register(l, true, PM_PCIE_REG_SESSION, &none);
  if (error == PM_OK) {
    nap(); /* the last words of what LitePCIe had read leave */
    error = access_register(l, true, PM_PCIE_REG_SESSION, &nonce);
  }
  for (int i = 0; error == PM_OK && status != PM_PCIE_OPEN; i++) {
    nap();
    error = access_register(l, false, PM_PCIE_REG_STATUS, &status);
    if (error == PM_OK && i == OPEN_NAPS) {
      error = pm_open_failed(PM_ERR_DEVICE, "the bridge begins no session (status %#x)", (unsigned)status);
    }
  }
  if (error == PM_OK) {
    error = pm_identity_read(litepcie_reg_read, l, l->identity);
  }
  if (error == PM_OK) {
    error = pm_rings_begin(&l->rings);
  }
  if (error == PM_OK && !run_dma(l, 1)) {
    error = PM_ERR_IO;
  }
  return error;
}

static void litepcie_close(void *state) {
  litepcie *l = state;
  uint32_t none = 0;
  if (l->rings.jobs != NULL && l->rings.results != NULL) {
    (void)run_dma(l, 0);
    (void)access_register(l, true, PM_PCIE_REG_SESSION, &none); /* resets the core */
    pm_wipe(l->rings.jobs, l->bytes);
    pm_wipe(l->rings.results, l->bytes);
  }
  if (l->rings.jobs != NULL) {
    munmap(l->rings.jobs, l->bytes);
  }
  if (l->rings.results != NULL) {
    munmap(l->rings.results, l->bytes);
  }
  if (l->file >= 0) {
    close(l->file); /* the module stops the channels, and others may take them */
  }
  free(l);
}

/* A setting that is an address, as C writes numbers. */
static pm_error address_of(const char *config, uint32_t *address) {
  char text[PATH_BYTES], *end = text;
  bool found = false;
  pm_error error = pm_config_text(config, "regs", text, sizeof text, &found);
  if (error == PM_OK && found) {
    unsigned long long value = strtoull(text, &end, 0);
    if (end == text || *end != '\0' || value > UINT32_MAX || value % 0x1000 != 0) {
      return pm_open_failed(PM_ERR_CONFIG, "setting regs=%s: an address below 4 GiB is wanted, a multiple of 4096",
                            text);
    }
    *address = (uint32_t)value;
  }
  return error;
}

/* Everything that the settings say. */
static pm_error read_settings(litepcie *l, const char *config, char port[PATH_BYTES]) {
  static const char *const keys[] = {"port", "regs", "ahead", "wait", NULL};
  static const char usual[] = "/dev/litepcie0";
  uint64_t ahead = 4, wait_ms = 100;
  bool found = false;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) {
    error = pm_config_text(config, "port", port, PATH_BYTES, &found);
  }
  if (error == PM_OK && !found) {
    memcpy(port, usual, sizeof usual);
  }
  if (error == PM_OK) {
    error = address_of(config, &l->base);
  }
  if (error == PM_OK) {
    error = pm_config_number(config, "ahead", MAX_AHEAD, &ahead);
  }
  if (error == PM_OK) {
    error = pm_config_number(config, "wait", MAX_MS, &wait_ms);
  }
  l->rings.ahead = (uint32_t)ahead;
  l->rings.grace_us = 1000 * wait_ms;
  return error;
}

static pm_error litepcie_open(const char *core_name, const char *config, void **state) {
  (void)core_name; /* the register NAME says it */
  litepcie *l = calloc(1, sizeof *l);
  if (l == NULL) {
    return PM_ERR_MEMORY;
  }
  l->file = -1;
  l->base = 0xf0010000u;
  l->rings.access = access_register;
  l->rings.context = l;
  l->rings.now_us = now_us;
  char port[PATH_BYTES];
  pm_error error = read_settings(l, config, port);
  if (error == PM_OK) {
    l->file = open(port, O_RDWR | O_CLOEXEC);
    if (l->file < 0) {
      error = pm_open_failed(PM_ERR_IO, "%s: %s; is LitePCIe's kernel module loaded? Name the device by the setting "
                             "port=<file>", port, strerror(errno));
    }
  }
  if (error == PM_OK) {
    error = take_dma(l, port);
  }
  if (error == PM_OK) {
    error = find_bridge(l);
  }
  if (error == PM_OK) {
    error = map_rings(l);
  }
  if (error == PM_OK) {
    error = begin_session(l);
  }
  if (error != PM_OK) {
    litepcie_close(l);
    return error;
  }
  pm_identity identity;
  pm_identity_of(l->identity, &identity);
  memcpy(l->configuration, identity.configuration, sizeof l->configuration);
  *state = l;
  return PM_OK;
}

/* ---- the other functions of a back-end ------------------------------------------------------------------------ */

static pm_error litepcie_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  return pm_rings_send(&((litepcie *)state)->rings, bytes, length, last, taken);
}

static pm_error litepcie_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  return pm_rings_recv(&((litepcie *)state)->rings, bytes, capacity, length, last);
}

static pm_error read_cycles(litepcie *l, uint64_t *cycles) {
  uint32_t low = 0, high = 0;
  pm_error error = access_register(l, false, PM_PCIE_REG_CYCLES, &low);
  if (error == PM_OK) {
    error = access_register(l, false, PM_PCIE_REG_CYCLES_HIGH, &high);
  }
  *cycles = low | (uint64_t)high << 32;
  return error;
}

static pm_error litepcie_advance(void *state, uint64_t cycles, uint64_t *spent) {
  litepcie *l = state;
  uint64_t before = 0, after = 0;
  bool moved = false;
  pm_error error = read_cycles(l, &before);
  if (error == PM_OK) {
    error = pm_rings_look(&l->rings, &moved);
  }
  if (error == PM_OK && !moved) {
    nap();
    error = read_cycles(l, &after);
  }
  uint64_t passed = after > before ? after - before : 1;
  *spent = passed < cycles ? passed : cycles;
  return error;
}

static uint64_t litepcie_elapsed(void *state) {
  uint64_t cycles = 0;
  (void)read_cycles(state, &cycles);
  return cycles;
}

static const char *litepcie_configuration(void *state) { return ((const litepcie *)state)->configuration; }

static pm_error litepcie_identity(void *state, uint32_t words[PM_IDENTITY_WORDS]) {
  memcpy(words, ((const litepcie *)state)->identity, sizeof ((const litepcie *)state)->identity);
  return PM_OK;
}

const pm_backend pm_backend_litepcie = {
    .name = "litepcie",
    .open = litepcie_open,
    .close = litepcie_close,
    .send = litepcie_send,
    .recv = litepcie_recv,
    .reg_read = litepcie_reg_read,
    .reg_write = litepcie_reg_write,
    .advance = litepcie_advance,
    .elapsed = litepcie_elapsed,
    .configuration = litepcie_configuration,
    .identity = litepcie_identity,
};
