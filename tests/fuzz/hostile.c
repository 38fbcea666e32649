/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include "../../sw/src/regs.h"

enum {
  HEAD_BYTES = 16,   /* of a job packet: header, and the caller's tag */
  JOBS = 4096,       /* that a run may send */
  PACKET_BYTES = 256 /* of a result; the longest that keeps to the format has 112 */
};

typedef struct seen_job {
  uint8_t head[HEAD_BYTES];
  bool said; /* a result that keeps to the format was sent */
  uint8_t reason, all_zero;
  uint8_t payload[96];
} seen_job;

static struct {
  fuzz_input *in;
  bool honest;
  uint32_t name, config;
  seen_job jobs[JOBS];
  size_t count;
  uint8_t head[HEAD_BYTES];
  size_t head_length;
  uint8_t packet[PACKET_BYTES];
  size_t length, given;
  uint64_t cycles;
} core;

/* Operands and words of payload of the operations, as docs/bus-stream.md has them. */
static size_t payload_bytes(uint8_t op) {
  return op == PM_OP_X25519 || op == PM_OP_KEYGEN ? 32 : op == PM_OP_SIGN ? 96 : 0;
}

static bool is_zero(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

void hostile_begin(fuzz_input *in, bool honest) {
  memset(&core, 0, sizeof core);
  core.in = in;
  core.honest = honest;
  core.name = fuzz_below(in, 4) != 0 ? PM_NAME_EDVERIFY : fuzz_below(in, 8) != 0 ? PM_NAME_X25519 : fuzz_word(in);
  core.config = fuzz_word(in);
}

static pm_error error_now(void) {
  if (core.honest || fuzz_byte(core.in) < 255) {
    return PM_OK;
  }
  return fuzz_below(core.in, 2) != 0 ? PM_ERR_BUS : PM_ERR_IO;
}

static pm_error hostile_open(const char *name, const char *config, void **state) {
  (void)name;
  (void)config;
  *state = &core;
  return PM_OK;
}

static void hostile_close(void *state) { (void)state; }

static pm_error hostile_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  (void)state;
  pm_error error = error_now();
  if (error != PM_OK) {
    return error;
  }
  size_t room = fuzz_below(core.in, 64) * 8;
  *taken = room < length ? room : length;
  for (size_t i = 0; i < *taken && core.head_length < HEAD_BYTES; i++) {
    core.head[core.head_length++] = bytes[i];
    if (core.head_length == HEAD_BYTES && core.count < JOBS) {
      memcpy(core.jobs[core.count++].head, core.head, HEAD_BYTES);
    }
  }
  if (last && *taken == length) {
    core.head_length = 0;
  }
  return PM_OK;
}

/* The result that a core without defects may send to this job. */
static void make_honest(const seen_job *job) {
  uint8_t *p = core.packet, op = job->head[1];
  uint8_t reason = fuzz_below(core.in, 2) != 0 ? 0 : (uint8_t)fuzz_below(core.in, PM_REASON_SECRET_REFUSED + 1);
  memset(p, 0, PACKET_BYTES);
  p[0] = reason;
  p[1] = job->head[0];
  p[2] = reason == 0;
  memcpy(p + 4, job->head + 4, 4);
  p[8] = fuzz_byte(core.in);
  core.length = HEAD_BYTES + (reason == 0 ? payload_bytes(op) : 0);
  if (fuzz_below(core.in, 4) != 0) {
    fuzz_fill(core.in, p + HEAD_BYTES, core.length - HEAD_BYTES);
  }
  if (op == PM_OP_X25519 && reason == 0 && is_zero(p + HEAD_BYTES, 32)) {
    p[2] |= 2;
  }
}

