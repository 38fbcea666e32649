/* SPDX-License-Identifier: Apache-2.0
 *
 * soc.h: what a simulated system offers to its program: that of soc/rtl (soc.c), that of LiteX (soc/litex/soc.c).
 */
#ifndef SOC_H
#define SOC_H

#include <stdbool.h>
#include <stdint.h>

#include "pm_mpu_mmio.h"

/* Where the host puts what the program is to work on; the address is a word of the command line. */
#define soc_input ((const uint32_t *)SOC_INPUT)

/* The core. */
extern pm_mpu_mmio soc_mpu;

/* What the program does; its cycles are counted by phase. */
typedef enum soc_phase { SOC_COMPUTE = 0, SOC_BUS = 1, SOC_WAIT = 2 } soc_phase;

/* Cycles by phase since soc_clear(). */
typedef struct soc_split {
  uint64_t compute, bus, wait;
} soc_split;

/* Ends the simulation; 0 is success. */
_Noreturn void soc_halt(int status);

/* Cycles since reset. */
uint64_t soc_cycles(void);

/* Enters a phase. */
void soc_enter(soc_phase phase);

/* Phase compute, all counts 0. */
void soc_clear(void);

/* The counts. */
soc_split soc_read(void);

/* Starts or stops the clock of the core, if that can be. */
void soc_clock(bool on);

/* Prints a character. */
void soc_put(char c);

/* Prints text, "%u" (uint32_t), "%U" (uint64_t, by pointer), "%s" and "%x" (uint32_t, 8 digits). */
void soc_print(const char *format, ...);

#endif /* SOC_H */
