/* SPDX-License-Identifier: Apache-2.0
 *
 * pm_mpu_mmio.h: the core `mpu` in the address space of a program without operating system.
 */
#ifndef PM_MPU_MMIO_H
#define PM_MPU_MMIO_H

#include "pm_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* The state of this back-end. Only `sleep` may be null: time then passes by asking again. */
typedef struct pm_mpu_mmio {
  volatile uint32_t *registers;
  volatile uint32_t *memory;
  uint64_t (*now)(void);    /* clock cycles */
  uint32_t (*errors)(void); /* accesses that were answered with an error since the last call */
  void (*sleep)(void);      /* until the core's interrupt line is high, or some cycles are over */
} pm_mpu_mmio;

extern const pm_mpu_backend pm_mpu_mmio_backend;

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* PM_MPU_MMIO_H */
