/* SPDX-License-Identifier: Apache-2.0
 *
 * dma.h: packets to and from a core through an AXI DMA with scatter-gather engine (AMD/Xilinx LogiCORE, product guide
 * PG021), by two rings of descriptors in memory that the processor does not cache.
 *
 * What the DMA reports of a transfer is compared with what was asked for. After any error (an error bit, a channel that
 * stopped, a transfer that is shorter or longer than it can be) every call returns PM_ERR_IO: nothing more is taken
 * from memory. pm_dma_begin() starts anew.
 */
#ifndef PM_DMA_H
#define PM_DMA_H

#include "../../src/backend.h"

enum {
  PM_DMA_SLOTS = 64,        /* of a ring; the hardware has at most one less */
  PM_DMA_JOB_BYTES = 4096,  /* of a slot; a longer packet takes several */
  PM_DMA_RESULT_BYTES = 256,
  PM_DMA_DESCRIPTOR = 64,   /* bytes of a descriptor, and its alignment */
  PM_DMA_MEMORY = PM_DMA_SLOTS * (2 * PM_DMA_DESCRIPTOR + PM_DMA_JOB_BYTES + PM_DMA_RESULT_BYTES)
};

/* One direction. */
typedef struct pm_dma_ring {
  uint32_t registers;          /* offset of the channel */
  uint32_t descriptors, slots; /* offsets in the memory */
  uint32_t bytes;              /* of a slot */
  uint32_t first, count;       /* slots that the hardware has */
} pm_dma_ring;

typedef struct pm_dma {
  volatile uint32_t *registers, *memory;
  uint32_t address; /* of the memory, as the DMA sees it */
  pm_dma_ring jobs, results;
  bool inside;    /* a job packet has begun and not ended */
  bool blocked;   /* there was no room for all that was to be sent */
  uint32_t given; /* bytes of the first result slot that were handed over */
  bool broken;
} pm_dma;

/* Resets the DMA and starts both channels, on PM_DMA_MEMORY bytes of memory. DEVICE, with pm_open_detail(): it stays in
 * reset, or has no scatter-gather engine. */
pm_error pm_dma_begin(pm_dma *dma, volatile uint32_t *registers, volatile uint32_t *memory, uint32_t address);

/* Stops the DMA and overwrites the memory. */
void pm_dma_end(pm_dma *dma);

/* As `send` and `recv` of a back-end. */
pm_error pm_dma_send(pm_dma *dma, const uint8_t *bytes, size_t length, bool last, size_t *taken);
pm_error pm_dma_recv(pm_dma *dma, uint8_t *bytes, size_t capacity, size_t *length, bool *last);

/* Looks how far the DMA is, takes back the slots of what it sent and withdraws its interrupts. *moved: there is
 * something to receive, or room where there was none. Otherwise it interrupts as soon as there is. */
pm_error pm_dma_look(pm_dma *dma, bool *moved);

#endif /* PM_DMA_H */
