/* SPDX-License-Identifier: Apache-2.0
 *
 * buffers.c: see buffers.h. Words are those of the device, little-endian, and so must be those of the processor.
 */
#include "buffers.h"

enum { BYTES = 8 };

#define CRC_INIT 0xffffffffu

void pm_pcie_crc_begin(pm_pcie_crc *crc) {
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t value = b;
    for (int bit = 0; bit < 8; bit++) {
      value = value >> 1 ^ ((value & 1) != 0 ? 0xedb88320u : 0);
    }
    crc->table[0][b] = value;
  }
  for (int k = 1; k < BYTES; k++) {
    for (int b = 0; b < 256; b++) {
      uint32_t before = crc->table[k - 1][b];
      crc->table[k][b] = before >> 8 ^ crc->table[0][before & 0xff];
    }
  }
}

/* The register behind one more word. */
static uint32_t step(const pm_pcie_crc *crc, uint32_t value, uint64_t word) {
  word ^= value;
  value = 0;
  for (int k = 0; k < BYTES; k++) {
    value ^= crc->table[BYTES - 1 - k][word >> (8 * k) & 0xff];
  }
  return value;
}

void pm_pcie_close_jobs(const pm_pcie_crc *crc, uint64_t *buffer, uint32_t sequence, uint32_t nonce, size_t words) {
  buffer[0] = PM_PCIE_MAGIC_JOBS | (uint64_t)sequence << 32;
  buffer[1] = nonce | (uint64_t)words << 32;
  uint32_t value = CRC_INIT;
  for (size_t i = 0; i < words + 2; i++) {
    value = step(crc, value, buffer[i]);
  }
  buffer[words + 2] = (uint32_t)~value;
}

bool pm_pcie_is_result(const pm_pcie_crc *crc, const uint64_t *buffer, size_t size, uint32_t sequence, uint32_t nonce) {
  const uint64_t *trailer = buffer + size - 2;
  uint32_t value = CRC_INIT;
  uint64_t count = 0;
  for (const uint64_t *pair = buffer; pair != trailer; pair += 2) {
    if (pm_pcie_is_beat(pair[0])) {
      value = step(crc, step(crc, value, pair[0]), pair[1]);
      count++;
    }
  }
  value = step(crc, step(crc, value, trailer[0]), sequence);
  return trailer[0] == (nonce | count << 32 | (uint64_t)PM_PCIE_MAGIC_RESULTS << 48) &&
         trailer[1] == (sequence | (uint64_t)(uint32_t)~value << 32);
}
