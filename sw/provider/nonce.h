/* SPDX-License-Identifier: Apache-2.0
 *
 * nonce.h: nonces of ECDSA and SM2, and signatures with them.
 */
#ifndef PMP_NONCE_H
#define PMP_NONCE_H

#include "key.h"

/* A uniform number between 0 and the order, order_bytes, from OpenSSL's random numbers. 0 with an error. */
int pmp_random_scalar(struct pmp_ctx *ctx, const pmp_group *group, uint8_t *scalar);

/* Signs a digest: r and s of order_bytes. `hash` names the digest of RFC 6979 nonces; null: random ones. A nonce that
 * gives no signature is followed by the next. 0 with an error. */
int pmp_sign_digest(const pmp_key *key, const uint8_t *digest, size_t length, const char *hash, uint8_t *r,
                    uint8_t *s);

#endif /* PMP_NONCE_H */
