/* SPDX-License-Identifier: MIT */
/*
 * gitrun.h - asking the git program, for what libgit2 cannot see or do.
 *
 * Never through a shell; its messages are in English, so that they can be
 * told apart.
 */
#ifndef AO_STORE_GITRUN_H
#define AO_STORE_GITRUN_H

#include "util/process.h"
#include "util/strs.h"

struct ao_git_run {
	const char *const *args; /* behind "git", NULL-terminated */
	const char *const *env;	 /* all of it, NULL-terminated */
	const char *folder;	 /* to run in; NULL: ours */
	const void *input;
	size_t input_len;
	bool no_hooks; /* also what "post-index-change" would run */
};

/*
 * Run git.  How it ended is in *out, also when it failed; released by the
 * caller with ao_process_end_release().  An error means that it could not be
 * run, was killed, or printed more than AO_MAX_GIT_BYTES.
 */
AO_MUST_CHECK
struct ao_error *ao_git_run(struct ao_process_end *out,
			    const struct ao_git_run *run);

enum { AO_MAX_GIT_BYTES = 16 << 20 };

/* The error of a run that ended badly: what git said on its first line. */
AO_MUST_CHECK
struct ao_error *ao_git_run_error(const struct ao_process_end *end,
				  enum ao_errcode code);

/* Run git, which must succeed.  `out` may be NULL. */
AO_MUST_CHECK
struct ao_error *ao_git_run_ok(struct ao_process_end *out,
			       const struct ao_git_run *run);

/*
 * Our environment for git: as it is, but in English and without waiting for
 * locks that it can do without.  With `drop`, NULL-terminated names, without
 * these.
 */
void ao_git_run_env(struct ao_strs *out, const char *const *drop);

#endif
