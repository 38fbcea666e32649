/* Generated from hw/edverify/core.yaml by `python -m pointmill.gen`. Do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PM_RULES_H
#define PM_RULES_H

/* Rule sets; 0 and every number not listed are rejected as a malformed job. */
enum pm_rule {
    PM_RULE_RFC8032_COFACTORLESS = 1,
    PM_RULE_RFC8032_COFACTORED = 2,
    PM_RULE_ZIP215 = 3,
    PM_RULE_REF10_BYTES = 4,
    PM_RULE_DALEK_STRICT = 5,
    PM_RULE_LIBSODIUM = 6
};

/* Verdicts; when several apply the lowest number is reported. */
enum pm_reason {
    PM_REASON_OK = 0,
    PM_REASON_MALFORMED_JOB = 1,
    PM_REASON_S_OUT_OF_RANGE = 2,
    PM_REASON_A_NOT_DECODABLE = 3,
    PM_REASON_R_NOT_DECODABLE = 4,
    PM_REASON_SMALL_ORDER_A = 5,
    PM_REASON_SMALL_ORDER_R = 6,
    PM_REASON_EQUATION_FAILS = 7,
    PM_REASON_ABORTED = 8,
    PM_REASON_MESSAGE_TOO_LONG = 9,
    PM_REASON_SECRET_REFUSED = 10,
    PM_REASON_FAULT_DETECTED = 11
};

/* Operations, by their opcodes. */
enum pm_op {
    PM_OP_VERIFY = 1,
    PM_OP_X25519 = 2,
    PM_OP_KEYGEN = 3,
    PM_OP_SIGN = 4,
    PM_OP_LOAD_KEY = 5,
    PM_OP_VERIFY_CACHED = 6,
    PM_OP_VERIFY_BATCH = 7
};

/* Numbers and names as an X macro: X(number, "name"). */
#define PM_RULE_NAMES(X) \
    X(1, "rfc8032_cofactorless") \
    X(2, "rfc8032_cofactored") \
    X(3, "zip215") \
    X(4, "ref10_bytes") \
    X(5, "dalek_strict") \
    X(6, "libsodium")

#define PM_REASON_NAMES(X) \
    X(0, "ok") \
    X(1, "malformed_job") \
    X(2, "s_out_of_range") \
    X(3, "a_not_decodable") \
    X(4, "r_not_decodable") \
    X(5, "small_order_a") \
    X(6, "small_order_r") \
    X(7, "equation_fails") \
    X(8, "aborted") \
    X(9, "message_too_long") \
    X(10, "secret_refused") \
    X(11, "fault_detected")

/* X(opcode, "name", operands, words of payload, has a rule, has a message, is secret,
 *   has a slot, is for batches). */
#define PM_OPERATIONS(X) \
    X(1, "verify", 3, 0, 1, 1, 0, 0, 0) \
    X(2, "x25519", 2, 1, 0, 0, 1, 0, 0) \
    X(3, "keygen", 1, 1, 0, 0, 1, 0, 0) \
    X(4, "sign", 1, 3, 0, 1, 1, 0, 0) \
    X(5, "load_key", 1, 0, 0, 0, 0, 1, 0) \
    X(6, "verify_cached", 3, 0, 1, 1, 0, 1, 0) \
    X(7, "verify_batch", 3, 0, 1, 1, 0, 0, 1)

/* Packets. */
#define PM_BEAT_BYTES 8
#define PM_HEADER_BEATS 1
#define PM_OPERAND_BEATS 4 /* also of a word of the payload */
#define PM_RESULT_BEATS 2 /* without payload */
#define PM_MAX_OPERANDS 3
#define PM_MAX_PAYLOAD 3

#endif
