/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_wait.h: the end of what the core `mpu` was told to do.
 */
#ifndef PM_MPU_WAIT_H
#define PM_MPU_WAIT_H

#include "pm_mpu.h"

/* Waits, by interrupt or asking again and again, until the core is idle, and resets it where that takes longer than
 * mpu->timeout; *reason is then that of STATUS. */
pm_error pm_mpu_finish(const pm_mpu *mpu, bool interrupt, uint32_t *reason);

#endif /* PM_MPU_WAIT_H */
