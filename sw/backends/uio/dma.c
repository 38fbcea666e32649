/* SPDX-License-Identifier: Apache-2.0
 *
 * dma.c: see dma.h. Memory that is not cached takes accesses of whole aligned words alone on some processors, so bytes
 * are put into words and taken out of them here.
 */
#define _POSIX_C_SOURCE 200809L

#include "dma.h"

#include <time.h>

enum {
  /* registers of a channel */
  CONTROL = 0x00,
  STATUS = 0x04,
  CURRENT = 0x08,
  TAIL = 0x10,
  TO_STREAM = 0x00, /* offset of the channel MM2S */
  TO_MEMORY = 0x30, /* of S2MM */
  /* CONTROL */
  RUN = 1 << 0,
  RESET = 1 << 2,
  ON_COMPLETION = 1 << 12, /* interrupts */
  ON_ERROR = 1 << 14,
  EACH = 1 << 16, /* completion that counts: every one */
  /* STATUS */
  HALTED = 1 << 0,
  HAS_RINGS = 1 << 3,
  ERRORS = 0x770,
  INTERRUPTS = 0x7000, /* a one written clears it */
  /* a descriptor */
  NEXT = 0x00,
  BUFFER = 0x08,
  WANTED = 0x18, /* length, and the two below */
  DONE = 0x1c,   /* length, and the three below */
  LENGTH = 0x3ffffff,
  STARTS = 1 << 27,
  ENDS = 1 << 26,
  FAILED = 7 << 28,

  RESET_WAITS = 10000,
  RESET_WAIT_NS = 100000
};

static const uint32_t COMPLETE = UINT32_C(1) << 31;

/* What was written before is in memory before what follows, and what follows is not read before. */
static void order(void) {
#if defined(__aarch64__) || (defined(__ARM_ARCH) && __ARM_ARCH >= 7)
  __asm__ volatile("dsb sy" ::: "memory"); /* the DMA is outside the domain of the compiler's own fence */
#else
  __sync_synchronize();
#endif
}

static uint32_t get(const pm_dma *dma, uint32_t channel, uint32_t offset) {
  return dma->registers[(channel + offset) / 4];
}

static void put(pm_dma *dma, uint32_t channel, uint32_t offset, uint32_t value) {
  dma->registers[(channel + offset) / 4] = value;
}

/* Offset of a descriptor, or of its slot. */
static uint32_t descriptor(const pm_dma_ring *ring, uint32_t index) {
  return ring->descriptors + index % PM_DMA_SLOTS * PM_DMA_DESCRIPTOR;
}

static uint32_t slot(const pm_dma_ring *ring, uint32_t index) {
  return ring->slots + index % PM_DMA_SLOTS * ring->bytes;
}

static bool full(const pm_dma_ring *ring) { return ring->count == PM_DMA_SLOTS - 1; }

static void wipe(pm_dma *dma, uint32_t offset, uint32_t length) {
  for (uint32_t i = 0; i < length; i += 4) {
    dma->memory[(offset + i) / 4] = 0;
  }
}

/* Gives the slot behind those that the hardware has to it. */
static void give(pm_dma *dma, pm_dma_ring *ring, uint32_t wanted) {
  uint32_t at = descriptor(ring, ring->first + ring->count);
  dma->memory[(at + WANTED) / 4] = wanted;
  dma->memory[(at + DONE) / 4] = 0;
  ring->count++;
  order();
  put(dma, ring->registers, TAIL, dma->address + at);
}

static void take_back(pm_dma_ring *ring) {
  ring->first = (ring->first + 1) % PM_DMA_SLOTS;
  ring->count--;
}

/* DONE of the first slot that the hardware has; 0: it is not done. Broken if it says that it failed. */
static uint32_t done(pm_dma *dma, const pm_dma_ring *ring) {
  uint32_t word = ring->count == 0 ? 0 : dma->memory[(descriptor(ring, ring->first) + DONE) / 4];
  dma->broken = dma->broken || (word & FAILED) != 0;
  order();
  return (word & COMPLETE) != 0 ? word : 0;
}

/* Takes back the slots of what was sent. */
static void reclaim(pm_dma *dma) {
  pm_dma_ring *ring = &dma->jobs;
  for (uint32_t word = done(dma, ring); word != 0 && !dma->broken; word = done(dma, ring)) {
    uint32_t wanted = dma->memory[(descriptor(ring, ring->first) + WANTED) / 4] & LENGTH;
    dma->broken = (word & LENGTH) != wanted;
    wipe(dma, slot(ring, ring->first), wanted);
    take_back(ring);
  }
}

static pm_error state(const pm_dma *dma) { return dma->broken ? PM_ERR_IO : PM_OK; }

/* Both channels at once. False: it stays in reset. */
static bool reset(pm_dma *dma) {
  const struct timespec nap = {0, RESET_WAIT_NS};
  put(dma, TO_STREAM, CONTROL, RESET);
  for (int i = 0; i < RESET_WAITS; i++) {
    if ((get(dma, TO_STREAM, CONTROL) & RESET) == 0 && (get(dma, TO_MEMORY, CONTROL) & RESET) == 0) {
      return true;
    }
    (void)nanosleep(&nap, NULL); /* an early return does no harm */
  }
  return false;
}

