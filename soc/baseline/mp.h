/* SPDX-License-Identifier: Apache-2.0
 *
 * mp.h: numbers of up to 704 bits and arithmetic modulo an odd number, in portable C.
 *
 * Numbers modulo p are kept in Montgomery's domain, x R mod p with R = 2^(32 words), as in the core `mpu`. The
 * sequence of instructions depends on p alone. Source: Montgomery, Math. Comp. 44(170), 1985.
 */
#ifndef PM_MP_H
#define PM_MP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PM_MP_WORDS = 22, PM_MP_WORD_BITS = 32 };

/* A number, lowest word first. */
typedef struct pm_mp {
  uint32_t word[PM_MP_WORDS];
} pm_mp;

/* An odd number p and what follows from it. Words above `words` of all numbers modulo p are 0. */
typedef struct pm_modulus {
  size_t words;     /* of p, and of R */
  uint32_t inverse; /* -1 / p mod 2^32 */
  pm_mp p;
  pm_mp one;    /* R mod p */
  pm_mp square; /* R^2 mod p */
} pm_modulus;

/* Prepares p; false if it is even or below 3. */
bool pm_modulus_init(pm_modulus *modulus, const pm_mp *p);

/* Whether a = b; whether a = 0. */
bool pm_mp_equal(const pm_mp *a, const pm_mp *b);
bool pm_mp_is_zero(const pm_mp *a);

/* Bits of a: 0 for 0. */
size_t pm_mp_bits(const pm_mp *a);

/* Bit `index` of a; 0 above all words. */
unsigned pm_mp_bit(const pm_mp *a, size_t index);

/* a + b, a - b and a b / R mod p for a, b < p. `out` may be an operand. */
void pm_mp_add(const pm_modulus *modulus, pm_mp *out, const pm_mp *a, const pm_mp *b);
void pm_mp_sub(const pm_modulus *modulus, pm_mp *out, const pm_mp *a, const pm_mp *b);
void pm_mp_mont_mul(const pm_modulus *modulus, pm_mp *out, const pm_mp *a, const pm_mp *b);

/* Into the domain and out of it, for a < p. */
void pm_mp_enter(const pm_modulus *modulus, pm_mp *out, const pm_mp *a);
void pm_mp_leave(const pm_modulus *modulus, pm_mp *out, const pm_mp *a);

#ifdef __cplusplus
}
#endif

#endif /* PM_MP_H */
