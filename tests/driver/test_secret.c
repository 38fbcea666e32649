/* SPDX-License-Identifier: Apache-2.0
 *
 * test_secret.c: unit test of the operations with a secret operand, on the fake back-end, and of what
 * the driver leaves behind in memory. Linked with --wrap=free: memory that is freed must not hold a
 * secret any more. Prints the number of checks made.
 */
#include <malloc.h>
#include <string.h>

#include "../../sw/src/device.h"
#include "check.h"

enum { MARK = 8 };

/* What secrets and secret payloads of this test begin with. */
static const uint8_t secret_mark[MARK] = {0xc3, 0x5a, 0x96, 0x0f, 0x71, 0xe8, 0x2d, 0xb4};
static const uint8_t payload_mark[MARK] = {0x1e, 0xd2, 0x87, 0x6b, 0xf0, 0x39, 0xa5, 0x4c};
static unsigned long frees;

static bool holds(const void *memory, size_t length, const uint8_t *mark) {
  const uint8_t *bytes = memory;
  for (size_t i = 0; i + MARK <= length; i++) {
    if (memcmp(bytes + i, mark, MARK) == 0) {
      return true;
    }
  }
  return false;
}

void __real_free(void *memory);
void __wrap_free(void *memory);

void __wrap_free(void *memory) {
  if (memory != NULL) {
    size_t length = malloc_usable_size(memory);
    CHECK(!holds(memory, length, secret_mark) && !holds(memory, length, payload_mark));
    frees++;
  }
  __real_free(memory);
}

typedef struct sample {
  uint8_t secret[32], u[32], msg[64];
  pm_secret_job job;
} sample;

/* A job whose secret bears the mark, and so does the payload of x25519. */
static void make(sample *s, uint32_t op, uint64_t tag, size_t length, const char *word) {
  for (size_t i = 0; i < 32; i++) {
    s->secret[i] = i < MARK ? secret_mark[i] : (uint8_t)(7 * i + tag);
    s->u[i] = s->secret[i] ^ (i < MARK ? payload_mark[i] : (uint8_t)(31 * i));
  }
  for (size_t i = 0; i < length; i++) {
    s->msg[i] = i < strlen(word) ? (uint8_t)word[i] : (uint8_t)(13 * i + tag);
  }
  s->job = (pm_secret_job){.tag = tag, .op = op, .secret = s->secret, .secret_len = 32};
  if (op == PM_OP_X25519) {
    s->job.u = s->u;
    s->job.u_len = 32;
  }
  if (op == PM_OP_SIGN) {
    s->job.msg = s->msg;
    s->job.msg_len = length;
  }
}

/* The payload that the fake core gives. */
static void check_result(const sample *s, const pm_result *result) {
  static const uint32_t lengths[] = {[PM_OP_X25519] = 32, [PM_OP_KEYGEN] = 32, [PM_OP_SIGN] = 96};
  uint8_t sum = 0;
  for (size_t i = 0; i < 32; i++) {
    sum ^= s->secret[i];
  }
  for (size_t i = 0; i < s->job.msg_len; i++) {
    sum ^= s->msg[i];
  }
  CHECK(result->valid == 1 && result->reason == PM_REASON_OK && result->all_zero == 0);
  CHECK(result->op == s->job.op && result->rule == 0 && result->tag == s->job.tag);
  CHECK(result->length == lengths[s->job.op] && result->cycles == 100);
  for (size_t i = 0; i < 32; i++) {
    uint8_t x = s->secret[i] ^ s->u[i];
    CHECK(result->payload[i] == (s->job.op == PM_OP_X25519 ? x : (uint8_t)(s->secret[i] + 1)));
    CHECK(s->job.op != PM_OP_SIGN || result->payload[32 + i] == sum);
    CHECK(s->job.op != PM_OP_SIGN || result->payload[95 - i] == s->secret[i]);
  }
  for (size_t i = result->length; i < sizeof result->payload; i++) {
    CHECK(result->payload[i] == 0);
  }
}

