/* SPDX-License-Identifier: MIT */
/*
 * guard.h - one process of ours at a time changes refs of ours, configuration
 * and packs in a repository.
 *
 * A lock in the common git folder, gone with its holder.  What git itself
 * does meanwhile is not held off: refs still move by compare-and-swap.
 */
#ifndef AO_STORE_GUARD_H
#define AO_STORE_GUARD_H

#include "store/repo.h"

struct ao_guard;

/*
 * Wait for the guard, at most a minute (AO_ELIMIT), and clean up what a holder
 * that was killed left behind.  The caller frees *out with ao_guard_free().
 */
AO_MUST_CHECK
struct ao_error *ao_guard_take(struct ao_guard **out,
			       const struct ao_repo *repo);
void ao_guard_free(struct ao_guard *guard);

/*
 * Say which ref is about to be swapped; after a crash in between, the next
 * holder removes the lock file that git's protocol would leave for ever.
 * Undone by ao_guard_swapped().
 */
AO_MUST_CHECK
struct ao_error *ao_guard_swapping(struct ao_guard *guard, const char *ref);
void ao_guard_swapped(struct ao_guard *guard);

#endif
