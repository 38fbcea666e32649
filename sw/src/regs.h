/* SPDX-License-Identifier: Apache-2.0
 *
 * regs.h: the registers that the driver itself uses, by the names of the generated register header. Those of
 * the core `x25519` are at the same addresses; it has no MULS and no SEED.
 */
#ifndef PM_REGS_H
#define PM_REGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm_edverify_regs.h"
#include "pm_x25519_regs.h"

#define PM_REG(name) offsetof(pm_edverify_regs_t, name)

/* A field of the content of CONFIG. */
#define PM_CONFIG_FIELD(word, field) \
  (((word)&PM_EDVERIFY_REGS__CONFIG__##field##_bm) >> PM_EDVERIFY_REGS__CONFIG__##field##_bp)

enum {
  PM_REG_NAME = PM_REG(NAME),
  PM_REG_VERSION = PM_REG(VERSION),
  PM_REG_CONFIG = PM_REG(CONFIG),
  PM_REG_CTRL = PM_REG(CTRL),
  PM_REG_STATUS = PM_REG(STATUS),
  PM_REG_IRQ_ENABLE = PM_REG(IRQ_ENABLE),
  PM_REG_IRQ_STATUS = PM_REG(IRQ_STATUS),
  PM_REG_COUNT_CLEAR = PM_REG(COUNT_CLEAR),
  PM_REG_JOBS = PM_REG(JOBS),
  PM_REG_VALID = PM_REG(VALID),
  PM_REG_ERRORS = PM_REG(ERRORS),
  PM_REG_CYCLES = PM_REG(CYCLES_LO), /* the high half follows each of these */
  PM_REG_BUSY = PM_REG(BUSY_LO),
  PM_REG_MULS = PM_REG(MULS_LO),
  PM_REG_SEED = PM_REG(SEED0), /* and the seven behind it */
  PM_SEED_WORDS = 8,
  PM_REG_WINDOW = 0xfc, /* last address that fits the port */
  PM_CTRL_SOFT_RESET = PM_EDVERIFY_REGS__CTRL__SOFT_RESET_bm,
  PM_COUNT_CLEAR_ALL = PM_EDVERIFY_REGS__COUNT_CLEAR__CLEAR_bm,
  PM_STATUS_BUSY = PM_EDVERIFY_REGS__STATUS__BUSY_bm,
  PM_NAME_EDVERIFY = PM_EDVERIFY_REGS__NAME__VALUE_reset,
  PM_NAME_X25519 = PM_X25519_REGS__NAME__VALUE_reset
};

/* Whether a set of registers, bit i for the one at address 4 i, has one at `address`. */
static inline bool pm_reg_in(uint64_t set, uint32_t address) {
  return address % 4 == 0 && address <= PM_REG_WINDOW && (set >> address / 4 & 1) != 0;
}

#endif /* PM_REGS_H */
