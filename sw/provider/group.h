/* SPDX-License-Identifier: Apache-2.0
 *
 * group.h: curves of the core multicurve. Names and parameters are OpenSSL's own: every built-in curve over a prime
 * field of at most 544 bits whose order is prime (cofactor 1), and curve448 for X448.
 */
#ifndef PMP_GROUP_H
#define PMP_GROUP_H

#include <openssl/ec.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm_curve.h"

enum { PMP_LOAD_NUMBERS = 6, PMP_MAX_BYTES = PM_NUMBER_BYTES };

/* What load_curve needs: p, a, b, gx, gy, n, or of a Montgomery curve p, (A + 2) / 4 and zeros. */
typedef struct pmp_curve {
  uint8_t numbers[PMP_LOAD_NUMBERS * PM_NUMBER_BYTES]; /* lowest byte first */
  bool montgomery;
} pmp_curve;

typedef struct pmp_group {
  int nid;
  const char *name;  /* as OpenSSL's group name: prime256v1 */
  const char *label; /* for statistics: P-256 */
  size_t field_bytes, order_bytes;
  unsigned field_bits, order_bits;
  uint8_t order[PMP_MAX_BYTES]; /* order_bytes, highest byte first */
  EC_GROUP *openssl;            /* for compressed points and the fallback */
  pmp_curve curve;
} pmp_group;

typedef struct pmp_groups pmp_groups;

pmp_groups *pmp_groups_new(OSSL_LIB_CTX *libctx);
void pmp_groups_free(pmp_groups *groups);

/* The group of an OpenSSL number or name (prime256v1, P-256, secp256r1); null when it is none of the core's. It
 * lives as long as `groups`. */
const pmp_group *pmp_group_of(pmp_groups *groups, int nid);
const pmp_group *pmp_group_named(pmp_groups *groups, const char *name);

/* curve448 (RFC 7748). */
extern const pmp_curve pmp_curve448;

/* Copies `length` bytes in the other order into a number, whose other bytes become 0. */
void pmp_to_number(uint8_t number[PM_NUMBER_BYTES], const uint8_t *big_endian, size_t length);

/* The lowest `length` bytes of a number in the other order; false if the number is longer. */
bool pmp_from_number(uint8_t *big_endian, size_t length, const uint8_t number[PM_NUMBER_BYTES]);

/* Whether 0 < number < order, both highest byte first and as long as the order; in a time that does not depend on
 * the number. */
bool pmp_in_range(const pmp_group *group, const uint8_t *number);

#endif /* PMP_GROUP_H */
