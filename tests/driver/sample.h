/* SPDX-License-Identifier: Apache-2.0
 *
 * sample.h: jobs and devices for the C tests of verifications on the fake back-end.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdlib.h>
#include <string.h>

#include "../../sw/src/device.h"
#include "check.h"

typedef struct sample {
  uint8_t pk[32], sig[64];
  uint8_t *msg;
  pm_job job;
} sample;

static uint32_t random_state = 1;

static uint8_t random_byte(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint8_t)(random_state >> 24);
}

/* A job with random bytes that the fake core finds valid (or not); `word` starts the message. */
static void make(sample *s, uint64_t tag, size_t length, int valid, const char *word) {
  uint8_t sum = 0;
  s->msg = malloc(length + 1);
  CHECK(s->msg != NULL);
  for (size_t i = 0; i < length; i++) {
    s->msg[i] = i < strlen(word) ? (uint8_t)word[i] : random_byte();
    sum ^= s->msg[i];
  }
  for (int i = 0; i < 32; i++) {
    s->pk[i] = random_byte();
    s->sig[i] = random_byte();
    s->sig[32 + i] = random_byte();
    sum ^= s->pk[i] ^ s->sig[i];
  }
  s->sig[63] = 0;
  s->sig[32] = valid ? sum : (uint8_t)(sum ^ 1);
  s->job = (pm_job){.tag = tag, .rule = PM_RULE_REF10_BYTES, .pk = s->pk, .pk_len = 32,
                    .sig = s->sig, .sig_len = 64, .msg = s->msg, .msg_len = length};
}

static inline pm_device *open_fake(const char *config) {
  pm_device *dev = NULL;
  CHECK(pm_open("fake", config, &dev) == PM_OK);
  CHECK(dev != NULL);
  return dev;
}

/* A progress function that counts in a size_t and stops after some results, if that is not 0. */
static int stop_after;

static inline int count_progress(void *context, size_t done, size_t total) {
  size_t *seen = context;
  CHECK(done == *seen + 1 && done <= total);
  *seen = done;
  return stop_after != 0 && done == (size_t)stop_after;
}

#endif /* SAMPLE_H */
