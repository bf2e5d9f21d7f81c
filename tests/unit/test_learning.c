/* SPDX-License-Identifier: MIT */
/*
 * test_learning.c - does a search with a memory need fewer evaluations?
 *
 * Searches are replayed on measured gains (gaintable.h).  What counts is how
 * many evaluations one needs until it has 90 % of the best log gain there is,
 * with the memory of searches of *other families* of tasks: near-twins of a
 * task would teach too well.  docs/learning.md describes all of it.
 */
#include "tap.h"

#include "replay.h"

enum {
	SEEDS = 10,
	BUDGET = 60, /* the most of a search that is remembered */
	LEAST_BUDGET = 20,
	/* Of one that is measured: few have not found it by then. */
	MOST_EVALS = 120,
};

/* Of a log gain, from one measurement to the next. */
#define NOISE 0.03

/* A task whose plans gain less than this has nothing to find but noise. */
#define LEAST_GAIN 0.2

/* Of the searches of other families, so many are in a memory. */
#define SEEN 0.75

enum family { PRODUCT, NORMALISED, ATTENTION, SCAN, STREAMING, FAMILIES };

static const char *const family_names[FAMILIES] = {
	"product", "normalised", "attention", "scan", "streaming",
};

static const struct {
	const char *task;
	enum family family;
} families[] = {
	{ "matmul", PRODUCT },
	{ "bmm", PRODUCT },
	{ "transpose_matmul", PRODUCT },
	{ "lora", PRODUCT },
	{ "rmsnorm_matmul", NORMALISED },
	{ "add_rmsnorm_matmul", NORMALISED },
	{ "matmul_add_rmsnorm", NORMALISED },
	{ "swiglu", NORMALISED },
	{ "bmm_softmax", ATTENTION },
	{ "gqa_full", ATTENTION },
	{ "mamba", SCAN },
	{ "silu", STREAMING },
	{ "rope_single_freq_apply", STREAMING },
	{ "adamw", STREAMING },
};

/* What a search is given to choose by. */
enum arm {
	CATALOGUE, /* the order in which the catalogue has its moves */
	PRIORS,	   /* the author's expectations */
	FIRST,	   /* these, and what the search finds itself */
	PLACEBO,   /* and a memory with the gains of other plans */
	MEMORY,	   /* and a memory */
	ARMS,
};

static const char *const arm_names[ARMS] = {
	"catalogue", "priors", "first", "placebo", "memory",
};

static struct gaintable table;

/* Evaluations until most of the gain is there. */
static double evals[ARMS][GAINTABLE_MAX_TASKS][SEEDS];

/* What share of the gain is there in the end. */
static double shares[ARMS][GAINTABLE_MAX_TASKS][SEEDS];

static enum family family_of(size_t task)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(families); i++)
		if (!strcmp(families[i].task, table.tasks[task].name))
			return families[i].family;
	return FAMILIES;
}

/* Searches that came before, in the form of the product. */
struct past {
	struct ao_history_run runs[GAINTABLE_MAX_TASKS];
	struct ao_history history;
};

/*
 * Search some of the tasks of other families one after the other, each with
 * the memory of those before.
 */
static void live(struct past *past, enum family without, struct ao_rng *rng)
{
	size_t order[GAINTABLE_MAX_TASKS], count = 0;

	*past = (struct past){ .history = { .runs = past->runs } };
	for (size_t i = 0; i < table.task_count; i++)
		if (family_of(i) != without && ao_rng_uniform(rng) < SEEN)
			order[count++] = i;
	ao_rng_shuffle(rng, order, count);
	for (size_t i = 0; i < count; i++) {
		struct ao_memory memory = { 0 };
		struct replay_options options = {
			.memory = &memory,
			.max_evals = LEAST_BUDGET +
				     (uint32_t)ao_rng_below(
					     rng, BUDGET - LEAST_BUDGET + 1),
			.noise = NOISE,
			.rng = rng,
		};

		ao_planstats(&memory, &past->history);
		replay_search(&past->runs[i], &table.tasks[order[i]], &options);
		past->history.run_count++;
		ao_memory_release(&memory);
	}
}

