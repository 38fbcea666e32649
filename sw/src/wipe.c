/* SPDX-License-Identifier: Apache-2.0
 *
 * wipe.c: overwriting of memory that held secrets.
 */
#include <string.h>

#include "backend.h"

/* A call through a volatile pointer may do anything as far as the compiler knows, so it stays although
 * nobody reads the memory afterwards. */
static void *(*const volatile overwrite)(void *, int, size_t) = memset;

void pm_wipe(void *memory, size_t length) {
  if (length != 0) {
    overwrite(memory, 0, length);
  }
}
