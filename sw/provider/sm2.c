/* SPDX-License-Identifier: Apache-2.0 */
#include "sm2.h"

#include "context.h"

int pmp_sm2_z(const pmp_key *key, const EVP_MD *digest, const uint8_t *id, size_t id_length, uint8_t *z) {
  const pmp_group *group = key->group;
  uint8_t bits[2] = {(uint8_t)(8 * id_length >> 8), (uint8_t)(8 * id_length)}, number[PMP_MAX_BYTES];
  if (!key->has_public) {
    return pmp_raise(key->ctx, PMP_R_NO_PUBLIC_KEY);
  }
  EVP_MD_CTX *hash = EVP_MD_CTX_new();
  bool good = hash != NULL && EVP_DigestInit_ex2(hash, digest, NULL) && EVP_DigestUpdate(hash, bits, sizeof bits) &&
              EVP_DigestUpdate(hash, id, id_length);
  for (size_t i = 1; good && i < 5; i++) { /* a, b, gx, gy */
    good = pmp_from_number(number, group->field_bytes, group->curve.numbers + i * PM_NUMBER_BYTES) &&
           EVP_DigestUpdate(hash, number, group->field_bytes);
  }
  good = good && EVP_DigestUpdate(hash, key->public_key, 2 * group->field_bytes) && EVP_DigestFinal_ex(hash, z, NULL);
  EVP_MD_CTX_free(hash);
  return good || pmp_raise(key->ctx, PMP_R_DIGEST);
}
