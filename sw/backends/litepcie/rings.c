/* SPDX-License-Identifier: Apache-2.0
 *
 * rings.c: see rings.h.
 */
#include "rings.h"

#include <stdatomic.h>
#include <string.h>

enum {
  BEAT = 8,
  RECORD_BYTES = 0xfff8, /* of a job packet in one record at most */
  BURST = 16             /* buffers of jobs that are filled before the bridge is told, if there is no reason before */
};

static uint64_t *job_buffer(const pm_rings *rings, uint32_t n) {
  return rings->jobs + (size_t)(n % rings->count) * rings->words;
}

static uint64_t *result_buffer(const pm_rings *rings) {
  return rings->results + (size_t)(rings->received % rings->count) * rings->words;
}

static pm_error put(pm_rings *rings, uint32_t address, uint32_t value) {
  atomic_thread_fence(memory_order_seq_cst); /* what is in memory is there before */
  return rings->access(rings->context, true, address, &value);
}

static pm_error get(pm_rings *rings, uint32_t address, uint32_t *value) {
  return rings->access(rings->context, false, address, value);
}

static pm_error broken(pm_rings *rings) {
  rings->broken = true;
  return PM_ERR_IO;
}

pm_error pm_rings_begin(pm_rings *rings) {
  pm_pcie_crc_begin(&rings->crc);
  rings->next = rings->ahead;
  rings->credit = rings->count / 2;
  return put(rings, PM_PCIE_REG_CREDIT, rings->credit);
}

/* ---- jobs ----------------------------------------------------------------------------------------------------- */

static bool has_room(const pm_rings *rings) { return rings->next - rings->taken < rings->count / 2; }

/* Ends the buffer that is being filled. */
static void close_buffer(pm_rings *rings) {
  pm_pcie_close_jobs(&rings->crc, job_buffer(rings, rings->next), rings->sequence, rings->nonce, rings->used);
  rings->next++;
  rings->sequence++;
  rings->used = 0;
}

/* Has the bridge take what was filled. The DMA may already have read the next `ahead` buffers, so that those behind
 * them are filled next. */
static pm_error flush(pm_rings *rings) {
  if (rings->used != 0) {
    close_buffer(rings);
  }
  if (rings->sequence == rings->told) {
    return PM_OK;
  }
  rings->doorbell = rings->next;
  rings->told = rings->sequence;
  rings->next += rings->ahead;
  return put(rings, PM_PCIE_REG_DOORBELL, rings->doorbell);
}

/* Asks how far the bridge is with the jobs, and overwrites what it has taken. */
static pm_error look_jobs(pm_rings *rings) {
  uint32_t status = 0, taken = 0, accepted = 0;
  pm_error error = get(rings, PM_PCIE_REG_TAKEN, &taken);
  if (error == PM_OK) {
    error = get(rings, PM_PCIE_REG_ACCEPTED, &accepted);
  }
  if (error == PM_OK) {
    error = get(rings, PM_PCIE_REG_STATUS, &status);
  }
  /* All ones are read from a device that is gone. */
  if (error != PM_OK || status != PM_PCIE_OPEN || taken - rings->taken > rings->doorbell - rings->taken ||
      (taken == rings->doorbell && accepted != rings->told)) {
    return broken(rings);
  }
  for (; rings->taken != taken; rings->taken++) {
    pm_wipe(job_buffer(rings, rings->taken), rings->words * sizeof(uint64_t));
  }
  return PM_OK;
}

/* Puts as much of a packet as fits into the buffer that is being filled, which has room for a word. */
static size_t put_record(pm_rings *rings, const uint8_t *bytes, size_t length, bool last) {
  uint64_t *payload = job_buffer(rings, rings->next) + 2;
  size_t room = (rings->words - PM_PCIE_JOB_WORDS - rings->used - 1) * BEAT;
  size_t most = room < RECORD_BYTES ? room : RECORD_BYTES;
  size_t n = length < most ? length : most;
  bool ends = last && n == length;
  n = ends ? n : n / BEAT * BEAT;
  if (n != 0) {
    size_t beats = (n + BEAT - 1) / BEAT;
    payload[rings->used] = pm_pcie_record(n, ends);
    payload[rings->used + beats] = 0; /* behind the last byte of the packet */
    memcpy(payload + rings->used + 1, bytes, n);
    rings->used += 1 + beats;
  }
  return n;
}