/* Give each attempt the plan of another one, at random. */
static void mix_up(struct past *past, struct ao_rng *rng)
{
	enum { MOST = GAINTABLE_MAX_TASKS * BUDGET * 8 };
	struct ao_candidate *all[MOST];
	struct ao_plan *plans[MOST];
	size_t order[MOST], count = 0;

	for (size_t r = 0; r < past->history.run_count; r++) {
		for (size_t i = 0; i < past->runs[r].candidate_count; i++) {
			struct ao_candidate *c = &past->runs[r].candidates[i];

			if (count == MOST || ao_candidate_drops(NULL, c))
				continue;
			all[count] = c;
			plans[count] = c->plan;
			order[count] = count;
			count++;
		}
	}
	ao_rng_shuffle(rng, order, count);
	for (size_t i = 0; i < count; i++)
		all[i]->plan = plans[order[i]];
}

static void release_past(struct past *past)
{
	for (size_t i = 0; i < past->history.run_count; i++)
		replay_release(&past->runs[i]);
}

static void search(enum arm arm, size_t task, size_t seed,
		   const struct ao_memory *memory, bool forgets)
{
	const struct replay_options options = { .memory = memory,
						.forgets = forgets,
						.max_evals = MOST_EVALS,
						.iterations = MOST_EVALS / 3 };
	struct ao_history_run run = { 0 };
	struct replay_result result = replay_search(&run, &table.tasks[task],
						    &options);

	evals[arm][task][seed] = result.evals_to_most;
	shares[arm][task][seed] = result.share;
	replay_release(&run);
}

/* A search that only goes by the order in which plans are offered. */
static void search_in_order(size_t task)
{
	struct gaintask *t = &table.tasks[task];
	double *priors = ao_xcalloc(t->count, sizeof(*priors));

	for (size_t i = 0; i < t->count; i++) {
		priors[i] = t->plans[i].prior;
		t->plans[i].prior = 0;
	}
	search(CATALOGUE, task, 0, NULL, true);
	for (size_t i = 0; i < t->count; i++)
		t->plans[i].prior = priors[i];
	free(priors);
}

static void search_family(enum family family, size_t seed, enum arm arm,
			  const struct past *past)
{
	struct ao_memory memory = { 0 };

	ao_planstats(&memory, &past->history);
	for (size_t i = 0; i < table.task_count; i++)
		if (family_of(i) == family)
			search(arm, i, seed, &memory, false);
	ao_memory_release(&memory);
}

static void search_with_memories(void)
{
	for (size_t seed = 0; seed < SEEDS; seed++) {
		for (enum family f = 0; f < FAMILIES; f++) {
			struct past past;
			struct ao_rng rng;

			ao_rng_seed_stream(&rng, seed, f);
			live(&past, f, &rng);
			search_family(f, seed, MEMORY, &past);
			mix_up(&past, &rng);
			search_family(f, seed, PLACEBO, &past);
			release_past(&past);
		}
	}
}

/* They come out the same with every seed. */
static void search_without(void)
{
	for (size_t i = 0; i < table.task_count; i++) {
		search_in_order(i);
		search(PRIORS, i, 0, NULL, true);
		search(FIRST, i, 0, NULL, false);
		for (size_t seed = 1; seed < SEEDS; seed++) {
			for (enum arm arm = CATALOGUE; arm <= FIRST; arm++) {
				evals[arm][i][seed] = evals[arm][i][0];
				shares[arm][i][seed] = shares[arm][i][0];
			}
		}
	}
}

/* Whether a task counts for a family; FAMILIES: for all together. */
static bool counts(size_t task, enum family family)
{
	return table.tasks[task].best >= LEAST_GAIN &&
	       (family == FAMILIES || family_of(task) == family);
}

