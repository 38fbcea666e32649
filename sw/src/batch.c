/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.c: batches, n jobs in, n results out, in order, whatever happens.
 */
#include <stdlib.h>

#include "device.h"

enum {
  WINDOW_JOBS = 64,       /* outstanding at once: enough to keep any core busy, but for its batches */
  WINDOW_BYTES = 4 << 20, /* packets waiting in memory, or one longer packet */
  DRAIN_CYCLES = 1000000  /* given to a soft reset to end every job */
};

typedef struct batch {
  pm_device *dev;
  const pm_job *jobs;               /* either these */
  const pm_secret_job *secret_jobs; /* or these */
  pm_result *results;
  size_t total, submitted, answered;
  size_t noted;   /* jobs whose key was counted, of those that are to be submitted */
  pm_error error; /* the first that does not stop the batch */
  bool foreign;   /* a result came that is none of these jobs' */
} batch;

/* Request `index`; not packable, so that it is answered malformed_job, for null bytes with a length. */
static pm_request request_of(const batch *b, size_t index) {
  pm_request request;
  if (b->jobs != NULL) {
    (void)pm_request_verify(&b->jobs[index], &request);
  } else {
    (void)pm_request_secret(&b->secret_jobs[index], &request);
  }
  return request;
}

/* Counts the keys of the next jobs, so that one that comes often is loaded at its first use. */
static void look_ahead(batch *b) {
  size_t end = b->total - b->submitted < PM_LOOK_AHEAD ? b->total : b->submitted + PM_LOOK_AHEAD;
  for (; b->dev->mode == PM_MODE_CACHED && b->noted < end; b->noted++) {
    pm_request request = request_of(b, b->noted);
    if (request.packable && request.op == PM_OP_VERIFY) {
      pm_keys_note(&b->dev->keys, request.operand[2]);
    }
  }
}

/* Submits as many jobs as the window allows. The tag on the way is the index. */
static pm_error fill(batch *b) {
  pm_device *dev = b->dev;
  size_t window = dev->mode == PM_MODE_BATCH ? PM_QUEUE_DEPTH : WINDOW_JOBS;
  while (b->submitted < b->total && dev->in_slots + dev->done_count < window &&
         dev->unsent_bytes < WINDOW_BYTES) {
    look_ahead(b);
    pm_request request = request_of(b, b->submitted);
    request.tag = b->submitted;
    pm_error error = pm_submit_request(dev, &request);
    if (error == PM_ERR_FULL) {
      return PM_OK;
    }
    if (error != PM_OK) {
      return error;
    }
    b->submitted++;
  }
  return PM_OK;
}

/* Puts one result in its place. */
static void place(batch *b, pm_result *result) {
  size_t index = (size_t)result->tag;
  result->tag = request_of(b, index).tag;
  b->results[index] = *result;
  b->answered++;
}

/* Takes finished results, whatever their order. */
static pm_error collect(batch *b) {
  pm_result result;
  for (;;) {
    pm_error error = pm_take(b->dev, &result);
    if (error == PM_ERR_AGAIN || error == PM_ERR_IDLE) {
      return PM_OK;
    }
    if (error != PM_OK && b->error == PM_OK) {
      b->error = error;
    }
    bool foreign = result.tag >= b->submitted; /* not an index that was given out */
    if (!foreign) {
      place(b, &result);
    }
    pm_wipe(&result, sizeof result);
    if (foreign) {
      b->foreign = true;
      continue;
    }
    if (b->dev->progress != NULL &&
        b->dev->progress(b->dev->progress_context, b->answered, b->total) != 0) {
      return PM_ERR_CANCELLED;
    }
  }
}

static pm_error run(batch *b) {
  uint64_t quiet = 0;
  while (b->answered < b->total) {
    uint64_t spent = 0;
    bool moved = false;
    pm_error error = fill(b);
    if (error == PM_OK) {
      /* The clock need not run while there are results to collect. */
      uint64_t cycles = b->dev->done_count != 0 ? 0 : b->dev->batch_timeout - quiet;
      error = pm_step(b->dev, cycles, &spent, &moved);
    }
    if (error == PM_OK) {
      moved = moved || b->dev->done_count != 0;
      error = collect(b);
      error = error == PM_OK && b->foreign ? PM_ERR_PROTOCOL : error;
    }
    if (error != PM_OK) {
      return error;
    }
    quiet = moved ? 0 : quiet + spent;
    if (quiet >= b->dev->batch_timeout) {
      return PM_ERR_TIMEOUT;
    }
  }
  return PM_OK;
}

/* After a failure: resets the core, lets it answer what it owes, and gives up on the rest. */
static void recover(batch *b) {
  pm_device *dev = b->dev;
  pm_progress_fn progress = dev->progress;
  dev->progress = NULL;
  uint64_t left = DRAIN_CYCLES;
  if (pm_soft_reset(dev) == PM_OK) {
    while (left != 0 && (dev->in_slots != 0 || dev->keys.loads != 0 || dev->send_head != PM_NO_SLOT)) {
      uint64_t spent = 0;
      bool moved = false;
      if (pm_step(dev, left, &spent, &moved) != PM_OK) {
        break;
      }
      left -= spent < left ? spent : left;
    }
  }
  pm_abandon_all(dev);
  (void)collect(b);
  dev->progress = progress;
}

static pm_error run_whole(batch *b) {
  if (b->dev->in_slots + b->dev->done_count != 0) {
    return PM_ERR_ARGUMENT;
  }
  for (size_t i = 0; i < b->total; i++) {
    pm_request request = request_of(b, i);
    b->results[i] = (pm_result){.tag = request.tag,
                                .op = request.op,
                                .rule = request.rule,
                                .reason = PM_REASON_ABORTED};
  }
  pm_error error = run(b);
  if (error != PM_OK) {
    recover(b);
    return error;
  }
  return b->error;
}

pm_error pm_verify_batch(pm_device *dev, const pm_job *jobs, size_t n, pm_result *results) {
  if (dev == NULL || (n != 0 && (jobs == NULL || results == NULL))) {
    return PM_ERR_ARGUMENT;
  }
  batch b = {.dev = dev, .jobs = jobs, .results = results, .total = n};
  return run_whole(&b);
}

pm_error pm_secret_batch(pm_device *dev, const pm_secret_job *jobs, size_t n, pm_result *results) {
  if (dev == NULL || (n != 0 && (jobs == NULL || results == NULL))) {
    return PM_ERR_ARGUMENT;
  }
  batch b = {.dev = dev, .secret_jobs = jobs, .results = results, .total = n};
  return run_whole(&b);
}

pm_error pm_set_batch_timeout(pm_device *dev, uint64_t cycles) {
  if (dev == NULL || cycles == 0) {
    return PM_ERR_ARGUMENT;
  }
  dev->batch_timeout = cycles;
  return PM_OK;
}

pm_error pm_set_progress(pm_device *dev, pm_progress_fn function, void *context) {
  if (dev == NULL) {
    return PM_ERR_ARGUMENT;
  }
  dev->progress = function;
  dev->progress_context = context;
  return PM_OK;
}
