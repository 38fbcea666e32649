/* SPDX-License-Identifier: Apache-2.0
 *
 * keymgmt.h: key management: the tables of functions, and what they share.
 */
#ifndef PMP_KEYMGMT_H
#define PMP_KEYMGMT_H

#include <openssl/core_dispatch.h>

#include "key.h"

extern const OSSL_DISPATCH pmp_ed25519_keymgmt[], pmp_x25519_keymgmt[], pmp_x448_keymgmt[], pmp_ec_keymgmt[],
    pmp_sm2_keymgmt[];

/* For every type. */
int pmp_key_has(const void *key, int selection);
int pmp_key_match(const void *a, const void *b, int selection);
void *pmp_key_dup(const void *key, int selection);

/* Hands the selected parts of a key to `callback`; the private key leaves the provider here and nowhere else. */
int pmp_key_export(void *key, int selection, OSSL_CALLBACK *callback, void *argument);

/* What can be exported of a selection, of keys that are bytes and of EC and SM2. */
const OSSL_PARAM *pmp_bytes_types(int selection);
const OSSL_PARAM *pmp_ec_types(int selection);

/* A new private key from OpenSSL's random numbers, and the public key of it by the core. 0 with an error. */
int pmp_key_generate(pmp_key *key);

/* Whether the private key is that of the public one, and in range: decided by the core from a signature, where the
 * type has one. 1, or 0 with an error. */
int pmp_key_check_pair(pmp_key *key);

#endif /* PMP_KEYMGMT_H */
