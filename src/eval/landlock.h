/* SPDX-License-Identifier: MIT */
/*
 * landlock.h - which files a process reaches, where there are no namespaces:
 * Landlock, which needs no privileges and Linux 5.13.
 *
 * System calls and no more, for a process that may share its parent's memory.
 */
#ifndef AO_EVAL_LANDLOCK_H
#define AO_EVAL_LANDLOCK_H

#include "util/base.h"

bool ao_landlock_is_available(void);

/* Rules that forbid all files.  -1 with errno where there is no Landlock. */
int ao_landlock_new(void);

/*
 * Allow to read and run, with `is_writable` also to change, what lies beneath a
 * folder, or a file.  What is not there needs no rule.  Returns false with
 * errno on failure.
 */
bool ao_landlock_allow(int rules, const char *path, bool is_writable);

/*
 * Keep to the rules from now on, for good; after PR_SET_NO_NEW_PRIVS.  Closes
 * `rules`.  Returns false with errno on failure.
 */
bool ao_landlock_enforce(int rules);

#endif
