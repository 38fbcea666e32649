/* SPDX-License-Identifier: Apache-2.0 */
#include "mp.h"

#include <string.h>

/* out = a - b over n words; the borrow. */
static uint32_t subtract(uint32_t *out, const uint32_t *a, const uint32_t *b, size_t n) {
  uint32_t borrow = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t word = (uint64_t)a[i] - b[i] - borrow;
    out[i] = (uint32_t)word;
    borrow = (uint32_t)(word >> 63);
  }
  return borrow;
}

/* out = a mod p for a = carry R + sum < 2 p. */
static void reduce_once(const pm_modulus *m, pm_mp *out, const uint32_t *sum, uint32_t carry) {
  uint32_t difference[PM_MP_WORDS];
  uint32_t borrow = subtract(difference, sum, m->p.word, m->words);
  uint32_t keep = 0 - (borrow & ~carry & 1); /* all ones if the sum is below p */
  for (size_t i = 0; i < m->words; i++) {
    out->word[i] = (sum[i] & keep) | (difference[i] & ~keep);
  }
  for (size_t i = m->words; i < PM_MP_WORDS; i++) {
    out->word[i] = 0;
  }
}

bool pm_mp_equal(const pm_mp *a, const pm_mp *b) {
  uint32_t differing = 0;
  for (size_t i = 0; i < PM_MP_WORDS; i++) {
    differing |= a->word[i] ^ b->word[i];
  }
  return differing == 0;
}

bool pm_mp_is_zero(const pm_mp *a) {
  static const pm_mp zero;
  return pm_mp_equal(a, &zero);
}

unsigned pm_mp_bit(const pm_mp *a, size_t index) {
  size_t word = index / PM_MP_WORD_BITS;
  return word < PM_MP_WORDS ? a->word[word] >> (index % PM_MP_WORD_BITS) & 1 : 0;
}

size_t pm_mp_bits(const pm_mp *a) {
  size_t bits = PM_MP_WORDS * PM_MP_WORD_BITS;
  while (bits > 0 && pm_mp_bit(a, bits - 1) == 0) {
    bits--;
  }
  return bits;
}

void pm_mp_add(const pm_modulus *m, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  uint32_t sum[PM_MP_WORDS];
  uint64_t carry = 0;
  for (size_t i = 0; i < m->words; i++) {
    carry += (uint64_t)a->word[i] + b->word[i];
    sum[i] = (uint32_t)carry;
    carry >>= PM_MP_WORD_BITS;
  }
  reduce_once(m, out, sum, (uint32_t)carry);
}

void pm_mp_sub(const pm_modulus *m, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  uint32_t difference[PM_MP_WORDS];
  uint32_t back = 0 - subtract(difference, a->word, b->word, m->words);
  uint64_t carry = 0;
  for (size_t i = 0; i < m->words; i++) {
    carry += (uint64_t)difference[i] + (m->p.word[i] & back);
    out->word[i] = (uint32_t)carry;
    carry >>= PM_MP_WORD_BITS;
  }
  for (size_t i = m->words; i < PM_MP_WORDS; i++) {
    out->word[i] = 0;
  }
}

/* sum += a b over n words; the carry. */
static uint32_t add_product(uint32_t *sum, const uint32_t *a, uint32_t b, size_t n) {
  uint32_t carry = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t word = (uint64_t)a[i] * b + sum[i] + carry;
    sum[i] = (uint32_t)word;
    carry = (uint32_t)(word >> PM_MP_WORD_BITS);
  }
  return carry;
}

void pm_mp_mont_mul(const pm_modulus *m, pm_mp *out, const pm_mp *a, const pm_mp *b) {
  /* Words of the sum above the i lowest, which are 0, are at sum[i] and following. */
  uint32_t sum[2 * PM_MP_WORDS] = {0};
  uint32_t top = 0;
  for (size_t i = 0; i < m->words; i++) {
    uint32_t first = add_product(sum + i, a->word, b->word[i], m->words);
    uint32_t second = add_product(sum + i, m->p.word, sum[i] * m->inverse, m->words);
    uint64_t above = (uint64_t)first + second + top;
    sum[i + m->words] = (uint32_t)above;
    top = (uint32_t)(above >> PM_MP_WORD_BITS);
  }
  reduce_once(m, out, sum + m->words, top);
}

void pm_mp_enter(const pm_modulus *m, pm_mp *out, const pm_mp *a) {
  pm_mp_mont_mul(m, out, a, &m->square);
}

void pm_mp_leave(const pm_modulus *m, pm_mp *out, const pm_mp *a) {
  static const pm_mp unit = {.word = {1}};
  pm_mp_mont_mul(m, out, a, &unit);
}

bool pm_modulus_init(pm_modulus *m, const pm_mp *p) {
  size_t bits = pm_mp_bits(p);
  if (bits < 2 || pm_mp_bit(p, 0) == 0) {
    return false;
  }
  memset(m, 0, sizeof *m);
  m->p = *p;
  m->words = (bits + PM_MP_WORD_BITS - 1) / PM_MP_WORD_BITS;
  uint32_t inverse = 1; /* of p mod 2; each step doubles the bits that are right */
  for (int right = 1; right < PM_MP_WORD_BITS; right *= 2) {
    inverse *= 2 - p->word[0] * inverse;
  }
  m->inverse = 0 - inverse;
  /* The highest power of 2 below p, doubled to R; R 2^words, squared in the domain to R 2^(32 words) = R^2. */
  pm_mp power = {{0}};
  power.word[m->words - 1] = 1u << (bits - 1) % PM_MP_WORD_BITS;
  for (size_t i = bits - 1; i < m->words * PM_MP_WORD_BITS; i++) {
    pm_mp_add(m, &power, &power, &power);
  }
  m->one = power;
  for (size_t i = 0; i < m->words; i++) {
    pm_mp_add(m, &power, &power, &power);
  }
  for (size_t exponent = 1; exponent < PM_MP_WORD_BITS; exponent *= 2) {
    pm_mp_mont_mul(m, &power, &power, &power);
  }
  m->square = power;
  return true;
}
