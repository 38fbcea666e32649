/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>

#include "pm_curve_ops.h"

enum { COMB_FROM = 4 }; /* secret multiples of one base point that are worth its comb, on every curve */

/* Word number `index` of a list, in turn. */
static void word_of(const char *list, unsigned index, char *word, size_t size) {
  unsigned count = 0;
  for (const char *at = list + strspn(list, " "); *at != '\0'; at += strspn(at, " ")) {
    count++;
    at += strcspn(at, " ");
  }
  const char *at = list + strspn(list, " ");
  for (unsigned left = count == 0 ? 0 : index % count; left > 0; left--) {
    at += strcspn(at, " ");
    at += strspn(at, " ");
  }
  (void)snprintf(word, size, "%.*s", (int)strcspn(at, " "), at);
}

static bool is_open(const pmp_unit *unit) { return unit->ed != NULL || unit->curve != NULL; }

static pm_error open_unit(pmp_unit *unit, const pmp_settings *settings) {
  char config[PMP_TEXT_BYTES];
  if (unit->core == PMP_EDVERIFY) {
    word_of(settings->edverify, unit->index, config, sizeof config);
    pm_error error = pm_open(settings->device, config, &unit->ed);
    return error != PM_OK ? error : pm_set_batch_timeout(unit->ed, settings->timeout);
  }
  word_of(settings->multicurve, unit->index, config, sizeof config);
  return pm_curve_open(settings->device, config, &unit->curve);
}

void pmp_unit_close(pmp_unit *unit) {
  pm_close(unit->ed);
  pm_curve_close(unit->curve);
  unit->ed = NULL;
  unit->curve = NULL;
  unit->loaded = NULL;
  unit->comb = false;
}

bool pmp_job_answered(const pmp_job *job) {
  if (job->error != PM_OK) {
    return false;
  }
  if (job->kind != PMP_JOB_CURVE) {
    uint32_t reason = job->result.reason;
    return reason != PM_REASON_ABORTED && reason != PM_REASON_MALFORMED_JOB && reason != PM_REASON_SECRET_REFUSED &&
           reason != PM_REASON_FAULT_DETECTED;
  }
  switch (job->curve_result.reason) {
    case PM_CURVE_REASON_OK:
    case PM_CURVE_REASON_INVALID_POINT:
    case PM_CURVE_REASON_SCALAR_OUT_OF_RANGE:
    case PM_CURVE_REASON_BAD_SIGNATURE:
    case PM_CURVE_REASON_SIGNATURE_OUT_OF_RANGE:
    case PM_CURVE_REASON_UNUSABLE_NONCE:
      return true;
    default: /* the curve is a good one, so the rest are faults of the core */
      return false;
  }
}

/* Jobs of one kind, one behind the other, in one batch of edverify. */
static void run_ed(pmp_unit *unit, pmp_job *const jobs[], size_t count) {
  pm_result results[PMP_UNIT_JOBS];
  pm_job verify[PMP_UNIT_JOBS];
  pm_secret_job secret[PMP_UNIT_JOBS];
  pm_error error = PM_OK;
  for (size_t i = 0; i < count; i++) {
    verify[i] = jobs[i]->verify;
    secret[i] = jobs[i]->secret;
  }
  error = jobs[0]->kind == PMP_JOB_VERIFY ? pm_verify_batch(unit->ed, verify, count, results)
                                          : pm_secret_batch(unit->ed, secret, count, results);
  for (size_t i = 0; i < count; i++) {
    jobs[i]->result = results[i];
    jobs[i]->error = results[i].reason == PM_REASON_ABORTED && error != PM_OK ? error : PM_OK;
  }
  OPENSSL_cleanse(results, sizeof results);
}

/* The job that loads a curve; `comb` with the fixed-base comb. */
static pm_curve_job load_job(const pmp_curve *curve, bool comb) {
  return (pm_curve_job){.op = PM_CURVE_OP_LOAD_CURVE,
                        .option = comb ? PM_CURVE_LOAD_CURVE_COMB : PM_CURVE_LOAD_CURVE_BASE,
                        .flags = curve->montgomery ? PM_CURVE_FLAG_MONTGOMERY : 0,
                        .count = PMP_LOAD_NUMBERS,
                        .numbers = curve->numbers};
}

static void run_curve(pmp_unit *unit, const pmp_settings *settings, pmp_job *job) {
  pm_curve_job jobs[2];
  pm_curve_result results[2];
  size_t count = 0;
  bool comb = unit->loaded == job->curve && unit->comb;
  if (job->takes_comb && unit->loaded == job->curve && !comb) {
    comb = ++unit->comb_wanted >= COMB_FROM;
  }
  bool load = unit->loaded != job->curve || comb != unit->comb;
  if (load) {
    jobs[count++] = load_job(job->curve, comb);
    unit->comb_wanted = job->takes_comb;
  }
  jobs[count++] = job->on_curve;
  job->error = pm_curve_batch(unit->curve, jobs, count, settings->timeout, NULL, NULL, results);
  job->curve_result = results[count - 1];
  if (load) {
    job->load_cycles = results[0].cycles;
    unit->loaded = job->curve;
    unit->comb = comb;
  }
  OPENSSL_cleanse(results, sizeof results);
}

void pmp_unit_run(pmp_unit *unit, const pmp_settings *settings, pmp_job *const jobs[], size_t count) {
  if (!is_open(unit)) {
    pm_error error = open_unit(unit, settings);
    if (error != PM_OK) {
      for (size_t i = 0; i < count; i++) {
        jobs[i]->error = error;
        jobs[i]->open_failed = true;
        (void)snprintf(jobs[i]->detail, sizeof jobs[i]->detail, "%s", pm_open_detail());
      }
      pmp_unit_close(unit);
      return;
    }
  }
  bool good = true;
  for (size_t at = 0; at < count;) {
    size_t end = at + 1;
    if (unit->core == PMP_EDVERIFY) {
      while (end < count && jobs[end]->kind == jobs[at]->kind) {
        end++;
      }
      run_ed(unit, jobs + at, end - at);
    } else {
      run_curve(unit, settings, jobs[at]);
    }
    for (; at < end; at++) {
      good = good && pmp_job_answered(jobs[at]);
    }
  }
  if (!good) {
    pmp_unit_close(unit);
  }
}
