/* SPDX-License-Identifier: Apache-2.0
 *
 * run.h: one job from a key to a counted outcome; what operations.c and operations_ec.c share.
 */
#ifndef PMP_RUN_H
#define PMP_RUN_H

#include "job.h"
#include "key.h"

typedef enum pmp_outcome {
  PMP_OK,        /* there is a result, and it is positive */
  PMP_NO,        /* the core says no */
  PMP_NOTHING,   /* the device has no result; raised, unless the fallback is to do it */
  PMP_INSTEAD    /* the same, and the fallback is to do it */
} pmp_outcome;

/* Does and counts a job. algorithm, curve (or null) and operation name it in the statistics. */
pmp_outcome pmp_run(const pmp_key *key, pmp_job *job, const char *algorithm, const char *operation);

/* Counts the outcome of a fallback, and raises what is wrong. `returned` as of the functions of soft.h. */
int pmp_fell_back(const pmp_key *key, const char *algorithm, const char *operation, int returned);

/* A result that contradicts its job: counted as failed and raised. As pmp_run(), without PMP_OK. */
pmp_outcome pmp_contradiction(const pmp_key *key, const char *algorithm, const char *operation, const char *what);

#endif /* PMP_RUN_H */
