/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/build.h"
#include "store/tasks.h"

#include "cli/bench_tasks.h"
#include "cli/paths.h"

void ao_bench_subjects_release(struct ao_bench_subjects *subjects)
{
	for (size_t i = 0; i < subjects->count; i++) {
		ao_task_free(subjects->items[i].task);
		ao_kernel_release(&subjects->items[i].author);
		ao_kernel_release(&subjects->items[i].practitioner);
		ao_strs_release(&subjects->items[i].cases);
	}
	free(subjects->items);
	ao_strs_release(&subjects->libraries);
	*subjects = (struct ao_bench_subjects){ 0 };
}

/* All tasks that could be meant. */
static struct ao_error *list_tasks(struct ao_strs *out, struct ao_repo *repo,
				   const char *commit, const char *suite)
{
	struct ao_error *err;
	char *folder;

	if (!suite)
		return ao_tasks_list(out, repo, commit);
	err = ao_paths_suite(&folder, suite);
	if (err)
		return err;
	err = ao_paths_suite_tasks(out, folder);
	free(folder);
	return err;
}

/* Each name once, in the order given; of a suite, only what it has. */
static struct ao_error *pick_tasks(struct ao_strs *out,
				   const struct ao_bench_choice *choice,
				   const struct ao_strs *all)
{
	char *text = ao_xstrdup(choice->tasks);
	struct ao_strs names = { 0 };
	struct ao_error *err = NULL;

	for (char *c = text; *c; c++)
		if (*c == ',')
			*c = ' ';
	ao_strs_split(&names, text);
	free(text);
	for (size_t i = 0; i < names.count && !err; i++) {
		if (choice->suite && !ao_strs_has(all, names.v[i]))
			err = ao_paths_no_task(names.v[i], choice->suite, all);
		else if (!ao_strs_has(out, names.v[i]))
			ao_strs_push(out, names.v[i]);
	}
	ao_strs_release(&names);
	return err;
}

static struct ao_error *choose_tasks(struct ao_strs *out, struct ao_repo *repo,
				     const char *commit,
				     const struct ao_bench_choice *choice)
{
	struct ao_strs all = { 0 };
	struct ao_error *err = list_tasks(&all, repo, commit, choice->suite);

	if (!err && choice->tasks) {
		err = pick_tasks(out, choice, &all);
		ao_strs_release(&all);
	} else {
		*out = all;
	}
	if (!err && !out->count && choice->tasks)
		err = ao_error_new(AO_EUSAGE, "--tasks names no task");
	else if (!err && !out->count)
		err = ao_error_new(AO_ENOTFOUND,
				   "there is no task; 'git accelopt init "
				   "--suite nkibench' adds some");
	return err;
}

static struct ao_error *load_subject(struct ao_bench_subjects *subjects,
				     struct ao_repo *repo, const char *commit,
				     const char *name,
				     const struct ao_bench_choice *choice)
{
	struct ao_bench_subject *out = &subjects->items[subjects->count++];
	struct ao_error *err;

	err = ao_tasks_load(&out->task, repo, commit, name);
	if (err && choice->suite)
		err = ao_error_wrap(err,
				    "suite '%s' is not complete here; 'git "
				    "accelopt init --suite %s' adds what is "
				    "missing",
				    choice->suite, choice->suite);
	if (!err)
		err = ao_tasks_load_kernel(&out->author, repo, commit,
					   out->task);
	if (err)
		return err;
	out->bench.task = out->task;
	out->bench.author = &out->author;
	out->bench.cases = &out->cases;
	ao_task_case_names(&out->cases, out->task, choice->is_all_cases);
	if (!choice->with_practitioner || !out->task->practitioner_file)
		return NULL;
	out->bench.practitioner = &out->practitioner;
	err = ao_tasks_load_practitioner(&out->practitioner, repo, commit,
					 out->task);
	if (!err && !choice->is_elsewhere)
		err = ao_build_find_libraries(&subjects->libraries,
					      &out->practitioner);
	return err;
}

struct ao_error *ao_bench_subjects_load(struct ao_bench_subjects *out,
					struct ao_repo *repo,
					const char *commit,
					const struct ao_bench_choice *choice)
{
	struct ao_bench_subjects subjects = { 0 };
	struct ao_strs names = { 0 };
	struct ao_error *err = choose_tasks(&names, repo, commit, choice);

	if (!err)
		subjects.items = ao_xcalloc(names.count,
					    sizeof(*subjects.items));
	for (size_t i = 0; i < names.count && !err; i++)
		err = load_subject(&subjects, repo, commit, names.v[i], choice);
	ao_strs_sort_unique(&subjects.libraries);
	ao_strs_release(&names);
	if (err) {
		ao_bench_subjects_release(&subjects);
		return err;
	}
	*out = subjects;
	return NULL;
}
