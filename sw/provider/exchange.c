/* SPDX-License-Identifier: Apache-2.0
 *
 * exchange.c: key agreement by X25519, X448 and ECDH, the last one also with the key derivation of ANSI X9.63.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <string.h>

#include "context.h"
#include "operations.h"
#include "tables.h"

enum { NAME_BYTES = 64 };

typedef struct exchange {
  pmp_ctx *ctx;
  pmp_key *key, *peer;
  bool kdf;              /* ECDH: the coordinate goes through X963KDF */
  char digest[NAME_BYTES]; /* of the derivation */
  size_t kdf_length;
  uint8_t *ukm;
  size_t ukm_length;
} exchange;

static void *new_exchange(void *ctx) {
  exchange *it = OPENSSL_zalloc(sizeof *it);
  if (it == NULL) {
    pmp_raise((pmp_ctx *)ctx, PMP_R_MEMORY);
    return NULL;
  }
  it->ctx = ctx;
  return it;
}

static void free_exchange(void *ctx) {
  exchange *it = ctx;
  if (it != NULL) {
    pmp_key_free(it->key);
    pmp_key_free(it->peer);
    OPENSSL_clear_free(it->ukm, it->ukm_length);
    OPENSSL_free(it);
  }
}

static void *dup_exchange(void *ctx) {
  const exchange *from = ctx;
  exchange *it = new_exchange(from->ctx);
  if (it == NULL) {
    return NULL;
  }
  *it = *from;
  it->key = from->key == NULL ? NULL : pmp_key_share(from->key);
  it->peer = from->peer == NULL ? NULL : pmp_key_share(from->peer);
  it->ukm = from->ukm == NULL ? NULL : OPENSSL_memdup(from->ukm, from->ukm_length);
  if (from->ukm != NULL && it->ukm == NULL) {
    free_exchange(it);
    return NULL;
  }
  return it;
}

static int set_params(void *ctx, const OSSL_PARAM params[]);

static int init(void *ctx, void *key, const OSSL_PARAM params[]) {
  exchange *it = ctx;
  if (key == NULL || !((pmp_key *)key)->has_private) {
    return pmp_raise(it->ctx, PMP_R_NO_PRIVATE_KEY);
  }
  pmp_key_free(it->key);
  it->key = pmp_key_share(key);
  it->kdf = false;
  return set_params(ctx, params);
}

static int set_peer(void *ctx, void *key) {
  exchange *it = ctx;
  const pmp_key *peer = key;
  if (it->key == NULL) {
    return pmp_raise(it->ctx, PMP_R_NOT_INITIALISED);
  }
  if (peer == NULL || !peer->has_public) {
    return pmp_raise(it->ctx, PMP_R_NO_PUBLIC_KEY);
  }
  if (peer->type != it->key->type || peer->group != it->key->group) {
    return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "the peer's key is of another curve");
  }
  pmp_key_free(it->peer);
  it->peer = pmp_key_share(key);
  return 1;
}

/* The coordinate through X963KDF. */
static int derive_key(const exchange *it, uint8_t *shared, size_t length, uint8_t *secret) {
  char digest[NAME_BYTES];
  memcpy(digest, it->digest, sizeof digest);
  OSSL_PARAM params[4], *next = params;
  *next++ = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0);
  *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, shared, length);
  if (it->ukm != NULL) {
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, it->ukm, it->ukm_length);
  }
  *next = OSSL_PARAM_construct_end();
  EVP_KDF *kdf = EVP_KDF_fetch(it->ctx->libctx, OSSL_KDF_NAME_X963KDF, NULL);
  EVP_KDF_CTX *run = kdf == NULL ? NULL : EVP_KDF_CTX_new(kdf);
  int done = run != NULL && EVP_KDF_derive(run, secret, it->kdf_length, params) > 0;
  EVP_KDF_CTX_free(run);
  EVP_KDF_free(kdf);
  return done || pmp_raise_text(it->ctx, PMP_R_DIGEST, "X963KDF with %s", it->digest);
}

static int derive(void *ctx, unsigned char *secret, size_t *length, size_t size) {
  const exchange *it = ctx;
  if (it->key == NULL || it->peer == NULL) {
    return pmp_raise(it->ctx, it->key == NULL ? PMP_R_NO_PRIVATE_KEY : PMP_R_NO_PUBLIC_KEY);
  }
  bool bytes = pmp_key_is_bytes(it->key);
  size_t shared_length = bytes ? pmp_public_bytes(it->key) : it->key->group->field_bytes;
  size_t needed = it->kdf ? it->kdf_length : shared_length;
  if (secret != NULL && size < needed) {
    return pmp_raise(it->ctx, PMP_R_BUFFER_TOO_SMALL);
  }
  *length = needed;
  if (secret == NULL) {
    return 1;
  }
  uint8_t shared[PMP_MAX_BYTES];
  int done = bytes ? pmp_xdh_derive(it->key, it->peer, shared) : pmp_ecdh_derive(it->key, it->peer, shared);
  if (done && it->kdf) {
    done = derive_key(it, shared, shared_length, secret);
  } else if (done) {
    memcpy(secret, shared, shared_length);
  }
  OPENSSL_cleanse(shared, sizeof shared);
  return done;
}

