/* SPDX-License-Identifier: Apache-2.0
 *
 * pm_mpu_sim.h: the simulated core `mpu` in this process.
 */
#ifndef PM_MPU_SIM_H
#define PM_MPU_SIM_H

#include "pm_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* [declarations] */

extern const pm_mpu_backend pm_mpu_sim_backend;

/* A core after reset, the state of this back-end. `config` is as for pm_open(), with the settings module and modules
 * (docs/driver.md); null is "". CONFIG: no such core; pm_open_detail() says more. MEMORY: there is none. */
pm_error pm_mpu_sim_open(const char *config, void **state);

/* Frees it; null is allowed. */
void pm_mpu_sim_close(void *state);

/* Clock cycles since the reset. */
uint64_t pm_mpu_sim_elapsed(const void *state);

/* [end of declarations] */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* PM_MPU_SIM_H */
