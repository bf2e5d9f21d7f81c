/* SPDX-License-Identifier: MIT */
/*
 * cage.h - run a compiler, which parses hostile text, shut up.
 *
 * It sees the system's programs and libraries and its own parts, read-only; may
 * write to the folder of its source alone; has no network, no other processes,
 * no privileges.  When its time is over, or we are, all that it started ends
 * with it.
 *
 * Where namespaces are not to be had, Landlock restricts files, and a filter of
 * system calls keeps it from networks and other processes; without Landlock it
 * is the filter alone, without that limits alone.
 */
#ifndef AO_EVAL_CAGE_H
#define AO_EVAL_CAGE_H

#include "eval/isolation.h"
#include "util/process.h"
#include "util/strs.h"

/*
 * Run to the end, as ao_process_run() does, in the best way that works here.
 * The one that worked the first time is all that will do from then on.
 *
 * spec   its folder becomes that of the new process, unless it is "/"; what it
 *        would enter is ours to say
 * parts  of the compiler, see parts.h
 */
AO_MUST_CHECK
struct ao_error *ao_cage_run(struct ao_process_end *out,
			     const struct ao_process_spec *spec,
			     const struct ao_strs *parts);

/* The same in that way alone; AO_EIO if it is not to be had. */
AO_MUST_CHECK
struct ao_error *ao_cage_run_in(struct ao_process_end *out,
				enum ao_isolation isolation,
				const struct ao_process_spec *spec,
				const struct ao_strs *parts);

/*
 * Go on in a way that is not as good, as a compiler does not work in the one
 * that stands: `why` says what happened.
 */
void ao_cage_settle_for(enum ao_isolation isolation, const char *why);

/* From now on a compiler that does not work in namespaces does not work. */
void ao_cage_require_namespaces(void);
bool ao_cage_requires_namespaces(void);

/* The way that is taken; AO_ISOLATION_COUNT if none was tried yet. */
enum ao_isolation ao_cage_isolation(void);

/* As records call it, "namespaces"; "none" if none was tried yet. */
const char *ao_cage_level(void);

/* Why it is not a better one, or NULL.  Borrowed from this module. */
const char *ao_cage_why(void);

#endif
