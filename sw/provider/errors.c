/* SPDX-License-Identifier: Apache-2.0 */
#include "errors.h"

#include <stdarg.h>

#include "context.h"

const OSSL_ITEM *pmp_reason_strings(void *ctx) {
  static char texts[][80] = {
#define PMP_TEXT(name, text) text,
      PMP_REASONS(PMP_TEXT)
#undef PMP_TEXT
  };
  static const OSSL_ITEM items[] = {
#define PMP_ITEM(name, text) {PMP_R_##name, texts[PMP_R_##name - 1]},
      PMP_REASONS(PMP_ITEM)
#undef PMP_ITEM
      {0, NULL}};
  (void)ctx;
  return items;
}

int pmp_raise_at(const pmp_ctx *ctx, const char *file, int line, const char *function, pmp_reason reason,
                 const char *format, ...) {
  if (ctx->new_error == NULL || ctx->set_error_debug == NULL || ctx->vset_error == NULL) {
    return 0;
  }
  va_list values;
  va_start(values, format);
  ctx->new_error(ctx->handle);
  ctx->set_error_debug(ctx->handle, file, line, function);
  ctx->vset_error(ctx->handle, (uint32_t)reason, format, values);
  va_end(values);
  return 0;
}
