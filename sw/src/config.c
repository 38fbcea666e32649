/* SPDX-License-Identifier: Apache-2.0
 *
 * config.c: reading of configuration strings "name,key=value,...".
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"

enum { DETAIL_BYTES = 256 };

static _Thread_local char detail[DETAIL_BYTES];

const char *pm_open_detail(void) { return detail; }

void pm_open_begin(void) { detail[0] = '\0'; }

pm_error pm_open_failed(pm_error error, const char *format, ...) {
  va_list values;
  va_start(values, format);
  (void)vsnprintf(detail, sizeof detail, format, values); /* cut off if too long */
  va_end(values);
  return error;
}

/* Length of the item that starts at `item`, up to a comma or the end. */
static size_t item_length(const char *item) { return strcspn(item, ","); }

/* The item after this one, or null. */
static const char *next_item(const char *item) {
  size_t length = item_length(item);
  return item[length] == ',' ? item + length + 1 : NULL;
}

/* Length of the key of an item, or 0 if the item is not "key=...". */
static size_t key_length(const char *item) {
  size_t length = strcspn(item, "=,");
  return item[length] == '=' ? length : 0;
}

static pm_error copy_text(const char *from, size_t length, char *to, size_t size) {
  if (length >= size) {
    return pm_open_failed(PM_ERR_CONFIG, "'%.*s' is longer than %zu characters", (int)length, from, size - 1);
  }
  memcpy(to, from, length);
  to[length] = '\0';
  return PM_OK;
}

pm_error pm_config_name(const char *config, const char *missing, char *name, size_t size) {
  size_t length = item_length(config);
  if (length == 0 || key_length(config) != 0) {
    return copy_text(missing, strlen(missing), name, size);
  }
  return copy_text(config, length, name, size);
}

pm_error pm_config_text(const char *config, const char *key, char *value, size_t size,
                        bool *found) {
  *found = false;
  for (const char *item = config; item != NULL; item = next_item(item)) {
    size_t length = key_length(item);
    if (length != 0 && length == strlen(key) && strncmp(item, key, length) == 0) {
      *found = true;
      return copy_text(item + length + 1, item_length(item) - length - 1, value, size);
    }
  }
  return PM_OK;
}

pm_error pm_config_number(const char *config, const char *key, uint64_t max, uint64_t *value) {
  char text[24];
  bool found = false;
  uint64_t number = 0;
  pm_error error = pm_config_text(config, key, text, sizeof text, &found);
  if (error != PM_OK || !found) {
    return error;
  }
  bool valid = text[0] != '\0';
  for (const char *c = text; valid && *c != '\0'; c++) {
    uint64_t digit = (uint64_t)(*c - '0');
    valid = *c >= '0' && *c <= '9' && digit <= max && number <= (max - digit) / 10;
    number = 10 * number + digit;
  }
  if (!valid) {
    return pm_open_failed(PM_ERR_CONFIG, "setting %s=%s: a number from 0 to %llu is wanted", key, text,
                          (unsigned long long)max);
  }
  *value = number;
  return PM_OK;
}

/* Names the setting and those that there are. */
static pm_error unknown_setting(const char *item, const char *const *keys) {
  char known[DETAIL_BYTES / 2] = "";
  size_t used = 0;
  for (size_t i = 0; keys[i] != NULL && used < sizeof known; i++) {
    int added = snprintf(known + used, sizeof known - used, "%s%s", i == 0 ? "" : ", ", keys[i]);
    used += added > 0 ? (size_t)added : 0;
  }
  return pm_open_failed(PM_ERR_CONFIG, "no setting '%.*s'; known are %s", (int)item_length(item), item, known);
}

pm_error pm_config_check(const char *config, const char *const *keys) {
  bool first = true;
  for (const char *item = config; item != NULL; item = next_item(item), first = false) {
    size_t length = key_length(item);
    bool known = first && length == 0; /* the name */
    for (size_t i = 0; !known && keys[i] != NULL; i++) {
      known = length == strlen(keys[i]) && strncmp(item, keys[i], length) == 0;
    }
    if (!known) {
      return unknown_setting(item, keys);
    }
  }
  return PM_OK;
}
