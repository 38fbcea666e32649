/* SPDX-License-Identifier: Apache-2.0
 *
 * signature_ec.c: ECDSA and SM2, of digests and of messages. The message is hashed by OpenSSL's digest.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <openssl/x509.h>
#include <string.h>

#include "context.h"
#include "der.h"
#include "nonce.h"
#include "operations.h"
#include "sm2.h"
#include "tables.h"

/* As OSSL_SIGNATURE_PARAM_NONCE_TYPE of later versions of OpenSSL. */
#define NONCE_TYPE "nonce-type"

typedef struct signing {
  pmp_ctx *ctx;
  pmp_type type;
  pmp_key *key;
  EVP_MD *digest;    /* null: none is set, and the caller's digest has any length */
  EVP_MD_CTX *hash;  /* of a message under way */
  bool begun;        /* SM2: Z has gone into the hash */
  bool derived;      /* the nonce is that of RFC 6979 */
  uint8_t *id;       /* SM2: the identifier of the signer */
  size_t id_length;
} signing;

static void *new_signing(pmp_ctx *ctx, pmp_type type) {
  signing *it = OPENSSL_zalloc(sizeof *it);
  if (it == NULL) {
    pmp_raise(ctx, PMP_R_MEMORY);
    return NULL;
  }
  it->ctx = ctx;
  it->type = type;
  it->derived = type == PMP_EC && ctx->settings.rfc6979;
  return it;
}

static void *new_ecdsa(void *ctx, const char *propq) {
  (void)propq;
  return new_signing(ctx, PMP_EC);
}

static void *new_sm2(void *ctx, const char *propq) {
  (void)propq;
  return new_signing(ctx, PMP_SM2);
}

static void free_signing(void *ctx) {
  signing *it = ctx;
  if (it != NULL) {
    pmp_key_free(it->key);
    EVP_MD_free(it->digest);
    EVP_MD_CTX_free(it->hash);
    OPENSSL_free(it->id);
    OPENSSL_free(it);
  }
}

static void *dup_signing(void *ctx) {
  const signing *from = ctx;
  signing *it = new_signing(from->ctx, from->type);
  if (it == NULL) {
    return NULL;
  }
  it->derived = from->derived;
  it->begun = from->begun;
  it->key = from->key == NULL ? NULL : pmp_key_share(from->key);
  if (from->digest != NULL && EVP_MD_up_ref(from->digest)) {
    it->digest = from->digest;
  }
  bool good = from->digest == it->digest;
  if (good && from->hash != NULL) {
    good = (it->hash = EVP_MD_CTX_new()) != NULL && EVP_MD_CTX_copy_ex(it->hash, from->hash);
  }
  if (good && from->id != NULL) {
    good = (it->id = OPENSSL_memdup(from->id, from->id_length)) != NULL;
    it->id_length = from->id_length;
  }
  if (!good) {
    free_signing(it);
    return NULL;
  }
  return it;
}

