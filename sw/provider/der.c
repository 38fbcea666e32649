/* SPDX-License-Identifier: Apache-2.0 */
#include "der.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <string.h>

static bool number_of(const BIGNUM *value, uint8_t number[PM_NUMBER_BYTES]) {
  return !BN_is_negative(value) && BN_num_bits(value) <= 8 * PM_NUMBER_BYTES &&
         BN_bn2lebinpad(value, number, PM_NUMBER_BYTES) == PM_NUMBER_BYTES;
}

bool pmp_der_decode(const uint8_t *der, size_t length, uint8_t r[PM_NUMBER_BYTES], uint8_t s[PM_NUMBER_BYTES]) {
  const unsigned char *from = der;
  unsigned char *again = NULL;
  ECDSA_SIG *signature = length > PMP_DER_BYTES ? NULL : d2i_ECDSA_SIG(NULL, &from, (long)length);
  if (signature == NULL) {
    return false;
  }
  int encoded = i2d_ECDSA_SIG(signature, &again); /* differs where the encoding was not that of DER */
  bool good = encoded > 0 && (size_t)encoded == length && memcmp(again, der, length) == 0 &&
              number_of(ECDSA_SIG_get0_r(signature), r) && number_of(ECDSA_SIG_get0_s(signature), s);
  OPENSSL_free(again);
  ECDSA_SIG_free(signature);
  return good;
}

size_t pmp_der_encode(const uint8_t *r, const uint8_t *s, size_t bytes, uint8_t der[PMP_DER_BYTES]) {
  ECDSA_SIG *signature = ECDSA_SIG_new();
  BIGNUM *first = BN_bin2bn(r, (int)bytes, NULL), *second = BN_bin2bn(s, (int)bytes, NULL);
  int length = 0;
  if (signature == NULL || first == NULL || second == NULL || !ECDSA_SIG_set0(signature, first, second)) {
    BN_free(first);
    BN_free(second);
  } else {
    unsigned char *to = der;
    length = i2d_ECDSA_SIG(signature, &to);
  }
  ECDSA_SIG_free(signature);
  return length > 0 ? (size_t)length : 0;
}

size_t pmp_der_most(const pmp_group *group) {
  size_t integers = 2 * (2 + group->order_bytes + (group->order_bits % 8 == 0));
  return integers + (integers < 128 ? 2 : 3);
}
