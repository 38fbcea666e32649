/* SPDX-License-Identifier: Apache-2.0
 *
 * start.S: first instructions: stack, cleared variables, main; its result ends the simulation.
 */
  .section .start, "ax"
  .globl _start
_start:
  la sp, stack_top
  la a0, bss_start
  la a1, bss_end
1:
  bgeu a0, a1, 2f
  sw zero, 0(a0)
  addi a0, a0, 4
  j 1b
2:
  call main
  call soc_halt
