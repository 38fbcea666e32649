/* SPDX-License-Identifier: Apache-2.0
 *
 * keymgmt_ec.c: key management of short Weierstrass curves, EC and SM2.
 */
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <openssl/params.h>
#include <string.h>
#include <strings.h>

#include "context.h"
#include "der.h"
#include "keymgmt.h"
#include "operations.h"

/* The group that a parameter names; null with an error. SM2 has one alone, and EC all others. */
static const pmp_group *group_of(pmp_ctx *ctx, pmp_type type, const OSSL_PARAM *p) {
  const pmp_group *group = NULL;
  if (p->data_type == OSSL_PARAM_UTF8_STRING && p->data != NULL) {
    group = pmp_group_named(ctx->groups, p->data);
  }
  if (group == NULL || (type == PMP_SM2 && group->nid != NID_sm2)) {
    pmp_raise_text(ctx, PMP_R_CURVE_UNSUPPORTED, "%s",
                   p->data_type == OSSL_PARAM_UTF8_STRING && p->data != NULL ? (const char *)p->data : "no name");
    return NULL;
  }
  return group;
}

static void *new_ec(void *ctx) { return pmp_key_new(ctx, PMP_EC); }

static void *new_sm2(void *it) {
  pmp_ctx *ctx = it;
  pmp_key *key = pmp_key_new(ctx, PMP_SM2);
  if (key != NULL) {
    key->group = pmp_group_of(ctx->groups, NID_sm2);
  }
  return key;
}

static void free_key(void *key) { pmp_key_free(key); }

static const char *operation_name(int operation) {
  return operation == OSSL_OP_KEYEXCH ? "ECDH" : operation == OSSL_OP_SIGNATURE ? "ECDSA" : NULL;
}

static const char *operation_name_sm2(int operation) {
  return operation == OSSL_OP_SIGNATURE ? "SM2" : NULL;
}

/* Form of points; others than these two are not made. */
static int set_form(pmp_ctx *ctx, const OSSL_PARAM params[], bool *compressed) {
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT);
  if (p != NULL) {
    const char *form = p->data_type == OSSL_PARAM_UTF8_STRING ? p->data : "";
    *compressed = strcasecmp(form, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_COMPRESSED) == 0;
    if (!*compressed && strcasecmp(form, OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED) != 0) {
      return pmp_raise_text(ctx, PMP_R_PARAMETER, "%s", p->key);
    }
  }
  return 1;
}

/* Whether a new key is to be encoded with the name of its curve; with its parameters none is made. */
static int check_encoding(pmp_ctx *ctx, const OSSL_PARAM params[]) {
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_EC_ENCODING);
  if (p != NULL && (p->data_type != OSSL_PARAM_UTF8_STRING ||
                    strcasecmp(p->data, OSSL_PKEY_EC_ENCODING_GROUP) != 0)) {
    return pmp_raise_text(ctx, PMP_R_PARAMETER, "%s: only %s", p->key, OSSL_PKEY_EC_ENCODING_GROUP);
  }
  return 1;
}

typedef struct generation {
  pmp_ctx *ctx;
  pmp_type type;
  int selection;
  const pmp_group *group;
  bool compressed;
} generation;

static int set_generation(void *it, const OSSL_PARAM params[]) {
  generation *g = it;
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
  if (p != NULL && (g->group = group_of(g->ctx, g->type, p)) == NULL) {
    return 0;
  }
  return check_encoding(g->ctx, params) && set_form(g->ctx, params, &g->compressed);
}

static void *begin_generation(pmp_ctx *ctx, pmp_type type, int selection, const OSSL_PARAM params[]) {
  generation *g = OPENSSL_zalloc(sizeof *g);
  if (g == NULL) {
    pmp_raise(ctx, PMP_R_MEMORY);
    return NULL;
  }
  *g = (generation){.ctx = ctx, .type = type, .selection = selection};
  g->group = type == PMP_SM2 ? pmp_group_of(ctx->groups, NID_sm2) : NULL;
  if (!set_generation(g, params)) {
    OPENSSL_free(g);
    return NULL;
  }
  return g;
}

static void *generate_ec(void *ctx, int selection, const OSSL_PARAM params[]) {
  return begin_generation(ctx, PMP_EC, selection, params);
}

static void *generate_sm2(void *ctx, int selection, const OSSL_PARAM params[]) {
  return begin_generation(ctx, PMP_SM2, selection, params);
}

static int set_template(void *it, void *from) {
  generation *g = it;
  const pmp_key *key = from;
  if (key->group == NULL) {
    return pmp_raise_text(g->ctx, PMP_R_PARAMETER, "the template has no curve");
  }
  g->group = key->group;
  return 1;
}

