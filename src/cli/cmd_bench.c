/* SPDX-License-Identifier: MIT */
/*
 * cmd_bench.c - git accelopt bench: search every task, compare what came of it
 * with both baselines, and print the table.
 *
 * Nothing is kept but what searches and comparisons put into git: going on
 * after a crash is reading what is there.  With --published it measures
 * nothing, and prints what others did.
 */
#include "util/base.h"

#include "eval/probe.h"
#include "store/author.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

#include "cli/bench_json.h"
#include "cli/bench_tasks.h"
#include "cli/command.h"
#include "cli/complain.h"
#include "cli/hint.h"
#include "cli/paths.h"
#include "cli/published_page.h"
#include "cli/run_search.h"
#include "cli/tell.h"
#include "cli/waiting.h"

enum { MAX_PAGE_BYTES = 4 << 20, MAX_COMMAND_BYTES = 64 << 10, MAX_JOBS = 64 };

struct args {
	struct ao_evolve_args evolve;
	struct ao_bench_choice choice;
	const char *output;    /* file for the page, or NULL */
	const char *published; /* of which machine, or NULL */
	bool is_resume;
};

struct bench {
	struct ao_repo *repo;
	const struct args *args;
	char base[AO_ID_SIZE]; /* the commit that all searches begin with */
	struct ao_machine machine;
	struct ao_bench_subjects subjects;
	struct ao_bench_row *rows; /* [row_count] of those that are done */
	size_t row_count;
	struct ao_strs missing; /* tasks where something did not pass */
	bool is_interrupted;
};

static void release_bench(struct bench *bench)
{
	for (size_t i = 0; i < bench->row_count; i++)
		ao_bench_row_release(&bench->rows[i]);
	free(bench->rows);
	ao_strs_release(&bench->missing);
	ao_bench_subjects_release(&bench->subjects);
	ao_machine_release(&bench->machine);
}

/*
 * The run to go on with, or NULL.  *is_over_out: its search has ended, within
 * the same limit, so at most the comparison is left.
 */
static struct ao_error *find_run(char **id_out, bool *is_over_out,
				 const struct bench *bench,
				 const struct ao_bench_task *task)
{
	const struct ao_settings *now = &bench->args->evolve.search.settings;
	const struct ao_history_options options = { .task = task->task->name,
						    .is_brief = true,
						    .no_insights = true };
	struct ao_bench_wanted wanted = { .task = task, .seed = now->seed };
	char *machine = ao_machine_key(&bench->machine);
	struct ao_history history = { 0 };
	const struct ao_history_run *run = NULL;
	struct ao_error *err;

	wanted.machine = machine;
	err = ao_repo_writer(&wanted.writer, bench->repo);
	if (!err)
		err = ao_history_load(&history, bench->repo, &options);
	if (!err)
		run = ao_bench_find_run(&history, &wanted);
	if (run) {
		*id_out = ao_xstrdup(run->run.id);
		*is_over_out = *run->best &&
			       run->run.settings.max_evals == now->max_evals;
	}
	ao_history_release(&history);
	free(machine);
	return err;
}

/* Go on with run *id, or begin one and say which. */
static struct ao_error *search(char **id, struct bench *bench,
			       const struct ao_bench_task *task)
{
	struct ao_evolve_args args = bench->args->evolve;
	struct ao_evolve_summary summary = { 0 };
	struct ao_error *err;

	args.base = bench->base;
	args.run = *id;
	err = ao_run_search(&summary, bench->repo, task->task->name, &args,
			    args.is_quiet ? AO_PROGRESS_QUIET
					  : AO_PROGRESS_AUTO);
	if (err)
		return err;
	bench->is_interrupted = summary.outcome == AO_OUTCOME_INTERRUPTED;
	free(*id);
	*id = ao_xstrdup(summary.run);
	return NULL;
}

static struct ao_error *load_run(struct ao_history *out,
				 const struct bench *bench,
				 const struct ao_bench_task *task,
				 const char *id)
{
	const struct ao_history_options options = { .task = task->task->name,
						    .run = id,
						    .no_insights = true };
	struct ao_error *err = ao_history_load(out, bench->repo, &options);

	if (!err && !out->run_count) {
		ao_history_release(out);
		err = ao_error_new(AO_ENOTFOUND, "run '%s' has just gone", id);
	}
	return err;
}

