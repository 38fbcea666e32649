/* SPDX-License-Identifier: Apache-2.0
 *
 * test_curve.c: pm_curve.h on a back-end that also responds wrongly, late or never.
 */
#include <malloc.h>
#include <string.h>

#include "../../sw/include/pm_curve.h"
#include "check.h"
#include "curve_backend.h"

enum { JOBS = 7, OP = 6, TIMEOUT = 1000 };

static uint8_t numbers[JOBS][PM_CURVE_OPERANDS * PM_NUMBER_BYTES];
static pm_curve_job jobs[JOBS];
static pm_curve_result results[JOBS];

/* Jobs of two operands, answered with both. */
static void make_jobs(void) {
  for (size_t i = 0; i < JOBS; i++) {
    for (size_t k = 0; k < sizeof numbers[i]; k++) {
      numbers[i][k] = (uint8_t)(17 * i + 3 * k + 1);
    }
    jobs[i] = (pm_curve_job){.tag = 1000 - i, .op = OP, .flags = (uint32_t)i % 4, .count = 2,
                             .numbers = numbers[i]};
  }
  memset(results, 0xaa, sizeof results);
}

static void check_right(size_t i) {
  CHECK(results[i].tag == jobs[i].tag && results[i].reason == 0);
  CHECK(results[i].cycles == 100 && results[i].count == 2);
  CHECK(results[i].infinity == (i & 1) && results[i].all_zero == (i >> 1 & 1));
  CHECK(memcmp(results[i].numbers, numbers[i], 2 * PM_NUMBER_BYTES) == 0);
}

/* Whether the memory of a device has the beginning of a number in it. */
static bool holds(pm_curve_device *dev, const uint8_t *number) {
  size_t length = malloc_usable_size(dev);
  for (size_t at = 0; at + 16 <= length; at++) {
    if (memcmp((const uint8_t *)dev + at, number, 16) == 0) {
      return true;
    }
  }
  return false;
}

static void check_aborted(size_t i) {
  CHECK(results[i].tag == jobs[i].tag && results[i].reason == 10 && results[i].count == 0);
  CHECK(results[i].cycles == 0 && !results[i].infinity && !results[i].all_zero);
}

static pm_curve_device *opened(void) {
  pm_curve_device *dev = NULL;
  CHECK(pm_curve_open("fake", NULL, &dev) == PM_OK && dev != NULL);
  return dev;
}

static pm_error batch(pm_curve_device *dev, size_t n) {
  return pm_curve_batch(dev, jobs, n, TIMEOUT, NULL, NULL, results);
}

static void test_opening(void) {
  pm_curve_device *dev = (pm_curve_device *)&jobs;
  CHECK(pm_curve_open("fake", "other", &dev) == PM_ERR_DEVICE && dev == NULL);
  CHECK(fake.opened == 1 && fake.closed == 1);
  (void)pm_open_failed(PM_ERR_IO, "of an earlier device");
  CHECK(pm_curve_open("none", "", &dev) == PM_ERR_BACKEND && dev == NULL);
  CHECK(pm_curve_open("fake", "broken", &dev) == PM_ERR_IO && dev == NULL);
  CHECK(pm_open_detail()[0] == '\0');
  CHECK(pm_curve_open(NULL, "", &dev) == PM_ERR_ARGUMENT && pm_curve_open("fake", "", NULL) == PM_ERR_ARGUMENT);
  pm_curve_close(NULL);
  dev = opened();
  uint32_t version = 0, config = 0;
  uint64_t elapsed = 1;
  CHECK(pm_curve_info(dev, &version, &config, &elapsed) == PM_OK);
  CHECK(version == 0x104 && config == 8 && elapsed == 0);
  uint32_t value = 0;
  CHECK(pm_curve_read_reg(dev, 0xfc, &value) == PM_OK && value == 0xfc);
  CHECK(pm_curve_read_reg(dev, 0x0e, &value) == PM_ERR_ADDRESS &&
        pm_curve_read_reg(dev, 0x100, &value) == PM_ERR_ADDRESS);
  CHECK(pm_curve_read_reg(NULL, 0, &value) == PM_ERR_ARGUMENT && pm_curve_read_reg(dev, 0, NULL) == PM_ERR_ARGUMENT);
  pm_curve_close(dev);
  CHECK(fake.opened == 2 && fake.closed == 2);
}

static void test_all_right(void) {
  pm_curve_device *dev = opened();
  for (int round = 0; round < 3; round++) {
    make_jobs();
    CHECK(batch(dev, JOBS) == PM_OK);
    for (size_t i = 0; i < JOBS; i++) {
      check_right(i);
    }
  }
  CHECK(batch(dev, 0) == PM_OK);
  CHECK(fake.jobs == 3 * JOBS && fake.resets == 0);
  jobs[0].option = ANSWER_REFUSED;
  CHECK(batch(dev, 2) == PM_OK);
  CHECK(results[0].reason == 6 && results[0].count == 0 && results[0].cycles == 100);
  check_right(1);
  pm_curve_close(dev);
}