/* A mean over the seeds of the tasks of a family. */
static double mean(double of[GAINTABLE_MAX_TASKS][SEEDS], enum family family)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < table.task_count; i++)
		if (counts(i, family))
			for (size_t seed = 0; seed < SEEDS; seed++, n++)
				sum += of[i][seed];
	return sum / (double)n;
}

/* The geometric mean of the ratio of two arms, over pairs of equal seeds. */
static double ratio(enum arm arm, enum arm to, enum family family)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < table.task_count; i++)
		if (counts(i, family))
			for (size_t seed = 0; seed < SEEDS; seed++, n++)
				sum += log(evals[arm][i][seed] /
					   evals[to][i][seed]);
	return exp(sum / (double)n);
}

static void print_line(const char *name, const double *values)
{
	printf("# %-24s", name);
	for (enum arm arm = 0; arm < ARMS; arm++)
		printf(" %9.1f", values[arm]);
}

static void print_results(void)
{
	double values[ARMS];

	printf("# %-24s", "evaluations to 90 %");
	for (enum arm arm = 0; arm < ARMS; arm++)
		printf(" %9s", arm_names[arm]);
	printf("  x best\n");
	for (size_t i = 0; i < table.task_count; i++) {
		for (enum arm arm = 0; arm < ARMS; arm++) {
			values[arm] = 0;
			for (size_t seed = 0; seed < SEEDS; seed++)
				values[arm] += evals[arm][i][seed] / SEEDS;
		}
		print_line(table.tasks[i].name, values);
		printf("  %6.2f\n", exp(table.tasks[i].best));
	}
	for (enum family f = 0; f <= FAMILIES; f++) {
		for (enum arm arm = 0; arm < ARMS; arm++)
			values[arm] = mean(evals[arm], f);
		print_line(f < FAMILIES ? family_names[f] : "all: mean",
			   values);
		printf("\n");
	}
	for (enum family f = 0; f <= FAMILIES; f++) {
		for (enum arm arm = 0; arm < ARMS; arm++)
			values[arm] = 100 * ratio(MEMORY, arm, f);
		print_line(f < FAMILIES ? family_names[f]
					: "all: memory / this, %",
			   values);
		printf("\n");
	}
}

static void print_shares(void)
{
	double values[ARMS];

	for (enum arm arm = 0; arm < ARMS; arm++)
		values[arm] = 100 * mean(shares[arm], FAMILIES);
	print_line("all: log gain at the end, %", values);
	printf("\n");
}

static void the_table_has_all_tasks_and_a_way_to_go_in_each(void)
{
	EXPECT(table.task_count == AO_ARRAY_SIZE(families));
	for (size_t i = 0; i < table.task_count; i++) {
		EXPECT(family_of(i) != FAMILIES);
		EXPECT(table.tasks[i].count > 20);
		EXPECT(table.tasks[i].best > 0);
	}
}

static void a_memory_needs_fewer_evaluations_than_a_placebo(void)
{
	EXPECT(ratio(MEMORY, PLACEBO, FAMILIES) <= 0.6);
}

static void a_memory_needs_fewer_than_the_order_of_the_catalogue(void)
{
	EXPECT(ratio(MEMORY, CATALOGUE, FAMILIES) <= 0.7);
}

static void a_memory_finds_as_much_in_the_end(void)
{
	EXPECT(mean(shares[MEMORY], FAMILIES) >
	       mean(shares[CATALOGUE], FAMILIES) - 0.01);
}

int main(void)
{
	const char *path = getenv("GAINS_TABLE");

	if (!gaintable_read(&table, path ? path : "tests/data/plan-gains.tsv"))
		return 1;
	search_without();
	search_with_memories();
	print_results();
	print_shares();
	RUN(the_table_has_all_tasks_and_a_way_to_go_in_each);
	RUN(a_memory_needs_fewer_evaluations_than_a_placebo);
	RUN(a_memory_needs_fewer_than_the_order_of_the_catalogue);
	RUN(a_memory_finds_as_much_in_the_end);
	gaintable_release(&table);
	return tap_done();
}
