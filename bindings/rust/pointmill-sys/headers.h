/* SPDX-License-Identifier: Apache-2.0
 *
 * headers.h: the public headers that src/bindings.rs declares.
 */
#include "pm_curve.h"
#include "pm_curve_ops.h"
#include "pm_mpu.h"
#include "pm_mpu_sim.h"
#include "pm_mpu_uio.h"
#include "pointmill.h"
