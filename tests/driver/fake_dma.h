/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_dma.h: an AXI DMA with scatter-gather engine behind UIO devices, in the process of the test: files in their
 * place, and open, read, write, ppoll, nanosleep and clock_gettime replaced by the linker (--wrap). On its streams is
 * the fake back-end. It works while the driver waits; time is that of the simulation.
 */
#ifndef FAKE_DMA_H
#define FAKE_DMA_H

#include "../../sw/src/backend.h"

typedef enum fake_fault {
  FAKE_NONE,
  FAKE_STAYS_IN_RESET,
  FAKE_NO_RINGS,       /* the DMA has no scatter-gather engine */
  FAKE_NO_INTERRUPT,   /* the device tree names none: write() and read() fail */
  FAKE_INTERRUPTED,    /* each wait is ended by a signal */
  FAKE_LOST_INTERRUPT, /* none ever comes */
  FAKE_SPURIOUS,       /* each wait is ended by one */
  FAKE_GONE,           /* the device is unbound while a program waits */
  FAKE_STUCK,          /* a channel does no more */
  FAKE_HALTED,         /* a channel stops with an error that no descriptor has */
  FAKE_FAILED,         /* a descriptor has an error */
  FAKE_SHORT,          /* a transfer is eight bytes shorter than it should be */
  FAKE_EMPTY,          /* and has no bytes at all */
  FAKE_LONG,           /* and is longer than its slot */
  FAKE_UNENDED         /* a result does not end its packet */
} fake_fault;

typedef struct fake_dma {
  /* To be set: the fault, its channel and after how many transfers; settings of the fake core. */
  fake_fault fault;
  bool on_results;
  unsigned after;
  const char *core;
  uint64_t between; /* nanoseconds that pass when the driver asks for the time */
  /* What happened. */
  unsigned waits, interrupts, complaints; /* of the driver breaking rules of PG021 */
  unsigned transfers[2];                  /* to the core, from it */
  uint64_t nanoseconds;
} fake_dma;

extern fake_dma fake;

/* Makes the files in `folder` and the device; settings of the back-end uio for it, which stay valid. address: of the
 * buffer, as text in the file `told_in` of sysfs. */
const char *fake_begin(const char *folder, const char *told_in, const char *address);
/* Ends it. */
void fake_end(void);
/* How many bytes of the slots are not zero. */
size_t fake_left(void);
/* Soft resets of the core. */
uint32_t fake_resets(void);

#endif /* FAKE_DMA_H */
