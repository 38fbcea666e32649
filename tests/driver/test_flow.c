/* SPDX-License-Identifier: Apache-2.0
 *
 * test_flow.c: operations of `edverify` with secrets that memcheck takes for undefined, so that it reports every branch
 * and every address of the driver that depends on one (Langley 2010, ctgrind). With an argument x25519, otherwise key
 * generation and signing. Prints the number of checks made.
 */
#include <stdbool.h>
#include <valgrind/memcheck.h>

#include "check.h"
#include "pointmill.h"

enum { JOBS = 12, BYTES = 32, MESSAGE = 100 };

/* Whether memcheck takes any of these bytes for undefined. */
static bool is_secret(const uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    uint8_t bits = 0;
    VALGRIND_GET_VBITS(bytes + i, &bits, 1);
    if (bits != 0) {
      return true;
    }
  }
  return false;
}

int main(int argc, char **argv) {
  static uint8_t secret[JOBS][BYTES], u[JOBS][BYTES], msg[MESSAGE];
  pm_secret_job jobs[JOBS];
  pm_result results[JOBS];
  pm_device *dev = NULL;
  (void)argv;
  CHECK(RUNNING_ON_VALGRIND != 0);
  CHECK(pm_open("fake", "paper", &dev) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    VALGRIND_MAKE_MEM_UNDEFINED(secret[i], BYTES);
    jobs[i] = (pm_secret_job){.tag = 100 + i, .secret = secret[i], .secret_len = BYTES};
    if (argc > 1) {
      jobs[i].op = PM_OP_X25519;
      jobs[i].u = u[i];
      jobs[i].u_len = BYTES;
    } else if (i % 2 != 0) {
      jobs[i].op = PM_OP_KEYGEN;
    } else {
      jobs[i].op = PM_OP_SIGN;
      jobs[i].msg = msg;
      jobs[i].msg_len = i == 2 ? 0 : MESSAGE;
    }
  }
  CHECK(pm_secret_batch(dev, jobs, JOBS, results) == PM_OK);
  CHECK(pm_submit_secret(dev, &jobs[0]) == PM_OK);
  for (size_t i = 0; i < JOBS; i++) {
    const size_t length = results[i].length;
    CHECK(results[i].valid == 1 && results[i].tag == 100 + i && length == (jobs[i].op == PM_OP_SIGN ? 96 : 32));
    CHECK(is_secret(results[i].payload, length)); /* memcheck has followed it */
    CHECK(!is_secret(results[i].payload + length, sizeof results[i].payload - length));
  }
  pm_close(dev);
  printf("%lu checks\n", checks);
  return 0;
}
