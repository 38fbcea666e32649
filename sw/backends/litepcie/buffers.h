/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.h: buffers and registers of the link through LitePCIe (docs/pcie.md).
 *
 * The numbers are those of hw/lib/pcie/pm_pcie_pkg.sv; a test compares both.
 */
#ifndef PM_LITEPCIE_BUFFERS_H
#define PM_LITEPCIE_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PM_PCIE_MAGIC_BRIDGE 0x424c4d50u
#define PM_PCIE_MAGIC_JOBS 0x4a4c4d50u
#define PM_PCIE_MAGIC_RESULTS 0x524cu

enum {
  PM_PCIE_VERSION = 1,
  PM_PCIE_JOB_WORDS = 3, /* of a buffer of jobs that are no payload */
  PM_PCIE_WORDS_MIN = 32, /* 64-bit words of a buffer */
  PM_PCIE_WORDS_MAX = 32768
};

/* Registers of the bridge. */
enum {
  PM_PCIE_REG_MAGIC = 0x200,
  PM_PCIE_REG_FORMAT = 0x204,      /* bits 7:0 version, 31:16 words of a buffer */
  PM_PCIE_REG_SESSION = 0x208,     /* nonce; 0: none */
  PM_PCIE_REG_STATUS = 0x20c,      /* bit 0: open, bit 1: a buffer of jobs was lost or damaged */
  PM_PCIE_REG_DOORBELL = 0x210,    /* buffers of jobs that may be taken */
  PM_PCIE_REG_TAKEN = 0x214,       /* buffers of jobs taken */
  PM_PCIE_REG_ACCEPTED = 0x218,    /* buffers of jobs accepted */
  PM_PCIE_REG_CREDIT = 0x21c,      /* buffers of results that may be sent */
  PM_PCIE_REG_SENT = 0x220,        /* buffers of results sent */
  PM_PCIE_REG_CYCLES = 0x224,      /* of the session, bits 31:0; the reading keeps the others for the next register */
  PM_PCIE_REG_CYCLES_HIGH = 0x228,
  PM_PCIE_REG_RESPONSE = 0x22c     /* of the last access to the core or the identity; 0: it was executed */
};

enum { PM_PCIE_OPEN = 1, PM_PCIE_FAULT = 2 };

/* CRC-32 of IEEE 802.3, a word at a time: [k][b] is what byte b, k bytes before the end of a word, does to the
 * register. */
typedef struct pm_pcie_crc {
  uint32_t table[8][256];
} pm_pcie_crc;

void pm_pcie_crc_begin(pm_pcie_crc *crc);

/* Makes a buffer of jobs of the payload of `words` words, at least 2, that is behind buffer[1]. */
void pm_pcie_close_jobs(const pm_pcie_crc *crc, uint64_t *buffer, uint32_t sequence, uint32_t nonce, size_t words);

/* Whether a buffer of results, of `size` words, is there, and as it was sent. */
bool pm_pcie_is_result(const pm_pcie_crc *crc, const uint64_t *buffer, size_t size, uint32_t sequence, uint32_t nonce);

/* The word before a record of jobs, and the first one of a pair with a beat of results. */
static inline uint64_t pm_pcie_record(size_t bytes, bool last) { return (uint64_t)bytes | (uint64_t)last << 16; }
static inline bool pm_pcie_is_beat(uint64_t control) { return (control >> 16 & 1) != 0; }
static inline bool pm_pcie_ends(uint64_t control) { return (control >> 8 & 1) != 0; }
static inline size_t pm_pcie_beat_bytes(uint64_t control) {
  size_t bytes = 0;
  for (unsigned i = 0; i < 8; i++) {
    bytes += control >> i & 1;
  }
  return bytes;
}

#endif /* PM_LITEPCIE_BUFFERS_H */
