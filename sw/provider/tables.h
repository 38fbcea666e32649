/* SPDX-License-Identifier: Apache-2.0
 *
 * tables.h: the tables of functions of signatures and key agreements.
 */
#ifndef PMP_TABLES_H
#define PMP_TABLES_H

#include <openssl/core_dispatch.h>

extern const OSSL_DISPATCH pmp_ed25519_signature[], pmp_ecdsa_signature[], pmp_sm2_signature[];
extern const OSSL_DISPATCH pmp_xdh_exchange[], pmp_ecdh_exchange[];

#endif /* PMP_TABLES_H */
