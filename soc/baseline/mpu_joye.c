/* SPDX-License-Identifier: Apache-2.0 */
#include "mpu_joye.h"

/* Entries of x and y of a buffer. */
static uint32_t entry_x(unsigned buffer) { return 2 * buffer; }
static uint32_t entry_y(unsigned buffer) { return 2 * buffer + 1; }

static pm_error run(const pm_mpu *mpu, const pm_mpu_command *command) {
  uint32_t reason = 0;
  pm_error error = pm_mpu_run(mpu, command, &reason);
  return error == PM_OK && reason != PM_MPU_REASON_OK ? PM_ERR_PROTOCOL : error;
}

static pm_error put(void *state, unsigned slot, const pm_affine *point) {
  const pm_mpu *mpu = state;
  uint32_t flags = 0;
  pm_error error = pm_mpu_get_infinity(mpu, &flags);
  if (error == PM_OK && (flags >> slot & 1) != point->infinity) {
    error = pm_mpu_put_infinity(mpu, flags ^ 1u << slot);
  }
  if (error == PM_OK && !point->infinity) {
    error = pm_mpu_put(mpu, entry_x(slot), point->x.word);
    if (error == PM_OK) {
      error = pm_mpu_put(mpu, entry_y(slot), point->y.word);
    }
  }
  return error;
}

static pm_error get(void *state, unsigned slot, pm_affine *point) {
  const pm_mpu *mpu = state;
  uint32_t flags = 0;
  pm_error error = pm_mpu_get_infinity(mpu, &flags);
  point->infinity = (flags >> slot & 1) != 0;
  if (error == PM_OK) {
    error = pm_mpu_get(mpu, entry_x(slot), point->x.word);
  }
  return error != PM_OK ? error : pm_mpu_get(mpu, entry_y(slot), point->y.word);
}

static pm_error add(void *state, unsigned out, unsigned p, unsigned q) {
  return run(state, &(pm_mpu_command){
                        .op = PM_MPU_OP_AFFINE_ADD, .src1 = p, .src2 = q, .dst1 = out});
}

static pm_error dq(void *state, unsigned twice, unsigned fourfold, unsigned p) {
  return run(state, &(pm_mpu_command){
                        .op = PM_MPU_OP_AFFINE_DQ, .src1 = p, .dst1 = twice, .dst2 = fourfold});
}

pm_point_ops pm_mpu_point_ops(pm_mpu *mpu) {
  return (pm_point_ops){.put = put, .get = get, .add = add, .dq = dq, .state = mpu};
}

static pm_error mul(void *state, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  enum { FIRST, SECOND, PRODUCT };
  const pm_mpu_products *products = state;
  pm_error error = pm_mpu_put(products->mpu, FIRST, a->word);
  if (error == PM_OK) {
    error = pm_mpu_put(products->mpu, SECOND, b->word);
  }
  if (error == PM_OK) {
    error = run(products->mpu, &(pm_mpu_command){.op = PM_MPU_OP_MONT_MUL,
                                                 .src1 = FIRST,
                                                 .src2 = SECOND,
                                                 .dst1 = PRODUCT});
  }
  return error != PM_OK ? error : pm_mpu_get(products->mpu, PRODUCT, out->word);
}

static pm_error invert(void *state, pm_mp *out, const pm_mp *a) {
  pm_mpu_products *products = state;
  (void)a;
  return pm_table_invert(&products->table, out);
}

pm_field pm_mpu_field(pm_mpu_products *products) {
  return (pm_field){.mul = mul, .invert = invert, .state = products};
}
