/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_fake.h: a back-end of `mpu` that calculates with sw/src/mp.c and affine.c, late or never if asked.
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
  pm_mp entry[PM_MPU_ENTRIES];
  pm_modulus modulus;
  pm_affine_curve curve;
} mpu_fake;

/* An idle core. */
void mpu_fake_init(mpu_fake *fake);

extern const pm_mpu_backend mpu_fake_backend;

#endif /* MPU_FAKE_H */
