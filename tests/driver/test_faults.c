/* SPDX-License-Identifier: Apache-2.0
 *
 * test_faults.c: unit test of libpointmill on the fake back-end: results that contradict, are late, lost or
 * doubled, soft resets, and cores that take nothing. Prints the number of checks made.
 */
#include "../../sw/src/regs.h"
#include "sample.h"

/* A progress function that changes the tags of all jobs that wait for their answers. */
static int spoil_tags(void *context, size_t done, size_t total) {
  pm_device *dev = context;
  CHECK(done <= total);
  for (int i = 0; i < PM_QUEUE_DEPTH; i++) {
    dev->slots[i].tag += UINT64_C(1) << 40;
  }
  return 0;
}

/* A result with a tag that was not given out, as from a driver with a defect. */
static void test_foreign_tag(void) {
  sample s[2];
  pm_job jobs[2];
  pm_result results[2];
  size_t count;
  pm_device *dev = open_fake("latency=5000");
  for (size_t i = 0; i < 2; i++) {
    make(&s[i], 7 + i, 20, 1, "");
    jobs[i] = s[i].job;
  }
  CHECK(pm_set_progress(dev, spoil_tags, dev) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, 2, results) == PM_ERR_PROTOCOL);
  CHECK(results[0].valid && results[0].tag == 7);
  CHECK(!results[1].valid && results[1].reason == PM_REASON_ABORTED && results[1].tag == 8);
  CHECK(pm_outstanding(dev, &count) == PM_OK && count == 0);
  CHECK(pm_set_progress(dev, NULL, NULL) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, 2, results) == PM_OK && results[1].valid);
  pm_close(dev);
  free(s[0].msg);
  free(s[1].msg);
}

/* One misbehaving job between two good ones. */
static void test_faults(void) {
  static const struct {
    const char *word;
    pm_error error;
    uint32_t reason;
    uint64_t strays;
  } cases[] = {
      {"!hang", PM_ERR_TIMEOUT, PM_REASON_ABORTED, 0},
      {"!dead", PM_ERR_TIMEOUT, PM_REASON_ABORTED, 0},
      {"!long", PM_ERR_TIMEOUT, PM_REASON_ABORTED, 1},
      {"!late", PM_OK, PM_REASON_OK, 0},
      {"!stray", PM_OK, PM_REASON_OK, 1},
      {"!again", PM_OK, PM_REASON_OK, 1},
      {"!both", PM_ERR_PROTOCOL, PM_REASON_ABORTED, 0},
      {"!rule", PM_ERR_PROTOCOL, PM_REASON_ABORTED, 0},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pm_device *dev = open_fake("");
    sample s[3];
    pm_job jobs[3];
    pm_result results[3];
    for (size_t i = 0; i < 3; i++) {
      make(&s[i], i, 20, 1, i == 1 ? cases[c].word : "");
      jobs[i] = s[i].job;
    }
    CHECK(pm_set_batch_timeout(dev, 20000) == PM_OK);
    CHECK(pm_verify_batch(dev, jobs, 3, results) == cases[c].error);
    CHECK(results[0].valid && results[2].valid);
    CHECK(results[1].reason == cases[c].reason && results[1].tag == 1);
    CHECK(results[1].valid == (cases[c].reason == PM_REASON_OK));
    CHECK(pm_verify_batch(dev, jobs, 1, results) == PM_OK && results[0].valid);
    CHECK(pm_verify_batch(dev, jobs + 2, 1, results) == PM_OK && results[0].valid);
    pm_device_info info;
    CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == cases[c].strays);
    uint32_t resets = 0;
    CHECK(pm_read_reg(dev, PM_REG_IRQ_STATUS, &resets) == PM_OK);
    CHECK(resets == (cases[c].error == PM_ERR_TIMEOUT));
    pm_close(dev);
    for (int i = 0; i < 3; i++) {
      free(s[i].msg);
    }
  }
}