static pm_device *open_fake(const char *config) {
  pm_device *dev = NULL;
  CHECK(pm_open("fake", config, &dev) == PM_OK);
  return dev;
}

static void test_packets(void) {
  sample s;
  uint8_t packet[200];
  pm_request request;
  static const uint8_t head[8] = {0, 2, 0, 0, 4, 3, 2, 1};
  make(&s, PM_OP_X25519, 1, 0, "");
  CHECK(pm_request_secret(&s.job, &request) == PM_OK && request.packable);
  CHECK(pm_packet_length(&request) == 72);
  pm_pack(&request, 0x01020304, packet);
  CHECK(memcmp(packet, head, 8) == 0);
  CHECK(memcmp(packet + 8, s.secret, 32) == 0 && memcmp(packet + 40, s.u, 32) == 0);
  make(&s, PM_OP_KEYGEN, 1, 0, "");
  CHECK(pm_request_secret(&s.job, &request) == PM_OK && pm_packet_length(&request) == 40);
  make(&s, PM_OP_SIGN, 1, 13, "");
  CHECK(pm_request_secret(&s.job, &request) == PM_OK && pm_packet_length(&request) == 53);
  pm_pack(&request, 0, packet);
  CHECK(packet[0] == 0 && packet[1] == 4 && memcmp(packet + 8, s.secret, 32) == 0);
  CHECK(memcmp(packet + 40, s.msg, 13) == 0);
  CHECK(pm_payload_length(PM_OP_SIGN, PM_REASON_OK) == 96);
  CHECK(pm_payload_length(PM_OP_SIGN, PM_REASON_ABORTED) == 0);
  CHECK(pm_payload_length(PM_OP_VERIFY, PM_REASON_OK) == 0);
  CHECK(pm_payload_length(77, PM_REASON_OK) == 0);
}

