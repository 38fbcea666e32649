/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_dma.c: transfers of numbers by the core `mpu` itself.
 */
#include <stdatomic.h>

#include "mpu_wait.h"
#include "pm_mpu_regs.h"

#define REG(name) ((uint32_t)offsetof(pm_mpu_regs_t, name))
#define FIELD(name, value) ((value) << PM_MPU_REGS__DMA__##name##_bp)

/* `store` is to the program's memory. */
static pm_error transfer(const pm_mpu *mpu, uint32_t store, uint32_t entry, uint32_t count, uint32_t *numbers,
                         uint32_t *reason) {
  const pm_mpu_backend *backend = mpu->backend;
  uint64_t address = 0;
  if (count == 0 || entry >= PM_MPU_ENTRIES || count > PM_MPU_ENTRIES - entry) {
    return PM_ERR_ARGUMENT;
  }
  if (backend->dma_address == NULL) {
    return PM_ERR_MODE;
  }
  pm_error error = backend->dma_address(mpu->state, numbers, (size_t)count * PM_MPU_STRIDE, &address);
  if (error == PM_OK && address % PM_MPU_STRIDE != 0) {
    error = PM_ERR_ARGUMENT;
  }
  if (error == PM_OK) {
    error = backend->write32(mpu->state, REG(DMA_ADDRESS), (uint32_t)address); /* clears the upper half */
  }
  if (error == PM_OK && address >> 32 != 0) {
    error = backend->write32(mpu->state, REG(DMA_ADDRESS_HIGH), (uint32_t)(address >> 32));
  }
  if (error == PM_OK) {
    atomic_thread_fence(memory_order_seq_cst); /* what the program wrote is in memory before the core reads */
    error = backend->write32(mpu->state, REG(DMA),
                             FIELD(ENTRY, entry) | FIELD(COUNT, count) | FIELD(STORE, store));
  }
  if (error == PM_OK) {
    error = pm_mpu_finish(mpu, false, reason); /* takes so little that sleeping would take longer */
    atomic_thread_fence(memory_order_seq_cst); /* and what the core wrote before the program reads */
  }
  return error;
}

pm_error pm_mpu_dma_load(const pm_mpu *mpu, uint32_t entry, uint32_t count, const uint32_t *numbers,
                         uint32_t *reason) {
  return transfer(mpu, 0, entry, count, (uint32_t *)numbers, reason); /* read alone */
}

pm_error pm_mpu_dma_store(const pm_mpu *mpu, uint32_t entry, uint32_t count, uint32_t *numbers,
                          uint32_t *reason) {
  return transfer(mpu, 1, entry, count, numbers, reason);
}
