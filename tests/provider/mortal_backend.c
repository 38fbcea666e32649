/* SPDX-License-Identifier: Apache-2.0
 *
 * mortal_backend.c: the back-end `sim` with faults on demand, for tests of programs. PM_MORTAL names a file of one
 * line, "<fault> <n>": the n-th job that any process sends from then on meets the fault, and the file is gone. Faults:
 *   die      the device fails, as one that was pulled out; it stays so until it is closed
 *   silent   no result comes, and time passes
 *   tag      the result has another tag, which no job has
 *   flag     the result has a bit that contradicts its reason
 *   payload  a bit of the last number of the result is wrong, which nobody can see
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../sw/src/backend.h"

extern const pm_backend pm_backend_sim, pm_backend_mortal;

typedef enum fault { NONE, DIE, SILENT, TAG, FLAG, PAYLOAD } fault;

typedef struct mortal {
  void *sim;
  fault met;
  size_t given; /* bytes of the result under way */
} mortal;

/* Counts a job down; the fault that it meets. */
static fault take(void) {
  static const char *const names[] = {"", "die", "silent", "tag", "flag", "payload"};
  const char *path = getenv("PM_MORTAL");
  char word[16] = "";
  int left = 0;
  FILE *file = path == NULL ? NULL : fopen(path, "r+");
  if (file == NULL) {
    return NONE;
  }
  fault met = NONE;
  if (fscanf(file, "%15s %d", word, &left) == 2 && left > 1) {
    rewind(file);
    (void)fprintf(file, "%s %d\n", word, left - 1);
  } else {
    (void)unlink(path);
    for (int i = DIE; i <= PAYLOAD; i++) {
      met = strcmp(word, names[i]) == 0 ? (fault)i : met;
    }
  }
  (void)fclose(file);
  return met;
}

static pm_error mortal_open(const char *core, const char *config, void **state) {
  mortal *m = calloc(1, sizeof *m);
  if (m == NULL) {
    return PM_ERR_MEMORY;
  }
  pm_error error = pm_backend_sim.open(core, config, &m->sim);
  if (error != PM_OK) {
    free(m);
    return error;
  }
  *state = m;
  return PM_OK;
}

static void mortal_close(void *state) {
  mortal *m = state;
  pm_backend_sim.close(m->sim);
  free(m);
}

static pm_error mortal_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  mortal *m = state;
  if (m->met == DIE) {
    return PM_ERR_IO;
  }
  pm_error error = pm_backend_sim.send(m->sim, bytes, length, last, taken);
  if (error == PM_OK && last && *taken == length && length != 0 && m->met == NONE) {
    m->met = take();
  }
  return error;
}

static pm_error mortal_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  mortal *m = state;
  if (m->met == DIE) {
    return PM_ERR_IO;
  }
  if (m->met == SILENT) {
    *length = 0;
    return PM_OK;
  }
  pm_error error = pm_backend_sim.recv(m->sim, bytes, capacity, length, last);
  if (error != PM_OK || *length == 0 || m->met == NONE) {
    return error;
  }
  if (m->given == 0 && *length >= 8) {
    bytes[4] ^= m->met == TAG ? 0xff : 0;
    bytes[2] ^= m->met == FLAG;
  }
  m->given += *length;
  if (*last) {
    size_t numbers = m->given > 16 ? 32 : 0;
    if (m->met == PAYLOAD && numbers != 0 && *length > numbers) {
      bytes[*length - numbers] ^= 1;
    }
    m->given = 0;
    m->met = NONE;
  }
  return PM_OK;
}

static pm_error mortal_read(void *state, uint32_t address, uint32_t *value) {
  mortal *m = state;
  return m->met == DIE ? PM_ERR_BUS : pm_backend_sim.reg_read(m->sim, address, value);
}

static pm_error mortal_write(void *state, uint32_t address, uint32_t value) {
  mortal *m = state;
  return m->met == DIE ? PM_ERR_BUS : pm_backend_sim.reg_write(m->sim, address, value);
}

static pm_error mortal_advance(void *state, uint64_t cycles, uint64_t *spent) {
  mortal *m = state;
  if (m->met == DIE) {
    return PM_ERR_IO;
  }
  if (m->met == SILENT) {
    *spent = cycles;
    return PM_OK;
  }
  return pm_backend_sim.advance(m->sim, cycles, spent);
}

static uint64_t mortal_elapsed(void *state) { return pm_backend_sim.elapsed(((mortal *)state)->sim); }

static const char *mortal_configuration(void *state) { return pm_backend_sim.configuration(((mortal *)state)->sim); }

const pm_backend pm_backend_mortal = {.name = "mortal",
                                      .open = mortal_open,
                                      .close = mortal_close,
                                      .send = mortal_send,
                                      .recv = mortal_recv,
                                      .reg_read = mortal_read,
                                      .reg_write = mortal_write,
                                      .advance = mortal_advance,
                                      .elapsed = mortal_elapsed,
                                      .configuration = mortal_configuration};