static void test_arguments(void) {
  pm_device *dev = open_fake("paper");
  sample s;
  pm_result result;
  make(&s, PM_OP_SIGN, 5, 9, "");
  CHECK(pm_submit_secret(NULL, &s.job) == PM_ERR_ARGUMENT);
  CHECK(pm_submit_secret(dev, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_secret_batch(NULL, &s.job, 1, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_secret_batch(dev, NULL, 1, &result) == PM_ERR_ARGUMENT);
  CHECK(pm_secret_batch(dev, &s.job, 1, NULL) == PM_ERR_ARGUMENT);
  CHECK(pm_secret_batch(dev, NULL, 0, NULL) == PM_OK);
  const pm_secret_job good = s.job;
  pm_secret_job bad[3] = {good, good, good};
  bad[0].secret = NULL;
  bad[1].msg = NULL;
  bad[2].u_len = 32;
  for (size_t i = 0; i < 3; i++) { /* null bytes with a length */
    CHECK(pm_submit_secret(dev, &bad[i]) == PM_ERR_ARGUMENT);
    CHECK(pm_secret_batch(dev, &bad[i], 1, &result) == PM_OK);
    CHECK(!result.valid && result.reason == PM_REASON_MALFORMED_JOB && result.tag == 5);
  }
  pm_secret_job wrong[9] = {good, good, good, good, good, good, good, good, good};
  wrong[0].secret_len = 31;
  wrong[1].secret_len = 0;
  wrong[2].op = PM_OP_VERIFY;
  wrong[3].op = 0;
  wrong[4].op = 260; /* sign, if only a byte of it were looked at */
  wrong[5].op = PM_OP_KEYGEN; /* has no message */
  wrong[6].op = PM_OP_X25519; /* lacks u */
  wrong[7].u = s.u;
  wrong[7].u_len = 32; /* sign has no u */
  wrong[8].msg_len = PM_MAX_MESSAGE + 1;
  for (size_t i = 0; i < 9; i++) {
    CHECK(pm_submit_secret(dev, &wrong[i]) == PM_OK);
    CHECK(pm_wait(dev, 1000, &result) == PM_OK);
    CHECK(result.reason == PM_REASON_MALFORMED_JOB && !result.valid && result.cycles == 0);
    CHECK(result.op == wrong[i].op && result.length == 0);
  }
  CHECK(pm_submit_secret(dev, &good) == PM_OK);
  CHECK(pm_secret_batch(dev, &good, 1, &result) == PM_ERR_ARGUMENT); /* a job is outstanding */
  CHECK(pm_wait(dev, 1000, &result) == PM_OK);
  check_result(&s, &result);
  pm_close(dev);
}

/* Results of all operations, verification among them, in one stream. */
static void test_mixture(void) {
  enum { N = 40 };
  static const uint32_t ops[3] = {PM_OP_X25519, PM_OP_KEYGEN, PM_OP_SIGN};
  pm_device *dev = open_fake("paper,room=64");
  static const uint8_t pk[32], sig[64]; /* the sum of zeros is zero: valid */
  sample s[N];
  pm_secret_job jobs[N];
  pm_result result, results[N];
  for (size_t i = 0; i < N; i++) {
    make(&s[i], ops[i % 3], i, i, "");
    jobs[i] = s[i].job;
    CHECK(pm_submit_secret(dev, &jobs[i]) == PM_OK);
    pm_job verify = {.tag = 1000 + i, .rule = 4, .pk = pk, .pk_len = 32, .sig = sig, .sig_len = 64};
    CHECK(pm_submit(dev, &verify) == PM_OK);
  }
  for (size_t i = 0; i < N; i++) {
    CHECK(pm_wait(dev, 100000, &result) == PM_OK);
    check_result(&s[i], &result);
    CHECK(pm_wait(dev, 100000, &result) == PM_OK);
    CHECK(result.tag == 1000 + i && result.op == PM_OP_VERIFY && result.rule == 4 && result.valid);
    CHECK(result.length == 0 && result.payload[0] == 0);
  }
  jobs[7].secret_len = 33;
  jobs[9].secret = NULL;
  CHECK(pm_secret_batch(dev, jobs, N, results) == PM_OK);
  for (size_t i = 0; i < N; i++) {
    if (i == 7 || i == 9) {
      CHECK(!results[i].valid && results[i].reason == PM_REASON_MALFORMED_JOB);
      CHECK(results[i].tag == i && results[i].op == ops[i % 3]);
    } else {
      check_result(&s[i], &results[i]);
    }
  }
  pm_close(dev);
}

static void test_refusals(void) {
  static uint8_t long_message[4097];
  pm_device *dev = open_fake("paper");
  sample s;
  pm_result result;
  make(&s, PM_OP_SIGN, 1, 0, "");
  s.job.msg = long_message;
  s.job.msg_len = sizeof long_message;
  CHECK(pm_secret_batch(dev, &s.job, 1, &result) == PM_OK);
  CHECK(!result.valid && result.reason == PM_REASON_MESSAGE_TOO_LONG && result.length == 0);
  make(&s, PM_OP_X25519, 2, 0, "");
  memcpy(s.u, s.secret, 32); /* whose result is zero */
  CHECK(pm_secret_batch(dev, &s.job, 1, &result) == PM_OK);
  CHECK(result.valid && result.all_zero && result.length == 32 && result.payload[0] == 0);
  pm_close(dev);
  dev = open_fake("paper,secret=0");
  CHECK(pm_secret_batch(dev, &s.job, 1, &result) == PM_OK);
  CHECK(!result.valid && result.reason == PM_REASON_MALFORMED_JOB && result.cycles == 100);
  pm_close(dev);
}

/* Answers that contradict themselves carry no payload, valid bit or not. */
static void test_contradictions(void) {
  static const struct {
    const char *word;
    pm_error error;
  } kinds[] = {{"!zero", PM_ERR_PROTOCOL},
               {"!both", PM_ERR_TIMEOUT}, /* a reason, but as long as without one */
               {"!rule", PM_ERR_PROTOCOL},
               {"!short", PM_ERR_TIMEOUT},
               {"!long", PM_ERR_TIMEOUT},
               {"!dead", PM_ERR_TIMEOUT}};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    pm_device *dev = open_fake("paper");
    sample s[3];
    pm_secret_job jobs[3];
    pm_result results[3];
    for (size_t j = 0; j < 3; j++) {
      make(&s[j], PM_OP_SIGN, j, 20, j == 1 ? kinds[i].word : "");
      jobs[j] = s[j].job;
    }
    CHECK(pm_set_batch_timeout(dev, 5000) == PM_OK);
    CHECK(pm_secret_batch(dev, jobs, 3, results) == kinds[i].error);
    CHECK(!results[1].valid && results[1].reason == PM_REASON_ABORTED && results[1].length == 0);
    for (size_t j = 0; j < sizeof results[1].payload; j++) {
      CHECK(results[1].payload[j] == 0);
    }
    check_result(&s[0], &results[0]);
    check_result(&s[2], &results[2]);
    jobs[1].msg_len = 0;
    CHECK(pm_secret_batch(dev, jobs, 3, results) == PM_OK);
    pm_close(dev);
  }
}

/* Nothing of a taken result, nor of a sent packet, stays in the device. */
static void test_wiping(void) {
  pm_device *dev = open_fake("paper,latency=1000");
  sample s[3];
  pm_result result;
  make(&s[0], PM_OP_X25519, 1, 0, "");
  make(&s[1], PM_OP_SIGN, 2, 30, "");
  make(&s[2], PM_OP_KEYGEN, 3, 0, "");
  memcpy(s[1].msg, secret_mark, MARK); /* a message may be secret too */
  CHECK(pm_submit_secret(dev, &s[0].job) == PM_OK);
  CHECK(holds(dev->slots[0].packet, dev->slots[0].length, secret_mark));
  CHECK(pm_run(dev, 999) == PM_OK && dev->slots[0].packet == NULL);
  CHECK(!holds(dev, sizeof *dev, secret_mark) && !holds(dev, sizeof *dev, payload_mark));
  CHECK(pm_run(dev, 10) == PM_OK && dev->done_count == 1);
  CHECK(holds(dev, sizeof *dev, payload_mark)); /* the result waits to be taken */
  CHECK(!holds(dev->rx, sizeof dev->rx, payload_mark));
  CHECK(pm_wait(dev, 0, &result) == PM_OK && holds(&result, sizeof result, payload_mark));
  CHECK(!holds(dev, sizeof *dev, payload_mark));
  /* Aborted in the driver, and closed with jobs in every state. */
  unsigned long before = frees;
  CHECK(pm_submit_secret(dev, &s[1].job) == PM_OK);
  CHECK(pm_soft_reset(dev) == PM_OK && pm_wait(dev, 0, &result) == PM_OK);
  CHECK(result.reason == PM_REASON_ABORTED && frees == before + 1);
  CHECK(pm_submit_secret(dev, &s[0].job) == PM_OK && pm_run(dev, 1100) == PM_OK);
  CHECK(dev->done_count == 1 && holds(dev, sizeof *dev, payload_mark));
  CHECK(pm_submit_secret(dev, &s[1].job) == PM_OK);
  CHECK(pm_submit_secret(dev, &s[2].job) == PM_OK);
  pm_close(dev);
  CHECK(frees >= before + 1 + 1 + 3);
}

int main(void) {
  test_packets();
  test_arguments();
  test_mixture();
  test_refusals();
  test_contradictions();
  test_wiping();
  printf("%lu checks\n", checks);
  return 0;
}
