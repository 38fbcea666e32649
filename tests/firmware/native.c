/* SPDX-License-Identifier: Apache-2.0
 *
 * native.c: the software of the simulated system as functions of the host, the core being tests/driver/mpu_fake.c.
 */
#include "affine.h"
#include "mpu_fake.h"
#include "mpu_joye.h"

enum { SOFTWARE, PRODUCTS, POINTS }; /* what calculates: nothing else, mont_mul, operations on points */
enum { TIMEOUT = 100000 };
enum { NATIVE_INFINITY = 1000, NATIVE_LEFT_OVER = 2000, NATIVE_MODULUS = 3000 };

/* out = {a + b, a - b, a b / R, a R, a / R} mod p. */
int native_field(const pm_mp *p, const pm_mp *a, const pm_mp *b, pm_mp *out) {
  pm_modulus modulus;
  if (!pm_modulus_init(&modulus, p)) {
    return NATIVE_MODULUS;
  }
  pm_mp_add(&modulus, &out[0], a, b);
  pm_mp_sub(&modulus, &out[1], a, b);
  pm_mp_mont_mul(&modulus, &out[2], a, b);
  pm_mp_enter(&modulus, &out[3], a);
  pm_mp_leave(&modulus, &out[4], a);
  return 0;
}

/* [k](x, y) for coordinates outside the domain; the error, NATIVE_INFINITY, or 0. `flags`: bit 0, the point is
 * infinity; bit 1, the core refuses. */
int native_ecmul(int level, const pm_mp *p, const pm_mp *a, const pm_mp *k, size_t n,
                 const pm_mp *point, unsigned flags, const pm_mp *inverses, size_t count, pm_mp *out) {
  pm_modulus modulus;
  if (!pm_modulus_init(&modulus, p)) {
    return NATIVE_MODULUS;
  }
  pm_inverse_table table = {.inverse = inverses, .count = count};
  pm_software software = {.modulus = &modulus, .table = table};
  mpu_fake fake;
  pm_mpu mpu;
  mpu_fake_init(&fake);
  uint32_t reason = 0;
  if (pm_mpu_open(&mpu, &mpu_fake_backend, &fake, TIMEOUT, level == POINTS) != PM_OK ||
      pm_mpu_put(&mpu, PM_MPU_ENTRY_P, p->word) != PM_OK ||
      pm_mpu_put(&mpu, PM_MPU_ENTRY_A, a->word) != PM_OK ||
      pm_mpu_run(&mpu, &(pm_mpu_command){.op = PM_MPU_OP_LOAD_CURVE}, &reason) != PM_OK || reason != 0) {
    return NATIVE_MODULUS;
  }
  fake.refuses = (flags & 2) != 0;
  pm_mpu_products products = {.mpu = &mpu, .table = table};
  pm_affine_curve curve = {
      .modulus = &modulus,
      .field = level == PRODUCTS ? pm_mpu_field(&products) : pm_software_field(&software)};
  pm_affine operand = {.infinity = (flags & 1) != 0}, result;
  pm_mp_enter(&modulus, &curve.a, a);
  pm_mp_enter(&modulus, &operand.x, &point[0]);
  pm_mp_enter(&modulus, &operand.y, &point[1]);
  pm_point_ops ops = level == POINTS ? pm_mpu_point_ops(&mpu) : pm_affine_ops(&curve);
  pm_error error = pm_joye(&ops, &modulus, k, n, &operand, &result);
  if (error != PM_OK) {
    return (int)error;
  }
  size_t used = level == SOFTWARE ? software.table.used : products.table.used;
  if (level != POINTS && used != count) {
    return NATIVE_LEFT_OVER;
  }
  if (result.infinity) {
    return NATIVE_INFINITY;
  }
  pm_mp_leave(&modulus, &out[0], &result.x);
  pm_mp_leave(&modulus, &out[1], &result.y);
  return 0;
}

/* The length that is chosen for a scalar of so many bits. */
size_t native_length(size_t bits) { return pm_joye_length(bits); }
