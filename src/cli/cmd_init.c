/* SPDX-License-Identifier: MIT */
/*
 * cmd_init.c - git accelopt init: one commit with tasks and configuration.
 *
 * Tasks are copied from an installed suite, whole folders at a time; what the
 * repository has already is left alone, so that init can be run again.
 */
#include "util/base.h"

#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

#include "store/author.h"
#include "store/install.h"
#include "store/repo.h"
#include "store/tasks.h"

#include "cli/command.h"
#include "cli/hint.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/search_options.h"

static const char config_path[] = ".accelopt/config";

/* What will be in the commit. */
struct plan {
	struct ao_repo *repo;
	char head[AO_ID_SIZE]; /* "" on an unborn branch */
	struct ao_install_file *files;
	size_t count, alloc;
	struct ao_strs added; /* tasks */
	struct ao_strs kept;  /* tasks of the suite that were there */
	struct ao_strs own;   /* without a suite: all that are there */
};

static void plan_release(struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		free(plan->files[i].path);
		free(plan->files[i].data);
	}
	free(plan->files);
	ao_strs_release(&plan->added);
	ao_strs_release(&plan->kept);
	ao_strs_release(&plan->own);
	ao_repo_free(plan->repo);
}

/* Takes over the contents of `data`. */
static void plan_file(struct plan *plan, char *path, struct ao_buf *data)
{
	struct ao_install_file *file;

	plan->files = ao_grow(plan->files, &plan->alloc, plan->count + 1,
			      sizeof(*plan->files));
	file = &plan->files[plan->count++];
	file->path = path;
	file->len = data->len;
	file->data = ao_buf_take(data);
}

static struct ao_error *is_committed(bool *out, const struct plan *plan,
				     const char *path)
{
	struct ao_buf ignored = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_error *err = NULL;

	if (*plan->head)
		err = ao_repo_read_file(&ignored, plan->repo, plan->head, path);
	*out = !err && *plan->head;
	ao_buf_release(&ignored);
	if (ao_error_code(err) == AO_ENOTFOUND) {
		ao_error_free(err);
		err = NULL;
	}
	return err;
}

static void write_config(struct ao_buf *out)
{
	struct ao_option table[AO_SEARCH_OPTIONS];
	struct ao_search_args args;

	ao_buf_addstr(out,
		      "# Settings of searches, for everybody who clones this "
		      "repository.  These are\n"
		      "# the defaults.  git's own configuration (git config "
		      "accelopt.beam 4) goes\n"
		      "# before this file, an option (--beam=4) before both.\n"
		      "[accelopt]\n");
	ao_search_args_init(&args);
	ao_search_options(table, &args);
	for (size_t i = 0; i < AO_SEARCH_OPTIONS; i++) {
		const char *name = strchr(table[i].config, '.') + 1;
		char *value = ao_option_text(&table[i]);

		/* Who works is up to each user: it may cost them money. */
		if (table[i].type != AO_OPTION_STRING)
			ao_buf_addf(out, "\t# %s\n\t# %s = %s\n", table[i].help,
				    name, value);
		free(value);
	}
	ao_search_args_release(&args);
}

static struct ao_error *plan_config(struct plan *plan)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_error *err;
	bool is_there = false;

	err = is_committed(&is_there, plan, config_path);
	if (err || is_there)
		return err;
	write_config(&text);
	plan_file(plan, ao_xstrdup(config_path), &text);
	return NULL;
}

static struct ao_error *plan_folder(struct plan *plan, const char *folder,
				    const char *task)
{
	struct ao_strs names = { 0 };
	struct ao_error *err;

	err = ao_file_list(&names, folder);
	for (size_t i = 0; !err && i < names.count; i++) {
		struct ao_buf data = AO_BUF_INIT(AO_MAX_TASK_BYTES);
		char *path = ao_xstrf("%s/%s", folder, names.v[i]);

		err = ao_file_read(&data, path);
		if (err)
			ao_buf_release(&data);
		else
			plan_file(plan,
				  ao_xstrf("tasks/%s/%s", task, names.v[i]),
				  &data);
		free(path);
	}
	ao_strs_release(&names);
	return err;
}

static struct ao_error *plan_task(struct plan *plan, const char *suite,
				  const char *task)
{
	char *folder = ao_xstrf("%s/%s", suite, task);
	char *definition = ao_xstrf("tasks/%s/task.json", task);
	struct ao_error *err;
	bool is_there = false;

	err = is_committed(&is_there, plan, definition);
	if (!err)
		err = ao_install_check_refs(plan->repo, task);
	if (!err && !is_there)
		err = plan_folder(plan, folder, task);
	if (!err)
		ao_strs_push(is_there ? &plan->kept : &plan->added, task);
	free(definition);
	free(folder);
	return err;
}

