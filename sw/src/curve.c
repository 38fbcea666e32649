/* SPDX-License-Identifier: Apache-2.0
 *
 * curve.c: jobs and results of the core `multicurve` (pm_curve.h).
 *
 * Packets (docs/bus-multicurve.md), lowest byte first:
 *   job     8 bytes header {option, opcode, flags 2 bytes, tag}, operands of 72 bytes
 *   result  {reason, opcode, 0 0, tag}, {cycles, bit 0 infinity, bit 1 all zero}, numbers of 72 bytes
 * A number has 68 bytes, the other 4 are zero. The core responds in the order of the jobs. The tag on the wire
 * counts jobs, so that a late result to a given-up job is recognised and dropped.
 */
#include "pm_curve.h"

#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "packet.h"
#include "pm_multicurve_regs.h"
#include "regs.h"

#define REG(name) ((uint32_t)offsetof(pm_multicurve_regs_t, name))

enum {
  WIRE_BYTES = 72,
  HEADER_BYTES = 8,
  RESULT_BYTES = 16,
  MAX_JOB_BYTES = HEADER_BYTES + PM_CURVE_OPERANDS * WIRE_BYTES,
  MAX_RESULT_BYTES = RESULT_BYTES + PM_CURVE_PAYLOAD * WIRE_BYTES,
  REASON_OK = 0,
  REASON_ABORTED = 10
};

struct pm_curve_device {
  const pm_backend *backend;
  void *state;
  uint32_t next_tag;
  uint8_t tx[MAX_JOB_BYTES]; /* the packet under way */
  size_t tx_length, tx_sent;
  uint8_t rx[MAX_RESULT_BYTES + 8];
  size_t rx_length; /* stops at the size of the array: no result is so long */
};

typedef struct batch {
  pm_curve_device *dev;
  const pm_curve_job *jobs;
  pm_curve_result *results;
  uint32_t first_tag;
  size_t to_send; /* jobs before this one may be begun */
  size_t begun, answered, total;
  uint64_t timeout;
  pm_progress_fn progress;
  void *context;
} batch;

static void begin_packet(pm_curve_device *dev, const pm_curve_job *job, uint32_t tag) {
  memset(dev->tx, 0, sizeof dev->tx);
  dev->tx[0] = (uint8_t)job->option;
  dev->tx[1] = (uint8_t)job->op;
  pm_put_le(dev->tx + 2, job->flags, 2);
  pm_put_le(dev->tx + 4, tag, 4);
  for (size_t i = 0; i < job->count; i++) {
    memcpy(dev->tx + HEADER_BYTES + i * WIRE_BYTES, job->numbers + i * PM_NUMBER_BYTES, PM_NUMBER_BYTES);
  }
  dev->tx_length = HEADER_BYTES + job->count * WIRE_BYTES;
  dev->tx_sent = 0;
}

static pm_error send_packets(batch *b, bool *moved) {
  pm_curve_device *dev = b->dev;
  for (;;) {
    if (dev->tx_sent == dev->tx_length) {
      if (b->begun == b->to_send) {
        return PM_OK;
      }
      begin_packet(dev, &b->jobs[b->begun], b->first_tag + (uint32_t)b->begun);
      b->begun++;
    }
    size_t taken = 0;
    pm_error error = dev->backend->send(dev->state, dev->tx + dev->tx_sent,
                                        dev->tx_length - dev->tx_sent, true, &taken);
    if (error != PM_OK) {
      return error;
    }
    *moved = *moved || taken != 0;
    dev->tx_sent += taken;
    if (dev->tx_sent < dev->tx_length) {
      return PM_OK;
    }
    pm_wipe(dev->tx, sizeof dev->tx);
  }
}

/* The result of a packet with the right tag; false if it contradicts itself or the job. */
static bool unpack(const pm_curve_device *dev, const pm_curve_job *job, pm_curve_result *result) {
  const uint8_t *rx = dev->rx;
  size_t count = (dev->rx_length - RESULT_BYTES) / WIRE_BYTES;
  bool good = rx[1] == job->op && rx[2] == 0 && rx[3] == 0 && pm_get_le32(rx + 12) < 4 &&
              dev->rx_length == RESULT_BYTES + count * WIRE_BYTES && count <= PM_CURVE_PAYLOAD &&
              (rx[0] == REASON_OK || count == 0);
  for (size_t i = 0; good && i < count; i++) {
    good = pm_get_le32(rx + RESULT_BYTES + i * WIRE_BYTES + PM_NUMBER_BYTES) == 0;
  }
  if (!good) {
    return false;
  }
  result->reason = rx[0];
  result->cycles = pm_get_le32(rx + 8);
  result->infinity = rx[12] & 1;
  result->all_zero = rx[12] >> 1 & 1;
  result->count = (uint32_t)count;
  for (size_t i = 0; i < count; i++) {
    memcpy(result->numbers + i * PM_NUMBER_BYTES, rx + RESULT_BYTES + i * WIRE_BYTES, PM_NUMBER_BYTES);
  }
  return true;
}

/* Matches a whole answer with the oldest job that has none; others are late ones of jobs given up. */
static pm_error match_answer(batch *b) {
  pm_curve_device *dev = b->dev;
  if (dev->rx_length < RESULT_BYTES || b->answered == b->begun ||
      pm_get_le32(dev->rx + 4) != b->first_tag + (uint32_t)b->answered) {
    return PM_OK;
  }
  size_t index = b->answered++;
  if (!unpack(dev, &b->jobs[index], &b->results[index])) {
    return PM_ERR_PROTOCOL;
  }
  if (b->progress != NULL && b->progress(b->context, b->answered, b->total) != 0) {
    return PM_ERR_CANCELLED;
  }
  return PM_OK;
}

