/* SPDX-License-Identifier: Apache-2.0
 *
 * soft.h: the operations of operations.h by OpenSSL's default provider, for fallback = openssl. Same arguments, same
 * returned values; nothing is raised or counted.
 */
#ifndef PMP_SOFT_H
#define PMP_SOFT_H

#include "key.h"

int pmp_soft_ed25519_sign(const pmp_key *key, const uint8_t *message, size_t length, uint8_t *signature);
int pmp_soft_ed25519_verify(const pmp_key *key, const uint8_t *message, size_t length, const uint8_t *signature,
                            size_t signature_length);
int pmp_soft_public_of(pmp_key *key);
int pmp_soft_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret, size_t length);
int pmp_soft_ec_check(const pmp_key *key);
int pmp_soft_ec_sign(const pmp_key *key, const uint8_t *digest, size_t length, uint8_t *r, uint8_t *s);
int pmp_soft_ec_verify(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *r, const uint8_t *s);

#endif /* PMP_SOFT_H */