/* Add the row of a run that has ended, if all comparisons are there. */
static struct ao_error *add_row(bool *is_there_out, struct bench *bench,
				const struct ao_bench_task *task,
				const char *id)
{
	struct ao_history history;
	struct ao_error *err = load_run(&history, bench, task, id);

	if (err)
		return err;
	*is_there_out = ao_bench_row_read(&bench->rows[bench->row_count],
					  history.runs, task);
	bench->row_count += *is_there_out;
	ao_history_release(&history);
	return NULL;
}

/* Where a search has a line for each iteration, this has one, too. */
static void begin_waiting(struct ao_waiting *out, const struct bench *bench,
			  const struct ao_bench_task *task, const char *what)
{
	char *text = ao_xstrf("%s: %s ...", task->task->name, what);

	ao_waiting_begin(out,
			 bench->args->evolve.is_quiet ? AO_WAITING_SILENT
						      : AO_WAITING_LINES,
			 text);
	free(text);
}

static struct ao_error *new_asker(struct ao_asker **out,
				  const struct bench *bench)
{
	const struct ao_evolve_args *args = &bench->args->evolve;

	return ao_asker_new(out, args->runner,
			    args->policy == AO_POLICY_REQUIRE);
}

static struct ao_error *compare(struct bench *bench,
				const struct ao_bench_task *task,
				const char *id)
{
	struct ao_asker *asker = NULL;
	struct ao_waiting waiting;
	struct ao_history history;
	struct ao_error *err = load_run(&history, bench, task, id);

	if (err)
		return err;
	begin_waiting(&waiting, bench, task,
		      "timing against the baselines, in turns");
	err = new_asker(&asker, bench);
	if (!err) {
		ao_asker_on_wait(asker, ao_waiting_tick, &waiting);
		err = ao_bench_judge(bench->repo, asker, history.runs, task);
	}
	ao_waiting_end(&waiting);
	ao_asker_free(asker);
	ao_history_release(&history);
	return err;
}

/* One task, as far as it is not there yet. */
static struct ao_error *run_task(struct bench *bench,
				 const struct ao_bench_task *task)
{
	bool is_over = false, is_there = false;
	struct ao_error *err = NULL;
	char *id = NULL;

	if (bench->args->is_resume)
		err = find_run(&id, &is_over, bench, task);
	if (!err && !is_over)
		err = search(&id, bench, task);
	if (err || bench->is_interrupted)
		goto out;
	err = add_row(&is_there, bench, task, id);
	if (!err && !is_there)
		err = compare(bench, task, id);
	if (!err && !is_there)
		err = add_row(&is_there, bench, task, id);
	if (!err && !is_there)
		err = ao_error_new(AO_EINVALID,
				   "run %s of task '%s' has no record of the "
				   "comparison that was just made",
				   id, task->task->name);
out:
	free(id);
	return err;
}

/*
 * A kernel or a baseline that does not pass is that task's, and no reason to do
 * without the others.
 */
static struct ao_error *do_without(struct bench *bench,
				   const struct ao_bench_task *task,
				   struct ao_error *err)
{
	if (ao_error_code(err) != AO_EINVALID)
		return err;
	ao_complain("error", err);
	ao_error_free(err);
	ao_strs_push(&bench->missing, task->task->name);
	return NULL;
}

/* Whether the baselines that a search would end at are right. */
static struct ao_error *check_task(struct bench *bench, struct ao_asker *asker,
				   const struct ao_bench_task *task)
{
	struct ao_waiting waiting;
	struct ao_error *err = NULL;
	bool is_over = false;
	char *id = NULL;

	if (bench->args->is_resume)
		err = find_run(&id, &is_over, bench, task);
	free(id);
	if (err || is_over || !task->practitioner)
		return err;
	begin_waiting(&waiting, bench, task, "checking both baselines");
	ao_asker_on_wait(asker, ao_waiting_tick, &waiting);
	err = ao_bench_check(asker, task);
	ao_waiting_end(&waiting);
	return err;
}

