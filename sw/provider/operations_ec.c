/* SPDX-License-Identifier: Apache-2.0
 *
 * operations_ec.c: operations on short Weierstrass curves: public keys, ECDH, ECDSA, SM2.
 */
#include <openssl/crypto.h>
#include <string.h>

#include "context.h"
#include "operations.h"
#include "pm_curve_ops.h"
#include "run.h"
#include "soft.h"

enum { MOST_NUMBERS = 6 };

/* A job and its operands, which hold secrets. */
typedef struct operands {
  pmp_job job;
  uint8_t numbers[MOST_NUMBERS * PM_NUMBER_BYTES];
} operands;

static void begin(operands *to, const pmp_key *key, uint32_t op, bool secret) {
  memset(to, 0, sizeof *to);
  to->job.kind = PMP_JOB_CURVE;
  to->job.curve = &key->group->curve;
  to->job.on_curve.op = op;
  to->job.on_curve.flags = secret ? PM_CURVE_FLAG_SECRET : 0;
  to->job.on_curve.numbers = to->numbers;
}

/* The next operand. */
static void add(operands *to, const uint8_t *big_endian, size_t length) {
  pmp_to_number(to->numbers + to->job.on_curve.count++ * PM_NUMBER_BYTES, big_endian, length);
}

static void add_point(operands *to, const pmp_key *key) {
  add(to, key->public_key, key->group->field_bytes);
  add(to, key->public_key + key->group->field_bytes, key->group->field_bytes);
}

/* Digest and its length in bits, of SM2 the digest alone. The first 544 bits of a digest are more than any order. */
static void add_digest(operands *to, const pmp_key *key, const uint8_t *digest, size_t length) {
  size_t kept = length < PM_NUMBER_BYTES ? length : PM_NUMBER_BYTES;
  uint8_t bits[2] = {(uint8_t)(8 * kept >> 8), (uint8_t)(8 * kept)};
  add(to, digest, kept);
  if (key->type == PMP_EC) {
    add(to, bits, sizeof bits);
  }
}

/* The numbers of the result into two texts of `bytes`; false if there are not two, or they are longer. */
static bool take_two(const pm_curve_result *result, uint8_t *first, uint8_t *second, size_t bytes) {
  return result->count == 2 && !result->infinity && pmp_from_number(first, bytes, result->numbers) &&
         pmp_from_number(second, bytes, result->numbers + PM_NUMBER_BYTES);
}

int pmp_ec_public_of(pmp_key *key) {
  size_t bytes = key->group->field_bytes;
  operands all;
  begin(&all, key, PM_CURVE_OP_ECMUL_BASE, true);
  all.job.on_curve.option = PM_CURVE_ECMUL_LADDER;
  all.job.takes_comb = true;
  add(&all, key->private_key, key->group->order_bytes);
  const char *algorithm = pmp_key_algorithm(key);
  pmp_outcome outcome = pmp_run(key, &all.job, algorithm, "generate");
  if (outcome == PMP_OK && !take_two(&all.job.curve_result, key->public_key, key->public_key + bytes, bytes)) {
    outcome = pmp_contradiction(key, algorithm, "generate", "no point");
  }
  OPENSSL_cleanse(&all, sizeof all);
  key->has_public = outcome == PMP_OK;
  if (outcome == PMP_NO) {
    return pmp_raise(key->ctx, PMP_R_KEY_OUT_OF_RANGE);
  }
  if (outcome == PMP_INSTEAD) {
    key->has_public = pmp_fell_back(key, algorithm, "generate", pmp_soft_public_of(key)) > 0;
  }
  return key->has_public;
}

