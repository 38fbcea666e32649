/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_curve.c: fuzz target of pm_curve.h: batches on a core that returns anything, in any pace.
 *
 * Whatever it returns: a batch ends and writes all its results; one that is no `aborted` is what the core said in a
 * packet that keeps to the format and has the tag and operation of that job; all are, if the batch went well.
 */
#include "hostile.h"
#include "pm_curve.h"
#include "pm_multicurve_regs.h"

enum {
  WIRE_BYTES = 72, /* of a number in a packet */
  RESULT_BYTES = 16,
  SEEN = 256,
  MOST = 12, /* jobs of a batch */
  TIMEOUT = 2000,
  ABORTED = 10
};

fuzz_count fuzz_counts[] = {{"batches", 0}, {"failures", 0}, {"results", 0}, {"numbers", 0}, {"aborted", 0}, {NULL, 0}};
enum { BATCHES, FAILURES, RESULTS, NUMBERS, ABORTIONS };

static struct {
  fuzz_input in;
  bool honest;
  uint8_t heads[SEEN][8]; /* of the job packets that came */
  size_t count;
  uint8_t sent[SEEN][HOSTILE_PACKET_BYTES]; /* result packets that went out */
  size_t sent_length[SEEN], sent_count;
} core;

static void take_job(const uint8_t *head, size_t length) {
  if (length == 8 && core.count < SEEN) {
    memcpy(core.heads[core.count++], head, length);
  }
}

static void note(const uint8_t *packet, size_t length) {
  if (core.sent_count < SEEN) {
    memcpy(core.sent[core.sent_count], packet, length);
    core.sent_length[core.sent_count++] = length;
  }
}

/* A result as the format has it, to one of the latest jobs. */
static size_t make_honest(uint8_t *p) {
  uint32_t latest = core.count < MOST ? (uint32_t)core.count : MOST;
  const uint8_t *head = core.heads[core.count - 1 - fuzz_below(&core.in, latest)];
  size_t numbers = fuzz_below(&core.in, 3);
  memset(p, 0, HOSTILE_PACKET_BYTES);
  p[0] = numbers != 0 ? 0 : fuzz_byte(&core.in);
  p[1] = head[1];
  memcpy(p + 4, head + 4, 4);
  p[12] = (uint8_t)fuzz_below(&core.in, 4);
  for (size_t i = 0; i < numbers; i++) {
    fuzz_fill(&core.in, p + RESULT_BYTES + i * WIRE_BYTES, PM_NUMBER_BYTES);
  }
  return RESULT_BYTES + numbers * WIRE_BYTES;
}

/* Such a result, changed unless the core is honest, or any bytes. */
static size_t make_result(uint8_t *packet) {
  uint32_t kind = core.honest ? 0 : fuzz_below(&core.in, 6);
  size_t length = 0;
  if (core.count == 0 || kind == 5) {
    length = core.honest ? 0 : 1 + fuzz_below(&core.in, HOSTILE_PACKET_BYTES);
    fuzz_fill(&core.in, packet, length);
  } else {
    length = make_honest(packet);
    hostile_flip(packet, length, kind >= 3 ? kind - 2 : 0);
  }
  return length;
}

/* Whether packet i says this result of an operation. */
static bool says(size_t i, const pm_curve_result *result, uint32_t op) {
  const uint8_t *p = core.sent[i];
  bool same = core.sent_length[i] == RESULT_BYTES + result->count * WIRE_BYTES && p[0] == result->reason &&
              p[1] == op && hostile_zero(p + 2, 2) && p[12] == (result->infinity | result->all_zero << 1) &&
              hostile_zero(p + 13, 3);
  for (size_t n = 0; same && n < result->count; n++) {
    const uint8_t *number = p + RESULT_BYTES + n * WIRE_BYTES;
    same = memcmp(number, result->numbers + n * PM_NUMBER_BYTES, PM_NUMBER_BYTES) == 0 &&
           hostile_zero(number + PM_NUMBER_BYTES, WIRE_BYTES - PM_NUMBER_BYTES);
  }
  return same;
}

static void check(const pm_curve_result *result, uint32_t op, bool all_well) {
  if (result->reason == ABORTED && !all_well) {
    EXPECT(result->count == 0);
    fuzz_counts[ABORTIONS].count++;
    return;
  }
  bool said = false;
  for (size_t i = 0; !said && i < core.sent_count; i++) {
    said = says(i, result, op);
  }
  EXPECT(said || core.sent_count == SEEN);
  EXPECT(result->count <= PM_CURVE_PAYLOAD && (result->reason == 0 || result->count == 0));
  fuzz_counts[RESULTS].count++;
  fuzz_counts[NUMBERS].count += result->count;
}

static int stop(void *context, size_t done, size_t total) {
  EXPECT(done <= total);
  return done == *(size_t *)context;
}

static void batch(pm_curve_device *dev) {
  static uint8_t numbers[PM_CURVE_OPERANDS * PM_NUMBER_BYTES];
  pm_curve_job jobs[MOST] = {0};
  pm_curve_result results[MOST];
  size_t n = fuzz_below(&core.in, MOST), end = fuzz_below(&core.in, 64);
  bool legal = true;
  for (size_t i = 0; i < n; i++) {
    jobs[i] = (pm_curve_job){.tag = i, .op = fuzz_byte(&core.in), .count = 1, .numbers = numbers};
    jobs[i].option = fuzz_byte(&core.in);
    jobs[i].count += fuzz_below(&core.in, 32) == 31 ? PM_CURVE_OPERANDS : fuzz_below(&core.in, PM_CURVE_OPERANDS);
    legal = legal && jobs[i].count <= PM_CURVE_OPERANDS;
  }
  memset(results, 0xa5, sizeof results);
  pm_error error = pm_curve_batch(dev, jobs, n, TIMEOUT, stop, &end, results);
  EXPECT((error == PM_ERR_ARGUMENT) == !legal);
  for (size_t i = 0; legal && i < n; i++) {
    EXPECT(results[i].tag == i);
    check(&results[i], jobs[i].op, error == PM_OK);
  }
  fuzz_counts[BATCHES].count++;
  fuzz_counts[FAILURES].count += error != PM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pm_curve_device *dev = NULL;
  memset(&core, 0, sizeof core);
  core.in = (fuzz_input){.at = data, .left = size};
  core.honest = fuzz_below(&core.in, 4) == 0;
  bool other = fuzz_below(&core.in, 16) == 15;
  hostile_core kind = {.name = other ? fuzz_word(&core.in) : PM_MULTICURVE_REGS__NAME__VALUE_reset,
                       .version = HOSTILE_VERSION(PM_MULTICURVE_REGS),
                       .honest = core.honest, .job = take_job, .result = make_result, .sent = note};
  hostile_begin(&core.in, &kind);
  if (pm_curve_open("hostile", "", &dev) == PM_OK) {
    do {
      batch(dev);
    } while (core.in.left != 0);
    pm_curve_close(dev);
  }
  return 0;
}
