/* SPDX-License-Identifier: Apache-2.0
 *
 * test_uio.c: unit test of the back-end uio on a simulated AXI DMA: batches in all sizes, and each fault of the DMA,
 * its interrupt and the files. Argument: a folder. Prints the number of checks made.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <sys/stat.h>

#include "../../sw/src/regs.h"
#include "fake_dma.h"
#include "sample.h"

enum { JOBS = 24 };

static const char *folder;
static sample samples[JOBS];
static pm_job jobs[JOBS];

/* Packets of one slot, of several, and of one slot and a word. */
static void make_jobs(void) {
  for (size_t i = 0; i < JOBS; i++) {
    make(&samples[i], i, i == 3 ? 3996 : i % 4 == 3 ? 3000 * i : 5 * i, i % 3 != 0, "");
    jobs[i] = samples[i].job;
  }
}

static const char *begin(void) { return fake_begin(folder, "u-dma-buf/buffer/phys_addr", "0x3e900000\n"); }

static pm_device *open_uio(const char *config) {
  pm_device *dev = NULL;
  CHECK(pm_open("uio", config, &dev) == PM_OK);
  CHECK(pm_set_batch_timeout(dev, 10000000) == PM_OK);
  return dev;
}

/* A batch whose results are all right. */
static void right_batch(pm_device *dev) {
  pm_result results[JOBS];
  CHECK(pm_verify_batch(dev, jobs, JOBS, results) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    CHECK(results[i].tag == i && results[i].valid == (i % 3 != 0));
    CHECK(results[i].reason == (i % 3 != 0 ? PM_REASON_OK : PM_REASON_EQUATION_FAILS));
  }
}

static void test_batches(void) {
  pm_device *dev = open_uio(begin());
  for (int i = 0; i < 10; i++) { /* the rings go round */
    right_batch(dev);
  }
  CHECK(fake.complaints == 0 && fake.interrupts > 10 && fake.interrupts <= fake.waits);
  CHECK(fake.transfers[0] > 2 * fake.transfers[1] && fake.transfers[1] == 10 * JOBS);
  pm_counter_values values;
  CHECK(pm_counters(dev, &values) == PM_OK && values.jobs == 10 * JOBS);
  pm_device_info info;
  CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == 0);
  CHECK(info.elapsed_cycles > 1000 && info.elapsed_cycles <= fake.nanoseconds / 10);
  CHECK(fake_left() == 0);
  pm_close(dev);
  CHECK(fake.complaints == 0);
  fake_end();
}

/* A packet of many slots into a core that takes little at once: the interrupts of what was sent make room. */
static void test_back_pressure(void) {
  sample big;
  pm_result result;
  const char *config = begin();
  fake.core = "room=512,latency=100";
  pm_device *dev = open_uio(config);
  make(&big, 7, 3 << 20, 1, "");
  CHECK(pm_submit(dev, &big.job) == PM_OK);
  CHECK(pm_wait(dev, 100000000, &result) == PM_OK && result.tag == 7 && result.valid);
  CHECK(fake.complaints == 0 && fake.interrupts > 700 && fake.transfers[0] == 769);
  CHECK(fake.nanoseconds < (3 << 20) / 512 * 1000); /* it never waited for the time limit of a wait */
  pm_close(dev);
  fake_end();
  free(big.msg);
}

/* The DMA goes on while the driver looks: what ends just then wakes it too. */
static void test_busy_host(void) {
  sample big;
  pm_result result;
  const char *config = begin();
  fake.core = "room=1048576,latency=100";
  pm_device *dev = open_uio(config);
  make(&big, 7, 3 << 20, 1, "");
  fake.between = 100000;
  CHECK(pm_submit(dev, &big.job) == PM_OK);
  CHECK(pm_wait(dev, 100000000, &result) == PM_OK && result.valid);
  CHECK(fake.complaints == 0 && fake.transfers[0] == 769 && fake.nanoseconds < 20000000);
  pm_close(dev);
  fake_end();
  free(big.msg);
}

