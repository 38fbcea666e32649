/* SPDX-License-Identifier: Apache-2.0 */
#include "joye.h"

enum { SHORTEST = 4 };

size_t pm_joye_length(size_t bits) {
  size_t n = (bits + 2) / 2 * 2;
  return n < SHORTEST ? SHORTEST : n;
}

static void negate(const pm_modulus *modulus, pm_affine *point) {
  static const pm_mp zero;
  pm_mp_sub(modulus, &point->y, &zero, &point->y);
}

/* An operation is left out after the first error. */
typedef struct run {
  const pm_point_ops *ops;
  pm_error error;
} run;

static void put(run *r, unsigned slot, const pm_affine *point) {
  if (r->error == PM_OK) {
    r->error = r->ops->put(r->ops->state, slot, point);
  }
}

static void get(run *r, unsigned slot, pm_affine *point) {
  if (r->error == PM_OK) {
    r->error = r->ops->get(r->ops->state, slot, point);
  }
}

static void add_to(run *r, unsigned slot, unsigned p) {
  if (r->error == PM_OK) {
    r->error = r->ops->add(r->ops->state, slot, slot, p);
  }
}

static void dq(run *r, unsigned twice, unsigned fourfold, unsigned p) {
  if (r->error == PM_OK) {
    r->error = r->ops->dq(r->ops->state, twice, fourfold, p);
  }
}

/* Which of A[0] and A[1] takes the multiple of bit `index`. */
static unsigned sum_of(const pm_mp *k, size_t index) {
  return pm_mp_bit(k, index) == 0 ? PM_JOYE_A0 : PM_JOYE_A1;
}

pm_error pm_joye(const pm_point_ops *ops, const pm_modulus *modulus, const pm_mp *k, size_t n,
                 const pm_affine *p, pm_affine *out) {
  if (n % 2 != 0 || n < SHORTEST || pm_mp_bits(k) >= n) {
    return PM_ERR_ARGUMENT;
  }
  run r = {.ops = ops, .error = PM_OK};
  pm_affine point = *p;
  put(&r, PM_JOYE_A1, &point);
  dq(&r, PM_JOYE_R0, PM_JOYE_R1, PM_JOYE_A1);
  negate(modulus, &point);
  put(&r, PM_JOYE_A0, &point);
  pm_affine lowest = *p; /* (k_0 + 1) P */
  if (pm_mp_bit(k, 0) != 0) {
    get(&r, PM_JOYE_R0, &lowest);
  }
  for (size_t i = 1;; i += 2) {
    add_to(&r, sum_of(k, i), PM_JOYE_R0);
    add_to(&r, sum_of(k, i + 1), PM_JOYE_R1);
    if (i + 3 >= n) {
      break;
    }
    dq(&r, PM_JOYE_R0, PM_JOYE_R1, PM_JOYE_R1);
  }
  dq(&r, PM_JOYE_A1, PM_JOYE_ONCE, PM_JOYE_A1);
  add_to(&r, PM_JOYE_A0, PM_JOYE_A1);
  put(&r, PM_JOYE_ONCE, &lowest);
  add_to(&r, PM_JOYE_A0, PM_JOYE_ONCE);
  /* Now [k + 2^(n-1)]P is there, and [2^(n-2)]P in R[1]. */
  dq(&r, PM_JOYE_R0, PM_JOYE_R1, PM_JOYE_R1);
  get(&r, PM_JOYE_R0, &point);
  negate(modulus, &point);
  put(&r, PM_JOYE_ONCE, &point);
  add_to(&r, PM_JOYE_A0, PM_JOYE_ONCE);
  get(&r, PM_JOYE_A0, out);
  return r.error;
}
