/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/judge.h"
#include "eval/judge_call.h"
#include "eval/keeper.h"
#include "eval/ladder.h"
#include "eval/quiet.h"
#include "eval/worker.h"
#include "util/clock.h"

enum { DEFAULT_TIMEOUT_MS = 10000 };

static const uint64_t default_memory_bytes = UINT64_C(1) << 30;

/*
 * A short call is waited for awake, where that takes no CPU from it; for a long
 * one, what waking up adds to its time does not matter.
 */
static const uint64_t check_spin_ns = 2000000;

static struct ao_view *make_views(const struct ao_dataset *dataset,
				  const struct ao_tensor *tensors, size_t count)
{
	struct ao_view *views = ao_xcalloc(count, sizeof(*views));

	for (size_t i = 0; i < count; i++)
		ao_view_compute(&views[i], dataset->task, dataset->c,
				&tensors[i]);
	return views;
}

static void make_order(struct ao_judge *judge)
{
	const struct ao_dataset *dataset = judge->dataset;
	size_t axis = dataset->task->independent_axis;

	if (axis >= dataset->task->axis_count)
		return;
	judge->order_len = (size_t)dataset->c->extents[axis];
	judge->order = ao_xcalloc(judge->order_len, sizeof(*judge->order));
	ao_permute_draw(judge->order, judge->order_len, &judge->rng);
}

/*
 * Besides those that work there may be one that waits for them, and as many
 * that are about to go, which takes a moment.
 */
static void allow_threads(struct ao_judge *judge)
{
	const struct ao_task *task = judge->dataset->task;
	struct ao_order *order = &judge->warden_order;
	uint32_t cpus = ao_quiet_count();

	if (!ao_task_has_threads(task))
		return;
	order->threads = ao_task_threads(task, cpus);
	/* A kernel may be made for as many as the task says. */
	order->most_threads = 2 * (task->threads == AO_THREADS_ALL
					   ? cpus
					   : task->threads) +
			      2;
	if (judge->options.threads && judge->options.threads < order->threads)
		order->threads = judge->options.threads;
	ao_quiet_cpus(&order->cpus, order->threads);
}

/* What wardens are told: tensors, and what a kernel is called with. */
static struct ao_error *make_warden_order(struct ao_judge *judge)
{
	const struct ao_task *task = judge->dataset->task;
	struct ao_order *order = &judge->warden_order;
	size_t axes = task->is_generic ? task->axis_count : 0;
	size_t count = axes + task->input_count + task->output_count;

	if (count > AO_WORKER_MAX_ARGUMENTS)
		return ao_error_new(AO_ELIMIT,
				    "task '%s': a kernel of %zu arguments, at "
				    "most %d are possible",
				    task->name, count, AO_WORKER_MAX_ARGUMENTS);
	if (strlen(task->entry) >= sizeof(order->entry))
		return ao_error_new(AO_ELIMIT,
				    "task '%s': the name of its function is "
				    "longer than %zu bytes",
				    task->name, sizeof(order->entry) - 1);
	memcpy(order->entry, task->entry, strlen(task->entry) + 1);
	order->layout = judge->arena->layout;
	order->memory_bytes = judge->options.memory_bytes;
	order->sample_us = judge->options.samples ? judge->options.sample_us
						  : 0;
	allow_threads(judge);
	order->axis_count = (uint32_t)axes;
	for (size_t i = 0; i < axes; i++)
		order->axes[i] = (uint64_t)judge->dataset->c->extents[i];
	return NULL;
}

static void make_copies(struct ao_judge *judge)
{
	const struct ao_layout *layout = &judge->arena->layout;

	judge->copies = ao_xcalloc(layout->output_count,
				   sizeof(*judge->copies));
	for (size_t i = 0; i < layout->output_count; i++)
		judge->copies[i] = ao_xmalloc((size_t)layout->outputs[i].bytes);
}

static void make_norms(struct ao_judge *judge)
{
	const struct ao_dataset *dataset = judge->dataset;
	size_t outputs = dataset->task->output_count;
	size_t count = ao_dataset_sets(dataset) * outputs;

	judge->norms = ao_xcalloc(count, sizeof(*judge->norms));
	for (size_t i = 0; i < count; i++)
		judge->norms[i] = ao_check_norm(
			dataset->expected[i],
			ao_view_elements(&judge->output_views[i % outputs]));
}

struct ao_error *ao_judge_new(struct ao_judge **out,
			      const struct ao_dataset *dataset,
			      const struct ao_judge_options *options)
{
	const struct ao_task *task = dataset->task;
	struct ao_judge *judge = ao_xcalloc(1, sizeof(*judge));
	uint64_t cpu_ns = ao_clock_cpu_ns();
	struct ao_error *err;

	judge->dataset = dataset;
	judge->options = *options;
	if (!judge->options.call_timeout_ms)
		judge->options.call_timeout_ms = DEFAULT_TIMEOUT_MS;
	if (!judge->options.memory_bytes)
		judge->options.memory_bytes = default_memory_bytes;
	ao_rng_seed(&judge->rng, options->seed);
	err = ao_call_turn(judge, &judge->arenas[0]);
	if (!err)
		err = make_warden_order(judge);
	if (err) {
		ao_judge_free(judge);
		return err;
	}
	judge->input_views = make_views(dataset, task->inputs,
					task->input_count);
	judge->output_views = make_views(dataset, task->outputs,
					 task->output_count);
	make_order(judge);
	make_copies(judge);
	make_norms(judge);
	judge->input_cpu_ns = ao_clock_cpu_ns() - cpu_ns;
	*out = judge;
	return NULL;
}

