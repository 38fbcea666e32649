/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_sim.c: back-end of `mpu` that is a simulated core in this process (load.h says where it is from).
 */
#include <stdlib.h>

#include "../../include/pm_mpu_sim.h"
#include "../../src/backend.h"
#include "load.h"

typedef struct sim {
  const pm_sim_memory *memory;
  void *core;
} sim;

pm_error pm_mpu_sim_open(const char *config, void **state) {
  static const char *const keys[] = {"module", "modules", NULL};
  const pm_sim_module *module = NULL;
  if (state == NULL) {
    return PM_ERR_ARGUMENT;
  }
  *state = NULL;
  pm_open_begin();
  config = config != NULL ? config : "";
  pm_error error = pm_config_check(config, keys);
  if (error == PM_OK) error = pm_sim_load("mpu", config, &module);
  if (error == PM_OK && module->memory == NULL) {
    error = pm_open_failed(PM_ERR_CONFIG, "the simulated core is %s, not mpu", module->core);
  }
  if (error != PM_OK) {
    return error;
  }
  sim *opened = malloc(sizeof *opened);
  void *inner = opened != NULL ? module->memory->open() : NULL;
  if (inner == NULL) {
    free(opened);
    return PM_ERR_MEMORY;
  }
  *opened = (sim){.memory = module->memory, .core = inner};
  *state = opened;
  return PM_OK;
}

void pm_mpu_sim_close(void *state) {
  sim *s = state;
  if (s != NULL) {
    s->memory->close(s->core);
    free(s);
  }
}

uint64_t pm_mpu_sim_elapsed(const void *state) {
  const sim *s = state;
  return s->memory->elapsed(s->core);
}

static pm_error read32(void *state, uint32_t address, uint32_t *value) {
  sim *s = state;
  return s->memory->access.read32(s->core, address, value);
}

static pm_error write32(void *state, uint32_t address, uint32_t value) {
  sim *s = state;
  return s->memory->access.write32(s->core, address, value);
}

static pm_error copy_in(void *state, uint32_t address, const uint32_t *words, size_t count) {
  sim *s = state;
  return s->memory->access.copy_in(s->core, address, words, count);
}

static pm_error copy_out(void *state, uint32_t address, uint32_t *words, size_t count) {
  sim *s = state;
  return s->memory->access.copy_out(s->core, address, words, count);
}

static pm_error wait(void *state, bool interrupt, uint64_t cycles, uint64_t *spent) {
  sim *s = state;
  return s->memory->access.wait(s->core, interrupt, cycles, spent);
}

static pm_error dma_address(void *state, void *memory, size_t bytes, uint64_t *address) {
  sim *s = state;
  return s->memory->access.dma_address(s->core, memory, bytes, address);
}

const pm_mpu_backend pm_mpu_sim_backend = {
    .read32 = read32,
    .write32 = write32,
    .copy_in = copy_in,
    .copy_out = copy_out,
    .wait = wait,
    .dma_address = dma_address,
};
