/* SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stddef.h>

#include "soc.h"

static void put_decimal(uint64_t value) {
  char digits[20];
  size_t n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (n > 0) {
    soc_put(digits[--n]);
  }
}

static void put_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    soc_put("0123456789abcdef"[value >> shift & 15]);
  }
}

void soc_print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *at = format; *at != '\0'; at++) {
    if (*at != '%') {
      soc_put(*at);
      continue;
    }
    switch (*++at) {
      case 'u':
        put_decimal(va_arg(list, uint32_t));
        break;
      case 'U':
        put_decimal(*va_arg(list, const uint64_t *));
        break;
      case 'x':
        put_hex(va_arg(list, uint32_t));
        break;
      default:
        for (const char *text = va_arg(list, const char *); *text != '\0'; text++) {
          soc_put(*text);
        }
    }
  }
  va_end(list);
}
