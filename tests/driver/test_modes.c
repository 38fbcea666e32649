/* SPDX-License-Identifier: Apache-2.0
 *
 * test_modes.c: unit test of the modes `batch` and `cached` on the fake back-end, which counts what it is asked
 * for: verdicts, which keys are loaded and when, loads that fail, seeds. Prints the number of checks made.
 */
#include "sample.h"

enum { LOADS = 0x80, HITS = 0x84, MISSES = 0x88, BATCHED = 0x8c, SEEDED = 0x90, MOST = 4000 };

static sample samples[MOST];
static pm_job jobs[MOST];
static pm_result results[MOST];

static uint32_t count(pm_device *dev, uint32_t address) {
  uint32_t value = 0;
  CHECK(pm_read_reg(dev, address, &value) == PM_OK);
  return value;
}

/* A key by its number; `word` starts it. Last byte 0xff: the core finds that it is none. */
static void key_bytes(uint8_t *pk, size_t number, const char *word, uint8_t last) {
  for (size_t i = 0; i < 32; i++) {
    pk[i] = i < strlen(word) ? (uint8_t)word[i] : (uint8_t)(number * 37 + i);
  }
  pk[30] = (uint8_t)number;
  pk[31] = last;
}

/* Gives sample i another key; its verdict stays. */
static void rekey(size_t i, size_t number, const char *word, uint8_t last) {
  uint8_t sum = 0;
  for (int j = 0; j < 32; j++) {
    sum ^= samples[i].pk[j];
  }
  key_bytes(samples[i].pk, number, word, last);
  for (int j = 0; j < 32; j++) {
    sum ^= samples[i].pk[j];
  }
  samples[i].sig[32] ^= sum;
}

static void make_all(size_t n) {
  for (size_t i = 0; i < n; i++) {
    make(&samples[i], 5 * i, i % 23, i % 4 != 0, "");
    jobs[i] = samples[i].job;
  }
}

static void free_all(size_t n) {
  for (size_t i = 0; i < n; i++) {
    free(samples[i].msg);
  }
}

/* Every job has its own verdict, as an ordinary verification. */
static void check_results(size_t n) {
  for (size_t i = 0; i < n; i++) {
    CHECK(results[i].tag == 5 * i && results[i].rule == jobs[i].rule);
    CHECK(results[i].op == PM_OP_VERIFY && results[i].cycles != 0);
    CHECK(results[i].reason == (i % 4 != 0 ? PM_REASON_OK : PM_REASON_EQUATION_FAILS));
    CHECK(results[i].valid == (i % 4 != 0));
  }
}

static void test_refused(void) {
  static const struct {
    const char *config;
    bool batch, cached;
  } cores[] = {{"", false, false}, {"keys=3", false, true}, {"batch=6", true, false},
               {"keys=1,batch=1", true, true}};
  for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
    pm_device *dev = open_fake(cores[i].config);
    CHECK(pm_set_mode(dev, PM_MODE_BATCH) == (cores[i].batch ? PM_OK : PM_ERR_MODE));
    CHECK(pm_set_mode(dev, PM_MODE_CACHED) == (cores[i].cached ? PM_OK : PM_ERR_MODE));
    CHECK(pm_set_mode(dev, PM_MODE_SINGLE) == PM_OK);
    CHECK(pm_set_mode(dev, (pm_mode)3) == PM_ERR_ARGUMENT);
    CHECK(pm_set_mode(NULL, PM_MODE_SINGLE) == PM_ERR_ARGUMENT);
    pm_close(dev);
  }
}

static void test_packets(void) {
  uint8_t packet[120], pk[32];
  pm_request request;
  make(&samples[0], 1, 9, 1, "");
  CHECK(pm_request_verify(&samples[0].job, &request) == PM_OK && request.slot == 0);
  request.op = PM_OP_VERIFY_CACHED;
  request.slot = 0x1234;
  CHECK(pm_packet_length(&request) == 113);
  pm_pack(&request, 0x89abcdef, packet);
  static const uint8_t cached[8] = {4, 6, 0x34, 0x12, 0xef, 0xcd, 0xab, 0x89};
  CHECK(memcmp(packet, cached, 8) == 0);
  CHECK(memcmp(packet + 72, samples[0].pk, 32) == 0 && memcmp(packet + 104, samples[0].msg, 9) == 0);
  key_bytes(pk, 7, "", 0);
  request = pm_request_key(pk, 0x0102);
  CHECK(request.packable && pm_packet_length(&request) == 40);
  pm_pack(&request, 1, packet);
  static const uint8_t load[8] = {0, 5, 2, 1, 1, 0, 0, 0};
  CHECK(memcmp(packet, load, 8) == 0 && memcmp(packet + 8, pk, 32) == 0);
  free_all(1);
}