pm_error pm_rings_send(pm_rings *rings, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  *taken = 0;
  pm_error error = rings->broken ? PM_ERR_IO : PM_OK;
  while (error == PM_OK && *taken < length) {
    if (!has_room(rings)) {
      error = flush(rings);
      if (error == PM_OK) {
        error = look_jobs(rings);
      }
      if (!has_room(rings)) {
        break;
      }
      continue;
    }
    size_t n = put_record(rings, bytes + *taken, length - *taken, last);
    if (n == 0) {
      break; /* less than a beat of a packet that goes on */
    }
    *taken += n;
    if (rings->used + 2 > rings->words - PM_PCIE_JOB_WORDS) {
      close_buffer(rings);
      if (rings->next - rings->doorbell >= rings->ahead + BURST) {
        error = flush(rings);
      }
    }
  }
  return error;
}

/* ---- results -------------------------------------------------------------------------------------------------- */

/* The words of a buffer come in their order. */
static bool arrived(const pm_rings *rings) {
  const volatile uint64_t *trailer = result_buffer(rings) + rings->words - 2;
  bool there = rings->checked || trailer[0] != 0 || trailer[1] != 0;
  atomic_thread_fence(memory_order_acquire);
  return there;
}

/* Whether the next buffer is there and whole. One that is not is looked at again, until it is missing for too long. */
static pm_error check(pm_rings *rings, bool sent) {
  if (!rings->checked && arrived(rings)) {
    sent = true;
    rings->checked = pm_pcie_is_result(&rings->crc, result_buffer(rings), rings->words, rings->received, rings->nonce);
  }
  if (rings->checked || !sent) {
    rings->missing_us = 0;
    return PM_OK;
  }
  uint64_t now = rings->now_us();
  if (rings->missing_us == 0) {
    rings->missing_us = now;
  }
  return now - rings->missing_us > rings->grace_us ? broken(rings) : PM_OK;
}

/* Gives the place of the buffer that was read back to the bridge. */
static pm_error release(pm_rings *rings) {
  pm_wipe(result_buffer(rings), rings->words * sizeof(uint64_t));
  rings->checked = false;
  rings->pair = 0;
  rings->received++;
  if (rings->credit - rings->received >= rings->count / 4) {
    return PM_OK;
  }
  rings->credit = rings->received + rings->count / 2;
  return put(rings, PM_PCIE_REG_CREDIT, rings->credit);
}

/* Gives the rest of a beat, or as much as there is room for. Whether there was room for all. */
static bool give_beat(pm_rings *rings, const uint64_t *pair, uint8_t *bytes, size_t capacity, size_t *length) {
  size_t left = pm_pcie_beat_bytes(pair[0]) - rings->given;
  size_t n = left < capacity - *length ? left : capacity - *length;
  memcpy(bytes + *length, (const uint8_t *)&pair[1] + rings->given, n);
  *length += n;
  rings->given = n == left ? 0 : rings->given + n;
  return n == left;
}

pm_error pm_rings_recv(pm_rings *rings, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  *length = 0;
  *last = false;
  pm_error error = rings->broken ? PM_ERR_IO : check(rings, rings->missing_us != 0);
  while (error == PM_OK && rings->checked && !*last && *length < capacity) {
    const uint64_t *pair = result_buffer(rings) + rings->pair;
    if (rings->pair == rings->words - 2) {
      error = release(rings);
      if (error == PM_OK) {
        error = check(rings, false);
      }
      continue;
    }
    if (pm_pcie_is_beat(pair[0])) {
      if (!give_beat(rings, pair, bytes, capacity, length)) {
        break;
      }
      *last = pm_pcie_ends(pair[0]);
    }
    rings->pair += 2;
  }
  return error;
}

pm_error pm_rings_look(pm_rings *rings, bool *moved) {
  uint32_t sent = 0;
  bool full = !has_room(rings);
  pm_error error = rings->broken ? PM_ERR_IO : look_jobs(rings);
  if (error == PM_OK && rings->taken == rings->doorbell) {
    error = flush(rings); /* not before: what has not filled a buffer then waits for more, and costs less */
  }
  if (error == PM_OK) {
    error = get(rings, PM_PCIE_REG_SENT, &sent);
  }
  if (error == PM_OK) {
    error = check(rings, sent != rings->received);
  }
  *moved = rings->checked || (full && has_room(rings));
  return error;
}
