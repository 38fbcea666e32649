/* SPDX-License-Identifier: Apache-2.0
 *
 * selftest.h: known answers of every kind of operation, by the devices.
 */
#ifndef PMP_SELFTEST_H
#define PMP_SELFTEST_H

/* OSSL_FUNC_provider_self_test: 1, or 0 with the errors of what failed. The fallback takes no part. */
int pmp_self_test(void *ctx);

#endif /* PMP_SELFTEST_H */