/* Most jobs that were outstanding in a batch. */
static size_t most;

static int watch(void *context, size_t done, size_t total) {
  size_t outstanding = 0;
  CHECK(pm_outstanding(context, &outstanding) == PM_OK && done <= total);
  most = outstanding > most ? outstanding : most;
  return 0;
}

/* All verifications go out as verify_batch, many of them at once, malformed ones among them. */
static void test_batch(void) {
  pm_device *dev = open_fake("batch=6,room=65536");
  make_all(MOST);
  CHECK(pm_set_progress(dev, watch, dev) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, 300, results) == PM_OK);
  check_results(300);
  CHECK(most <= 64 && count(dev, BATCHED) == 0);
  CHECK(pm_set_mode(dev, PM_MODE_BATCH) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, MOST, results) == PM_OK);
  check_results(MOST);
  CHECK(most > 640 && most <= pm_queue_depth());
  CHECK(count(dev, BATCHED) == MOST && count(dev, SEEDED) == MOST);
  jobs[1].pk_len = 31;
  jobs[3].rule = 7;
  CHECK(pm_verify_batch(dev, jobs, 10, results) == PM_OK);
  for (int i = 0; i < 10; i++) {
    bool malformed = i == 1 || i == 3;
    CHECK((results[i].reason == PM_REASON_MALFORMED_JOB) == malformed);
    CHECK(results[i].op == PM_OP_VERIFY && (malformed || results[i].valid == (i % 4 != 0)));
  }
  uint8_t seed[32] = {1, 2, 3};
  pm_secret_job keygen = {.op = PM_OP_KEYGEN, .secret = seed, .secret_len = 32};
  CHECK(pm_secret_batch(dev, &keygen, 1, results) == PM_OK && results[0].length == 32);
  CHECK(count(dev, LOADS) == 0 && count(dev, HITS) + count(dev, MISSES) == 0);
  pm_close(dev);
  free_all(MOST);
}

