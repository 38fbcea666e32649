/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_results.c: fuzz target of pointmill.h: calls of a program, and a core that returns anything.
 *
 * Whatever it returns: every call ends; each job has one result at most, of its own tag, operation and rule; a verdict
 * is one that the core gave for that job in a packet that keeps to the format; a batch writes all its results.
 */
#include "ed_core.h"

enum { JOBS = 64, TIMEOUT = 5000, MESSAGE_BYTES = 80 };

fuzz_count fuzz_counts[] = {{"opened", 0},   {"verdicts", 0}, {"valid", 0},   {"payloads", 0}, {"aborted", 0},
                            {"protocol", 0}, {"timeouts", 0}, {"batches", 0}, {"failures", 0}, {NULL, 0}};
enum { OPENED, VERDICTS, VALID, PAYLOADS, ABORTED, PROTOCOL, TIMEOUTS, BATCHES, FAILURES };

/* One job of a run: what was submitted, and whether its result is out. */
typedef struct made_job {
  uint8_t bytes[32 + 64 + MESSAGE_BYTES];
  bool outstanding;
  uint64_t tag;
  uint32_t op, rule; /* a job with a secret may name any op */
  pm_job job;
  pm_secret_job secret;
} made_job;

static struct {
  fuzz_input in;
  bool honest;
  pm_device *dev;
  made_job jobs[JOBS];
  uint64_t next_tag;
} run;

static made_job *of_tag(uint64_t tag) { return &run.jobs[tag % JOBS]; }

static size_t length_near(size_t right) {
  uint32_t off = fuzz_below(&run.in, 64);
  return off == 0 ? right - 1 : off == 1 ? right + 1 : off == 2 ? 0 : right;
}

static made_job *make_verification(void) {
  uint64_t tag = run.next_tag++;
  made_job *made = of_tag(tag);
  made->tag = tag;
  fuzz_fill(&run.in, made->bytes, 8); /* few keys, so that they are loaded */
  made->bytes[0] &= 3;
  memset(made->bytes + 1, 0, 7);
  memcpy(made->bytes + 32 + 32, &tag, sizeof tag); /* first bytes of S */
  made->op = PM_OP_VERIFY;
  made->rule = fuzz_below(&run.in, 16) == 0 ? fuzz_word(&run.in) : 1 + fuzz_below(&run.in, 6);
  made->job = (pm_job){.tag = tag, .rule = made->rule, .pk = made->bytes, .sig = made->bytes + 32,
                       .msg = made->bytes + 96};
  made->job.pk_len = length_near(32);
  made->job.sig_len = length_near(64);
  made->job.msg_len = fuzz_below(&run.in, MESSAGE_BYTES);
  return made;
}

static made_job *make_secret(void) {
  uint64_t tag = run.next_tag++;
  made_job *made = of_tag(tag);
  made->tag = tag;
  memcpy(made->bytes, &tag, sizeof tag);
  made->op = fuzz_below(&run.in, 16) == 0 ? fuzz_word(&run.in) : PM_OP_X25519 + fuzz_below(&run.in, 3);
  made->rule = 0;
  made->secret = (pm_secret_job){.tag = tag, .op = made->op, .secret = made->bytes, .u = made->bytes + 32,
                                 .msg = made->bytes + 96};
  made->secret.secret_len = length_near(32);
  made->secret.u_len = made->op == PM_OP_X25519 ? length_near(32) : 0;
  made->secret.msg_len = made->op == PM_OP_SIGN ? fuzz_below(&run.in, MESSAGE_BYTES) : 0;
  return made;
}

/* What holds of every result. */
static void check(const pm_result *result, const made_job *made) {
  EXPECT(result->op == made->op && result->rule == made->rule);
  EXPECT(result->valid == (result->reason == PM_REASON_OK));
  EXPECT(result->reason <= PM_REASON_FAULT_DETECTED);
  EXPECT(result->length == (result->valid ? ed_core_payload(made->op) : 0));
  bool of_driver = result->reason == PM_REASON_ABORTED || result->reason == PM_REASON_MALFORMED_JOB;
  EXPECT(of_driver || ed_core_said(result));
  fuzz_counts[result->reason == PM_REASON_ABORTED ? ABORTED : VERDICTS].count++;
  fuzz_counts[VALID].count += result->valid;
  fuzz_counts[PAYLOADS].count += result->length != 0;
}

