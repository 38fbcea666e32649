/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "affine.h"
#include "core.h"
#include "pm_mpu_regs.h"

#define REG(name) ((uint32_t)offsetof(pm_mpu_regs_t, name))

enum { SCALAR_BITS = 32 };
static const pm_mp scalar = {.word = {0x89abcdef}};
static uint32_t checks;

static void check(bool right, const char *what) {
  core_check(right, what);
  checks++;
}

static pm_mp got(const pm_mpu *mpu, uint32_t entry) {
  pm_mp number;
  core_check(pm_mpu_get(mpu, entry, number.word) == PM_OK, "reading");
  return number;
}

static void give(const pm_mpu *mpu, uint32_t entry, const pm_mp *number) {
  core_check(pm_mpu_put(mpu, entry, number->word) == PM_OK, "writing");
}

/* The operands of a multiplication, of more cycles in any field than a few accesses take. */
static void give_product(const pm_mpu *mpu) {
  give(mpu, 0, &CORE_INPUT->x);
  give(mpu, 1, &CORE_INPUT->y);
  give(mpu, PM_MPU_ENTRY_K, &scalar);
  core_check(pm_mpu_put_scalar_bits(mpu, SCALAR_BITS) == PM_OK, "bits of the scalar");
}

/* Every entry of its own, words in place. */
static void test_memory(const pm_mpu *mpu) {
  pm_mp number;
  for (uint32_t entry = 0; entry < PM_MPU_ENTRY_ONE; entry++) {
    for (uint32_t i = 0; i < PM_MP_WORDS; i++) {
      number.word[i] = entry << 28 | (i * 0x01234567u ^ 0x00abcdefu) >> 4;
    }
    give(mpu, entry, &number);
  }
  for (uint32_t entry = 0; entry < PM_MPU_ENTRY_ONE; entry++) {
    for (uint32_t i = 0; i < PM_MP_WORDS; i++) {
      number.word[i] = entry << 28 | (i * 0x01234567u ^ 0x00abcdefu) >> 4;
    }
    pm_mp found = got(mpu, entry);
    check(pm_mp_equal(&found, &number), "memory");
  }
}

/* One operation; prints its name, its cycles, and its results. */
static void operate(const pm_mpu *mpu, const char *name, pm_mpu_command command, uint32_t first,
                    uint32_t results) {
  uint32_t cycles = 0;
  core_run(mpu, command, PM_MPU_REASON_OK);
  check(pm_mpu_cycles(mpu, &cycles) == PM_OK, "cycles");
  soc_print("op %s cycles %u", name, cycles);
  for (uint32_t i = 0; i < results; i++) {
    pm_mp number = got(mpu, first + i);
    core_print(&number);
  }
  soc_print("\n");
}

/* The inverse by the core, whose clock stands still before and behind it. */
static pm_error core_invert(void *state, pm_mp *out, const pm_mp *a) {
  const pm_mpu *mpu = state;
  soc_clock(true);
  give(mpu, 9, a);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_MONT_INVERT, .src1 = 9, .dst1 = 9}, PM_MPU_REASON_OK);
  *out = got(mpu, 9);
  soc_clock(false);
  return PM_OK;
}

static pm_error software_mul(void *state, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  (void)state;
  pm_mp_mont_mul(&core_modulus, out, a, b);
  return PM_OK;
}

static void check_equal(const pm_mpu *mpu, uint32_t entry, const pm_mp *wanted, const char *what) {
  pm_mp found = got(mpu, entry);
  check(pm_mp_equal(&found, wanted), what);
}

