/* SPDX-License-Identifier: Apache-2.0
 *
 * operations.c: operations of Ed25519, X25519 and X448.
 */
#include "operations.h"

#include <openssl/crypto.h>
#include <string.h>

#include "context.h"
#include "pm_curve_ops.h"
#include "run.h"
#include "soft.h"

enum { KEY_BYTES = 32, SIGNATURE_BYTES = 64, X448_BYTES = 56 };

/* A job of edverify with a secret. */
static pmp_job secret_job(uint32_t op, const uint8_t *secret) {
  return (pmp_job){.kind = PMP_JOB_SECRET, .secret = {.op = op, .secret = secret, .secret_len = KEY_BYTES}};
}

int pmp_ed25519_sign(const pmp_key *key, const uint8_t *message, size_t length, uint8_t *signature) {
  pmp_job job = secret_job(PM_OP_SIGN, key->private_key);
  job.secret.msg = message;
  job.secret.msg_len = length;
  pmp_outcome outcome = pmp_run(key, &job, "ED25519", "sign");
  if (outcome == PMP_OK && job.result.length != KEY_BYTES + SIGNATURE_BYTES) {
    outcome = pmp_contradiction(key, "ED25519", "sign", "another length of signature");
  }
  if (outcome == PMP_INSTEAD) {
    return pmp_fell_back(key, "ED25519", "sign", pmp_soft_ed25519_sign(key, message, length, signature)) > 0;
  }
  if (outcome != PMP_OK) {
    return 0;
  }
  if (key->has_public && memcmp(job.result.payload, key->public_key, KEY_BYTES) != 0) {
    return pmp_raise(key->ctx, PMP_R_KEY_MISMATCH);
  }
  memcpy(signature, job.result.payload + KEY_BYTES, SIGNATURE_BYTES);
  return 1;
}

int pmp_ed25519_verify(const pmp_key *key, const uint8_t *message, size_t length, const uint8_t *signature,
                       size_t signature_length) {
  if (signature_length != SIGNATURE_BYTES) {
    return 0; /* malformed: no job has such a signature */
  }
  pmp_job job = {.kind = PMP_JOB_VERIFY,
                 .verify = {.rule = PM_RULE_REF10_BYTES,
                            .pk = key->public_key,
                            .pk_len = KEY_BYTES,
                            .sig = signature,
                            .sig_len = signature_length,
                            .msg = message,
                            .msg_len = length}};
  switch (pmp_run(key, &job, "ED25519", "verify")) {
    case PMP_OK:
      return job.result.valid == 1;
    case PMP_NO:
      return 0;
    case PMP_INSTEAD:
      return pmp_fell_back(key, "ED25519", "verify",
                           pmp_soft_ed25519_verify(key, message, length, signature, signature_length));
    default:
      return -1;
  }
}

/* u-coordinate of the product of a private key and u on Curve25519 or curve448. */
static int multiply(const pmp_key *key, const char *operation, const uint8_t *u, uint8_t *product, bool *zero) {
  const char *algorithm = pmp_key_algorithm(key);
  uint8_t numbers[2 * PM_NUMBER_BYTES] = {0};
  pmp_job job;
  pmp_outcome outcome;
  if (key->type == PMP_X25519) {
    job = secret_job(PM_OP_X25519, key->private_key);
    job.secret.u = u;
    job.secret.u_len = KEY_BYTES;
    outcome = pmp_run(key, &job, algorithm, operation);
    if (outcome == PMP_OK && job.result.length != KEY_BYTES) {
      outcome = pmp_contradiction(key, algorithm, operation, "another length of coordinate");
    }
    memcpy(product, job.result.payload, KEY_BYTES);
    *zero = job.result.all_zero;
  } else {
    memcpy(numbers, key->private_key, X448_BYTES);
    memcpy(numbers + PM_NUMBER_BYTES, u, X448_BYTES);
    job = (pmp_job){.kind = PMP_JOB_CURVE,
                    .curve = &pmp_curve448,
                    .on_curve = {.op = PM_CURVE_OP_LADDER,
                                 .option = PM_CURVE_LADDER_X448,
                                 .flags = PM_CURVE_FLAG_SECRET,
                                 .count = 2,
                                 .numbers = numbers}};
    outcome = pmp_run(key, &job, algorithm, operation);
    if (outcome == PMP_OK && job.curve_result.count != 1) {
      outcome = pmp_contradiction(key, algorithm, operation, "another number of coordinates");
    }
    memcpy(product, job.curve_result.numbers, X448_BYTES);
    *zero = job.curve_result.all_zero;
    OPENSSL_cleanse(numbers, sizeof numbers);
  }
  OPENSSL_cleanse(&job, sizeof job);
  return outcome == PMP_OK ? 1 : outcome == PMP_INSTEAD ? -1 : 0;
}

static int ed25519_public(pmp_key *key) {
  pmp_job job = secret_job(PM_OP_KEYGEN, key->private_key);
  pmp_outcome outcome = pmp_run(key, &job, "ED25519", "generate");
  if (outcome == PMP_OK && job.result.length != KEY_BYTES) {
    outcome = pmp_contradiction(key, "ED25519", "generate", "another length of key");
  }
  memcpy(key->public_key, job.result.payload, KEY_BYTES);
  return outcome == PMP_OK ? 1 : outcome == PMP_INSTEAD ? -1 : 0;
}

int pmp_bytes_public_of(pmp_key *key) {
  static const uint8_t x25519_base[KEY_BYTES] = {9}, x448_base[X448_BYTES] = {5};
  bool zero = false;
  int done = key->type == PMP_ED25519 ? ed25519_public(key)
                                      : multiply(key, "generate", key->type == PMP_X25519 ? x25519_base : x448_base,
                                                 key->public_key, &zero);
  if (done < 0) {
    done = pmp_fell_back(key, pmp_key_algorithm(key), "generate", pmp_soft_public_of(key)) > 0;
  }
  key->has_public = done == 1;
  return done;
}

int pmp_xdh_derive(const pmp_key *key, const pmp_key *peer, uint8_t *secret) {
  bool zero = false;
  int done = multiply(key, "derive", peer->public_key, secret, &zero);
  if (done < 0) {
    return pmp_fell_back(key, pmp_key_algorithm(key), "derive",
                         pmp_soft_derive(key, peer, secret, pmp_public_bytes(key))) > 0;
  }
  if (done == 1 && zero) {
    return pmp_raise(key->ctx, PMP_R_ALL_ZERO);
  }
  return done;
}
