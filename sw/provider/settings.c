/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <errno.h>
#include <openssl/params.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

enum { MAX_DEVICES = 64 };

/* Value of a key of the section, or null. */
static const char *value_of(const pmp_ctx *ctx, const char *key) {
  char *value = NULL;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(key, &value, 0), OSSL_PARAM_construct_end()};
  return ctx->get_params != NULL && ctx->get_params(ctx->handle, params) ? value : NULL;
}

static int read_text(const pmp_ctx *ctx, const char *key, const char *otherwise, char *to, size_t size) {
  const char *value = value_of(ctx, key);
  if (value == NULL) {
    value = otherwise;
  }
  if (strlen(value) >= size) {
    return pmp_raise_text(ctx, PMP_R_SETTING, "%s has more than %zu characters", key, size - 1);
  }
  memcpy(to, value, strlen(value) + 1);
  return 1;
}

static int read_number(const pmp_ctx *ctx, const char *key, uint64_t otherwise, uint64_t least, uint64_t most,
                       uint64_t *to) {
  const char *value = value_of(ctx, key);
  *to = otherwise;
  if (value == NULL) {
    return 1;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(value, &end, 10);
  if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number < least || number > most) {
    return pmp_raise_text(ctx, PMP_R_SETTING, "%s = %s is no number from %llu to %llu", key, value,
                          (unsigned long long)least, (unsigned long long)most);
  }
  *to = number;
  return 1;
}

/* Which of two words a key has; the first is the default. */
static int read_choice(const pmp_ctx *ctx, const char *key, const char *first, const char *second, bool *is_second) {
  const char *value = value_of(ctx, key);
  *is_second = value != NULL && strcmp(value, second) == 0;
  if (value != NULL && !*is_second && strcmp(value, first) != 0) {
    return pmp_raise_text(ctx, PMP_R_SETTING, "%s = %s is neither %s nor %s", key, value, first, second);
  }
  return 1;
}

/* How many words a text has. */
static uint64_t words(const char *text) {
  uint64_t count = 0;
  for (const char *at = text; *at != '\0'; at++) {
    count += *at != ' ' && (at == text || at[-1] == ' ');
  }
  return count;
}

int pmp_settings_read(pmp_ctx *ctx) {
  pmp_settings *to = &ctx->settings;
  uint64_t devices = 0;
  if (!read_text(ctx, "device", "sim", to->device, sizeof to->device) ||
      !read_text(ctx, "edverify", "throughput", to->edverify, sizeof to->edverify) ||
      !read_text(ctx, "multicurve", "fast", to->multicurve, sizeof to->multicurve) ||
      !read_text(ctx, "statistics", "", to->statistics, sizeof to->statistics) ||
      !read_number(ctx, "timeout", 5000000, 1, UINT64_MAX, &to->timeout) ||
      !read_choice(ctx, "fallback", "none", "default", &to->fallback) ||
      !read_choice(ctx, "nonce", "random", "rfc6979", &to->rfc6979)) {
    return 0;
  }
  uint64_t listed = words(to->edverify) > words(to->multicurve) ? words(to->edverify) : words(to->multicurve);
  if (!read_number(ctx, "devices", listed == 0 ? 1 : listed, 1, MAX_DEVICES, &devices)) {
    return 0;
  }
  to->devices = (unsigned)devices;
  return 1;
}
