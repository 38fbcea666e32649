/* SPDX-License-Identifier: Apache-2.0 */
#include "keymgmt.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

#include "context.h"
#include "nonce.h"
#include "operations.h"

int pmp_key_has(const void *it, int selection) {
  const pmp_key *key = it;
  if (key == NULL) {
    return 0;
  }
  bool has = true;
  if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0) {
    has = has && (pmp_key_is_bytes(key) || key->group != NULL);
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0) {
    has = has && key->has_public;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0) {
    has = has && key->has_private;
  }
  return has;
}

/* Length of what public_key holds. */
static size_t public_length(const pmp_key *key) {
  return pmp_key_is_bytes(key) ? pmp_public_bytes(key) : 2 * key->group->field_bytes;
}

int pmp_key_match(const void *left, const void *right, int selection) {
  const pmp_key *a = left, *b = right;
  if ((selection & (OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS | OSSL_KEYMGMT_SELECT_KEYPAIR)) != 0 &&
      (a->type != b->type || a->group != b->group)) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) {
    return 1;
  }
  if (!pmp_key_is_bytes(a) && a->group == NULL) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && a->has_public && b->has_public) {
    return memcmp(a->public_key, b->public_key, public_length(a)) == 0;
  }
  return (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && a->has_private && b->has_private &&
         CRYPTO_memcmp(a->private_key, b->private_key, pmp_private_bytes(a)) == 0;
}

void *pmp_key_dup(const void *from, int selection) {
  const pmp_key *key = from;
  pmp_key *copy = pmp_key_new(key->ctx, key->type);
  if (copy == NULL) {
    return NULL;
  }
  copy->group = key->group;
  copy->compressed = key->compressed;
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_public) {
    copy->has_public = true;
    memcpy(copy->public_key, key->public_key, sizeof copy->public_key);
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_private) {
    copy->has_private = true;
    memcpy(copy->private_key, key->private_key, sizeof copy->private_key);
  }
  return copy;
}

enum { MOST_PARAMS = 6 };

int pmp_key_export(void *it, int selection, OSSL_CALLBACK *callback, void *argument) {
  pmp_key *key = it;
  OSSL_PARAM params[MOST_PARAMS], *next = params;
  uint8_t public_key[1 + 2 * PMP_MAX_BYTES], private_key[PMP_MAX_BYTES];
  char encoding[] = OSSL_PKEY_EC_ENCODING_GROUP, *name = NULL;
  bool bytes = pmp_key_is_bytes(key);
  if (!bytes) {
    if (key->group == NULL || (selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) == 0) {
      return pmp_raise_text(key->ctx, PMP_R_PARAMETER, "a key of a curve is not exported without its curve");
    }
    name = OPENSSL_strdup(key->group->name);
    if (name == NULL) {
      return pmp_raise(key->ctx, PMP_R_MEMORY);
    }
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, name, 0);
    *next++ = OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, encoding, 0);
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0 && key->has_public) {
    pmp_encode_public(key, public_key);
    *next++ = OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, public_key, pmp_public_bytes(key));
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0 && key->has_private) {
    size_t length = pmp_private_bytes(key);
    for (size_t i = 0; i < length; i++) { /* an integer of OSSL_PARAM begins with the lowest byte */
      private_key[i] = key->private_key[bytes ? i : length - 1 - i];
    }
    *next++ = bytes ? OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, private_key, length)
                    : OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, private_key, length);
  }
  *next = OSSL_PARAM_construct_end();
  int done = callback(params, argument);
  OPENSSL_cleanse(private_key, sizeof private_key);
  OPENSSL_free(name);
  return done;
}

const OSSL_PARAM *pmp_bytes_types(int selection) {
  static const OSSL_PARAM pair[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                    OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_END};
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 ? pair : NULL;
}

const OSSL_PARAM *pmp_ec_types(int selection) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_PRIV_KEY, NULL, 0), OSSL_PARAM_END};
  static const OSSL_PARAM domain[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
                                      OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0), OSSL_PARAM_END};
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0) {
    return all;
  }
  return (selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) != 0 ? domain : NULL;
}

int pmp_key_generate(pmp_key *key) {
  if (!pmp_key_is_bytes(key)) {
    key->has_private = pmp_random_scalar(key->ctx, key->group, key->private_key) != 0;
    return key->has_private && pmp_ec_public_of(key);
  }
  if (RAND_priv_bytes_ex(key->ctx->libctx, key->private_key, pmp_private_bytes(key), 0) <= 0) {
    return pmp_raise(key->ctx, PMP_R_RANDOM);
  }
  key->has_private = true;
  return pmp_bytes_public_of(key);
}

/* A signature of a fixed message by the private key, verified with the public one. */
static int sign_and_verify(pmp_key *key) {
  static const uint8_t message[32] = "public key of this private key?";
  uint8_t r[PMP_MAX_BYTES], s[PMP_MAX_BYTES], numbers[2][PM_NUMBER_BYTES], signature[64];
  if (key->type == PMP_ED25519) {
    return pmp_ed25519_sign(key, message, sizeof message, signature) &&
           pmp_ed25519_verify(key, message, sizeof message, signature, sizeof signature) == 1;
  }
  if (!pmp_sign_digest(key, message, sizeof message, NULL, r, s)) {
    return 0;
  }
  pmp_to_number(numbers[0], r, key->group->order_bytes);
  pmp_to_number(numbers[1], s, key->group->order_bytes);
  return pmp_ec_verify(key, message, sizeof message, numbers[0], numbers[1]) == 1;
}

/* The public key of X25519 and X448 again; they have no signatures. */
static int compute_again(pmp_key *key) {
  pmp_key *again = pmp_key_dup(key, OSSL_KEYMGMT_SELECT_PRIVATE_KEY);
  int same = again != NULL && pmp_bytes_public_of(again) &&
             memcmp(again->public_key, key->public_key, pmp_public_bytes(key)) == 0;
  pmp_key_free(again);
  return same;
}

int pmp_key_check_pair(pmp_key *key) {
  if (!key->has_private || !key->has_public) {
    return pmp_raise(key->ctx, key->has_private ? PMP_R_NO_PUBLIC_KEY : PMP_R_NO_PRIVATE_KEY);
  }
  bool signs = key->type != PMP_X25519 && key->type != PMP_X448;
  return (signs ? sign_and_verify(key) : compute_again(key)) || pmp_raise(key->ctx, PMP_R_KEY_MISMATCH);
}
