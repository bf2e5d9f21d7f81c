/* SPDX-License-Identifier: MIT */
/*
 * cmd_eval.c - git accelopt eval: judge one kernel, or compare two.
 *
 * The task is always the current one, so that kernels of any commit meet the
 * same check.  Whatever a kernel does is the answer; an error means that we
 * could not find out.
 */
#include "util/base.h"

#include "util/crypto.h"

#include "model/policy.h"

#include "eval/ask.h"
#include "store/tasks.h"

#include "cli/case_names.h"
#include "cli/command.h"
#include "cli/kernel_source.h"
#include "cli/options.h"
#include "cli/result_text.h"
#include "cli/tell.h"
#include "cli/waiting.h"

enum { MAX_TEXT_BYTES = 4 << 20 };

struct args {
	const char *file;
	const char *runner;
	const char *sandbox;
	enum ao_policy policy;
	const char *cases; /* names with commas between */
	bool is_all_cases;
	bool is_compare;
	bool with_practitioner;
	bool with_cachegrind;
	bool as_json;
	enum ao_waiting_style waiting;
	uint64_t seed;
};

/* What is judged: `candidate`, timed against `opponent` if there is one. */
struct question {
	struct ao_task *task;
	struct ao_kernel_source candidate;
	struct ao_kernel_source opponent;
	struct ao_strs cases; /* none: all that are not on request */
};

/* Whether the kernel is timed against another. */
static bool has_opponent(const struct args *args)
{
	return args->is_compare || args->with_practitioner;
}

static void question_release(struct question *question)
{
	ao_kernel_source_release(&question->candidate);
	ao_kernel_source_release(&question->opponent);
	ao_strs_release(&question->cases);
	ao_task_free(question->task);
}

static struct ao_error *load(struct question *out, struct ao_repo *repo,
			     const struct args *args, char *const *operands)
{
	struct ao_error *err;

	err = ao_tasks_load(&out->task, repo, NULL, operands[0]);
	if (!err)
		err = ao_case_names(&out->cases, out->task, args->cases,
				    args->is_all_cases);
	if (err)
		return err;
	if (args->is_compare) {
		err = ao_kernel_source_any(&out->opponent, repo, out->task,
					   operands[1]);
		if (err)
			return err;
		return ao_kernel_source_any(&out->candidate, repo, out->task,
					    operands[2]);
	}
	if (args->with_practitioner)
		err = ao_kernel_source_practitioner(&out->opponent, repo,
						    out->task);
	if (err)
		return err;
	if (args->file)
		return ao_kernel_source_file(&out->candidate, out->task,
					     args->file);
	if (operands[1])
		return ao_kernel_source_commit(&out->candidate, repo, out->task,
					       operands[1]);
	return ao_kernel_source_current(&out->candidate, repo, out->task);
}

static struct ao_error *judge(struct ao_result *out,
			      const struct question *question,
			      const struct args *args)
{
	const struct ao_bundle bundle = {
		.task = question->task,
		.candidate = &question->candidate.kernel,
		.opponents = &question->opponent.kernel,
		.opponent_count = has_opponent(args) ? 1 : 0,
		.cases = &question->cases,
		.stage = AO_STAGE_FULL,
		.with_cachegrind = args->with_cachegrind,
		.seed = args->seed,
	};
	struct ao_asker *asker = NULL;
	struct ao_waiting waiting;
	struct ao_error *err;

	ao_waiting_begin(&waiting, args->waiting,
			 has_opponent(args)
				 ? "timing both kernels, in turns ..."
				 : "building, checking and timing ...");
	err = ao_asker_new(&asker, args->runner,
			   args->policy == AO_POLICY_REQUIRE);
	if (!err) {
		ao_asker_on_wait(asker, ao_waiting_tick, &waiting);
		err = ao_ask(out, asker, &bundle);
	}
	ao_waiting_end(&waiting);
	ao_asker_free(asker);
	if (err && args->with_practitioner)
		err = ao_error_wrap(err,
				    "cannot time against the practitioner's "
				    "baseline");
	return err;
}

static void set_source(struct ao_json *to, const char *key,
		       const struct ao_kernel_source *source)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "name", source->label);
	ao_json_set_string(json, "kernel", source->kernel.id);
	if (*source->commit)
		ao_json_set_string(json, "commit", source->commit);
	ao_json_set(to, key, json);
}

static void answer_json(const struct question *question,
			const struct ao_result *result, bool has_pair)
{
	struct ao_json *json = ao_json_new_object();

	ao_json_set_string(json, "task", question->task->name);
	set_source(json, "candidate", &question->candidate);
	if (has_pair)
		set_source(json, "against", &question->opponent);
	ao_result_to_json(json, result, false);
	ao_tell_json(json);
}