/* Numbers: x and y of the input, against software; and the host compares what is printed. */
static void test_numbers(const pm_mpu *mpu) {
  const core_input *in = CORE_INPUT;
  pm_mp wanted;
  give(mpu, 0, &in->x);
  give(mpu, 1, &in->y);
  operate(mpu, "add", (pm_mpu_command){.op = PM_MPU_OP_ADD, .src2 = 1, .dst1 = 2}, 2, 1);
  pm_mp_add(&core_modulus, &wanted, &in->x, &in->y);
  check_equal(mpu, 2, &wanted, "sum");
  operate(mpu, "sub", (pm_mpu_command){.op = PM_MPU_OP_SUB, .src2 = 1, .dst1 = 2}, 2, 1);
  pm_mp_sub(&core_modulus, &wanted, &in->x, &in->y);
  check_equal(mpu, 2, &wanted, "difference");
  operate(mpu, "mul", (pm_mpu_command){.op = PM_MPU_OP_MUL, .src2 = 1, .dst1 = 4, .dst2 = 5}, 4, 2);
  operate(mpu, "mont_mul", (pm_mpu_command){.op = PM_MPU_OP_MONT_MUL, .src2 = 1, .dst1 = 2}, 2, 1);
  pm_mp_mont_mul(&core_modulus, &wanted, &in->x, &in->y);
  check_equal(mpu, 2, &wanted, "Montgomery product");
  operate(mpu, "reduction", (pm_mpu_command){.op = PM_MPU_OP_REDUCTION, .src2 = 1, .dst1 = 2}, 2, 1);
  operate(mpu, "invert", (pm_mpu_command){.op = PM_MPU_OP_INVERT, .dst1 = 2}, 2, 1);
  operate(mpu, "mont_invert", (pm_mpu_command){.op = PM_MPU_OP_MONT_INVERT, .dst1 = 2}, 2, 1);
}

/* P, 2 P and 4 P, P + 2 P, against software. */
static void test_points(pm_mpu *mpu) {
  static pm_affine_curve curve;
  const core_input *in = CORE_INPUT;
  curve.modulus = &core_modulus;
  curve.field = (pm_field){.mul = software_mul, .invert = core_invert, .state = mpu};
  soc_clock(false);
  pm_mp_enter(&core_modulus, &curve.a, &in->a);
  pm_affine p = {.infinity = false}, twice, fourfold, sum;
  pm_mp_enter(&core_modulus, &p.x, &in->x);
  pm_mp_enter(&core_modulus, &p.y, &in->y);
  core_check(pm_affine_dq(&curve, &twice, &fourfold, &p) == PM_OK, "dq");
  core_check(pm_affine_add(&curve, &sum, &p, &twice) == PM_OK, "add");
  soc_clock(true);
  give(mpu, 0, &p.x);
  give(mpu, 1, &p.y);
  operate(mpu, "affine_dq", (pm_mpu_command){.op = PM_MPU_OP_AFFINE_DQ, .dst1 = 1, .dst2 = 2}, 2, 4);
  check_equal(mpu, 2, &twice.x, "x of 2P");
  check_equal(mpu, 3, &twice.y, "y of 2P");
  check_equal(mpu, 4, &fourfold.x, "x of 4P");
  check_equal(mpu, 5, &fourfold.y, "y of 4P");
  operate(mpu, "affine_add", (pm_mpu_command){.op = PM_MPU_OP_AFFINE_ADD, .src2 = 1, .dst1 = 3}, 6, 2);
  check_equal(mpu, 6, &sum.x, "x of 3P");
  check_equal(mpu, 7, &sum.y, "y of 3P");
  /* P - P, and infinity + P. */
  static const pm_mp zero;
  uint32_t flags = 0;
  pm_mp_sub(&core_modulus, &sum.y, &zero, &p.y);
  give(mpu, 6, &p.x);
  give(mpu, 7, &sum.y);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_AFFINE_ADD, .src2 = 3, .dst1 = 3}, PM_MPU_REASON_OK);
  check(pm_mpu_get_infinity(mpu, &flags) == PM_OK && flags == 1u << 3, "P - P");
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_AFFINE_ADD, .src1 = 3, .dst1 = 3}, PM_MPU_REASON_OK);
  check(pm_mpu_get_infinity(mpu, &flags) == PM_OK && flags == 0, "infinity + P");
  check_equal(mpu, 6, &p.x, "x of P");
  check_equal(mpu, 7, &p.y, "y of P");
}

