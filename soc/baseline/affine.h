/* SPDX-License-Identifier: Apache-2.0
 *
 * affine.h: points of y^2 = x^3 + a x + b modulo p in affine coordinates, in portable C: sum, and double and
 * quadruple with one inversion.
 *
 * Every case is handled: infinity, equal and opposite points, points of order two and four. What is done depends on
 * which of them it is: for public points alone. Products and inversions are those of a pm_field, so that they can be
 * the core's. Sources: SEC 1, 2.2.1; the quadruple: Le and Nguyen, SoICT 2012, pp. 218-222.
 */
#ifndef PM_AFFINE_H
#define PM_AFFINE_H

#include "joye.h"
#include "mp.h"
#include "pointmill.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who multiplies and inverts. Numbers are in the domain and below p; `out` may be an operand. */
typedef struct pm_field {
  pm_error (*mul)(void *state, pm_mp *out, const pm_mp *a, const pm_mp *b);
  /* The inverse of a, which is not 0. */
  pm_error (*invert)(void *state, pm_mp *out, const pm_mp *a);
  void *state;
} pm_field;

/* A curve, who calculates on it, and the points of a pm_point_ops. */
typedef struct pm_affine_curve {
  const pm_modulus *modulus;
  pm_mp a; /* in the domain */
  pm_field field;
  pm_affine slots[PM_JOYE_SLOTS];
} pm_affine_curve;

/* Inverses in the order in which they will be asked for, made by somebody who did the calculation before: the stand-in
 * of Tanaka 2020 for an inversion. */
typedef struct pm_inverse_table {
  const pm_mp *inverse;
  size_t count;
  size_t used; /* 0 before the calculation */
} pm_inverse_table;

/* What the calculation on `state` of pm_mp_mont_mul and of a pm_inverse_table needs. */
typedef struct pm_software {
  const pm_modulus *modulus;
  pm_inverse_table table;
} pm_software;

/* p + q. The error of the field's functions, or OK. `out` may be an operand. */
pm_error pm_affine_add(const pm_affine_curve *curve, pm_affine *out, const pm_affine *p,
                       const pm_affine *q);

/* 2 p and 4 p, likewise. */
pm_error pm_affine_dq(const pm_affine_curve *curve, pm_affine *twice, pm_affine *fourfold,
                      const pm_affine *p);

/* Both as operations on the slots of `curve`. */
pm_point_ops pm_affine_ops(pm_affine_curve *curve);

/* The next inverse of the table, whatever the operand is. ARGUMENT: the table is used up. */
pm_error pm_table_invert(pm_inverse_table *table, pm_mp *out);

/* A field without hardware. */
pm_field pm_software_field(pm_software *software);

#ifdef __cplusplus
}
#endif

#endif /* PM_AFFINE_H */
