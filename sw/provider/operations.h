/* SPDX-License-Identifier: Apache-2.0
 *
 * operations.h: the operations of the devices on keys. Each makes one job, waits for its result and counts it; the
 * verdict of a check is the core's alone. What the device has no result for is an error, or with fallback = openssl
 * done by OpenSSL's default provider and counted as that.
 *
 * All return 1, or 0 with an error in the queue. Those that check something return 0 without an error when the core
 * says no, and -1 with an error when there is no verdict. Secrets in their memory are overwritten.
 */
#ifndef PMP_OPERATIONS_H
#define PMP_OPERATIONS_H

#include "key.h"

/* Ed25519. `signature` has 64 bytes. */
int pmp_ed25519_sign(const pmp_key *key, const uint8_t *message, size_t length, uint8_t *signature);
int pmp_ed25519_verify(const pmp_key *key, const uint8_t *message, size_t length, const uint8_t *signature,
                       size_t signature_length);

/* Public key of the private one, into key->public_key: types whose keys are bytes, EC and SM2. */
int pmp_bytes_public_of(pmp_key *key);
int pmp_ec_public_of(pmp_key *key);

/* X25519 and X448: `secret` has as many bytes as the keys. A zero result is an error. */
int pmp_xdh_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret);

/* EC: x-coordinate of the product, field_bytes. */
int pmp_ecdh_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret);

/* EC, SM2: whether the public point is on the curve. */
int pmp_ec_check(const pmp_key *key);

/* ECDSA and SM2 on a digest, SM2's with Z in it. r and s have order_bytes. `nonce` has order_bytes and is in range;
 * with *again the nonce cannot be used, and nothing else is wrong. */
int pmp_ec_sign(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *nonce, uint8_t *r, uint8_t *s,
                bool *again);

/* r and s as numbers of PM_NUMBER_BYTES, lowest byte first. */
int pmp_ec_verify(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *r, const uint8_t *s);

#endif /* PMP_OPERATIONS_H */
