/* SPDX-License-Identifier: MIT */
/*
 * bench_store.c - candidates committed a second, with profile and plan notes,
 * in batches of 150, where 20,000 are there already; durable, with all syncs.
 * What is wanted is wanted of a second of CPU time, as wall time depends on
 * the disk and on who else is at work.
 */
#include "kernels.h"
#include "runbox.h"

#include "util/clock.h"

enum {
	PRESENT = 20000,
	FILL_BATCH = 1000,
	BATCH = 150,
	ROUNDS = 9,
	WANTED = 800,
};

static struct ao_rng rng;

static void fill_result(struct ao_result *result)
{
	static const char *const cases[] = { "main", "odd", "cached" };
	enum { UNITS = 8 };

	result->case_count = AO_ARRAY_SIZE(cases);
	result->cases = ao_xcalloc(result->case_count, sizeof(*result->cases));
	result->pair_count = 1;
	result->pairs = ao_xcalloc(1, sizeof(*result->pairs));
	for (size_t i = 0; i < AO_ARRAY_SIZE(cases); i++) {
		struct ao_case_result *c = &result->cases[i];

		c->case_name = ao_xstrdup(cases[i]);
		c->error = ao_rng_uniform(&rng) * 1e-6;
		c->limit = 2e-5;
		c->min_ns = 1e6 * ao_rng_uniform(&rng);
		c->median_ns = c->min_ns * 1.1;
		c->floor_ns = c->min_ns / 2;
		c->percent_of_peak = 45;
		c->bound = ao_xstrdup("memory");
	}
	result->pairs->case_name = ao_xstrdup("main");
	memcpy(result->pairs->against, result->evaluator, AO_ID_SIZE);
	result->pairs->decision = AO_DECISION_FASTER;
	result->pairs->log_gain = ao_rng_uniform(&rng);
	result->pairs->units = UNITS;
	result->pairs->unit_log_gain = ao_xcalloc(UNITS, sizeof(double));
	for (size_t i = 0; i < UNITS; i++)
		result->pairs->unit_log_gain[i] = ao_rng_uniform(&rng);
}

/* An attempt as a search has it at hand. */
struct attempt {
	struct ao_candidate candidate;
	struct ao_kernel kernel;
};

static void make_attempt(struct attempt *out, struct runbox *box)
{
	struct ao_buf text = AO_BUF_INIT(1 << 16);

	*out = (struct attempt){ 0 };
	runbox_candidate(&out->candidate, box, box->run.base, ++box->attempts);
	memcpy(out->candidate.profile->result.evaluator, box->run.base_kernel,
	       AO_ID_SIZE);
	fill_result(&out->candidate.profile->result);
	write_kernel(&text, &rng);
	ao_kernel_add(&out->kernel, "kernel.c", text.ptr, text.len);
	ao_buf_release(&text);
}

/* What a batch took. */
struct cost {
	uint64_t wall_ns;
	uint64_t cpu_ns;
};

static bool write_batch(struct cost *out, struct runbox *box, size_t count)
{
	struct attempt *attempts = ao_xcalloc(count, sizeof(*attempts));
	bool is_good = true;
	struct cost start;

	for (size_t i = 0; i < count; i++)
		make_attempt(&attempts[i], box);
	start = (struct cost){ ao_clock_now_ns(), ao_clock_cpu_ns() };
	for (size_t i = 0; i < count && is_good; i++)
		is_good = box_ok(ao_journal_add(box->journal,
						&attempts[i].candidate,
						&attempts[i].kernel));
	is_good = is_good && box_ok(ao_journal_flush(box->journal));
	out->wall_ns = ao_clock_now_ns() - start.wall_ns;
	out->cpu_ns = ao_clock_cpu_ns() - start.cpu_ns;
	for (size_t i = 0; i < count; i++) {
		ao_candidate_release(&attempts[i].candidate);
		ao_kernel_release(&attempts[i].kernel);
	}
	free(attempts);
	return is_good;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void print(const char *what, double *rates)
{
	qsort(rates, ROUNDS, sizeof(*rates), compare);
	printf("candidates a second of %s: min %.0f, median %.0f, max %.0f\n",
	       what, rates[0], rates[ROUNDS / 2], rates[ROUNDS - 1]);
}

int main(void)
{
	double wall[ROUNDS], cpu[ROUNDS];
	struct cost cost;
	struct runbox box;
	bool is_good;

	ao_rng_seed(&rng, 1);
	runbox_repo();
	is_good = runbox_start(&box, "t");
	for (unsigned i = 0; i < PRESENT / FILL_BATCH && is_good; i++)
		is_good = write_batch(&cost, &box, FILL_BATCH);
	for (unsigned i = 0; i < ROUNDS && is_good; i++) {
		is_good = write_batch(&cost, &box, BATCH);
		wall[i] = BATCH * 1e9 / (double)cost.wall_ns;
		cpu[i] = BATCH * 1e9 / (double)cost.cpu_ns;
	}
	if (is_good) {
		print("wall time", wall);
		print("CPU time", cpu);
		is_good = cpu[ROUNDS / 2] >= WANTED;
		printf("wanted: %d: %s\n", WANTED, is_good ? "yes" : "NO");
	}
	runbox_close(&box);
	box_leave();
	return is_good ? 0 : 1;
}
