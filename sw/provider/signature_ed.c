/* SPDX-License-Identifier: Apache-2.0
 *
 * signature_ed.c: Ed25519 of whole messages (RFC 8032, no context, no prehash). The message is hashed in the core.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <strings.h>

#include "context.h"
#include "operations.h"
#include "tables.h"

enum { SIGNATURE_BYTES = 64 };

/* As OSSL_SIGNATURE_PARAM_INSTANCE and OSSL_SIGNATURE_PARAM_CONTEXT_STRING of later versions of OpenSSL. */
#define INSTANCE "instance"
#define CONTEXT_STRING "context-string"

typedef struct signing {
  pmp_ctx *ctx;
  pmp_key *key;
} signing;

static void *new_signing(void *ctx, const char *propq) {
  signing *it = OPENSSL_zalloc(sizeof *it);
  (void)propq;
  if (it == NULL) {
    pmp_raise((pmp_ctx *)ctx, PMP_R_MEMORY);
    return NULL;
  }
  it->ctx = ctx;
  return it;
}

static void free_signing(void *ctx) {
  signing *it = ctx;
  if (it != NULL) {
    pmp_key_free(it->key);
    OPENSSL_free(it);
  }
}

static void *dup_signing(void *ctx) {
  const signing *from = ctx;
  signing *it = new_signing(from->ctx, NULL);
  if (it != NULL && from->key != NULL) {
    it->key = pmp_key_share(from->key);
  }
  return it;
}

/* Ed25519ph and Ed25519ctx have signatures of their own: the core has none, and these must not pass for them. */
static int check_instance(const signing *it, const OSSL_PARAM params[]) {
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, INSTANCE);
  if (p != NULL && (p->data_type != OSSL_PARAM_UTF8_STRING || p->data == NULL || strcasecmp(p->data, "Ed25519") != 0)) {
    return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s: only Ed25519", p->key);
  }
  p = OSSL_PARAM_locate_const(params, CONTEXT_STRING);
  return p == NULL || p->data_size == 0 || pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s: Ed25519 has none", p->key);
}

static int init(void *ctx, const char *digest, void *key, const OSSL_PARAM params[]) {
  signing *it = ctx;
  if (!check_instance(it, params)) {
    return 0;
  }
  if (digest != NULL && digest[0] != '\0') {
    return pmp_raise_text(it->ctx, PMP_R_DIGEST, "Ed25519 takes none, not %s", digest);
  }
  if (key != NULL) { /* without one the context is used again */
    pmp_key_free(it->key);
    it->key = pmp_key_share(key);
  }
  return it->key != NULL || pmp_raise(it->ctx, PMP_R_NOT_INITIALISED);
}

static int sign(void *ctx, unsigned char *signature, size_t *length, size_t size, const unsigned char *message,
                size_t message_length) {
  signing *it = ctx;
  if (it->key == NULL || !it->key->has_private) {
    return pmp_raise(it->ctx, PMP_R_NO_PRIVATE_KEY);
  }
  if (signature != NULL && size < SIGNATURE_BYTES) {
    return pmp_raise(it->ctx, PMP_R_BUFFER_TOO_SMALL);
  }
  *length = SIGNATURE_BYTES;
  return signature == NULL || pmp_ed25519_sign(it->key, message, message_length, signature);
}

static int verify(void *ctx, const unsigned char *signature, size_t length, const unsigned char *message,
                  size_t message_length) {
  signing *it = ctx;
  if (it->key == NULL || !it->key->has_public) {
    return pmp_raise(it->ctx, PMP_R_NO_PUBLIC_KEY);
  }
  return pmp_ed25519_verify(it->key, message, message_length, signature, length) == 1;
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
  static const unsigned char identifier[] = {0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70}; /* SEQUENCE {1.3.101.112} */
  OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID);
  (void)ctx;
  return p == NULL || OSSL_PARAM_set_octet_string(p, identifier, sizeof identifier);
}

static const OSSL_PARAM *gettable_params(void *ctx, void *provider) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                   OSSL_PARAM_END};
  (void)ctx;
  (void)provider;
  return all;
}

const OSSL_DISPATCH pmp_ed25519_signature[] = {
    {OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))new_signing},
    {OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))free_signing},
    {OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))dup_signing},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))init},
    {OSSL_FUNC_SIGNATURE_DIGEST_SIGN, (void (*)(void))sign},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (void (*)(void))init},
    {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY, (void (*)(void))verify},
    {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params},
    {0, NULL}};
