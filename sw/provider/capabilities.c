/* SPDX-License-Identifier: Apache-2.0 */
#include "capabilities.h"

#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/prov_ssl.h>
#include <string.h>

#include "context.h"

/* Groups of TLS that the provider knows how to do, by their numbers at IANA, as OpenSSL's default provider has them.
 * Registering EC takes the place of the default provider's, so that all of its groups on prime fields are here. */
typedef struct tls_group {
  const char *name, *internal, *algorithm;
  unsigned id, bits;
  int most, most_dtls; /* last version; 0: all */
} tls_group;

#define OLD TLS1_2_VERSION, DTLS1_2_VERSION /* not in TLS 1.3 */

static const tls_group groups[] = {
    {"secp160k1", "secp160k1", "EC", 15, 80, OLD},
    {"secp160r1", "secp160r1", "EC", 16, 80, OLD},
    {"secp160r2", "secp160r2", "EC", 17, 80, OLD},
    {"secp192k1", "secp192k1", "EC", 18, 80, OLD},
    {"secp192r1", "prime192v1", "EC", 19, 80, OLD},
    {"P-192", "prime192v1", "EC", 19, 80, OLD},
    {"secp224k1", "secp224k1", "EC", 20, 112, OLD},
    {"secp224r1", "secp224r1", "EC", 21, 112, OLD},
    {"P-224", "secp224r1", "EC", 21, 112, OLD},
    {"secp256k1", "secp256k1", "EC", 22, 128, OLD},
    {"secp256r1", "prime256v1", "EC", 23, 128, 0, 0},
    {"P-256", "prime256v1", "EC", 23, 128, 0, 0},
    {"secp384r1", "secp384r1", "EC", 24, 192, 0, 0},
    {"P-384", "secp384r1", "EC", 24, 192, 0, 0},
    {"secp521r1", "secp521r1", "EC", 25, 256, 0, 0},
    {"P-521", "secp521r1", "EC", 25, 256, 0, 0},
    {"brainpoolP256r1", "brainpoolP256r1", "EC", 26, 128, OLD},
    {"brainpoolP384r1", "brainpoolP384r1", "EC", 27, 192, OLD},
    {"brainpoolP512r1", "brainpoolP512r1", "EC", 28, 256, OLD},
    {"x25519", "X25519", "X25519", 29, 128, 0, 0},
    {"x448", "X448", "X448", 30, 224, 0, 0},
};

/* A text of a parameter; OpenSSL reads it only. */
static OSSL_PARAM text(const char *key, const char *value) {
  return OSSL_PARAM_construct_utf8_string(key, (char *)(uintptr_t)value, strlen(value) + 1);
}

int pmp_get_capabilities(void *ctx, const char *capability, OSSL_CALLBACK *callback, void *argument) {
  (void)ctx;
  if (OPENSSL_strcasecmp(capability, "TLS-GROUP") != 0) {
    return 0;
  }
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    const tls_group *group = &groups[i];
    unsigned id = group->id, bits = group->bits;
    int least = TLS1_VERSION, most = group->most, least_dtls = DTLS1_VERSION, most_dtls = group->most_dtls;
    OSSL_PARAM params[] = {text(OSSL_CAPABILITY_TLS_GROUP_NAME, group->name),
                           text(OSSL_CAPABILITY_TLS_GROUP_NAME_INTERNAL, group->internal),
                           text(OSSL_CAPABILITY_TLS_GROUP_ALG, group->algorithm),
                           OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_ID, &id),
                           OSSL_PARAM_construct_uint(OSSL_CAPABILITY_TLS_GROUP_SECURITY_BITS, &bits),
                           OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_TLS, &least),
                           OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_TLS, &most),
                           OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MIN_DTLS, &least_dtls),
                           OSSL_PARAM_construct_int(OSSL_CAPABILITY_TLS_GROUP_MAX_DTLS, &most_dtls),
                           OSSL_PARAM_construct_end()};
    if (!callback(params, argument)) {
      return 0;
    }
  }
  return 1;
}