static int set_kdf(exchange *it, const OSSL_PARAM params[]) {
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_TYPE);
  if (p != NULL) {
    if (p->data_type != OSSL_PARAM_UTF8_STRING ||
        (*(const char *)p->data != '\0' && strcmp(p->data, OSSL_KDF_NAME_X963KDF) != 0)) {
      return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
    }
    it->kdf = *(const char *)p->data != '\0';
  }
  char *digest = it->digest;
  if ((p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST)) != NULL &&
      !OSSL_PARAM_get_utf8_string(p, &digest, sizeof it->digest)) {
    return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
  }
  if ((p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)) != NULL &&
      !OSSL_PARAM_get_size_t(p, &it->kdf_length)) {
    return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
  }
  if ((p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_KDF_UKM)) != NULL) {
    void *ukm = NULL;
    size_t length = 0;
    if (p->data != NULL && p->data_size != 0 && !OSSL_PARAM_get_octet_string(p, &ukm, 0, &length)) {
      return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
    }
    OPENSSL_clear_free(it->ukm, it->ukm_length);
    it->ukm = ukm;
    it->ukm_length = length;
  }
  return 1;
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
  exchange *it = ctx;
  if (params == NULL) {
    return 1;
  }
  int cofactor = 0; /* 1 on all curves, so that both modes are the same */
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE);
  if (p != NULL && (!OSSL_PARAM_get_int(p, &cofactor) || cofactor < -1 || cofactor > 1)) {
    return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
  }
  return set_kdf(it, params);
}

static const OSSL_PARAM *settable_params(void *ctx, void *provider) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
                                   OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
                                   OSSL_PARAM_octet_string(OSSL_EXCHANGE_PARAM_KDF_UKM, NULL, 0), OSSL_PARAM_END};
  (void)ctx;
  (void)provider;
  return all;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
  const exchange *it = ctx;
  OSSL_PARAM *p;
  return ((p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE)) == NULL ||
          OSSL_PARAM_set_int(p, 0)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_TYPE)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, it->kdf ? OSSL_KDF_NAME_X963KDF : "")) &&
         ((p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_DIGEST)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, it->digest)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_OUTLEN)) == NULL ||
          OSSL_PARAM_set_size_t(p, it->kdf_length)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_EXCHANGE_PARAM_KDF_UKM)) == NULL ||
          OSSL_PARAM_set_octet_ptr(p, it->ukm, it->ukm_length));
}

static const OSSL_PARAM *gettable_params(void *ctx, void *provider) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_int(OSSL_EXCHANGE_PARAM_EC_ECDH_COFACTOR_MODE, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_TYPE, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_EXCHANGE_PARAM_KDF_DIGEST, NULL, 0),
                                   OSSL_PARAM_size_t(OSSL_EXCHANGE_PARAM_KDF_OUTLEN, NULL),
                                   OSSL_PARAM_octet_ptr(OSSL_EXCHANGE_PARAM_KDF_UKM, NULL, 0), OSSL_PARAM_END};
  (void)ctx;
  (void)provider;
  return all;
}

#define COMMON                                                    \
  {OSSL_FUNC_KEYEXCH_NEWCTX, (void (*)(void))new_exchange},       \
      {OSSL_FUNC_KEYEXCH_FREECTX, (void (*)(void))free_exchange}, \
      {OSSL_FUNC_KEYEXCH_DUPCTX, (void (*)(void))dup_exchange},   \
      {OSSL_FUNC_KEYEXCH_INIT, (void (*)(void))init},             \
      {OSSL_FUNC_KEYEXCH_SET_PEER, (void (*)(void))set_peer},     \
      {OSSL_FUNC_KEYEXCH_DERIVE, (void (*)(void))derive}

const OSSL_DISPATCH pmp_xdh_exchange[] = {COMMON, {0, NULL}};
const OSSL_DISPATCH pmp_ecdh_exchange[] = {
    COMMON,
    {OSSL_FUNC_KEYEXCH_SET_CTX_PARAMS, (void (*)(void))set_params},
    {OSSL_FUNC_KEYEXCH_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},
    {OSSL_FUNC_KEYEXCH_GET_CTX_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_KEYEXCH_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params},
    {0, NULL}};
