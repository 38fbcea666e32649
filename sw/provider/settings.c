/* SPDX-License-Identifier: Apache-2.0 */
#include "settings.h"

#include <errno.h>
#include <openssl/params.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

enum { MAX_DEVICES = 64 };

/* Keeps what is wrong first. */
static void fault(pmp_settings *settings, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fault(pmp_settings *settings, const char *format, ...) {
  if (settings->fault[0] == '\0') {
    va_list values;
    va_start(values, format);
    (void)vsnprintf(settings->fault, sizeof settings->fault, format, values);
    va_end(values);
  }
}

/* Value of a key of the section, or null. */
static const char *value_of(const pmp_ctx *ctx, const char *key) {
  char *value = NULL;
  OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_ptr(key, &value, 0), OSSL_PARAM_construct_end()};
  return ctx->get_params != NULL && ctx->get_params(ctx->handle, params) ? value : NULL;
}

static void read_text(pmp_ctx *ctx, const char *key, const char *otherwise, char *to, size_t size) {
  const char *value = value_of(ctx, key);
  if (value == NULL || strlen(value) >= size) {
    if (value != NULL) {
      fault(&ctx->settings, "%s has more than %zu characters", key, size - 1);
    }
    value = otherwise;
  }
  memcpy(to, value, strlen(value) + 1);
}

static uint64_t read_number(pmp_ctx *ctx, const char *key, uint64_t otherwise, uint64_t least, uint64_t most) {
  const char *value = value_of(ctx, key);
  if (value == NULL) {
    return otherwise;
  }
  char *end = NULL;
  errno = 0;
  unsigned long long number = strtoull(value, &end, 10);
  if (value[0] < '0' || value[0] > '9' || *end != '\0' || errno != 0 || number < least || number > most) {
    fault(&ctx->settings, "%s = %s is no number from %llu to %llu", key, value, (unsigned long long)least,
          (unsigned long long)most);
    return otherwise;
  }
  return number;
}

/* Whether a key has the second of two words; the first is the default. */
static bool is_second(pmp_ctx *ctx, const char *key, const char *first, const char *second) {
  const char *value = value_of(ctx, key);
  bool found = value != NULL && strcmp(value, second) == 0;
  if (value != NULL && !found && strcmp(value, first) != 0) {
    fault(&ctx->settings, "%s = %s is neither %s nor %s", key, value, first, second);
  }
  return found;
}

/* How many words a text has. */
static uint64_t words(const char *text) {
  uint64_t count = 0;
  for (const char *at = text; *at != '\0'; at++) {
    count += *at != ' ' && (at == text || at[-1] == ' ');
  }
  return count;
}

void pmp_settings_read(pmp_ctx *ctx) {
  pmp_settings *to = &ctx->settings;
  read_text(ctx, "device", "sim", to->device, sizeof to->device);
  read_text(ctx, "edverify", "throughput", to->edverify, sizeof to->edverify);
  read_text(ctx, "multicurve", "fast", to->multicurve, sizeof to->multicurve);
  read_text(ctx, "statistics", "", to->statistics, sizeof to->statistics);
  to->timeout = read_number(ctx, "timeout", 5000000, 1, UINT64_MAX);
  to->fallback = is_second(ctx, "fallback", "none", "openssl");
  to->rfc6979 = is_second(ctx, "nonce", "random", "rfc6979");
  uint64_t listed = words(to->edverify) > words(to->multicurve) ? words(to->edverify) : words(to->multicurve);
  to->devices = (unsigned)read_number(ctx, "devices", listed == 0 ? 1 : listed, 1, MAX_DEVICES);
}
