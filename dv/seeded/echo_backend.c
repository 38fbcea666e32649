/* SPDX-License-Identifier: Apache-2.0
 *
 * echo_backend.c: the fake back-end, but every result comes a second time when ECHO others have come
 * after it: by then its slot in the driver holds another job.
 */
#include "../../tests/driver/fake_backend.c"

enum { ECHO = 70 };

static uint8_t echoes[ECHO][16];
static uint64_t given;
static bool owed; /* the echo of the answer ECHO ago is due now */

static pm_error echo_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length,
                          bool *last) {
  uint8_t *slot = echoes[given % ECHO];
  if (owed) {
    memcpy(bytes, slot, 16);
    *length = 16;
    *last = true;
    owed = false;
    return PM_OK;
  }
  pm_error error = fake_recv(state, bytes, capacity, length, last);
  if (error == PM_OK && *length == 16) {
    memcpy(slot, bytes, 16);
    given++;
    owed = given >= ECHO;
  }
  return error;
}

static pm_error echo_open(const char *core, const char *config, void **state) {
  given = 0;
  owed = false;
  return fake_open(core, config, state);
}

const pm_backend pm_backend_echo = {
    .name = "echo",
    .open = echo_open,
    .close = fake_close,
    .send = fake_send,
    .recv = echo_recv,
    .reg_read = fake_reg_read,
    .reg_write = fake_reg_write,
    .advance = fake_advance,
    .elapsed = fake_elapsed,
};
