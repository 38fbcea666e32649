/* SPDX-License-Identifier: Apache-2.0
 *
 * unit.h: one device of the pool. This is the only place that calls libpointmill.
 */
#ifndef PMP_UNIT_H
#define PMP_UNIT_H

#include "job.h"
#include "settings.h"

typedef enum pmp_core { PMP_EDVERIFY, PMP_MULTICURVE } pmp_core;

enum { PMP_UNIT_JOBS = 12 }; /* most jobs that pmp_unit_run() takes: contexts of edverify in `throughput` */

typedef struct pmp_unit {
  pmp_core core;
  unsigned index;
  bool busy;
  pm_device *ed;
  pm_curve_device *curve;
  const pmp_curve *loaded; /* null: none */
  bool comb;               /* it is loaded with a comb */
  unsigned comb_wanted;    /* jobs that would have used one, since it was loaded without */
} pmp_unit;

/* Does the jobs, all of the unit's core, and fills in what came of them. Opens the device before if it is not open,
 * and closes it behind a job that failed, so that the next one meets a fresh device. */
void pmp_unit_run(pmp_unit *unit, const pmp_settings *settings, pmp_job *const jobs[], size_t count);

/* Closes the device. */
void pmp_unit_close(pmp_unit *unit);

/* Whether the result of a finished job is one: not aborted, malformed, or a fault that the core found in itself. */
bool pmp_job_answered(const pmp_job *job);

#endif /* PMP_UNIT_H */