/* Eight keys come often, others once: each of the eight is loaded once, at its first use. */
static void test_frequent_keys(void) {
  enum { N = 600 };
  pm_device *dev = open_fake("keys=3");
  unsigned often = 0;
  make_all(N);
  for (size_t i = 0; i < N; i++) {
    if (random_byte() % 3 != 0) {
      rekey(i, i % 8, "", 0);
      often++;
    }
  }
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
  check_results(N);
  CHECK(count(dev, LOADS) + count(dev, HITS) + count(dev, MISSES) == 0);
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  for (unsigned round = 1; round <= 3; round++) {
    CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
    check_results(N);
    CHECK(count(dev, LOADS) == 8 && count(dev, HITS) == round * often);
  }
  CHECK(count(dev, MISSES) == 0);
  CHECK(pm_set_mode(dev, PM_MODE_SINGLE) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
  CHECK(count(dev, HITS) == 3 * often);
  pm_close(dev);
  free_all(N);
}

/* More keys than slots, all as often: a load happens only for a key that was asked for more. */
/* A malformed job has no key that counts, in whatever mode. */
static void test_malformed_jobs(void) {
  pm_device *dev = open_fake("keys=2");
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  make_all(12);
  jobs[3].pk_len = 31;
  jobs[6].pk = NULL;
  CHECK(pm_verify_batch(dev, jobs, 12, results) == PM_OK);
  for (size_t i = 0; i < 12; i++) {
    CHECK((results[i].reason == PM_REASON_MALFORMED_JOB) == (i == 3 || i == 6) && results[i].tag == 5 * i);
  }
  free_all(12);
  pm_close(dev);
}

static void test_more_keys_than_slots(void) {
  pm_device *dev = open_fake("keys=2,batch=3");
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  make_all(MOST);
  for (size_t i = 0; i < MOST; i++) {
    rekey(i, random_byte() % 40, "", 0);
  }
  CHECK(pm_verify_batch(dev, jobs, MOST, results) == PM_OK);
  check_results(MOST);
  CHECK(count(dev, LOADS) >= 4 && count(dev, LOADS) <= MOST / 50);
  CHECK(count(dev, HITS) > MOST / 20 && count(dev, MISSES) == 0);
  uint32_t loads = count(dev, LOADS);
  for (size_t i = 0; i < MOST; i++) { /* later other keys come, and take the slots */
    rekey(i, 100 + i % 4, "", 0);
  }
  CHECK(pm_verify_batch(dev, jobs, MOST, results) == PM_OK);
  check_results(MOST);
  CHECK(count(dev, LOADS) > loads && count(dev, LOADS) <= loads + 12);
  CHECK(count(dev, HITS) > MOST * 3 / 4);
  pm_close(dev);
  free_all(MOST);
}

/* A key that is none is asked for again now and then; its jobs have their own verdicts. */
static void test_bad_key(void) {
  enum { N = 200 };
  pm_device *dev = open_fake("keys=3");
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  make_all(N);
  for (size_t i = 0; i < N; i++) {
    rekey(i, i % 2, "", i % 2 == 0 ? 0xff : 0);
  }
  for (size_t i = 0; i < N; i++) {
    pm_result result;
    CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
    CHECK(pm_wait(dev, 10000, &result) == PM_OK && result.tag == jobs[i].tag);
    CHECK(result.valid == (i % 4 != 0));
  }
  CHECK(count(dev, LOADS) > 2 && count(dev, LOADS) <= 1 + N / 2 / PM_LOAD_PAYS);
  CHECK(count(dev, HITS) == N / 2 - (PM_LOAD_PAYS - 1));
  pm_close(dev);
  free_all(N);
}

/* Loads that are lost or contradict themselves: no job is, and the queue keeps its room. */
static void test_failing_loads(void) {
  static const struct {
    const char *word;
    uint64_t strays;
    bool ends;
  } cases[] = {{"!hang", 0, false}, {"!dead", 0, false}, {"!both", 8, true}, {"!rule", 8, true},
               {"!again", 8, true}};
  enum { N = 1024 };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    pm_device *dev = open_fake("keys=4,room=65536");
    pm_device_info info;
    pm_result result;
    size_t outstanding;
    make_all(N);
    for (size_t i = 0; i < N; i++) {
      rekey(i, i % 32, cases[c].word, 0);
    }
    CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
    for (size_t i = 0; i < N; i++) {
      CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
    }
    CHECK(pm_submit(dev, &jobs[0]) == PM_ERR_FULL);
    CHECK(pm_outstanding(dev, &outstanding) == PM_OK && outstanding == N);
    for (size_t i = 0; i < N; i++) {
      CHECK(pm_wait(dev, 100000, &result) == PM_OK && result.tag == 5 * i);
      CHECK(result.valid == (i % 4 != 0));
    }
    CHECK(pm_poll(dev, &result) == PM_ERR_IDLE);
    CHECK(count(dev, LOADS) == PM_LOADS);
    CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == cases[c].strays);
    CHECK((dev->keys.loads == 0) == cases[c].ends);
    CHECK(pm_soft_reset(dev) == PM_OK && pm_run(dev, 100) == PM_OK);
    CHECK((dev->keys.loads == 0) == (strcmp(cases[c].word, "!dead") != 0));
    for (size_t i = 0; i < 64; i++) {
      rekey(i, 77, "", 0);
    }
    CHECK(pm_verify_batch(dev, jobs, 64, results) == PM_OK);
    check_results(64);
    CHECK((count(dev, LOADS) == PM_LOADS) == (dev->keys.loads != 0));
    pm_close(dev);
    free_all(N);
  }
}

/* After a soft reset nothing is taken for loaded, whatever answers come of loads before it. */
static void test_soft_reset(void) {
  enum { N = 100 };
  pm_device *dev = open_fake("keys=3,latency=500");
  pm_result result;
  size_t outstanding;
  make_all(N);
  for (size_t i = 0; i < N; i++) {
    rekey(i, i % 2, "", 0);
  }
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
  CHECK(count(dev, LOADS) == 2 && count(dev, HITS) == N);
  for (uint64_t cycles = 0; cycles < 3000; cycles += 250) {
    uint32_t loads = count(dev, LOADS);
    size_t aborted = 0;
    CHECK(pm_soft_reset(dev) == PM_OK);
    for (size_t i = 0; i < 20; i++) {
      CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
    }
    CHECK(pm_run(dev, cycles) == PM_OK);
    CHECK(count(dev, LOADS) == loads + 2);
    CHECK(pm_soft_reset(dev) == PM_OK);
    for (size_t i = 0; i < 20; i++) { /* before anything of the reset was received */
      CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
    }
    for (size_t i = 0; i < 40; i++) {
      CHECK(pm_wait(dev, 100000, &result) == PM_OK);
      aborted += result.reason == PM_REASON_ABORTED;
      CHECK(result.reason == PM_REASON_ABORTED || result.valid == (result.tag / 5 % 4 != 0));
    }
    CHECK(aborted >= 20 - cycles / 500 && aborted <= 20);
    CHECK(pm_outstanding(dev, &outstanding) == PM_OK && outstanding == 0);
    CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
    check_results(N);
    CHECK(count(dev, LOADS) == loads + 4);
  }
  pm_device_info info;
  CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == 0);
  pm_close(dev);
  free_all(N);
}

