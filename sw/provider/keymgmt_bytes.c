/* SPDX-License-Identifier: Apache-2.0
 *
 * keymgmt_bytes.c: key management of Ed25519, X25519 and X448.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <string.h>
#include <strings.h>

#include "context.h"
#include "keymgmt.h"
#include "operations.h"

static void *new_ed25519(void *ctx) { return pmp_key_new(ctx, PMP_ED25519); }
static void *new_x25519(void *ctx) { return pmp_key_new(ctx, PMP_X25519); }
static void *new_x448(void *ctx) { return pmp_key_new(ctx, PMP_X448); }

static void free_key(void *key) { pmp_key_free(key); }

/* What is generated: a type, and whether with a key or as a blank for parameters. */
typedef struct generation {
  pmp_ctx *ctx;
  pmp_type type;
  int selection;
} generation;

static int set_generation(void *it, const OSSL_PARAM params[]) {
  generation *g = it;
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
  if (p == NULL) {
    return 1;
  }
  const char *name = g->type == PMP_X25519 ? "x25519" : g->type == PMP_X448 ? "x448" : NULL;
  if (p->data_type != OSSL_PARAM_UTF8_STRING || name == NULL || strcasecmp(p->data, name) != 0) {
    return pmp_raise_text(g->ctx, PMP_R_PARAMETER, "%s", OSSL_PKEY_PARAM_GROUP_NAME);
  }
  return 1;
}

static void *begin_generation(pmp_ctx *ctx, pmp_type type, int selection, const OSSL_PARAM params[]) {
  generation *g = OPENSSL_zalloc(sizeof *g);
  if (g == NULL) {
    pmp_raise(ctx, PMP_R_MEMORY);
    return NULL;
  }
  *g = (generation){ctx, type, selection};
  if (!set_generation(g, params)) {
    OPENSSL_free(g);
    return NULL;
  }
  return g;
}

static void *generate_ed25519(void *ctx, int selection, const OSSL_PARAM params[]) {
  return begin_generation(ctx, PMP_ED25519, selection, params);
}

static void *generate_x25519(void *ctx, int selection, const OSSL_PARAM params[]) {
  return begin_generation(ctx, PMP_X25519, selection, params);
}

static void *generate_x448(void *ctx, int selection, const OSSL_PARAM params[]) {
  return begin_generation(ctx, PMP_X448, selection, params);
}

static const OSSL_PARAM *settable_generation(void *g, void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0), OSSL_PARAM_END};
  (void)g;
  (void)ctx;
  return all;
}

static void *generate(void *it, OSSL_CALLBACK *callback, void *argument) {
  generation *g = it;
  (void)callback;
  (void)argument;
  pmp_key *key = pmp_key_new(g->ctx, g->type);
  if (key != NULL && (g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 && !pmp_key_generate(key)) {
    pmp_key_free(key);
    return NULL;
  }
  return key;
}

static void end_generation(void *g) { OPENSSL_free(g); }

/* Octet string of a parameter into `to`; 0 with an error unless it has this length. */
static int take_bytes(const pmp_key *key, const OSSL_PARAM *p, uint8_t *to, size_t length) {
  if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data_size != length || p->data == NULL) {
    return pmp_raise_text(key->ctx, PMP_R_KEY_MALFORMED, "%s of %zu bytes, not %zu", p->key, p->data_size, length);
  }
  memcpy(to, p->data, length);
  return 1;
}

static int import_key(void *it, int selection, const OSSL_PARAM params[]) {
  pmp_key *key = it;
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) {
    return 0;
  }
  const OSSL_PARAM *public_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
  const OSSL_PARAM *private_key = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0
                                      ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY)
                                      : NULL;
  if (public_key == NULL && private_key == NULL) {
    return pmp_raise(key->ctx, PMP_R_NO_PUBLIC_KEY);
  }
  if (private_key != NULL) {
    if (!take_bytes(key, private_key, key->private_key, pmp_private_bytes(key))) {
      return 0;
    }
    key->has_private = true;
  }
  if (public_key == NULL) {
    return pmp_bytes_public_of(key);
  }
  key->has_public = take_bytes(key, public_key, key->public_key, pmp_public_bytes(key)) != 0;
  return key->has_public;
}

