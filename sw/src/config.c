/* SPDX-License-Identifier: Apache-2.0
 *
 * config.c: reading of configuration strings "name,key=value,...".
 */
#include <string.h>

#include "backend.h"

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
    return PM_ERR_CONFIG;
  }
  memcpy(to, from, length);
  to[length] = '\0';
  return PM_OK;
}

pm_error pm_config_name(const char *config, char *name, size_t size) {
  size_t length = item_length(config);
  if (length == 0 || key_length(config) != 0) {
    return copy_text("paper", 5, name, size);
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
  if (text[0] == '\0') {
    return PM_ERR_CONFIG;
  }
  for (const char *c = text; *c != '\0'; c++) {
    if (*c < '0' || *c > '9') {
      return PM_ERR_CONFIG;
    }
    uint64_t digit = (uint64_t)(*c - '0');
    if (digit > max || number > (max - digit) / 10) {
      return PM_ERR_CONFIG;
    }
    number = 10 * number + digit;
  }
  *value = number;
  return PM_OK;
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
      return PM_ERR_CONFIG;
    }
  }
  return PM_OK;
}
