/* SPDX-License-Identifier: Apache-2.0
 *
 * context.h: what one loaded provider is.
 */
#ifndef PMP_CONTEXT_H
#define PMP_CONTEXT_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/crypto.h>
#include <openssl/provider.h>

#include "errors.h"
#include "group.h"
#include "pool.h"
#include "settings.h"
#include "statistics.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "integers of OSSL_PARAM are taken for little-endian");

typedef struct pmp_ctx {
  const OSSL_CORE_HANDLE *handle;
  OSSL_FUNC_core_new_error_fn *new_error;
  OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
  OSSL_FUNC_core_vset_error_fn *vset_error;
  OSSL_FUNC_core_get_params_fn *get_params;
  OSSL_LIB_CTX *libctx; /* of the provider alone, with OpenSSL's default provider: digests, random numbers, fallback */
  OSSL_PROVIDER *openssl; /* that default provider */
  pmp_settings settings;
  pmp_statistics *statistics;
  pmp_pool *edverify, *multicurve;
  pmp_groups *groups;
} pmp_ctx;

#endif /* PMP_CONTEXT_H */
