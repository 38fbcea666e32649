/* SPDX-License-Identifier: Apache-2.0 */
#include "group.h"

#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <string.h>

enum {
  MAX_GROUPS = 48, /* OpenSSL 3.0 has 38 such curves */
  MAX_CURVES = 128 /* and 82 of all kinds */
};

struct pmp_groups {
  CRYPTO_RWLOCK *lock;
  OSSL_LIB_CTX *libctx;
  size_t count;
  pmp_group *known[MAX_GROUPS];
};

/* p = 2^448 - 2^224 - 1 and (156326 + 2) / 4 = 39082 = 0x98aa. */
const pmp_curve pmp_curve448 = {
    .montgomery = true,
    .numbers = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0xff,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                [PM_NUMBER_BYTES] = 0xaa, 0x98},
};

void pmp_to_number(uint8_t number[PM_NUMBER_BYTES], const uint8_t *big_endian, size_t length) {
  memset(number, 0, PM_NUMBER_BYTES);
  for (size_t i = 0; i < length; i++) {
    number[i] = big_endian[length - 1 - i];
  }
}

bool pmp_from_number(uint8_t *big_endian, size_t length, const uint8_t number[PM_NUMBER_BYTES]) {
  uint8_t above = 0;
  for (size_t i = 0; i < PM_NUMBER_BYTES; i++) {
    if (i < length) {
      big_endian[length - 1 - i] = number[i];
    } else {
      above |= number[i];
    }
  }
  return above == 0;
}

bool pmp_in_range(const pmp_group *group, const uint8_t *number) {
  unsigned any = 0, borrow = 0;
  for (size_t i = group->order_bytes; i-- > 0;) {
    any |= number[i];
    borrow = (unsigned)number[i] - group->order[i] - borrow;
    borrow = borrow >> 8 & 1;
  }
  return any != 0 && borrow == 1;
}

pmp_groups *pmp_groups_new(OSSL_LIB_CTX *libctx) {
  pmp_groups *groups = OPENSSL_zalloc(sizeof *groups);
  if (groups == NULL || (groups->lock = CRYPTO_THREAD_lock_new()) == NULL) {
    OPENSSL_free(groups);
    return NULL;
  }
  groups->libctx = libctx;
  return groups;
}

static void free_group(pmp_group *group) {
  if (group != NULL) {
    EC_GROUP_free(group->openssl);
    OPENSSL_free(group);
  }
}

void pmp_groups_free(pmp_groups *groups) {
  if (groups == NULL) {
    return;
  }
  for (size_t i = 0; i < groups->count; i++) {
    free_group(groups->known[i]);
  }
  CRYPTO_THREAD_lock_free(groups->lock);
  OPENSSL_free(groups);
}

/* Parameters of group->openssl into the rest of the group; false if the core cannot take it. */
static bool fill(pmp_group *group) {
  BN_CTX *bn = BN_CTX_secure_new();
  BIGNUM *values[PMP_LOAD_NUMBERS] = {NULL};
  bool good = bn != NULL;
  for (size_t i = 0; good && i < PMP_LOAD_NUMBERS; i++) {
    good = (values[i] = BN_new()) != NULL;
  }
  const EC_POINT *base = EC_GROUP_get0_generator(group->openssl);
  const BIGNUM *cofactor = EC_GROUP_get0_cofactor(group->openssl);
  good = good && base != NULL && cofactor != NULL && BN_is_one(cofactor) &&
         EC_GROUP_get_curve(group->openssl, values[0], values[1], values[2], bn) &&
         EC_POINT_get_affine_coordinates(group->openssl, base, values[3], values[4], bn) &&
         EC_GROUP_get_order(group->openssl, values[5], bn) && BN_num_bits(values[0]) <= 8 * PM_NUMBER_BYTES &&
         BN_num_bits(values[5]) <= 8 * PM_NUMBER_BYTES;
  for (size_t i = 0; good && i < PMP_LOAD_NUMBERS; i++) {
    good = BN_bn2lebinpad(values[i], group->curve.numbers + i * PM_NUMBER_BYTES, PM_NUMBER_BYTES) == PM_NUMBER_BYTES;
  }
  if (good) {
    group->field_bits = (unsigned)BN_num_bits(values[0]);
    group->field_bytes = (size_t)BN_num_bytes(values[0]);
    group->order_bits = (unsigned)BN_num_bits(values[5]);
    group->order_bytes = (size_t)BN_num_bytes(values[5]);
    good = BN_bn2binpad(values[5], group->order, (int)group->order_bytes) == (int)group->order_bytes;
  }
  for (size_t i = 0; i < PMP_LOAD_NUMBERS; i++) {
    BN_free(values[i]);
  }
  BN_CTX_free(bn);
  return good;
}

static pmp_group *make_group(OSSL_LIB_CTX *libctx, int nid) {
  pmp_group *group = OPENSSL_zalloc(sizeof *group);
  if (group == NULL) {
    return NULL;
  }
  group->nid = nid;
  group->name = OBJ_nid2sn(nid);
  group->label = EC_curve_nid2nist(nid) != NULL ? EC_curve_nid2nist(nid) : group->name;
  group->openssl = EC_GROUP_new_by_curve_name_ex(libctx, "provider=default", nid);
  if (group->openssl == NULL || EC_GROUP_get_field_type(group->openssl) != NID_X9_62_prime_field || !fill(group)) {
    free_group(group);
    return NULL;
  }
  return group;
}

const pmp_group *pmp_group_of(pmp_groups *groups, int nid) {
  pmp_group *found = NULL;
  if (nid == NID_undef || !CRYPTO_THREAD_write_lock(groups->lock)) {
    return NULL;
  }
  for (size_t i = 0; found == NULL && i < groups->count; i++) {
    found = groups->known[i]->nid == nid ? groups->known[i] : NULL;
  }
  if (found == NULL && groups->count < MAX_GROUPS && (found = make_group(groups->libctx, nid)) != NULL) {
    groups->known[groups->count++] = found;
  }
  CRYPTO_THREAD_unlock(groups->lock);
  return found;
}

/* The number of a short name, however its letters are written, as OpenSSL takes names of curves; NID_undef: none. */
static int nid_named(const char *name) {
  static const struct {
    const char *name;
    int nid;
  } aliases[] = {{"secp256r1", NID_X9_62_prime256v1}, {"secp192r1", NID_X9_62_prime192v1}};
  EC_builtin_curve curves[MAX_CURVES];
  size_t count = EC_get_builtin_curves(curves, MAX_CURVES);
  for (size_t i = 0; i < count && i < MAX_CURVES; i++) {
    if (OPENSSL_strcasecmp(name, OBJ_nid2sn(curves[i].nid)) == 0) {
      return curves[i].nid;
    }
  }
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
    if (OPENSSL_strcasecmp(name, aliases[i].name) == 0) {
      return aliases[i].nid;
    }
  }
  return NID_undef;
}

const pmp_group *pmp_group_named(pmp_groups *groups, const char *name) {
  int nid = EC_curve_nist2nid(name);
  if (nid == NID_undef) {
    nid = nid_named(name);
  }
  if (nid == NID_undef) {
    (void)ERR_set_mark(); /* an unknown name is an error of OpenSSL's, which would stand before the provider's */
    nid = OBJ_txt2nid(name); /* long names, numbers with dots */
    (void)ERR_pop_to_mark();
  }
  return pmp_group_of(groups, nid);
}
