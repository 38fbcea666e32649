/* SPDX-License-Identifier: Apache-2.0
 *
 * der.h: signatures of ECDSA and SM2 as DER: SEQUENCE {r INTEGER, s INTEGER}.
 */
#ifndef PMP_DER_H
#define PMP_DER_H

#include "group.h"

enum { PMP_DER_BYTES = 2 * (PMP_MAX_BYTES + 3) + 4 }; /* no signature is longer */

/* r and s of a signature as numbers, lowest byte first. False if the text is no DER, has more than the signature, or
 * a number is negative or longer than 544 bits. */
bool pmp_der_decode(const uint8_t *der, size_t length, uint8_t r[PM_NUMBER_BYTES], uint8_t s[PM_NUMBER_BYTES]);

/* Encodes r and s of `bytes` each, highest byte first; the length, or 0 when out of memory. */
size_t pmp_der_encode(const uint8_t *r, const uint8_t *s, size_t bytes, uint8_t der[PMP_DER_BYTES]);

/* Length of the longest signature of a group. */
size_t pmp_der_most(const pmp_group *group);

#endif /* PMP_DER_H */
