/* SPDX-License-Identifier: Apache-2.0
 *
 * test_step.c: unit test of a step of the driver (pm_step), of wiping, and of memory that is used up. Linked with
 * --wrap=malloc. Prints the number of checks made; a failed check prints its line and ends with status 1.
 */
#include "../../sw/src/device.h"
#include "check.h"

static pm_error broken_advance(void *state, uint64_t cycles, uint64_t *spent) {
  (void)state;
  (void)cycles;
  *spent = 0;
  return PM_ERR_IO;
}

/* The clock does not run while packets move, nor for no cycles; its error is that of the step. */
static void test_steps(void) {
  static const uint8_t pk[PM_WORD_BYTES], sig[PM_SIGNATURE_BYTES];
  const pm_job job = {.tag = 1, .pk = pk, .pk_len = sizeof pk, .sig = sig, .sig_len = sizeof sig};
  pm_device *dev = NULL;
  CHECK(pm_open("fake", "paper,latency=1000", &dev) == PM_OK);
  uint64_t spent = 9;
  bool moved = false;
  CHECK(pm_submit(dev, &job) == PM_OK);
  CHECK(pm_step(dev, 100, &spent, &moved) == PM_OK && moved && spent == 0);
  while (moved) {
    CHECK(pm_step(dev, 0, &spent, &moved) == PM_OK && spent == 0);
  }
  CHECK(pm_step(dev, 0, &spent, &moved) == PM_OK && !moved && spent == 0);
  CHECK(pm_step(dev, 100, &spent, &moved) == PM_OK && spent == 100);
  pm_backend broken = *dev->backend;
  const pm_backend *whole = dev->backend;
  broken.advance = broken_advance;
  dev->backend = &broken;
  CHECK(pm_step(dev, 100, &spent, &moved) == PM_ERR_IO && spent == 0);
  dev->backend = whole;
  pm_close(dev);
}

static bool exhausted;

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);

void *__wrap_malloc(size_t bytes) { return exhausted ? NULL : __real_malloc(bytes); }

/* A job for which there is no memory is refused, and the device goes on. */
static void test_no_memory(void) {
  static const uint8_t pk[PM_WORD_BYTES], sig[PM_SIGNATURE_BYTES];
  const pm_job job = {.tag = 1, .pk = pk, .pk_len = sizeof pk, .sig = sig, .sig_len = sizeof sig};
  pm_device *dev = NULL;
  CHECK(pm_open("fake", "", &dev) == PM_OK);
  exhausted = true;
  CHECK(pm_submit(dev, &job) == PM_ERR_MEMORY && dev->in_slots == 0);
  exhausted = false;
  CHECK(pm_submit(dev, &job) == PM_OK && dev->in_slots == 1);
  pm_close(dev);
}

static void test_wiping(void) {
  uint8_t bytes[] = {1, 2, 3, 4, 5};
  pm_wipe(bytes + 1, 1);
  CHECK(bytes[0] == 1 && bytes[1] == 0 && bytes[2] == 3);
  pm_wipe(bytes + 3, 2);
  CHECK(bytes[2] == 3 && bytes[3] == 0 && bytes[4] == 0);
  pm_wipe(NULL, 0);
}

int main(void) {
  test_steps();
  test_no_memory();
  test_wiping();
  printf("%lu checks\n", checks);
  return 0;
}
