/* Generated from hw/<core>/core.yaml by `python -m pointmill.gen`. Do not edit. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PM_DEFAULTS_H
#define PM_DEFAULTS_H

/* X(core, configuration where none is named). */
#define PM_DEFAULT_CONFIGURATIONS(X) \
  X("edverify", "throughput") \
  X("multicurve", "fast") \
  X("x25519", "tile") \
  X("mpu", "full")

#endif
