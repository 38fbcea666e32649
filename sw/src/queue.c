/* SPDX-License-Identifier: Apache-2.0
 *
 * queue.c: submitting, sending, matching of results, polling and waiting.
 */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/* A job leaves its slot; a load has no result. */
static void leave(pm_device *dev, const pm_slot *slot, bool ok) {
  if (slot->op == PM_OP_LOAD_KEY) {
    pm_keys_end(&dev->keys, slot->key, slot->wire_tag, ok);
  } else {
    dev->in_slots--;
  }
}

/* Appends a result; the payload, if any, is written there by the caller. */
static pm_result *finish(pm_device *dev, const pm_slot *slot, uint32_t reason, bool bad) {
  size_t at = (dev->done_first + dev->done_count) % PM_QUEUE_DEPTH;
  dev->done[at] = (pm_result){.tag = slot->tag, .op = slot->op, .rule = slot->rule, .reason = reason};
  dev->done_bad[at] = bad;
  dev->done_count++;
  return &dev->done[at];
}

static void free_packet(pm_slot *slot) {
  if (slot->packet != NULL) {
    pm_wipe(slot->packet, slot->length);
    free(slot->packet);
    slot->packet = NULL;
  }
}

static void free_slot(pm_device *dev, int index) {
  pm_slot *slot = &dev->slots[index];
  free_packet(slot);
  memset(slot, 0, sizeof *slot);
  slot->next = dev->free_head;
  dev->free_head = index;
}

/* Takes the first slot out of the sending order. */
static int pop_send(pm_device *dev) {
  int index = dev->send_head;
  dev->send_head = dev->slots[index].next;
  if (dev->send_head == PM_NO_SLOT) {
    dev->send_tail = PM_NO_SLOT;
  }
  return index;
}

pm_error pm_submit(pm_device *dev, const pm_job *job) {
  pm_request request;
  if (dev == NULL || job == NULL || pm_request_verify(job, &request) != PM_OK) {
    return PM_ERR_ARGUMENT;
  }
  if (dev->mode == PM_MODE_CACHED && request.packable) {
    pm_keys_note(&dev->keys, job->pk);
  }
  return pm_submit_request(dev, &request);
}

pm_error pm_submit_secret(pm_device *dev, const pm_secret_job *job) {
  pm_request request;
  if (dev == NULL || job == NULL || pm_request_secret(job, &request) != PM_OK) {
    return PM_ERR_ARGUMENT;
  }
  return pm_submit_request(dev, &request);
}

/* Puts the packet of a request, whose result is one of operation `op`, in a free slot, and that behind those
 * that are to be sent. */
static pm_error enqueue(pm_device *dev, const pm_request *request, uint32_t op) {
  if (dev->free_head == PM_NO_SLOT) {
    return PM_ERR_FULL;
  }
  size_t length = pm_packet_length(request);
  uint8_t *packet = malloc(length);
  if (packet == NULL) {
    return PM_ERR_MEMORY;
  }
  int index = dev->free_head;
  pm_slot *slot = &dev->slots[index];
  dev->free_head = slot->next;
  *slot = (pm_slot){.state = PM_SLOT_QUEUED,
                    .tag = request->tag,
                    .wire_tag = dev->sequence++ << PM_SLOT_BITS | (uint32_t)index,
                    .op = op,
                    .rule = request->rule,
                    .key = request->slot,
                    .packet = packet,
                    .length = length,
                    .next = PM_NO_SLOT};
  pm_pack(request, slot->wire_tag, packet);
  if (dev->send_tail == PM_NO_SLOT) {
    dev->send_head = index;
  } else {
    dev->slots[dev->send_tail].next = index;
  }
  dev->send_tail = index;
  dev->unsent_bytes += length;
  return PM_OK;
}

/* The slot of the key memory that a job with this key may name, which is loaded if that pays; -1: none. */
static int slot_for(pm_device *dev, const uint8_t *pk) {
  int slot = pm_keys_find(&dev->keys, pk);
  if (slot < 0) {
    slot = pm_keys_place(&dev->keys, pk);
    if (slot >= 0) {
      pm_request load = pm_request_key(pk, (uint16_t)slot);
      if (enqueue(dev, &load, PM_OP_LOAD_KEY) != PM_OK) {
        return -1; /* the job does without */
      }
      pm_keys_begin(&dev->keys, slot, pk, dev->slots[dev->send_tail].wire_tag);
    }
  }
  return slot;
}

