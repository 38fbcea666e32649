/* SPDX-License-Identifier: Apache-2.0
 *
 * packet.c: packing of jobs and unpacking of results.
 */
#include "packet.h"

#include <string.h>

#define OPERATION(code, name, operands, payload, rule, message, secret, slot, batch) \
  {code, operands, payload, rule, message, secret, slot, batch},

static const pm_operation operations[] = {PM_OPERATIONS(OPERATION)};

const pm_operation *pm_operation_find(uint32_t op) {
  for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++) {
    if (operations[i].op == op) {
      return &operations[i];
    }
  }
  return NULL;
}

void pm_put_le(uint8_t *to, uint32_t value, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    to[i] = (uint8_t)(value >> (8 * i));
  }
}

uint32_t pm_get_le32(const uint8_t *from) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; i--) {
    value = value << 8 | from[i];
  }
  return value;
}

pm_error pm_request_verify(const pm_job *job, pm_request *request) {
  *request = (pm_request){.tag = job->tag, .op = PM_OP_VERIFY, .rule = job->rule};
  if ((job->pk == NULL && job->pk_len != 0) || (job->sig == NULL && job->sig_len != 0) ||
      (job->msg == NULL && job->msg_len != 0)) {
    return PM_ERR_ARGUMENT;
  }
  if (job->pk_len != PM_WORD_BYTES || job->sig_len != PM_SIGNATURE_BYTES ||
      job->rule > PM_MAX_RULE || job->msg_len > PM_MAX_MESSAGE) {
    return PM_OK;
  }
  request->operand[0] = job->sig + 32; /* S */
  request->operand[1] = job->sig;      /* R */
  request->operand[2] = job->pk;       /* A */
  request->msg = job->msg;
  request->msg_len = job->msg_len;
  request->packable = true;
  return PM_OK;
}

pm_error pm_request_secret(const pm_secret_job *job, pm_request *request) {
  *request = (pm_request){.tag = job->tag, .op = job->op};
  if ((job->secret == NULL && job->secret_len != 0) || (job->u == NULL && job->u_len != 0) ||
      (job->msg == NULL && job->msg_len != 0)) {
    return PM_ERR_ARGUMENT;
  }
  const pm_operation *operation = pm_operation_find(job->op);
  if (operation == NULL || !operation->is_secret || job->secret_len != PM_WORD_BYTES ||
      job->u_len != (operation->operands == 2 ? PM_WORD_BYTES : 0) ||
      job->msg_len > (operation->has_message ? PM_MAX_MESSAGE : 0)) {
    return PM_OK;
  }
  request->operand[0] = job->secret;
  request->operand[1] = job->u;
  request->msg = job->msg;
  request->msg_len = job->msg_len;
  request->packable = true;
  return PM_OK;
}

pm_request pm_request_key(const uint8_t *pk, uint16_t slot) {
  return (pm_request){.op = PM_OP_LOAD_KEY, .slot = slot, .packable = true, .operand = {pk}};
}

static size_t operand_bytes(const pm_request *request) {
  return pm_operation_find(request->op)->operands * PM_WORD_BYTES;
}

size_t pm_packet_length(const pm_request *request) {
  return PM_HEADER_BYTES + operand_bytes(request) + request->msg_len;
}

void pm_pack(const pm_request *request, uint32_t tag, uint8_t *packet) {
  packet[0] = (uint8_t)request->rule;
  packet[1] = (uint8_t)request->op;
  packet[2] = (uint8_t)request->slot;
  packet[3] = (uint8_t)(request->slot >> 8);
  pm_put_le(packet + 4, tag, 4);
  size_t bytes = operand_bytes(request);
  for (size_t at = 0; at < bytes; at += PM_WORD_BYTES) {
    memcpy(packet + PM_HEADER_BYTES + at, request->operand[at / PM_WORD_BYTES], PM_WORD_BYTES);
  }
  if (request->msg_len != 0) {
    memcpy(packet + PM_HEADER_BYTES + bytes, request->msg, request->msg_len);
  }
}

pm_answer pm_unpack_result(const uint8_t *packet) {
  pm_answer answer = {
      .tag = pm_get_le32(packet + 4),
      .rule = packet[1],
      .reason = packet[0],
      .cycles = pm_get_le32(packet + 8),
      .valid = (packet[2] & 1) != 0,
      .all_zero = (packet[2] & 2) != 0,
  };
  answer.well_formed = packet[2] <= 3 && packet[3] == 0 && pm_get_le32(packet + 12) == 0 &&
                       answer.reason <= PM_REASON_FAULT_DETECTED &&
                       answer.valid == (answer.reason == PM_REASON_OK);
  return answer;
}

size_t pm_payload_length(uint32_t op, uint32_t reason) {
  const pm_operation *operation = pm_operation_find(op);
  return reason == PM_REASON_OK && operation != NULL ? operation->payload * PM_WORD_BYTES : 0;
}
