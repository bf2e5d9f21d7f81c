/* SPDX-License-Identifier: MIT */
/*
 * isolation.h - the ways to shut a process up, and the steps that wardens and
 * compilers take into each.
 *
 * All but the names, the note and ao_user_map_init() are for the new process,
 * which may share its parent's memory: they make system calls and no more.
 */
#ifndef AO_EVAL_ISOLATION_H
#define AO_EVAL_ISOLATION_H

#include "util/error.h"

/* The best first; whoever starts a process takes the first that works. */
enum ao_isolation {
	AO_ISOLATION_ROOT, /* namespaces made by root */
	AO_ISOLATION_USER, /* namespaces within a user namespace */
	/* No namespaces, as containers may forbid them: files by Landlock. */
	AO_ISOLATION_LANDLOCK,
	AO_ISOLATION_NONE, /* limits, and a filter of system calls if any */
	AO_ISOLATION_COUNT,
};

bool ao_isolation_has_namespaces(enum ao_isolation isolation);

/* The namespaces that clone() is to make, as its flags. */
unsigned long ao_isolation_clone_flags(enum ao_isolation isolation);

/*
 * What records call it: "namespaces", "landlock", "seccomp", "rlimits".  The
 * last is no sandbox: a process apart, with limits.
 */
const char *ao_isolation_name(enum ao_isolation isolation, bool has_filter);

/*
 * Note in *why, which is freed or NULL, that a way is not to be had: of all
 * that are not, what kept us from namespaces is kept, else what came first.
 */
void ao_isolation_note_failure(char **why, enum ao_isolation isolation,
			       const struct ao_error *err);

/* Who we are outside, for a new user namespace. */
struct ao_user_map {
	char users[64];
	char groups[64];
};
void ao_user_map_init(struct ao_user_map *out);

/* Become root of the new user namespace, which is us outside. */
bool ao_user_map_write(const struct ao_user_map *map);

enum { AO_NOBODY = 65534 };

/*
 * Give up all capabilities for good, and the name of root with
 * `becomes_nobody`.  Returns NULL, or what could not be done, with errno set.
 */
AO_MUST_CHECK
const char *ao_isolation_drop_privileges(bool becomes_nobody);

#endif
