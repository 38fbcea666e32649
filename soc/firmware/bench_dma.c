/* SPDX-License-Identifier: Apache-2.0
 *
 * bench_dma.c: the ways to multiply whose operands the core fetches itself.
 */
#include <string.h>

#include "core.h"
#include "pm_mpu_regs.h"

/* core_backend, but until the end of a transfer is known everything counts as phase bus. */
static bool transferring;

static pm_error dma_read32(void *state, uint32_t address, uint32_t *value) {
  soc_enter(!transferring && address == offsetof(pm_mpu_regs_t, STATUS) ? SOC_WAIT : SOC_BUS);
  pm_error error = pm_mpu_mmio_backend.read32(state, address, value);
  soc_enter(SOC_COMPUTE);
  return error;
}

static pm_error dma_write32(void *state, uint32_t address, uint32_t value) {
  if (address == offsetof(pm_mpu_regs_t, DMA)) {
    transferring = true;
  } else if (address == offsetof(pm_mpu_regs_t, COMMAND)) {
    transferring = false;
  }
  return core_backend.write32(state, address, value);
}

static pm_error dma_wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  soc_enter(transferring ? SOC_BUS : SOC_WAIT);
  pm_error error = pm_mpu_mmio_backend.wait(state, interrupt, cycles, spent);
  soc_enter(SOC_COMPUTE);
  return error;
}

const pm_mpu_backend *core_dma_backend(void) {
  static pm_mpu_backend backend;
  backend = core_backend;
  backend.read32 = dma_read32;
  backend.write32 = dma_write32;
  backend.wait = dma_wait;
  backend.dma_address = pm_mpu_mmio_backend.dma_address;
  return &backend;
}

/* x, y, two numbers that do not count, and k, as the core fetches them for the entries from x of R[0] on. */
enum { X, Y, K = PM_MPU_ENTRY_K - 2 * PM_MPU_BUFFER_R0, SHARED };
static _Alignas(PM_MPU_STRIDE) uint32_t shared[SHARED][PM_MPU_DMA_WORDS];

/* By one operation on buffer R[0], which the core fills and empties itself. */
static pm_error resident(const pm_mpu *mpu, uint32_t op, uint32_t *flags) {
  const uint32_t first = 2 * PM_MPU_BUFFER_R0;
  uint32_t reason = PM_MPU_REASON_OK;
  pm_error error = pm_mpu_dma_load(mpu, first, SHARED, shared[X], &reason);
  if (error == PM_OK && reason == PM_MPU_REASON_OK) {
    error = pm_mpu_put_scalar_bits(mpu, CORE_INPUT->length - 1);
  }
  if (error == PM_OK && reason == PM_MPU_REASON_OK) {
    error = pm_mpu_run(
        mpu,
        &(pm_mpu_command){.op = op, .src1 = PM_MPU_BUFFER_R0, .dst1 = PM_MPU_BUFFER_R0}, &reason);
  }
  if (error == PM_OK && reason == PM_MPU_REASON_OK) {
    error = pm_mpu_get_infinity(mpu, flags);
  }
  if (error == PM_OK && reason == PM_MPU_REASON_OK) {
    error = pm_mpu_dma_store(mpu, first, Y + 1, shared[X], &reason);
  }
  return error == PM_OK && reason != PM_MPU_REASON_OK ? PM_ERR_PROTOCOL : error;
}

void bench_dma(core_method method) {
  const core_input *in = CORE_INPUT;
  pm_mpu mpu;
  pm_mp x, y;
  uint32_t flags = 0;
  const char *name = method == METHOD_JOYE_DMA ? "joye_dma" : "ladder_dma";
  core_open_by(&mpu, core_dma_backend(), true);
  memcpy(shared[X], in->x.word, sizeof in->x);
  memcpy(shared[Y], in->y.word, sizeof in->y);
  memcpy(shared[K], in->k.word, sizeof in->k);
  soc_clear();
  pm_error error =
      resident(&mpu, method == METHOD_JOYE_DMA ? PM_MPU_OP_ECMUL_JOYE : PM_MPU_OP_ECMUL, &flags);
  soc_split split = soc_read();
  core_check(error == PM_OK, name);
  memcpy(x.word, shared[X], sizeof x);
  memcpy(y.word, shared[Y], sizeof y);
  soc_print("method %s compute %U bus %U wait %U", name, &split.compute, &split.bus, &split.wait);
  soc_print(" infinity %u", flags >> PM_MPU_BUFFER_R0 & 1);
  core_print(&x);
  core_print(&y);
  soc_print("\n");
}