static const OSSL_PARAM *settable_generation(void *g, void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
                                   OSSL_PARAM_END};
  (void)g;
  (void)ctx;
  return all;
}

static void *generate(void *it, OSSL_CALLBACK *callback, void *argument) {
  generation *g = it;
  (void)callback;
  (void)argument;
  if (g->group == NULL) {
    pmp_raise_text(g->ctx, PMP_R_PARAMETER, "no curve is set");
    return NULL;
  }
  pmp_key *key = pmp_key_new(g->ctx, g->type);
  if (key == NULL) {
    return NULL;
  }
  key->group = g->group;
  key->compressed = g->compressed;
  if ((g->selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != 0 && !pmp_key_generate(key)) {
    pmp_key_free(key);
    return NULL;
  }
  return key;
}

static void end_generation(void *g) { OPENSSL_free(g); }

/* The private key of a parameter, in range. */
static int take_private(pmp_key *key, const OSSL_PARAM *p) {
  const uint8_t *from = p->data;
  size_t bytes = key->group->order_bytes;
  uint8_t above = 0;
  if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER || from == NULL) {
    return pmp_raise_text(key->ctx, PMP_R_KEY_MALFORMED, "%s", p->key);
  }
  for (size_t i = 0; i < bytes; i++) { /* lowest byte first */
    key->private_key[bytes - 1 - i] = i < p->data_size ? from[i] : 0;
  }
  for (size_t i = bytes; i < p->data_size; i++) {
    above |= from[i];
  }
  key->has_private = above == 0 && pmp_in_range(key->group, key->private_key);
  return key->has_private || pmp_raise(key->ctx, PMP_R_KEY_OUT_OF_RANGE);
}

static int import_key(void *it, int selection, const OSSL_PARAM params[]) {
  pmp_key *key = it;
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_GROUP_NAME);
  if ((selection & OSSL_KEYMGMT_SELECT_DOMAIN_PARAMETERS) == 0 || p == NULL) {
    return pmp_raise_text(key->ctx, PMP_R_CURVE_UNSUPPORTED, "a curve without a name");
  }
  if ((key->group = group_of(key->ctx, key->type, p)) == NULL || !set_form(key->ctx, params, &key->compressed)) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_KEYPAIR) == 0) {
    return 1;
  }
  const OSSL_PARAM *public_key = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PUB_KEY);
  const OSSL_PARAM *private_key = (selection & OSSL_KEYMGMT_SELECT_PRIVATE_KEY) != 0
                                      ? OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_PRIV_KEY)
                                      : NULL;
  if (public_key != NULL && (public_key->data_type != OSSL_PARAM_OCTET_STRING ||
                             !pmp_decode_public(key, public_key->data, public_key->data_size))) {
    return 0;
  }
  return private_key == NULL || take_private(key, private_key);
}

/* Parameters that a key of a group has. */
static int get_of_group(const pmp_key *key, OSSL_PARAM params[]) {
  const pmp_group *group = key->group;
  unsigned half = group->order_bits / 2; /* security bits (SP 800-57, table 2) */
  unsigned security = half >= 256   ? 256
                      : half >= 192 ? 192
                      : half >= 128 ? 128
                      : half >= 112 ? 112
                      : half >= 80  ? 80
                                    : half;
  OSSL_PARAM *p;
  return ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_BITS)) == NULL ||
          OSSL_PARAM_set_int(p, (int)group->order_bits)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_SECURITY_BITS)) == NULL ||
          OSSL_PARAM_set_int(p, (int)security)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_MAX_SIZE)) == NULL ||
          OSSL_PARAM_set_int(p, (int)pmp_der_most(group))) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_GROUP_NAME)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, group->name)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS)) == NULL ||
          OSSL_PARAM_set_int(p, 0)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_USE_COFACTOR_ECDH)) == NULL || OSSL_PARAM_set_int(p, 0)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_ENCODING)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, OSSL_PKEY_EC_ENCODING_GROUP)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, key->compressed ? OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_COMPRESSED
                                                        : OSSL_PKEY_EC_POINT_CONVERSION_FORMAT_UNCOMPRESSED));
}

/* A number, lowest byte first and of at most `bytes`, as an integer of OSSL_PARAM. */
static int get_number(const pmp_key *key, OSSL_PARAM *p, const uint8_t *number, size_t bytes) {
  p->return_size = bytes;
  if (p->data == NULL) {
    return 1;
  }
  if (p->data_type != OSSL_PARAM_UNSIGNED_INTEGER || p->data_size < bytes) {
    return pmp_raise_text(key->ctx, PMP_R_PARAMETER, "%s", p->key);
  }
  memset(p->data, 0, p->data_size);
  memcpy(p->data, number, bytes);
  p->return_size = p->data_size;
  return 1;
}