/* Makes a verification one of the device's mode. */
static void apply_mode(pm_device *dev, pm_request *request) {
  if (dev->mode == PM_MODE_BATCH) {
    request->op = PM_OP_VERIFY_BATCH;
  } else if (dev->mode == PM_MODE_CACHED) {
    int slot = slot_for(dev, request->operand[2]);
    if (slot >= 0) {
      pm_keys_use(&dev->keys, slot);
      request->op = PM_OP_VERIFY_CACHED;
      request->slot = (uint16_t)slot;
    }
  }
}

pm_error pm_submit_request(pm_device *dev, pm_request *request) {
  if (dev->in_slots + dev->done_count >= PM_QUEUE_DEPTH) {
    return PM_ERR_FULL;
  }
  uint32_t op = request->op;
  if (!request->packable) {
    pm_slot none = {.tag = request->tag, .op = op, .rule = request->rule};
    (void)finish(dev, &none, PM_REASON_MALFORMED_JOB, false);
    return PM_OK;
  }
  if (op == PM_OP_VERIFY) {
    apply_mode(dev, request);
  }
  pm_error error = enqueue(dev, request, op);
  dev->in_slots += error == PM_OK;
  return error;
}

/* Sends until the back-end takes no more. */
static pm_error send_packets(pm_device *dev, bool *moved) {
  while (dev->send_head != PM_NO_SLOT) {
    pm_slot *slot = &dev->slots[dev->send_head];
    size_t taken = 0;
    pm_error error = dev->backend->send(dev->state, slot->packet + slot->sent,
                                        slot->length - slot->sent, true, &taken);
    if (error != PM_OK) {
      return error;
    }
    *moved = *moved || taken != 0;
    slot->sent += taken;
    dev->unsent_bytes -= taken;
    if (slot->sent < slot->length) {
      return PM_OK;
    }
    int index = pop_send(dev);
    free_packet(slot);
    slot->state = PM_SLOT_SENT;
    if (slot->answered) {
      free_slot(dev, index);
    }
  }
  return PM_OK;
}

/* Whether `length` bytes are all zero, in a time that does not depend on them. */
static bool is_zero(const uint8_t *bytes, size_t length) {
  uint8_t any = 0;
  for (size_t i = 0; i < length; i++) {
    any |= bytes[i];
  }
  return any == 0;
}

/* Matches one result packet with its job. */
static void match_answer(pm_device *dev) {
  pm_answer answer = pm_unpack_result(dev->rx);
  int index = (int)(answer.tag & ((1u << PM_SLOT_BITS) - 1));
  pm_slot *slot = &dev->slots[index < PM_SLOTS ? index : 0];
  size_t payload = pm_payload_length(slot->op, answer.reason);
  if (dev->rx_length != PM_RESULT_BYTES + payload || slot->state == PM_SLOT_FREE ||
      slot->answered || slot->sent == 0 || slot->wire_tag != answer.tag) {
    dev->stray++;
    return;
  }
  const uint8_t *bytes = dev->rx + PM_RESULT_BYTES;
  bool zero = slot->op == PM_OP_X25519 && payload != 0 && is_zero(bytes, payload);
  bool bad = !answer.well_formed || answer.rule != slot->rule || answer.all_zero != zero;
  if (slot->op != PM_OP_LOAD_KEY) {
    pm_result *result = finish(dev, slot, bad ? PM_REASON_ABORTED : answer.reason, bad);
    result->cycles = answer.cycles;
    if (!bad) {
      result->valid = answer.valid;
      result->all_zero = answer.all_zero;
      result->length = (uint32_t)payload;
      memcpy(result->payload, bytes, payload);
    }
  }
  dev->stray += bad && slot->op == PM_OP_LOAD_KEY; /* nobody else hears of it */
  leave(dev, slot, !bad && answer.valid);
  if (slot->state == PM_SLOT_SENT) {
    free_slot(dev, index);
  } else {
    slot->answered = true; /* the rest of the packet must still go out */
  }
}

static pm_error receive_packets(pm_device *dev, bool *moved) {
  for (;;) {
    uint8_t spill[PM_RESULT_BYTES]; /* of a packet that is too long for a result */
    bool fits = dev->rx_length < sizeof dev->rx;
    uint8_t *to = fits ? dev->rx + dev->rx_length : spill;
    size_t room = fits ? sizeof dev->rx - dev->rx_length : sizeof spill;
    size_t length = 0;
    bool last = false;
    pm_error error = dev->backend->recv(dev->state, to, room, &length, &last);
    if (error != PM_OK || length == 0) {
      return error;
    }
    *moved = true;
    dev->rx_length += length;
    if (last) {
      match_answer(dev);
      pm_wipe(dev->rx, sizeof dev->rx);
      dev->rx_length = 0;
    }
  }
}

