/* SPDX-License-Identifier: Apache-2.0 */
#include "pm_mpu.h"

#include "mpu_wait.h"
#include "pm_mpu_regs.h"

#define REG(name) ((uint32_t)offsetof(pm_mpu_regs_t, name))
#define FIELD(name, value) ((value) << PM_MPU_REGS__COMMAND__##name##_bp)

enum {
  OP_END = 256,
  PLACE_END = 16,          /* of entries and buffers */
  RESET_CYCLES = 1000,     /* to clear the operand memory */
  WAIT_CYCLES = 1000       /* between two looks at STATUS */
};

static pm_error read32(const pm_mpu *mpu, uint32_t address, uint32_t *value) {
  return mpu->backend->read32(mpu->state, address, value);
}

static pm_error write32(const pm_mpu *mpu, uint32_t address, uint32_t value) {
  return mpu->backend->write32(mpu->state, address, value);
}

/* Waits until the core is idle; *status is then the content of STATUS. */
static pm_error wait_idle(const pm_mpu *mpu, bool interrupt, uint64_t limit, uint32_t *status) {
  uint64_t passed = 0;
  for (;;) {
    uint64_t spent = 0;
    pm_error error = PM_OK;
    if (interrupt) {
      error = mpu->backend->wait(mpu->state, true, WAIT_CYCLES, &spent);
    }
    if (error == PM_OK) {
      error = read32(mpu, REG(STATUS), status);
    }
    if (error != PM_OK || (*status & PM_MPU_REGS__STATUS__BUSY_bm) == 0) {
      return error;
    }
    if (!interrupt) {
      error = mpu->backend->wait(mpu->state, false, 1, &spent);
    }
    passed += spent;
    if (error == PM_OK && passed > limit) {
      error = PM_ERR_TIMEOUT;
    }
    if (error != PM_OK) {
      return error;
    }
  }
}

pm_error pm_mpu_reset(const pm_mpu *mpu) {
  uint32_t status = 0;
  pm_error error = write32(mpu, REG(IRQ_STATUS), PM_MPU_REGS__IRQ_STATUS__RESET_DONE_bm);
  if (error == PM_OK) {
    error = write32(mpu, REG(CTRL), PM_MPU_REGS__CTRL__SOFT_RESET_bm);
  }
  return error != PM_OK ? error : wait_idle(mpu, mpu->interrupt, RESET_CYCLES, &status);
}

pm_error pm_mpu_finish(const pm_mpu *mpu, bool interrupt, uint32_t *reason) {
  uint32_t status = 0;
  pm_error error = wait_idle(mpu, interrupt, mpu->timeout, &status);
  if (error == PM_ERR_TIMEOUT) {
    (void)pm_mpu_reset(mpu); /* the time-out is what counts */
  }
  *reason = (status & PM_MPU_REGS__STATUS__REASON_bm) >> PM_MPU_REGS__STATUS__REASON_bp;
  return error;
}

pm_error pm_mpu_open(pm_mpu *mpu, const pm_mpu_backend *backend, void *state, uint64_t timeout,
                     bool interrupt) {
  if (mpu == NULL || backend == NULL || timeout == 0) {
    return PM_ERR_ARGUMENT;
  }
  *mpu = (pm_mpu){
      .backend = backend, .state = state, .timeout = timeout, .interrupt = interrupt};
  uint32_t name = 0;
  pm_error error = read32(mpu, REG(NAME), &name);
  if (error == PM_OK && name != PM_MPU_REGS__NAME__VALUE_reset) {
    error = PM_ERR_DEVICE;
  }
  if (error == PM_OK) {
    error = write32(mpu, REG(IRQ_ENABLE),
                    interrupt ? PM_MPU_REGS__IRQ_ENABLE__DONE_bm | PM_MPU_REGS__IRQ_ENABLE__RESET_DONE_bm
                              : 0);
  }
  return error != PM_OK ? error : pm_mpu_reset(mpu);
}

pm_error pm_mpu_put(const pm_mpu *mpu, uint32_t entry, const uint32_t *words) {
  if (entry >= PM_MPU_ENTRIES) {
    return PM_ERR_ARGUMENT;
  }
  return mpu->backend->copy_in(mpu->state, entry * PM_MPU_STRIDE, words, PM_MPU_WORDS);
}

pm_error pm_mpu_get(const pm_mpu *mpu, uint32_t entry, uint32_t *words) {
  if (entry >= PM_MPU_ENTRIES) {
    return PM_ERR_ARGUMENT;
  }
  return mpu->backend->copy_out(mpu->state, entry * PM_MPU_STRIDE, words, PM_MPU_WORDS);
}

pm_error pm_mpu_put_infinity(const pm_mpu *mpu, uint32_t flags) {
  return write32(mpu, REG(INFINITY), flags);
}

pm_error pm_mpu_get_infinity(const pm_mpu *mpu, uint32_t *flags) {
  return read32(mpu, REG(INFINITY), flags);
}

pm_error pm_mpu_put_scalar_bits(const pm_mpu *mpu, uint32_t bits) {
  return write32(mpu, REG(SCALAR), bits);
}

pm_error pm_mpu_cycles(const pm_mpu *mpu, uint32_t *cycles) {
  return read32(mpu, REG(CYCLES), cycles);
}

pm_error pm_mpu_run(const pm_mpu *mpu, const pm_mpu_command *command, uint32_t *reason) {
  const pm_mpu_command c = *command;
  if (c.op >= OP_END || (c.src1 | c.src2 | c.dst1 | c.dst2) >= PLACE_END) {
    return PM_ERR_ARGUMENT;
  }
  uint32_t word = FIELD(OP, c.op) | FIELD(SRC1, c.src1) | FIELD(SRC2, c.src2) |
                  FIELD(DST1, c.dst1) | FIELD(DST2, c.dst2) | FIELD(SECRET, (uint32_t)c.secret);
  pm_error error = PM_OK;
  if (mpu->interrupt) {
    error = write32(mpu, REG(IRQ_STATUS),
                    PM_MPU_REGS__IRQ_STATUS__DONE_bm | PM_MPU_REGS__IRQ_STATUS__RESET_DONE_bm);
  }
  if (error == PM_OK) {
    error = write32(mpu, REG(COMMAND), word);
  }
  return error != PM_OK ? error : pm_mpu_finish(mpu, mpu->interrupt, reason);
}
