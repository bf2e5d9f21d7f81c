/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/judge.h"
#include "eval/judge_call.h"
#include "eval/quiet.h"
#include "eval/timing.h"
#include "util/clock.h"

/*
 * A sample is so many calls as fill some milliseconds of the opponent's time:
 * long enough to see through short disturbances, short enough to fall between
 * long ones.  But not so many that a unit takes long, with all the copying and
 * checking around calls: two short units tell more than a long one.
 */
static const double sample_ns = 6e6;
static const double unit_ns = 3e7;
enum { MIN_CALLS = 3, MAX_CALLS = 100 };

/* Calls before the clock counts: caches, page tables and branches settle. */
enum { WARM_UPS = 2 };
static const double warm_up_ns = 2e7;

/* So long the judge watches for a call's end before it sleeps on it. */
static const uint64_t pair_spin_ns = 100000000;

struct side {
	struct ao_judgement *judgement;
	const char *object;
	uint32_t libraries;	  /* that it is linked with */
	struct ao_arena *arena;	  /* its memory, the judge's */
	struct ao_runner *runner; /* of this unit */
	double last_ns;		  /* its last call */
	double *unit_ns;	  /* [MAX_CALLS] of this unit */
	double *untimed_ns;	  /* [MAX_CALLS] CPU time beside these */
	double *all_ns;		  /* [all_count] of all units */
	size_t all_count;
	size_t all_alloc;
};

struct pairing {
	struct ao_judge *judge;
	struct ao_quiet quiet;
	uint64_t spin_ns;
	struct side a;	 /* the candidate */
	struct side b;	 /* its opponent */
	size_t calls;	 /* in a sample; 0: not chosen yet */
	size_t *deck;	 /* [sets] of the dataset, in this unit's order */
	double round_ns; /* the last round, all in all */
	double gaps;	 /* sum over units */
};

static bool has_failed(const struct pairing *pairing)
{
	return pairing->a.judgement->verdict || pairing->b.judgement->verdict;
}

static struct ao_error *spawn_side(struct pairing *pairing, struct side *side)
{
	struct ao_error *err;
	pid_t pid;

	if (has_failed(pairing))
		return NULL;
	err = ao_call_spawn(side->judgement, &pid, pairing->judge,
			    side->runner);
	if (!err && !side->judgement->verdict)
		ao_quiet_place(&pairing->quiet, pid);
	return err;
}

static void call_side(struct pairing *pairing, struct side *side)
{
	uint64_t wall_ns;

	if (has_failed(pairing))
		return;
	pairing->judge->arena = side->arena;
	if (ao_call_run(&wall_ns, side->judgement, pairing->judge, side->runner,
			pairing->spin_ns))
		side->last_ns = (double)wall_ns;
}

/* A call of each on the same operands, in random order. */
static void run_round(struct pairing *pairing, size_t set)
{
	struct ao_judge *judge = pairing->judge;
	bool a_first = ao_rng_below(&judge->rng, 2);
	uint64_t start = ao_clock_now_ns();

	ao_call_choose(judge, set);
	call_side(pairing, a_first ? &pairing->a : &pairing->b);
	call_side(pairing, a_first ? &pairing->b : &pairing->a);
	pairing->round_ns = (double)(ao_clock_now_ns() - start);
}

static void warm_up(struct pairing *pairing)
{
	double spent_ns = 0;

	for (int i = 0; i < WARM_UPS && spent_ns < warm_up_ns; i++) {
		run_round(pairing, pairing->deck[0]);
		if (has_failed(pairing))
			return;
		spent_ns += pairing->round_ns;
	}
}

/*
 * For all units alike, from the first one's last round of warming up; but no
 * more than there are sets, of which one is for warming up: what a worker has
 * seen before, it may have kept the answer of.
 */
static void choose_calls(struct pairing *pairing)
{
	double calls = fmin(sample_ns / pairing->b.last_ns,
			    unit_ns / pairing->round_ns);
	size_t sets = pairing->judge->dataset->count;

	if (pairing->calls)
		return;
	pairing->calls = (size_t)fmin(fmax(ceil(calls), MIN_CALLS), MAX_CALLS);
	if (pairing->calls >= sets)
		pairing->calls = sets > 1 ? sets - 1 : 1;
}

