/* SPDX-License-Identifier: Apache-2.0 */
#include "statistics.h"

#include <inttypes.h>
#include <openssl/crypto.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MAX_ENTRIES = 256, NAME_BYTES = 64, LINE_BYTES = 256, PATH_BYTES = 560 };

typedef struct entry {
  char name[NAME_BYTES];
  uint64_t events[PMP_EVENTS], cycles;
} entry;

struct pmp_statistics {
  pthread_mutex_t lock;
  const char *path;
  size_t count;
  entry entries[MAX_ENTRIES];
};

pmp_statistics *pmp_statistics_new(const char *path) {
  pmp_statistics *statistics = OPENSSL_zalloc(sizeof *statistics);
  if (statistics != NULL) {
    pthread_mutex_init(&statistics->lock, NULL);
    statistics->path = path;
  }
  return statistics;
}

/* The JSON text; the lock is held. */
static char *text_of(const pmp_statistics *statistics) {
  size_t size = (statistics->count + 2) * LINE_BYTES;
  char *text = OPENSSL_malloc(size);
  if (text == NULL) {
    return NULL;
  }
  int at = snprintf(text, size, "{\"pid\": %ld, \"operations\": {", (long)getpid());
  for (size_t i = 0; i < statistics->count; i++) {
    const entry *e = &statistics->entries[i];
    at += snprintf(text + at, size - (size_t)at,
                   "%s\n  \"%s\": {\"done\": %" PRIu64 ", \"rejected\": %" PRIu64 ", \"failed\": %" PRIu64
                   ", \"fallback\": %" PRIu64 ", \"cycles\": %" PRIu64 "}",
                   i == 0 ? "" : ",", e->name, e->events[PMP_DONE], e->events[PMP_REJECTED], e->events[PMP_FAILED],
                   e->events[PMP_FALLBACK], e->cycles);
  }
  (void)snprintf(text + at, size - (size_t)at, "}}\n");
  return text;
}

/* The path of this process: "%p" is its number. False if it is too long. */
static int path_of(const char *pattern, char *path, size_t size) {
  const char *mark = strstr(pattern, "%p");
  int length = mark == NULL ? snprintf(path, size, "%s", pattern)
                            : snprintf(path, size, "%.*s%ld%s", (int)(mark - pattern), pattern, (long)getpid(),
                                       mark + 2);
  return length > 0 && (size_t)length < size;
}

/* Replaces the file as a whole. A file that cannot be written stops no operation. The lock is held. */
static void write_file(const pmp_statistics *statistics) {
  char path[PATH_BYTES], partial[PATH_BYTES + 32];
  if (statistics->path[0] == '\0' || !path_of(statistics->path, path, sizeof path)) {
    return;
  }
  (void)snprintf(partial, sizeof partial, "%s.%ld.tmp", path, (long)getpid());
  char *text = text_of(statistics);
  FILE *file = text == NULL ? NULL : fopen(partial, "w");
  if (file != NULL) {
    int written = fputs(text, file) >= 0;
    if (fclose(file) != 0 || !written || rename(partial, path) != 0) {
      (void)unlink(partial);
    }
  }
  OPENSSL_free(text);
}

void pmp_statistics_free(pmp_statistics *statistics) {
  if (statistics != NULL) {
    pthread_mutex_destroy(&statistics->lock);
    OPENSSL_free(statistics);
  }
}

/* The entry of a name, made if there is none; the last one takes what has no room. The lock is held. */
static entry *entry_of(pmp_statistics *statistics, const char *name) {
  for (size_t i = 0; i < statistics->count; i++) {
    if (strcmp(statistics->entries[i].name, name) == 0) {
      return &statistics->entries[i];
    }
  }
  if (statistics->count == MAX_ENTRIES) {
    return &statistics->entries[MAX_ENTRIES - 1];
  }
  entry *made = &statistics->entries[statistics->count++];
  (void)snprintf(made->name, sizeof made->name, "%s", statistics->count == MAX_ENTRIES ? "other" : name);
  return made;
}

void pmp_count(pmp_statistics *statistics, const char *algorithm, const char *curve, const char *operation,
               pmp_event event, uint64_t cycles) {
  char name[NAME_BYTES];
  (void)snprintf(name, sizeof name, "%s%s%s.%s", algorithm, curve != NULL ? "." : "", curve != NULL ? curve : "",
                 operation);
  pthread_mutex_lock(&statistics->lock);
  entry *e = entry_of(statistics, name);
  e->events[event]++;
  e->events[PMP_DONE] += event == PMP_REJECTED;
  e->cycles += cycles;
  write_file(statistics);
  pthread_mutex_unlock(&statistics->lock);
}

char *pmp_statistics_text(pmp_statistics *statistics) {
  pthread_mutex_lock(&statistics->lock);
  char *text = text_of(statistics);
  pthread_mutex_unlock(&statistics->lock);
  return text;
}

void pmp_statistics_after_fork(pmp_statistics *statistics) {
  pthread_mutex_init(&statistics->lock, NULL);
  statistics->count = 0;
  memset(statistics->entries, 0, sizeof statistics->entries);
}