/* Secrets stay neither in the slots of jobs nor in those of results, also of jobs that nobody waits for. */
static void test_secrets(void) {
  pm_secret_job secrets[JOBS];
  pm_result results[JOBS];
  pm_device *dev = open_uio(begin());
  for (size_t i = 0; i < JOBS; i++) {
    secrets[i] = (pm_secret_job){.tag = i, .op = PM_OP_SIGN, .secret = samples[i].pk, .secret_len = 32,
                                 .msg = samples[i].msg, .msg_len = 5 * i};
  }
  CHECK(pm_secret_batch(dev, secrets, JOBS, results) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    CHECK(results[i].valid && results[i].length == 96 && results[i].payload[95] == samples[i].pk[0]);
  }
  CHECK(fake_left() == 0);
  CHECK(pm_secret_batch(dev, secrets, 1, results) == PM_OK && fake_left() == 0);
  CHECK(pm_submit_secret(dev, &secrets[1]) == PM_OK && pm_run(dev, 0) == PM_OK);
  CHECK(fake_left() > 0);
  pm_close(dev);
  CHECK(fake_left() == 0 && fake.complaints == 0);
  fake_end();
}

/* Every job ends, as valid only if it is; how the batch ends, and whether the device is usable as it is then. */
static void test_faults(void) {
  static const struct {
    fake_fault fault;
    bool on_results;
    pm_error error;
    bool usable;
  } cases[] = {
      {FAKE_INTERRUPTED, false, PM_OK, true},     {FAKE_LOST_INTERRUPT, false, PM_OK, true},
      {FAKE_SPURIOUS, false, PM_OK, true},        {FAKE_NO_INTERRUPT, false, PM_ERR_IO, false},
      {FAKE_GONE, false, PM_ERR_IO, false},       {FAKE_STUCK, false, PM_ERR_TIMEOUT, false},
      {FAKE_STUCK, true, PM_ERR_TIMEOUT, false},  {FAKE_HALTED, false, PM_ERR_IO, false},
      {FAKE_HALTED, true, PM_ERR_IO, false},      {FAKE_FAILED, false, PM_ERR_IO, false},
      {FAKE_FAILED, true, PM_ERR_IO, false},      {FAKE_SHORT, false, PM_ERR_IO, false},
      {FAKE_SHORT, true, PM_ERR_TIMEOUT, true},   {FAKE_EMPTY, false, PM_ERR_IO, false},
      {FAKE_EMPTY, true, PM_ERR_IO, false},       {FAKE_LONG, true, PM_ERR_IO, false},
      {FAKE_UNENDED, true, PM_ERR_TIMEOUT, true},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    for (unsigned after = 0; after < 9; after += 4) {
      pm_result results[JOBS];
      size_t told = 0, left = 1;
      const char *config = begin();
      pm_device *dev = open_uio(config);
      fake.fault = cases[c].fault;
      fake.on_results = cases[c].on_results;
      fake.after = after;
      CHECK(pm_verify_batch(dev, jobs, JOBS, results) == cases[c].error);
      for (size_t i = 0; i < JOBS; i++) {
        CHECK(results[i].tag == i && (!results[i].valid || i % 3 != 0));
        CHECK(results[i].valid == (results[i].reason == PM_REASON_OK));
        told += results[i].reason != PM_REASON_ABORTED;
      }
      CHECK(cases[c].error == PM_OK ? told == JOBS : told < JOBS);
      CHECK(pm_outstanding(dev, &left) == PM_OK && left == 0);
      CHECK(fake.nanoseconds < 2000000000);
      if (cases[c].usable) {
        fake.fault = FAKE_NONE;
        right_batch(dev);
      }
      pm_close(dev);
      fake.fault = FAKE_NONE;
      dev = open_uio(config); /* a new opening mends it */
      right_batch(dev);
      pm_close(dev);
      CHECK(fake.complaints == 0 && fake_left() == 0);
      fake_end();
    }
  }
}

