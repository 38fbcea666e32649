/* SPDX-License-Identifier: Apache-2.0
 *
 * joye.h: scalar multiplication by the modified Joye right-to-left algorithm, two bits a step, over
 * operations that software, the core, or both of them carry out.
 *
 * Source: Tanaka 2020, algorithm 1. As printed it gives [k mod 2^(n-1) + 2^(n-1)]P, which is [k]P if bit n-1 of k is 1
 * and n is its length. Here n is even and above the length, and [2^(n-1)]P is subtracted at the end: exact for every
 * such k and every point, of whatever order.
 *
 * Which operations are asked for depends on n alone, which slots they work on, on k. With operations in affine
 * coordinates the time depends on k (affine.h): for public k alone.
 */
#ifndef PM_JOYE_H
#define PM_JOYE_H

#include "mp.h"
#include "pointmill.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A point: coordinates in the domain, which do not count at infinity. */
typedef struct pm_affine {
  pm_mp x, y;
  bool infinity;
} pm_affine;

/* Places for points: the five buffers of the core, in its order. The last one is a place for what is added once. */
enum { PM_JOYE_A0, PM_JOYE_A1, PM_JOYE_R0, PM_JOYE_R1, PM_JOYE_ONCE, PM_JOYE_SLOTS };

/* Who calculates. Destinations may be operands; the two of dq differ. */
typedef struct pm_point_ops {
  pm_error (*put)(void *state, unsigned slot, const pm_affine *point);
  pm_error (*get)(void *state, unsigned slot, pm_affine *point);
  pm_error (*add)(void *state, unsigned out, unsigned p, unsigned q);
  pm_error (*dq)(void *state, unsigned twice, unsigned fourfold, unsigned p); /* 2 P and 4 P */
  void *state;
} pm_point_ops;

/* The smallest length that is even, at least 4 and above `bits`. */
size_t pm_joye_length(size_t bits);

/* [k]P. ARGUMENT: n is odd, below 4, or k not below 2^(n-1); otherwise the error of an operation, or OK.
 * It takes (n+2)/2 dq and n+1 add. */
pm_error pm_joye(const pm_point_ops *ops, const pm_modulus *modulus, const pm_mp *k, size_t n,
                 const pm_affine *p, pm_affine *out);

#ifdef __cplusplus
}
#endif

#endif /* PM_JOYE_H */
