/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_fake.h: a back-end of `mpu` that calculates with soc/baseline/mp.c and affine.c, late or never if asked.
 */
#ifndef MPU_FAKE_H
#define MPU_FAKE_H

#include "affine.h"
#include "pm_mpu.h"

typedef struct mpu_fake {
  uint32_t name;          /* what NAME reads as */
  uint64_t work;          /* cycles of an operation; UINT64_MAX: it never ends */
  uint64_t reset_work;    /* cycles of a soft reset */
  unsigned long refuse;   /* this access, counted from 1, is refused; 0: none */
  unsigned long accesses; /* of all four kinds */
  unsigned long commands, resets, waits, interrupt_waits, words_in, words_out;
  uint32_t command; /* the latest one */
  uint32_t status, infinity, scalar_bits, cycles, irq_enable, irq_status;
  uint64_t left; /* cycles until the core is idle */
  bool resetting;
  bool refuses; /* every operation is illegal */
  uint64_t bus_address;    /* under which the core finds the program's memory */
  pm_error address_error;  /* or why there is no such address */
  uint32_t *shared;        /* that memory, */
  size_t shared_bytes;     /* so much of it */
  uint32_t dma_low, dma_high, dma;
  unsigned long transfers;
  bool transferring, refuses_transfers;
  pm_mp entry[PM_MPU_ENTRIES];
  pm_modulus modulus;
  pm_affine_curve curve;
} mpu_fake;

/* An idle core. */
void mpu_fake_init(mpu_fake *fake);

extern const pm_mpu_backend mpu_fake_backend;

/* The same without addresses of the bus. */
extern const pm_mpu_backend mpu_fake_backend_alone;

#endif /* MPU_FAKE_H */