/* Whatever goes wrong afterwards too, every call says so. */
static void test_stays_broken(void) {
  pm_result result;
  pm_device *dev = open_uio(begin());
  fake.fault = FAKE_FAILED;
  fake.on_results = true;
  CHECK(pm_submit(dev, &jobs[1]) == PM_OK && pm_submit(dev, &jobs[2]) == PM_OK);
  CHECK(pm_wait(dev, 1000000, &result) == PM_ERR_IO);
  fake.fault = FAKE_NONE;
  for (int i = 0; i < 3; i++) {
    CHECK(pm_wait(dev, 1000000, &result) == PM_ERR_IO);
    CHECK(pm_run(dev, 1000) == PM_ERR_IO);
  }
  pm_close(dev);
  fake_end();
}

/* A program ended within a packet, and the DMA went on into its memory: the next one begins anew. */
static void test_left_running(void) {
  const char *config = begin();
  pm_device *dev = open_uio(config), *next;
  fake.core = "room=64";
  for (size_t i = 0; i < JOBS; i++) {
    CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
  }
  CHECK(pm_run(dev, 300) == PM_OK);
  next = open_uio(config);
  right_batch(next);
  CHECK(fake.complaints == 0 && fake_resets() == 1);
  pm_close(next);
  pm_close(dev);
  fake_end();
}

static void test_soft_reset(void) {
  pm_result result;
  pm_device *dev = open_uio(begin());
  size_t aborted = 0;
  for (size_t i = 0; i < JOBS; i++) {
    CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
  }
  CHECK(pm_run(dev, 500) == PM_OK);
  CHECK(pm_soft_reset(dev) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    CHECK(pm_wait(dev, 10000000, &result) == PM_OK);
    CHECK(result.reason == PM_REASON_ABORTED || result.valid == (result.tag % 3 != 0));
    aborted += result.reason == PM_REASON_ABORTED;
  }
  CHECK(aborted > 0 && aborted < JOBS);
  right_batch(dev);
  pm_close(dev);
  fake_end();
}

static void test_opening(void) {
  static const struct {
    const char *told_in, *address;
    fake_fault fault;
    pm_error error;
    const char *detail;
  } cases[] = {
      {"uio/buffer/maps/map0/addr", "0x1f000000\n", FAKE_NONE, PM_OK, ""},
      {"u-dma-buf/other/phys_addr", "0x1f000000\n", FAKE_NONE, PM_ERR_IO, "no address of"},
      {"u-dma-buf/buffer/phys_addr", "nothing\n", FAKE_NONE, PM_ERR_IO, "no address of"},
      {"u-dma-buf/buffer/phys_addr", "0x1f000040\n", FAKE_NONE, PM_ERR_CONFIG, "a multiple of 4096 below 4 GiB"},
      {"u-dma-buf/buffer/phys_addr", "0x800000000\n", FAKE_NONE, PM_ERR_CONFIG, "a multiple of 4096 below 4 GiB"},
      {"u-dma-buf/buffer/phys_addr", "0xfffff000\n", FAKE_NONE, PM_ERR_CONFIG, "a multiple of 4096 below 4 GiB"},
      {"u-dma-buf/buffer/phys_addr", "0x1f000000\n", FAKE_STAYS_IN_RESET, PM_ERR_DEVICE, "stays in reset"},
      {"u-dma-buf/buffer/phys_addr", "0x1f000000\n", FAKE_NO_RINGS, PM_ERR_DEVICE, "no scatter-gather"},
  };
  char path[512];
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pm_device *dev = NULL;
    (void)snprintf(path, sizeof path, "%s/%zu", folder, c);
    CHECK(mkdir(path, 0700) == 0 || errno == EEXIST);
    const char *config = fake_begin(path, cases[c].told_in, cases[c].address);
    fake.fault = cases[c].fault;
    CHECK(pm_open("uio", config, &dev) == cases[c].error);
    CHECK(strstr(pm_open_detail(), cases[c].detail) != NULL);
    if (dev != NULL) {
      right_batch(dev);
    }
    pm_close(dev);
    fake_end();
  }
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  folder = argv[1];
  make_jobs();
  test_batches();
  test_back_pressure();
  test_busy_host();
  test_secrets();
  test_faults();
  test_stays_broken();
  test_left_running();
  test_soft_reset();
  test_opening();
  for (size_t i = 0; i < JOBS; i++) {
    free(samples[i].msg);
  }
  printf("%lu checks\n", checks);
  return 0;
}
