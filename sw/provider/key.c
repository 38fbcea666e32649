/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <string.h>

#include "context.h"

pmp_key *pmp_key_new(pmp_ctx *ctx, pmp_type type) {
  pmp_key *key = OPENSSL_secure_zalloc(sizeof *key);
  if (key == NULL) {
    pmp_raise(ctx, PMP_R_MEMORY);
    return NULL;
  }
  atomic_init(&key->references, 1);
  key->ctx = ctx;
  key->type = type;
  return key;
}

pmp_key *pmp_key_share(pmp_key *key) {
  atomic_fetch_add_explicit(&key->references, 1, memory_order_relaxed);
  return key;
}

void pmp_key_free(pmp_key *key) {
  if (key != NULL && atomic_fetch_sub_explicit(&key->references, 1, memory_order_acq_rel) == 1) {
    OPENSSL_secure_clear_free(key, sizeof *key);
  }
}

const char *pmp_key_algorithm(const pmp_key *key) {
  static const char *const names[] = {
      [PMP_ED25519] = "ED25519", [PMP_X25519] = "X25519", [PMP_X448] = "X448", [PMP_EC] = "EC", [PMP_SM2] = "SM2"};
  return names[key->type];
}

bool pmp_key_is_bytes(const pmp_key *key) { return key->type != PMP_EC && key->type != PMP_SM2; }

size_t pmp_public_bytes(const pmp_key *key) {
  if (pmp_key_is_bytes(key)) {
    return key->type == PMP_X448 ? 56 : 32;
  }
  return key->group == NULL ? 0 : 1 + (key->compressed ? 1 : 2) * key->group->field_bytes;
}

size_t pmp_private_bytes(const pmp_key *key) {
  if (pmp_key_is_bytes(key)) {
    return key->type == PMP_X448 ? 56 : 32;
  }
  return key->group == NULL ? 0 : key->group->order_bytes;
}

void pmp_encode_public(const pmp_key *key, uint8_t *to) {
  if (pmp_key_is_bytes(key)) {
    memcpy(to, key->public_key, pmp_public_bytes(key));
    return;
  }
  size_t bytes = key->group->field_bytes;
  to[0] = key->compressed ? (uint8_t)(2 + (key->public_key[2 * bytes - 1] & 1)) : 4;
  memcpy(to + 1, key->public_key, (key->compressed ? 1 : 2) * bytes);
}

/* x and y of a compressed point. */
static bool complete(pmp_key *key, const uint8_t *from, size_t length) {
  const pmp_group *group = key->group;
  EC_POINT *point = EC_POINT_new(group->openssl);
  BIGNUM *x = BN_new(), *y = BN_new();
  int bytes = (int)group->field_bytes;
  bool good = point != NULL && x != NULL && y != NULL &&
              EC_POINT_oct2point(group->openssl, point, from, length, NULL) &&
              EC_POINT_get_affine_coordinates(group->openssl, point, x, y, NULL) &&
              BN_bn2binpad(x, key->public_key, bytes) == bytes &&
              BN_bn2binpad(y, key->public_key + bytes, bytes) == bytes;
  BN_free(x);
  BN_free(y);
  EC_POINT_free(point);
  return good;
}

int pmp_decode_public(pmp_key *key, const uint8_t *from, size_t length) {
  bool good = false;
  if (pmp_key_is_bytes(key)) {
    if ((good = length == pmp_public_bytes(key))) {
      memcpy(key->public_key, from, length);
    }
  } else if (key->group != NULL && length > 0) {
    size_t bytes = key->group->field_bytes;
    bool compressed = from[0] == 2 || from[0] == 3;
    if (from[0] == 4 && length == 1 + 2 * bytes) {
      memcpy(key->public_key, from + 1, 2 * bytes);
      good = true;
    } else if ((compressed && length == 1 + bytes) || ((from[0] == 6 || from[0] == 7) && length == 1 + 2 * bytes)) {
      good = complete(key, from, length);
    }
    key->compressed = key->compressed || (good && compressed);
  }
  key->has_public = good;
  return good ? 1 : pmp_raise_text(key->ctx, PMP_R_KEY_MALFORMED, "public key of %zu bytes", length);
}
