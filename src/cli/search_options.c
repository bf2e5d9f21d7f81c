/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "cli/search_options.h"

void ao_search_args_init(struct ao_search_args *args)
{
	ao_settings_init(&args->settings);
	args->planner = args->settings.planner;
	args->executor = args->settings.executor;
	args->summarizer = args->settings.summarizer;
}

static void settle(char **owned, const char *chosen)
{
	if (!chosen || chosen == *owned)
		return;
	free(*owned);
	*owned = ao_xstrdup(chosen);
}

void ao_search_args_settle(struct ao_search_args *args)
{
	settle(&args->settings.planner, args->planner);
	settle(&args->settings.executor, args->executor);
	settle(&args->settings.summarizer, args->summarizer);
	args->planner = args->settings.planner;
	args->executor = args->settings.executor;
	args->summarizer = args->settings.summarizer;
}

void ao_search_args_release(struct ao_search_args *args)
{
	ao_settings_release(&args->settings);
	*args = (struct ao_search_args){ 0 };
}

void ao_search_options(struct ao_option table[AO_SEARCH_OPTIONS],
		       struct ao_search_args *args)
{
	struct ao_settings *s = &args->settings;
	const struct ao_option rows[] = {
		AO_COUNT('b', "beam", &s->beam, 1, 64, "accelopt.beam", "n",
			 "carry <n> candidates to the next iteration"),
		AO_COUNT('p', "plans", &s->plans, 1, 1000, "accelopt.plans",
			 "n", "ask for <n> plans per candidate"),
		AO_COUNT('s', "samples", &s->samples, 1, 100,
			 "accelopt.samples", "n", "write <n> kernels per plan"),
		AO_COUNT('t', "iterations", &s->iterations, 1, 10000,
			 "accelopt.iterations", "n",
			 "end after <n> iterations"),
		AO_COUNT(0, "fix-rounds", &s->fix_rounds, 0, 20,
			 "accelopt.fixRounds", "n",
			 "repair a failing kernel up to <n> times"),
		AO_NUMBER(0, "positive-threshold", &s->positive_threshold, 1,
			  100, "accelopt.positiveThreshold", "x",
			  "learn from speed-ups above <x>"),
		AO_NUMBER(0, "negative-threshold", &s->negative_threshold, 1,
			  100, "accelopt.negativeThreshold", "x",
			  "learn from slow-downs above <x>"),
		AO_COUNT(0, "insights", &s->insights, 0, 1000,
			 "accelopt.insights", "n",
			 "draw at most <n> insights per iteration"),
		AO_COUNT(0, "memory", &s->memory, 0, 1000, "accelopt.memory",
			 "n", "show agents the newest <n> insights"),
		AO_COUNT('n', "max-evals", &s->max_evals, 0, 1000000,
			 "accelopt.maxEvals", "n",
			 "end after <n> evaluations; 0: no limit"),
		AO_TIME(0, "max-time", &s->max_time_s, "accelopt.maxTime",
			"time", "end after 90s, 15m, 2h; 0: no limit"),
		AO_SEED(0, "seed", &s->seed, "accelopt.seed", "n",
			"draw all that is random from <n>; 0: choose one"),
		AO_STRING(0, "planner", &args->planner, "accelopt.planner",
			  "agent", "who plans"),
		AO_STRING(0, "executor", &args->executor, "accelopt.executor",
			  "agent", "who writes kernels"),
		AO_STRING(0, "summarizer", &args->summarizer,
			  "accelopt.summarizer", "agent", "who draws insights"),
	};

	_Static_assert(AO_ARRAY_SIZE(rows) == AO_SEARCH_OPTIONS,
		       "a row is missing");
	memcpy(table, rows, sizeof(rows));
}
