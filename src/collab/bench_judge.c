/* SPDX-License-Identifier: MIT */
/*
 * The final comparison of a run: one session, in which its final kernel meets
 * both baselines on every case.
 */
#include "util/base.h"

#include "collab/bench.h"
#include "store/journal.h"
#include "store/tasks.h"

/* Inputs that no measurement of the search had. */
#define FINAL_SEED UINT64_C(0xd1b54a32d192ed03)

/* The baselines that the final kernel is not itself. */
static size_t pick_opponents(struct ao_kernel opponents[2],
			     const struct ao_history_run *run,
			     const struct ao_bench_task *task)
{
	size_t count = 0;

	if (strcmp(run->best, run->run.base) != 0)
		opponents[count++] = *task->author;
	if (task->practitioner)
		opponents[count++] = *task->practitioner;
	return count;
}

/* What was found, with the pairs of before in front; released by the caller. */
static void merge(struct ao_result *out, const struct ao_result *old,
		  const struct ao_result *found)
{
	struct ao_result pairs = { 0 };
	struct ao_pair *found_pairs;
	size_t count;

	ao_result_copy(out, found);
	ao_result_copy(&pairs, old);
	ao_result_append_pairs(&pairs, found);
	found_pairs = out->pairs;
	count = out->pair_count;
	out->pairs = pairs.pairs;
	out->pair_count = pairs.pair_count;
	pairs.pairs = found_pairs;
	pairs.pair_count = count;
	ao_result_release(&pairs);
}

/* Put what was found into git, in place of the old profile. */
static struct ao_error *keep(struct ao_repo *repo,
			     const struct ao_history_run *run,
			     const struct ao_profile *old,
			     const struct ao_result *result)
{
	struct ao_profile profile = *old;
	struct ao_journal *journal = NULL;
	struct ao_run own = { 0 };
	struct ao_error *err;

	ao_record_head_init(&profile.head);
	memcpy(profile.head.replaces, old->head.id,
	       sizeof(profile.head.replaces));
	merge(&profile.result, &old->result, result);
	err = ao_journal_resume(&journal, &own, repo, run->run.task,
				run->run.id);
	if (!err)
		err = ao_journal_add_profile(journal, run->best, &profile);
	if (!err)
		err = ao_journal_flush(journal);
	ao_journal_free(journal);
	ao_run_release(&own);
	ao_result_release(&profile.result);
	return err;
}

static struct ao_error *judge(struct ao_result *out, struct ao_asker *asker,
			      const struct ao_history_run *run,
			      const struct ao_bench_task *task,
			      const struct ao_kernel *final)
{
	struct ao_kernel opponents[2];
	struct ao_bundle bundle = {
		.task = task->task,
		.candidate = final,
		.opponents = opponents,
		.opponent_count = pick_opponents(opponents, run, task),
		.stage = AO_STAGE_FULL,
		.cases = task->cases,
		.seed = run->run.settings.seed ^ FINAL_SEED,
	};
	struct ao_error *err = ao_ask(out, asker, &bundle);

	if (err || out->verdict == AO_VERDICT_PASSED)
		return err;
	err = ao_error_new(
		AO_EINVALID, "commit %.10s does not pass any more: %s%s%s",
		run->best, ao_verdict_name(out->verdict),
		out->detail ? ": " : "", out->detail ? out->detail : "");
	ao_result_release(out);
	return err;
}

struct ao_error *ao_bench_check(struct ao_asker *asker,
				const struct ao_bench_task *task)
{
	const struct ao_bundle bundle = {
		.task = task->task,
		.candidate = task->author,
		.opponents = task->practitioner,
		.opponent_count = 1,
		.stage = AO_STAGE_CHECK,
		.cases = task->cases,
		.seed = FINAL_SEED,
	};
	struct ao_result result = { 0 };
	struct ao_error *err = ao_ask(&result, asker, &bundle);

	if (err)
		return ao_error_wrap(err,
				     "cannot check the baselines of task '%s'",
				     task->task->name);
	if (result.verdict != AO_VERDICT_PASSED)
		err = ao_error_new(AO_EINVALID,
				   "the baseline kernel of task '%s' does not "
				   "pass: %s%s%s",
				   task->task->name,
				   ao_verdict_name(result.verdict),
				   result.detail ? ": " : "",
				   result.detail ? result.detail : "");
	ao_result_release(&result);
	return err;
}

struct ao_error *ao_bench_judge(struct ao_repo *repo, struct ao_asker *asker,
				const struct ao_history_run *run,
				const struct ao_bench_task *task)
{
	const struct ao_profile *old = ao_bench_final_profile(run);
	struct ao_result result = { 0 };
	struct ao_kernel final = { 0 };
	struct ao_error *err;

	if (!old)
		return ao_error_new(AO_EINVALID,
				    "run %s of task '%s' has not ended, or its "
				    "notes are not here",
				    run->run.id, run->run.task);
	err = ao_tasks_load_kernel(&final, repo, run->best, task->task);
	if (!err)
		err = judge(&result, asker, run, task, &final);
	if (!err)
		err = keep(repo, run, old, &result);
	ao_result_release(&result);
	ao_kernel_release(&final);
	if (err)
		return ao_error_wrap(err,
				     "cannot compare the result of '%s' with "
				     "its baselines",
				     run->run.task);
	return NULL;
}
