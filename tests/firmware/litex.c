/* SPDX-License-Identifier: Apache-2.0
 *
 * litex.c: what the system of LiteX does with rejected accesses and with the end of a program, printed.
 */
#include "pm_mpu_regs.h"
#include "soc.h"

int main(void) {
  soc_print("hello %x\n", soc_input[0]);
  uint64_t before = soc_cycles();
  soc_print("name %x errors %u\n", soc_mpu.registers[0], soc_mpu.errors());
  soc_mpu.registers[0] = 1; /* NAME cannot be written */
  soc_print("register %x ", soc_mpu.registers[63]);
  soc_print("lane %x ", soc_mpu.memory[30]);
  soc_print("errors %u ", soc_mpu.errors());
  soc_print("then %u\n", soc_mpu.errors());
  soc_mpu.memory[5] = 0x01234567;
  ((volatile uint8_t *)soc_mpu.memory)[22] = 0xab;
  soc_print("operand %x %s\n", soc_mpu.memory[5], soc_cycles() > before ? "later" : "never");
  if (soc_input[0] == 0xffffffff) {
    __asm__ volatile("ebreak");
  }
  return (int)soc_input[1];
}
