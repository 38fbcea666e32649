/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_fake.h"

#include <string.h>

#include "pm_mpu_regs.h"

#define REG(name) offsetof(pm_mpu_regs_t, name)
#define FIELD(word, name) \
  (((word)&PM_MPU_REGS__COMMAND__##name##_bm) >> PM_MPU_REGS__COMMAND__##name##_bp)

/* 1 / a = a^(p-2), p a prime. */
static pm_error fermat(void *state, pm_mp *out, const pm_mp *a) {
  const pm_modulus *modulus = &((const mpu_fake *)state)->modulus;
  pm_mp power = modulus->one, exponent = modulus->p, base = *a;
  exponent.word[0] -= 2; /* no borrow: the tests' primes end in more than 2 */
  for (size_t i = pm_mp_bits(&exponent); i-- > 0;) {
    pm_mp_mont_mul(modulus, &power, &power, &power);
    if (pm_mp_bit(&exponent, i) != 0) {
      pm_mp_mont_mul(modulus, &power, &power, &base);
    }
  }
  *out = power;
  return PM_OK;
}

static pm_error product(void *state, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  pm_mp_mont_mul(&((const mpu_fake *)state)->modulus, out, a, b);
  return PM_OK;
}

static pm_affine point(const mpu_fake *fake, uint32_t buffer) {
  return (pm_affine){.x = fake->entry[2 * buffer],
                     .y = fake->entry[2 * buffer + 1],
                     .infinity = (fake->infinity >> buffer & 1) != 0};
}

static void store(mpu_fake *fake, uint32_t buffer, const pm_affine *p) {
  fake->entry[2 * buffer] = p->x;
  fake->entry[2 * buffer + 1] = p->y;
  fake->infinity = (fake->infinity & ~(1u << buffer)) | (uint32_t)p->infinity << buffer;
}

/* The reason of the operation in COMMAND. */
static uint32_t operate(mpu_fake *fake) {
  uint32_t src1 = FIELD(fake->command, SRC1), src2 = FIELD(fake->command, SRC2);
  uint32_t dst1 = FIELD(fake->command, DST1), dst2 = FIELD(fake->command, DST2);
  pm_affine p, q;
  if (fake->refuses) {
    return PM_MPU_REASON_ILLEGAL_COMMAND;
  }
  switch (FIELD(fake->command, OP)) {
    case PM_MPU_OP_LOAD_CURVE:
      if (!pm_modulus_init(&fake->modulus, &fake->entry[PM_MPU_ENTRY_P])) {
        return PM_MPU_REASON_MODULUS_NOT_ODD;
      }
      fake->curve = (pm_affine_curve){
          .modulus = &fake->modulus, .field = {.mul = product, .invert = fermat, .state = fake}};
      pm_mp_enter(&fake->modulus, &fake->curve.a, &fake->entry[PM_MPU_ENTRY_A]);
      return PM_MPU_REASON_OK;
    case PM_MPU_OP_MONT_MUL:
      if (FIELD(fake->command, SECRET) != 0) {
        return PM_MPU_REASON_SECRET_REFUSED;
      }
      pm_mp_mont_mul(&fake->modulus, &fake->entry[dst1], &fake->entry[src1], &fake->entry[src2]);
      return PM_MPU_REASON_OK;
    case PM_MPU_OP_AFFINE_ADD:
      p = point(fake, src1);
      q = point(fake, src2);
      (void)pm_affine_add(&fake->curve, &p, &p, &q);
      store(fake, dst1, &p);
      return PM_MPU_REASON_OK;
    case PM_MPU_OP_AFFINE_DQ:
      p = point(fake, src1);
      (void)pm_affine_dq(&fake->curve, &p, &q, &p);
      store(fake, dst1, &p);
      store(fake, dst2, &q);
      return PM_MPU_REASON_OK;
    default:
      return PM_MPU_REASON_ILLEGAL_COMMAND;
  }
}

/* The reason of the transfer in DMA. */
static uint32_t transfer(mpu_fake *fake) {
  uint32_t entry = fake->dma & 15, count = fake->dma >> 8 & 31;
  size_t bytes = PM_MPU_BITS / 8;
  if (((uint64_t)fake->dma_high << 32 | fake->dma_low) != fake->bus_address ||
      fake->shared_bytes != count * PM_MPU_STRIDE || fake->refuses_transfers) {
    return PM_MPU_REASON_BUS_ERROR;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *number = fake->shared + i * PM_MPU_STRIDE / 4;
    if ((fake->dma >> 16 & 1) != 0) {
      memcpy(number, fake->entry[entry + i].word, bytes);
    } else {
      memcpy(fake->entry[entry + i].word, number, bytes);
    }
  }
  return PM_MPU_REASON_OK;
}

void mpu_fake_init(mpu_fake *fake) {
  memset(fake, 0, sizeof *fake);
  fake->name = PM_MPU_REGS__NAME__VALUE_reset;
  fake->work = 25;
  fake->reset_work = 25;
  fake->bus_address = 0x765432100080;
}

static bool refused(mpu_fake *fake) { return ++fake->accesses == fake->refuse; }

static void pass(mpu_fake *fake, uint64_t cycles) {
  if (fake->left == 0) {
    return;
  }
  fake->left = fake->left == UINT64_MAX || cycles < fake->left ? fake->left - cycles : 0;
  if (fake->left != 0) {
    return;
  }
  if (fake->resetting) {
    memset(fake->entry, 0, sizeof fake->entry);
    fake->irq_status |= PM_MPU_REGS__IRQ_STATUS__RESET_DONE_bm;
    fake->status = PM_MPU_REASON_ABORTED << PM_MPU_REGS__STATUS__REASON_bp;
  } else {
    fake->irq_status |= PM_MPU_REGS__IRQ_STATUS__DONE_bm;
    uint32_t reason = fake->transferring ? transfer(fake) : operate(fake);
    fake->status = PM_MPU_REGS__STATUS__DONE_bm | reason << PM_MPU_REGS__STATUS__REASON_bp;
  }
}

static void begin(mpu_fake *fake, uint64_t work, bool resetting) {
  fake->left = work;
  fake->resetting = resetting;
  fake->status = PM_MPU_REGS__STATUS__BUSY_bm;
}

static pm_error fake_read32(void *state, uint32_t address, uint32_t *value) {
  mpu_fake *fake = state;
  if (refused(fake)) {
    return PM_ERR_BUS;
  }
  switch (address) {
    case REG(NAME):
      *value = fake->name;
      return PM_OK;
    case REG(STATUS):
      *value = fake->status;
      return PM_OK;
    case REG(INFINITY):
      *value = fake->infinity;
      return PM_OK;
    case REG(CYCLES):
      *value = 77;
      return PM_OK;
    default:
      return PM_ERR_BUS;
  }
}

static pm_error fake_write32(void *state, uint32_t address, uint32_t value) {
  mpu_fake *fake = state;
  if (refused(fake)) {
    return PM_ERR_BUS;
  }
  switch (address) {
    case REG(CTRL):
      fake->resets++;
      begin(fake, fake->reset_work, true);
      return PM_OK;
    case REG(COMMAND):
      fake->commands++;
      fake->command = value;
      fake->transferring = false;
      begin(fake, fake->work, false);
      return PM_OK;
    case REG(DMA_ADDRESS):
      fake->dma_low = value;
      fake->dma_high = 0;
      return PM_OK;
    case REG(DMA_ADDRESS_HIGH):
      fake->dma_high = value;
      return PM_OK;
    case REG(DMA):
      fake->transfers++;
      fake->dma = value;
      fake->transferring = true;
      begin(fake, fake->work, false);
      return PM_OK;
    case REG(INFINITY):
      fake->infinity = value;
      return PM_OK;
    case REG(SCALAR):
      fake->scalar_bits = value;
      return PM_OK;
    case REG(IRQ_ENABLE):
      fake->irq_enable = value;
      return PM_OK;
    case REG(IRQ_STATUS):
      fake->irq_status &= ~value;
      return PM_OK;
    default:
      return PM_ERR_BUS;
  }
}

static pm_error fake_copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  mpu_fake *fake = state;
  if (refused(fake) || fake->left != 0 || address % PM_MPU_STRIDE != 0) {
    return PM_ERR_BUS;
  }
  fake->words_in += count;
  memcpy(fake->entry[address / PM_MPU_STRIDE].word, words, count * sizeof *words);
  return PM_OK;
}

static pm_error fake_copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  mpu_fake *fake = state;
  if (refused(fake) || fake->left != 0 || address % PM_MPU_STRIDE != 0) {
    return PM_ERR_BUS;
  }
  fake->words_out += count;
  memcpy(words, fake->entry[address / PM_MPU_STRIDE].word, count * sizeof *words);
  return PM_OK;
}

static pm_error fake_wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  mpu_fake *fake = state;
  fake->waits++;
  fake->interrupt_waits += interrupt;
  bool line = (fake->irq_enable & fake->irq_status) != 0;
  *spent = interrupt && line ? 1 : cycles;
  pass(fake, *spent);
  return PM_OK;
}

static pm_error fake_dma_address(void *state, void *memory, size_t bytes, uint64_t *address) {
  mpu_fake *fake = state;
  fake->shared = memory;
  fake->shared_bytes = bytes;
  *address = fake->bus_address;
  return fake->address_error;
}

const pm_mpu_backend mpu_fake_backend = {.read32 = fake_read32,
                                         .write32 = fake_write32,
                                         .copy_in = fake_copy_in,
                                         .copy_out = fake_copy_out,
                                         .wait = fake_wait,
                                         .dma_address = fake_dma_address};

const pm_mpu_backend mpu_fake_backend_alone = {.read32 = fake_read32,
                                               .write32 = fake_write32,
                                               .copy_in = fake_copy_in,
                                               .copy_out = fake_copy_out,
                                               .wait = fake_wait};