static pm_error receive_packets(batch *b, bool *moved) {
  pm_curve_device *dev = b->dev;
  for (;;) {
    uint8_t spill[8]; /* of a packet that is too long for a result */
    bool fits = dev->rx_length < sizeof dev->rx;
    size_t length = 0;
    bool last = false;
    pm_error error = dev->backend->recv(dev->state, fits ? dev->rx + dev->rx_length : spill,
                                        fits ? sizeof dev->rx - dev->rx_length : sizeof spill,
                                        &length, &last);
    if (error != PM_OK || length == 0) {
      return error;
    }
    *moved = true;
    dev->rx_length += fits ? length : 0;
    if (last) {
      error = match_answer(b);
      pm_wipe(dev->rx, sizeof dev->rx);
      dev->rx_length = 0;
      if (error != PM_OK) {
        return error;
      }
    }
  }
}

/* Until all jobs before `to_send` are answered. */
static pm_error run(batch *b) {
  uint64_t quiet = 0;
  while (b->answered < b->to_send) {
    bool moved = false;
    pm_error error = send_packets(b, &moved);
    if (error == PM_OK) {
      error = receive_packets(b, &moved);
    }
    if (error != PM_OK) {
      return error;
    }
    if (moved) {
      quiet = 0;
      continue;
    }
    if (quiet >= b->timeout) {
      return PM_ERR_TIMEOUT;
    }
    uint64_t spent = 0;
    error = b->dev->backend->advance(b->dev->state, b->timeout - quiet, &spent);
    if (error != PM_OK) {
      return error;
    }
    quiet += spent;
  }
  return PM_OK;
}

static bool legal(const pm_curve_job *job) {
  return job->op <= 0xff && job->option <= 0xff && job->flags <= 0xffff && job->count >= 1 &&
         job->count <= PM_CURVE_OPERANDS && job->numbers != NULL;
}

pm_error pm_curve_batch(pm_curve_device *dev, const pm_curve_job *jobs, size_t n, uint64_t timeout,
                        pm_progress_fn progress, void *context, pm_curve_result *results) {
  if (dev == NULL || timeout == 0 || (n != 0 && (jobs == NULL || results == NULL))) {
    return PM_ERR_ARGUMENT;
  }
  for (size_t i = 0; i < n; i++) {
    if (!legal(&jobs[i])) {
      return PM_ERR_ARGUMENT;
    }
  }
  for (size_t i = 0; i < n; i++) {
    results[i] = (pm_curve_result){.tag = jobs[i].tag, .reason = REASON_ABORTED};
  }
  batch b = {.dev = dev,
             .jobs = jobs,
             .results = results,
             .first_tag = dev->next_tag,
             .to_send = n,
             .total = n,
             .timeout = timeout,
             .progress = progress,
             .context = context};
  pm_error error = run(&b);
  if (error != PM_OK) {
    /* What has begun ends, and is answered or not; nothing else is begun. */
    b.to_send = b.begun;
    b.progress = NULL;
    uint32_t reset = PM_MULTICURVE_REGS__CTRL__SOFT_RESET_bm;
    if (dev->backend->reg_write(dev->state, REG(CTRL), reset) == PM_OK) {
      (void)run(&b);
    }
  }
  dev->next_tag += (uint32_t)b.begun;
  return error;
}

pm_error pm_curve_open(const char *backend, const char *config, pm_curve_device **out) {
  if (out == NULL) {
    return PM_ERR_ARGUMENT;
  }
  *out = NULL;
  const pm_backend *table = NULL;
  pm_error error = pm_backend_find(backend, &table);
  if (error != PM_OK) {
    return error;
  }
  pm_curve_device *dev = calloc(1, sizeof *dev);
  if (dev == NULL) {
    return PM_ERR_MEMORY;
  }
  dev->backend = table;
  error = table->open("multicurve", config != NULL ? config : "", &dev->state);
  if (error != PM_OK) {
    free(dev);
    return error;
  }
  uint32_t name = 0;
  error = table->reg_read(dev->state, REG(NAME), &name);
  if (error == PM_ERR_BUS || (error == PM_OK && name != PM_MULTICURVE_REGS__NAME__VALUE_reset)) {
    error = PM_ERR_DEVICE;
  }
  uint32_t version = 0;
  if (error == PM_OK) {
    error = table->reg_read(dev->state, REG(VERSION), &version);
  }
  if (error == PM_OK) {
    error = pm_check_map(name, version);
  }
  if (error != PM_OK) {
    pm_curve_close(dev);
    return error;
  }
  *out = dev;
  return PM_OK;
}

void pm_curve_close(pm_curve_device *dev) {
  if (dev == NULL) {
    return;
  }
  dev->backend->close(dev->state);
  pm_wipe(dev, sizeof *dev); /* a packet that was not wholly taken */
  free(dev);
}

pm_error pm_curve_info(pm_curve_device *dev, uint32_t *version, uint32_t *config, uint64_t *elapsed) {
  if (dev == NULL || version == NULL || config == NULL || elapsed == NULL) {
    return PM_ERR_ARGUMENT;
  }
  pm_error error = dev->backend->reg_read(dev->state, REG(VERSION), version);
  if (error == PM_OK) {
    error = dev->backend->reg_read(dev->state, REG(CONFIG), config);
  }
  *elapsed = dev->backend->elapsed(dev->state);
  return error;
}

pm_error pm_curve_read_reg(pm_curve_device *dev, uint32_t address, uint32_t *value) {
  if (dev == NULL || value == NULL) {
    return PM_ERR_ARGUMENT;
  }
  if (address % 4 != 0 || address > PM_REG_WINDOW) {
    return PM_ERR_ADDRESS;
  }
  return dev->backend->reg_read(dev->state, address, value);
}
