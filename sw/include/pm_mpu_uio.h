/* SPDX-License-Identifier: Apache-2.0
 *
 * pm_mpu_uio.h: the core `mpu` under Linux, by a UIO device with two mappings, registers and operand memory.
 */
#ifndef PM_MPU_UIO_H
#define PM_MPU_UIO_H

#include "pm_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* [declarations] */

/* The state of this back-end. The members are its own. */
typedef struct pm_mpu_uio {
  volatile uint32_t *registers, *memory;
  int file;
  uint32_t mhz;
} pm_mpu_uio;

extern const pm_mpu_backend pm_mpu_uio_backend;

/* Maps `path`, for example /dev/uio0; `mhz` is the clock of the core, for time-outs alone. IO: the system refused.
 * ARGUMENT: mhz is 0. */
pm_error pm_mpu_uio_open(pm_mpu_uio *uio, const char *path, uint32_t mhz);

/* Unmaps. */
void pm_mpu_uio_close(pm_mpu_uio *uio);

/* [end of declarations] */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* PM_MPU_UIO_H */
