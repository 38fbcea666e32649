/* SPDX-License-Identifier: Apache-2.0 */
#include "soc.h"

#include <generated/csr.h>
#include <generated/mem.h>

enum { TIMER_INTERRUPT = 0, TICK = 1 << 14 };

/* Interrupts taken (vector.S). */
volatile uint32_t soc_interrupts;

_Noreturn void soc_halt(int status) {
  soc_print("interrupts %u\n", soc_interrupts);
  while (uart_txempty_read() == 0) {
  }
  ending_status_write((uint8_t)status);
  for (;;) {
  }
}

uint64_t soc_cycles(void) {
  uint32_t high, low, again;
  do {
    __asm__ volatile("rdcycleh %0\n rdcycle %1\n rdcycleh %2" : "=r"(high), "=r"(low), "=r"(again));
  } while (high != again);
  return (uint64_t)high << 32 | low;
}

/* Phases are counted by the program: there is no hardware for it. */
static soc_phase present;
static uint64_t since, counts[3];

void soc_enter(soc_phase phase) {
  uint64_t now = soc_cycles();
  counts[present] += now - since;
  since = now;
  present = phase;
}

void soc_clear(void) {
  soc_enter(SOC_COMPUTE);
  counts[SOC_COMPUTE] = counts[SOC_BUS] = counts[SOC_WAIT] = 0;
}

soc_split soc_read(void) {
  soc_enter(present);
  return (soc_split){.compute = counts[SOC_COMPUTE], .bus = counts[SOC_BUS], .wait = counts[SOC_WAIT]};
}

void soc_clock(bool on) { (void)on; }

void soc_put(char c) {
  while (uart_txfull_read() != 0) {
  }
  uart_rxtx_write((uint8_t)c);
}

static uint32_t errors(void) { return mpu_errors_read(); }

/* Until the core's line or the timer of PicoRV32 interrupts. What is pending from before is taken when the mask opens,
 * and masks all; waitirq then waits for what is pending anew. */
static void sleep(void) {
  const uint32_t mask = ~(1u << MPU_INTERRUPT | 1u << TIMER_INTERRUPT);
  mpu_ev_enable_write(1);
  __asm__ volatile(
      ".insn r 0x0b, 6, 5, x0, %0, x0\n" /* timer */
      ".insn r 0x0b, 6, 3, x0, %1, x0\n" /* maskirq */
      ".insn r 0x0b, 4, 4, x0, x0, x0\n" /* waitirq */
      :
      : "r"(TICK), "r"(mask)
      : "memory");
}

pm_mpu_mmio soc_mpu = {.registers = (volatile uint32_t *)MPU_REGISTERS_BASE,
                       .memory = (volatile uint32_t *)MPU_OPERANDS_BASE,
                       .now = soc_cycles,
                       .errors = errors,
                       .sleep = sleep};
