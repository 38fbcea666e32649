/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile.h"

#include "../../sw/src/regs.h"

static struct {
  fuzz_input *in;
  hostile_core core;
  uint8_t head[HOSTILE_HEAD_BYTES];
  size_t head_length;
  uint8_t packet[HOSTILE_PACKET_BYTES];
  size_t length, given;
  uint64_t cycles;
} run;

void hostile_begin(fuzz_input *in, const hostile_core *core) {
  memset(&run, 0, sizeof run);
  run.in = in;
  run.core = *core;
}

bool hostile_zero(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (bytes[i] != 0) {
      return false;
    }
  }
  return true;
}

void hostile_flip(uint8_t *packet, size_t length, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = fuzz_below(run.in, (uint32_t)length), bit = fuzz_below(run.in, 8);
    packet[at] ^= (uint8_t)(1u << bit);
  }
}

static pm_error error_now(void) {
  if (run.core.honest || fuzz_byte(run.in) < 255) {
    return PM_OK;
  }
  return fuzz_below(run.in, 2) != 0 ? PM_ERR_BUS : PM_ERR_IO;
}

static pm_error hostile_open(const char *core, const char *config, void **state) {
  (void)core;
  (void)config;
  *state = &run;
  return PM_OK;
}

static void hostile_close(void *state) { (void)state; }

static pm_error hostile_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  (void)state;
  pm_error error = error_now();
  if (error != PM_OK) {
    return error;
  }
  size_t room = fuzz_below(run.in, 128) * 8;
  *taken = room < length ? room : length;
  for (size_t i = 0; i < *taken && run.head_length < HOSTILE_HEAD_BYTES; i++) {
    run.head[run.head_length++] = bytes[i];
    if (run.head_length == 8 || run.head_length == HOSTILE_HEAD_BYTES) {
      run.core.job(run.head, run.head_length);
    }
  }
  if (last && *taken == length) {
    run.head_length = 0;
  }
  return PM_OK;
}

static pm_error hostile_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  (void)state;
  *length = 0;
  *last = false;
  pm_error error = error_now();
  if (error != PM_OK) {
    return error;
  }
  if (run.given == run.length) {
    if (fuzz_byte(run.in) < 96) {
      return PM_OK;
    }
    run.given = 0;
    run.length = run.core.result(run.packet);
    EXPECT(run.length <= HOSTILE_PACKET_BYTES);
  }
  size_t left = run.length - run.given;
  size_t most = left < capacity ? left : capacity;
  *length = most == 0 ? 0 : run.core.honest ? most : 1 + fuzz_below(run.in, (uint32_t)most);
  memcpy(bytes, run.packet + run.given, *length);
  run.given += *length;
  *last = *length != 0 && run.given == run.length;
  if (*last) {
    run.core.sent(run.packet, run.length);
  }
  return PM_OK;
}

static pm_error hostile_read(void *state, uint32_t address, uint32_t *value) {
  (void)state;
  *value = address == PM_REG_NAME      ? run.core.name
           : address == PM_REG_VERSION ? run.core.version
           : address == PM_REG_CONFIG  ? run.core.config
                                       : fuzz_word(run.in);
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
  bool all = run.in->left == 0 || fuzz_below(run.in, 4) == 0;
  *spent = cycles == 0 || all ? cycles : 1 + fuzz_byte(run.in) % cycles;
  run.cycles += *spent;
  return PM_OK;
}

static uint64_t hostile_elapsed(void *state) {
  (void)state;
  return run.cycles;
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
