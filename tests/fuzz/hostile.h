/* SPDX-License-Identifier: Apache-2.0
 *
 * hostile.h: back-end "hostile" for the streams of `edverify` and `x25519`: it keeps the contract of backend.h, but
 * everything that the core behind it decides, its pace, results and registers, comes from the input of a fuzz target.
 *
 * The first 8 bytes of S, or of a secret, are the tag of the caller, so that results can be compared with what the
 * core said of that job.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdbool.h>

#include "../../sw/src/backend.h"
#include "fuzz.h"

extern const pm_backend pm_backend_hostile;

/* Begins a run on this input. honest: results are those of a core without defects, though of any verdict, in any order
 * and number. */
void hostile_begin(fuzz_input *in, bool honest);

/* Whether the core sent a result to the job with this tag that keeps to the format and says what `result` says. */
bool hostile_said(const pm_result *result);

#endif /* HOSTILE_H */