static int set_digest(signing *it, const char *name) {
  EVP_MD *digest = EVP_MD_fetch(it->ctx->libctx, name, NULL);
  if (digest == NULL || (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0 ||
      (it->type == PMP_SM2 && EVP_MD_get_size(digest) > PMP_MAX_BYTES)) {
    EVP_MD_free(digest);
    return pmp_raise_text(it->ctx, PMP_R_DIGEST, "%s", name);
  }
  EVP_MD_free(it->digest);
  it->digest = digest;
  return 1;
}

static int set_params(void *ctx, const OSSL_PARAM params[]) {
  signing *it = ctx;
  const OSSL_PARAM *p;
  size_t size = 0;
  if (params == NULL) {
    return 1;
  }
  if ((p = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST)) != NULL &&
      (p->data_type != OSSL_PARAM_UTF8_STRING || it->hash != NULL || !set_digest(it, p->data))) {
    return it->hash == NULL ? 0 : pmp_raise_text(it->ctx, PMP_R_DIGEST, "it is set already");
  }
  if ((p = OSSL_PARAM_locate_const(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE)) != NULL &&
      (!OSSL_PARAM_get_size_t(p, &size) ||
       (it->digest != NULL && size != (size_t)EVP_MD_get_size(it->digest)))) {
    return pmp_raise_text(it->ctx, PMP_R_DIGEST, "%s", p->key);
  }
  if (it->type == PMP_SM2 && (p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_DIST_ID)) != NULL) {
    void *id = NULL;
    size_t length = 0;
    if (it->begun || (p->data_size != 0 && !OSSL_PARAM_get_octet_string(p, &id, 0, &length)) ||
        length > PMP_SM2_MOST_ID) {
      OPENSSL_free(id);
      return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
    }
    OPENSSL_free(it->id);
    it->id = id;
    it->id_length = length;
  }
  unsigned nonce = 0;
  if (it->type == PMP_EC && (p = OSSL_PARAM_locate_const(params, NONCE_TYPE)) != NULL) {
    if (!OSSL_PARAM_get_uint(p, &nonce) || nonce > 1) {
      return pmp_raise_text(it->ctx, PMP_R_PARAMETER, "%s", p->key);
    }
    it->derived = nonce == 1;
  }
  return 1;
}

static const OSSL_PARAM *settable_params(void *ctx, void *provider) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
                                   OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_DIST_ID, NULL, 0),
                                   OSSL_PARAM_uint(NONCE_TYPE, NULL), OSSL_PARAM_END};
  (void)ctx;
  (void)provider;
  return all;
}

static int init(void *ctx, void *key, const OSSL_PARAM params[]) {
  signing *it = ctx;
  if (key != NULL) { /* without one the context is used again */
    pmp_key_free(it->key);
    it->key = pmp_key_share(key);
  }
  it->begun = false;
  if (it->key == NULL || it->key->group == NULL) {
    return pmp_raise(it->ctx, PMP_R_NOT_INITIALISED);
  }
  return set_params(ctx, params);
}

static int digest_init(void *ctx, const char *digest, void *key, const OSSL_PARAM params[]) {
  signing *it = ctx;
  EVP_MD_CTX_free(it->hash);
  it->hash = NULL;
  const char *otherwise = it->type == PMP_SM2 ? "SM3" : "SHA256";
  bool named = digest != NULL && digest[0] != '\0';
  if ((named || it->digest == NULL) && !set_digest(it, named ? digest : otherwise)) {
    return 0;
  }
  if (!init(ctx, key, params)) {
    return 0;
  }
  it->hash = EVP_MD_CTX_new();
  return (it->hash != NULL && EVP_DigestInit_ex2(it->hash, it->digest, NULL)) || pmp_raise(it->ctx, PMP_R_MEMORY);
}

/* Puts Z before the first byte of a message. */
static int begin(signing *it) {
  if (it->hash == NULL) {
    return pmp_raise(it->ctx, PMP_R_NOT_INITIALISED);
  }
  if (it->type != PMP_SM2 || it->begun) {
    return 1;
  }
  it->begun = true;
  uint8_t z[EVP_MAX_MD_SIZE];
  return pmp_sm2_z(it->key, it->digest, it->id, it->id_length, z) &&
         EVP_DigestUpdate(it->hash, z, (size_t)EVP_MD_get_size(it->digest));
}

static int update(void *ctx, const unsigned char *data, size_t length) {
  signing *it = ctx;
  return begin(it) && EVP_DigestUpdate(it->hash, data, length);
}

/* Whether a digest has a length that fits. */
static int fits(const signing *it, size_t length) {
  bool good = it->digest != NULL ? length == (size_t)EVP_MD_get_size(it->digest)
                                 : it->type == PMP_EC || length <= PMP_MAX_BYTES;
  return good || pmp_raise_text(it->ctx, PMP_R_DIGEST, "%zu bytes", length);
}

