/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/file.h"
#include "util/strs.h"

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

static struct ao_error *no_suite(const char *suite,
				 const struct ao_strs *places)
{
	struct ao_error *err = ao_error_new(
		AO_ENOTFOUND, "looked for %s/task.json folders in '%s'", suite,
		places->v[places->count - 1]);

	return ao_error_wrap(err, "no suite of tasks called '%s'", suite);
}

struct ao_error *ao_paths_suite(char **path_out, const char *suite)
{
	struct ao_strs places = { 0 };
	struct ao_error *err = NULL;
	char *self = own_folder();
	size_t i;

	if (self) {
		ao_strs_pushf(&places, "%s/../share/git-accelopt/%s", self,
			      suite);
		ao_strs_pushf(&places, "%s/../%s", self, suite);
	}
	ao_strs_pushf(&places, "%s/%s", AO_DATADIR, suite);
	for (i = 0; i < places.count; i++)
		if (ao_file_exists(places.v[i]))
			break;
	if (i < places.count)
		*path_out = ao_xstrdup(places.v[i]);
	else
		err = no_suite(suite, &places);
	ao_strs_release(&places);
	free(self);
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
