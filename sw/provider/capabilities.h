/* SPDX-License-Identifier: Apache-2.0
 *
 * capabilities.h: the groups of TLS that the provider offers to libssl.
 */
#ifndef PMP_CAPABILITIES_H
#define PMP_CAPABILITIES_H

#include <openssl/core.h>

/* OSSL_FUNC_provider_get_capabilities. */
int pmp_get_capabilities(void *ctx, const char *capability, OSSL_CALLBACK *callback, void *argument);

#endif /* PMP_CAPABILITIES_H */