static void test_soft_reset(void) {
  enum { N = 50 };
  pm_device *dev = open_fake("latency=500,room=200");
  sample s[N], big;
  pm_result result;
  make(&big, 77, 1 << 20, 1, "");
  for (int i = 0; i < N; i++) {
    make(&s[i], (uint64_t)i, 50, 1, "");
    CHECK(pm_submit(dev, &s[i].job) == PM_OK);
  }
  CHECK(pm_run(dev, 3000) == PM_OK);
  CHECK(pm_soft_reset(dev) == PM_OK);
  int seen[N] = {0}, aborted = 0, valid = 0;
  for (int i = 0; i < N; i++) {
    CHECK(pm_wait(dev, 10000, &result) == PM_OK);
    CHECK(result.tag < N && !seen[result.tag]);
    seen[result.tag] = 1;
    aborted += result.reason == PM_REASON_ABORTED;
    valid += result.valid;
  }
  CHECK(valid >= 5 && aborted >= 30 && valid + aborted == N);
  CHECK(pm_poll(dev, &result) == PM_ERR_IDLE);
  CHECK(pm_submit(dev, &big.job) == PM_OK); /* reset in the middle of a packet */
  CHECK(pm_submit(dev, &s[0].job) == PM_OK);
  CHECK(pm_run(dev, 50) == PM_OK);
  CHECK(pm_soft_reset(dev) == PM_OK);
  CHECK(pm_wait(dev, 100000, &result) == PM_OK && result.tag == 0);
  CHECK(result.reason == PM_REASON_ABORTED);
  CHECK(pm_wait(dev, 100000, &result) == PM_OK && result.tag == 77);
  CHECK(result.reason == PM_REASON_ABORTED); /* the rest of its packet is still to be sent */
  CHECK(pm_submit(dev, &s[1].job) == PM_OK);
  CHECK(pm_wait(dev, 10000, &result) == PM_OK && result.valid && result.tag == 1);
  pm_close(dev);
  free(big.msg);
  for (int i = 0; i < N; i++) {
    free(s[i].msg);
  }
}

/* A core that takes nothing, or too slowly: the batch ends, and so does its half-sent packet. */
static void test_stuck_sending(void) {
  sample small, big;
  pm_result results[3];
  size_t seen = 0;
  make(&small, 1, 40, 1, "");
  make(&big, 2, 10 << 20, 1, "!zombie");
  pm_job jobs[3] = {small.job, big.job, small.job};
  pm_device *dev = open_fake("room=0");
  CHECK(pm_set_batch_timeout(dev, 1000) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, 3, results) == PM_ERR_TIMEOUT);
  for (int i = 0; i < 3; i++) {
    CHECK(results[i].reason == PM_REASON_ABORTED && results[i].tag == jobs[i].tag);
  }
  pm_close(dev);

  dev = open_fake("room=8");
  CHECK(pm_set_progress(dev, count_progress, &seen) == PM_OK);
  stop_after = 1;
  CHECK(pm_verify_batch(dev, jobs, 3, results) == PM_ERR_CANCELLED);
  stop_after = 0;
  CHECK(results[0].valid && results[1].reason == PM_REASON_ABORTED);
  CHECK(results[2].reason == PM_REASON_ABORTED);
  CHECK(pm_set_progress(dev, NULL, NULL) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, 1, results) == PM_OK && results[0].valid);
  CHECK(pm_run(dev, 3000000) == PM_OK);
  pm_device_info info;
  CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == 1); /* of the packet given up */
  pm_close(dev);
  free(small.msg);
  free(big.msg);
}

/* The answer to a job that was given up comes when its slot has another job. */
static void test_late_answer(void) {
  pm_device *dev = open_fake("");
  sample zombie, hung;
  pm_result result;
  size_t count;
  make(&zombie, 1, 20, 1, "!zombie");
  make(&hung, 2, 20, 1, "!hang");
  CHECK(pm_set_batch_timeout(dev, 1000) == PM_OK);
  CHECK(pm_verify_batch(dev, &zombie.job, 1, &result) == PM_ERR_TIMEOUT);
  CHECK(result.reason == PM_REASON_ABORTED);
  CHECK(pm_submit(dev, &hung.job) == PM_OK);
  CHECK(pm_run(dev, 3000000) == PM_OK);
  CHECK(pm_poll(dev, &result) == PM_ERR_AGAIN);
  pm_device_info info;
  CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == 1);
  CHECK(pm_soft_reset(dev) == PM_OK);
  CHECK(pm_wait(dev, 1000, &result) == PM_OK);
  CHECK(result.tag == 2 && result.reason == PM_REASON_ABORTED);
  CHECK(pm_outstanding(dev, &count) == PM_OK && count == 0);
  pm_close(dev);
  free(zombie.msg);
  free(hung.msg);
}

/* Many soft resets within packets: no slot is lost, a second answer is not counted. */
static void test_resets_within_packets(void) {
  pm_device *dev = open_fake("room=64");
  sample s;
  pm_result result;
  pm_device_info info;
  size_t count;
  make(&s, 9, 2000, 1, "!again");
  for (size_t i = 1; i <= pm_queue_depth() + 10; i++) {
    CHECK(pm_submit(dev, &s.job) == PM_OK);
    CHECK(pm_run(dev, 5) == PM_OK);
    CHECK(pm_soft_reset(dev) == PM_OK);
    CHECK(pm_wait(dev, 1000, &result) == PM_OK && result.reason == PM_REASON_ABORTED);
    CHECK(pm_run(dev, 100) == PM_OK);
    CHECK(pm_outstanding(dev, &count) == PM_OK && count == 0);
    CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == i);
  }
  pm_close(dev);
  free(s.msg);
}

int main(void) {
  test_foreign_tag();
  test_faults();
  test_soft_reset();
  test_stuck_sending();
  test_late_answer();
  test_resets_within_packets();
  printf("%lu checks\n", checks);
  return 0;
}
