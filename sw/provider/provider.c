/* SPDX-License-Identifier: Apache-2.0
 *
 * provider.c: the OpenSSL provider `pointmill`: what OpenSSL calls first, and what it finds (docs/openssl.md).
 */
#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <pthread.h>
#include <string.h>

#include "capabilities.h"
#include "context.h"
#include "keymgmt.h"
#include "selftest.h"
#include "tables.h"

#ifndef PMP_VERSION
#error "PMP_VERSION is the version of the project"
#endif

#define PROPERTIES "provider=pointmill"
#define ED25519_NAMES "ED25519:1.3.101.112"
#define X25519_NAMES "X25519:1.3.101.110"
#define X448_NAMES "X448:1.3.101.111"
#define SM2_NAMES "SM2:1.2.156.10197.1.301"

/* ---- Processes: every loaded provider of this one, so that a child can forget what its parent has open. ---------- */

enum { MAX_CONTEXTS = 64 };

static pthread_mutex_t contexts_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t watch_forks = PTHREAD_ONCE_INIT;
static pmp_ctx *contexts[MAX_CONTEXTS];

static void before_fork(void) { pthread_mutex_lock(&contexts_lock); }
static void in_parent(void) { pthread_mutex_unlock(&contexts_lock); }

static void in_child(void) {
  pthread_mutex_init(&contexts_lock, NULL);
  for (size_t i = 0; i < MAX_CONTEXTS; i++) {
    if (contexts[i] != NULL) {
      pmp_pool_after_fork(contexts[i]->edverify);
      pmp_pool_after_fork(contexts[i]->multicurve);
      pmp_statistics_after_fork(contexts[i]->statistics);
    }
  }
}

static void watch(void) { (void)pthread_atfork(before_fork, in_parent, in_child); }

/* Puts `to` in the place of `from` in the list; false if there is no place. */
static bool replace(pmp_ctx *from, pmp_ctx *to) {
  bool found = false;
  pthread_once(&watch_forks, watch);
  pthread_mutex_lock(&contexts_lock);
  for (size_t i = 0; !found && i < MAX_CONTEXTS; i++) {
    if (contexts[i] == from) {
      contexts[i] = to;
      found = true;
    }
  }
  pthread_mutex_unlock(&contexts_lock);
  return found;
}

/* ---- What the provider is. --------------------------------------------------------------------------------------- */

static const OSSL_PARAM *gettable_params(void *ctx) {
  static const OSSL_PARAM all[] = {OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_NAME, NULL, 0),
                                   OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_VERSION, NULL, 0),
                                   OSSL_PARAM_utf8_ptr(OSSL_PROV_PARAM_BUILDINFO, NULL, 0),
                                   OSSL_PARAM_int(OSSL_PROV_PARAM_STATUS, NULL),
                                   OSSL_PARAM_utf8_string("statistics", NULL, 0), OSSL_PARAM_END};
  (void)ctx;
  return all;
}

static int get_params(void *it, OSSL_PARAM params[]) {
  pmp_ctx *ctx = it;
  OSSL_PARAM *p;
  if (((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_NAME)) != NULL &&
       !OSSL_PARAM_set_utf8_ptr(p, "Pointmill elliptic-curve cores")) ||
      ((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_VERSION)) != NULL && !OSSL_PARAM_set_utf8_ptr(p, PMP_VERSION)) ||
      ((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_BUILDINFO)) != NULL &&
       !OSSL_PARAM_set_utf8_ptr(p, "pointmill " PMP_VERSION ", for OpenSSL " OPENSSL_VERSION_STR)) ||
      ((p = OSSL_PARAM_locate(params, OSSL_PROV_PARAM_STATUS)) != NULL &&
       !OSSL_PARAM_set_int(p, ctx->settings.fault[0] == '\0'))) {
    return 0;
  }
  if ((p = OSSL_PARAM_locate(params, "statistics")) != NULL) {
    char *text = pmp_statistics_text(ctx->statistics);
    int done = text != NULL && OSSL_PARAM_set_utf8_string(p, text);
    OPENSSL_free(text);
    return done;
  }
  return 1;
}

