/* SPDX-License-Identifier: Apache-2.0
 *
 * rings.h: the driver's end of the link through LitePCIe: two rings of buffers in memory that its DMA reads and writes
 * round and round, and the registers of pm_pcie_bridge, which say how far (docs/pcie.md).
 *
 * What the bridge finds wrong with a buffer of jobs, or this side with one of results, breaks the link: every call
 * then gives PM_ERR_IO, until it begins anew.
 */
#ifndef PM_LITEPCIE_RINGS_H
#define PM_LITEPCIE_RINGS_H

#include "../../src/backend.h"
#include "buffers.h"

typedef struct pm_rings {
  /* An access to a register of the bridge, PM_PCIE_REG_...; IO: the device fails. */
  pm_error (*access)(void *context, bool write, uint32_t address, uint32_t *value);
  void *context;
  uint64_t (*now_us)(void);
  uint64_t *jobs, *results; /* memory of `count` buffers of `words` words each */
  uint32_t count;
  size_t words;
  uint32_t ahead;    /* buffers that the DMA may have read beyond those that the bridge has taken */
  uint64_t grace_us; /* until a buffer of results that was sent must be there */
  uint32_t nonce;
  pm_pcie_crc crc;
  /* jobs; buffers are counted from the beginning of the session, and buffer n is in place n % count */
  uint32_t next;     /* the one that is being filled */
  size_t used;       /* words of its payload */
  uint32_t sequence; /* its number */
  uint32_t doorbell, told; /* buffers that may be taken, and the number in sequence behind them */
  uint32_t taken;    /* of the bridge, as last told */
  /* results */
  uint32_t received; /* buffers read */
  uint32_t credit;   /* that the bridge may send */
  bool checked;      /* the one at `received` is whole */
  size_t pair;       /* word of the next pair in it */
  size_t given;      /* bytes of the beat there that were given to the driver */
  uint64_t missing_us; /* since when it is not there though it was sent; 0: it is not missing */
  bool broken;
} pm_rings;

/* Begins: nothing is under way, and the DMA is to start at place 0 of both rings. The caller has set access, context,
 * now_us, jobs, results, count, words, ahead, grace_us and nonce. */
pm_error pm_rings_begin(pm_rings *rings);

/* As the functions of pm_backend. */
pm_error pm_rings_send(pm_rings *rings, const uint8_t *bytes, size_t length, bool last, size_t *taken);
pm_error pm_rings_recv(pm_rings *rings, uint8_t *bytes, size_t capacity, size_t *length, bool *last);

/* Asks the bridge how far it is, and has it take what was sent if it has taken all before. *moved: there are results,
 * or room that was not there. */
pm_error pm_rings_look(pm_rings *rings, bool *moved);

#endif /* PM_LITEPCIE_RINGS_H */