static void start(pm_dma *dma, const pm_dma_ring *ring, uint32_t interrupts) {
  for (uint32_t i = 0; i < PM_DMA_SLOTS; i++) {
    uint32_t at = descriptor(ring, i);
    wipe(dma, at, PM_DMA_DESCRIPTOR);
    dma->memory[(at + NEXT) / 4] = dma->address + descriptor(ring, i + 1);
    dma->memory[(at + BUFFER) / 4] = dma->address + slot(ring, i);
  }
  order();
  put(dma, ring->registers, CURRENT, dma->address + descriptor(ring, 0));
  put(dma, ring->registers, CONTROL, RUN | EACH | ON_ERROR | interrupts);
}

pm_error pm_dma_begin(pm_dma *dma, volatile uint32_t *registers, volatile uint32_t *memory, uint32_t address) {
  const uint32_t descriptors = PM_DMA_SLOTS * PM_DMA_DESCRIPTOR, results = 2 * descriptors;
  *dma = (pm_dma){
      .registers = registers,
      .memory = memory,
      .address = address,
      .jobs = {TO_STREAM, 0, results + PM_DMA_SLOTS * PM_DMA_RESULT_BYTES, PM_DMA_JOB_BYTES, 0, 0},
      .results = {TO_MEMORY, descriptors, results, PM_DMA_RESULT_BYTES, 0, 0},
  };
  if (!reset(dma)) {
    return pm_open_failed(PM_ERR_DEVICE, "the AXI DMA stays in reset");
  }
  if ((get(dma, TO_STREAM, STATUS) & get(dma, TO_MEMORY, STATUS) & HAS_RINGS) == 0) {
    return pm_open_failed(PM_ERR_DEVICE, "the AXI DMA has no scatter-gather engine");
  }
  start(dma, &dma->jobs, 0);
  start(dma, &dma->results, ON_COMPLETION);
  while (!full(&dma->results)) {
    give(dma, &dma->results, PM_DMA_RESULT_BYTES);
  }
  return PM_OK;
}

void pm_dma_end(pm_dma *dma) {
  (void)reset(dma); /* nothing else can be done */
  wipe(dma, 0, PM_DMA_MEMORY);
}

static void copy_in(pm_dma *dma, uint32_t offset, const uint8_t *bytes, uint32_t length) {
  for (uint32_t i = 0; i < length; i += 4) {
    uint32_t word = 0;
    for (uint32_t j = 0; j < 4 && i + j < length; j++) {
      word |= (uint32_t)bytes[i + j] << (8 * j);
    }
    dma->memory[(offset + i) / 4] = word;
  }
}

static void copy_out(const pm_dma *dma, uint32_t offset, uint8_t *bytes, uint32_t length) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < length; i++) {
    word = i == 0 || (offset + i) % 4 == 0 ? dma->memory[(offset + i) / 4] : word;
    bytes[i] = (uint8_t)(word >> (offset + i) % 4 * 8);
  }
}

pm_error pm_dma_send(pm_dma *dma, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  *taken = 0;
  reclaim(dma);
  while (!dma->broken && *taken < length && !full(&dma->jobs)) {
    size_t left = length - *taken;
    bool ends = last && left <= PM_DMA_JOB_BYTES;
    uint32_t n = left < PM_DMA_JOB_BYTES ? (uint32_t)left : PM_DMA_JOB_BYTES;
    n = ends ? n : n / 8 * 8; /* whole beats, but for the end of the packet */
    if (n == 0) {
      break;
    }
    copy_in(dma, slot(&dma->jobs, dma->jobs.first + dma->jobs.count), bytes + *taken, n);
    give(dma, &dma->jobs, n | (dma->inside ? 0 : STARTS) | (ends ? ENDS : 0));
    dma->inside = !ends;
    *taken += n;
  }
  dma->blocked = *taken < length;
  return state(dma);
}

pm_error pm_dma_recv(pm_dma *dma, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  pm_dma_ring *ring = &dma->results;
  reclaim(dma); /* what a result is to is no longer needed, and may be secret */
  uint32_t word = done(dma, ring), total = word & LENGTH, at = slot(ring, ring->first);
  *length = 0;
  dma->broken = dma->broken || (word != 0 && (total == 0 || total > ring->bytes));
  if (dma->broken || word == 0) {
    return state(dma);
  }
  uint32_t left = total - dma->given, n = left < capacity ? left : (uint32_t)capacity;
  copy_out(dma, at + dma->given, bytes, n);
  *length = n;
  *last = n == left && (word & ENDS) != 0;
  dma->given += n;
  if (n == left) {
    dma->given = 0;
    wipe(dma, at, total);
    take_back(ring);
    give(dma, ring, ring->bytes);
  }
  return PM_OK;
}

pm_error pm_dma_look(pm_dma *dma, bool *moved) {
  for (uint32_t channel = TO_STREAM; channel <= TO_MEMORY; channel += TO_MEMORY - TO_STREAM) {
    uint32_t status = get(dma, channel, STATUS);
    dma->broken = dma->broken || (status & (HALTED | ERRORS)) != 0;
    put(dma, channel, STATUS, status & INTERRUPTS); /* before the rings: what completes from now on interrupts again */
  }
  reclaim(dma);
  *moved = done(dma, &dma->results) != 0 || (dma->blocked && !full(&dma->jobs));
  put(dma, TO_STREAM, CONTROL, RUN | EACH | ON_ERROR | (dma->blocked ? ON_COMPLETION : 0));
  return state(dma);
}
