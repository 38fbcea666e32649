/* SPDX-License-Identifier: Apache-2.0 */
#include "soft.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <string.h>

#include "context.h"
#include "der.h"
#include "keymgmt.h"

/* What becomes of an exported key. */
typedef struct making {
  const pmp_key *key;
  int selection;
  EVP_PKEY *made;
} making;

static int make(const OSSL_PARAM params[], void *argument) {
  making *it = argument;
  EVP_PKEY_CTX *pkey = EVP_PKEY_CTX_new_from_name(it->key->ctx->libctx, pmp_key_algorithm(it->key), NULL);
  int done = pkey != NULL && EVP_PKEY_fromdata_init(pkey) > 0 &&
             EVP_PKEY_fromdata(pkey, &it->made, it->selection, (OSSL_PARAM *)(uintptr_t)params) > 0;
  EVP_PKEY_CTX_free(pkey);
  return done;
}

/* The key as one of the default provider, or null. */
static EVP_PKEY *key_of(const pmp_key *key, int selection) {
  making it = {key, selection, NULL};
  (void)pmp_key_export((pmp_key *)(uintptr_t)key, selection, make, &it);
  return it.made;
}

static EVP_PKEY_CTX *context_of(const pmp_key *key, EVP_PKEY *pkey) {
  return pkey == NULL ? NULL : EVP_PKEY_CTX_new_from_pkey(key->ctx->libctx, pkey, NULL);
}

/* By the public key that OpenSSL computes, as the core does: two signatures of a message that differ in the public key
 * alone would give the private one away. */
int pmp_soft_ed25519_sign(const pmp_key *key, const uint8_t *message, size_t length, uint8_t *signature) {
  EVP_PKEY *pkey = key_of(key, OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
  EVP_MD_CTX *md = EVP_MD_CTX_new();
  uint8_t public_key[32];
  size_t size = 64, public_size = sizeof public_key;
  bool good = pkey != NULL && md != NULL && EVP_PKEY_get_raw_public_key(pkey, public_key, &public_size) > 0 &&
              (!key->has_public || memcmp(public_key, key->public_key, sizeof public_key) == 0) &&
              EVP_DigestSignInit_ex(md, NULL, NULL, key->ctx->libctx, NULL, pkey, NULL) > 0 &&
              EVP_DigestSign(md, signature, &size, message, length) > 0 && size == 64;
  EVP_MD_CTX_free(md);
  EVP_PKEY_free(pkey);
  return good ? 1 : -1;
}

int pmp_soft_ed25519_verify(const pmp_key *key, const uint8_t *message, size_t length, const uint8_t *signature,
                            size_t signature_length) {
  EVP_PKEY *pkey = key_of(key, EVP_PKEY_PUBLIC_KEY);
  EVP_MD_CTX *md = EVP_MD_CTX_new();
  int valid = -1;
  if (pkey != NULL && md != NULL && EVP_DigestVerifyInit_ex(md, NULL, NULL, key->ctx->libctx, NULL, pkey, NULL) > 0) {
    valid = EVP_DigestVerify(md, signature, signature_length, message, length) == 1;
  }
  EVP_MD_CTX_free(md);
  EVP_PKEY_free(pkey);
  return valid;
}

/* The product of the base point and a private key that has no public one. */
static bool multiply_base(pmp_key *key) {
  const pmp_group *group = key->group;
  BIGNUM *d = BN_secure_new();
  EC_POINT *point = EC_POINT_new(group->openssl);
  uint8_t encoded[1 + 2 * PMP_MAX_BYTES];
  size_t length = 1 + 2 * group->field_bytes;
  bool good = d != NULL && point != NULL && BN_bin2bn(key->private_key, (int)group->order_bytes, d) != NULL;
  if (good) {
    BN_set_flags(d, BN_FLG_CONSTTIME);
    good = EC_POINT_mul(group->openssl, point, d, NULL, NULL, NULL) &&
           EC_POINT_point2oct(group->openssl, point, POINT_CONVERSION_UNCOMPRESSED, encoded, length, NULL) == length;
  }
  if (good) {
    memcpy(key->public_key, encoded + 1, length - 1);
  }
  EC_POINT_free(point);
  BN_clear_free(d);
  return good;
}

int pmp_soft_public_of(pmp_key *key) {
  if (!pmp_key_is_bytes(key)) {
    return multiply_base(key) ? 1 : -1;
  }
  size_t length = sizeof key->public_key;
  EVP_PKEY *pkey = EVP_PKEY_new_raw_private_key_ex(key->ctx->libctx, pmp_key_algorithm(key), NULL, key->private_key,
                                                   pmp_private_bytes(key));
  bool good = pkey != NULL && EVP_PKEY_get_raw_public_key(pkey, key->public_key, &length) > 0;
  EVP_PKEY_free(pkey);
  return good ? 1 : -1;
}

int pmp_soft_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret, size_t length) {
  EVP_PKEY *ours = key_of(key, EVP_PKEY_KEYPAIR), *theirs = key_of(peer, EVP_PKEY_PUBLIC_KEY);
  EVP_PKEY_CTX *pkey = context_of(key, ours);
  size_t size = length;
  bool good = pkey != NULL && theirs != NULL && EVP_PKEY_derive_init(pkey) > 0 &&
              EVP_PKEY_derive_set_peer(pkey, theirs) > 0 && EVP_PKEY_derive(pkey, secret, &size) > 0 &&
              size == length;
  EVP_PKEY_CTX_free(pkey);
  EVP_PKEY_free(theirs);
  EVP_PKEY_free(ours);
  return good ? 1 : -1;
}

