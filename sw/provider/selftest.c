/* SPDX-License-Identifier: Apache-2.0 */
#include "selftest.h"

#include <openssl/crypto.h>
#include <openssl/objects.h>
#include <string.h>

#include "context.h"
#include "nonce.h"
#include "operations.h"

/* Known answers, in hex. Sources: RFC 8032, 7.1, test 2; RFC 7748, 5.2; RFC 6979, A.2.5, SHA-256 of "sample";
 * GB/T 32918.5, A.2. */
#define ED25519_SEED "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
#define ED25519_PUBLIC "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
#define ED25519_SIGNATURE                                            \
  "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da" \
  "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
#define X25519_K "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"
#define X25519_U "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"
#define X25519_PRODUCT "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"
#define X448_K                                                                                             \
  "3d262fddf9ec8e88495266fea19a34d28882acef045104d0d1aae121700a779c984c24f8cdd78fbff44943eba368f54b29259a" \
  "4f1c600ad3"
#define X448_U                                                                                             \
  "06fce640fa3487bfda5f6cf2d5263f8aad88334cbd07437f020f08f9814dc031ddbdc38c19c6da2583fa5429db94ada18aa7a7" \
  "fb4ef8a086"
#define X448_PRODUCT                                                                                       \
  "ce3e4ff95a60dc6697da1db1d85e6afbdf79b50a2412d7546d5f239fe14fbaadeb445fc66a01b0779d98223961111e21766282" \
  "f73dd96b6f"
#define P256_D "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
#define P256_POINT                                                     \
  "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6" \
  "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
#define P256_DIGEST "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
#define P256_R "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716"
#define P256_S "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
#define SM2_D "3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8"
#define SM2_POINT                                                      \
  "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020" \
  "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13"
#define SM2_E "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640"
#define SM2_K "59276e27d506861a16680f3ad9c02dccef3cc1fa3cdbe4ce6d54b80deac1bc21"
#define SM2_R "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3"
#define SM2_S "b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa"

enum { MOST = 2 * PMP_MAX_BYTES };

static size_t bytes_of(const char *hex, uint8_t *to) {
  size_t length = 0;
  return OPENSSL_hexstr2buf_ex(to, MOST, &length, hex, '\0') ? length : 0;
}

static bool is(const uint8_t *bytes, const char *hex) {
  uint8_t wanted[MOST];
  size_t length = bytes_of(hex, wanted);
  return length != 0 && memcmp(bytes, wanted, length) == 0;
}

/* A key of hex texts; either may be null. */
static pmp_key *key_of(pmp_ctx *ctx, pmp_type type, const pmp_group *group, const char *private_hex,
                       const char *public_hex) {
  uint8_t encoded[MOST];
  pmp_key *key = pmp_key_new(ctx, type);
  if (key == NULL) {
    return NULL;
  }
  key->group = group;
  key->no_fallback = true;
  if (private_hex != NULL) {
    key->has_private = bytes_of(private_hex, key->private_key) != 0;
  }
  if (public_hex != NULL && !pmp_decode_public(key, encoded, bytes_of(public_hex, encoded))) {
    pmp_key_free(key);
    return NULL;
  }
  return key;
}

static bool test_ed25519(pmp_ctx *ctx) {
  static const uint8_t message[] = {0x72};
  uint8_t signature[64];
  pmp_key *key = key_of(ctx, PMP_ED25519, NULL, ED25519_SEED, NULL);
  bool good = key != NULL && pmp_bytes_public_of(key) && is(key->public_key, ED25519_PUBLIC) &&
              pmp_ed25519_sign(key, message, sizeof message, signature) && is(signature, ED25519_SIGNATURE) &&
              pmp_ed25519_verify(key, message, sizeof message, signature, sizeof signature) == 1;
  signature[33] ^= 1;
  good = good && pmp_ed25519_verify(key, message, sizeof message, signature, sizeof signature) == 0;
  pmp_key_free(key);
  return good;
}

