/* SPDX-License-Identifier: Apache-2.0
 *
 * sm2.h: what SM2 hashes before a message (GB/T 32918.2, 5.5).
 */
#ifndef PMP_SM2_H
#define PMP_SM2_H

#include <openssl/evp.h>

#include "key.h"

enum { PMP_SM2_MOST_ID = 8191 }; /* bytes of an identifier: its bits are counted in 16 bits */

/* Z = hash(bits of id || id || a || b || base point || public key). 0 with an error. */
int pmp_sm2_z(const pmp_key *key, const EVP_MD *digest, const uint8_t *id, size_t id_length, uint8_t *z);

#endif /* PMP_SM2_H */
