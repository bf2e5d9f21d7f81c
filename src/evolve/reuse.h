/* SPDX-License-Identifier: MIT */
/*
 * reuse.h - results that were paid for already.
 *
 * A result is used again for the same kernel and opponent, the same task, the
 * same judge, and an equal machine and toolchain; a failure needs no opponent.
 * What another writer says was measured is not taken for granted.
 */
#ifndef AO_EVOLVE_REUSE_H
#define AO_EVOLVE_REUSE_H

#include "store/history.h"

struct ao_reuse;

/*
 * An index of what other runs in `history` found that counts for `self`, a run
 * of it.  Its own attempts are not in it: their profiles are replaced as it
 * goes on.  The history must outlive it.  Free with ao_reuse_free().
 */
struct ao_reuse *ao_reuse_new(const struct ao_history *history,
			      const struct ao_history_run *self,
			      const struct ao_machine *machine);
void ao_reuse_free(struct ao_reuse *reuse);

/* Borrowed from the history, or NULL. */
const struct ao_result *ao_reuse_find(const struct ao_reuse *reuse,
				      const char *kernel, const char *opponent);

#endif
