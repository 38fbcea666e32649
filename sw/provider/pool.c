/* SPDX-License-Identifier: Apache-2.0 */
#include "pool.h"

#include <openssl/crypto.h>
#include <pthread.h>
#include <string.h>

struct pmp_pool {
  pthread_mutex_t lock;
  pthread_cond_t changed; /* a job is finished, or a device free */
  const pmp_settings *settings;
  pmp_core core;
  pmp_job *first, **last; /* jobs that no device has yet */
  size_t waiting, free_units;
  pmp_unit units[]; /* settings->devices */
};

static void reset(pmp_pool *pool) {
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->changed, NULL);
  pool->first = NULL;
  pool->last = &pool->first;
  pool->waiting = 0;
  pool->free_units = pool->settings->devices;
  memset(pool->units, 0, pool->settings->devices * sizeof pool->units[0]);
  for (unsigned i = 0; i < pool->settings->devices; i++) {
    pool->units[i].core = pool->core;
    pool->units[i].index = i;
  }
}

pmp_pool *pmp_pool_new(pmp_core core, const pmp_settings *settings) {
  pmp_pool *pool = OPENSSL_zalloc(sizeof *pool + settings->devices * sizeof pool->units[0]);
  if (pool != NULL) {
    pool->core = core;
    pool->settings = settings;
    reset(pool);
  }
  return pool;
}

void pmp_pool_free(pmp_pool *pool) {
  if (pool == NULL) {
    return;
  }
  for (unsigned i = 0; i < pool->settings->devices; i++) {
    pmp_unit_close(&pool->units[i]);
  }
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
  OPENSSL_free(pool);
}

void pmp_pool_after_fork(pmp_pool *pool) { reset(pool); }

/* The free device for a job: one that has its curve, or none, before the others. There is one. */
static pmp_unit *choose(pmp_pool *pool, const pmp_job *job) {
  pmp_unit *best = NULL;
  for (unsigned i = 0; i < pool->settings->devices; i++) {
    pmp_unit *unit = &pool->units[i];
    if (!unit->busy && (best == NULL || (unit->loaded == job->curve && best->loaded != job->curve))) {
      best = unit;
    }
  }
  return best;
}

/* How many jobs a device takes at once: of edverify a share of the queue, of multicurve one. */
static size_t share(const pmp_pool *pool) {
  size_t jobs = (pool->waiting + pool->free_units - 1) / pool->free_units;
  return pool->core == PMP_MULTICURVE ? 1 : jobs < PMP_UNIT_JOBS ? jobs : PMP_UNIT_JOBS;
}

/* Serves the first jobs of the queue on a free device. The lock is held, but not while the device works. */
static void serve(pmp_pool *pool) {
  pmp_job *jobs[PMP_UNIT_JOBS];
  size_t count = 0;
  pmp_unit *unit = choose(pool, pool->first);
  for (size_t most = share(pool); count < most && pool->first != NULL; count++) {
    jobs[count] = pool->first;
    pool->first = jobs[count]->next;
  }
  if (pool->first == NULL) {
    pool->last = &pool->first;
  }
  pool->waiting -= count;
  pool->free_units--;
  unit->busy = true;
  pthread_mutex_unlock(&pool->lock);
  pmp_unit_run(unit, pool->settings, jobs, count);
  pthread_mutex_lock(&pool->lock);
  unit->busy = false;
  pool->free_units++;
  for (size_t i = 0; i < count; i++) {
    jobs[i]->finished = true;
  }
  pthread_cond_broadcast(&pool->changed);
}

void pmp_pool_run(pmp_pool *pool, pmp_job *job) {
  pthread_mutex_lock(&pool->lock);
  job->next = NULL;
  job->finished = false;
  *pool->last = job;
  pool->last = &job->next;
  pool->waiting++;
  while (!job->finished) {
    if (pool->first != NULL && pool->free_units > 0) {
      serve(pool);
    } else {
      pthread_cond_wait(&pool->changed, &pool->lock);
    }
  }
  pthread_mutex_unlock(&pool->lock);
}