static void answer_text(const struct question *question,
			const struct ao_result *result, bool has_pair)
{
	struct ao_buf text = AO_BUF_INIT(MAX_TEXT_BYTES);

	if (has_pair && result->pair_count) {
		ao_pairs_text(&text, result, question->opponent.label,
			      question->candidate.label);
		ao_buf_addstr(&text, "\n");
	}
	ao_buf_addf(&text, "%s, %s: ", question->task->name,
		    question->candidate.label);
	ao_result_text(&text, result);
	ao_tell(&text);
}

static int status_of(const struct ao_result *result, bool has_pair)
{
	const struct ao_pair *pair = ao_result_main_pair(result);

	if (result->verdict != AO_VERDICT_PASSED)
		return AO_STATUS_NO;
	if (!has_pair)
		return AO_STATUS_DONE;
	if (!pair || pair->decision == AO_DECISION_UNDECIDED ||
	    pair->decision == AO_DECISION_VOID)
		return AO_STATUS_UNDECIDED;
	return pair->decision == AO_DECISION_FASTER ? AO_STATUS_DONE
						    : AO_STATUS_NO;
}

static struct ao_error *check_arguments(const struct ao_options *options,
					const struct args *args)
{
	if (args->cases && args->is_all_cases)
		return ao_error_new(AO_EUSAGE,
				    "--case and --all-cases exclude each "
				    "other");
	if (args->is_compare && args->with_practitioner)
		return ao_error_new(AO_EUSAGE,
				    "--compare and --practitioner each say "
				    "what to time against");
	if (args->is_compare && args->file)
		return ao_error_new(AO_EUSAGE,
				    "--compare takes files itself; leave out "
				    "--file");
	if (args->is_compare)
		return ao_options_operands(options, "<task> <a> <b>");
	return ao_options_operands(options,
				   args->file ? "<task>" : "<task> [<commit>]");
}

static struct ao_error *run(int *status, struct ao_repo *repo,
			    const struct args *args, char *const *operands)
{
	struct question question = { 0 };
	struct ao_result result = { 0 };
	struct ao_error *err;

	err = load(&question, repo, args, operands);
	if (!err)
		err = judge(&result, &question, args);
	if (err)
		goto out;
	*status = status_of(&result, has_opponent(args));
	if (args->as_json)
		answer_json(&question, &result, has_opponent(args));
	else
		answer_text(&question, &result, has_opponent(args));
out:
	ao_result_release(&result);
	question_release(&question);
	return err;
}

struct ao_error *ao_cmd_eval(int *status, const struct ao_command *self,
			     int argc, char **argv)
{
	struct args args = { .seed = ao_random_u64() };
	bool with_progress = false;
	const struct ao_option table[] = {
		AO_STRING('f', "file", &args.file, NULL, "kernel",
			  "judge this file instead of a commit's"),
		AO_FLAG('c', "compare", &args.is_compare,
			"is <b> faster than <a>? commits or files"),
		AO_STRING(0, "case", &args.cases, NULL, "case,...",
			  "judge these cases alone, and time each"),
		AO_FLAG(0, "all-cases", &args.is_all_cases,
			"judge all cases, those on request too"),
		AO_FLAG(0, "practitioner", &args.with_practitioner,
			"is it faster than the practitioner's baseline?"),
		AO_FLAG(0, "cachegrind", &args.with_cachegrind,
			"count instructions and misses of caches, too"),
		AO_SEED(0, "seed", &args.seed, NULL, "n",
			"draw the inputs from <n>, not at random"),
		AO_STRING(0, "runner", &args.runner, "accelopt.runner",
			  "command", "run the judge behind <command>"),
		AO_STRING(0, "sandbox", &args.sandbox, "accelopt.sandbox",
			  "how", "require the sandbox, prefer it, or take any"),
		AO_FLAG(0, "json", &args.as_json,
			"print JSON, an object a line"),
		AO_FLAG(0, "progress", &with_progress,
			"show progress where there is no terminal, too"),
		AO_END,
	};
	struct ao_options options;
	struct ao_repo *repo = NULL;
	struct ao_error *err;

	err = ao_options_parse(&options, self, table, argc, argv);
	if (!err)
		err = check_arguments(&options, &args);
	if (!err && ao_options_given(&options, "progress"))
		args.waiting = with_progress ? AO_WAITING_LINES
					     : AO_WAITING_SILENT;
	if (!err)
		err = ao_repo_open(&repo);
	if (!err)
		err = ao_options_configure(&options, repo);
	if (!err)
		err = ao_policy_read(&args.policy, args.sandbox);
	if (!err)
		err = run(status, repo, &args, options.argv);
	ao_repo_free(repo);
	return err;
}
