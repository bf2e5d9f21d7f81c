/* SPDX-License-Identifier: MIT */
/*
 * cmd_task.c - git accelopt task: list, show and check tasks.
 *
 * Tasks are those of the work tree, in a bare repository those of HEAD.
 */
#include "util/base.h"

#include "util/buf.h"
#include "util/limits.h"
#include "util/text.h"

#include "model/policy.h"

#include "eval/lint.h"
#include "store/tasks.h"

#include "cli/command.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/task_text.h"
#include "cli/tell.h"

enum { MAX_TEXT_BYTES = 4 << 20 };

static ao_command_fn list, show, check;

const struct ao_command ao_task_commands[] = {
	{ "task list", "[--json]", "a line for each task", AO_SECTION_START,
	  list, NULL },
	{ "task show", "[--json] <task>", "the definition of a task",
	  AO_SECTION_START, show, NULL },
	{ "task check", "[<options>] [<task>...]",
	  "whether tasks are sound: built, right and not degenerate",
	  AO_SECTION_START, check, NULL },
	{ 0 },
};

static char *kernel_files(const struct ao_task *task)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);

	for (size_t i = 0; i < task->kernel_files.count; i++)
		ao_buf_addf(&text, "%s%s", i ? " " : "",
			    task->kernel_files.v[i]);
	return ao_buf_take(&text);
}

static struct ao_json *task_to_json(const struct ao_task *task)
{
	struct ao_json *json = ao_json_new_object();
	struct ao_json *cases = ao_json_new_array();
	struct ao_json *files = ao_json_new_array();

	ao_json_set_string(json, "name", task->name);
	ao_json_set_string(json, "op_type", task->op_type);
	ao_json_set_string(json, "target", task->target);
	ao_json_set_string(json, "id", task->id);
	for (size_t i = 0; i < task->case_count; i++)
		ao_json_set_string(cases, NULL, task->cases[i].name);
	ao_json_set(json, "cases", cases);
	for (size_t i = 0; i < task->kernel_files.count; i++)
		ao_json_set_string(files, NULL, task->kernel_files.v[i]);
	ao_json_set(json, "kernel_files", files);
	return json;
}

static void list_one(const struct ao_task *task, int width, bool as_json)
{
	struct ao_buf line = AO_BUF_INIT(MAX_TEXT_BYTES);
	char *files;

	if (as_json) {
		ao_tell_json(task_to_json(task));
		return;
	}
	files = kernel_files(task);
	ao_buf_addf(&line, "%-*s  %-12s %2zu case%s  %s\n", width, task->name,
		    task->op_type ? task->op_type : "", task->case_count,
		    task->case_count == 1 ? " " : "s", files);
	ao_tell(&line);
	free(files);
}

static int widest(const struct ao_strs *names)
{
	size_t width = 8;

	for (size_t i = 0; i < names->count; i++)
		if (ao_text_columns(names->v[i]) > width)
			width = ao_text_columns(names->v[i]);
	return (int)width;
}

/* One broken task does not hide the others, but the answer is then no. */
static void list_all(int *status, struct ao_repo *repo,
		     const struct ao_strs *names, bool as_json)
{
	int width = widest(names);

	for (size_t i = 0; i < names->count; i++) {
		struct ao_task *task = NULL;
		struct ao_error *err = ao_tasks_load(&task, repo, NULL,
						     names->v[i]);

		if (err) {
			fflush(stdout);
			ao_complain("error", err);
			ao_error_free(err);
			*status = AO_STATUS_NO;
			continue;
		}
		list_one(task, width, as_json);
		ao_task_free(task);
	}
}

static struct ao_error *list(int *status, const struct ao_command *self,
			     int argc, char **argv)
{
	bool as_json = false;
	const struct ao_option table[] = {
		AO_FLAG(0, "json", &as_json, "print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_strs names = { 0 };
	struct ao_error *err;

	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_tasks_list(&names, repo, NULL);
	if (!err)
		list_all(status, repo, &names, as_json);
	ao_strs_release(&names);
	ao_repo_free(repo);
	return err;
}

/* The definition as it is written, on one line, and the id. */
static void show_json(const struct ao_task *task)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "id", task->id);
	ao_json_set(json, "task", ao_json_parse(task->json, task->json_len));
	ao_tell_json(json);
}

