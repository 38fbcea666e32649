/* SPDX-License-Identifier: Apache-2.0
 *
 * packet.h: the two packets of `edverify`, as bytes in the order of the stream (the first byte of a
 * 64-bit beat is in its bits 7:0).
 *
 *   job      8 bytes header {rule, opcode 1, 0, 0, tag little endian}, S 32, R 32, A 32, message
 *   result   {reason, rule, bit 0 valid, 0, tag little endian}, {cycles little endian, 0}
 */
#ifndef PM_PACKET_H
#define PM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pointmill.h"

enum {
  PM_KEY_BYTES = 32,
  PM_SIGNATURE_BYTES = 64,
  PM_JOB_FIXED_BYTES = (PM_HEADER_BEATS + 3 * PM_OPERAND_BEATS) * PM_BEAT_BYTES, /* no message */
  PM_RESULT_BYTES = 16,
  PM_MAX_RULE = 255,
  PM_MAX_MESSAGE = 1 << 28
};

/* A result packet taken apart. */
typedef struct pm_answer {
  uint32_t tag;
  uint32_t rule;
  uint32_t reason;
  uint32_t cycles;
  bool valid;
  bool well_formed; /* reserved bits zero, reason known, and valid exactly if reason is ok */
} pm_answer;

/* Whether the job fits a packet; if not, its result is malformed_job. */
bool pm_job_is_packable(const pm_job *job);

/* Writes PM_JOB_FIXED_BYTES + job->msg_len bytes. The job must be packable. */
void pm_pack_job(const pm_job *job, uint32_t tag, uint8_t *packet);

/* Takes PM_RESULT_BYTES bytes apart. */
pm_answer pm_unpack_result(const uint8_t *packet);

#endif /* PM_PACKET_H */
