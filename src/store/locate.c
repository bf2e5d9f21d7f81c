/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <strings.h>

#include "store/git.h"
#include "store/gitrun.h"
#include "store/locate.h"
#include "util/text.h"

/* What `git rev-parse` is asked for, a line each; the last needs a work tree */
enum {
	IS_BARE,
	IS_SHALLOW,
	FORMAT,
	GIT_FOLDER,
	COMMON_FOLDER,
	INDEX_FILE,
	TOP,
	ANSWERS,
};
static const char *const questions[] = {
	"rev-parse",
	"--is-bare-repository",
	"--is-shallow-repository",
	"--show-object-format",
	"--path-format=absolute",
	"--git-dir",
	"--git-common-dir",
	"--git-path",
	"index",
	"--show-toplevel",
	NULL,
};

/* Extensions of the repository format that we need not know about. */
static bool is_harmless_extension(const char *name, const char *value)
{
	if (!strcmp(name, "objectformat"))
		return !strcasecmp(value, "sha1");
	if (!strcmp(name, "refstorage"))
		return !strcasecmp(value, "files");
	return ao_git_tolerates(name);
}

static struct ao_error *refuse_format(const char *what)
{
	return ao_error_new(AO_EINVALID,
			    "%s, which git accelopt cannot work with; it needs "
			    "SHA-1 objects and the 'files' ref format",
			    what);
}

struct ao_error *ao_locate_check(const struct ao_config *config)
{
	static const char section[] = "extensions.";

	for (size_t i = 0; i < config->count; i++) {
		const char *key = config->entries[i].key;
		const char *value = config->entries[i].value;
		struct ao_error *err;
		char *what;

		if (!ao_text_starts_with(key, section) ||
		    is_harmless_extension(key + strlen(section), value))
			continue;
		what = ao_xstrf("this repository has %s = %s", key, value);
		err = refuse_format(what);
		free(what);
		return err;
	}
	return NULL;
}

/* Why git would not open the repository, as an error of ours. */
static struct ao_error *explain(const struct ao_process_end *end)
{
	const char *said = end->errors ? end->errors : "";

	if (strstr(said, "not a git repository"))
		return ao_git_run_error(end, AO_ENOTFOUND);
	if (strstr(said, "refstorage"))
		return refuse_format("this repository stores its refs in "
				     "another format (extensions.refStorage, "
				     "such as reftable)");
	if (strstr(said, "dubious ownership"))
		return ao_error_wrap(ao_git_run_error(end, AO_ETRUST),
				     "git does not trust its owner; see "
				     "safe.directory in git-config(1)");
	return ao_git_run_error(end, AO_EINVALID);
}

/*
 * Split what git printed into lines, at most `max`; returns how many there
 * are.  Those that are missing are "".
 */
static size_t split(const char *lines[], size_t max, char *text)
{
	size_t count = 0;

	for (size_t i = 0; i < max; i++)
		lines[i] = "";
	for (char *line = text; line && *line; count++) {
		char *newline = strchr(line, '\n');

		if (newline)
			*newline = '\0';
		if (count < max)
			lines[count] = line;
		line = newline ? newline + 1 : NULL;
	}
	return count;
}

/* Ask git where the repository is. */
static struct ao_error *ask_git(struct ao_process_end *out)
{
	struct ao_git_run run = { .args = questions };
	struct ao_strs env = { 0 };
	struct ao_error *err;

	ao_git_run_env(&env, NULL);
	run.env = (const char *const *)env.v;
	err = ao_git_run(out, &run);
	ao_strs_release(&env);
	return err;
}

/* Whether these answers are whole, and a repository that we can work with. */
static struct ao_error *check_answers(const char *const *answers, size_t count,
				      const struct ao_process_end *end)
{
	struct ao_error *err;
	char *what;

	if (count > ANSWERS)
		return ao_error_new(AO_EINVALID, "a path of this repository "
						 "has a newline in it");
	/* Without a work tree git fails, but only at the last question. */
	if (count < TOP || (end->status && count == ANSWERS))
		return explain(end);
	if (!strcmp(answers[FORMAT], "sha1"))
		return NULL;
	what = ao_xstrf("this repository has %s objects", answers[FORMAT]);
	err = refuse_format(what);
	free(what);
	return err;
}

static void take_answers(struct ao_location *out, const char *const *answers)
{
	out->is_bare = !strcmp(answers[IS_BARE], "true");
	out->is_shallow = !strcmp(answers[IS_SHALLOW], "true");
	out->git_folder = ao_xstrdup(answers[GIT_FOLDER]);
	out->common_folder = ao_xstrdup(answers[COMMON_FOLDER]);
	out->index_file = ao_xstrdup(answers[INDEX_FILE]);
	if (*answers[TOP])
		out->work_tree = ao_xstrdup(answers[TOP]);
}

struct ao_error *ao_locate(struct ao_location *out)
{
	struct ao_process_end end = { 0 };
	const char *answers[ANSWERS];
	struct ao_error *err;
	size_t count;

	err = ask_git(&end);
	if (err)
		return err;
	count = split(answers, ANSWERS, end.output);
	err = check_answers(answers, count, &end);
	if (!err)
		take_answers(out, answers);
	ao_process_end_release(&end);
	return err;
}

void ao_location_release(struct ao_location *location)
{
	free(location->git_folder);
	free(location->common_folder);
	free(location->index_file);
	free(location->work_tree);
	*location = (struct ao_location){ 0 };
}
