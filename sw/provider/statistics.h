/* SPDX-License-Identifier: Apache-2.0
 *
 * statistics.h: what the provider did, by algorithm and operation, as JSON in a file and as a parameter.
 *
 * One entry, for instance "ECDSA.P-256.sign", counts
 *   done      results of the device, among them
 *   rejected  invalid signatures, points and scalars
 *   failed    operations for which the device had no result, among them
 *   fallback  what the default provider did in its place
 *   cycles    clock cycles of the device, header to result
 */
#ifndef PMP_STATISTICS_H
#define PMP_STATISTICS_H

#include <stddef.h>
#include <stdint.h>

typedef enum pmp_event { PMP_DONE, PMP_REJECTED, PMP_FAILED, PMP_FALLBACK, PMP_EVENTS } pmp_event;

typedef struct pmp_statistics pmp_statistics;

/* `path` is a pmp_settings.statistics, or "" for no file. Null when out of memory. */
pmp_statistics *pmp_statistics_new(const char *path);

/* Frees; the file was written after the last event. */
void pmp_statistics_free(pmp_statistics *statistics);

/* Counts an event of an operation; `curve` may be null. A rejected result is done as well, a fallback is not counted
 * as failed again. */
void pmp_count(pmp_statistics *statistics, const char *algorithm, const char *curve, const char *operation,
               pmp_event event, uint64_t cycles);

/* The JSON text, to be freed with OPENSSL_free(); null when out of memory. */
char *pmp_statistics_text(pmp_statistics *statistics);

/* In a child process: counts from 0 on, with a lock that nobody holds. */
void pmp_statistics_after_fork(pmp_statistics *statistics);

#endif /* PMP_STATISTICS_H */