static const OSSL_ALGORITHM *query(void *ctx, int operation, int *no_store) {
  static const OSSL_ALGORITHM keymgmt[] = {{ED25519_NAMES, PROPERTIES, pmp_ed25519_keymgmt, "Ed25519 by Pointmill"},
                                           {X25519_NAMES, PROPERTIES, pmp_x25519_keymgmt, "X25519 by Pointmill"},
                                           {X448_NAMES, PROPERTIES, pmp_x448_keymgmt, "X448 by Pointmill"},
                                           {"EC:id-ecPublicKey:1.2.840.10045.2.1", PROPERTIES, pmp_ec_keymgmt,
                                            "curves on prime fields by Pointmill"},
                                           {SM2_NAMES, PROPERTIES, pmp_sm2_keymgmt, "SM2 by Pointmill"},
                                           {NULL, NULL, NULL, NULL}};
  static const OSSL_ALGORITHM exchange[] = {{X25519_NAMES, PROPERTIES, pmp_xdh_exchange, NULL},
                                            {X448_NAMES, PROPERTIES, pmp_xdh_exchange, NULL},
                                            {"ECDH", PROPERTIES, pmp_ecdh_exchange, NULL},
                                            {NULL, NULL, NULL, NULL}};
  static const OSSL_ALGORITHM signature[] = {{ED25519_NAMES, PROPERTIES, pmp_ed25519_signature, NULL},
                                             {"ECDSA", PROPERTIES, pmp_ecdsa_signature, NULL},
                                             {SM2_NAMES, PROPERTIES, pmp_sm2_signature, NULL},
                                             {NULL, NULL, NULL, NULL}};
  (void)ctx;
  *no_store = 0;
  switch (operation) {
    case OSSL_OP_KEYMGMT:
      return keymgmt;
    case OSSL_OP_KEYEXCH:
      return exchange;
    case OSSL_OP_SIGNATURE:
      return signature;
    default:
      return NULL;
  }
}

static void teardown(void *it) {
  pmp_ctx *ctx = it;
  (void)replace(ctx, NULL);
  pmp_pool_free(ctx->edverify);
  pmp_pool_free(ctx->multicurve);
  pmp_groups_free(ctx->groups);
  pmp_statistics_free(ctx->statistics);
  (void)OSSL_PROVIDER_unload(ctx->openssl);
  OSSL_LIB_CTX_free(ctx->libctx);
  OPENSSL_free(ctx);
}

static void take_core(pmp_ctx *ctx, const OSSL_DISPATCH *in) {
  for (; in->function_id != 0; in++) {
    switch (in->function_id) {
      case OSSL_FUNC_CORE_NEW_ERROR:
        ctx->new_error = OSSL_FUNC_core_new_error(in);
        break;
      case OSSL_FUNC_CORE_SET_ERROR_DEBUG:
        ctx->set_error_debug = OSSL_FUNC_core_set_error_debug(in);
        break;
      case OSSL_FUNC_CORE_VSET_ERROR:
        ctx->vset_error = OSSL_FUNC_core_vset_error(in);
        break;
      case OSSL_FUNC_CORE_GET_PARAMS:
        ctx->get_params = OSSL_FUNC_core_get_params(in);
        break;
      default:
        break;
    }
  }
}

static const OSSL_DISPATCH functions[] = {
    {OSSL_FUNC_PROVIDER_TEARDOWN, (void (*)(void))teardown},
    {OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, (void (*)(void))gettable_params},
    {OSSL_FUNC_PROVIDER_GET_PARAMS, (void (*)(void))get_params},
    {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))query},
    {OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, (void (*)(void))pmp_reason_strings},
    {OSSL_FUNC_PROVIDER_GET_CAPABILITIES, (void (*)(void))pmp_get_capabilities},
    {OSSL_FUNC_PROVIDER_SELF_TEST, (void (*)(void))pmp_self_test},
    {0, NULL}};

/* The one exported name. No device is opened here: that is for the first operation in the process that has one. */
__attribute__((visibility("default"))) int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in,
                                                              const OSSL_DISPATCH **out, void **provider) {
  pmp_ctx *ctx = OPENSSL_zalloc(sizeof *ctx);
  if (ctx == NULL) {
    return 0;
  }
  ctx->handle = handle;
  take_core(ctx, in);
  pmp_settings_read(ctx);
  /* Not a child of the application's context, which would have this provider in it again. */
  ctx->libctx = OSSL_LIB_CTX_new();
  ctx->statistics = pmp_statistics_new(ctx->settings.statistics);
  ctx->edverify = pmp_pool_new(PMP_EDVERIFY, &ctx->settings);
  ctx->multicurve = pmp_pool_new(PMP_MULTICURVE, &ctx->settings);
  ctx->groups = ctx->libctx == NULL ? NULL : pmp_groups_new(ctx->libctx);
  ctx->openssl = ctx->libctx == NULL ? NULL : OSSL_PROVIDER_load(ctx->libctx, "default");
  bool complete = ctx->statistics != NULL && ctx->edverify != NULL && ctx->multicurve != NULL && ctx->groups != NULL &&
                  ctx->openssl != NULL;
  if (!complete || !replace(NULL, ctx)) {
    pmp_raise(ctx, PMP_R_MEMORY);
    teardown(ctx);
    return 0;
  }
  *out = functions;
  *provider = ctx;
  return 1;
}