void ao_judge_free(struct ao_judge *judge)
{
	if (!judge)
		return;
	for (size_t i = 0;
	     judge->copies && i < judge->arena->layout.output_count; i++)
		free(judge->copies[i]);
	free(judge->copies);
	free(judge->norms);
	free(judge->input_views);
	free(judge->output_views);
	free(judge->order);
	for (size_t i = 0; i < AO_JUDGE_SIDES; i++)
		ao_arena_release(&judge->arenas[i]);
	free(judge);
}

/*
 * Check calls in a worker that is there, and among them one on each hard set:
 * no call is known by its number to be an easy one, but for the first, which
 * tells what is wrong everywhere from what only hard inputs show.  The times of
 * the easy ones go to ns [calls].
 */
static void check_calls(struct ao_judgement *judgement, struct ao_judge *judge,
			struct ao_runner *runner, double *ns, uint32_t calls)
{
	uint32_t threads = judge->warden_order.threads;
	uint64_t spin_ns = ao_quiet_has_spare(threads) ? check_spin_ns : 0;
	size_t sets = judge->dataset->count;
	/* Where a kernel spends its time on hard inputs tells nothing. */
	size_t hard = judge->options.samples ? 0 : judge->dataset->hard_count;
	size_t total = calls + hard;
	size_t *deck = ao_xcalloc(sets, sizeof(*deck));
	size_t *turns = ao_xcalloc(total, sizeof(*turns));
	uint32_t first_slot = 0;

	ao_permute_draw(deck, sets, &judge->rng);
	for (size_t i = 0; i < total; i++)
		turns[i] = i;
	ao_rng_shuffle(&judge->rng, turns + 1, total - 1);
	for (size_t i = 0; i < total && !judgement->verdict; i++) {
		size_t turn = turns[i];
		bool is_easy = turn < calls;
		uint64_t wall_ns = 0;

		ao_call_choose(judge, is_easy ? deck[turn % sets]
					      : sets + turn - calls);
		/* Twice the same address, for who knows a call again by it. */
		if (!i)
			first_slot = judge->slot;
		if (i == 1)
			judge->slot = first_slot;
		ao_call_run(&wall_ns, judgement, judge, runner, spin_ns);
		if (is_easy)
			ns[turn] = (double)wall_ns;
	}
	free(deck);
	free(turns);
}

static struct ao_error *check_object(struct ao_judgement *judgement,
				     struct ao_judge *judge, const char *object,
				     uint32_t libraries, double *ns,
				     uint32_t calls)
{
	struct ao_runner *runner = NULL;
	struct ao_error *err;
	pid_t pid;

	err = ao_call_turn(judge, &judge->arenas[0]);
	if (!err)
		err = ao_call_start(&runner, judge, object, libraries);
	if (err)
		return err;
	err = ao_call_spawn(judgement, &pid, judge, runner);
	if (!err && !judgement->verdict) {
		check_calls(judgement, judge, runner, ns, calls);
		if (!judgement->verdict)
			err = ao_call_stop(judgement, runner);
	}
	ao_runner_free(runner);
	return err;
}

struct ao_error *ao_judge_check(struct ao_judgement *out,
				struct ao_judge *judge, const char *object,
				uint32_t calls)
{
	return ao_judge_check_opponent(out, judge, object, 0, calls);
}

struct ao_error *ao_judge_check_opponent(struct ao_judgement *out,
					 struct ao_judge *judge,
					 const char *object, uint32_t libraries,
					 uint32_t calls)
{
	struct ao_judgement judgement = { 0 };
	struct ao_error *err;
	bool was_dumpable;
	double *ns;

	ns = ao_xcalloc(calls, sizeof(*ns));
	was_dumpable = ao_call_hide();
	err = check_object(&judgement, judge, object, libraries, ns, calls);
	ao_call_unhide(was_dumpable);
	if (err) {
		ao_judgement_release(&judgement);
	} else {
		ao_judgement_conclude(&judgement, ns, calls);
		*out = judgement;
	}
	free(ns);
	return err;
}

const char *ao_judge_sandbox_level(void)
{
	struct ao_rung rung;

	ao_ladder_kernels(&rung);
	return rung.level;
}

void ao_judge_cpu(struct ao_judge_cpu *out, const struct ao_judge *judge)
{
	*out = (struct ao_judge_cpu){
		.compare = judge->compare_cpu_ns,
		.worker = judge->runner_cpu.worker,
		.isolation = judge->runner_cpu.isolation,
		.inputs = judge->input_cpu_ns,
	};
}
