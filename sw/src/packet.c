/* SPDX-License-Identifier: Apache-2.0
 *
 * packet.c: packing of jobs and unpacking of results.
 */
#include "packet.h"

#include <string.h>

static void put_le32(uint8_t *to, uint32_t value) {
  for (int i = 0; i < 4; i++) {
    to[i] = (uint8_t)(value >> (8 * i));
  }
}

static uint32_t get_le32(const uint8_t *from) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; i--) {
    value = value << 8 | from[i];
  }
  return value;
}

bool pm_job_is_packable(const pm_job *job) {
  return job->pk_len == PM_KEY_BYTES && job->sig_len == PM_SIGNATURE_BYTES &&
         job->rule <= PM_MAX_RULE && job->msg_len <= PM_MAX_MESSAGE;
}

void pm_pack_job(const pm_job *job, uint32_t tag, uint8_t *packet) {
  packet[0] = (uint8_t)job->rule;
  packet[1] = PM_OP_VERIFY;
  packet[2] = 0;
  packet[3] = 0;
  put_le32(packet + 4, tag);
  memcpy(packet + 8, job->sig + 32, 32); /* S */
  memcpy(packet + 40, job->sig, 32);     /* R */
  memcpy(packet + 72, job->pk, 32);      /* A */
  if (job->msg_len != 0) {
    memcpy(packet + PM_JOB_FIXED_BYTES, job->msg, job->msg_len);
  }
}

pm_answer pm_unpack_result(const uint8_t *packet) {
  pm_answer answer = {
      .tag = get_le32(packet + 4),
      .rule = packet[1],
      .reason = packet[0],
      .cycles = get_le32(packet + 8),
      .valid = (packet[2] & 1) != 0,
  };
  answer.well_formed = packet[2] <= 1 && packet[3] == 0 && get_le32(packet + 12) == 0 &&
                       answer.reason <= PM_REASON_SECRET_REFUSED &&
                       answer.valid == (answer.reason == PM_REASON_OK);
  return answer;
}