/* A coordinate of the public key. */
static int get_coordinate(const pmp_key *key, OSSL_PARAM *p, size_t which) {
  uint8_t number[PM_NUMBER_BYTES];
  size_t bytes = key->group->field_bytes;
  pmp_to_number(number, key->public_key + which * bytes, bytes);
  return get_number(key, p, number, bytes);
}

/* The parameters of the curve itself. */
static int get_curve(const pmp_key *key, OSSL_PARAM params[]) {
  const pmp_group *group = key->group;
  const uint8_t *numbers = group->curve.numbers; /* p, a, b, gx, gy, n */
  const uint8_t cofactor = 1;
  const struct {
    const char *name;
    const uint8_t *number;
    size_t bytes;
  } all[] = {{OSSL_PKEY_PARAM_EC_P, numbers, group->field_bytes},
             {OSSL_PKEY_PARAM_EC_A, numbers + PM_NUMBER_BYTES, group->field_bytes},
             {OSSL_PKEY_PARAM_EC_B, numbers + 2 * PM_NUMBER_BYTES, group->field_bytes},
             {OSSL_PKEY_PARAM_EC_ORDER, numbers + 5 * PM_NUMBER_BYTES, group->order_bytes},
             {OSSL_PKEY_PARAM_EC_COFACTOR, &cofactor, 1}};
  OSSL_PARAM *p;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if ((p = OSSL_PARAM_locate(params, all[i].name)) != NULL && !get_number(key, p, all[i].number, all[i].bytes)) {
      return 0;
    }
  }
  uint8_t base[1 + 2 * PMP_MAX_BYTES] = {POINT_CONVERSION_UNCOMPRESSED};
  size_t bytes = group->field_bytes;
  return ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_FIELD_TYPE)) == NULL ||
          OSSL_PARAM_set_utf8_string(p, SN_X9_62_prime_field)) &&
         ((p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_EC_GENERATOR)) == NULL ||
          (pmp_from_number(base + 1, bytes, numbers + 3 * PM_NUMBER_BYTES) &&
           pmp_from_number(base + 1 + bytes, bytes, numbers + 4 * PM_NUMBER_BYTES) &&
           OSSL_PARAM_set_octet_string(p, base, 1 + 2 * bytes)));
}

static int get_params(void *it, OSSL_PARAM params[]) {
  pmp_key *key = it;
  OSSL_PARAM *p = OSSL_PARAM_locate(params, OSSL_PKEY_PARAM_DEFAULT_DIGEST);
  if ((p != NULL && !OSSL_PARAM_set_utf8_string(p, key->type == PMP_SM2 ? "SM3" : "SHA256")) ||
      (key->group != NULL && !(get_of_group(key, params) && get_curve(key, params)))) {
    return 0;
  }
  if (!key->has_public) {
    return 1;
  }
  uint8_t encoded[1 + 2 * PMP_MAX_BYTES];
  pmp_encode_public(key, encoded);
  const char *points[] = {OSSL_PKEY_PARAM_PUB_KEY, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY};
  const char *coordinates[] = {OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y};
  for (size_t i = 0; i < 2; i++) {
    if (((p = OSSL_PARAM_locate(params, points[i])) != NULL &&
         !OSSL_PARAM_set_octet_string(p, encoded, pmp_public_bytes(key))) ||
        ((p = OSSL_PARAM_locate(params, coordinates[i])) != NULL && !get_coordinate(key, p, i))) {
      return 0;
    }
  }
  return 1;
}

static const OSSL_PARAM *gettable_params(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_int(OSSL_PKEY_PARAM_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_SECURITY_BITS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_MAX_SIZE, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_DEFAULT_DIGEST, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, NULL, 0),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS, NULL),
                                   OSSL_PARAM_int(OSSL_PKEY_PARAM_USE_COFACTOR_ECDH, NULL),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_FIELD_TYPE, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_P, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_A, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_B, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_EC_GENERATOR, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_ORDER, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_COFACTOR, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_ENCODING, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_PUB_KEY, NULL, 0),
                                   OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_X, NULL, 0),
                                   OSSL_PARAM_BN(OSSL_PKEY_PARAM_EC_PUB_Y, NULL, 0), OSSL_PARAM_END};
  (void)ctx;
  return all;
}

