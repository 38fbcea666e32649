/* SPDX-License-Identifier: Apache-2.0 */
#include "ed_core.h"

#include "../../sw/src/regs.h"

enum { JOBS = 4096, RESULT_BYTES = 16 }; /* that a run may send; of a result without payload (docs/bus-stream.md) */

typedef struct seen_job {
  uint8_t head[HOSTILE_HEAD_BYTES];
  bool has_tag; /* of the caller: the second half of the head came too */
  bool said; /* a result that keeps to the format was sent */
  uint8_t reason, all_zero;
  uint8_t payload[96];
} seen_job;

static struct {
  fuzz_input *in;
  bool honest;
  seen_job jobs[JOBS];
  size_t count;
} core;

size_t ed_core_payload(uint32_t op) {
  return op == PM_OP_X25519 || op == PM_OP_KEYGEN ? 32 : op == PM_OP_SIGN ? 96 : 0;
}

static void take_job(const uint8_t *head, size_t length) {
  core.count += length == 8;
  EXPECT(core.count <= JOBS);
  seen_job *job = &core.jobs[core.count - 1];
  memcpy(job->head, head, length);
  job->has_tag = length == HOSTILE_HEAD_BYTES;
}

/* The result that a core without defects may send to this job. */
static size_t make_honest(uint8_t *p, const seen_job *job) {
  uint8_t op = job->head[1];
  uint8_t reason = fuzz_below(core.in, 2) != 0 ? 0 : (uint8_t)fuzz_below(core.in, PM_REASON_FAULT_DETECTED + 1);
  size_t payload = reason == 0 ? ed_core_payload(op) : 0;
  memset(p, 0, HOSTILE_PACKET_BYTES);
  p[0] = reason;
  p[1] = job->head[0];
  p[2] = reason == 0;
  memcpy(p + 4, job->head + 4, 4);
  p[8] = fuzz_byte(core.in);
  if (fuzz_below(core.in, 4) != 0) {
    fuzz_fill(core.in, p + RESULT_BYTES, payload);
  }
  if (op == PM_OP_X25519 && payload != 0 && hostile_zero(p + RESULT_BYTES, payload)) {
    p[2] |= 2;
  }
  return RESULT_BYTES + payload;
}

/* Notes what a packet says of the jobs whose tag on the wire it has, if it keeps to the format for them. */
static void note(const uint8_t *p, size_t length) {
  for (size_t i = 0; length >= RESULT_BYTES && i < core.count; i++) {
    seen_job *job = &core.jobs[i];
    uint8_t op = job->head[1];
    size_t payload = p[0] == 0 ? ed_core_payload(op) : 0;
    bool complete = length == RESULT_BYTES + payload;
    bool zero = op == PM_OP_X25519 && payload != 0 && complete && hostile_zero(p + RESULT_BYTES, 32);
    uint8_t flags = (uint8_t)((p[0] == 0) | zero << 1);
    if (!job->said && memcmp(p + 4, job->head + 4, 4) == 0 && complete && p[0] <= PM_REASON_FAULT_DETECTED &&
        p[1] == job->head[0] && p[2] == flags && p[3] == 0 && hostile_zero(p + 12, 4)) {
      job->said = true;
      job->reason = p[0];
      job->all_zero = zero;
      memcpy(job->payload, p + RESULT_BYTES, payload);
    }
  }
}

static size_t make_result(uint8_t *packet) {
  uint32_t kind = core.honest ? 0 : fuzz_below(core.in, 8);
  size_t length = 0;
  if (core.count == 0 || kind == 7) {
    length = core.honest ? 0 : 1 + fuzz_below(core.in, HOSTILE_PACKET_BYTES);
    fuzz_fill(core.in, packet, length);
  } else {
    uint32_t back = fuzz_below(core.in, 32); /* among the latest ones */
    length = make_honest(packet, &core.jobs[back < core.count ? core.count - 1 - back : 0]);
    hostile_flip(packet, length, kind >= 4 ? kind - 3 : 0);
    if (kind == 6) {
      length = 1 + fuzz_below(core.in, HOSTILE_PACKET_BYTES);
    }
  }
  return length;
}

void ed_core_begin(fuzz_input *in, bool honest) {
  memset(&core, 0, sizeof core);
  core.in = in;
  core.honest = honest;
  hostile_core kind = {.honest = honest, .job = take_job, .result = make_result, .sent = note};
  kind.name = fuzz_below(in, 4) != 0 ? PM_NAME_EDVERIFY : fuzz_below(in, 8) != 0 ? PM_NAME_X25519 : fuzz_word(in);
  kind.version = fuzz_below(in, 16) != 0 ? HOSTILE_VERSION(PM_EDVERIFY_REGS) : fuzz_word(in);
  kind.config = fuzz_word(in);
  hostile_begin(in, &kind);
}

bool ed_core_said(const pm_result *result) {
  for (size_t i = 0; i < core.count; i++) {
    const seen_job *job = &core.jobs[i];
    bool same = !job->has_tag || memcmp(job->head + 8, &result->tag, 8) == 0;
    if (job->said && job->head[1] != PM_OP_LOAD_KEY && same && job->reason == result->reason &&
        job->all_zero == result->all_zero && memcmp(job->payload, result->payload, result->length) == 0) {
      return true;
    }
  }
  return false;
}
