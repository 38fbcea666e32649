/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.h: the devices of one core, shared by all threads of a process.
 *
 * Jobs wait in one queue and are taken in the order in which they came. The thread that finds a free device serves the
 * first of the queue, its own among them or not; several at once where the core has many contexts. Devices are opened
 * by the first job that needs them, and by a child process anew.
 */
#ifndef PMP_POOL_H
#define PMP_POOL_H

#include "job.h"
#include "settings.h"
#include "unit.h"

typedef struct pmp_pool pmp_pool;

/* `settings` must outlive the pool. Null when out of memory. */
pmp_pool *pmp_pool_new(pmp_core core, const pmp_settings *settings);

/* Closes all devices. No thread may be in pmp_pool_run(). */
void pmp_pool_free(pmp_pool *pool);

/* Does one job and returns when it is finished. */
void pmp_pool_run(pmp_pool *pool, pmp_job *job);

/* In a child process: the devices and jobs of the parent are not this process's; forgets them. */
void pmp_pool_after_fork(pmp_pool *pool);

#endif /* PMP_POOL_H */
