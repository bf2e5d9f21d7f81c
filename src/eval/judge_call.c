/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <sys/prctl.h>

#include "eval/judge_call.h"
#include "util/clock.h"

/* Looked at again some time after the call, for threads that write late. */
enum { LATE_WINDOW = 64 << 10 };

struct ao_error *ao_call_turn(struct ao_judge *judge, struct ao_arena *arena)
{
	struct ao_error *err;

	if (!arena->inputs) {
		err = ao_arena_init(arena, judge->dataset->task,
				    judge->dataset->c);
		if (err)
			return err;
	}
	judge->arena = arena;
	return NULL;
}

void ao_call_choose(struct ao_judge *judge, size_t set)
{
	judge->set = set;
	judge->slot = (uint32_t)ao_rng_below(&judge->rng,
					     judge->arena->layout.slots);
	ao_permute_draw(judge->order, judge->order_len, &judge->rng);
}

/* Put the operands in place: not before it is this side's turn. */
static void place_operands(struct ao_judge *judge)
{
	const struct ao_task *task = judge->dataset->task;
	void **inputs = judge->dataset->inputs + judge->set * task->input_count;
	uint64_t cpu_ns = ao_clock_cpu_ns();

	for (size_t i = 0; i < task->input_count; i++)
		ao_permute_copy(ao_arena_input(judge->arena, judge->slot, i),
				inputs[i], &judge->input_views[i], judge->order,
				ao_dtype_size(task->inputs[i].dtype));
	ao_arena_poison(judge->arena, task, judge->slot, &judge->rng);
	judge->input_cpu_ns += ao_clock_cpu_ns() - cpu_ns;
}

/* Takes over `detail`. */
static void fail(struct ao_judgement *judgement, enum ao_verdict verdict,
		 char *detail)
{
	free(judgement->detail);
	judgement->verdict = verdict;
	judgement->detail = detail;
}

static size_t output_bytes(const struct ao_judge *judge, size_t output)
{
	return (size_t)judge->arena->layout.outputs[output].bytes;
}

static void copy_outputs(struct ao_judge *judge)
{
	for (size_t i = 0; i < judge->dataset->task->output_count; i++)
		memcpy(judge->copies[i],
		       ao_arena_output(judge->arena, judge->slot, i),
		       output_bytes(judge, i));
}

/* Keep the error that is nearest to, or farthest beyond, its limit. */
static void note_error(struct ao_judgement *judgement, double error,
		       double limit)
{
	bool is_worse = error * judgement->limit > judgement->error * limit;

	if (is_worse || judgement->limit <= 0 ||
	    !ao_check_is_within(error, limit)) {
		judgement->error = error;
		judgement->limit = limit;
	}
}

/* Where the inputs were hard, what they were like there. */
static char *explain(const struct ao_judge *judge,
		     const struct ao_checked *checked, double error)
{
	char *text = ao_check_explain(checked, error);
	char *inputs, *whole;

	if (!checked->is_hard)
		return text;
	inputs = ao_dataset_describe(judge->dataset, judge->set,
				     ao_check_worst_slice(checked));
	whole = ao_xstrf("%s; on hard inputs: %s", text, inputs);
	free(text);
	free(inputs);
	return whole;
}

static bool check_output(struct ao_judgement *judgement,
			 const struct ao_judge *judge, size_t output)
{
	const struct ao_task *task = judge->dataset->task;
	size_t nth = judge->set * task->output_count + output;
	struct ao_checked checked = {
		.tensor = &task->outputs[output],
		.view = judge->output_views[output],
		.order = judge->order,
		.got = judge->copies[output],
		.expected = judge->dataset->expected[nth],
		.norm = judge->norms[nth],
		.scales = judge->dataset->scales ? judge->dataset->scales[nth]
						 : NULL,
		.is_hard = judge->set >= judge->dataset->count,
		.poison = judge->arena->poison[output],
	};
	double error = ao_check_error(&checked);

	note_error(judgement, error, checked.tensor->tolerance);
	if (ao_check_is_within(error, checked.tensor->tolerance))
		return true;
	fail(judgement, AO_VERDICT_INCORRECT_NUMERICAL,
	     explain(judge, &checked, error));
	return false;
}

static bool is_late(const struct ao_judge *judge, size_t output)
{
	size_t bytes = output_bytes(judge, output);
	const char *copy = judge->copies[output];
	const char *now = ao_arena_output(judge->arena, judge->slot, output);
	size_t len = bytes < LATE_WINDOW ? bytes : LATE_WINDOW;

	return memcmp(copy + bytes - len, now + bytes - len, len);
}

