/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "collab/bench.h"
#include "eval/eval.h"

enum { MAX_SHAPE_BYTES = 4096 };

static void release_case(struct ao_bench_case *c)
{
	free(c->name);
	free(c->shape);
	free(c->bound);
}

void ao_bench_row_release(struct ao_bench_row *row)
{
	for (size_t i = 0; i < row->case_count; i++)
		release_case(&row->cases[i]);
	free(row->cases);
	free(row->task);
	ao_strs_release(&row->plans);
	*row = (struct ao_bench_row){ 0 };
}

static bool is_wanted(const struct ao_history_run *run,
		      const struct ao_bench_wanted *wanted,
		      const char *evaluator)
{
	char *machine = ao_machine_key(&run->run.machine);
	bool is = !run->is_remote && run->run.writer &&
		  !strcmp(run->run.writer, wanted->writer) &&
		  !strcmp(run->run.task_id, wanted->task->task->id) &&
		  !strcmp(run->run.base_kernel, wanted->task->author->id) &&
		  !strcmp(run->run.evaluator, evaluator) &&
		  !strcmp(machine, wanted->machine) &&
		  (!wanted->seed || run->run.settings.seed == wanted->seed);

	free(machine);
	return is;
}

const struct ao_history_run *ao_bench_find_run(
	const struct ao_history *history, const struct ao_bench_wanted *wanted)
{
	char evaluator[AO_ID_SIZE];

	ao_eval_id(evaluator);
	for (size_t i = history->run_count; i-- > 0;)
		if (is_wanted(&history->runs[i], wanted, evaluator))
			return &history->runs[i];
	return NULL;
}

/* Whether a run ended with the kernel that it began with. */
static bool has_no_winner(const struct ao_history_run *run)
{
	return !strcmp(run->best, run->run.base);
}

const struct ao_profile *ao_bench_final_profile(
	const struct ao_history_run *run)
{
	if (has_no_winner(run))
		return run->baseline;
	for (size_t i = 0; i < run->candidate_count; i++)
		if (!strcmp(run->candidates[i].commit, run->best))
			return run->candidates[i].profile;
	return NULL;
}

/* The newest pair of a case against a kernel, or NULL. */
static const struct ao_pair *find_pair(const struct ao_result *result,
				       const char *case_name,
				       const char *against)
{
	for (size_t i = result->pair_count; i-- > 0;) {
		const struct ao_pair *pair = &result->pairs[i];

		if (!strcmp(pair->against, against) && pair->case_name &&
		    !strcmp(pair->case_name, case_name) &&
		    isfinite(pair->log_gain))
			return pair;
	}
	return NULL;
}

static void gain_of(struct ao_gain *out, const struct ao_pair *pair)
{
	*out = (struct ao_gain){
		.log_gain = pair->log_gain,
		.log_low = pair->log_low,
		.log_high = pair->log_high,
		.is_measured = true,
	};
}

static char *shape_text(const struct ao_task *task, const struct ao_case *c)
{
	struct ao_buf text = AO_BUF_INIT(MAX_SHAPE_BYTES);

	for (size_t i = 0; i < task->axis_count; i++)
		if (!task->axes[i].expression)
			ao_buf_addf(&text, "%s%s=%" PRId64, text.len ? " " : "",
				    task->axes[i].name, c->extents[i]);
	return ao_buf_take(&text);
}

static const struct ao_case_result *find_case(const struct ao_result *result,
					      const char *name)
{
	for (size_t i = 0; i < result->case_count; i++)
		if (!strcmp(result->cases[i].case_name, name))
			return &result->cases[i];
	return NULL;
}