static int get_params(void *it, OSSL_PARAM params[]) {
  pmp_key *key = it;
  OSSL_PARAM *p;
  int bits = key->type == PMP_X448 ? 448 : key->type == PMP_X25519 ? 253 : 256;
  if (((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_BITS)) != NULL && !OSSL_PARAM_set_int(p, bits)) ||
      ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_SECURITY_BITS)) != NULL &&
       !OSSL_PARAM_set_int(p, key->type == PMP_X448 ? 224 : 128)) ||
      ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MAX_SIZE)) != NULL &&
       !OSSL_PARAM_set_int(p, key->type == PMP_ED25519 ? 64 : (int)pmp_public_bytes(key)))) {
    return 0;
  }
  const char *of_public[] = {OSSL_PKEY_PARAM_PUB_KEY, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY};
  for (size_t i = 0; i < (key->type == PMP_ED25519 ? 1u : 2u); i++) {
    if ((p = OSSL_PARAM_locate(params, of_public[i])) != NULL && key->has_public &&
        !OSSL_PARAM_set_octet_string(p, key->public_key, pmp_public_bytes(key))) {
      return 0;
    }
  }
  p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MANDATORY_DIGEST);
  return p == NULL || key->type != PMP_ED25519 || OSSL_PARAM_set_utf8_string(p, "");
}

static const OSSL_PARAM *gettable_ed25519(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_MANDATORY_DIGEST, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0), OSSL_PARAM_END};
  (void)ctx;
  return all;
}

static const OSSL_PARAM *gettable_xdh(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                   OSSL_PARAM_END};
  (void)ctx;
  return all;
}

/* A peer's public key, which takes the place of a private one. */
static int set_params(void *it, const OSSL_PARAM params[]) {
  pmp_key *key = it;
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
  if (p == NULL) {
    return 1;
  }
  OPENSSL_cleanse(key->private_key, sizeof key->private_key);
  key->has_private = false;
  key->has_public = take_bytes(key, p, key->public_key, pmp_public_bytes(key)) != 0;
  return key->has_public;
}

static const OSSL_PARAM *settable_xdh(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                   OSSL_PARAM_END};
  (void)ctx;
  return all;
}

/* Every string of bytes is a public key of X25519 and X448, and one of Ed25519 that is no point verifies nothing. */
static int validate(const void *it, int selection, int type) {
  pmp_key *key = (pmp_key *)(uintptr_t)it;
  (void)type;
  if (!pmp_key_has(key, selection)) {
    return 0;
  }
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR || pmp_key_check_pair(key);
}

#define COMMON(new_key, begin)                                                \
  {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))new_key},                           \
      {OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))free_key},                     \
      {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))begin},                    \
      {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (void (*)(void))set_generation},     \
      {OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, (void (*)(void))settable_generation}, \
      {OSSL_FUNC_KEYMGMT_GEN, (void (*)(void))generate},                      \
      {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (void (*)(void))end_generation},        \
      {OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))pmp_key_has},                   \
      {OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))pmp_key_match},               \
      {OSSL_FUNC_KEYMGMT_VALIDATE, (void (*)(void))validate},                 \
      {OSSL_FUNC_KEYMGMT_DUP, (void (*)(void))pmp_key_dup},                   \
      {OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))import_key},                 \
      {OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (void (*)(void))pmp_bytes_types},      \
      {OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void))pmp_key_export},             \
      {OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (void (*)(void))pmp_bytes_types},      \
      {OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))get_params}

#define XDH                                                            \
  {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))gettable_xdh},   \
      {OSSL_FUNC_KEYMGMT_SET_PARAMS, (void (*)(void))set_params},      \
      {OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, (void (*)(void))settable_xdh}

const OSSL_DISPATCH pmp_ed25519_keymgmt[] = {
    COMMON(new_ed25519, generate_ed25519),
    {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))gettable_ed25519},
    {0, NULL}};
const OSSL_DISPATCH pmp_x25519_keymgmt[] = {COMMON(new_x25519, generate_x25519), XDH, {0, NULL}};
const OSSL_DISPATCH pmp_x448_keymgmt[] = {COMMON(new_x448, generate_x448), XDH, {0, NULL}};