static struct ao_error *show(int *status, const struct ao_command *self,
			     int argc, char **argv)
{
	bool as_json = false;
	const struct ao_option table[] = {
		AO_FLAG(0, "json", &as_json, "print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_task *task = NULL;
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);
	struct ao_error *err;

	*status = AO_STATUS_DONE;
	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_options_operands(&options, "<task>");
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_tasks_load(&task, repo, NULL, options.argv[0]);
	if (!err && as_json)
		show_json(task);
	if (!err && !as_json) {
		ao_task_text(&text, task);
		ao_tell(&text);
	}
	ao_task_free(task);
	ao_repo_free(repo);
	return err;
}

struct check_args {
	bool as_json;
	bool is_all_cases;
	uint64_t seed;
	const char *runner;
	const char *sandbox;
	enum ao_policy policy;
};

/* What is looked at of a task.  All zero is empty. */
struct subject {
	struct ao_task *task;
	struct ao_kernel kernel;
	struct ao_kernel practitioner; /* if it has one */
};

static void release_subject(struct subject *subject)
{
	ao_kernel_release(&subject->kernel);
	ao_kernel_release(&subject->practitioner);
	ao_task_free(subject->task);
}

static struct ao_error *load_subject(struct subject *out, struct ao_repo *repo,
				     const char *name)
{
	struct ao_error *err = ao_tasks_load(&out->task, repo, NULL, name);

	if (!err)
		err = ao_tasks_load_kernel(&out->kernel, repo, NULL, out->task);
	if (!err && out->task->practitioner_file)
		err = ao_tasks_load_practitioner(&out->practitioner, repo, NULL,
						 out->task);
	return err;
}

/* A task that is being checked. */
struct checking {
	const struct ao_task *task;
	bool as_json;
};

static void tell_finding(void *data, const struct ao_lint_finding *finding)
{
	const struct checking *checking = data;
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);
	struct ao_json *json;

	if (checking->as_json) {
		json = ao_json_new_object();
		ao_json_set_string(json, "task", checking->task->name);
		ao_json_set_bool(json, "ok", finding->is_good);
		ao_json_set_string(json, "what", finding->what);
		ao_json_set_string(json, "detail", finding->detail);
		ao_tell_json(json);
	} else {
		ao_buf_addf(&text, "  %-4s %s: %s\n",
			    finding->is_good ? "ok" : "FAIL", finding->what,
			    finding->detail);
		ao_tell(&text);
	}
	/* The next one may take a while. */
	fflush(stdout);
}

static struct ao_error *check_task(int *status, struct ao_asker *asker,
				   const struct subject *subject,
				   const struct check_args *args)
{
	const struct ao_task *task = subject->task;
	struct checking checking = { task, args->as_json };
	struct ao_strs cases = { 0 };
	const struct ao_lint_options options = {
		.task = task,
		.kernel = &subject->kernel,
		.practitioner = task->practitioner_file ? &subject->practitioner
							: NULL,
		.cases = &cases,
		.seed = args->seed,
		.on_finding = tell_finding,
		.data = &checking,
	};
	struct ao_error *err;
	bool is_sound;

	if (args->is_all_cases)
		ao_task_case_names(&cases, task, true);
	if (!args->as_json)
		printf("%s\n", task->name);
	err = ao_lint_task(&is_sound, asker, &options);
	ao_strs_release(&cases);
	if (err)
		return err;
	if (!args->as_json)
		printf("%s: %s\n", task->name,
		       is_sound ? "sound" : "NOT SOUND");
	if (!is_sound)
		*status = AO_STATUS_NO;
	return NULL;
}

static struct ao_error *check_one(int *status, struct ao_repo *repo,
				  struct ao_asker *asker, const char *name,
				  const struct check_args *args)
{
	struct subject subject = { 0 };
	struct ao_error *err;

	err = load_subject(&subject, repo, name);
	if (!err)
		err = check_task(status, asker, &subject, args);
	fflush(stdout);
	release_subject(&subject);
	return err;
}

/* A task that does not even load is not sound; the others are looked at. */
static struct ao_error *check_all(int *status, struct ao_repo *repo,
				  const struct ao_strs *names,
				  const struct check_args *args)
{
	struct ao_asker *asker = NULL;
	struct ao_error *err;

	err = ao_asker_new(&asker, args->runner,
			   args->policy == AO_POLICY_REQUIRE);
	for (size_t i = 0; !err && i < names->count; i++) {
		err = check_one(status, repo, asker, names->v[i], args);
		if (ao_error_code(err) != AO_EINVALID)
			continue;
		ao_complain("error", err);
		ao_error_free(err);
		err = NULL;
		*status = AO_STATUS_NO;
	}
	ao_asker_free(asker);
	return err;
}

static struct ao_error *check(int *status, const struct ao_command *self,
			      int argc, char **argv)
{
	struct check_args args = { .seed = 1 };
	const struct ao_option table[] = {
		AO_FLAG(0, "all-cases", &args.is_all_cases,
			"look at all cases, those on request too"),
		AO_SEED(0, "seed", &args.seed, NULL, "n",
			"draw the inputs from <n>"),
		AO_STRING(0, "runner", &args.runner, "accelopt.runner",
			  "command", "run the judge behind <command>"),
		AO_STRING(0, "sandbox", &args.sandbox, "accelopt.sandbox",
			  "how", "require the sandbox, prefer it, or take any"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_strs names = { 0 };
	struct ao_error *err;

	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_options_configure(&options, repo);
	if (!err)
		err = ao_policy_read(&args.policy, args.sandbox);
	/* A slip is answered before the first of them is checked. */
	for (int i = 0; !err && i < options.argc; i++) {
		err = ao_tasks_find(repo, NULL, options.argv[i]);
		ao_strs_push(&names, options.argv[i]);
	}
	if (!err && !names.count)
		err = ao_tasks_list(&names, repo, NULL);
	if (!err)
		err = check_all(status, repo, &names, &args);
	ao_strs_release(&names);
	ao_repo_free(repo);
	return err;
}
