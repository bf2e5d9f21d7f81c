/* SPDX-License-Identifier: MIT */
/*
 * search.h - the state of one search, shared by the modules of this folder.
 *
 * What is known about the run is history, nothing else: `self` holds the
 * attempts exactly as a later reader of the repository will see them, so going
 * on after a crash is the same code as going on after an iteration.
 */
#ifndef AO_EVOLVE_SEARCH_H
#define AO_EVOLVE_SEARCH_H

#include "agents/agent.h"
#include "eval/evaluator.h"
#include "evolve/event.h"
#include "evolve/reuse.h"
#include "store/history.h"
#include "store/journal.h"
#include "util/loop.h"

struct ao_job;

/* So many judges dying one after the other are not the candidates' fault. */
enum { AO_MAX_LOST_JUDGES = 3 };

/* The source of a kernel that is in history as `commit`. */
struct ao_known_kernel {
	char commit[AO_ID_SIZE];
	struct ao_kernel kernel;
};

struct ao_search {
	const struct ao_evolve_options *options;
	struct ao_repo *repo;
	struct ao_task *task;
	struct ao_machine machine;
	struct ao_journal *journal;
	struct ao_loop *loop;
	struct ao_evaluator *evaluator;
	struct ao_agent *planner;
	struct ao_agent *executor;
	struct ao_agent *summarizer;

	struct ao_history history; /* with this run in it: */
	struct ao_history_run *self;
	size_t candidate_alloc;
	struct ao_reuse *reuse;
	struct ao_memory memory;	  /* as of the start of the iteration */
	struct ao_known_kernel **kernels; /* [kernel_count] do not move */
	size_t kernel_count;
	size_t kernel_alloc;

	uint32_t iteration;    /* the one that is going on */
	uint32_t next_number;  /* of an attempt in it */
	uint32_t evals_kept;   /* of the budget, for leaving out steps */
	uint32_t evals;	       /* paid for in this run, with a verdict */
	uint32_t in_judgement; /* asked for, and not answered yet */
	uint32_t reused;
	uint32_t in_flight;
	char best[AO_ID_SIZE]; /* commit; the base until one is confirmed */
	struct ao_gain best_gain;

	uint64_t deadline_ns; /* 0: none */
	bool is_out_of_time;
	bool is_budget_spent;	  /* there were ideas left to try */
	struct ao_job *jobs;	  /* attempts in flight, see attempt.h */
	uint32_t lost_judges;	  /* in a row, that died without an answer */
	bool has_told_of_sandbox; /* that there is none */
	struct ao_loop_source *flush_timer;
	struct ao_error *failure; /* the first that a callback met */
};

/* Tell the caller.  `event` needs what is special about it; the rest is set. */
void ao_search_emit(struct ao_search *search, struct ao_event *event);

/* A warning of one line. */
AO_PRINTF(2, 3)
void ao_search_warn(struct ao_search *search, const char *fmt, ...);

/* Keep the first failure for whoever waits; takes over `err`; NULL is fine. */
void ao_search_fail(struct ao_search *search, struct ao_error *err);

/*
 * Whether a result may make a kernel the best: not one from outside any
 * sandbox, unless the user allows that.  Warns, once a search.
 */
bool ao_search_may_promote(struct ao_search *search,
			   const struct ao_result *result);

/* Why no new work may begin: interrupted, or out of time. */
enum ao_halt { AO_HALT_NONE, AO_HALT_INTERRUPTED, AO_HALT_TIME };
enum ao_halt ao_search_halt(const struct ao_search *search);

/* How many more evaluations may be paid for now. */
uint32_t ao_search_evals_left(const struct ao_search *search);

/*
 * Step the loop until *count is 0, a failure is kept, or work has to halt.
 * Returns the failure.
 */
AO_MUST_CHECK
struct ao_error *ao_search_wait(struct ao_search *search,
				const uint32_t *count);

/*
 * Evaluate `bundle` and wait for it, again if its judge is lost.  *out keeps no
 * verdict if work had to halt first; then there is no evaluator any more.
 * AO_EINVALID if it is the opponent that is not right.
 */
AO_MUST_CHECK
struct ao_error *ao_search_evaluate(struct ao_result *out,
				    struct ao_search *search,
				    const struct ao_bundle *bundle);

/*
 * Start the judges, if there are none.
 */
AO_MUST_CHECK
struct ao_error *ao_search_start_judges(struct ao_search *search);

/* Kill the judges: none of their answers will come any more. */
void ao_search_stop_judges(struct ao_search *search);

/*
 * Something was added to the journal: see that it is on disk within a second,
 * also while we wait for something else.
 */
void ao_search_touch(struct ao_search *search);

/* Put it on disk now. */
AO_MUST_CHECK
struct ao_error *ao_search_flush(struct ao_search *search);

#endif
