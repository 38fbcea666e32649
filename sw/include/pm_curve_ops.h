/* Generated from hw/multicurve/core.yaml by `python -m pointmill.gen`. Do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PM_CURVE_OPS_H
#define PM_CURVE_OPS_H

/* Operations, by their opcodes. */
enum pm_curve_op {
    PM_CURVE_OP_LOAD_CURVE = 1,
    PM_CURVE_OP_ECMUL = 2,
    PM_CURVE_OP_ECMUL_BASE = 3,
    PM_CURVE_OP_ECMUL2 = 4,
    PM_CURVE_OP_CHECK = 5,
    PM_CURVE_OP_LADDER = 6,
    PM_CURVE_OP_MODARITH = 7,
    PM_CURVE_OP_ECDSA_VERIFY = 8,
    PM_CURVE_OP_ECDSA_SIGN = 9,
    PM_CURVE_OP_SM2_VERIFY = 10,
    PM_CURVE_OP_SM2_SIGN = 11
};

/* Their options, where there is more than one; those of ecmul_base are those of ecmul. */
enum pm_curve_option {
    PM_CURVE_LOAD_CURVE_BASE = 0,
    PM_CURVE_LOAD_CURVE_NO_BASE = 1,
    PM_CURVE_LOAD_CURVE_COMB = 2,
    PM_CURVE_ECMUL_NAF = 0,
    PM_CURVE_ECMUL_LADDER = 1,
    PM_CURVE_LADDER_PLAIN = 0,
    PM_CURVE_LADDER_X25519 = 1,
    PM_CURVE_LADDER_X448 = 2
};

/* Flags. */
enum pm_curve_flag {
    PM_CURVE_FLAG_SECRET = 1,
    PM_CURVE_FLAG_MONTGOMERY = 2
};

/* How a job ended. */
enum pm_curve_reason {
    PM_CURVE_REASON_OK = 0,
    PM_CURVE_REASON_MALFORMED_JOB = 1,
    PM_CURVE_REASON_NO_CURVE = 2,
    PM_CURVE_REASON_NO_ORDER = 12,
    PM_CURVE_REASON_MODULUS_NOT_ODD = 3,
    PM_CURVE_REASON_PARAMETER_OUT_OF_RANGE = 4,
    PM_CURVE_REASON_SINGULAR_CURVE = 5,
    PM_CURVE_REASON_INVALID_POINT = 6,
    PM_CURVE_REASON_SCALAR_OUT_OF_RANGE = 7,
    PM_CURVE_REASON_SIGNATURE_OUT_OF_RANGE = 13,
    PM_CURVE_REASON_RESULT_OFF_CURVE = 15,
    PM_CURVE_REASON_BAD_SIGNATURE = 9,
    PM_CURVE_REASON_UNUSABLE_NONCE = 14,
    PM_CURVE_REASON_NOT_INVERTIBLE = 8,
    PM_CURVE_REASON_ABORTED = 10,
    PM_CURVE_REASON_SECRET_REFUSED = 11
};

#endif
