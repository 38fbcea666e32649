/* SPDX-License-Identifier: Apache-2.0
 *
 * device.c: opening and closing, registers, counters, soft reset, error sentences.
 */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "regs.h"

const char *pm_strerror(pm_error error) {
  switch (error) {
    case PM_OK: return "success";
    case PM_ERR_ARGUMENT: return "a pointer is null or a value is outside its range";
    case PM_ERR_BACKEND: return "no back-end of that name in this library";
    case PM_ERR_CONFIG: return "the configuration is malformed or not built in";
    case PM_ERR_MEMORY: return "out of memory";
    case PM_ERR_IO: return "the operating system rejected access to the device, or the line to it is broken";
    case PM_ERR_DEVICE: return "no Pointmill core of a known kind responds there";
    case PM_ERR_ADDRESS: return "the register address is not a multiple of 4 or outside the map";
    case PM_ERR_BUS: return "the core rejected the register access, or did not respond";
    case PM_ERR_FULL: return "the queue is full";
    case PM_ERR_AGAIN: return "no result is ready yet";
    case PM_ERR_IDLE: return "no job is outstanding";
    case PM_ERR_TIMEOUT: return "the time given ran out";
    case PM_ERR_PROTOCOL: return "a result of the core contradicts itself or its job";
    case PM_ERR_CANCELLED: return "the progress function asked to stop";
    case PM_ERR_MODE: return "this core was built without that mode";
  }
  return "unknown error";
}

size_t pm_max_message(void) { return PM_MAX_MESSAGE; }

size_t pm_queue_depth(void) { return PM_QUEUE_DEPTH; }

/* Which core this is, of those whose register maps the driver knows. */
static pm_error check_name(pm_device *dev) {
  uint32_t name = 0;
  pm_error error = dev->backend->reg_read(dev->state, PM_REG_NAME, &name);
  if (error != PM_OK) {
    return error == PM_ERR_BUS ? PM_ERR_DEVICE : error;
  }
  dev->is_edverify = name == PM_NAME_EDVERIFY;
  if (!dev->is_edverify && name != PM_NAME_X25519) {
    return PM_ERR_DEVICE;
  }
  uint32_t version = 0;
  error = dev->backend->reg_read(dev->state, PM_REG_VERSION, &version);
  return error != PM_OK ? error : pm_check_map(name, version);
}

/* Takes over what the core is built with. */
static pm_error read_config(pm_device *dev) {
  uint32_t word = 0;
  pm_error error = dev->backend->reg_read(dev->state, PM_REG_CONFIG, &word);
  if (error != PM_OK) {
    return error;
  }
  uint32_t bits = PM_CONFIG_FIELD(word, KEYS);
  size_t slots = bits != 0 ? (size_t)1 << bits : 0;
  dev->keys.slots = slots < PM_MAX_KEYS ? slots : PM_MAX_KEYS;
  dev->has_batches = PM_CONFIG_FIELD(word, BATCH) != 0;
  return PM_OK;
}

/* Seeds the multipliers of batches with randomness of the operating system. */
static pm_error write_seed(pm_device *dev) {
  uint32_t seed[PM_SEED_WORDS];
  FILE *source = fopen("/dev/urandom", "rb");
  if (source == NULL) {
    return PM_ERR_IO;
  }
  bool filled = setvbuf(source, NULL, _IONBF, 0) == 0 && fread(seed, sizeof seed, 1, source) == 1;
  pm_error error = fclose(source) == 0 && filled ? PM_OK : PM_ERR_IO;
  for (uint32_t i = 0; error == PM_OK && i < PM_SEED_WORDS; i++) {
    error = dev->backend->reg_write(dev->state, PM_REG_SEED + 4 * i, seed[i]);
  }
  pm_wipe(seed, sizeof seed);
  return error;
}

static pm_error open_core(const pm_backend *backend, const char *config, pm_device **out) {
  pm_device *dev = calloc(1, sizeof *dev);
  if (dev == NULL) {
    return PM_ERR_MEMORY;
  }
  dev->backend = backend;
  dev->batch_timeout = PM_DEFAULT_BATCH_TIMEOUT;
  dev->send_head = PM_NO_SLOT;
  dev->send_tail = PM_NO_SLOT;
  for (int i = 0; i < PM_SLOTS; i++) {
    dev->slots[i].next = i + 1 < PM_SLOTS ? i + 1 : PM_NO_SLOT;
  }
  pm_error error = pm_config_name(config, "", dev->config, sizeof dev->config);
  if (error == PM_OK) {
    error = backend->open("edverify", config, &dev->state);
  }
  if (error != PM_OK) {
    free(dev);
    return error;
  }
  if (backend->configuration != NULL) {
    (void)snprintf(dev->config, sizeof dev->config, "%.31s", backend->configuration(dev->state));
  }
  error = check_name(dev);
  if (error == PM_OK && dev->is_edverify) {
    error = read_config(dev);
  }
  if (error == PM_OK && dev->has_batches) {
    error = write_seed(dev);
  }
  if (error != PM_OK) {
    pm_close(dev);
    return error;
  }
  *out = dev;
  return PM_OK;
}

pm_error pm_open(const char *backend, const char *config, pm_device **out) {
  if (out == NULL) {
    return PM_ERR_ARGUMENT;
  }
  *out = NULL;
  const pm_backend *table = NULL;
  pm_error error = pm_backend_find(backend, &table);
  return error != PM_OK ? error : open_core(table, config != NULL ? config : "", out);
}

