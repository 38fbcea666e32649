/* SPDX-License-Identifier: Apache-2.0
 *
 * pool_test.c: the pool of the OpenSSL provider (sw/provider/pool.c) on devices that only write down what they get.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../sw/provider/pool.h"

enum { MOST_JOBS = 4096, WAITING = 20, THREADS = 32, JOBS_OF_A_THREAD = 50, SLOW = MOST_JOBS - 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t order[MOST_JOBS];
static size_t done, largest;
static unsigned at_work, most_at_work;
static int failures;
static atomic_int entered;

static void check(int good, const char *what) {
  if (!good) {
    printf("FAIL: %s\n", what);
    failures++;
  }
}

void pmp_unit_run(pmp_unit *unit, const pmp_settings *settings, pmp_job *const jobs[], size_t count) {
  static int busy[8];
  (void)settings;
  pthread_mutex_lock(&lock);
  check(!busy[unit->index], "a device has one thread at a time");
  busy[unit->index] = 1;
  most_at_work = ++at_work > most_at_work ? at_work : most_at_work;
  largest = count > largest ? count : largest;
  for (size_t i = 0; i < count; i++) {
    order[done++] = jobs[i]->verify.tag;
  }
  pthread_mutex_unlock(&lock);
  usleep(jobs[0]->verify.tag == SLOW ? 1500000 : 500);
  pthread_mutex_lock(&lock);
  busy[unit->index] = 0;
  at_work--;
  pthread_mutex_unlock(&lock);
}

void pmp_unit_close(pmp_unit *unit) { (void)unit; }

static pmp_pool *pool;

static void *run_one(void *tag) {
  pmp_job job = {.verify = {.tag = (uint64_t)(uintptr_t)tag}};
  entered++;
  pmp_pool_run(pool, &job);
  return NULL;
}

static void *run_many(void *first) {
  for (uintptr_t i = 0; i < JOBS_OF_A_THREAD; i++) {
    (void)run_one((void *)((uintptr_t)first + i));
  }
  return NULL;
}

static void start(pmp_core core, pmp_settings *settings, unsigned devices) {
  *settings = (pmp_settings){.devices = devices};
  done = largest = 0;
  most_at_work = 0;
  entered = 0;
  pool = pmp_pool_new(core, settings);
}

/* While the only device works, jobs queue one behind the other; it gets them in that order, one at a time. */
static void test_order(void) {
  pmp_settings settings;
  pthread_t ids[WAITING + 1];
  start(PMP_MULTICURVE, &settings, 1);
  for (uintptr_t i = 0; i <= WAITING; i++) {
    pthread_create(&ids[i], NULL, run_one, (void *)(i == 0 ? SLOW : i));
    while ((uintptr_t)entered <= i) {
      usleep(100);
    }
    usleep(40000);
  }
  for (size_t i = 0; i <= WAITING; i++) {
    pthread_join(ids[i], NULL);
  }
  check(done == WAITING + 1 && order[0] == SLOW, "every job is done once");
  for (size_t i = 1; i <= WAITING; i++) {
    check(order[i] == i, "jobs are done in the order in which they came");
  }
  check(largest == 1, "multicurve takes one job at a time");
  pmp_pool_free(pool);
}

/* Many threads on three devices: every job once, several at once where the core has many contexts. */
static void test_many(void) {
  pmp_settings settings;
  pthread_t ids[THREADS];
  static int seen[MOST_JOBS];
  start(PMP_EDVERIFY, &settings, 3);
  for (uintptr_t i = 0; i < THREADS; i++) {
    pthread_create(&ids[i], NULL, run_many, (void *)(i * JOBS_OF_A_THREAD));
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(ids[i], NULL);
  }
  for (size_t i = 0; i < done; i++) {
    seen[order[i]]++;
  }
  check(done == THREADS * JOBS_OF_A_THREAD, "no job is lost or done twice");
  for (size_t i = 0; i < THREADS * JOBS_OF_A_THREAD; i++) {
    check(seen[i] == 1, "every job is done once");
  }
  check(largest > 1 && largest <= PMP_UNIT_JOBS, "edverify takes several jobs at once, at most 12");
  check(most_at_work == 3, "all devices work");
  pmp_pool_free(pool);
}

/* A child in whose parent a device works and jobs wait: its own pool is free. */
static void test_child(void) {
  pmp_settings settings;
  pthread_t ids[2];
  start(PMP_MULTICURVE, &settings, 1);
  for (uintptr_t i = 0; i < 2; i++) {
    pthread_create(&ids[i], NULL, run_one, (void *)(i == 0 ? SLOW : i));
    usleep(100000);
  }
  pid_t child = fork();
  if (child == 0) {
    alarm(20);
    pmp_pool_after_fork(pool);
    done = 0;
    (void)run_one((void *)7);
    _exit(done == 1 && order[0] == 7 ? 0 : 1);
  }
  int status = 1;
  check(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0,
        "a child does a job of its own, and none of its parent");
  for (size_t i = 0; i < 2; i++) {
    pthread_join(ids[i], NULL);
  }
  check(done == 2, "the parent's jobs are done");
  pmp_pool_free(pool);
}

int main(void) {
  test_order();
  test_many();
  test_child();
  printf("%d failures\n", failures);
  return failures != 0;
}
