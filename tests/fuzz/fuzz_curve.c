/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_curve.c: fuzz target of pm_curve.h: batches on a core that returns anything, in any pace.
 *
 * Whatever it returns: a batch ends and writes all its results; one that is no `aborted` is what the core said in a
 * packet that keeps to the format and has the tag and operation of that job; all are, if the batch went well.
 */
#include <stdbool.h>

#include "../../sw/src/backend.h"
#include "fuzz.h"
#include "pm_curve.h"
#include "pm_multicurve_regs.h"

enum {
  WIRE_BYTES = 72, /* of a number in a packet */
  RESULT_BYTES = 16,
  SEEN = 256,
  PACKET_BYTES = 256,
  MOST = 12, /* jobs of a batch */
  TIMEOUT = 2000,
  ABORTED = 10
};

fuzz_count fuzz_counts[] = {{"batches", 0}, {"failures", 0}, {"results", 0}, {"numbers", 0}, {"aborted", 0}, {NULL, 0}};
enum { BATCHES, FAILURES, RESULTS, NUMBERS, ABORTIONS };

static struct {
  fuzz_input in;
  bool honest;
  uint8_t heads[SEEN][8]; /* of the packets that came */
  size_t count, head_length;
  uint8_t head[8];
  uint8_t packet[PACKET_BYTES];
  size_t length, given;
  uint8_t sent[SEEN][PACKET_BYTES]; /* result packets that went out */
  size_t sent_length[SEEN], sent_count;
} core;

extern const pm_backend pm_backend_hostile;

static pm_error error_now(void) { return core.honest || fuzz_byte(&core.in) < 255 ? PM_OK : PM_ERR_BUS; }

static pm_error hostile_open(const char *name, const char *config, void **state) {
  (void)name;
  (void)config;
  *state = &core;
  return PM_OK;
}

static void hostile_close(void *state) { (void)state; }

static pm_error hostile_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  (void)state;
  size_t room = fuzz_below(&core.in, 128) * 8;
  *taken = room < length ? room : length;
  for (size_t i = 0; i < *taken && core.head_length < sizeof core.head; i++) {
    core.head[core.head_length++] = bytes[i];
    if (core.head_length == sizeof core.head && core.count < SEEN) {
      memcpy(core.heads[core.count++], core.head, sizeof core.head);
    }
  }
  if (last && *taken == length) {
    core.head_length = 0;
  }
  return error_now();
}

/* A result as the format has it, changed unless the core is honest, or any bytes. */
static void make_packet(void) {
  uint32_t kind = core.honest ? 0 : fuzz_below(&core.in, 6);
  uint8_t *p = core.packet;
  core.given = 0;
  if (core.count == 0 || kind == 5) {
    core.length = core.honest ? 0 : 1 + fuzz_below(&core.in, PACKET_BYTES);
    fuzz_fill(&core.in, p, core.length);
    return;
  }
  uint32_t latest = core.count < MOST ? (uint32_t)core.count : MOST;
  const uint8_t *head = core.heads[core.count - 1 - fuzz_below(&core.in, latest)];
  size_t numbers = fuzz_below(&core.in, 3);
  memset(p, 0, PACKET_BYTES);
  p[0] = numbers != 0 ? 0 : fuzz_byte(&core.in);
  p[1] = head[1];
  memcpy(p + 4, head + 4, 4);
  p[12] = (uint8_t)fuzz_below(&core.in, 4);
  for (size_t i = 0; i < numbers; i++) {
    fuzz_fill(&core.in, p + RESULT_BYTES + i * WIRE_BYTES, PM_NUMBER_BYTES);
  }
  core.length = RESULT_BYTES + numbers * WIRE_BYTES;
  for (uint32_t n = kind >= 3 ? kind - 2 : 0; n != 0; n--) {
    p[fuzz_below(&core.in, (uint32_t)core.length)] ^= (uint8_t)(1u << fuzz_below(&core.in, 8));
  }
}

static pm_error hostile_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  (void)state;
  *length = 0;
  *last = false;
  if (core.given == core.length) {
    if (fuzz_byte(&core.in) < 64) {
      return error_now();
    }
    make_packet();
    if (core.sent_count < SEEN) {
      memcpy(core.sent[core.sent_count], core.packet, core.length);
      core.sent_length[core.sent_count++] = core.length;
    }
  }
  size_t left = core.length - core.given;
  size_t most = left < capacity ? left : capacity;
  *length = most == 0 ? 0 : 1 + fuzz_below(&core.in, (uint32_t)most);
  memcpy(bytes, core.packet + core.given, *length);
  core.given += *length;
  *last = *length != 0 && core.given == core.length;
  return PM_OK;
}

static pm_error hostile_read(void *state, uint32_t address, uint32_t *value) {
  (void)state;
  *value = address == offsetof(pm_multicurve_regs_t, NAME) && fuzz_below(&core.in, 16) != 15
               ? PM_MULTICURVE_REGS__NAME__VALUE_reset : fuzz_word(&core.in);
  return error_now();
}

static pm_error hostile_write(void *state, uint32_t address, uint32_t value) {
  (void)state;
  (void)address;
  (void)value;
  return error_now();
}

static pm_error hostile_advance(void *state, uint64_t cycles, uint64_t *spent) {
  (void)state;
  *spent = cycles == 0 || core.in.left == 0 ? cycles : 1 + fuzz_byte(&core.in) % cycles;
  return PM_OK;
}

static uint64_t hostile_elapsed(void *state) {
  (void)state;
  return 0;
}

const pm_backend pm_backend_hostile = {
    .name = "hostile",
    .open = hostile_open,
    .close = hostile_close,
    .send = hostile_send,
    .recv = hostile_recv,
    .reg_read = hostile_read,
    .reg_write = hostile_write,
    .advance = hostile_advance,
    .elapsed = hostile_elapsed,
};

/* Whether packet i says this result of an operation. */
static bool says(size_t i, const pm_curve_result *result, uint32_t op) {
  const uint8_t *p = core.sent[i];
  bool same = core.sent_length[i] == RESULT_BYTES + result->count * WIRE_BYTES && p[0] == result->reason &&
              p[1] == op && p[2] == 0 && p[3] == 0 && p[12] == (result->infinity | result->all_zero << 1) &&
              p[13] == 0 && p[14] == 0 && p[15] == 0;
  for (size_t n = 0; same && n < result->count; n++) {
    const uint8_t *number = p + RESULT_BYTES + n * WIRE_BYTES;
    same = memcmp(number, result->numbers + n * PM_NUMBER_BYTES, PM_NUMBER_BYTES) == 0 &&
           memcmp(number + PM_NUMBER_BYTES, "\0\0\0", WIRE_BYTES - PM_NUMBER_BYTES) == 0;
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
    jobs[i] = (pm_curve_job){.tag = i, .op = fuzz_byte(&core.in), .option = fuzz_byte(&core.in), .count = 1,
                             .numbers = numbers};
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
  if (pm_curve_open("hostile", "", &dev) == PM_OK) {
    do {
      batch(dev);
    } while (core.in.left != 0);
    pm_curve_close(dev);
  }
  return 0;
}
