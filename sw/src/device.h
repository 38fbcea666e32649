/* SPDX-License-Identifier: Apache-2.0
 *
 * device.h: what the files of the driver share about an opened device.
 *
 * A job lives in a slot from pm_submit() until its result. Slots whose packet is not yet wholly
 * sent are linked in sending order; completed jobs wait as results in a ring until they are taken.
 * The tag on the wire is {21 bits of a sequence number, 11 bits slot}, so that results may come in any order
 * and a late result to a given-up job is recognised and dropped. Loads of keys are jobs of the driver's own:
 * they have slots, but nobody waits for their results.
 */
#ifndef PM_DEVICE_H
#define PM_DEVICE_H

#include "backend.h"
#include "keys.h"
#include "packet.h"

enum {
  PM_QUEUE_DEPTH = 1024, /* enough for all batches that a core has under way */
  PM_SLOTS = PM_QUEUE_DEPTH + PM_LOADS,
  PM_SLOT_BITS = 11, /* of the tag */
  PM_NO_SLOT = -1,
  PM_POLL_CYCLES = 256,
  PM_DEFAULT_BATCH_TIMEOUT = 4000000
};

typedef enum pm_slot_state { PM_SLOT_FREE, PM_SLOT_QUEUED, PM_SLOT_SENT } pm_slot_state;

typedef struct pm_slot {
  pm_slot_state state;
  uint64_t tag;       /* the caller's */
  uint32_t wire_tag;  /* the packet's */
  uint32_t op;        /* of the result; PM_OP_LOAD_KEY: a load, which has none */
  uint32_t rule;
  uint16_t key;       /* of a load: the slot of the core's key memory */
  uint8_t *packet;    /* until wholly sent */
  size_t length;
  size_t sent;        /* bytes of the packet that the back-end took */
  bool answered;      /* an answer came before the packet was wholly sent */
  int next;           /* next slot to send, or next free slot */
} pm_slot;

struct pm_device {
  const pm_backend *backend;
  void *state;
  char config[32];
  bool is_edverify;         /* otherwise `x25519`, which has no keys, batches and multiplication counter */
  pm_mode mode;
  pm_keys keys;
  bool has_batches;         /* the core has mode `batch` */
  pm_slot slots[PM_SLOTS];
  int free_head;            /* free slots */
  int send_head, send_tail; /* slots to send, in order */
  uint32_t sequence;
  size_t in_slots;          /* jobs in slots that still owe a result */
  size_t unsent_bytes;
  pm_result done[PM_QUEUE_DEPTH];
  bool done_bad[PM_QUEUE_DEPTH]; /* the answer contradicted its job */
  size_t done_first, done_count;
  uint8_t rx[PM_MAX_RESULT_BYTES];
  size_t rx_length; /* may exceed the array; then the packet is dropped */
  uint64_t stray;
  uint64_t batch_timeout;
  pm_progress_fn progress;
  void *progress_context;
};

/* Queues one job of either kind, a verification in the mode of the device. PM_ERR_FULL, PM_ERR_MEMORY. */
pm_error pm_submit_request(pm_device *dev, pm_request *request);

/* Moves what can be moved in both directions without waiting; *moved if anything was. */
pm_error pm_pump(pm_device *dev, bool *moved);

/* pm_pump(), and if nothing could be moved lets at most `cycles` cycles pass; *spent of them. */
pm_error pm_step(pm_device *dev, uint64_t cycles, uint64_t *spent, bool *moved);

/* Takes the oldest finished result. PM_ERR_AGAIN, PM_ERR_IDLE, PM_ERR_PROTOCOL as pm_poll(). */
pm_error pm_take(pm_device *dev, pm_result *result);

/* Ends, as aborted, the jobs of which no byte has left the driver. */
void pm_abort_unsent(pm_device *dev);

/* Ends every job as aborted, whatever the core may still say about it. */
void pm_abandon_all(pm_device *dev);

#endif /* PM_DEVICE_H */
