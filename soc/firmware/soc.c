/* SPDX-License-Identifier: Apache-2.0 */
#include "soc.h"

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

void soc_clock(bool on) { REGISTERS->clock = on; }

void soc_put(char c) { REGISTERS->uart = (uint8_t)c; }

/* Accesses answered with an error since the last call. */
static uint32_t errors(void) {
  uint32_t count = REGISTERS->errors;
  if (count != 0) {
    REGISTERS->errors = 0;
  }
  return count;
}

/* Until an interrupt is pending: the core's line, or the tick of the system. All are masked, so none is taken.
 * waitirq is an instruction of PicoRV32. */
static void sleep(void) {
  uint32_t pending;
  __asm__ volatile(".insn r 0x0b, 0, 4, %0, x0, x0" : "=r"(pending));
  (void)pending;
}

pm_mpu_mmio soc_mpu = {.registers = (volatile uint32_t *)0x20000000,
                       .memory = (volatile uint32_t *)0x30000000,
                       .now = soc_cycles,
                       .errors = errors,
                       .sleep = sleep};
