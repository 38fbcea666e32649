/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: counted checks for the C tests of the driver; a failed one prints its line and ends with
 * status 1.
 */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>

static unsigned long checks;

#define CHECK(condition)                                              \
  do {                                                                \
    checks++;                                                         \
    if (!(condition)) {                                               \
      printf("line %d: %s does not hold\n", __LINE__, #condition);    \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

#endif /* CHECK_H */