static bool check_outputs(struct ao_judgement *judgement,
			  const struct ao_judge *judge)
{
	const struct ao_task *task = judge->dataset->task;

	for (size_t i = 0; i < task->output_count; i++) {
		if (!check_output(judgement, judge, i))
			return false;
		if (!ao_arena_margins_are_intact(judge->arena, task,
						 judge->slot, i)) {
			fail(judgement, AO_VERDICT_RUNTIME_ERROR,
			     ao_xstrf("writes outside output '%s'",
				      task->outputs[i].name));
			return false;
		}
		if (is_late(judge, i)) {
			fail(judgement, AO_VERDICT_TAMPERED,
			     ao_xstrf("writes to output '%s' after it said "
				      "that it was done",
				      task->outputs[i].name));
			return false;
		}
	}
	return true;
}

/* The kernel of the operating system sees to it, unless it is too old. */
static bool check_inputs(struct ao_judgement *judgement,
			 const struct ao_judge *judge)
{
	const struct ao_task *task = judge->dataset->task;
	void **inputs = judge->dataset->inputs + judge->set * task->input_count;

	for (size_t i = 0; !judge->arena->is_sealed && i < task->input_count;
	     i++) {
		if (ao_permute_equals(
			    ao_arena_input(judge->arena, judge->slot, i),
			    inputs[i], &judge->input_views[i], judge->order,
			    ao_dtype_size(task->inputs[i].dtype)))
			continue;
		fail(judgement, AO_VERDICT_TAMPERED,
		     ao_xstrf("writes to input '%s'", task->inputs[i].name));
		return false;
	}
	return true;
}

static bool check_time(struct ao_judgement *judgement,
		       const struct ao_judge *judge, uint64_t wall_ns)
{
	double floor_ns = judge->options.hard_floor_ns;

	if ((double)wall_ns >= floor_ns)
		return true;
	fail(judgement, AO_VERDICT_TOO_FAST,
	     ao_xstrf("took %.3g us where this machine needs %.3g us at least",
		      (double)wall_ns / 1e3, floor_ns / 1e3));
	return false;
}

/* Takes over what the outcome holds; returns whether it was a good one. */
static bool take_outcome(struct ao_judgement *judgement,
			 struct ao_outcome *outcome)
{
	if (!outcome->verdict)
		return true;
	fail(judgement, outcome->verdict, outcome->detail);
	return false;
}

bool ao_call_run(uint64_t *wall_ns_out, struct ao_judgement *judgement,
		 struct ao_judge *judge, struct ao_runner *runner,
		 uint64_t spin_ns)
{
	struct ao_outcome outcome = { 0 };
	uint64_t cpu_ns;
	bool is_good;

	place_operands(judge);
	ao_runner_call(&outcome, wall_ns_out, runner, judge->slot, spin_ns);
	if (!take_outcome(judgement, &outcome))
		return false;
	cpu_ns = ao_clock_cpu_ns();
	copy_outputs(judge);
	is_good = check_outputs(judgement, judge) &&
		  check_inputs(judgement, judge) &&
		  check_time(judgement, judge, *wall_ns_out);
	judge->compare_cpu_ns += ao_clock_cpu_ns() - cpu_ns;
	return is_good;
}

struct ao_error *ao_call_start(struct ao_runner **out, struct ao_judge *judge,
			       const char *object, uint32_t libraries)
{
	struct ao_runner_options options = {
		.order = &judge->warden_order,
		.object = object,
		.libraries = libraries,
		.input_fd = judge->arena->input_fd,
		.output_fd = judge->arena->output_fd,
		.call_timeout_ms = judge->options.call_timeout_ms,
		.samples = judge->options.samples,
		.cpu = &judge->runner_cpu,
	};

	return ao_runner_start(out, &options);
}

struct ao_error *ao_call_spawn(struct ao_judgement *judgement, pid_t *pid_out,
			       struct ao_judge *judge, struct ao_runner *runner)
{
	struct ao_rng *rng = &judge->rng;
	struct ao_worker_shift shift = {
		.pages = (uint32_t)ao_rng_below(rng, AO_SHIFT_MAX_PAGES),
		.frames = (uint32_t)ao_rng_below(rng, AO_SHIFT_MAX_FRAMES),
	};
	struct ao_outcome outcome = { 0 };
	struct ao_error *err;

	err = ao_runner_spawn(&outcome, pid_out, runner, &shift);
	take_outcome(judgement, &outcome);
	return err;
}

struct ao_error *ao_call_stop(struct ao_judgement *judgement,
			      struct ao_runner *runner)
{
	struct ao_outcome outcome = { 0 };
	struct ao_error *err = ao_runner_stop(&outcome, runner);

	take_outcome(judgement, &outcome);
	return err;
}

bool ao_call_hide(void)
{
	bool was_dumpable = prctl(PR_GET_DUMPABLE) == 1;

	prctl(PR_SET_DUMPABLE, 0);
	return was_dumpable;
}

void ao_call_unhide(bool was_dumpable)
{
	prctl(PR_SET_DUMPABLE, was_dumpable);
}
