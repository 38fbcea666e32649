/* SPDX-License-Identifier: Apache-2.0
 *
 * link.h: the driver's end of the serial link to pm_uart_bridge (docs/uart.md).
 *
 * Job bytes go out in numbered frames, at most PM_LINK_WINDOW of them ahead of what the core has taken; from the first
 * one that is lost or damaged on they are sent again. Results come in numbered frames; the next one in sequence alone
 * is taken. Register accesses are numbered, one at a time, and are repeated until there is a response: the board
 * executes each once. All timers are on this side.
 */
#ifndef PM_UART_LINK_H
#define PM_UART_LINK_H

#include "../../src/backend.h"
#include "frames.h"

enum {
  PM_LINK_RESULTS = 64,        /* result packets kept for the driver */
  PM_LINK_OUT = 2 * PM_LINK_LINE
};

typedef struct pm_link_frame {
  uint8_t bytes[PM_LINK_PAYLOAD];
  uint8_t length;
  bool last;
} pm_link_frame;

/* What happened on the line. */
typedef struct pm_link_counts {
  uint64_t sent, received;   /* bytes of the line */
  uint64_t damaged;          /* frames received that were not whole */
  uint64_t repeated;         /* job frames and requests sent again */
  uint64_t rewinds;          /* results asked for again */
} pm_link_counts;

typedef struct pm_link {
  int file;
  uint64_t wait_ms;          /* without progress until something is repeated, at first */
  uint64_t window_ms;        /* more of it, while job frames or a request are under way */
  uint64_t silence_ms;       /* without any good frame until the link counts as broken */
  /* line */
  uint8_t out[PM_LINK_OUT];
  size_t out_length, out_sent;
  pm_link_decoder decoder;
  /* jobs: frames from `acked` up to `next` are kept; `send` is the next to go out */
  pm_link_frame frames[PM_LINK_WINDOW];
  uint8_t next, acked, done, send;
  bool gone_back;            /* for a gap at `acked` */
  /* results */
  pm_link_frame results[PM_LINK_RESULTS];
  size_t result_first, result_count, result_given;
  uint8_t result_next, result_told; /* next in sequence, and the number that the board was told last */
  bool rewind;
  /* registers and polls */
  uint8_t access[6], access_length, access_kind, access_seq, access_response;
  uint32_t access_data;
  bool access_open, access_unsent; /* a response is awaited; the request is to go out (again) */
  bool poll_open, poll_unsent;
  uint64_t polls;            /* status frames received */
  /* session */
  uint32_t nonce;
  bool synced, sync_unsent;
  uint8_t version;           /* of the protocol, as the board says */
  uint64_t cycles;           /* clock of the core since the session began, as last told */
  /* timers, in ms */
  uint64_t heard, progress, alive, pumped, backoff;
  bool recovering;           /* something was lost, and the board has not answered since */
  pm_link_counts counts;
} pm_link;

/* Begins a session, which resets the core. file: a line or pseudo-terminal, raw and non-blocking, which stays the
 * caller's. DEVICE: no response, or another version; IO: the file fails. pm_open_detail() says which. */
pm_error pm_link_begin(pm_link *link, int file, uint64_t wait_ms, uint64_t window_ms, uint64_t silence_ms);

/* As the functions of pm_backend. IO: the file fails, the board is silent, or nothing gets through. Cycles in which
 * the link repeats something are not the core's, and do not count as spent. */
pm_error pm_link_send(pm_link *link, const uint8_t *bytes, size_t length, bool last, size_t *taken);
pm_error pm_link_recv(pm_link *link, uint8_t *bytes, size_t capacity, size_t *length, bool *last);
pm_error pm_link_advance(pm_link *link, uint64_t cycles, uint64_t *spent);

/* A register access; address as pm_link_registers has it. BUS: the response is an error. */
pm_error pm_link_access(pm_link *link, bool write, uint32_t address, uint32_t *value);

/* Asks for the clock, and waits for the response. */
pm_error pm_link_clock(pm_link *link, uint64_t *cycles);

#endif /* PM_UART_LINK_H */
