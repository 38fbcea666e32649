/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_backend.h"

#include <stdlib.h>
#include <string.h>

enum { PACKET_BYTES = 1024, PACKETS = 16, SEND_BYTES = 16, RECV_BYTES = 24, HEAD = 16, NUMBER = 72 };

typedef struct packet {
  uint8_t bytes[PACKET_BYTES];
  size_t length;
} packet;

typedef struct core {
  packet job, late, answers[PACKETS];
  size_t first, count, given;
  bool full; /* the port has taken its bytes of this cycle */
  uint32_t name;
  uint64_t cycles;
} core;

fake_counts fake;

static void add_answer(core *c, const packet *answer) {
  c->answers[(c->first + c->count++) % PACKETS] = *answer;
}

static void answer_job(core *c) {
  const uint8_t *job = c->job.bytes;
  uint32_t option = job[0];
  size_t numbers = (size_t)job[1] % 4;
  packet a = {.length = HEAD + numbers * NUMBER};
  a.bytes[1] = job[1];
  memcpy(a.bytes + 4, job + 4, 4);
  a.bytes[8] = 100;
  a.bytes[12] = job[2];
  memcpy(a.bytes + HEAD, job + 8, numbers * NUMBER);
  fake.jobs++;
  switch (option) {
    case ANSWER_NEVER: return;
    case ANSWER_OTHER_OP: a.bytes[1] ^= 4; break;
    case ANSWER_RESERVED_HEAD: a.bytes[3] = 1; break;
    case ANSWER_RESERVED_TAIL: a.bytes[15] = 1; break;
    case ANSWER_LONG_NUMBER: a.bytes[a.length - 1] = 1; break;
    case ANSWER_LONG_FIRST: a.bytes[HEAD + NUMBER - 1] = 1; break;
    case ANSWER_PAYLOAD_OF_REFUSED: a.bytes[0] = 6; break;
    case ANSWER_CUT: a.length -= 8; break;
    case ANSWER_REFUSED: a.bytes[0] = 6, a.length = HEAD; break;
    case ANSWER_OTHER_TAG_FIRST: a.bytes[4] ^= 1, add_answer(c, &a), a.bytes[4] ^= 1; break;
    case ANSWER_LATE: c->late = a; return;
    default: break;
  }
  if (c->late.length != 0 && fake.resets != 0) {
    add_answer(c, &c->late);
    c->late.length = 0;
  }
  add_answer(c, &a);
}

static pm_error fake_open(const char *name, const char *config, void **state) {
  (void)name;
  if (strcmp(config, "broken") == 0) {
    return PM_ERR_IO;
  }
  core *c = calloc(1, sizeof *c);
  fake = (fake_counts){.opened = fake.opened + 1, .closed = fake.closed};
  if (c == NULL) {
    return PM_ERR_MEMORY;
  }
  c->name = strcmp(config, "other") == 0 ? 0x32584d50 /* x25519, whose map the driver knows */ : 0x434d4d50;
  *state = c;
  return PM_OK;
}

static void fake_close(void *state) {
  fake.closed++;
  free(state);
}

static pm_error fake_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  core *c = state;
  *taken = 0;
  if (c->full || c->count > PACKETS - 3) {
    return PM_OK;
  }
  *taken = length < SEND_BYTES ? length : SEND_BYTES;
  memcpy(c->job.bytes + c->job.length, bytes, *taken);
  c->job.length += *taken;
  c->full = true;
  if (last && *taken == length) {
    answer_job(c);
    c->job.length = 0;
  }
  return PM_OK;
}

static pm_error fake_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  core *c = state;
  *length = 0;
  if (c->count == 0) {
    return PM_OK;
  }
  packet *answer = &c->answers[c->first];
  size_t left = answer->length - c->given;
  *length = left < capacity ? left : capacity;
  *length = *length < RECV_BYTES ? *length : RECV_BYTES;
  memcpy(bytes, answer->bytes + c->given, *length);
  c->given += *length;
  *last = c->given == answer->length;
  if (*last) {
    c->first = (c->first + 1) % PACKETS;
    c->count--;
    c->given = 0;
  }
  return PM_OK;
}

static pm_error fake_read(void *state, uint32_t address, uint32_t *value) {
  const core *c = state;
  *value = address == 0 ? c->name : address == 4 ? 0x104 : address; /* a map that the driver knows: 0.1.4 */
  return PM_OK;
}

static pm_error fake_write(void *state, uint32_t address, uint32_t value) {
  (void)state;
  fake.resets += address == 0x0c && value == 1;
  return PM_OK;
}

static pm_error fake_advance(void *state, uint64_t cycles, uint64_t *spent) {
  core *c = state;
  *spent = c->full ? 1 : cycles;
  c->full = false;
  c->cycles += *spent;
  return PM_OK;
}

static uint64_t fake_elapsed(void *state) { return ((core *)state)->cycles; }

const pm_backend pm_backend_fake = {"fake",    fake_open,  fake_close,   fake_send,   fake_recv,
                                    fake_read, fake_write, fake_advance, fake_elapsed, NULL, NULL};
