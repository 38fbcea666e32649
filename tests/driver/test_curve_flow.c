/* SPDX-License-Identifier: Apache-2.0
 *
 * test_curve_flow.c: as test_flow.c, jobs of `multicurve` and numbers of `mpu`, all of them secret. Prints the number
 * of checks made.
 */
#include <valgrind/memcheck.h>

#include "check.h"
#include "curve_backend.h"
#include "mpu_fake.h"
#include "pm_curve.h"
#include "pm_curve_ops.h"

enum { JOBS = 8, NUMBERS = 3, TIMEOUT = 100000 };

static void test_curve(void) {
  static uint8_t numbers[JOBS][NUMBERS * PM_NUMBER_BYTES];
  pm_curve_job jobs[JOBS];
  pm_curve_result results[JOBS];
  pm_curve_device *dev = NULL;
  CHECK(pm_curve_open("fake", NULL, &dev) == PM_OK);
  VALGRIND_MAKE_MEM_UNDEFINED(numbers, sizeof numbers);
  for (size_t i = 0; i < JOBS; i++) { /* the back-end answers op % 4 of the numbers */
    jobs[i] = (pm_curve_job){.tag = i, .op = 4 + (uint32_t)i % 3, .flags = PM_CURVE_FLAG_SECRET, .count = NUMBERS,
                             .numbers = numbers[i]};
  }
  CHECK(pm_curve_batch(dev, jobs, JOBS, TIMEOUT, NULL, NULL, results) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    const size_t length = i % 3 * PM_NUMBER_BYTES;
    CHECK(results[i].tag == i && results[i].reason == 0 && results[i].count == i % 3);
    for (size_t byte = 0; byte < sizeof results[i].numbers; byte++) {
      uint8_t bits = 0;
      VALGRIND_GET_VBITS(results[i].numbers + byte, &bits, 1);
      CHECK(byte >= length || bits != 0); /* memcheck has followed it */
    }
  }
  pm_curve_close(dev);
}

static void test_mpu(void) {
  mpu_fake core;
  pm_mpu mpu;
  uint32_t words[PM_MPU_WORDS] = {0}, back[PM_MPU_WORDS] = {0};
  mpu_fake_init(&core);
  CHECK(pm_mpu_open(&mpu, &mpu_fake_backend, &core, TIMEOUT, false) == PM_OK);
  for (uint32_t entry = 0; entry < PM_MPU_ENTRIES; entry++) {
    VALGRIND_MAKE_MEM_UNDEFINED(words, sizeof words);
    CHECK(pm_mpu_put(&mpu, entry, words) == PM_OK);
    CHECK(pm_mpu_get(&mpu, entry, back) == PM_OK);
    uint32_t bits = 0;
    VALGRIND_GET_VBITS(&back[PM_MPU_WORDS - 1], &bits, sizeof bits);
    CHECK(bits != 0);
  }
}

int main(void) {
  CHECK(RUNNING_ON_VALGRIND != 0);
  test_curve();
  test_mpu();
  printf("%lu checks\n", checks);
  return 0;
}