/* `wanted` ends with NULL; none: all. */
static struct ao_error *plan_suite(struct plan *plan, const char *suite,
				   char *const *wanted)
{
	struct ao_strs names = { 0 };
	struct ao_error *err;
	char *folder = NULL;

	err = ao_paths_suite(&folder, suite);
	if (!err)
		err = ao_paths_suite_tasks(&names, folder);
	for (char *const *w = wanted; !err && *w; w++)
		if (!ao_strs_has(&names, *w))
			err = ao_paths_no_task(*w, suite, &names);
	if (!*wanted)
		wanted = names.v;
	for (; !err && wanted && *wanted; wanted++)
		err = plan_task(plan, folder, *wanted);
	ao_strs_release(&names);
	free(folder);
	return err;
}

/* Without a suite: whether searches can work on what is there. */
static struct ao_error *look_at_own(struct plan *plan)
{
	struct ao_error *err = ao_install_check_refs(plan->repo, NULL);

	/* A bare repository without a commit has none. */
	if (!err && (*plan->head || ao_repo_work_tree(plan->repo)))
		err = ao_tasks_list(&plan->own, plan->repo, NULL);
	for (size_t i = 0; !err && i < plan->own.count; i++)
		err = ao_install_check_refs(plan->repo, plan->own.v[i]);
	return err;
}

static char *join(const struct ao_strs *names)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);

	for (size_t i = 0; i < names->count; i++)
		ao_buf_addf(&text, "%s%s", i ? ", " : "", names->v[i]);
	return ao_buf_take(&text);
}

static char *commit_message(const struct plan *plan, const char *suite)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_MESSAGE_BYTES);
	char *names = join(&plan->added);

	if (plan->added.count == 1) {
		ao_buf_addf(&text, "tasks: add %s from %s\n", names, suite);
	} else if (plan->added.count) {
		ao_buf_addf(&text, "tasks: add %zu of %s\n\n",
			    plan->added.count, suite);
		ao_text_wrap(&text, names, "", 72);
	} else {
		ao_buf_addstr(&text, "accelopt: add the search settings\n");
	}
	free(names);
	return ao_buf_take(&text);
}

static void say(const struct plan *plan, const char *commit)
{
	char *added = join(&plan->added), *kept = join(&plan->kept);

	if (plan->added.count)
		printf("added %s\n", added);
	if (plan->kept.count)
		printf("already there: %s\n", kept);
	if (*commit)
		printf("committed as %.10s\n", commit);
	else
		printf("nothing to commit\n");
	free(added);
	free(kept);
}

static void advise(const struct plan *plan)
{
	const struct ao_strs *tasks = plan->added.count	 ? &plan->added
				      : plan->kept.count ? &plan->kept
							 : &plan->own;

	if (tasks->count)
		ao_hint(plan->repo,
			"next: git accelopt task check %s\n"
			"      git accelopt eval %s\n"
			"      git accelopt evolve %s",
			tasks->v[0], tasks->v[0], tasks->v[0]);
	else
		ao_hint(plan->repo,
			"next: git accelopt init --suite nkibench, or write a "
			"task of your own:\n"
			"      tasks/<name>/task.json, see 'git accelopt help "
			"formats'");
}

static struct ao_error *find_head(struct plan *plan)
{
	struct ao_error *err = ao_repo_resolve(plan->head, plan->repo, "HEAD");

	if (ao_error_code(err) != AO_ENOTFOUND)
		return err;
	ao_error_free(err);
	*plan->head = '\0';
	return NULL;
}

static struct ao_error *install(struct plan *plan, const char *suite,
				char *const *wanted)
{
	char commit[AO_ID_SIZE] = "";
	struct ao_error *err;
	char *message;

	err = find_head(plan);
	if (!err)
		err = plan_config(plan);
	if (!err)
		err = suite ? plan_suite(plan, suite, wanted)
			    : look_at_own(plan);
	if (err)
		return err;
	message = commit_message(plan, suite);
	err = ao_install(commit, plan->repo, plan->files, plan->count, message);
	free(message);
	if (err)
		return err;
	say(plan, commit);
	advise(plan);
	return NULL;
}

struct ao_error *ao_cmd_init(int *status, const struct ao_command *self,
			     int argc, char **argv)
{
	const char *suite = NULL;
	const struct ao_option table[] = {
		AO_STRING(0, "suite", &suite, NULL, "name",
			  "add the tasks of an installed suite: nkibench"),
		AO_END,
	};
	struct ao_options options;
	struct plan plan = { 0 };
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err && options.argc && !suite)
		err = ao_error_new(AO_EUSAGE,
				   "tasks come from a suite: --suite nkibench");
	if (!err)
		err = ao_repo_open(&plan.repo);
	if (!err)
		err = ao_author_check(plan.repo);
	if (!err)
		err = install(&plan, suite, options.argv);
	plan_release(&plan);
	return err;
}
