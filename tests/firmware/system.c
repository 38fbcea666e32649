/* SPDX-License-Identifier: Apache-2.0
 *
 * system.c: what the registers of the simulated system do, printed.
 */
#include <string.h>

#include "soc.h"

static uint32_t zeroed[4];
static uint32_t filled[4] = {1, 2, 3, 4};

static void phases(void) {
  soc_clear();
  for (soc_phase phase = SOC_COMPUTE; phase <= SOC_WAIT; phase++) {
    soc_enter(phase);
    uint64_t until = soc_cycles() + 1000 * ((uint64_t)phase + 1);
    while (soc_cycles() < until) {
    }
  }
  soc_enter((soc_phase)3);
  soc_split split = soc_read();
  soc_split again = soc_read();
  soc_print("phases %U %U %U ", &split.compute, &split.bus, &split.wait);
  soc_print("%s\n", memcmp(&split, &again, sizeof split) == 0 ? "still" : "running");
}

int main(void) {
  soc_print("hello %s %x %u\n", "world", 0x1234abcdu, 4294967295u);
  soc_print("zeroed %u filled %u\n", zeroed[0] | zeroed[3], filled[3]);
  filled[3] = zeroed[1] + 5;
  soc_print("input %x %x\n", soc_input[0], soc_input[1]);
  phases();
  soc_print("nothing there %x ", *(volatile uint32_t *)0x40000000);
  soc_print("%x ", *(volatile uint32_t *)0x10000050); /* behind the registers, whose lowest bits are those of CYCLES */
  *(volatile uint32_t *)0x00180000 = 5; /* behind the RAM, whose lowest bits are those of the input */
  soc_print("errors %u ", soc_mpu.errors());
  soc_print("then %u\n", soc_mpu.errors());
  soc_print("input %x\n", soc_input[0]);
  if (soc_input[0] == 0xffffffff) {
    __asm__ volatile("ebreak");
  }
  return (int)soc_input[2];
}