/* The wrong answer is aborted, the ones before it stay, the device is usable. */
static void test_contradictions(void) {
  for (uint32_t option = ANSWER_OTHER_OP; option <= ANSWER_CUT; option++) {
    pm_curve_device *dev = opened();
    make_jobs();
    jobs[2].option = option;
    CHECK(batch(dev, JOBS) == PM_ERR_PROTOCOL);
    check_right(0);
    check_right(1);
    check_aborted(2);
    check_aborted(JOBS - 1);
    CHECK(fake.resets == 1 && fake.jobs < JOBS);
    jobs[2].option = ANSWER_RIGHT;
    CHECK(batch(dev, JOBS) == PM_OK);
    for (size_t i = 0; i < JOBS; i++) {
      check_right(i);
    }
    pm_curve_close(dev);
  }
  pm_curve_device *dev = opened();
  make_jobs();
  jobs[0].op = 7; /* three numbers: more than a result has */
  jobs[0].count = 3;
  CHECK(batch(dev, 1) == PM_ERR_PROTOCOL);
  check_aborted(0);
  pm_curve_close(dev);
}

static void test_foreign_and_late_answers(void) {
  pm_curve_device *dev = opened();
  make_jobs();
  jobs[3].option = ANSWER_OTHER_TAG_FIRST;
  CHECK(batch(dev, JOBS) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    check_right(i);
  }
  jobs[3].option = ANSWER_RIGHT;
  jobs[0].option = ANSWER_LATE;
  CHECK(batch(dev, 1) == PM_ERR_TIMEOUT && fake.resets == 1);
  check_aborted(0);
  jobs[0].option = ANSWER_RIGHT;
  memset(numbers[0], 0x55, sizeof numbers[0]);
  CHECK(batch(dev, 2) == PM_OK);
  check_right(0);
  check_right(1);
  pm_curve_close(dev);
}

static void test_silence(void) {
  pm_curve_device *dev = opened();
  make_jobs();
  jobs[1].option = ANSWER_NEVER;
  CHECK(batch(dev, 2) == PM_ERR_TIMEOUT);
  check_right(0);
  check_aborted(1);
  uint32_t word = 0;
  uint64_t elapsed = 0;
  CHECK(pm_curve_info(dev, &word, &word, &elapsed) == PM_OK);
  CHECK(elapsed >= 2 * TIMEOUT && elapsed < 3 * TIMEOUT && fake.resets == 1);
  pm_curve_close(dev);
}

static int stop_after_two(void *context, size_t done, size_t total) {
  CHECK(context == jobs && total == JOBS && done <= 2);
  return done == 2;
}

static void test_cancelled(void) {
  pm_curve_device *dev = opened();
  make_jobs();
  CHECK(pm_curve_batch(dev, jobs, JOBS, TIMEOUT, stop_after_two, jobs, results) == PM_ERR_CANCELLED);
  check_right(0);
  check_right(1);
  check_aborted(JOBS - 1);
  CHECK(fake.resets == 1 && fake.jobs < JOBS);
  CHECK(batch(dev, JOBS) == PM_OK);
  pm_curve_close(dev);
}

static void test_arguments(void) {
  pm_curve_device *dev = opened();
  const pm_curve_job wrong[] = {
      {.op = 256, .count = 1, .numbers = numbers[0]},
      {.option = 256, .count = 1, .numbers = numbers[0]},
      {.flags = 65536, .count = 1, .numbers = numbers[0]},
      {.count = 0, .numbers = numbers[0]},
      {.count = PM_CURVE_OPERANDS + 1, .numbers = numbers[0]},
      {.count = 1, .numbers = NULL},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    make_jobs();
    jobs[1] = wrong[i];
    CHECK(batch(dev, 2) == PM_ERR_ARGUMENT && results[0].tag == 0xaaaaaaaaaaaaaaaa);
  }
  make_jobs();
  CHECK(pm_curve_batch(dev, jobs, 1, 0, NULL, NULL, results) == PM_ERR_ARGUMENT);
  CHECK(pm_curve_batch(dev, NULL, 1, 1, NULL, NULL, results) == PM_ERR_ARGUMENT);
  CHECK(pm_curve_batch(dev, jobs, 1, 1, NULL, NULL, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_curve_batch(NULL, jobs, 1, 1, NULL, NULL, results) == PM_ERR_ARGUMENT);
  CHECK(fake.jobs == 0);
  jobs[0].op = 8;
  jobs[0].count = PM_CURVE_OPERANDS;
  CHECK(batch(dev, 1) == PM_OK && results[0].reason == 0 && results[0].count == 0);
  CHECK(!holds(dev, numbers[0]));
  pm_curve_close(dev);
}

int main(void) {
  test_opening();
  test_all_right();
  test_contradictions();
  test_foreign_and_late_answers();
  test_silence();
  test_cancelled();
  test_arguments();
  printf("%lu checks\n", checks);
  return 0;
}
