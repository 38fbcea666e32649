/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"

#include "pm_mpu_regs.h"

enum { TIMEOUT = 10000000 };

static pm_error core_read32(void *state, uint32_t address, uint32_t *value) {
  soc_enter(address == offsetof(pm_mpu_regs_t, STATUS) ? SOC_WAIT : SOC_BUS);
  pm_error error = pm_mpu_mmio_backend.read32(state, address, value);
  soc_enter(SOC_COMPUTE);
  return error;
}

static pm_error core_write32(void *state, uint32_t address, uint32_t value) {
  soc_enter(SOC_BUS);
  pm_error error = pm_mpu_mmio_backend.write32(state, address, value);
  soc_enter(SOC_COMPUTE);
  return error;
}

static pm_error core_copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  soc_enter(SOC_BUS);
  pm_error error = pm_mpu_mmio_backend.copy_in(state, address, words, count);
  soc_enter(SOC_COMPUTE);
  return error;
}

static pm_error core_copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  soc_enter(SOC_BUS);
  pm_error error = pm_mpu_mmio_backend.copy_out(state, address, words, count);
  soc_enter(SOC_COMPUTE);
  return error;
}

static pm_error core_wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  soc_enter(SOC_WAIT);
  pm_error error = pm_mpu_mmio_backend.wait(state, interrupt, cycles, spent);
  soc_enter(SOC_COMPUTE);
  return error;
}

const pm_mpu_backend core_backend = {.read32 = core_read32,
                                     .write32 = core_write32,
                                     .copy_in = core_copy_in,
                                     .copy_out = core_copy_out,
                                     .wait = core_wait};

void core_print(const pm_mp *number) {
  soc_print(" ");
  for (size_t i = PM_MP_WORDS; i-- > 0;) {
    soc_print("%x", number->word[i]);
  }
}

void core_check(bool right, const char *what) {
  if (!right) {
    soc_print("failed: %s\n", what);
    soc_halt(1);
  }
}

pm_modulus core_modulus;

void core_prepare(void) {
  soc_clock(false);
  core_check(pm_modulus_init(&core_modulus, &CORE_INPUT->p), "modulus");
  soc_clock(true);
}

void core_run(const pm_mpu *mpu, pm_mpu_command command, uint32_t reason) {
  uint32_t found = 0;
  core_check(pm_mpu_run(mpu, &command, &found) == PM_OK, "operation");
  if (found != reason) {
    soc_print("operation %u: reason %u ", command.op, found);
    core_check(false, "reason");
  }
}

void core_open(pm_mpu *mpu, bool interrupt) { core_open_by(mpu, &core_backend, interrupt); }

void core_open_by(pm_mpu *mpu, const pm_mpu_backend *backend, bool interrupt) {
  const core_input *in = CORE_INPUT;
  core_check(pm_mpu_open(mpu, backend, &soc_mpu, TIMEOUT, interrupt) == PM_OK, "opening");
  core_check(pm_mpu_put(mpu, PM_MPU_ENTRY_P, in->p.word) == PM_OK, "p");
  core_check(pm_mpu_put(mpu, PM_MPU_ENTRY_A, in->a.word) == PM_OK, "a");
  core_check(pm_mpu_put(mpu, PM_MPU_ENTRY_B, in->b.word) == PM_OK, "b");
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_LOAD_CURVE}, PM_MPU_REASON_OK);
}