/* The hash of the nonces of RFC 6979: the digest's, or of one that is not named the SHA-2 that is as long as it, or
 * the shortest that is as long as the order. */
static const char *nonce_hash(const signing *it, size_t length) {
  if (!it->derived) {
    return NULL;
  }
  if (it->digest != NULL) {
    return EVP_MD_get0_name(it->digest);
  }
  static const struct {
    size_t bytes;
    const char *name;
  } hashes[] = {{20, "SHA1"}, {28, "SHA2-224"}, {32, "SHA2-256"}, {48, "SHA2-384"}, {64, "SHA2-512"}};
  for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
    if (hashes[i].bytes == length) {
      return hashes[i].name;
    }
  }
  return it->key->group->order_bits <= 256 ? "SHA2-256" : it->key->group->order_bits <= 384 ? "SHA2-384" : "SHA2-512";
}

static int sign(void *ctx, unsigned char *signature, size_t *length, size_t size, const unsigned char *digest,
                size_t digest_length) {
  signing *it = ctx;
  if (it->key == NULL || !it->key->has_private) {
    return pmp_raise(it->ctx, PMP_R_NO_PRIVATE_KEY);
  }
  size_t most = pmp_der_most(it->key->group);
  if (signature == NULL) {
    *length = most;
    return 1;
  }
  if (size < most) {
    return pmp_raise(it->ctx, PMP_R_BUFFER_TOO_SMALL);
  }
  uint8_t r[PMP_MAX_BYTES], s[PMP_MAX_BYTES], der[PMP_DER_BYTES];
  if (!fits(it, digest_length) ||
      !pmp_sign_digest(it->key, digest, digest_length, nonce_hash(it, digest_length), r, s)) {
    return 0;
  }
  *length = pmp_der_encode(r, s, it->key->group->order_bytes, der);
  if (*length == 0) {
    return pmp_raise(it->ctx, PMP_R_MEMORY);
  }
  memcpy(signature, der, *length);
  return 1;
}

static int verify(void *ctx, const unsigned char *signature, size_t length, const unsigned char *digest,
                  size_t digest_length) {
  signing *it = ctx;
  uint8_t r[PM_NUMBER_BYTES], s[PM_NUMBER_BYTES];
  if (it->key == NULL || !it->key->has_public) {
    return pmp_raise(it->ctx, PMP_R_NO_PUBLIC_KEY);
  }
  if (!fits(it, digest_length)) {
    return 0;
  }
  if (!pmp_der_decode(signature, length, r, s)) {
    return pmp_raise(it->ctx, PMP_R_SIGNATURE_MALFORMED);
  }
  return pmp_ec_verify(it->key, digest, digest_length, r, s) == 1;
}

/* The digest of the message. */
static int finish(signing *it, uint8_t *digest, unsigned *length) {
  return begin(it) && EVP_DigestFinal_ex(it->hash, digest, length);
}

static int digest_sign(void *ctx, unsigned char *signature, size_t *length, size_t size) {
  signing *it = ctx;
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned digest_length = 0;
  if (signature != NULL && !finish(it, digest, &digest_length)) {
    return 0;
  }
  return sign(ctx, signature, length, size, digest, digest_length);
}

static int digest_verify(void *ctx, const unsigned char *signature, size_t length) {
  signing *it = ctx;
  uint8_t digest[EVP_MAX_MD_SIZE];
  unsigned digest_length = 0;
  return finish(it, digest, &digest_length) && verify(ctx, signature, length, digest, digest_length);
}

