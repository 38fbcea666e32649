/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <openssl/err.h>

#include "context.h"
#include "pm_curve_ops.h"

static const char *label(const pmp_key *key) { return key->type == PMP_EC ? key->group->label : NULL; }

static pmp_reason reason_of(const pmp_job *job) {
  if (job->open_failed) {
    return PMP_R_DEVICE_OPEN;
  }
  switch (job->error) {
    case PM_OK: /* with a result that is none */
    case PM_ERR_PROTOCOL:
      return PMP_R_DEVICE_CONTRADICTS;
    case PM_ERR_TIMEOUT:
      return PMP_R_DEVICE_TIMEOUT;
    default:
      return PMP_R_DEVICE_FAILED;
  }
}

/* Without result: counted, and raised unless another does it. */
static pmp_outcome failed(const pmp_key *key, const char *algorithm, const char *operation, pmp_reason reason,
                          const char *sentence, const char *detail) {
  pmp_count(key->ctx->statistics, algorithm, label(key), operation, PMP_FAILED, 0);
  if (key->ctx->settings.fallback && !key->no_fallback) {
    (void)ERR_set_mark(); /* what the fallback raises on its way is nothing of the caller's */
    return PMP_INSTEAD;
  }
  pmp_raise_text(key->ctx, reason, "%s.%s: %s%s%s", algorithm, operation, sentence, detail[0] == '\0' ? "" : ": ",
                 detail);
  return PMP_NOTHING;
}

pmp_outcome pmp_run(const pmp_key *key, pmp_job *job, const char *algorithm, const char *operation) {
  pmp_ctx *ctx = key->ctx;
  bool on_curve = job->kind == PMP_JOB_CURVE;
  job->error = PM_OK;
  job->open_failed = false;
  job->detail[0] = '\0';
  job->load_cycles = 0;
  if (ctx->settings.fault[0] != '\0') {
    pmp_count(ctx->statistics, algorithm, label(key), operation, PMP_FAILED, 0);
    pmp_raise_text(ctx, PMP_R_SETTING, "%s", ctx->settings.fault);
    return PMP_NOTHING;
  }
  pmp_pool_run(on_curve ? ctx->multicurve : ctx->edverify, job);
  if (job->load_cycles != 0) {
    pmp_count(ctx->statistics, "curve", key->group != NULL ? key->group->label : "curve448", "load", PMP_DONE,
              job->load_cycles);
  }
  uint32_t reason = on_curve ? job->curve_result.reason : job->result.reason;
  if (!pmp_job_answered(job)) {
    return failed(key, algorithm, operation, reason_of(job),
                  job->error == PM_OK ? "the core gave no result" : pm_strerror(job->error), job->detail);
  }
  if (!on_curve && reason == PM_REASON_MESSAGE_TOO_LONG) {
    return failed(key, algorithm, operation, PMP_R_MESSAGE_TOO_LONG, "the message is too long", "");
  }
  pmp_count(ctx->statistics, algorithm, label(key), operation, reason == 0 ? PMP_DONE : PMP_REJECTED,
            on_curve ? job->curve_result.cycles : job->result.cycles);
  return reason == 0 ? PMP_OK : PMP_NO;
}

int pmp_fell_back(const pmp_key *key, const char *algorithm, const char *operation, int returned) {
  (void)ERR_pop_to_mark();
  if (returned >= 0) {
    pmp_count(key->ctx->statistics, algorithm, label(key), operation, PMP_FALLBACK, 0);
    return returned;
  }
  (void)pmp_raise_text(key->ctx, PMP_R_FALLBACK_FAILED, "%s.%s", algorithm, operation);
  return -1;
}

pmp_outcome pmp_contradiction(const pmp_key *key, const char *algorithm, const char *operation, const char *what) {
  return failed(key, algorithm, operation, PMP_R_DEVICE_CONTRADICTS, what, "");
}
