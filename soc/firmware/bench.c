/* SPDX-License-Identifier: Apache-2.0 */
#include "core.h"
#include "mpu_joye.h"

static const char *const names[METHODS] = {"software", "products", "points", "joye", "ladder"};

/* By pm_joye(): coordinates go into the domain and out of it by products of `field`. */
static pm_error by_joye(const pm_field *field, const pm_point_ops *ops, pm_affine *result) {
  static const pm_mp unit = {.word = {1}};
  const core_input *in = CORE_INPUT;
  pm_affine point = {.infinity = false};
  pm_error error = field->mul(field->state, &point.x, &in->x, &core_modulus.square);
  if (error == PM_OK) {
    error = field->mul(field->state, &point.y, &in->y, &core_modulus.square);
  }
  if (error == PM_OK) {
    error = pm_joye(ops, &core_modulus, &in->k, in->length, &point, result);
  }
  if (error == PM_OK) {
    error = field->mul(field->state, &result->x, &result->x, &unit);
  }
  return error != PM_OK ? error : field->mul(field->state, &result->y, &result->y, &unit);
}

/* By one operation on buffer R[0]. */
static pm_error resident(const pm_mpu *mpu, uint32_t op, pm_affine *result) {
  enum { X = 2 * PM_MPU_BUFFER_R0, Y };
  const core_input *in = CORE_INPUT;
  uint32_t flags = 0, reason = 0;
  pm_error error = pm_mpu_put(mpu, X, in->x.word);
  if (error == PM_OK) {
    error = pm_mpu_put(mpu, Y, in->y.word);
  }
  if (error == PM_OK) {
    error = pm_mpu_put(mpu, PM_MPU_ENTRY_K, in->k.word);
  }
  if (error == PM_OK) {
    error = pm_mpu_put_scalar_bits(mpu, in->length - 1);
  }
  if (error == PM_OK) {
    error = pm_mpu_run(
        mpu,
        &(pm_mpu_command){.op = op, .src1 = PM_MPU_BUFFER_R0, .dst1 = PM_MPU_BUFFER_R0}, &reason);
  }
  if (error == PM_OK && reason != PM_MPU_REASON_OK) {
    error = PM_ERR_PROTOCOL;
  }
  if (error == PM_OK) {
    error = pm_mpu_get_infinity(mpu, &flags);
  }
  if (error == PM_OK) {
    error = pm_mpu_get(mpu, X, result->x.word);
  }
  result->infinity = (flags >> PM_MPU_BUFFER_R0 & 1) != 0;
  return error != PM_OK ? error : pm_mpu_get(mpu, Y, result->y.word);
}

void bench(core_method method) {
  static pm_affine_curve curve;
  const core_input *in = CORE_INPUT;
  pm_mpu mpu;
  core_open(&mpu, method >= METHOD_POINTS);
  const pm_inverse_table table = {.inverse = in->inverses, .count = in->count};
  pm_software software = {.modulus = &core_modulus, .table = table};
  pm_mpu_products products = {.mpu = &mpu, .table = table};
  pm_field field = method == METHOD_SOFTWARE ? pm_software_field(&software) : pm_mpu_field(&products);
  curve.modulus = &core_modulus;
  curve.field = field;
  pm_mp_enter(&core_modulus, &curve.a, &in->a);
  pm_point_ops ops = method == METHOD_POINTS ? pm_mpu_point_ops(&mpu) : pm_affine_ops(&curve);
  pm_affine result = {.infinity = false};
  pm_error error;
  soc_clock(method != METHOD_SOFTWARE);
  soc_clear();
  switch (method) {
    case METHOD_JOYE:
      error = resident(&mpu, PM_MPU_OP_ECMUL_JOYE, &result);
      break;
    case METHOD_LADDER:
      error = resident(&mpu, PM_MPU_OP_ECMUL, &result);
      break;
    default:
      error = by_joye(&field, &ops, &result);
  }
  soc_split split = soc_read();
  soc_clock(true);
  core_check(error == PM_OK, names[method]);
  soc_print("method %s compute %U bus %U wait %U", names[method], &split.compute, &split.bus,
            &split.wait);
  soc_print(" infinity %u", (uint32_t)result.infinity);
  core_print(&result.x);
  core_print(&result.y);
  soc_print("\n");
}