static void keep_times(struct side *side, size_t count)
{
	side->all_ns = ao_grow(side->all_ns, &side->all_alloc,
			       side->all_count + count, sizeof(double));
	memcpy(side->all_ns + side->all_count, side->unit_ns,
	       count * sizeof(double));
	side->all_count += count;
}

/* What became known with the call after call `i` of the unit, or the stop. */
static void note_untimed(struct side *side, size_t i)
{
	side->untimed_ns[i] = (double)ao_runner_untimed_ns(side->runner);
}

/* The calls of a unit, in workers that are there. */
static void run_calls(struct pairing *pairing)
{
	struct side *a = &pairing->a, *b = &pairing->b;
	size_t sets = pairing->judge->dataset->count;

	ao_permute_draw(pairing->deck, sets, &pairing->judge->rng);
	warm_up(pairing);
	if (has_failed(pairing))
		return;
	choose_calls(pairing);
	for (size_t i = 0; i < pairing->calls; i++) {
		run_round(pairing, pairing->deck[(i + 1) % sets]);
		if (has_failed(pairing))
			return;
		a->unit_ns[i] = a->last_ns;
		b->unit_ns[i] = b->last_ns;
		if (i) {
			note_untimed(a, i - 1);
			note_untimed(b, i - 1);
		}
	}
}

/*
 * Add to each call's time the CPU time that was used beside it, as far as it is
 * more than what the other side usually does with the same operands.
 */
static void charge(struct side *side, double usual_ns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (side->untimed_ns[i] > usual_ns)
			side->unit_ns[i] += side->untimed_ns[i] - usual_ns;
}

static double usual_untimed_ns(const struct side *side, size_t count)
{
	double sorted[MAX_CALLS];

	memcpy(sorted, side->untimed_ns, count * sizeof(*sorted));
	return ao_timing_median(sorted, count);
}

/* The log gain of a unit whose calls are over and all accounted for. */
static double conclude_unit(struct pairing *pairing)
{
	struct side *a = &pairing->a, *b = &pairing->b;
	size_t count = pairing->calls;
	double a_usual_ns, b_usual_ns;

	note_untimed(a, count - 1);
	note_untimed(b, count - 1);
	a_usual_ns = usual_untimed_ns(a, count);
	b_usual_ns = usual_untimed_ns(b, count);
	charge(a, b_usual_ns, count);
	charge(b, a_usual_ns, count);
	keep_times(a, count);
	keep_times(b, count);
	return log(ao_timing_median(b->unit_ns, count) /
		   ao_timing_median(a->unit_ns, count));
}

static double await_quiet(struct pairing *pairing)
{
	uint64_t cpu_ns = ao_clock_cpu_ns();
	double gaps = ao_quiet_await(&pairing->quiet);

	pairing->judge->runner_cpu.isolation += ao_clock_cpu_ns() - cpu_ns;
	return gaps;
}

/* Start, call and stop the workers; the wardens are there. */
static struct ao_error *use_workers(double *log_gain_out,
				    struct pairing *pairing, struct side *first,
				    struct side *second)
{
	struct ao_error *err;

	pairing->gaps += await_quiet(pairing);
	err = spawn_side(pairing, first);
	if (!err)
		err = spawn_side(pairing, second);
	if (!err && !has_failed(pairing))
		run_calls(pairing);
	if (!err && !has_failed(pairing))
		err = ao_call_stop(pairing->b.judgement, pairing->b.runner);
	if (!err && !has_failed(pairing))
		err = ao_call_stop(pairing->a.judgement, pairing->a.runner);
	if (!err && !has_failed(pairing))
		*log_gain_out = conclude_unit(pairing);
	return err;
}

/* With memory of its own for operands, too. */
static struct ao_error *start_side(struct pairing *pairing, struct side *side)
{
	struct ao_error *err;

	ao_arena_release(side->arena);
	err = ao_call_turn(pairing->judge, side->arena);
	if (err)
		return err;
	return ao_call_start(&side->runner, pairing->judge, side->object,
			     side->libraries);
}

