/* SPDX-License-Identifier: MIT */
/* ao_repo_writer(): apart from the rest of repo.h, as it needs the guard. */
#include "util/base.h"

#include <ctype.h>

#include "store/gitrun.h"
#include "store/guard.h"
#include "store/repo_data.h"
#include "util/crypto.h"

enum { WRITER_DIGITS = 8, MAX_WRITER = 40 };

/* accelopt.writer as it is now, or NULL, whatever we read when opening. */
static struct ao_error *read_writer(char **out, const struct ao_repo *repo)
{
	static const char *const args[] = { "config", "--get",
					    "accelopt.writer", NULL };
	struct ao_git_run run = {
		.args = args,
		.env = (const char *const *)repo->env.v,
	};
	struct ao_process_end end = { 0 };
	struct ao_error *err = ao_git_run(&end, &run);

	if (err)
		return err;
	*out = NULL;
	if (!end.status)
		*out = ao_xstrndup(end.output, strcspn(end.output, "\n"));
	ao_process_end_release(&end);
	return NULL;
}

/* Make a writer, unless another process has made one meanwhile. */
static struct ao_error *make_writer(char **out, struct ao_repo *repo)
{
	char random[WRITER_DIGITS + 1];
	struct ao_guard *guard = NULL;
	struct ao_error *err;

	err = ao_guard_take(&guard, repo);
	if (err)
		return err;
	err = read_writer(out, repo);
	if (!err && !*out) {
		ao_random_hex(random, WRITER_DIGITS);
		err = ao_repo_config_set(repo, "accelopt.writer", random);
		if (!err)
			*out = ao_xstrdup(random);
	}
	ao_guard_free(guard);
	return err;
}

/* It is a part of ref names, and people may set it. */
static bool is_writer(const char *writer)
{
	size_t len = strlen(writer);

	for (const char *c = writer; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '-')
			return false;
	return len > 0 && len <= MAX_WRITER && writer[0] != '-';
}

struct ao_error *ao_repo_writer(const char **out, struct ao_repo *repo)
{
	const char *known = ao_config_get(&repo->config, "accelopt.writer");
	struct ao_error *err = NULL;

	if (!repo->writer && known)
		repo->writer = ao_xstrdup(known);
	if (!repo->writer)
		err = make_writer(&repo->writer, repo);
	if (err)
		return ao_error_wrap(err, "cannot give this repository a "
					  "writer id");
	if (!is_writer(repo->writer))
		return ao_error_new(AO_EINVALID,
				    "accelopt.writer is '%s'; it must be "
				    "letters, digits and '-', at most %d",
				    repo->writer, MAX_WRITER);
	*out = repo->writer;
	return NULL;
}
