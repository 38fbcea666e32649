/* SPDX-License-Identifier: Apache-2.0
 *
 * job.h: one job for a device, and its result.
 */
#ifndef PMP_JOB_H
#define PMP_JOB_H

#include "group.h"
#include "pointmill.h"

enum { PMP_DETAIL_BYTES = 200 };

typedef enum pmp_job_kind { PMP_JOB_VERIFY, PMP_JOB_SECRET, PMP_JOB_CURVE } pmp_job_kind;

typedef struct pmp_job {
  pmp_job_kind kind;
  /* What is asked; the caller fills in the member of its kind. */
  pm_job verify;
  pm_secret_job secret;
  pm_curve_job on_curve;
  const pmp_curve *curve; /* to be loaded before on_curve */
  bool takes_comb;        /* on_curve multiplies the base point by a secret: a comb pays when many follow */

  /* What came of it: the result of its kind counts only with PM_OK. */
  pm_error error;
  bool open_failed; /* the error is that of opening the device */
  char detail[PMP_DETAIL_BYTES];
  pm_result result;
  pm_curve_result curve_result;
  uint32_t load_cycles; /* of a load_curve that went before, or 0 */

  /* The pool's. */
  bool finished;
  struct pmp_job *next;
} pmp_job;

#endif /* PMP_JOB_H */
