/* SPDX-License-Identifier: Apache-2.0
 *
 * hostile.h: back-end "hostile" for cores with streams: it keeps the contract of backend.h, but everything that the
 * core behind it decides, its pace, results and registers, comes from the input of a fuzz target.
 */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <stdbool.h>

#include "../../sw/src/backend.h"
#include "fuzz.h"

enum {
  HOSTILE_HEAD_BYTES = 16,   /* of each job packet that are kept */
  HOSTILE_PACKET_BYTES = 256 /* of the longest result packet; none that keeps to a format is so long */
};

/* A core: what it reads as, and what the target has it do. */
typedef struct hostile_core {
  uint32_t name, version, config; /* registers; others read as anything */
  bool honest;           /* no access fails */
  /* So many bytes of a job packet came: 8, when it has begun, or HOSTILE_HEAD_BYTES. */
  void (*job)(const uint8_t *head, size_t length);
  /* Makes a result packet; its length, 0 for none. */
  size_t (*result)(uint8_t *packet);
  /* The last byte of a result packet goes out. */
  void (*sent)(const uint8_t *packet, size_t length);
} hostile_core;

extern const pm_backend pm_backend_hostile;

/* The version of a register map that the driver knows. */
#define HOSTILE_VERSION(REGS)                                               \
  ((uint32_t)REGS##__VERSION__MAJOR_reset << REGS##__VERSION__MAJOR_bp | \
   (uint32_t)REGS##__VERSION__MINOR_reset << REGS##__VERSION__MINOR_bp)

/* Begins a run on this input. */
void hostile_begin(fuzz_input *in, const hostile_core *core);

/* Whether bytes are all zero. */
bool hostile_zero(const uint8_t *bytes, size_t length);

/* Flips `count` bits of a packet. */
void hostile_flip(uint8_t *packet, size_t length, uint32_t count);

#endif /* HOSTILE_H */