/* A result of poll or wait, or none, as `error` says. */
static void check_taken(pm_error error, const pm_result *result) {
  if (error != PM_OK && error != PM_ERR_PROTOCOL) {
    EXPECT(error == PM_ERR_AGAIN || error == PM_ERR_IDLE || error == PM_ERR_TIMEOUT || error == PM_ERR_BUS ||
           error == PM_ERR_IO);
    fuzz_counts[TIMEOUTS].count += error == PM_ERR_TIMEOUT;
    return;
  }
  EXPECT(result->tag < run.next_tag);
  made_job *made = of_tag(result->tag);
  EXPECT(made->outstanding && made->tag == result->tag);
  made->outstanding = false;
  check(result, made);
  EXPECT(error == PM_OK || (result->reason == PM_REASON_ABORTED && !run.honest));
  fuzz_counts[PROTOCOL].count += error == PM_ERR_PROTOCOL;
}

static void submit(bool secret) {
  size_t count = 0, after = 0;
  if (of_tag(run.next_tag)->outstanding) {
    return;
  }
  EXPECT(pm_outstanding(run.dev, &count) == PM_OK);
  made_job *made = secret ? make_secret() : make_verification();
  pm_error error = secret ? pm_submit_secret(run.dev, &made->secret) : pm_submit(run.dev, &made->job);
  EXPECT(error == PM_OK);
  EXPECT(pm_outstanding(run.dev, &after) == PM_OK && after == count + 1);
  made->outstanding = true;
}

/* Takes all results that there are, so that a batch may begin. */
static bool drain(void) {
  pm_result result;
  pm_error error = PM_OK;
  if (pm_soft_reset(run.dev) != PM_OK) {
    return false;
  }
  while (error == PM_OK || error == PM_ERR_PROTOCOL) {
    error = pm_wait(run.dev, TIMEOUT, &result);
    check_taken(error, &result);
  }
  return error == PM_ERR_IDLE;
}

static void batch(bool secret) {
  enum { MOST = 24 };
  pm_result results[MOST];
  pm_job jobs[MOST];
  pm_secret_job secrets[MOST];
  if (!drain()) {
    return;
  }
  size_t n = fuzz_below(&run.in, MOST);
  uint64_t first = run.next_tag;
  for (size_t i = 0; i < n; i++) {
    made_job *made = secret ? make_secret() : make_verification();
    jobs[i] = made->job;
    secrets[i] = made->secret;
  }
  memset(results, 0xa5, sizeof results);
  pm_error error = secret ? pm_secret_batch(run.dev, secrets, n, results) : pm_verify_batch(run.dev, jobs, n, results);
  EXPECT(error == PM_OK || !run.honest || error == PM_ERR_TIMEOUT);
  for (size_t i = 0; i < n; i++) {
    EXPECT(results[i].tag == first + i);
    check(&results[i], of_tag(first + i));
    EXPECT(error != PM_OK || results[i].reason != PM_REASON_ABORTED || ed_core_said(&results[i]));
  }
  size_t count = 1;
  EXPECT(pm_outstanding(run.dev, &count) == PM_OK && count == 0);
  fuzz_counts[BATCHES].count++;
  fuzz_counts[FAILURES].count += error != PM_OK;
}

static void look(void) {
  pm_device_info info;
  pm_counter_values values;
  uint32_t word = 0;
  (void)pm_info(run.dev, &info);
  (void)pm_counters(run.dev, &values);
  (void)pm_read_reg(run.dev, fuzz_word(&run.in), &word);
  (void)pm_write_reg(run.dev, 4 * fuzz_below(&run.in, 64), word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  memset(&run, 0, sizeof run);
  run.in = (fuzz_input){.at = data, .left = size};
  run.honest = fuzz_below(&run.in, 4) == 0;
  ed_core_begin(&run.in, run.honest);
  if (pm_open("hostile", "", &run.dev) != PM_OK) {
    EXPECT(run.dev == NULL);
    return 0;
  }
  fuzz_counts[OPENED].count++;
  EXPECT(pm_set_batch_timeout(run.dev, TIMEOUT) == PM_OK);
  while (run.in.left != 0) {
    pm_result result;
    uint32_t call = fuzz_below(&run.in, 16);
    switch (call) {
      case 0: (void)pm_set_mode(run.dev, (pm_mode)fuzz_below(&run.in, 4)); break;
      case 1: look(); break;
      case 2: (void)pm_soft_reset(run.dev); break;
      case 3: (void)pm_run(run.dev, fuzz_byte(&run.in)); break;
      case 4:
      case 5: batch(call == 5); break;
      case 6:
      case 7:
      case 8: check_taken(pm_poll(run.dev, &result), &result); break;
      case 9:
      case 10: check_taken(pm_wait(run.dev, TIMEOUT, &result), &result); break;
      default: submit(call < 13); break;
    }
  }
  (void)drain();
  pm_close(run.dev);
  return 0;
}
