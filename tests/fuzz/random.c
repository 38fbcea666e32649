/* SPDX-License-Identifier: Apache-2.0
 *
 * random.c: main() of a fuzz target where there is no libFuzzer.
 *   fuzz_<target> RUNS SEED   runs on inputs that follow from the seed, then prints what was reached
 *   fuzz_<target> FILE        runs on the content of a file
 * Before a run that fails ends the program, its input is named: "input RUN of seed SEED", which
 * fuzz_<target> RUNS SEED RUN repeats alone.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <unistd.h>

#include "fuzz.h"

enum { MAX_LENGTH = 4096 };

static uint64_t state;
static char failed[80]; /* what a failing run prints: made before, as a signal handler may not */

static uint64_t random64(void) { /* splitmix64 */
  uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void name_input(int signal_number) {
  (void)!write(STDERR_FILENO, failed, strlen(failed)); /* nothing is left to do if that fails */
  if (signal_number != 0) {
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
  }
}

#ifdef __SANITIZE_ADDRESS__
void __sanitizer_set_death_callback(void (*callback)(void));
static void name_input_at_death(void) { name_input(0); }
#endif

/* Length and content: all lengths are as likely by their number of bits; bytes are random, small, or extreme. */
static size_t make_input(uint8_t *data, uint64_t seed, uint64_t run) {
  state = seed * UINT64_C(0x2545f4914f6cdd1d) + run;
  size_t length = (size_t)(random64() % MAX_LENGTH) >> random64() % 12;
  uint64_t style = random64() % 4;
  for (size_t i = 0; i < length; i++) {
    uint64_t bits = random64();
    uint8_t byte = (uint8_t)bits;
    bool plain = style == 0 || (bits >> 8) % 4 < style - 1;
    data[i] = plain ? byte : (bits >> 16) % 3 != 0 ? byte % 8 : (uint8_t)(byte | 0xf0);
  }
  return length;
}

static void run_random(uint64_t seed, uint64_t run) {
  static uint8_t data[MAX_LENGTH];
  (void)snprintf(failed, sizeof failed, "input %" PRIu64 " of seed %" PRIu64 "\n", run, seed);
  size_t length = make_input(data, seed, run);
  uint8_t *exact = malloc(length + (length == 0)); /* so that the sanitizer sees its end */
  EXPECT(exact != NULL);
  memcpy(exact, data, length);
  (void)LLVMFuzzerTestOneInput(exact, length);
  free(exact);
}

static int run_file(const char *name) {
  static uint8_t data[1 << 20];
  FILE *file = fopen(name, "rb");
  if (file == NULL) {
    perror(name);
    return 2;
  }
  size_t length = fread(data, 1, sizeof data, file);
  (void)fclose(file);
  return LLVMFuzzerTestOneInput(data, length);
}

int main(int argc, char **argv) {
  (void)signal(SIGABRT, name_input);
  (void)signal(SIGSEGV, name_input);
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(name_input_at_death);
#endif
  if (argc == 2) {
    return run_file(argv[1]);
  }
  if (argc < 3) {
    fprintf(stderr, "usage: %s RUNS SEED [RUN] | FILE\n", argv[0]);
    return 2;
  }
  uint64_t runs = strtoull(argv[1], NULL, 10), seed = strtoull(argv[2], NULL, 10);
  if (argc == 4) {
    run_random(seed, strtoull(argv[3], NULL, 10));
    return 0;
  }
  for (uint64_t run = 0; run < runs; run++) {
    run_random(seed, run);
  }
  printf("runs %" PRIu64 "\n", runs);
  for (const fuzz_count *c = fuzz_counts; c->name != NULL; c++) {
    printf("%s %lu\n", c->name, c->count);
  }
  return 0;
}