/* A peer's public key, which takes the place of a private one; the form of points. */
static int set_params(void *it, const OSSL_PARAM params[]) {
  pmp_key *key = it;
  const OSSL_PARAM *p = OSSL_PARAM_locate_const(params, OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY);
  if (p != NULL) {
    OPENSSL_cleanse(key->private_key, sizeof key->private_key);
    key->has_private = false;
    if (p->data_type != OSSL_PARAM_OCTET_STRING || !pmp_decode_public(key, p->data, p->data_size)) {
      return 0;
    }
  }
  return set_form(key->ctx, params, &key->compressed);
}

static const OSSL_PARAM *settable_params(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_octet_string(OSSL_PKEY_PARAM_ENCODED_PUBLIC_KEY, NULL, 0),
                                   OSSL_PARAM_utf8_string(OSSL_PKEY_PARAM_EC_POINT_CONVERSION_FORMAT, NULL, 0),
                                   OSSL_PARAM_END};
  (void)ctx;
  return all;
}

/* The curve is OpenSSL's; the point is checked by the core, and the pair by a signature. */
static int validate(const void *it, int selection, int type) {
  pmp_key *key = (pmp_key *)(uintptr_t)it;
  (void)type;
  if (!pmp_key_has(key, selection)) {
    return 0;
  }
  if ((selection & OSSL_KEYMGMT_SELECT_PUBLIC_KEY) != 0) {
    int on_curve = pmp_ec_check(key);
    if (on_curve != 1) {
      return on_curve == 0 ? pmp_raise(key->ctx, PMP_R_POINT_INVALID) : 0;
    }
  }
  return (selection & OSSL_KEYMGMT_SELECT_KEYPAIR) != OSSL_KEYMGMT_SELECT_KEYPAIR || pmp_key_check_pair(key);
}

#define COMMON                                                                      \
  {OSSL_FUNC_KEYMGMT_FREE, (void (*)(void))free_key},                               \
      {OSSL_FUNC_KEYMGMT_GEN_SET_TEMPLATE, (void (*)(void))set_template},           \
      {OSSL_FUNC_KEYMGMT_GEN_SET_PARAMS, (void (*)(void))set_generation},           \
      {OSSL_FUNC_KEYMGMT_GEN_SETTABLE_PARAMS, (void (*)(void))settable_generation}, \
      {OSSL_FUNC_KEYMGMT_GEN, (void (*)(void))generate},                            \
      {OSSL_FUNC_KEYMGMT_GEN_CLEANUP, (void (*)(void))end_generation},              \
      {OSSL_FUNC_KEYMGMT_HAS, (void (*)(void))pmp_key_has},                         \
      {OSSL_FUNC_KEYMGMT_MATCH, (void (*)(void))pmp_key_match},                     \
      {OSSL_FUNC_KEYMGMT_VALIDATE, (void (*)(void))validate},                       \
      {OSSL_FUNC_KEYMGMT_DUP, (void (*)(void))pmp_key_dup},                         \
      {OSSL_FUNC_KEYMGMT_IMPORT, (void (*)(void))import_key},                       \
      {OSSL_FUNC_KEYMGMT_IMPORT_TYPES, (void (*)(void))pmp_ec_types},               \
      {OSSL_FUNC_KEYMGMT_EXPORT, (void (*)(void))pmp_key_export},                   \
      {OSSL_FUNC_KEYMGMT_EXPORT_TYPES, (void (*)(void))pmp_ec_types},               \
      {OSSL_FUNC_KEYMGMT_GET_PARAMS, (void (*)(void))get_params},                   \
      {OSSL_FUNC_KEYMGMT_GETTABLE_PARAMS, (void (*)(void))gettable_params},         \
      {OSSL_FUNC_KEYMGMT_SET_PARAMS, (void (*)(void))set_params},                   \
      {OSSL_FUNC_KEYMGMT_SETTABLE_PARAMS, (void (*)(void))settable_params}

const OSSL_DISPATCH pmp_ec_keymgmt[] = {
    COMMON,
    {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))new_ec},
    {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))generate_ec},
    {OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, (void (*)(void))operation_name},
    {0, NULL}};
const OSSL_DISPATCH pmp_sm2_keymgmt[] = {
    COMMON,
    {OSSL_FUNC_KEYMGMT_NEW, (void (*)(void))new_sm2},
    {OSSL_FUNC_KEYMGMT_GEN_INIT, (void (*)(void))generate_sm2},
    {OSSL_FUNC_KEYMGMT_QUERY_OPERATION_NAME, (void (*)(void))operation_name_sm2},
    {0, NULL}};