/* Notes what a packet says of the jobs whose tag on the wire it has, if it keeps to the format for them. */
static void note(void) {
  const uint8_t *p = core.packet;
  for (size_t i = 0; core.length >= HEAD_BYTES && i < core.count; i++) {
    seen_job *job = &core.jobs[i];
    uint8_t op = job->head[1];
    size_t payload = p[0] == 0 ? payload_bytes(op) : 0;
    bool complete = core.length == HEAD_BYTES + payload;
    bool zero = op == PM_OP_X25519 && payload != 0 && complete && is_zero(p + HEAD_BYTES, 32);
    uint8_t flags = (uint8_t)((p[0] == 0) | zero << 1);
    if (!job->said && memcmp(p + 4, job->head + 4, 4) == 0 && complete &&
        p[0] <= PM_REASON_SECRET_REFUSED && p[1] == job->head[0] && p[2] == flags && p[3] == 0 && is_zero(p + 12, 4)) {
      job->said = true;
      job->reason = p[0];
      job->all_zero = zero;
      memcpy(job->payload, p + HEAD_BYTES, payload);
    }
  }
}

static void make_packet(void) {
  uint32_t kind = core.honest ? 0 : fuzz_below(core.in, 8);
  core.given = 0;
  if (core.count == 0 || kind == 7) {
    core.length = core.honest ? 0 : 1 + fuzz_below(core.in, PACKET_BYTES);
    fuzz_fill(core.in, core.packet, core.length);
  } else {
    uint32_t back = fuzz_below(core.in, 32); /* among the latest ones */
    make_honest(&core.jobs[back < core.count ? core.count - 1 - back : 0]);
    for (uint32_t n = kind >= 4 ? kind - 3 : 0; n != 0; n--) {
      core.packet[fuzz_below(core.in, (uint32_t)core.length)] ^= (uint8_t)(1u << fuzz_below(core.in, 8));
    }
    if (kind == 6) {
      core.length = 1 + fuzz_below(core.in, PACKET_BYTES);
    }
  }
  note();
}

static pm_error hostile_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  (void)state;
  *length = 0;
  *last = false;
  pm_error error = error_now();
  if (error != PM_OK) {
    return error;
  }
  if (core.given == core.length) {
    if (fuzz_byte(core.in) < 96) {
      return PM_OK;
    }
    make_packet();
  }
  size_t left = core.length - core.given;
  size_t most = left < capacity ? left : capacity;
  *length = most == 0 ? 0 : core.honest ? most : 1 + fuzz_below(core.in, (uint32_t)most);
  memcpy(bytes, core.packet + core.given, *length);
  core.given += *length;
  *last = *length != 0 && core.given == core.length;
  return PM_OK;
}

static pm_error hostile_read(void *state, uint32_t address, uint32_t *value) {
  (void)state;
  pm_error error = error_now();
  if (error == PM_OK) {
    *value = address == PM_REG_NAME ? core.name : address == PM_REG_CONFIG ? core.config : fuzz_word(core.in);
  }
  return error;
}

static pm_error hostile_write(void *state, uint32_t address, uint32_t value) {
  (void)state;
  (void)address;
  (void)value;
  return error_now();
}

static pm_error hostile_advance(void *state, uint64_t cycles, uint64_t *spent) {
  (void)state;
  bool all = core.in->left == 0 || fuzz_below(core.in, 4) == 0;
  *spent = cycles == 0 ? 0 : all ? cycles : 1 + fuzz_byte(core.in) % cycles;
  core.cycles += *spent;
  return PM_OK;
}

static uint64_t hostile_elapsed(void *state) {
  (void)state;
  return core.cycles;
}

bool hostile_said(const pm_result *result) {
  for (size_t i = 0; i < core.count; i++) {
    const seen_job *job = &core.jobs[i];
    if (job->said && job->head[1] != PM_OP_LOAD_KEY && memcmp(job->head + 8, &result->tag, 8) == 0 &&
        job->reason == result->reason && job->all_zero == result->all_zero &&
        memcmp(job->payload, result->payload, result->length) == 0) {
      return true;
    }
  }
  return false;
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
