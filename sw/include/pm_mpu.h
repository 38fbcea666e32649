/* SPDX-License-Identifier: Apache-2.0
 *
 * pm_mpu.h: driver of the core `mpu`: 704-bit operands in a memory, operations on them and on points.
 *
 * One source for every way to reach the core: a table of functions says how words are moved and how to wait (bare
 * metal: pm_mpu_mmio.h; Linux UIO: pm_mpu_uio.h). No memory is allocated and nothing is global; one
 * pm_mpu is used by one thread at a time. Operations, entries, buffers and reasons: pm_mpu_ops.h, from
 * hw/mpu/core.yaml. Errors are those of pointmill.h.
 */
#ifndef PM_MPU_H
#define PM_MPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm_mpu_ops.h"
#include "pointmill.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum {
  PM_MPU_WORDS = PM_MPU_BITS / 32,       /* of a number, lowest first */
  PM_MPU_DMA_WORDS = PM_MPU_STRIDE / 4   /* from one number of a transfer to the next, in the program's memory */
};

/* [declarations] */

/* How a core is reached. Addresses are bytes from the beginning of the registers or of the operand memory. Every
 * function gets the state given to pm_mpu_open(). BUS: the core refused an access. */
typedef struct pm_mpu_backend {
  pm_error (*read32)(void *state, uint32_t address, uint32_t *value);
  pm_error (*write32)(void *state, uint32_t address, uint32_t value);
  /* `count` words to and from the operand memory. */
  pm_error (*copy_in)(void *state, uint32_t address, const uint32_t *words, size_t count);
  pm_error (*copy_out)(void *state, uint32_t address, uint32_t *words, size_t count);
  /* Lets time pass, at most about `cycles` clock cycles of the core; with `interrupt` less if its line is high or
   * rises. *spent is what passed, at least 1. */
  pm_error (*wait)(void *state, bool interrupt, uint64_t cycles, uint64_t *spent);
  /* The address under which the core finds these bytes of the program's memory on its bus, and may keep until the next
   * call. Null: such addresses are not known here. */
  pm_error (*dma_address)(void *state, void *memory, size_t bytes, uint64_t *address);
} pm_mpu_backend;

/* One opened core. The members are the driver's. */
typedef struct pm_mpu {
  const pm_mpu_backend *backend;
  void *state;
  uint64_t timeout;
  bool interrupt;
} pm_mpu;

/* One operation: entries, or buffers of points; what an operation does not use is 0. */
typedef struct pm_mpu_command {
  uint32_t op; /* enum pm_mpu_op */
  uint32_t src1, src2, dst1, dst2;
  bool secret; /* operands are secret: refused where the time would depend on them */
} pm_mpu_command;

/* Takes a core and resets it. `timeout`: most clock cycles of an operation. `interrupt`: waits for the interrupt line
 * instead of asking again and again. DEVICE: what answers there is no `mpu`. */
pm_error pm_mpu_open(pm_mpu *mpu, const pm_mpu_backend *backend, void *state, uint64_t timeout,
                     bool interrupt);

/* Writes and reads a number of the operand memory. ARGUMENT: no such entry. */
pm_error pm_mpu_put(const pm_mpu *mpu, uint32_t entry, const uint32_t *words);
pm_error pm_mpu_get(const pm_mpu *mpu, uint32_t entry, uint32_t *words);

/* Which buffers hold the point at infinity, one bit each. */
pm_error pm_mpu_put_infinity(const pm_mpu *mpu, uint32_t flags);
pm_error pm_mpu_get_infinity(const pm_mpu *mpu, uint32_t *flags);

/* Bits that scalars may have, which is public: ecmul takes as many steps. 0: as many as the curve's order can have. */
pm_error pm_mpu_put_scalar_bits(const pm_mpu *mpu, uint32_t bits);

/* Does one operation and waits for its end; *reason is an enum pm_mpu_reason. ARGUMENT: a member does not fit its
 * field. TIMEOUT: it did not end in time, and the core was reset. */
pm_error pm_mpu_run(const pm_mpu *mpu, const pm_mpu_command *command, uint32_t *reason);

/* Transfers `count` numbers between entries from `entry` on and the program's memory by the core itself, without the
 * processor, and waits for the end; *reason is an enum pm_mpu_reason: BUS_ERROR, the bus refused; ILLEGAL_COMMAND, the
 * core was built without it, or the address has too many bits for it. Number i begins at numbers[PM_MPU_DMA_WORDS * i],
 * which is at a multiple of PM_MPU_STRIDE on the bus; the words behind its PM_MPU_WORDS are neither used nor written.
 * The memory must be one that no cache hides. ARGUMENT: no such entries, or another address. MODE: the back-end knows
 * no addresses of the bus. TIMEOUT as for pm_mpu_run(); if the bus itself does not answer the core stays busy. */
pm_error pm_mpu_dma_load(const pm_mpu *mpu, uint32_t entry, uint32_t count, const uint32_t *numbers,
                         uint32_t *reason);
pm_error pm_mpu_dma_store(const pm_mpu *mpu, uint32_t entry, uint32_t count, uint32_t *numbers,
                          uint32_t *reason);

/* Clock cycles of the latest operation or transfer. */
pm_error pm_mpu_cycles(const pm_mpu *mpu, uint32_t *cycles);

/* Abandons what is under way and clears the core. TIMEOUT: it stays busy. */
pm_error pm_mpu_reset(const pm_mpu *mpu);

/* [end of declarations] */

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif /* PM_MPU_H */
