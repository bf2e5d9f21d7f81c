/* SPDX-License-Identifier: MIT */
/*
 * machine_lock.h - whose turn it is at this machine.
 *
 * One lock a machine, not a repository or user: builds and checks share it,
 * timing has it alone.  It is a file in /run/lock, else in /tmp, that every
 * user may open.
 */
#ifndef AO_EVAL_MACHINE_LOCK_H
#define AO_EVAL_MACHINE_LOCK_H

#include "util/lock.h"

/* Where the lock is.  A constant. */
const char *ao_machine_lock_folder(void);

/* Wait for a turn.  The caller frees *out with ao_lock_free(). */
AO_MUST_CHECK
struct ao_error *ao_machine_lock_take(struct ao_lock **out,
				      enum ao_lock_mode mode);

/* The same with a lock file in `folder`. */
AO_MUST_CHECK
struct ao_error *ao_machine_lock_take_in(struct ao_lock **out,
					 const char *folder,
					 enum ao_lock_mode mode,
					 uint32_t timeout_ms);

#endif