static bool test_xdh(pmp_ctx *ctx, pmp_type type, const char *k, const char *u, const char *product) {
  uint8_t secret[PMP_MAX_BYTES];
  pmp_key *key = key_of(ctx, type, NULL, k, NULL), *peer = key_of(ctx, type, NULL, NULL, u);
  bool good = key != NULL && peer != NULL && pmp_xdh_derive(key, peer, secret) && is(secret, product);
  pmp_key_free(key);
  pmp_key_free(peer);
  return good;
}

/* Verifies r and s, and another s. */
static bool verifies(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *r, const uint8_t *s) {
  uint8_t numbers[2][PM_NUMBER_BYTES];
  pmp_to_number(numbers[0], r, key->group->order_bytes);
  pmp_to_number(numbers[1], s, key->group->order_bytes);
  bool good = pmp_ec_verify(key, digest, length, numbers[0], numbers[1]) == 1;
  numbers[1][0] ^= 1;
  return good && pmp_ec_verify(key, digest, length, numbers[0], numbers[1]) == 0;
}

static bool test_ecdsa(pmp_ctx *ctx) {
  uint8_t digest[MOST], r[PMP_MAX_BYTES], s[PMP_MAX_BYTES], shared[PMP_MAX_BYTES];
  size_t length = bytes_of(P256_DIGEST, digest);
  pmp_key *key = key_of(ctx, PMP_EC, pmp_group_of(ctx->groups, NID_X9_62_prime256v1), P256_D, P256_POINT);
  bool good = key != NULL && pmp_ec_check(key) == 1 && pmp_sign_digest(key, digest, length, "SHA2-256", r, s) &&
              is(r, P256_R) && is(s, P256_S) && verifies(key, digest, length, r, s);
  /* ECDH with the base point gives the x-coordinate of the public key. */
  pmp_key *base = key == NULL ? NULL : key_of(ctx, PMP_EC, key->group, NULL, NULL);
  if (good && base != NULL) {
    const uint8_t *numbers = key->group->curve.numbers;
    good = pmp_from_number(base->public_key, 32, numbers + 3 * PM_NUMBER_BYTES) &&
           pmp_from_number(base->public_key + 32, 32, numbers + 4 * PM_NUMBER_BYTES) &&
           pmp_ecdh_derive(key, base, shared) && memcmp(shared, key->public_key, 32) == 0;
  }
  good = good && base != NULL;
  pmp_key_free(base);
  pmp_key_free(key);
  return good;
}

static bool test_sm2(pmp_ctx *ctx) {
  uint8_t e[MOST], nonce[MOST], r[PMP_MAX_BYTES], s[PMP_MAX_BYTES];
  size_t length = bytes_of(SM2_E, e);
  bool again = false;
  (void)bytes_of(SM2_K, nonce);
  pmp_key *key = key_of(ctx, PMP_SM2, pmp_group_of(ctx->groups, NID_sm2), SM2_D, SM2_POINT);
  bool good = key != NULL && pmp_ec_sign(key, e, length, nonce, r, s, &again) && is(r, SM2_R) && is(s, SM2_S) &&
              verifies(key, e, length, r, s);
  pmp_key_free(key);
  return good;
}

int pmp_self_test(void *it) {
  pmp_ctx *ctx = it;
  const struct {
    const char *name;
    bool good;
  } tests[] = {{"Ed25519", test_ed25519(ctx)},
               {"X25519", test_xdh(ctx, PMP_X25519, X25519_K, X25519_U, X25519_PRODUCT)},
               {"X448", test_xdh(ctx, PMP_X448, X448_K, X448_U, X448_PRODUCT)},
               {"ECDSA and ECDH", test_ecdsa(ctx)},
               {"SM2", test_sm2(ctx)}};
  int good = 1;
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    if (!tests[i].good) {
      good = pmp_raise_text(ctx, PMP_R_DEVICE_CONTRADICTS, "the self-test of %s failed", tests[i].name);
    }
  }
  return good;
}
