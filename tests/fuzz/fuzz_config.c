/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_config.c: fuzz target of configuration strings, "name,key=value,...".
 *
 * What is taken over fits its buffer, ends with a zero and is in the string; a number does not exceed its limit and is
 * what strtoull() makes of the text; an error leaves a sentence. No string opens a simulated core that is not there.
 */
#include <stdbool.h>

#include "../../sw/src/backend.h"
#include "fuzz.h"

enum { SIZE = 16, TEXT_BYTES = 600 };

fuzz_count fuzz_counts[] = {{"names", 0},    {"texts", 0},    {"numbers", 0}, {"checked", 0},
                            {"rejected", 0}, {"searched", 0}, {NULL, 0}};
enum { NAMES, TEXTS, NUMBERS, CHECKED, REJECTED, SEARCHED };

static const char *const keys[] = {"a", "mhz", "seed", NULL};

/* A string of pieces that mean something, and of other bytes. */
static void make_text(fuzz_input *in, char *text) {
  static const char *const pieces[] = {",", ",", "=", "a=", "mhz=", "seed=", "0", "7", "12",
                                       "18446744073709551615", "fast",
                                       "-1", "a", "x25519-", "edverify-throughput"};
  size_t used = 0;
  while (in->left != 0 && used < TEXT_BYTES - 32) {
    uint32_t piece = fuzz_below(in, 18);
    if (piece < sizeof pieces / sizeof pieces[0]) {
      memcpy(text + used, pieces[piece], strlen(pieces[piece]));
      used += strlen(pieces[piece]);
    } else {
      uint8_t byte = fuzz_byte(in);
      text[used++] = (char)(byte != 0 ? byte : ',');
    }
  }
  text[used] = '\0';
}

static void rejected(pm_error error) {
  EXPECT(error == PM_ERR_CONFIG && pm_open_detail()[0] != '\0' && strlen(pm_open_detail()) < 256);
  fuzz_counts[REJECTED].count++;
}

static void check_name(const char *text) {
  char name[SIZE];
  memset(name, 'x', sizeof name);
  pm_error error = pm_config_name(text, "missing", name, sizeof name);
  if (error != PM_OK) {
    rejected(error);
    return;
  }
  EXPECT(memchr(name, '\0', sizeof name) != NULL);
  EXPECT(strcmp(name, "missing") == 0 || strncmp(text, name, strlen(name)) == 0);
  fuzz_counts[NAMES].count++;
}

static void check_value(const char *text, const char *key, uint64_t max) {
  char value[SIZE];
  bool found = false;
  uint64_t number = max + 1;
  pm_error error = pm_config_text(text, key, value, sizeof value, &found);
  if (error != PM_OK) {
    rejected(error);
  } else if (found) {
    EXPECT(memchr(value, '\0', sizeof value) != NULL && strchr(value, ',') == NULL && strstr(text, value) != NULL);
    fuzz_counts[TEXTS].count++;
  }
  pm_error of_number = pm_config_number(text, key, max, &number);
  if (of_number != PM_OK) {
    rejected(of_number);
  } else if (error == PM_OK && found) {
    EXPECT(number <= max && number == strtoull(value, NULL, 10));
    fuzz_counts[NUMBERS].count++;
  } else if (error == PM_OK) {
    EXPECT(number == max + 1);
  }
}

/* Opens as the back-end sim does, in a folder without modules. */
static void open_none(const char *text) {
  char config[TEXT_BYTES + 32];
  pm_device *device = (pm_device *)config; /* not null */
  (void)snprintf(config, sizeof config, "%s,modules=no-such-folder", text);
  pm_error error = pm_open("sim", config, &device);
  EXPECT(error == PM_ERR_CONFIG && device == NULL && pm_open_detail()[0] != '\0');
  fuzz_counts[SEARCHED].count += strstr(pm_open_detail(), "no simulated core ") == pm_open_detail();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char text[TEXT_BYTES];
  fuzz_input in = {.at = data, .left = size};
  uint64_t max = fuzz_below(&in, 2) != 0 ? UINT64_MAX - 1 : fuzz_byte(&in);
  make_text(&in, text);
  pm_open_begin();
  check_name(text);
  for (size_t i = 0; keys[i] != NULL; i++) {
    check_value(text, keys[i], max);
  }
  pm_error error = pm_config_check(text, keys);
  if (error != PM_OK) {
    rejected(error);
  }
  fuzz_counts[CHECKED].count += error == PM_OK;
  open_none(text);
  return 0;
}
