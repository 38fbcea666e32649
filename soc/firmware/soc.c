/* SPDX-License-Identifier: Apache-2.0 */
#include "soc.h"

#include <stdarg.h>
#include <stddef.h>

/* Registers of pm_soc_system. */
typedef struct soc_registers {
  uint32_t uart, halt, high, phase, cycles, counts[3], errors, clock;
} soc_registers;

#define REGISTERS ((volatile soc_registers *)0x10000000)

_Noreturn void soc_halt(int status) {
  REGISTERS->halt = (uint32_t)status;
  for (;;) {
  }
}

/* The high half belongs to the low half that was read last. */
static uint64_t wide(volatile const uint32_t *low) {
  uint32_t value = *low;
  return (uint64_t)REGISTERS->high << 32 | value;
}

uint64_t soc_cycles(void) { return wide(&REGISTERS->cycles); }

void soc_enter(soc_phase phase) { REGISTERS->phase = phase; }

void soc_clear(void) {
  soc_enter(SOC_COMPUTE);
  REGISTERS->counts[0] = 0;
}

soc_split soc_read(void) {
  return (soc_split){.compute = wide(&REGISTERS->counts[SOC_COMPUTE]),
                     .bus = wide(&REGISTERS->counts[SOC_BUS]),
                     .wait = wide(&REGISTERS->counts[SOC_WAIT])};
}

uint32_t soc_errors(void) {
  uint32_t errors = REGISTERS->errors;
  if (errors != 0) {
    REGISTERS->errors = 0;
  }
  return errors;
}

void soc_clock(bool on) { REGISTERS->clock = on; }

static void put(char c) { REGISTERS->uart = (uint8_t)c; }

static void put_decimal(uint64_t value) {
  char digits[20];
  size_t n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value != 0);
  while (n > 0) {
    put(digits[--n]);
  }
}

static void put_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    put("0123456789abcdef"[value >> shift & 15]);
  }
}

void soc_print(const char *format, ...) {
  va_list list;
  va_start(list, format);
  for (const char *at = format; *at != '\0'; at++) {
    if (*at != '%') {
      put(*at);
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
          put(*text);
        }
    }
  }
  va_end(list);
}