int pmp_ecdh_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret) {
  size_t bytes = key->group->field_bytes;
  uint8_t y[PMP_MAX_BYTES];
  operands all;
  begin(&all, key, PM_CURVE_OP_ECMUL, true);
  all.job.on_curve.option = PM_CURVE_ECMUL_LADDER;
  add(&all, key->private_key, key->group->order_bytes);
  add_point(&all, peer);
  pmp_outcome outcome = pmp_run(key, &all.job, "ECDH", "derive");
  pmp_reason reason =
      all.job.curve_result.reason == PM_CURVE_REASON_INVALID_POINT ? PMP_R_POINT_INVALID : PMP_R_KEY_OUT_OF_RANGE;
  if (outcome == PMP_OK && !take_two(&all.job.curve_result, secret, y, bytes)) {
    outcome = pmp_contradiction(key, "ECDH", "derive", "no point"); /* the order is prime: infinity is none */
  }
  OPENSSL_cleanse(&all, sizeof all);
  OPENSSL_cleanse(y, sizeof y);
  if (outcome == PMP_NO) {
    return pmp_raise(key->ctx, reason);
  }
  if (outcome == PMP_INSTEAD) {
    return pmp_fell_back(key, "ECDH", "derive", pmp_soft_derive(key, peer, secret, bytes)) > 0;
  }
  return outcome == PMP_OK;
}

/* What a check came to. */
static int verdict(const pmp_key *key, const char *algorithm, const char *operation, pmp_outcome outcome,
                   int (*soft)(const pmp_key *key, const void *context), const void *context) {
  switch (outcome) {
    case PMP_OK:
      return 1;
    case PMP_NO:
      return 0;
    case PMP_INSTEAD:
      return pmp_fell_back(key, algorithm, operation, soft(key, context));
    default:
      return -1;
  }
}

static int soft_check(const pmp_key *key, const void *context) {
  (void)context;
  return pmp_soft_ec_check(key);
}

int pmp_ec_check(const pmp_key *key) {
  operands all;
  begin(&all, key, PM_CURVE_OP_CHECK, false);
  add_point(&all, key);
  const char *algorithm = pmp_key_algorithm(key);
  return verdict(key, algorithm, "check", pmp_run(key, &all.job, algorithm, "check"), soft_check, NULL);
}

static const char *signer(const pmp_key *key) { return key->type == PMP_EC ? "ECDSA" : "SM2"; }

int pmp_ec_sign(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *nonce, uint8_t *r, uint8_t *s,
                bool *again) {
  size_t bytes = key->group->order_bytes;
  operands all;
  begin(&all, key, key->type == PMP_EC ? PM_CURVE_OP_ECDSA_SIGN : PM_CURVE_OP_SM2_SIGN, true);
  all.job.takes_comb = true;
  add(&all, key->private_key, bytes);
  add(&all, nonce, bytes);
  add_digest(&all, key, digest, length);
  pmp_outcome outcome = pmp_run(key, &all.job, signer(key), "sign");
  *again = outcome == PMP_NO && all.job.curve_result.reason == PM_CURVE_REASON_UNUSABLE_NONCE;
  if (outcome == PMP_OK && !take_two(&all.job.curve_result, r, s, bytes)) {
    outcome = pmp_contradiction(key, signer(key), "sign", "no signature");
  }
  OPENSSL_cleanse(&all, sizeof all);
  if (outcome == PMP_NO && !*again) {
    return pmp_raise(key->ctx, PMP_R_KEY_OUT_OF_RANGE);
  }
  if (outcome == PMP_INSTEAD) {
    return pmp_fell_back(key, signer(key), "sign", pmp_soft_ec_sign(key, digest, length, r, s)) > 0;
  }
  return outcome == PMP_OK;
}

typedef struct signed_digest {
  const uint8_t *digest, *r, *s;
  size_t length;
} signed_digest;

static int soft_verify(const pmp_key *key, const void *context) {
  const signed_digest *it = context;
  return pmp_soft_ec_verify(key, it->digest, it->length, it->r, it->s);
}

int pmp_ec_verify(const pmp_key *key, const uint8_t *digest, size_t length, const uint8_t *r, const uint8_t *s) {
  operands all;
  begin(&all, key, key->type == PMP_EC ? PM_CURVE_OP_ECDSA_VERIFY : PM_CURVE_OP_SM2_VERIFY, false);
  add_digest(&all, key, digest, length);
  add_point(&all, key);
  memcpy(all.numbers + all.job.on_curve.count++ * PM_NUMBER_BYTES, r, PM_NUMBER_BYTES);
  memcpy(all.numbers + all.job.on_curve.count++ * PM_NUMBER_BYTES, s, PM_NUMBER_BYTES);
  signed_digest it = {digest, r, s, length};
  return verdict(key, signer(key), "verify", pmp_run(key, &all.job, signer(key), "verify"), soft_verify, &it);
}
