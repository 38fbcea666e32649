/* SPDX-License-Identifier: Apache-2.0 */
#include "affine.h"

/* One calculation: nothing is done after the first error. */
typedef struct calculation {
  const pm_affine_curve *curve;
  pm_error error;
} calculation;

static void mul(calculation *c, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  if (c->error == PM_OK) {
    c->error = c->curve->field.mul(c->curve->field.state, out, a, b);
  }
}

static void invert(calculation *c, pm_mp *out, const pm_mp *a) {
  if (c->error == PM_OK) {
    c->error = c->curve->field.invert(c->curve->field.state, out, a);
  }
}

static void add(calculation *c, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  pm_mp_add(c->curve->modulus, out, a, b);
}

static void sub(calculation *c, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  pm_mp_sub(c->curve->modulus, out, a, b);
}

/* 3 x^2 + a, the numerator of the tangent's slope. */
static void tangent(calculation *c, pm_mp *out, const pm_mp *x) {
  pm_mp square = {{0}};
  mul(c, &square, x, x);
  add(c, out, &square, &square);
  add(c, out, out, &square);
  add(c, out, out, &c->curve->a);
}

/* The third point of the line with this slope through p and a point with abscissa x, mirrored. */
static void third(calculation *c, pm_affine *out, const pm_mp *slope, const pm_affine *p,
                  const pm_mp *x) {
  pm_affine sum = {.infinity = false};
  mul(c, &sum.x, slope, slope);
  sub(c, &sum.x, &sum.x, &p->x);
  sub(c, &sum.x, &sum.x, x);
  sub(c, &sum.y, &p->x, &sum.x);
  mul(c, &sum.y, slope, &sum.y);
  sub(c, &sum.y, &sum.y, &p->y);
  *out = sum;
}

pm_error pm_affine_add(const pm_affine_curve *curve, pm_affine *out, const pm_affine *p,
                       const pm_affine *q) {
  calculation c = {.curve = curve, .error = PM_OK};
  pm_mp numerator, denominator, slope = {{0}};
  if (p->infinity || q->infinity) {
    *out = p->infinity ? *q : *p;
    return PM_OK;
  }
  if (!pm_mp_equal(&p->x, &q->x)) {
    sub(&c, &numerator, &q->y, &p->y);
    sub(&c, &denominator, &q->x, &p->x);
  } else {
    add(&c, &denominator, &p->y, &q->y);
    if (pm_mp_is_zero(&denominator)) {
      out->infinity = true;
      return PM_OK;
    }
    tangent(&c, &numerator, &p->x);
  }
  invert(&c, &denominator, &denominator);
  mul(&c, &slope, &numerator, &denominator);
  third(&c, out, &slope, p, &q->x);
  return c.error;
}

/* With D = 2 y, N = 3 x^2 + a and V = 2 N (3 x D^2 - N^2) - D^4 the ordinate of 2P is V / (2 D^3): one inverse of V D
 * gives both denominators, 1 / D = V / (V D) and D^3 / V = D^4 / (V D). */
pm_error pm_affine_dq(const pm_affine_curve *curve, pm_affine *twice, pm_affine *fourfold,
                      const pm_affine *p) {
  calculation c = {.curve = curve, .error = PM_OK};
  pm_mp d, n, square = {{0}}, n_square = {{0}}, v = {{0}}, fourth = {{0}}, inverse = {{0}},
              slope = {{0}};
  add(&c, &d, &p->y, &p->y);
  if (p->infinity || pm_mp_is_zero(&d)) {
    twice->infinity = true;
    fourfold->infinity = true;
    return PM_OK;
  }
  tangent(&c, &n, &p->x);
  mul(&c, &square, &d, &d);
  mul(&c, &fourth, &square, &square);
  mul(&c, &n_square, &n, &n);
  mul(&c, &square, &p->x, &square);
  add(&c, &v, &square, &square);
  add(&c, &v, &v, &square);
  sub(&c, &v, &v, &n_square);
  mul(&c, &v, &n, &v);
  add(&c, &v, &v, &v);
  sub(&c, &v, &v, &fourth);
  bool order_four = pm_mp_is_zero(&v);
  pm_affine doubled, quadrupled = {.infinity = true};
  if (order_four) {
    invert(&c, &inverse, &d);
    mul(&c, &slope, &n, &inverse);
  } else {
    mul(&c, &inverse, &v, &d);
    invert(&c, &inverse, &inverse);
    mul(&c, &slope, &v, &inverse);
    mul(&c, &slope, &n, &slope);
  }
  third(&c, &doubled, &slope, p, &p->x);
  if (!order_four) {
    mul(&c, &inverse, &fourth, &inverse);
    tangent(&c, &n, &doubled.x);
    mul(&c, &slope, &n, &inverse);
    third(&c, &quadrupled, &slope, &doubled, &doubled.x);
  }
  *twice = doubled;
  *fourfold = quadrupled;
  return c.error;
}

static pm_error ops_put(void *state, unsigned slot, const pm_affine *point) {
  pm_affine_curve *curve = state;
  curve->slots[slot] = *point;
  return PM_OK;
}

static pm_error ops_get(void *state, unsigned slot, pm_affine *point) {
  const pm_affine_curve *curve = state;
  *point = curve->slots[slot];
  return PM_OK;
}

static pm_error ops_add(void *state, unsigned out, unsigned p, unsigned q) {
  pm_affine_curve *curve = state;
  return pm_affine_add(curve, &curve->slots[out], &curve->slots[p], &curve->slots[q]);
}

static pm_error ops_dq(void *state, unsigned twice, unsigned fourfold, unsigned p) {
  pm_affine_curve *curve = state;
  return pm_affine_dq(curve, &curve->slots[twice], &curve->slots[fourfold], &curve->slots[p]);
}

pm_point_ops pm_affine_ops(pm_affine_curve *curve) {
  return (pm_point_ops){
      .put = ops_put, .get = ops_get, .add = ops_add, .dq = ops_dq, .state = curve};
}

pm_error pm_table_invert(pm_inverse_table *table, pm_mp *out) {
  if (table->used == table->count) {
    return PM_ERR_ARGUMENT;
  }
  *out = table->inverse[table->used++];
  return PM_OK;
}

static pm_error software_mul(void *state, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  const pm_software *software = state;
  pm_mp_mont_mul(software->modulus, out, a, b);
  return PM_OK;
}

static pm_error software_invert(void *state, pm_mp *out, const pm_mp *a) {
  pm_software *software = state;
  (void)a;
  return pm_table_invert(&software->table, out);
}

pm_field pm_software_field(pm_software *software) {
  return (pm_field){.mul = software_mul, .invert = software_invert, .state = software};
}
