/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/buf.h"
#include "util/file.h"
#include "util/strs.h"
#include "util/text.h"

#include "model/task.h"

#include "cli/paths.h"

#ifndef AO_DATADIR
#define AO_DATADIR "/usr/local/share/git-accelopt"
#endif

/* The folder that the running program lies in, or NULL; the caller frees it. */
static char *own_folder(void)
{
	char *self = NULL;
	struct ao_error *err = ao_file_self(&self);
	char *slash;

	if (err) {
		ao_error_free(err);
		return NULL;
	}
	slash = strrchr(self, '/');
	if (slash)
		*slash = '\0';
	return self;
}

/* Where `what` of a suite may be. */
static void list_places(struct ao_strs *out, const char *suite,
			const char *what)
{
	const char *data = getenv("GIT_ACCELOPT_DATA");
	char *self = own_folder();

	if (data && *data)
		ao_strs_pushf(out, "%s/%s/%s", data, suite, what);
	if (self) {
		ao_strs_pushf(out, "%s/../share/git-accelopt/%s/%s", self,
			      suite, what);
		ao_strs_pushf(out, "%s/../%s/%s", self, suite, what);
	}
	ao_strs_pushf(out, "%s/%s/%s", AO_DATADIR, suite, what);
	free(self);
}

static struct ao_error *find(char **path_out, const char *suite,
			     const char *what)
{
	struct ao_strs places = { 0 };
	struct ao_error *err = NULL;
	size_t i = 0;

	list_places(&places, suite, what);
	while (i < places.count && !ao_file_exists(places.v[i]))
		i++;
	if (i < places.count)
		*path_out = ao_xstrdup(places.v[i]);
	else
		err = ao_error_new(AO_ENOTFOUND,
				   "no suite '%s' is installed: no '%s'", suite,
				   places.v[0]);
	ao_strs_release(&places);
	return err;
}

struct ao_error *ao_paths_suite(char **path_out, const char *suite)
{
	return find(path_out, suite, "tasks");
}

struct ao_error *ao_paths_published(char **path_out, const char *suite)
{
	return find(path_out, suite, "published.json");
}

struct ao_error *ao_paths_suite_tasks(struct ao_strs *out, const char *folder)
{
	struct ao_strs names = { 0 };
	struct ao_error *err;

	err = ao_file_list(&names, folder);
	for (size_t i = 0; !err && i < names.count; i++) {
		char *path = ao_xstrf("%s/%s/task.json", folder, names.v[i]);

		if (ao_task_name_is_valid(names.v[i]) && ao_file_exists(path))
			ao_strs_push(out, names.v[i]);
		free(path);
	}
	ao_strs_release(&names);
	return err;
}

struct ao_error *ao_paths_no_task(const char *task, const char *suite,
				  const struct ao_strs *names)
{
	const char *near = ao_text_nearest(task, (const char *const *)names->v,
					   names->count);
	struct ao_buf list = AO_BUF_INIT(4096);
	struct ao_error *err;

	if (near)
		return ao_error_new(
			AO_ENOTFOUND,
			"suite '%s' has no task '%s', did you mean '%s'?",
			suite, task, near);
	for (size_t i = 0; i < names->count; i++)
		ao_buf_addf(&list, "%s%s", i ? ", " : "", names->v[i]);
	err = ao_error_new(AO_ENOTFOUND,
			   "suite '%s' has no task '%s'; it has %s", suite,
			   task, list.len ? list.ptr : "none");
	ao_buf_release(&list);
	return err;
}

char *ao_paths_manual(void)
{
	char *self = own_folder();
	char *folder, *page;
	bool is_there;

	if (!self)
		return NULL;
	folder = ao_xstrf("%s/../share/man", self);
	page = ao_xstrf("%s/man1/git-accelopt.1", folder);
	is_there = ao_file_exists(page);
	if (!is_there) {
		free(folder);
		folder = NULL;
	}
	free(page);
	free(self);
	return folder;
}