/* What the core refuses, with a reason or on the bus; nothing is lost by it. */
static void test_refusals(const pm_mpu *mpu) {
  const core_input *in = CORE_INPUT;
  uint32_t value = 0;
  core_run(mpu, (pm_mpu_command){.op = 0}, PM_MPU_REASON_ILLEGAL_COMMAND);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ECMUL_JOYE, .secret = true}, PM_MPU_REASON_SECRET_REFUSED);
  give(mpu, 0, &in->p);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ADD, .src2 = 1, .dst1 = 2}, PM_MPU_REASON_OPERAND_OUT_OF_RANGE);
  give(mpu, 0, &in->y);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ECMUL}, PM_MPU_REASON_INVALID_POINT);
  checks += 4;
  check(core_backend.read32(&soc_mpu, 0xfc, &value) == PM_ERR_BUS, "illegal read");
  check(core_backend.write32(&soc_mpu, REG(NAME), 0) == PM_ERR_BUS, "illegal write");
}

/* A second start, and accesses to the operand memory, while the core multiplies a point. */
static void test_busy(const pm_mpu *mpu) {
  const core_input *in = CORE_INPUT;
  const uint32_t command = PM_MPU_OP_ECMUL | 1u << PM_MPU_REGS__COMMAND__DST1_bp;
  pm_mp number = {{0}};
  uint32_t value = 0;
  give_product(mpu);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ECMUL, .dst1 = 1}, PM_MPU_REASON_OK);
  pm_mp x = got(mpu, 2), y = got(mpu, 3);
  check(core_backend.write32(&soc_mpu, REG(IRQ_STATUS), 7) == PM_OK, "interrupts");
  check(core_backend.write32(&soc_mpu, REG(COMMAND), command) == PM_OK, "start");
  check(core_backend.write32(&soc_mpu, REG(COMMAND), PM_MPU_OP_ADD) == PM_ERR_BUS, "second start");
  check(pm_mpu_put(mpu, 0, number.word) == PM_ERR_BUS, "writing while busy");
  check(pm_mpu_get(mpu, 0, number.word) == PM_ERR_BUS, "reading while busy");
  check(core_backend.read32(&soc_mpu, REG(STATUS), &value) == PM_OK &&
            (value & PM_MPU_REGS__STATUS__BUSY_bm) != 0,
        "busy");
  do {
    core_check(core_backend.read32(&soc_mpu, REG(STATUS), &value) == PM_OK, "status");
  } while ((value & PM_MPU_REGS__STATUS__BUSY_bm) != 0);
  check(value >> PM_MPU_REGS__STATUS__REASON_bp == 0, "reason");
  check(core_backend.read32(&soc_mpu, REG(IRQ_STATUS), &value) == PM_OK &&
            value == (PM_MPU_REGS__IRQ_STATUS__DONE_bm | PM_MPU_REGS__IRQ_STATUS__MISSED_bm),
        "events");
  check_equal(mpu, 2, &x, "x after refusals");
  check_equal(mpu, 3, &y, "y after refusals");
  check_equal(mpu, 0, &in->x, "operand after refusals");
}

/* By the core itself: 13 entries from the RAM, each another number, three of them back; errors of the RAM; a second
 * start. */
