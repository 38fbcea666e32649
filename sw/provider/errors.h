/* SPDX-License-Identifier: Apache-2.0
 *
 * errors.h: reasons of the provider's errors, and how they reach OpenSSL's error queue.
 */
#ifndef PMP_ERRORS_H
#define PMP_ERRORS_H

#include <openssl/core.h>

/* X(reason, sentence). The numbers count from 1 and are those of `openssl errstr`. */
#define PMP_REASONS(X)                                                             \
  X(SETTING, "a setting of the provider is malformed or unknown")                  \
  X(MEMORY, "out of memory")                                                       \
  X(DEVICE_OPEN, "the device cannot be opened")                                    \
  X(DEVICE_TIMEOUT, "the device did not respond in time")                          \
  X(DEVICE_FAILED, "the device failed")                                            \
  X(DEVICE_CONTRADICTS, "the device's result contradicts itself or its job")       \
  X(MESSAGE_TOO_LONG, "the message does not fit the memory of the device")         \
  X(CURVE_UNSUPPORTED, "the curve is not one of the device")                       \
  X(KEY_MALFORMED, "the key is malformed")                                         \
  X(KEY_OUT_OF_RANGE, "the private key is not between 0 and the order")            \
  X(KEY_MISMATCH, "the public key is not that of the private key")                 \
  X(NO_PRIVATE_KEY, "the private key is missing")                                  \
  X(NO_PUBLIC_KEY, "the public key is missing")                                    \
  X(POINT_INVALID, "the point is not on the curve")                                \
  X(ALL_ZERO, "the shared secret is zero: the peer's point has small order")       \
  X(SIGNATURE_MALFORMED, "the signature is malformed")                             \
  X(NONCE, "no usable nonce was found")                                            \
  X(DIGEST, "the digest is unknown or does not fit the operation")                 \
  X(BUFFER_TOO_SMALL, "the output buffer is too small")                            \
  X(PARAMETER, "a parameter is malformed or not supported")                        \
  X(NOT_INITIALISED, "the operation was not initialised with a key")               \
  X(RANDOM, "OpenSSL has no random numbers")                                       \
  X(FALLBACK_FAILED, "the default provider failed, too")

typedef enum pmp_reason {
  PMP_R_NONE = 0,
#define PMP_NUMBER(name, text) PMP_R_##name,
  PMP_REASONS(PMP_NUMBER)
#undef PMP_NUMBER
} pmp_reason;

struct pmp_ctx;

/* The table for OSSL_FUNC_provider_get_reason_strings. */
const OSSL_ITEM *pmp_reason_strings(void *ctx);

/* Adds an error to the queue of this thread; `format` may be null. Returns 0. */
int pmp_raise_at(const struct pmp_ctx *ctx, const char *file, int line, const char *function, pmp_reason reason,
                 const char *format, ...) __attribute__((format(printf, 6, 7)));

#define pmp_raise(ctx, reason) pmp_raise_at((ctx), __FILE__, __LINE__, __func__, (reason), NULL)
#define pmp_raise_text(ctx, reason, ...) pmp_raise_at((ctx), __FILE__, __LINE__, __func__, (reason), __VA_ARGS__)

#endif /* PMP_ERRORS_H */