/* False if its time or a pair is missing. */
static bool read_case(struct ao_bench_case *out, const struct ao_result *result,
		      const char *name, const struct ao_bench_task *task,
		      bool has_winner)
{
	const struct ao_case *c = ao_task_case(task->task, name);
	const struct ao_case_result *from = find_case(result, name);
	const struct ao_pair *author = find_pair(result, name,
						 task->author->id);
	const struct ao_pair *practitioner = NULL;

	if (task->practitioner)
		practitioner = find_pair(result, name, task->practitioner->id);
	if (!c || !from || !(from->min_ns > 0) || (has_winner && !author) ||
	    (task->practitioner && !practitioner))
		return false;
	*out = (struct ao_bench_case){
		.name = ao_xstrdup(name),
		.shape = shape_text(task->task, c),
		.final_ns = from->median_ns,
		.percent_after = from->percent_of_peak,
		.percent_fastest = from->percent_of_peak * from->median_ns /
				   from->min_ns,
		.bound = from->bound ? ao_xstrdup(from->bound) : NULL,
	};
	if (has_winner)
		gain_of(&out->over_author, author);
	if (practitioner)
		gain_of(&out->over_practitioner, practitioner);
	out->author_ns = out->final_ns * exp(out->over_author.log_gain);
	out->percent_before = out->percent_after /
			      exp(out->over_author.log_gain);
	if (practitioner)
		out->practitioner_ns = out->final_ns *
				       exp(out->over_practitioner.log_gain);
	return true;
}

static bool read_cases(struct ao_bench_row *row, const struct ao_result *result,
		       const struct ao_bench_task *task, bool has_winner)
{
	row->cases = ao_xcalloc(task->cases->count, sizeof(*row->cases));
	for (size_t i = 0; i < task->cases->count; i++) {
		if (!read_case(&row->cases[i], result, task->cases->v[i], task,
			       has_winner))
			return false;
		row->case_count++;
	}
	return true;
}

/* What was paid, and what the winner is made of. */
static void read_search(struct ao_bench_row *row,
			const struct ao_history_run *run)
{
	size_t count;
	size_t *steps = ao_history_lineage(&count, run, run->best);

	for (size_t i = count; i-- > 0;) {
		const struct ao_candidate *c = &run->candidates[steps[i]];
		const char *title = c->plan && c->plan->title
					    ? c->plan->title
					    : c->message.title;

		ao_strs_push(&row->plans, title ? title : c->commit);
	}
	free(steps);
	for (size_t i = 0; i < run->candidate_count; i++) {
		const struct ao_candidate *c = &run->candidates[i];

		if (!ao_candidate_is_paid(c))
			continue;
		row->evals++;
		row->failed += ao_candidate_verdict(c) != AO_VERDICT_PASSED;
	}
	if (!has_no_winner(run))
		memcpy(row->best, run->best, AO_ID_SIZE);
}

bool ao_bench_row_read(struct ao_bench_row *out,
		       const struct ao_history_run *run,
		       const struct ao_bench_task *task)
{
	const struct ao_profile *profile = ao_bench_final_profile(run);
	struct ao_bench_row row = { 0 };

	if (!profile || profile->result.verdict != AO_VERDICT_PASSED)
		return false;
	row.task = ao_xstrdup(task->task->name);
	snprintf(row.run, sizeof(row.run), "%s", run->run.id);
	if (!read_cases(&row, &profile->result, task, !has_no_winner(run))) {
		ao_bench_row_release(&row);
		return false;
	}
	read_search(&row, run);
	*out = row;
	return true;
}

void ao_bench_sum(struct ao_bench_sum *out, const struct ao_bench_row *rows,
		  size_t count)
{
	struct ao_bench_sum sum = { .rows = count };
	double before = 0, after = 0, fastest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct ao_bench_case *c = &rows[i].cases[0];

		sum.evals += rows[i].evals;
		sum.failed += rows[i].failed;
		sum.over_author += c->over_author.log_gain / (double)count;
		before += log(c->percent_before) / (double)count;
		after += log(c->percent_after) / (double)count;
		fastest += log(c->percent_fastest) / (double)count;
		if (!(c->practitioner_ns > 0))
			continue;
		sum.practitioner_rows++;
		sum.over_practitioner += c->over_practitioner.log_gain;
		if (!sum.worst ||
		    c->over_practitioner.log_gain <
			    sum.worst->cases[0].over_practitioner.log_gain)
			sum.worst = &rows[i];
	}
	sum.percent_before = exp(before);
	sum.percent_after = exp(after);
	sum.percent_fastest = exp(fastest);
	if (sum.practitioner_rows)
		sum.over_practitioner /= (double)sum.practitioner_rows;
	*out = sum;
}
