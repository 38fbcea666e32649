/* SPDX-License-Identifier: Apache-2.0
 *
 * link.c: see link.h.
 */
#define _POSIX_C_SOURCE 200809L

#include "link.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  NAP_MS = 20,         /* longest wait for the file at a time */
  TELL_RESULTS = 4,    /* results not yet acknowledged until a frame is sent for that alone */
  BACKOFF_LIMIT = 8,   /* of the wait, as a multiple */
  STUCK_LIMIT = 10     /* silences, in which good frames came but nothing got through */
};

static uint64_t now_ms(void) {
  struct timespec time = {0, 0};
  (void)clock_gettime(CLOCK_MONOTONIC, &time); /* cannot fail for this clock */
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static uint8_t distance(uint8_t from, uint8_t to) { return (uint8_t)(to - from); }

/* ---- frames out ----------------------------------------------------------------------------------------------- */

/* Codes a frame into the output, which must have room. */
static void put(pm_link *link, uint8_t kind, uint8_t seq, const uint8_t *payload, uint8_t length) {
  uint8_t frame[PM_LINK_FRAME] = {kind, seq, link->result_next, length};
  if (length != 0) {
    memcpy(frame + PM_LINK_HEADER, payload, length);
  }
  link->out_length += pm_link_encode(frame, (size_t)PM_LINK_HEADER + length, link->out + link->out_length);
  link->result_told = link->result_next;
  pm_wipe(frame, sizeof frame);
}

/* The next frame that is due, if any: session, registers, results, polls, jobs, in this order. */
static bool put_next(pm_link *link) {
  if (link->sync_unsent) {
    uint8_t nonce[4];
    for (int i = 0; i < 4; i++) {
      nonce[i] = (uint8_t)(link->nonce >> (8 * i));
    }
    put(link, PM_LINK_SYNC, 0, nonce, sizeof nonce);
    link->sync_unsent = false;
  } else if (link->access_unsent) {
    put(link, link->access_kind, link->access_seq, link->access, link->access_length);
    link->access_unsent = false;
  } else if (link->rewind) {
    put(link, PM_LINK_REWIND, 0, NULL, 0);
    link->rewind = false;
    link->poll_unsent = false;
    link->counts.rewinds++;
  } else if (link->poll_unsent || distance(link->result_told, link->result_next) >= TELL_RESULTS) {
    put(link, PM_LINK_POLL, 0, NULL, 0);
    link->poll_unsent = false;
  } else if (link->send != link->next) {
    const pm_link_frame *frame = &link->frames[link->send % PM_LINK_WINDOW];
    put(link, frame->last ? PM_LINK_DATA_LAST : PM_LINK_DATA, link->send, frame->bytes, frame->length);
    link->send++;
  } else {
    return false;
  }
  return true;
}

static pm_error flush(pm_link *link) {
  for (;;) {
    if (link->out_sent == link->out_length) {
      pm_wipe(link->out, link->out_length);
      link->out_sent = 0;
      link->out_length = 0;
    }
    while (PM_LINK_OUT - link->out_length >= PM_LINK_LINE && put_next(link)) {
    }
    if (link->out_sent == link->out_length) {
      return PM_OK;
    }
    ssize_t n = write(link->file, link->out + link->out_sent, link->out_length - link->out_sent);
    if (n < 0) {
      return errno == EAGAIN || errno == EINTR ? PM_OK : PM_ERR_IO;
    }
    link->out_sent += (size_t)n;
    link->counts.sent += (uint64_t)n;
  }
}

/* ---- frames in ------------------------------------------------------------------------------------------------ */

static void go_back(pm_link *link) {
  link->counts.repeated += distance(link->acked, link->send);
  link->send = link->acked;
}

static void moved(pm_link *link) {
  link->progress = now_ms();
  link->alive = link->progress;
  link->backoff = 1;
}

/* Whether the board has all that it was sent, and the driver all that it was told of. */
static bool in_order(const pm_link *link) { return link->acked == link->next && !link->recovering; }

/* Takes over what the board has of the job frames. */
static void acknowledge(pm_link *link, uint8_t ack, uint8_t done) {
  uint8_t more = distance(link->acked, ack);
  if (more != 0 && more <= distance(link->acked, link->next)) {
    bool behind = distance(link->acked, link->send) < more;
    for (; link->acked != ack; link->acked++) {
      pm_wipe(&link->frames[link->acked % PM_LINK_WINDOW], sizeof link->frames[0]);
    }
    if (behind) {
      link->send = ack;
    }
    link->gone_back = false;
    moved(link);
  }
  if (distance(link->done, done) != 0 && distance(link->done, done) <= distance(link->done, link->acked)) {
    link->done = done;
    moved(link);
  }
}

static void take_result(pm_link *link, uint8_t seq, const uint8_t *bytes, uint8_t length) {
  if (seq == link->result_next && length != 0 && length <= PM_LINK_PAYLOAD) {
    if (link->result_count == PM_LINK_RESULTS) {
      return; /* the driver is to take some first; the board sends it again */
    }
    size_t at = (link->result_first + link->result_count) % PM_LINK_RESULTS;
    memcpy(link->results[at].bytes, bytes, length);
    link->results[at].length = length;
    link->result_count++;
    link->result_next++;
    moved(link);
  } else if (distance(link->result_next, seq) < PM_LINK_WINDOW) {
    link->rewind = !link->recovering; /* one before it was lost; once, then by the timer */
    link->recovering = true;
  } else {
    link->poll_unsent = true; /* it came before: the board does not know */
  }
}

static void take_frame(pm_link *link) {
  const uint8_t *frame = link->decoder.frame, *payload = frame + PM_LINK_REPLY;
  uint8_t kind = frame[0], seq = frame[1], length = frame[4];
  if (kind == PM_LINK_SYNCED) {
    uint32_t nonce = (uint32_t)payload[0] | (uint32_t)payload[1] << 8 | (uint32_t)payload[2] << 16 |
                     (uint32_t)payload[3] << 24;
    if (length == 8 && nonce == link->nonce) {
      link->synced = true;
      link->version = payload[4];
      link->heard = now_ms();
    }
    return;
  }
  if (!link->synced) {
    return; /* of a session before */
  }
  link->heard = now_ms();
  acknowledge(link, frame[2], frame[3]);
  if (kind == PM_LINK_RESULT) {
    take_result(link, seq, payload, length);
  } else if (kind == PM_LINK_ACCESS && length == 5 && link->access_open && seq == link->access_seq) {
    link->access_open = false;
    link->access_unsent = false;
    link->access_response = payload[0];
    link->access_data = (uint32_t)payload[1] | (uint32_t)payload[2] << 8 | (uint32_t)payload[3] << 16 |
                        (uint32_t)payload[4] << 24;
    moved(link);
  } else if ((kind == PM_LINK_STATUS || kind == PM_LINK_GAP) && length == 8) {
    uint64_t cycles = 0;
    for (int i = 0; i < 8; i++) {
      cycles |= (uint64_t)payload[i] << (8 * i);
    }
    link->cycles = cycles > link->cycles ? cycles : link->cycles;
    /* Results that the board has go out before a status, so that all of them were sent again by now. */
    link->poll_open = false;
    link->recovering = false;
    link->backoff = 1;
    link->polls++;
    if (kind == PM_LINK_GAP && !link->gone_back && link->send != link->acked) {
      go_back(link);
      link->gone_back = true; /* the frames behind the lost one make gaps too */
    }
  }
}

static pm_error receive(pm_link *link) {
  uint8_t bytes[512];
  for (;;) {
    ssize_t n = read(link->file, bytes, sizeof bytes);
    if (n <= 0) {
      /* A pseudo-terminal whose other side is closed gives an error, a line that was unplugged the end of file. */
      return n < 0 && (errno == EAGAIN || errno == EINTR) ? PM_OK : PM_ERR_IO;
    }
    link->counts.received += (uint64_t)n;
    for (ssize_t i = 0; i < n; i++) {
      if (pm_link_decode(&link->decoder, bytes[i], &link->counts.damaged)) {
        take_frame(link);
        pm_wipe(&link->decoder, sizeof link->decoder);
      }
    }
    pm_wipe(bytes, sizeof bytes);
  }
}

/* ---- time ----------------------------------------------------------------------------------------------------- */

/* Repeats what has had no response for too long. IO: the board is silent. */
static pm_error check_time(pm_link *link, bool expecting) {
  uint64_t now = now_ms(), away = now - link->pumped;
  link->pumped = now;
  if (away > 2 * NAP_MS) { /* time in which nobody looked at the line does not count */
    link->heard += away;
    link->progress += away;
    link->alive += away;
    link->alive = link->alive < now ? link->alive : now;
    link->heard = link->heard < now ? link->heard : now;
    link->progress = link->progress < now ? link->progress : now;
  }
  bool waiting = expecting || !link->synced || link->access_open || link->poll_open || link->acked != link->next;
  if (!waiting) {
    link->progress = now;
    link->heard = now;
    link->alive = now;
    return PM_OK;
  }
  if (in_order(link) && !link->access_open) {
    link->alive = now; /* nothing is to get through: it is the core's turn */
  }
  if (now - link->heard > link->silence_ms || now - link->alive > STUCK_LIMIT * link->silence_ms) {
    return PM_ERR_IO;
  }
  uint64_t wait = link->wait_ms + (link->acked != link->next || link->access_open ? link->window_ms : 0);
  if (now - link->progress > wait * link->backoff) {
    link->progress = now;
    link->recovering = link->synced;
    link->backoff = link->backoff < BACKOFF_LIMIT ? 2 * link->backoff : BACKOFF_LIMIT;
    link->sync_unsent = !link->synced;
    link->access_unsent = link->access_open;
    link->rewind = link->synced;
    link->poll_open = link->synced;
    link->counts.repeated += link->access_open;
    go_back(link);
  }
  return PM_OK;
}

/* Moves bytes both ways; waits up to NAP_MS for the file if `nap`. expecting: results may come. */
static pm_error pump(pm_link *link, bool nap, bool expecting) {
  pm_error error = flush(link);
  if (error == PM_OK && nap) {
    short events = link->out_sent != link->out_length ? POLLIN | POLLOUT : POLLIN;
    struct pollfd wait = {.fd = link->file, .events = events};
    (void)poll(&wait, 1, NAP_MS); /* an early return does no harm */
  }
  if (error == PM_OK) {
    error = receive(link);
  }
  if (error == PM_OK) {
    error = check_time(link, expecting);
  }
  return error != PM_OK ? error : flush(link);
}

/* ---- interface ------------------------------------------------------------------------------------------------ */

/* A number that the session before did not have. */
static uint32_t fresh_nonce(void) {
  struct timespec time = {0, 0};
  (void)clock_gettime(CLOCK_REALTIME, &time);
  return (uint32_t)time.tv_nsec ^ (uint32_t)time.tv_sec << 12 ^ (uint32_t)getpid() << 20;
}

pm_error pm_link_begin(pm_link *link, int file, uint64_t wait_ms, uint64_t window_ms, uint64_t silence_ms) {
  *link = (pm_link){.file = file, .wait_ms = wait_ms, .window_ms = window_ms, .silence_ms = silence_ms,
                    .nonce = fresh_nonce(), .backoff = 1, .sync_unsent = true};
  link->heard = link->progress = link->alive = link->pumped = now_ms();
  while (!link->synced) {
    pm_error error = pump(link, true, true);
    if (error != PM_OK) {
      return link->counts.received == 0
                 ? pm_open_failed(PM_ERR_DEVICE, "no board responds")
                 : pm_open_failed(PM_ERR_DEVICE, "%llu bytes came, but no response: is the rate of the line right?",
                                  (unsigned long long)link->counts.received);
    }
  }
  if (link->version != PM_LINK_VERSION) {
    return pm_open_failed(PM_ERR_DEVICE, "the board speaks version %u of the link, this driver version %d",
                          link->version, PM_LINK_VERSION);
  }
  return PM_OK;
}

static bool has_room(const pm_link *link) { return distance(link->done, link->next) < PM_LINK_WINDOW; }

pm_error pm_link_send(pm_link *link, const uint8_t *bytes, size_t length, bool last, size_t *taken) {
  *taken = 0;
  while (has_room(link) && (*taken < length)) {
    pm_link_frame *frame = &link->frames[link->next % PM_LINK_WINDOW];
    size_t left = length - *taken;
    size_t n = left < PM_LINK_PAYLOAD ? left : PM_LINK_PAYLOAD;
    if (n == left && !last) {
      n = n / 8 * 8; /* whole beats, but for the end of the packet */
      if (n == 0) {
        break;
      }
    }
    memcpy(frame->bytes, bytes + *taken, n);
    frame->length = (uint8_t)n;
    frame->last = last && n == left;
    *taken += n;
    link->next++;
  }
  return pump(link, false, false);
}

pm_error pm_link_recv(pm_link *link, uint8_t *bytes, size_t capacity, size_t *length, bool *last) {
  *length = 0;
  pm_error error = link->result_count != 0 ? PM_OK : pump(link, false, false);
  if (error != PM_OK || link->result_count == 0) {
    return error;
  }
  pm_link_frame *frame = &link->results[link->result_first];
  size_t left = frame->length - link->result_given;
  *length = left < capacity ? left : capacity;
  memcpy(bytes, frame->bytes + link->result_given, *length);
  link->result_given += *length;
  *last = link->result_given == frame->length;
  if (*last) {
    pm_wipe(frame, sizeof *frame);
    link->result_first = (link->result_first + 1) % PM_LINK_RESULTS;
    link->result_count--;
    link->result_given = 0;
  }
  return PM_OK;
}

/* Asks for a status, unless one is on the way. */
static void ask(pm_link *link) {
  if (!link->poll_open) {
    link->poll_open = true;
    link->poll_unsent = true;
  }
}

pm_error pm_link_advance(pm_link *link, uint64_t cycles, uint64_t *spent) {
  uint64_t then = link->cycles;
  bool room = has_room(link);
  *spent = 0;
  ask(link);
  while (*spent < cycles) {
    bool counts = in_order(link);
    pm_error error = pump(link, true, true);
    if (error != PM_OK) {
      return error;
    }
    *spent += counts && in_order(link) ? link->cycles - then : 0;
    then = link->cycles;
    if (link->result_count != 0 || (!room && has_room(link))) {
      break;
    }
    ask(link);
  }
  *spent = *spent == 0 && cycles != 0 ? 1 : *spent < cycles ? *spent : cycles;
  return PM_OK;
}

pm_error pm_link_access(pm_link *link, bool write, uint32_t address, uint32_t *value) {
  link->access_kind = write ? PM_LINK_WRITE : PM_LINK_READ;
  link->access_length = write ? 6 : 2;
  link->access[0] = (uint8_t)address;
  link->access[1] = (uint8_t)(address >> 8);
  for (int i = 0; write && i < 4; i++) {
    link->access[2 + i] = (uint8_t)(*value >> (8 * i));
  }
  link->access_seq++;
  link->access_open = true;
  link->access_unsent = true;
  while (link->access_open) {
    pm_error error = pump(link, true, false);
    if (error != PM_OK) {
      return error;
    }
  }
  if (link->access_response != 0) {
    return PM_ERR_BUS;
  }
  if (!write) {
    *value = link->access_data;
  }
  return PM_OK;
}

pm_error pm_link_clock(pm_link *link, uint64_t *cycles) {
  uint64_t polls = link->polls;
  pm_error error = PM_OK;
  while (error == PM_OK && link->polls == polls) {
    ask(link);
    error = pump(link, true, false);
  }
  *cycles = link->cycles;
  return error;
}
