/* SPDX-License-Identifier: Apache-2.0
 *
 * key.h: a key of the provider. Keys are OpenSSL's until an operation of this provider takes them; then they are
 * imported once, and what KEYMGMT hands to the operations is a pmp_key.
 */
#ifndef PMP_KEY_H
#define PMP_KEY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "group.h"

typedef enum pmp_type { PMP_ED25519, PMP_X25519, PMP_X448, PMP_EC, PMP_SM2 } pmp_type;

typedef struct pmp_key {
  atomic_uint references;
  struct pmp_ctx *ctx;
  pmp_type type;
  const pmp_group *group; /* EC and SM2: null until it is set */
  bool has_public, has_private;
  bool no_fallback;                      /* of a self-test: the devices alone */
  bool compressed;                       /* the form in which the public point is given out */
  uint8_t public_key[2 * PMP_MAX_BYTES]; /* as on the wire; EC and SM2: x, then y, highest byte first */
  uint8_t private_key[PMP_MAX_BYTES];    /* as on the wire; EC and SM2: order_bytes, highest byte first */
} pmp_key;

/* An empty key; null with an error when out of memory. */
pmp_key *pmp_key_new(struct pmp_ctx *ctx, pmp_type type);

/* One more owner. */
pmp_key *pmp_key_share(pmp_key *key);

/* One owner less; the last one overwrites the key. Null is allowed. */
void pmp_key_free(pmp_key *key);

/* Name of the algorithm, as OpenSSL's default provider knows it. */
const char *pmp_key_algorithm(const pmp_key *key);

/* Whether the type is one of Edwards or Montgomery curves, whose keys are strings of bytes. */
bool pmp_key_is_bytes(const pmp_key *key);

/* Bytes of the public and of the private key; of EC and SM2 those of an encoded point, uncompressed or as
 * `compressed` says, and of the order. 0 without a group. */
size_t pmp_public_bytes(const pmp_key *key);
size_t pmp_private_bytes(const pmp_key *key);

/* Encodes the public point into pmp_public_bytes() bytes, or copies the public key. */
void pmp_encode_public(const pmp_key *key, uint8_t *to);

/* Takes a public key as on the wire or an encoded point. Whether the point is on the curve, the core decides when it
 * is used; a compressed one is completed by OpenSSL. 0 with an error if the encoding is none. */
int pmp_decode_public(pmp_key *key, const uint8_t *from, size_t length);

#endif /* PMP_KEY_H */
