/* Generated from hw/mpu/core.yaml by `python -m pointmill.gen`. Do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PM_MPU_OPS_H
#define PM_MPU_OPS_H

/* Operations. */
enum pm_mpu_op {
    PM_MPU_OP_LOAD_MODULUS = 1,
    PM_MPU_OP_LOAD_CURVE = 2,
    PM_MPU_OP_ADD = 3,
    PM_MPU_OP_SUB = 4,
    PM_MPU_OP_MUL = 5,
    PM_MPU_OP_REDUCTION = 6,
    PM_MPU_OP_MONT_MUL = 7,
    PM_MPU_OP_INVERT = 8,
    PM_MPU_OP_MONT_INVERT = 9,
    PM_MPU_OP_AFFINE_ADD = 10,
    PM_MPU_OP_AFFINE_DQ = 11,
    PM_MPU_OP_ECMUL = 12,
    PM_MPU_OP_ECMUL_JOYE = 13
};

/* How an operation ended. */
enum pm_mpu_reason {
    PM_MPU_REASON_OK = 0,
    PM_MPU_REASON_ILLEGAL_COMMAND = 1,
    PM_MPU_REASON_NO_MODULUS = 17,
    PM_MPU_REASON_NO_CURVE = 2,
    PM_MPU_REASON_SECRET_REFUSED = 11,
    PM_MPU_REASON_MODULUS_NOT_ODD = 3,
    PM_MPU_REASON_PARAMETER_OUT_OF_RANGE = 4,
    PM_MPU_REASON_SINGULAR_CURVE = 5,
    PM_MPU_REASON_OPERAND_OUT_OF_RANGE = 16,
    PM_MPU_REASON_INVALID_POINT = 6,
    PM_MPU_REASON_SCALAR_OUT_OF_RANGE = 7,
    PM_MPU_REASON_NOT_INVERTIBLE = 8,
    PM_MPU_REASON_RESULT_OFF_CURVE = 15,
    PM_MPU_REASON_BUS_ERROR = 18,
    PM_MPU_REASON_ABORTED = 10
};

/* Buffers of two entries, x and y. */
enum pm_mpu_buffer {
    PM_MPU_BUFFER_A0 = 0,
    PM_MPU_BUFFER_A1 = 1,
    PM_MPU_BUFFER_R0 = 2,
    PM_MPU_BUFFER_R1 = 3,
    PM_MPU_BUFFER_K = 4
};

/* Entries with a meaning: the scalar, parameters, what loading gives. */
enum pm_mpu_entry {
    PM_MPU_ENTRY_K = 8,
    PM_MPU_ENTRY_P = 10,
    PM_MPU_ENTRY_A = 11,
    PM_MPU_ENTRY_B = 12,
    PM_MPU_ENTRY_ONE = 13,
    PM_MPU_ENTRY_R2 = 14,
    PM_MPU_ENTRY_UNIT = 15
};

/* Operand memory. */
#define PM_MPU_BITS 704 /* of an entry */
#define PM_MPU_STRIDE 128 /* bytes from one entry to the next */
#define PM_MPU_ENTRIES 16

/* Numbers and names as X macros: X(number, "name"). */
#define PM_MPU_OP_NAMES(X) \
    X(1, "load_modulus") \
    X(2, "load_curve") \
    X(3, "add") \
    X(4, "sub") \
    X(5, "mul") \
    X(6, "reduction") \
    X(7, "mont_mul") \
    X(8, "invert") \
    X(9, "mont_invert") \
    X(10, "affine_add") \
    X(11, "affine_dq") \
    X(12, "ecmul") \
    X(13, "ecmul_joye")

#define PM_MPU_REASON_NAMES(X) \
    X(0, "ok") \
    X(1, "illegal_command") \
    X(17, "no_modulus") \
    X(2, "no_curve") \
    X(11, "secret_refused") \
    X(3, "modulus_not_odd") \
    X(4, "parameter_out_of_range") \
    X(5, "singular_curve") \
    X(16, "operand_out_of_range") \
    X(6, "invalid_point") \
    X(7, "scalar_out_of_range") \
    X(8, "not_invertible") \
    X(15, "result_off_curve") \
    X(18, "bus_error") \
    X(10, "aborted")

#endif
