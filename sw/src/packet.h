/* SPDX-License-Identifier: Apache-2.0
 *
 * packet.h: the packets of `edverify`, as bytes in the order of the stream (the first byte of a
 * 64-bit beat is in its bits 7:0).
 *
 *   job      8 bytes header {rule, opcode, slot and tag little endian}, operands of 32 bytes, message
 *   result   {reason, rule, bit 0 valid, bit 1 all zero, 0, tag little endian}, {cycles little
 *            endian, 0}, words of payload of 32 bytes
 */
#ifndef PM_PACKET_H
#define PM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pointmill.h"

enum {
  PM_WORD_BYTES = PM_OPERAND_BEATS * PM_BEAT_BYTES,
  PM_SIGNATURE_BYTES = 64,
  PM_HEADER_BYTES = PM_HEADER_BEATS * PM_BEAT_BYTES,
  PM_RESULT_BYTES = PM_RESULT_BEATS * PM_BEAT_BYTES, /* without payload */
  PM_MAX_RESULT_BYTES = PM_RESULT_BYTES + PM_MAX_PAYLOAD * PM_WORD_BYTES,
  PM_MAX_RULE = 255,
  PM_MAX_MESSAGE = 1 << 28
};

/* What belongs to an opcode (hw/edverify/core.yaml). */
typedef struct pm_operation {
  uint32_t op;
  size_t operands, payload; /* words */
  bool has_rule, has_message, is_secret, has_slot, is_batch;
} pm_operation;

/* A job of either kind, with pointers into the caller's bytes. */
typedef struct pm_request {
  uint64_t tag;
  uint32_t op, rule;
  uint16_t slot; /* of a prepared key */
  bool packable; /* it fits a packet; if not, its result is malformed_job */
  const uint8_t *operand[PM_MAX_OPERANDS]; /* in the order of the packet */
  const uint8_t *msg;
  size_t msg_len;
} pm_request;

/* A result packet taken apart, without its payload. */
typedef struct pm_answer {
  uint32_t tag;
  uint32_t rule;
  uint32_t reason;
  uint32_t cycles;
  bool valid;
  bool all_zero;
  bool well_formed; /* reserved bits zero, reason known, and valid exactly if reason is ok */
} pm_answer;

/* Numbers of packets, lowest byte first. */
void pm_put_le(uint8_t *to, uint32_t value, size_t bytes);
uint32_t pm_get_le32(const uint8_t *from);

/* The operation of an opcode, or null. */
const pm_operation *pm_operation_find(uint32_t op);

/* The request of a job. PM_ERR_ARGUMENT for null bytes with a length; it then is not packable. */
pm_error pm_request_verify(const pm_job *job, pm_request *request);
pm_error pm_request_secret(const pm_secret_job *job, pm_request *request);

/* The request that prepares a key of PM_WORD_BYTES. */
pm_request pm_request_key(const uint8_t *pk, uint16_t slot);

/* Bytes of the packet of a packable request. */
size_t pm_packet_length(const pm_request *request);

/* Writes the packet of a packable request. */
void pm_pack(const pm_request *request, uint32_t tag, uint8_t *packet);

/* Takes the first PM_RESULT_BYTES bytes apart. */
pm_answer pm_unpack_result(const uint8_t *packet);

/* Bytes of payload in a result of operation `op` with this reason. */
size_t pm_payload_length(uint32_t op, uint32_t reason);

#endif /* PM_PACKET_H */