/* AlgorithmIdentifier of the digest with the type of key. */
static int get_identifier(const signing *it, OSSL_PARAM *p) {
  int nid = NID_undef, digest = it->digest == NULL ? NID_undef : EVP_MD_get_type(it->digest);
  int key = it->type == PMP_SM2 ? NID_sm2 : NID_X9_62_id_ecPublicKey;
  unsigned char *der = NULL;
  X509_ALGOR *algorithm = X509_ALGOR_new();
  int length = 0;
  if (algorithm != NULL && OBJ_find_sigid_by_algs(&nid, digest, key) &&
      X509_ALGOR_set0(algorithm, OBJ_nid2obj(nid), V_ASN1_UNDEF, NULL)) {
    length = i2d_X509_ALGOR(algorithm, &der);
  }
  X509_ALGOR_free(algorithm);
  int done = length > 0 && OSSL_PARAM_set_octet_string(p, der, (size_t)length);
  OPENSSL_free(der);
  return done || pmp_raise_text(it->ctx, PMP_R_DIGEST, "it has no identifier with this kind of key");
}

static int get_params(void *ctx, OSSL_PARAM params[]) {
  const signing *it = ctx;
  OSSL_PARAM *p;
  return ((p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_ALGORITHM_ID)) == NULL || get_identifier(it, p)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST_SIZE)) == NULL ||
          OSSL_PARAM_set_size_t(p, it->digest == NULL ? 0 : (size_t)EVP_MD_get_size(it->digest))) &&
         ((p = OSSL_PARAM_locate(params, OSSL_SIGNATURE_PARAM_DIGEST)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, it->digest == NULL ? "" : EVP_MD_get0_name(it->digest))) &&
         ((p = OSSL_PARAM_locate(params, NONCE_TYPE)) == NULL || OSSL_PARAM_set_uint(p, it->derived));
}

static const OSSL_PARAM *gettable_params(void *ctx, void *provider) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_octet_string(OSSL_SIGNATURE_PARAM_ALGORITHM_ID, NULL, 0),
                                   OSSL_PARAM_size_t(OSSL_SIGNATURE_PARAM_DIGEST_SIZE, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_SIGNATURE_PARAM_DIGEST, NULL, 0),
                                   OSSL_PARAM_uint(NONCE_TYPE, NULL), OSSL_PARAM_END};
  (void)ctx;
  (void)provider;
  return all;
}

#define COMMON                                                                      \
  {OSSL_FUNC_SIGNATURE_FREECTX, (void (*)(void))free_signing},                      \
      {OSSL_FUNC_SIGNATURE_DUPCTX, (void (*)(void))dup_signing},                    \
      {OSSL_FUNC_SIGNATURE_SIGN_INIT, (void (*)(void))init},                        \
      {OSSL_FUNC_SIGNATURE_SIGN, (void (*)(void))sign},                             \
      {OSSL_FUNC_SIGNATURE_VERIFY_INIT, (void (*)(void))init},                      \
      {OSSL_FUNC_SIGNATURE_VERIFY, (void (*)(void))verify},                         \
      {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_INIT, (void (*)(void))digest_init},          \
      {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_UPDATE, (void (*)(void))update},             \
      {OSSL_FUNC_SIGNATURE_DIGEST_SIGN_FINAL, (void (*)(void))digest_sign},         \
      {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_INIT, (void (*)(void))digest_init},        \
      {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_UPDATE, (void (*)(void))update},           \
      {OSSL_FUNC_SIGNATURE_DIGEST_VERIFY_FINAL, (void (*)(void))digest_verify},     \
      {OSSL_FUNC_SIGNATURE_SET_CTX_PARAMS, (void (*)(void))set_params},             \
      {OSSL_FUNC_SIGNATURE_SETTABLE_CTX_PARAMS, (void (*)(void))settable_params},   \
      {OSSL_FUNC_SIGNATURE_GET_CTX_PARAMS, (void (*)(void))get_params},             \
      {OSSL_FUNC_SIGNATURE_GETTABLE_CTX_PARAMS, (void (*)(void))gettable_params}

const OSSL_DISPATCH pmp_ecdsa_signature[] = {
    COMMON, {OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))new_ecdsa}, {0, NULL}};
const OSSL_DISPATCH pmp_sm2_signature[] = {
    COMMON, {OSSL_FUNC_SIGNATURE_NEWCTX, (void (*)(void))new_sm2}, {0, NULL}};
