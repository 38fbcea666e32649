/* SPDX-License-Identifier: Apache-2.0
 *
 * curve_backend.h: back-end "fake", which works as `multicurve` or, asked by the option of a job, wrongly.
 *
 * A job of operation op returns op % 4 of its operands, cycles 100 and the flag bits of its flags; a
 * reset with nothing. The port takes 16 bytes a cycle and gives 24.
 */
#ifndef CURVE_BACKEND_H
#define CURVE_BACKEND_H

#include "../../sw/src/backend.h"

enum {
  ANSWER_RIGHT,
  ANSWER_NEVER,
  ANSWER_OTHER_OP,
  ANSWER_RESERVED_HEAD,
  ANSWER_RESERVED_TAIL,
  ANSWER_LONG_NUMBER,
  ANSWER_LONG_FIRST,
  ANSWER_PAYLOAD_OF_REFUSED,
  ANSWER_CUT,
  ANSWER_REFUSED,
  ANSWER_OTHER_TAG_FIRST,
  ANSWER_LATE /* before the answer to the first job after a reset */
};

typedef struct fake_counts {
  size_t jobs, resets, opened, closed;
} fake_counts;

extern fake_counts fake;
extern const pm_backend pm_backend_fake;

#endif /* CURVE_BACKEND_H */
