/* SPDX-License-Identifier: MIT */
/*
 * lock.h - advisory locks between processes (flock), gone with their holder.
 */
#ifndef AO_UTIL_LOCK_H
#define AO_UTIL_LOCK_H

#include "util/error.h"

enum ao_lock_mode { AO_LOCK_SHARED, AO_LOCK_EXCLUSIVE };

struct ao_lock;

/*
 * Take the lock file `path`, made if missing.  Waits at most `timeout_ms`
 * (UINT32_MAX: for ever), then AO_ELIMIT; a caught signal ends waiting, with
 * AO_ECANCELED.  Waiting is fair: who asks for the lock alone is not overtaken
 * for ever by those who share it.
 * The caller frees *out with ao_lock_free(), which lets go.
 */
AO_MUST_CHECK
struct ao_error *ao_lock_take(struct ao_lock **out, const char *path,
			      enum ao_lock_mode mode, uint32_t timeout_ms);

void ao_lock_free(struct ao_lock *lock);

/*
 * Let go and remove the files, for a lock that nobody is to take again.  Who
 * waits for it all the same makes them anew.
 */
void ao_lock_remove(struct ao_lock *lock);

#endif
