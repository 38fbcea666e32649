/* SPDX-License-Identifier: Apache-2.0
 *
 * ed_core.h: a hostile `edverify` or `x25519`: the result packets that it makes of an input, and what they say.
 *
 * The first 8 bytes of S, or of a secret, are the tag of the caller, so that results can be compared with what the
 * core said of that job.
 */
#ifndef ED_CORE_H
#define ED_CORE_H

#include "hostile.h"

/* Begins a run. honest: results are those of a core without defects, though of any verdict, in any order and number. */
void ed_core_begin(fuzz_input *in, bool honest);

/* Bytes of the payload of an operation. */
size_t ed_core_payload(uint32_t op);

/* Whether the core sent a result to the job with this tag that keeps to the format and says what `result` says. Of a
 * job whose tag has not come the tag may be any. */
bool ed_core_said(const pm_result *result);

#endif /* ED_CORE_H */