static struct ao_error *check_tasks(struct bench *bench)
{
	struct ao_asker *asker = NULL;
	struct ao_error *err = new_asker(&asker, bench);

	for (size_t i = 0; i < bench->subjects.count && !err; i++) {
		const struct ao_bench_task *task =
			&bench->subjects.items[i].bench;

		err = do_without(bench, task, check_task(bench, asker, task));
	}
	ao_asker_free(asker);
	return err;
}

/* All of them, one after the other. */
static struct ao_error *run_tasks(struct bench *bench)
{
	struct ao_error *err = check_tasks(bench);

	for (size_t i = 0;
	     i < bench->subjects.count && !err && !bench->is_interrupted; i++) {
		const struct ao_bench_task *task =
			&bench->subjects.items[i].bench;

		if (!ao_strs_has(&bench->missing, task->task->name))
			err = do_without(bench, task, run_task(bench, task));
	}
	return err;
}

/* Say the page, or `json` if that is wanted, else NULL; both are released. */
static struct ao_error *say(struct ao_buf *text, struct ao_json *json,
			    const struct args *args)
{
	struct ao_error *err = ao_buf_check(text, "the table");

	if (!err && args->output)
		err = ao_file_output(args->output, text->ptr, text->len);
	if (!err && json) {
		ao_tell_json(json);
		json = NULL;
	} else if (!err && !args->output) {
		ao_tell(text);
	}
	ao_json_free(json);
	ao_buf_release(text);
	return err;
}

static struct ao_error *say_page(const struct ao_bench_page *page,
				 const struct args *args)
{
	struct ao_buf text = AO_BUF_INIT(MAX_PAGE_BYTES);

	ao_bench_text(&text, page);
	return say(&text, args->evolve.as_json ? ao_bench_to_json(page) : NULL,
		   args);
}

static struct ao_error *say_published(const struct args *args,
				      const struct ao_options *options)
{
	const char *suite = args->choice.suite ? args->choice.suite
					       : "nkibench";
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	struct ao_buf page = AO_BUF_INIT(MAX_PAGE_BYTES);
	struct ao_published published = { 0 };
	struct ao_error *err = ao_published_options(options);
	char *path = NULL;

	if (!err)
		err = ao_paths_published(&path, suite);
	if (!err)
		err = ao_file_read(&text, path);
	if (!err)
		err = ao_published_parse(&published, path, text.ptr, text.len,
					 args->published);
	if (!err) {
		ao_published_page(&page, suite, &published);
		err = say(&page,
			  args->evolve.as_json
				  ? ao_published_to_json(suite, &published)
				  : NULL,
			  args);
	}
	ao_published_release(&published);
	ao_buf_release(&text);
	free(path);
	return err;
}

static struct ao_error *run(int *status, struct ao_repo *repo,
			    const struct args *args, const char *command)
{
	const char *suite = args->choice.suite;
	struct bench bench = { .repo = repo, .args = args };
	struct ao_bench_page page = {
		.title = suite ? suite : "tasks of this repository",
		.command = command,
		.machine = &bench.machine,
		.libraries = &bench.subjects.libraries,
		.missing = &bench.missing,
	};
	struct ao_error *err;

	err = ao_repo_resolve(bench.base, repo, "HEAD");
	if (!err)
		err = ao_probe_machine(&bench.machine);
	if (!err)
		err = ao_bench_subjects_load(&bench.subjects, repo, bench.base,
					     &args->choice);
	if (!err)
		bench.rows = ao_xcalloc(bench.subjects.count,
					sizeof(*bench.rows));
	if (!err)
		err = run_tasks(&bench);
	if (bench.missing.count)
		*status = AO_STATUS_NO;
	page.rows = bench.rows;
	page.count = bench.row_count;
	if (!err && !bench.is_interrupted)
		err = say_page(&page, args);
	if (bench.is_interrupted)
		*status = AO_STATUS_INTERRUPTED;
	if (bench.is_interrupted || ao_error_code(err) == AO_ECANCELED)
		ao_hint(repo, "go on: the same command with --resume");
	release_bench(&bench);
	return err;
}

