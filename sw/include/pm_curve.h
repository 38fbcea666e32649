/* SPDX-License-Identifier: Apache-2.0
 *
 * pm_curve.h: libpointmill for the core `multicurve`: jobs with 544-bit operands, one after the other.
 *
 * Opcodes, options, flags, operands and reasons are those of hw/multicurve/core.yaml (docs/bus-multicurve.md);
 * the back-ends, errors and rules are those of pointmill.h. The core keeps the curve of the last
 * load_curve job, so the order of the jobs in a batch matters and is kept. Jobs are sent as fast as the core takes
 * them, so that a batch keeps both engines of configuration `throughput` at work.
 */
#ifndef PM_CURVE_H
#define PM_CURVE_H

#include "pointmill.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* [declarations] */

enum {
  PM_NUMBER_BYTES = 68,  /* of a number: 544 bits, lowest byte first */
  PM_CURVE_OPERANDS = 8, /* most numbers of a job */
  PM_CURVE_PAYLOAD = 2   /* most numbers of a result */
};

/* One opened core `multicurve`. */
typedef struct pm_curve_device pm_curve_device;

/* One job. The numbers are read until the batch returns. */
typedef struct pm_curve_job {
  uint64_t tag;           /* any number of the caller's, echoed in the result */
  uint32_t op;            /* opcode, up to 255; the core refuses those it does not know */
  uint32_t option;        /* up to 255 */
  uint32_t flags;         /* up to 65535 */
  uint32_t count;         /* numbers, 1 to PM_CURVE_OPERANDS */
  const uint8_t *numbers; /* count * PM_NUMBER_BYTES bytes */
} pm_curve_job;

/* One result. */
typedef struct pm_curve_result {
  uint64_t tag;         /* of the job */
  uint32_t reason;      /* 0 ok; 10 aborted: no answer, or one that contradicts itself */
  uint32_t cycles;      /* header accepted to verdict; 0 without an answer */
  uint32_t count;       /* numbers of payload; 0 unless ok */
  uint8_t infinity;     /* the point is infinity */
  uint8_t all_zero;     /* the coordinate of a ladder is zero */
  uint8_t numbers[136]; /* payload: PM_CURVE_PAYLOAD * PM_NUMBER_BYTES bytes */
} pm_curve_result;

/* Opens a core as pm_open(). DEVICE: what answers there is no `multicurve`. */
pm_error pm_curve_open(const char *backend, const char *config, pm_curve_device **out);

/* Closes and frees. A null device is allowed. */
void pm_curve_close(pm_curve_device *dev);

/* Does n jobs and writes n results in the order of the jobs. `progress` may be null.
 * OK: the core answered every job. TIMEOUT (`timeout` cycles without a byte taken or an answer), PROTOCOL,
 * CANCELLED, BUS, IO: jobs without an answer have reason aborted and the core was soft-reset. ARGUMENT (null
 * pointer, a number out of range, timeout 0) changes nothing. */
pm_error pm_curve_batch(pm_curve_device *dev, const pm_curve_job *jobs, size_t n, uint64_t timeout,
                        pm_progress_fn progress, void *context, pm_curve_result *results);

/* Registers VERSION and CONFIG, and clock cycles since opening. */
pm_error pm_curve_info(pm_curve_device *dev, uint32_t *version, uint32_t *config, uint64_t *elapsed);

/* One register; ADDRESS and BUS as pm_read_reg(). */
pm_error pm_curve_read_reg(pm_curve_device *dev, uint32_t address, uint32_t *value);

/* [end of declarations] */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* PM_CURVE_H */