pm_error pm_pump(pm_device *dev, bool *moved) {
  *moved = false;
  pm_error error = send_packets(dev, moved);
  return error != PM_OK ? error : receive_packets(dev, moved);
}

pm_error pm_step(pm_device *dev, uint64_t cycles, uint64_t *spent, bool *moved) {
  *spent = 0;
  pm_error error = pm_pump(dev, moved);
  if (error != PM_OK || *moved || cycles == 0) {
    return error;
  }
  error = dev->backend->advance(dev->state, cycles, spent);
  return error != PM_OK ? error : pm_pump(dev, moved);
}

pm_error pm_take(pm_device *dev, pm_result *result) {
  if (dev->done_count == 0) {
    return dev->in_slots == 0 ? PM_ERR_IDLE : PM_ERR_AGAIN;
  }
  bool bad = dev->done_bad[dev->done_first];
  *result = dev->done[dev->done_first];
  pm_wipe(&dev->done[dev->done_first], sizeof *result);
  dev->done_first = (dev->done_first + 1) % PM_QUEUE_DEPTH;
  dev->done_count--;
  return bad ? PM_ERR_PROTOCOL : PM_OK;
}

pm_error pm_wait(pm_device *dev, uint64_t timeout_cycles, pm_result *result) {
  if (dev == NULL || result == NULL) {
    return PM_ERR_ARGUMENT;
  }
  uint64_t left = timeout_cycles;
  for (;;) {
    pm_error error = pm_take(dev, result);
    if (error != PM_ERR_AGAIN) {
      return error;
    }
    uint64_t spent = 0;
    bool moved = false;
    error = pm_step(dev, left, &spent, &moved);
    if (error != PM_OK) {
      return error;
    }
    if (dev->done_count == 0 && !moved && left == 0) {
      return PM_ERR_TIMEOUT;
    }
    left -= spent < left ? spent : left;
  }
}

pm_error pm_poll(pm_device *dev, pm_result *result) {
  pm_error error = pm_wait(dev, PM_POLL_CYCLES, result);
  return error == PM_ERR_TIMEOUT ? PM_ERR_AGAIN : error;
}

pm_error pm_run(pm_device *dev, uint64_t cycles) {
  if (dev == NULL) {
    return PM_ERR_ARGUMENT;
  }
  uint64_t left = cycles;
  do {
    uint64_t spent = 0;
    bool moved = false;
    pm_error error = pm_step(dev, left, &spent, &moved);
    if (error != PM_OK) {
      return error;
    }
    left -= spent < left ? spent : left;
  } while (left != 0);
  return PM_OK;
}

pm_error pm_outstanding(pm_device *dev, size_t *count) {
  if (dev == NULL || count == NULL) {
    return PM_ERR_ARGUMENT;
  }
  *count = dev->in_slots + dev->done_count;
  return PM_OK;
}

/* Ends a job as aborted. */
static void abort_job(pm_device *dev, const pm_slot *slot) {
  if (slot->op != PM_OP_LOAD_KEY) {
    (void)finish(dev, slot, PM_REASON_ABORTED, false);
  }
  leave(dev, slot, false);
}

void pm_abort_unsent(pm_device *dev) {
  int partly = PM_NO_SLOT;
  while (dev->send_head != PM_NO_SLOT) {
    int index = pop_send(dev);
    pm_slot *slot = &dev->slots[index];
    if (slot->sent != 0) {
      partly = index;
      continue;
    }
    abort_job(dev, slot);
    dev->unsent_bytes -= slot->length;
    free_slot(dev, index);
  }
  if (partly != PM_NO_SLOT) { /* a packet once begun is sent to its end */
    dev->slots[partly].next = PM_NO_SLOT;
    dev->send_head = partly;
    dev->send_tail = partly;
  }
}

void pm_abandon_all(pm_device *dev) {
  pm_abort_unsent(dev);
  for (int index = 0; index < PM_SLOTS; index++) {
    pm_slot *slot = &dev->slots[index];
    if (slot->state == PM_SLOT_FREE || slot->answered) {
      continue;
    }
    abort_job(dev, slot);
    if (slot->state == PM_SLOT_SENT) {
      free_slot(dev, index);
    } else {
      slot->answered = true;
    }
  }
}
