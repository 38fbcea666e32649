/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz.h: what the fuzz targets share. A target defines LLVMFuzzerTestOneInput() and fuzz_counts; it is linked with
 * libFuzzer (clang -fsanitize=fuzzer), or with random.c, which makes inputs from a seed.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often a target reached something, so that a run that reaches nothing is seen. */
typedef struct fuzz_count {
  const char *name;
  unsigned long count;
} fuzz_count;

/* Ends with a null name. */
extern fuzz_count fuzz_counts[];

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define EXPECT(condition)                                                                \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);     \
      abort();                                                                           \
    }                                                                                    \
  } while (0)

/* The input under way; behind its end all bytes are 0. */
typedef struct fuzz_input {
  const uint8_t *at;
  size_t left;
} fuzz_input;

static inline uint8_t fuzz_byte(fuzz_input *in) {
  if (in->left == 0) {
    return 0;
  }
  in->left--;
  return *in->at++;
}

/* A number below `end`, which is at most 65536. */
static inline uint32_t fuzz_below(fuzz_input *in, uint32_t end) {
  uint32_t value = fuzz_byte(in);
  return (end > 256 ? value << 8 | fuzz_byte(in) : value) % end;
}

static inline void fuzz_fill(fuzz_input *in, void *to, size_t length) {
  for (size_t i = 0; i < length; i++) {
    ((uint8_t *)to)[i] = fuzz_byte(in);
  }
}

static inline uint32_t fuzz_word(fuzz_input *in) {
  uint32_t value = 0;
  fuzz_fill(in, &value, sizeof value);
  return value;
}

#endif /* FUZZ_H */
