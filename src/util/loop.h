/* SPDX-License-Identifier: MIT */
/*
 * loop.h - the one event loop: descriptors, timers and signals, by poll(2).
 *
 * Everything that waits (child processes, model servers, timers, Ctrl-C) waits
 * here, so all of it overlaps in one thread.  Callbacks run from
 * ao_loop_step() only, and may add and remove sources, also their own.
 */
#ifndef AO_UTIL_LOOP_H
#define AO_UTIL_LOOP_H

#include "util/error.h"

struct ao_loop;
struct ao_loop_source;

/* `events` and `revents` as poll(2) has them; 0 for timers. */
typedef void ao_loop_cb(void *data, short revents);

struct ao_loop *ao_loop_new(void);

/* Frees the sources that are left, too; NULL is fine. */
void ao_loop_free(struct ao_loop *loop);

/* Call `cb` while `fd` is ready for `events`.  The caller closes `fd`, after.
 */
struct ao_loop_source *ao_loop_watch(struct ao_loop *loop, int fd, short events,
				     ao_loop_cb *cb, void *data);

/* Call `cb` once, `after_ms` from now; the source is then gone. */
struct ao_loop_source *ao_loop_timer(struct ao_loop *loop, uint32_t after_ms,
				     ao_loop_cb *cb, void *data);

/* Remove a source that has not gone by itself; NULL is fine. */
void ao_loop_remove(struct ao_loop *loop, struct ao_loop_source *source);

/*
 * From now on SIGINT, SIGTERM and SIGHUP do not end the process: ao_loop_step()
 * returns early and ao_loop_interrupted() tells how many came.  The old
 * handlers come back with ao_loop_free().
 */
AO_MUST_CHECK
struct ao_error *ao_loop_catch_interrupt(struct ao_loop *loop);
unsigned ao_loop_interrupted(const struct ao_loop *loop);

/*
 * Wait until something happens, at most `timeout_ms` (UINT32_MAX: for ever),
 * and run the callbacks that are due.
 */
AO_MUST_CHECK
struct ao_error *ao_loop_step(struct ao_loop *loop, uint32_t timeout_ms);

#endif
