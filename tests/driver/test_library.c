/* SPDX-License-Identifier: Apache-2.0
 *
 * test_library.c: unit test of libpointmill on the fake back-end: arguments, packets, queue, batches. Prints
 * the number of checks made; a failed check prints its line and ends with status 1.
 */
#include "sample.h"

static void test_arguments(void) {
  pm_device *dev = (pm_device *)&checks;
  pm_result result;
  pm_job job = {0};
  uint32_t word;
  size_t count;
  CHECK(pm_open("fake", "paper", NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_open(NULL, "paper", &dev) == PM_ERR_ARGUMENT);
  CHECK(dev == NULL);
  CHECK(pm_open("nothing", "paper", &dev) == PM_ERR_BACKEND);
  CHECK(pm_open("fake", "paper,speed=1", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "paper,latency=", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "paper,latency=1x", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "paper,latency=1000001", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "paper,latency=99999999999999999999999", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "paper,,", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open("fake", "a-name-that-is-much-longer-than-thirty-one", &dev) == PM_ERR_CONFIG);
  CHECK(pm_open_detail()[0] != '\0');
  CHECK(pm_open("nothing", "", &dev) == PM_ERR_BACKEND && pm_open_detail()[0] == '\0');
  CHECK(dev == NULL);
  CHECK(pm_submit(NULL, &job) == PM_ERR_ARGUMENT);
  CHECK(pm_poll(NULL, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_wait(NULL, 1, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_verify_batch(NULL, &job, 1, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_soft_reset(NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_run(NULL, 1) == PM_ERR_ARGUMENT);
  CHECK(pm_outstanding(NULL, &count) == PM_ERR_ARGUMENT);
  CHECK(pm_info(NULL, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_elapsed(NULL, &job.tag) == PM_ERR_ARGUMENT);
  CHECK(pm_counters(NULL, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_clear_counters(NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_read_reg(NULL, 0, &word) == PM_ERR_ARGUMENT);
  CHECK(pm_write_reg(NULL, 0, 0) == PM_ERR_ARGUMENT);
  CHECK(pm_set_progress(NULL, NULL, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_set_batch_timeout(NULL, 1) == PM_ERR_ARGUMENT);
  pm_close(NULL);

  dev = open_fake(NULL);
  CHECK(pm_submit(dev, NULL) == PM_ERR_ARGUMENT);
  job.pk_len = 32;
  CHECK(pm_submit(dev, &job) == PM_ERR_ARGUMENT);
  job = (pm_job){.sig_len = 64};
  CHECK(pm_submit(dev, &job) == PM_ERR_ARGUMENT);
  job = (pm_job){.msg_len = 1};
  CHECK(pm_submit(dev, &job) == PM_ERR_ARGUMENT);
  CHECK(pm_poll(dev, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_poll(dev, &result) == PM_ERR_IDLE);
  CHECK(pm_wait(dev, 5, &result) == PM_ERR_IDLE);
  CHECK(pm_outstanding(dev, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_set_batch_timeout(dev, 0) == PM_ERR_ARGUMENT);
  CHECK(pm_verify_batch(dev, NULL, 1, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_verify_batch(dev, &job, 1, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_verify_batch(dev, NULL, 0, NULL) == PM_OK);
  CHECK(pm_read_reg(dev, 2, &word) == PM_ERR_ADDRESS);
  CHECK(pm_read_reg(dev, 0x100, &word) == PM_ERR_ADDRESS);
  CHECK(pm_read_reg(dev, 0xfc, &word) == PM_ERR_BUS);
  CHECK(pm_read_reg(dev, 0, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_write_reg(dev, 0xfffffffc, 0) == PM_ERR_ADDRESS);
  CHECK(pm_write_reg(dev, 2, 0) == PM_ERR_ADDRESS);
  CHECK(pm_write_reg(dev, 0, 0) == PM_ERR_BUS);
  pm_close(dev);
}

static void test_sentences(void) {
  for (int e = -1; e < 20; e++) {
    const char *text = pm_strerror((pm_error)e);
    CHECK(text != NULL && text[0] != '\0');
    CHECK((e >= PM_OK && e <= PM_ERR_MODE) == (strcmp(text, "unknown error") != 0));
  }
  CHECK(strcmp(pm_backend_name(0), "uio") == 0);
  CHECK(strcmp(pm_backend_name(1), "fake") == 0);
  CHECK(pm_backend_name(2) == NULL);
  CHECK(pm_max_message() >= 1u << 20);
}

static void test_config(void) {
  uint64_t number = 42;
  CHECK(pm_config_number("paper,seed=7", "seed", 7, &number) == PM_OK && number == 7);
  CHECK(pm_config_number("paper,seed=7", "seed", 6, &number) == PM_ERR_CONFIG);
  CHECK(pm_config_number("paper,seed=18446744073709551615", "seed", UINT64_MAX, &number) == PM_OK);
  CHECK(number == UINT64_MAX);
  CHECK(pm_config_number("seed=18446744073709551616", "seed", UINT64_MAX, &number) ==
        PM_ERR_CONFIG);
  CHECK(pm_config_number("seeds=1", "seed", 7, &number) == PM_OK && number == UINT64_MAX);
  CHECK(pm_config_number("seed=", "seed", 7, &number) == PM_ERR_CONFIG);
  CHECK(pm_config_number("seed=8", "seed", 7, &number) == PM_ERR_CONFIG);
  CHECK(strcmp(pm_open_detail(), "setting seed=8: a number from 0 to 7 is wanted") == 0);
  char text[6];
  bool found = true;
  CHECK(pm_config_name("paper,seed=7", "fast", text, 6) == PM_OK && strcmp(text, "paper") == 0);
  CHECK(pm_config_name("seed=7", "fast", text, 6) == PM_OK && strcmp(text, "fast") == 0);
  CHECK(pm_config_name("", "fast", text, 6) == PM_OK && strcmp(text, "fast") == 0);
  CHECK(pm_config_name("paper", "", text, 5) == PM_ERR_CONFIG);
  CHECK(strcmp(pm_open_detail(), "'paper' is longer than 4 characters") == 0);
  CHECK(pm_config_text("name,k=one,key=,l=x", "k", text, 6, &found) == PM_OK && found && strcmp(text, "one") == 0);
  CHECK(pm_config_text("name,k=one,key=,l=x", "key", text, 6, &found) == PM_OK && found && text[0] == '\0');
  CHECK(pm_config_text("name,k=one,key=,l=x", "ke", text, 6, &found) == PM_OK && !found);
  static const char *const keys[] = {"seed", "key", NULL};
  static const char *const right[] = {"", "paper", "paper,seed=1", "seed=1,key=2", "seed=,seed=2"};
  static const char *const wrong[] = {"paper,other", "seed=1,paper", "see=1", "seeds=1", "paper,seed=1,ke=2"};
  for (size_t i = 0; i < 5; i++) {
    CHECK(pm_config_check(right[i], keys) == PM_OK && pm_config_check(wrong[i], keys) == PM_ERR_CONFIG);
  }
  CHECK(strcmp(pm_open_detail(), "no setting 'ke=2'; known are seed, key") == 0);
}

/* Only edverify has modes; another core's CONFIG says something else. */
static void test_config_of_another_core(void) {
  pm_device *dev = open_fake("x25519=1,keys=3,batch=1");
  CHECK(pm_set_mode(dev, PM_MODE_CACHED) == PM_ERR_MODE && pm_set_mode(dev, PM_MODE_BATCH) == PM_ERR_MODE);
  pm_close(dev);
}

/* The longest message and the highest rule that a packet holds. */
static void test_limits(void) {
  sample one;
  pm_request request;
  make(&one, 1, 1, 1, "");
  one.job.msg_len = PM_MAX_MESSAGE;
  CHECK(pm_request_verify(&one.job, &request) == PM_OK && request.packable);
  one.job.msg_len++;
  CHECK(pm_request_verify(&one.job, &request) == PM_OK && !request.packable);
  one.job.msg_len--;
  one.job.rule = PM_MAX_RULE;
  CHECK(pm_request_verify(&one.job, &request) == PM_OK && request.packable);
  one.job.rule++;
  CHECK(pm_request_verify(&one.job, &request) == PM_OK && !request.packable);
  free(one.msg);
}

static void test_packets(void) {
  sample s;
  uint8_t packet[120];
  make(&s, 1, 9, 1, "");
  pm_request request;
  CHECK(pm_request_verify(&s.job, &request) == PM_OK && request.packable);
  CHECK(pm_packet_length(&request) == 113);
  pm_pack(&request, 0x89abcdef, packet);
  static const uint8_t header[8] = {4, 1, 0, 0, 0xef, 0xcd, 0xab, 0x89};
  CHECK(memcmp(packet, header, 8) == 0);
  CHECK(memcmp(packet + 8, s.sig + 32, 32) == 0);
  CHECK(memcmp(packet + 40, s.sig, 32) == 0);
  CHECK(memcmp(packet + 72, s.pk, 32) == 0);
  CHECK(memcmp(packet + 104, s.msg, 9) == 0);
  uint8_t answer[16] = {0, 4, 1, 0, 0xef, 0xcd, 0xab, 0x89, 0x31, 0x26, 0, 0, 0, 0, 0, 0};
  pm_answer a = pm_unpack_result(answer);
  CHECK(a.well_formed && a.valid && a.reason == 0 && a.rule == 4);
  CHECK(a.tag == 0x89abcdef && a.cycles == 9777);
  for (int i = 0; i < 16; i++) { /* every single-byte change of the fixed parts is noticed */
    uint8_t changed[16];
    memcpy(changed, answer, 16);
    changed[i] ^= 0x40;
    bool fixed = i == 0 || i == 2 || i == 3 || i >= 12;
    CHECK(pm_unpack_result(changed).well_formed == !fixed);
  }
  answer[0] = PM_REASON_EQUATION_FAILS;
  CHECK(!pm_unpack_result(answer).well_formed);
  answer[2] = 0;
  CHECK(pm_unpack_result(answer).well_formed);
  answer[0] = PM_REASON_FAULT_DETECTED + 1; /* no reason of this number */
  CHECK(!pm_unpack_result(answer).well_formed);
  free(s.msg);
}

static void test_submit_and_wait(void) {
  enum { N = 40 };
  pm_device *dev = open_fake("paper,latency=1000,room=64");
  sample s[N];
  pm_result result;
  size_t count = 0;
  for (int i = 0; i < N; i++) {
    make(&s[i], 1000u + (uint64_t)i, (size_t)i * 37, i % 3 != 0, "");
    CHECK(pm_submit(dev, &s[i].job) == PM_OK);
  }
  CHECK(pm_outstanding(dev, &count) == PM_OK && count == N);
  CHECK(pm_wait(dev, 10, &result) == PM_ERR_TIMEOUT);
  CHECK(pm_poll(dev, &result) == PM_ERR_AGAIN);
  CHECK(pm_verify_batch(dev, &s[0].job, 1, &result) == PM_ERR_ARGUMENT);
  for (int i = 0; i < N; i++) {
    CHECK(pm_wait(dev, 100000, &result) == PM_OK);
    CHECK(result.tag == 1000u + (uint64_t)i);
    CHECK(result.valid == (i % 3 != 0));
    CHECK(result.reason == (i % 3 != 0 ? PM_REASON_OK : PM_REASON_EQUATION_FAILS));
    CHECK(result.rule == PM_RULE_REF10_BYTES && result.cycles == 1000);
    free(s[i].msg);
  }
  CHECK(pm_wait(dev, 1, &result) == PM_ERR_IDLE);
  pm_counter_values counters;
  CHECK(pm_counters(dev, &counters) == PM_OK && counters.jobs == N && counters.valid == 26);
  CHECK(counters.busy == (6ull << 32 | 5) && counters.muls == (7ull << 32 | 7));
  CHECK(pm_clear_counters(dev) == PM_OK);
  CHECK(pm_counters(dev, &counters) == PM_OK && counters.jobs == 0 && counters.cycles > N * 1000);
  pm_device_info info;
  CHECK(pm_info(dev, &info) == PM_OK);
  CHECK(strcmp(info.backend, "fake") == 0 && strcmp(info.config, "paper") == 0);
  CHECK(info.elapsed_cycles >= N * 1000 && info.stray_answers == 0 && strlen(info.name) == 4);
  uint64_t elapsed = 0;
  CHECK(pm_elapsed(dev, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_elapsed(dev, &elapsed) == PM_OK && elapsed == info.elapsed_cycles);
  pm_close(dev);
}

/* Jobs end in another order than they began: each answer belongs to its own job. */
static void test_any_order(void) {
  enum { N = 60 };
  pm_device *dev = open_fake("throughput");
  sample s[N];
  pm_job jobs[N];
  pm_result results[N], result;
  int seen[N] = {0}, overtaken = 0, last = -1;
  for (int i = 0; i < N; i++) {
    make(&s[i], (uint64_t)i, 20 + (size_t)i, i % 5 != 0, i % 4 == 0 ? "!late" : "");
    jobs[i] = s[i].job;
    CHECK(pm_submit(dev, &jobs[i]) == PM_OK);
  }
  for (int i = 0; i < N; i++) {
    CHECK(pm_wait(dev, 100000, &result) == PM_OK);
    CHECK(result.tag < N && !seen[result.tag]++);
    CHECK(result.valid == (result.tag % 5 != 0));
    overtaken += (int)result.tag < last;
    last = (int)result.tag;
  }
  CHECK(overtaken > 0);
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
  for (int i = 0; i < N; i++) {
    CHECK(results[i].tag == (uint64_t)i && results[i].valid == (i % 5 != 0));
    free(s[i].msg);
  }
  pm_close(dev);
}

static void test_full_queue(void) {
  pm_device *dev = open_fake("");
  sample s;
  pm_result result;
  make(&s, 5, 3, 1, "");
  for (size_t i = 0; i < pm_queue_depth(); i++) {
    s.job.pk_len = i % 2 == 0 ? 32 : 31; /* malformed ones count too */
    CHECK(pm_submit(dev, &s.job) == PM_OK);
  }
  CHECK(pm_submit(dev, &s.job) == PM_ERR_FULL);
  CHECK(pm_wait(dev, 1000, &result) == PM_OK);
  CHECK(pm_submit(dev, &s.job) == PM_OK);
  CHECK(pm_submit(dev, &s.job) == PM_ERR_FULL);
  for (size_t i = 0; i < pm_queue_depth(); i++) {
    CHECK(pm_wait(dev, 1000, &result) == PM_OK);
  }
  CHECK(pm_poll(dev, &result) == PM_ERR_IDLE);
  pm_close(dev); /* and closing with jobs outstanding frees them */
  dev = open_fake("room=8");
  CHECK(pm_submit(dev, &s.job) == PM_OK);
  pm_close(dev);
  free(s.msg);
}

static void test_batch(void) {
  enum { N = 300 };
  static sample s[N];
  static pm_job jobs[N];
  static pm_result results[N];
  size_t seen = 0;
  pm_device *dev = open_fake("room=1024");
  for (int i = 0; i < N; i++) {
    make(&s[i], (uint64_t)(3 * i), (size_t)(i % 50) + 8, i % 2, i % 10 == 3 ? "!late" : "");
    jobs[i] = s[i].job;
    switch (i % 15) { /* one bad job of each kind among the others */
      case 0: jobs[i].pk_len = 33; break;
      case 2: jobs[i].sig_len = 0; break;
      case 4: jobs[i].rule = 0; break;
      case 6: jobs[i].rule = 256; break;
      case 8: jobs[i].msg = NULL; break;
      case 10: jobs[i].msg_len = pm_max_message() + 1; break;
      case 12: s[i].sig[63] = 0x20; break;
      default: break;
    }
  }
  CHECK(pm_set_progress(dev, count_progress, &seen) == PM_OK);
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK);
  CHECK(seen == N);
  for (int i = 0; i < N; i++) {
    int kind = i % 15;
    uint32_t want = i % 2 ? PM_REASON_OK : PM_REASON_EQUATION_FAILS;
    if (kind == 12) {
      want = PM_REASON_S_OUT_OF_RANGE;
    } else if (kind % 2 == 0 && kind <= 10) {
      want = PM_REASON_MALFORMED_JOB;
    }
    CHECK(results[i].tag == (uint64_t)(3 * i));
    CHECK(results[i].reason == want);
    CHECK(results[i].valid == (want == PM_REASON_OK));
    CHECK(results[i].rule == jobs[i].rule);
  }
  stop_after = 100;
  seen = 0;
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_ERR_CANCELLED);
  CHECK(seen == 100);
  int aborted = 0;
  for (int i = 0; i < N; i++) {
    aborted += results[i].reason == PM_REASON_ABORTED;
    CHECK(results[i].tag == (uint64_t)(3 * i));
  }
  CHECK(aborted > 0 && aborted <= 200);
  stop_after = 0;
  seen = 0;
  CHECK(pm_verify_batch(dev, jobs, N, results) == PM_OK && seen == N);
  pm_close(dev);
  for (int i = 0; i < N; i++) {
    free(s[i].msg);
  }
}

int main(void) {
  test_arguments();
  test_sentences();
  test_config();
  test_config_of_another_core();
  test_limits();
  test_packets();
  test_submit_and_wait();
  test_any_order();
  test_full_queue();
  test_batch();
  printf("%lu checks\n", checks);
  return 0;
}