int pmp_soft_ec_check(const pmp_key *key) {
  uint8_t encoded[1 + 2 * PMP_MAX_BYTES] = {POINT_CONVERSION_UNCOMPRESSED};
  size_t length = 1 + 2 * key->group->field_bytes;
  memcpy(encoded + 1, key->public_key, length - 1);
  EC_POINT *point = EC_POINT_new(key->group->openssl);
  int valid = -1;
  if (point != NULL) { /* fails for a point that is not on the curve */
    valid = EC_POINT_oct2point(key->group->openssl, point, encoded, length, NULL);
  }
  EC_POINT_free(point);
  return valid;
}

int pmp_soft_ec_sign(const pmp_key *key, const uint8_t *digest, size_t length, uint8_t *r, uint8_t *s) {
  EVP_PKEY *pkey = key_of(key, EVP_PKEY_KEYPAIR);
  EVP_PKEY_CTX *signer = context_of(key, pkey);
  uint8_t der[PMP_DER_BYTES], numbers[2][PM_NUMBER_BYTES];
  size_t size = sizeof der, bytes = key->group->order_bytes;
  bool good = signer != NULL && EVP_PKEY_sign_init(signer) > 0 &&
              EVP_PKEY_sign(signer, der, &size, digest, length) > 0 &&
              pmp_der_decode(der, size, numbers[0], numbers[1]) && pmp_from_number(r, bytes, numbers[0]) &&
              pmp_from_number(s, bytes, numbers[1]);
  EVP_PKEY_CTX_free(signer);
  EVP_PKEY_free(pkey);
  return good ? 1 : -1;
}

int pmp_soft_ec_verify(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *r, const uint8_t *s) {
  EVP_PKEY *pkey = key_of(key, EVP_PKEY_PUBLIC_KEY);
  EVP_PKEY_CTX *verifier = context_of(key, pkey);
  uint8_t der[PMP_DER_BYTES], texts[2][PMP_MAX_BYTES];
  (void)pmp_from_number(texts[0], PMP_MAX_BYTES, r);
  (void)pmp_from_number(texts[1], PMP_MAX_BYTES, s);
  size_t size = pmp_der_encode(texts[0], texts[1], PMP_MAX_BYTES, der);
  int valid = -1;
  if (size != 0 && verifier != NULL && EVP_PKEY_verify_init(verifier) > 0) {
    valid = EVP_PKEY_verify(verifier, der, size, digest, length) == 1;
  }
  EVP_PKEY_CTX_free(verifier);
  EVP_PKEY_free(pkey);
  return valid;
}
