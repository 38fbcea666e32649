/* SPDX-License-Identifier: Apache-2.0
 *
 * mpu_joye.h: the core `mpu` as who calculates in pm_joye(): all operations on points, or single products.
 */
#ifndef PM_MPU_JOYE_H
#define PM_MPU_JOYE_H

#include "affine.h"
#include "joye.h"
#include "pm_mpu.h"

#ifdef __cplusplus
extern "C" {
#endif

/* affine_add and affine_dq on the buffers of the core, which has the curve loaded. PROTOCOL: the core refused. */
pm_point_ops pm_mpu_point_ops(pm_mpu *mpu);

/* Products by mont_mul, inverses from a table. */
typedef struct pm_mpu_products {
  const pm_mpu *mpu;
  pm_inverse_table table;
} pm_mpu_products;

/* A field of them; the core has the modulus loaded. PROTOCOL: the core refused. */
pm_field pm_mpu_field(pm_mpu_products *products);

#ifdef __cplusplus
}
#endif

#endif /* PM_MPU_JOYE_H */
