/* SPDX-License-Identifier: Apache-2.0
 *
 * vector.S: address 0 on the system of LiteX: to the start that all systems share, and what an interrupt does.
 * The instructions of PicoRV32 for interrupts are those with opcode 0x0b.
 */
  .section .vector, "ax"
  j _start
  .org 0x10
  /* An interrupt: is counted, and masks all. */
  .insn r 0x0b, 2, 1, x2, t0, x0 /* setq q2, t0 */
  .insn r 0x0b, 2, 1, x3, t1, x0 /* setq q3, t1 */
  la t0, soc_interrupts
  lw t1, 0(t0)
  addi t1, t1, 1
  sw t1, 0(t0)
  li t0, -1
  .insn r 0x0b, 6, 3, x0, t0, x0 /* maskirq zero, t0 */
  .insn r 0x0b, 4, 0, t0, x2, x0 /* getq t0, q2 */
  .insn r 0x0b, 4, 0, t1, x3, x0 /* getq t1, q3 */
  .insn r 0x0b, 0, 2, x0, x0, x0 /* retirq */