static void test_transfers(const pm_mpu *mpu) {
  enum { NUMBERS = PM_MPU_ENTRY_ONE, FIRST = 4, STORED = 3 };
  static _Alignas(PM_MPU_STRIDE) uint32_t shared[NUMBERS][PM_MPU_DMA_WORDS];
  static const uint32_t beyond = 0x70000000;
  uint32_t reason = 0, value = 0;
  for (uint32_t i = 0; i < NUMBERS; i++) {
    for (uint32_t word = 0; word < PM_MPU_DMA_WORDS; word++) {
      shared[i][word] = i << 28 | word << 8 | 0x5a;
    }
  }
  check(pm_mpu_dma_load(mpu, 0, NUMBERS, shared[0], &reason) == PM_OK && reason == PM_MPU_REASON_OK, "load");
  for (uint32_t i = 0; i < NUMBERS; i++) {
    pm_mp found = got(mpu, i);
    check(memcmp(found.word, shared[i], sizeof found) == 0, "loaded");
  }
  memset(shared, 0xee, sizeof shared);
  check(pm_mpu_dma_store(mpu, FIRST, STORED, shared[1], &reason) == PM_OK && reason == PM_MPU_REASON_OK, "store");
  for (uint32_t i = 0; i < STORED; i++) {
    pm_mp found = got(mpu, FIRST + i);
    check(memcmp(found.word, shared[1 + i], sizeof found) == 0, "stored");
    check(shared[i][PM_MPU_WORDS] == 0xeeeeeeee && shared[i][PM_MPU_DMA_WORDS - 1] == 0xeeeeeeee, "between");
  }
  check(shared[0][0] == 0xeeeeeeee && shared[1 + STORED][0] == 0xeeeeeeee, "around");
  for (uint32_t store = 0; store < 2; store++) {
    check(core_backend.write32(&soc_mpu, REG(DMA_ADDRESS), beyond) == PM_OK, "address");
    check(core_backend.write32(&soc_mpu, REG(DMA), 1u << PM_MPU_REGS__DMA__COUNT_bp |
                                                       store << PM_MPU_REGS__DMA__STORE_bp) == PM_OK,
          "transfer beyond the RAM");
    do {
      core_check(core_backend.read32(&soc_mpu, REG(STATUS), &value) == PM_OK, "status");
    } while ((value & PM_MPU_REGS__STATUS__BUSY_bm) != 0);
    check(value >> PM_MPU_REGS__STATUS__REASON_bp == PM_MPU_REASON_BUS_ERROR, "error of the RAM");
  }
  give_product(mpu);
  check(core_backend.write32(&soc_mpu, REG(COMMAND), PM_MPU_OP_ECMUL) == PM_OK, "start");
  check(pm_mpu_dma_load(mpu, 0, 1, shared[0], &reason) == PM_ERR_BUS, "transfer while busy");
}

/* A reset in the middle forgets everything; the core then works as before. */
static void test_reset(pm_mpu *mpu) {
  static const pm_mp zero;
  uint32_t value = 0;
  pm_mp x = got(mpu, 2), y = got(mpu, 3);
  core_check(core_backend.write32(&soc_mpu, REG(COMMAND), PM_MPU_OP_ECMUL) == PM_OK, "start");
  check(pm_mpu_reset(mpu) == PM_OK, "reset");
  check(core_backend.read32(&soc_mpu, REG(STATUS), &value) == PM_OK &&
            value >> PM_MPU_REGS__STATUS__REASON_bp == PM_MPU_REASON_ABORTED,
        "aborted");
  check_equal(mpu, 2, &zero, "cleared");
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ADD}, PM_MPU_REASON_NO_MODULUS);
  core_open(mpu, true);
  give_product(mpu);
  core_run(mpu, (pm_mpu_command){.op = PM_MPU_OP_ECMUL, .dst1 = 1}, PM_MPU_REASON_OK);
  check_equal(mpu, 2, &x, "x after a reset");
  check_equal(mpu, 3, &y, "y after a reset");
}

void selftest(void) {
  pm_mpu mpu;
  uint32_t address_bits = 0;
  core_open(&mpu, false);
  test_memory(&mpu);
  core_open(&mpu, false);
  test_numbers(&mpu);
  test_points(&mpu);
  test_refusals(&mpu);
  test_busy(&mpu);
  test_reset(&mpu);
  core_open_by(&mpu, core_dma_backend(), false);
  core_check(core_backend.read32(&soc_mpu, REG(DMA_CONFIG), &address_bits) == PM_OK, "configuration");
  if (address_bits != 0) {
    test_transfers(&mpu);
  }
  soc_print("selftest %u\n", checks);
}
