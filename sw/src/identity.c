/* SPDX-License-Identifier: Apache-2.0
 *
 * identity.c: what a bitstream says of itself (docs/boards.md), and which register maps this driver knows.
 */
#include <string.h>

#include "device.h"
#include "pm_multicurve_regs.h"
#include "regs.h"

enum { ADDRESS = 0x100, MAGIC = 0x44494d50 /* "PMID" */ };
enum { WORD_CLOCK = 2, WORD_FLAGS = 3, WORD_REVISION = 4, WORD_BOARD = 9, WORD_CONFIGURATION = 13 };

/* `n` bytes from word `at` on, lowest first. */
static void bytes_at(const uint32_t *words, size_t at, size_t n, char *out) {
  for (size_t i = 0; i < n; i++) {
    out[i] = (char)(words[at + i / 4] >> (8 * (i % 4)) & 0xff);
  }
}

void pm_identity_of(const uint32_t words[PM_IDENTITY_WORDS], pm_identity *identity) {
  static const char digits[] = "0123456789abcdef";
  char revision[PM_IDENTITY_REVISION / 2];
  memset(identity, 0, sizeof *identity);
  identity->clock_khz = words[WORD_CLOCK];
  identity->modified = (uint8_t)(words[WORD_FLAGS] & 1);
  bytes_at(words, WORD_REVISION, sizeof revision, revision);
  for (size_t i = 0; i < sizeof revision; i++) {
    identity->revision[2 * i] = digits[(uint8_t)revision[i] >> 4];
    identity->revision[2 * i + 1] = digits[(uint8_t)revision[i] & 15];
  }
  bytes_at(words, WORD_BOARD, PM_IDENTITY_BOARD, identity->board);
  bytes_at(words, WORD_CONFIGURATION, PM_IDENTITY_CONFIGURATION, identity->configuration);
}

pm_error pm_identity_read(pm_error (*reg_read)(void *, uint32_t, uint32_t *), void *state,
                          uint32_t words[PM_IDENTITY_WORDS]) {
  for (uint32_t i = 0; i < PM_IDENTITY_WORDS; i++) {
    pm_error error = reg_read(state, ADDRESS + 4 * i, &words[i]);
    if (error != PM_OK) {
      return error;
    }
    if (i == 1 && (words[0] != MAGIC || words[1] != PM_IDENTITY_VERSION)) {
      return pm_open_failed(PM_ERR_DEVICE, "the bitstream has no identity that this driver knows (%08x, version %u)",
                            (unsigned)words[0], (unsigned)words[1]);
    }
  }
  return PM_OK;
}

pm_error pm_read_identity(pm_device *dev, pm_identity *identity) {
  if (dev == NULL || identity == NULL) {
    return PM_ERR_ARGUMENT;
  }
  if (dev->backend->identity == NULL) {
    return PM_ERR_ADDRESS;
  }
  uint32_t words[PM_IDENTITY_WORDS];
  pm_error error = dev->backend->identity(dev->state, words);
  if (error == PM_OK) {
    pm_identity_of(words, identity);
  }
  return error;
}

/* A core, and the version of its register map that this driver was built for. */
typedef struct map {
  uint32_t name, major, minor;
} map;

#define MAP(PREFIX) {PREFIX##__NAME__VALUE_reset, PREFIX##__VERSION__MAJOR_reset, PREFIX##__VERSION__MINOR_reset}

pm_error pm_check_map(uint32_t name, uint32_t version) {
  static const map maps[] = {MAP(PM_EDVERIFY_REGS), MAP(PM_X25519_REGS), MAP(PM_MULTICURVE_REGS)};
  uint32_t major = version >> PM_EDVERIFY_REGS__VERSION__MAJOR_bp & 0xff;
  uint32_t minor = version >> PM_EDVERIFY_REGS__VERSION__MINOR_bp & 0xff;
  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
    if (maps[i].name == name) {
      return maps[i].major == major && maps[i].minor <= minor
                 ? PM_OK
                 : pm_open_failed(PM_ERR_DEVICE, "register map %u.%u; this driver knows %u.%u and additions to it",
                                  (unsigned)major, (unsigned)minor, (unsigned)maps[i].major, (unsigned)maps[i].minor);
    }
  }
  return PM_ERR_DEVICE;
}