static void free_runner(struct side *side)
{
	ao_runner_free(side->runner);
	side->runner = NULL;
}

/*
 * A unit: fresh workers of both, and fresh wardens, which hold the memory that
 * outputs go to.  Memory that stays is luck that stays: where its pages lie
 * makes one side of two equal kernels a few percent faster in every unit.
 */
static struct ao_error *run_unit(double *log_gain_out, struct pairing *pairing)
{
	struct ao_judge *judge = pairing->judge;
	bool a_first = ao_rng_below(&judge->rng, 2);
	struct side *first = a_first ? &pairing->a : &pairing->b;
	struct side *second = a_first ? &pairing->b : &pairing->a;
	struct ao_error *err;

	err = start_side(pairing, first);
	if (!err)
		err = start_side(pairing, second);
	if (!err) {
		ao_quiet_begin(&pairing->quiet);
		err = use_workers(log_gain_out, pairing, first, second);
		ao_quiet_end(&pairing->quiet);
	}
	free_runner(second);
	free_runner(first);
	return err;
}

static struct ao_error *run_units(struct ao_pair *out, struct pairing *pairing,
				  const struct ao_pair_options *options)
{
	struct ao_timing *timing = ao_timing_new(&options->rules);
	enum ao_decision decision = AO_DECISION_NONE;
	struct ao_error *err = NULL;
	size_t units = 0;

	while (decision == AO_DECISION_NONE) {
		double log_gain = 0;

		err = run_unit(&log_gain, pairing);
		units++;
		if (err || has_failed(pairing))
			break;
		decision = ao_timing_add(timing, log_gain);
	}
	if (!err) {
		ao_timing_report(out, timing);
		out->gap_fraction = pairing->gaps / (double)units;
	}
	ao_timing_free(timing);
	return err;
}

static void release_side(struct side *side)
{
	free(side->unit_ns);
	free(side->untimed_ns);
	free(side->all_ns);
}

static void prepare_side(struct side *side, struct ao_arena *arena)
{
	side->arena = arena;
	side->unit_ns = ao_xcalloc(MAX_CALLS, sizeof(double));
	side->untimed_ns = ao_xcalloc(MAX_CALLS, sizeof(double));
}

static struct ao_error *pair_objects(struct ao_pair *out,
				     struct pairing *pairing,
				     const struct ao_pair_options *options)
{
	struct side *a = &pairing->a, *b = &pairing->b;
	struct ao_error *err;

	ao_quiet_init(&pairing->quiet, pairing->judge->warden_order.threads);
	pairing->spin_ns = pairing->quiet.has_spare ? pair_spin_ns : 0;
	pairing->deck = ao_xcalloc(pairing->judge->dataset->count,
				   sizeof(*pairing->deck));
	prepare_side(a, &pairing->judge->arenas[0]);
	prepare_side(b, &pairing->judge->arenas[1]);
	err = run_units(out, pairing, options);
	if (!err) {
		ao_judgement_conclude(a->judgement, a->all_ns, a->all_count);
		ao_judgement_conclude(b->judgement, b->all_ns, b->all_count);
	}
	release_side(a);
	release_side(b);
	free(pairing->deck);
	return err;
}

struct ao_error *ao_judge_pair(struct ao_pair *out, struct ao_judgement *a_out,
			       struct ao_judgement *b_out,
			       struct ao_judge *judge, const char *object_a,
			       const char *object_b,
			       const struct ao_pair_options *options)
{
	struct ao_judgement a = { 0 }, b = { 0 };
	struct pairing pairing = {
		.judge = judge,
		.a = { .judgement = &a, .object = object_a },
		.b = { .judgement = &b,
		       .object = object_b,
		       .libraries = options->opponent_libraries },
	};
	bool was_dumpable = ao_call_hide();
	struct ao_pair pair = { 0 };
	struct ao_error *err;

	err = pair_objects(&pair, &pairing, options);
	ao_call_unhide(was_dumpable);
	if (err) {
		ao_judgement_release(&a);
		ao_judgement_release(&b);
		return err;
	}
	pair.case_name = ao_xstrdup(judge->dataset->c->name);
	*out = pair;
	*a_out = a;
	*b_out = b;
	return NULL;
}
