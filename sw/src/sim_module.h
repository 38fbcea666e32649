/* SPDX-License-Identifier: Apache-2.0
 *
 * sim_module.h: what a simulated core, a shared object of its own, gives to the driver.
 *
 * A module pointmill-sim-<core>-<configuration>.so exports one object, `pm_simulated_core`. It is compiled from a
 * verilated core and stream_module.cpp or mpu_module.cpp in sw/backends/sim. Modules share nothing with each other and
 * need nothing of the driver, so that one process may load several.
 */
#ifndef PM_SIM_MODULE_H
#define PM_SIM_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes with every change of the structures below. */
#define PM_SIM_INTERFACE 1u

/* How the ports of a core with streams pause, for tests: percent of cycles, seed of the generator. */
typedef struct pm_sim_pauses {
  uint64_t idle;  /* cycles in which no job beat is offered although there is one */
  uint64_t stall; /* cycles in which results and register responses are not taken */
  uint64_t seed;
} pm_sim_pauses;

/* A core with job streams; the functions are as in pm_backend (backend.h), but cannot fail unless they say so. */
typedef struct pm_sim_stream {
  void *(*open)(const pm_sim_pauses *pauses); /* a core after reset; null: no memory */
  void (*close)(void *state);
  size_t (*send)(void *state, const uint8_t *bytes, size_t length, bool last);
  size_t (*recv)(void *state, uint8_t *bytes, size_t capacity, bool *last);
  bool (*reg_read)(void *state, uint32_t address, uint32_t *value); /* false: refused */
  bool (*reg_write)(void *state, uint32_t address, uint32_t value);
  uint64_t (*advance)(void *state, uint64_t cycles);
  uint64_t (*elapsed)(const void *state);
} pm_sim_stream;

/* A core that is memory-mapped. */
typedef struct pm_sim_memory {
  void *(*open)(void); /* a core after reset; null: no memory */
  void (*close)(void *state);
  uint64_t (*elapsed)(const void *state);
  pm_mpu_backend access;
} pm_sim_memory;

typedef struct pm_sim_module {
  uint32_t interface; /* PM_SIM_INTERFACE, first in every version */
  const char *core, *config;
  const pm_sim_stream *stream; /* one of the two, the other is null */
  const pm_sim_memory *memory;
} pm_sim_module;

/* Name of the exported object. */
#define PM_SIM_SYMBOL "pm_simulated_core"

#ifdef __cplusplus
}
#endif

#endif /* PM_SIM_MODULE_H */
