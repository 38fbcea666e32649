/* SPDX-License-Identifier: Apache-2.0 */
#include "nonce.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>
#include <string.h>

#include "context.h"
#include "operations.h"

enum { TRIES = 64 }; /* of unusable nonces: one in 2^100 on any curve of practice */

int pmp_random_scalar(pmp_ctx *ctx, const pmp_group *group, uint8_t *scalar) {
  uint8_t mask = (uint8_t)(0xff >> (8 * group->order_bytes - group->order_bits));
  for (int i = 0; i < 2 * TRIES; i++) { /* each is in range with probability 1/2 at least */
    if (RAND_priv_bytes_ex(ctx->libctx, scalar, group->order_bytes, 0) <= 0) {
      break;
    }
    scalar[0] &= mask;
    if (pmp_in_range(group, scalar)) {
      return 1;
    }
  }
  return pmp_raise(ctx, PMP_R_RANDOM);
}

/* HMAC and its state K, V of RFC 6979, section 3.2. */
typedef struct generator {
  EVP_MAC *hmac;
  EVP_MAC_CTX *mac;
  const char *hash;
  size_t length;
  uint8_t key[EVP_MAX_MD_SIZE], v[EVP_MAX_MD_SIZE];
} generator;

/* to = HMAC_K(V || parts). */
static bool mac(generator *g, uint8_t *to, const uint8_t *const parts[], const size_t lengths[], size_t count) {
  char name[64];
  (void)OPENSSL_strlcpy(name, g->hash, sizeof name);
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0), OSSL_PARAM_construct_end()};
  bool good = EVP_MAC_init(g->mac, g->key, g->length, params) && EVP_MAC_update(g->mac, g->v, g->length);
  for (size_t i = 0; good && i < count; i++) {
    good = EVP_MAC_update(g->mac, parts[i], lengths[i]);
  }
  size_t length = 0;
  return good && EVP_MAC_final(g->mac, to, &length, EVP_MAX_MD_SIZE) && length == g->length;
}

static bool next_v(generator *g) { return mac(g, g->v, NULL, NULL, 0); }

/* K = HMAC_K(V || separator || seed), V = HMAC_K(V). */
static bool stir(generator *g, uint8_t separator, const uint8_t *seed, size_t length) {
  const uint8_t *parts[] = {&separator, seed};
  size_t lengths[] = {1, length};
  return mac(g, g->key, parts, lengths, 2) && next_v(g);
}

/* The leftmost bits of a text as a number of order_bytes (bits2int). */
static void leftmost(const pmp_group *group, const uint8_t *text, size_t length, uint8_t *number) {
  size_t bytes = group->order_bytes, kept = length < bytes ? length : bytes;
  memset(number, 0, bytes);
  memcpy(number + bytes - kept, text, kept);
  unsigned shift = kept == bytes ? (unsigned)(8 * bytes - group->order_bits) : 0;
  for (size_t i = bytes; shift != 0 && i-- > 0;) {
    number[i] = (uint8_t)((i > 0 ? number[i - 1] << (8 - shift) : 0) | number[i] >> shift);
  }
}

/* number - order if it is not below the order: the digest is below twice the order. */
static void reduce(const pmp_group *group, uint8_t *number) {
  if (memcmp(number, group->order, group->order_bytes) < 0) {
    return;
  }
  unsigned borrow = 0;
  for (size_t i = group->order_bytes; i-- > 0;) {
    unsigned difference = (unsigned)number[i] - group->order[i] - borrow;
    number[i] = (uint8_t)difference;
    borrow = difference >> 8 & 1;
  }
}

static bool start(generator *g, const pmp_key *key, const uint8_t *digest, size_t length) {
  const pmp_group *group = key->group;
  uint8_t seed[2 * PMP_MAX_BYTES];
  EVP_MD *md = EVP_MD_fetch(key->ctx->libctx, g->hash, NULL);
  g->length = md == NULL ? 0 : (size_t)EVP_MD_get_size(md);
  EVP_MD_free(md);
  g->hmac = EVP_MAC_fetch(key->ctx->libctx, "HMAC", NULL);
  g->mac = g->hmac == NULL ? NULL : EVP_MAC_CTX_new(g->hmac);
  memset(g->key, 0, sizeof g->key);
  memset(g->v, 1, sizeof g->v);
  memcpy(seed, key->private_key, group->order_bytes);
  leftmost(group, digest, length, seed + group->order_bytes);
  reduce(group, seed + group->order_bytes);
  bool good = g->mac != NULL && g->length != 0 && stir(g, 0, seed, 2 * group->order_bytes) &&
              stir(g, 1, seed, 2 * group->order_bytes);
  OPENSSL_cleanse(seed, sizeof seed);
  return good;
}

static void end(generator *g) {
  EVP_MAC_CTX_free(g->mac);
  EVP_MAC_free(g->hmac);
  OPENSSL_cleanse(g, sizeof *g);
}

/* The next number in range; the state is stirred behind each. */
static bool derive(generator *g, const pmp_group *group, uint8_t *nonce) {
  for (int i = 0; i < 2 * TRIES; i++) {
    uint8_t t[PMP_MAX_BYTES + EVP_MAX_MD_SIZE];
    size_t length = 0;
    for (; length < group->order_bytes; length += g->length) {
      if (!next_v(g)) {
        return false;
      }
      memcpy(t + length, g->v, g->length);
    }
    leftmost(group, t, length, nonce);
    OPENSSL_cleanse(t, sizeof t);
    if (!stir(g, 0, NULL, 0)) {
      return false;
    }
    if (pmp_in_range(group, nonce)) {
      return true;
    }
  }
  return false;
}

int pmp_sign_digest(const pmp_key *key, const uint8_t *digest, size_t length, const char *hash, uint8_t *r,
                    uint8_t *s) {
  pmp_ctx *ctx = key->ctx;
  uint8_t nonce[PMP_MAX_BYTES];
  generator g = {.hash = hash};
  int done = 0;
  bool again = true;
  if (hash != NULL && !start(&g, key, digest, length)) {
    end(&g);
    return pmp_raise_text(ctx, PMP_R_DIGEST, "no nonce by HMAC with %s", hash);
  }
  for (int i = 0; again && i < TRIES; i++) {
    bool found = hash == NULL ? pmp_random_scalar(ctx, key->group, nonce) : derive(&g, key->group, nonce);
    again = !found;
    if (!found) {
      break;
    }
    done = pmp_ec_sign(key, digest, length, nonce, r, s, &again);
  }
  if (again) {
    (void)pmp_raise(ctx, PMP_R_NONCE);
  }
  end(&g);
  OPENSSL_cleanse(nonce, sizeof nonce);
  return done && !again;
}
