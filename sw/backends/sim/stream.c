/* SPDX-License-Identifier: Apache-2.0
 *
 * stream.c: back-end "sim", a simulated core with job streams in this process (load.h says where it is from).
 *
 * Settings: idle=<percent>   cycles in which no job beat is offered although there is one
 *           stall=<percent>  cycles in which results and register responses are not taken
 *           seed=<number>    of the generator behind both
 *           module=<file>, modules=<dir>
 */
#include <stdlib.h>

#include "../../src/backend.h"
#include "load.h"

typedef struct sim {
  const pm_sim_module *module;
  void *core;
} sim;

extern const pm_backend pm_backend_sim;

static pm_error sim_open(const char *core, const char *config, void **state) {
  static const char *const keys[] = {"idle", "stall", "seed", "module", "modules", NULL};
  pm_sim_pauses pauses = {.seed = 1};
  const pm_sim_module *module = NULL;
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) error = pm_config_number(config, "idle", 99, &pauses.idle);
  if (error == PM_OK) error = pm_config_number(config, "stall", 99, &pauses.stall);
  if (error == PM_OK) error = pm_config_number(config, "seed", UINT32_MAX, &pauses.seed);
  if (error == PM_OK) error = pm_sim_load(core, config, &module);
  if (error == PM_OK && module->stream == NULL) {
    error = pm_open_failed(PM_ERR_CONFIG, "the simulated core %s has no job stream", module->core);
  }
  if (error != PM_OK) {
    return error;
  }
  sim *opened = malloc(sizeof *opened);
  void *inner = opened != NULL ? module->stream->open(&pauses) : NULL;
  if (inner == NULL) {
    free(opened);
    return PM_ERR_MEMORY;
  }
  *opened = (sim){.module = module, .core = inner};
  *state = opened;
  return PM_OK;
}

static void sim_close(void *state) {
  sim *s = state;
  s->module->stream->close(s->core);
  free(s);
}

static pm_error sim_send(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  sim *s = state;
  *taken = s->module->stream->send(s->core, bytes, length, last);
  return PM_OK;
}

static pm_error sim_recv(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  sim *s = state;
  *length = s->module->stream->recv(s->core, bytes, capacity, last);
  return PM_OK;
}

static pm_error sim_reg_read(void *state, uint32_t address, uint32_t *value) {
  sim *s = state;
  return s->module->stream->reg_read(s->core, address, value) ? PM_OK : PM_ERR_BUS;
}

static pm_error sim_reg_write(void *state, uint32_t address, uint32_t value) {
  sim *s = state;
  return s->module->stream->reg_write(s->core, address, value) ? PM_OK : PM_ERR_BUS;
}

static pm_error sim_advance(void *state, uint64_t cycles, uint64_t *spent) {
  sim *s = state;
  *spent = s->module->stream->advance(s->core, cycles);
  return PM_OK;
}

static uint64_t sim_elapsed(void *state) {
  sim *s = state;
  return s->module->stream->elapsed(s->core);
}

static const char *sim_configuration(void *state) {
  sim *s = state;
  return s->module->config;
}

const pm_backend pm_backend_sim = {
    .name = "sim",
    .open = sim_open,
    .close = sim_close,
    .send = sim_send,
    .recv = sim_recv,
    .reg_read = sim_reg_read,
    .reg_write = sim_reg_write,
    .advance = sim_advance,
    .elapsed = sim_elapsed,
    .configuration = sim_configuration,
};
