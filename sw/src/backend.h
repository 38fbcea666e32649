/* SPDX-License-Identifier: Apache-2.0
 *
 * backend.h: what a back-end gives to the driver, a table of functions.
 *
 * The driver (device.c) knows packets, tags and time-outs; a back-end knows how bytes and register
 * accesses reach a core. A back-end of your own is linked in with -DPM_EXTRA_BACKEND=<symbol>.
 *
 * Every function gets the state that open() returned. None may block beyond what it says.
 */
#ifndef PM_BACKEND_H
#define PM_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pointmill.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pm_backend {
  /* Name given to pm_open(). */
  const char *name;
  /* Opens a core and leaves it reset. `core`: its name, where the configuration does not say another. `config` is
   * never null. */
  pm_error (*open)(const char *core, const char *config, void **state);
  /* Frees everything; `state` is never null. */
  void (*close)(void *state);
  /* Offers the next `length` bytes of the current job packet, which end the packet if `last`.
   * Takes what there is room for, without waiting; *taken is a multiple of 8 or all of them. */
  pm_error (*send)(void *state, const uint8_t *bytes, size_t length, bool last, size_t *taken);
  /* Gives up to `capacity` bytes of one result packet; *length 0 if there is none. *last tells
   * that they end it. */
  pm_error (*recv)(void *state, uint8_t *bytes, size_t capacity, size_t *length, bool *last);
  /* One register access; PM_ERR_BUS if the core refuses or does not answer. */
  pm_error (*reg_read)(void *state, uint32_t address, uint32_t *value);
  pm_error (*reg_write)(void *state, uint32_t address, uint32_t value);
  /* Lets time pass: at most `cycles`, less if there is something to receive or room to send
   * appeared. *spent is what passed, at least 1 if `cycles` is not 0. */
  pm_error (*advance)(void *state, uint64_t cycles, uint64_t *spent);
  /* Clock cycles of the core since open(), exact or estimated. */
  uint64_t (*elapsed)(void *state);
  /* The configuration that the opened core was built for. Null: not known, it is what the caller named. */
  const char *(*configuration)(void *state);
  /* The identity of the bitstream, as pm_identity_of() reads it. Null: the back-end reaches none. */
  pm_error (*identity)(void *state, uint32_t words[PM_IDENTITY_WORDS]);
} pm_backend;

enum { PM_IDENTITY_VERSION = 1 };

/* Reads the identity of the bitstream, behind the registers of its core. DEVICE: none that this driver knows. */
pm_error pm_identity_read(pm_error (*reg_read)(void *, uint32_t, uint32_t *), void *state,
                          uint32_t words[PM_IDENTITY_WORDS]);

/* Takes the words of an identity apart. */
void pm_identity_of(const uint32_t words[PM_IDENTITY_WORDS], pm_identity *identity);

/* Whether this driver knows the register map of a core, by its registers NAME and VERSION: DEVICE if not, with
 * pm_open_detail(). */
pm_error pm_check_map(uint32_t name, uint32_t version);

/* Begins to open a device: clears pm_open_detail() and looks up the back-end. ARGUMENT: null name; BACKEND: an
 * unknown one. */
pm_error pm_backend_find(const char *name, const pm_backend **backend);

/* Overwrites memory that held a secret; never optimised away. Back-ends that keep bytes of packets use it
 * when they have handed them on. */
void pm_wipe(void *memory, size_t length);

/* Sets the text of pm_open_detail(), as printf does; cut off behind 255 characters. Returns `error`. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
pm_error pm_open_failed(pm_error error, const char *format, ...);
/* Clears it. */
void pm_open_begin(void);

/* Configuration strings: "name,key=value,...". The name may be missing ("key=value"). */

/* Copies the configuration name into `name`, or `missing` if there is none. PM_ERR_CONFIG: too long. */
pm_error pm_config_name(const char *config, const char *missing, char *name, size_t size);
/* Looks up `key`; *found tells. The text is cut out into `value`. PM_ERR_CONFIG: too long. */
pm_error pm_config_text(const char *config, const char *key, char *value, size_t size, bool *found);
/* The same as a decimal number in [0, max]; *value keeps its content if the key is missing. */
pm_error pm_config_number(const char *config, const char *key, uint64_t max, uint64_t *value);
/* PM_ERR_CONFIG if a setting has a key that is not in the null-terminated list. This and the calls above set
 * pm_open_detail(). */
pm_error pm_config_check(const char *config, const char *const *keys);

#ifdef __cplusplus
}
#endif

#endif /* PM_BACKEND_H */
