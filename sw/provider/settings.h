/* SPDX-License-Identifier: Apache-2.0
 *
 * settings.h: the provider's section of the OpenSSL configuration (docs/openssl.md).
 */
#ifndef PMP_SETTINGS_H
#define PMP_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

enum { PMP_TEXT_BYTES = 512, PMP_FAULT_BYTES = 160 };

typedef struct pmp_settings {
  char device[16];                 /* back-end of libpointmill */
  char edverify[PMP_TEXT_BYTES];   /* configuration strings of pm_open(), separated by spaces, used in turn */
  char multicurve[PMP_TEXT_BYTES]; /* the same for pm_curve_open() */
  unsigned devices;                /* of each core */
  uint64_t timeout;                /* clock cycles without progress after which a device has failed */
  bool fallback;                   /* what a device fails to do is done by OpenSSL's default provider */
  bool rfc6979;                    /* nonces of ECDSA are derived, not random */
  char statistics[PMP_TEXT_BYTES]; /* file; "%p" is the number of the process; "" for none */
  char fault[PMP_FAULT_BYTES];     /* what is wrong with the section; "" if nothing is */
} pmp_settings;

struct pmp_ctx;

/* Reads the section of the provider; what is not set has its default. A value that is malformed is a fault: every
 * operation will fail and say so. If the provider did not load instead, OpenSSL would ignore that, and work without. */
void pmp_settings_read(struct pmp_ctx *ctx);

#endif /* PMP_SETTINGS_H */