/* Keys that are not asked for any more give way, however often they were. */
static void test_old_keys(void) {
  pm_device *dev = open_fake("keys=1");
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  make_all(MOST);
  for (size_t round = 0; round < 6; round++) {
    uint32_t hits = count(dev, HITS);
    for (size_t i = 0; i < MOST; i++) {
      rekey(i, round / 3 * 2 + i % 2, "", 0);
    }
    CHECK(pm_verify_batch(dev, jobs, MOST, results) == PM_OK);
    check_results(MOST);
    CHECK(round % 3 != 2 || count(dev, HITS) == hits + MOST);
  }
  CHECK(count(dev, LOADS) == 4 && count(dev, MISSES) == 0);
  pm_close(dev);
  free_all(MOST);
}

/* A batch that fails in the middle leaves no load behind. */
static void test_cancelled(void) {
  enum { N = 300 };
  size_t seen = 0;
  pm_device_info info;
  pm_device *dev = open_fake("keys=3,room=64");
  make_all(N);
  for (size_t i = 0; i < N; i++) {
    rekey(i, i % 6, "", 0);
  }
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_OK);
  CHECK(pm_set_progress(dev, count_progress, &seen) == PM_OK);
  for (stop_after = 1; stop_after < 20; stop_after++) {
    seen = 0;
    CHECK(pm_verify_batch(dev, jobs, N, results) == PM_ERR_CANCELLED);
    CHECK(dev->keys.loads == 0);
  }
  for (size_t i = 0; i < 20; i++) { /* at the last job, when the load is not answered yet */
    rekey(i, 50, "!late", 0);
  }
  seen = 0;
  CHECK(pm_verify_batch(dev, jobs, 20, results) == PM_ERR_CANCELLED && seen == 20);
  CHECK(dev->keys.loads == 0);
  stop_after = 0;
  seen = 0;
  CHECK(pm_run(dev, 10000) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK && seen == N);
  check_results(N);
  CHECK(pm_info(dev, &info) == PM_OK && info.stray_answers == 0);
  pm_close(dev);
  free_all(N);
}

/* The mode may change from job to job. */
static void test_mixed_modes(void) {
  enum { N = 900 };
  pm_device *dev = open_fake("keys=1,batch=4");
  pm_result result;
  unsigned of[3] = {0, 0, 0};
  bool seen[N] = {false};
  make_all(N);
  for (size_t i = 0; i < N; i++) {
    unsigned mode = random_byte() % 3;
    rekey(i, i % 2, "", 0);
    of[mode]++;
    CHECK(pm_set_mode(dev, (pm_mode)mode) == PM_OK && pm_submit(dev, &jobs[i]) == PM_OK);
  }
  for (size_t i = 0; i < N; i++) {
    CHECK(pm_wait(dev, 10000, &result) == PM_OK);
    size_t job = (size_t)result.tag / 5;
    CHECK(job < N && !seen[job] && result.valid == (job % 4 != 0));
    seen[job] = true;
  }
  CHECK(count(dev, BATCHED) == of[PM_MODE_BATCH] && count(dev, LOADS) == 2);
  CHECK(count(dev, HITS) == of[PM_MODE_CACHED] - 2 * (PM_LOAD_PAYS - 1));
  pm_close(dev);
  free_all(N);
}

int main(void) {
  test_refused();
  test_packets();
  test_batch();
  test_frequent_keys();
  test_malformed_jobs();
  test_more_keys_than_slots();
  test_bad_key();
  test_failing_loads();
  test_soft_reset();
  test_old_keys();
  test_cancelled();
  test_mixed_modes();
  printf("%lu checks\n", checks);
  return 0;
}