void pm_close(pm_device *dev) {
  if (dev == NULL) {
    return;
  }
  dev->backend->close(dev->state);
  for (int i = 0; i < PM_SLOTS; i++) {
    if (dev->slots[i].packet != NULL) {
      pm_wipe(dev->slots[i].packet, dev->slots[i].length);
      free(dev->slots[i].packet);
    }
  }
  pm_wipe(dev, sizeof *dev); /* results that were not taken */
  free(dev);
}

pm_error pm_read_reg(pm_device *dev, uint32_t address, uint32_t *value) {
  if (dev == NULL || value == NULL) {
    return PM_ERR_ARGUMENT;
  }
  if (address % 4 != 0 || address > PM_REG_WINDOW) {
    return PM_ERR_ADDRESS;
  }
  return dev->backend->reg_read(dev->state, address, value);
}

pm_error pm_write_reg(pm_device *dev, uint32_t address, uint32_t value) {
  if (dev == NULL) {
    return PM_ERR_ARGUMENT;
  }
  if (address % 4 != 0 || address > PM_REG_WINDOW) {
    return PM_ERR_ADDRESS;
  }
  return dev->backend->reg_write(dev->state, address, value);
}

pm_error pm_soft_reset(pm_device *dev) {
  if (dev == NULL) {
    return PM_ERR_ARGUMENT;
  }
  pm_error error = dev->backend->reg_write(dev->state, PM_REG_CTRL, PM_CTRL_SOFT_RESET);
  if (error == PM_OK) {
    pm_abort_unsent(dev);
    pm_keys_forget(&dev->keys);
  }
  return error;
}

pm_error pm_set_mode(pm_device *dev, pm_mode mode) {
  if (dev == NULL || (mode != PM_MODE_SINGLE && mode != PM_MODE_BATCH && mode != PM_MODE_CACHED)) {
    return PM_ERR_ARGUMENT;
  }
  if ((mode == PM_MODE_BATCH && !dev->has_batches) ||
      (mode == PM_MODE_CACHED && dev->keys.slots == 0)) {
    return PM_ERR_MODE;
  }
  dev->mode = mode;
  return PM_OK;
}

/* Reads a run of registers into values[]; stops at the first error. */
static pm_error read_many(pm_device *dev, const uint32_t *addresses, uint32_t *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    pm_error error = pm_read_reg(dev, addresses[i], &values[i]);
    if (error != PM_OK) {
      return error;
    }
  }
  return PM_OK;
}

/* A 64-bit counter: reading the low half latches the high half. */
static pm_error read_wide(pm_device *dev, uint32_t address, uint64_t *value) {
  const uint32_t order[2] = {address, address + 4};
  uint32_t part[2] = {0, 0};
  pm_error error = read_many(dev, order, part, 2);
  *value = (uint64_t)part[1] << 32 | part[0];
  return error;
}

pm_error pm_counters(pm_device *dev, pm_counter_values *values) {
  if (dev == NULL || values == NULL) {
    return PM_ERR_ARGUMENT;
  }
  const uint32_t order[3] = {PM_REG_JOBS, PM_REG_VALID, PM_REG_ERRORS};
  uint32_t narrow[3] = {0, 0, 0};
  pm_counter_values read = {0};
  pm_error error = read_many(dev, order, narrow, 3);
  if (error == PM_OK) {
    error = read_wide(dev, PM_REG_CYCLES, &read.cycles);
  }
  if (error == PM_OK) {
    error = read_wide(dev, PM_REG_BUSY, &read.busy);
  }
  if (error == PM_OK && dev->is_edverify) {
    error = read_wide(dev, PM_REG_MULS, &read.muls);
  }
  if (error != PM_OK) {
    return error;
  }
  read.jobs = narrow[0];
  read.valid = narrow[1];
  read.errors = narrow[2];
  *values = read;
  return PM_OK;
}

pm_error pm_clear_counters(pm_device *dev) {
  return pm_write_reg(dev, PM_REG_COUNT_CLEAR, PM_COUNT_CLEAR_ALL);
}

pm_error pm_elapsed(pm_device *dev, uint64_t *cycles) {
  if (dev == NULL || cycles == NULL) {
    return PM_ERR_ARGUMENT;
  }
  *cycles = dev->backend->elapsed(dev->state);
  return PM_OK;
}

pm_error pm_info(pm_device *dev, pm_device_info *info) {
  if (dev == NULL || info == NULL) {
    return PM_ERR_ARGUMENT;
  }
  const uint32_t order[3] = {PM_REG_NAME, PM_REG_VERSION, PM_REG_CONFIG};
  uint32_t value[3] = {0, 0, 0};
  pm_error error = read_many(dev, order, value, 3);
  if (error != PM_OK) {
    return error;
  }
  memset(info, 0, sizeof *info);
  snprintf(info->backend, sizeof info->backend, "%s", dev->backend->name);
  snprintf(info->config, sizeof info->config, "%s", dev->config);
  for (int i = 0; i < 4; i++) {
    info->name[i] = (char)(value[0] >> (8 * i));
  }
  info->version = value[1];
  info->config_word = value[2];
  info->elapsed_cycles = dev->backend->elapsed(dev->state);
  info->stray_answers = dev->stray;
  return PM_OK;
}
