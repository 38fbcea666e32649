/* SPDX-License-Identifier: Apache-2.0
 *
 * native.c: the software of the simulated system as functions of the host.
 */
#include <string.h>

#include "affine.h"

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

/* [k](x, y) for coordinates outside the domain; the error, NATIVE_INFINITY, or 0. */
int native_ecmul(const pm_mp *p, const pm_mp *a, const pm_mp *k, size_t n, const pm_mp *point,
                 int infinity, const pm_mp *table, size_t count, pm_mp *out) {
  pm_modulus modulus;
  if (!pm_modulus_init(&modulus, p)) {
    return NATIVE_MODULUS;
  }
  pm_software software = {.modulus = &modulus, .table = {.inverse = table, .count = count}};
  pm_affine_curve curve = {.modulus = &modulus, .field = pm_software_field(&software)};
  pm_affine operand = {.infinity = infinity != 0}, result;
  pm_mp_enter(&modulus, &curve.a, a);
  pm_mp_enter(&modulus, &operand.x, &point[0]);
  pm_mp_enter(&modulus, &operand.y, &point[1]);
  pm_point_ops ops = pm_affine_ops(&curve);
  pm_error error = pm_joye(&ops, &modulus, k, n, &operand, &result);
  if (error != PM_OK) {
    return (int)error;
  }
  if (software.table.used != count) {
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