/* As it was typed, more or less. */
static char *command_text(int argc, char *const *argv)
{
	struct ao_buf text = AO_BUF_INIT(MAX_COMMAND_BYTES);

	ao_buf_addstr(&text, "git accelopt");
	for (int i = 0; i < argc; i++)
		ao_buf_addf(&text, strpbrk(argv[i], " \t\n") ? " '%s'" : " %s",
			    argv[i]);
	return ao_buf_take(&text);
}

/* Settings of a search come from the configuration, as for evolve. */
static struct ao_error *configure(struct args *args,
				  const struct ao_options *options,
				  struct ao_repo *repo)
{
	struct ao_option table[AO_EVOLVE_OPTIONS];
	struct ao_options rest = { .table = table };
	struct ao_error *err;

	ao_evolve_options(table, &args->evolve);
	for (size_t i = 0; table[i].type != AO_OPTION_END; i++)
		for (const struct ao_option *o = options->table;
		     o->type != AO_OPTION_END; o++)
			if (!strcmp(o->name, table[i].name) &&
			    ao_options_given(options, o->name))
				rest.given |= UINT64_C(1) << i;
	err = ao_options_configure(&rest, repo);
	if (!err)
		err = ao_policy_read(&args->evolve.policy,
				     args->evolve.sandbox);
	if (!err)
		ao_search_args_settle(&args->evolve.search);
	return err;
}

struct ao_error *ao_cmd_bench(int *status, const struct ao_command *self,
			      int argc, char **argv)
{
	struct args args = { .choice = { .with_practitioner = true } };
	struct ao_evolve_args *evolve = &args.evolve;
	struct ao_settings *settings = &evolve->search.settings;
	const struct ao_option table[] = {
		AO_STRING(0, "suite", &args.choice.suite, NULL, "name",
			  "the tasks of an installed suite: nkibench"),
		AO_STRING(0, "tasks", &args.choice.tasks, NULL, "task,...",
			  "these tasks alone"),
		AO_FLAG(0, "resume", &args.is_resume,
			"go on with what is there"),
		AO_COUNT('n', "max-evals", &settings->max_evals, 0, 1000000,
			 "accelopt.maxEvals", "n",
			 "at most <n> evaluations for each task; 0: no limit"),
		AO_SEED(0, "seed", &settings->seed, "accelopt.seed", "n",
			"draw all that is random from <n>; 0: choose one"),
		AO_COUNT('j', "jobs", &evolve->jobs, 1, MAX_JOBS,
			 "accelopt.jobs", "n", "keep <n> judges busy"),
		AO_STRING(0, "runner", &evolve->runner, "accelopt.runner",
			  "command", "run the judges behind <command>"),
		AO_STRING(0, "sandbox", &evolve->sandbox, "accelopt.sandbox",
			  "how", "require the sandbox, prefer it, or take any"),
		AO_FLAG(0, "all-cases", &args.choice.is_all_cases,
			"compare on all cases, those on request too"),
		AO_FLAG(0, "practitioner", &args.choice.with_practitioner,
			"compare with practitioner's baselines, too (default)"),
		AO_STRING(0, "published", &args.published, NULL, "machine",
			  "print what was published of the suite on <machine>"),
		AO_FLAG(0, "json", &evolve->as_json, "print JSON, one object"),
		AO_STRING('o', "output", &args.output, NULL, "file",
			  "write the page of Markdown there"),
		AO_FLAG('q', "quiet", &evolve->is_quiet, "show no progress"),
		AO_END,
	};
	char *command = command_text(argc, argv);
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	ao_evolve_args_init(evolve);
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_no_operands(&options, "tasks");
	if (!err && args.output)
		err = ao_file_output_check(args.output);
	if (!err && args.published) {
		err = say_published(&args, &options);
		goto out;
	}
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = configure(&args, &options, repo);
	if (!err)
		err = ao_author_check(repo);
	args.choice.is_elsewhere = evolve->runner;
	if (!err)
		err = run(status, repo, &args, command);
out:
	ao_evolve_args_release(evolve);
	ao_repo_free(repo);
	free(command);
	return err;
}
