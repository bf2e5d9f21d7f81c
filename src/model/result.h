/* SPDX-License-Identifier: MIT */
/*
 * result.h - what one evaluation found out.
 *
 * Absolute times of different sessions are never compared; a gain is always a
 * pair timed in one session, candidate against opponent.  All gains are
 * natural logarithms of (opponent's time / candidate's time): > 0 is faster.
 */
#ifndef AO_MODEL_RESULT_H
#define AO_MODEL_RESULT_H

#include "model/counts.h"
#include "model/hotloop.h"
#include "model/machine.h"
#include "model/verdict.h"
#include "util/json.h"
#include "util/json_pull.h"

enum ao_decision {
	AO_DECISION_NONE,   /* not timed against anything */
	AO_DECISION_FASTER, /* the evidence is beyond the bound */
	AO_DECISION_SLOWER,
	AO_DECISION_TIE,       /* no gain as large as the least effect */
	AO_DECISION_UNDECIDED, /* the budget of units ended first */
	/* Not timed: what was found here would mean nothing, see control. */
	AO_DECISION_VOID,
	AO_DECISION_COUNT,
};
const char *ao_decision_name(enum ao_decision decision); /* "faster", ... */

/* A candidate timed against an opponent on one case. */
struct ao_pair {
	char against[AO_ID_SIZE]; /* kernel id of the opponent */
	char *case_name;
	enum ao_decision decision;
	double log_gain; /* median over units */
	double log_low;	 /* 95 % interval of it */
	double log_high;
	/* e-value of the decision, decides above 100; 0: was not timed */
	double evidence;
	double *unit_log_gain; /* [units] in the order they were run */
	size_t units;	       /* fresh process pairs */
	double gap_fraction;   /* of the time, stolen by others: 0..1 */
};

/* How one case went.  Of what is not known times and percentage are 0. */
struct ao_case_result {
	char *case_name;
	double error; /* largest relative L2 error over outputs and calls */
	double limit; /* what was allowed for that output */
	double min_ns;
	double median_ns;
	double floor_ns;
	double percent_of_peak; /* 100 x floor / median */
	char *bound;		/* what binds: "memory", "fma", ... */
};

/* A compiler's remark about a line of the kernel. */
struct ao_remark {
	char *file; /* of the kernel; NULL: it has but one */
	uint32_t line;
	char *text;
};

/* All zero is empty. */
struct ao_result {
	enum ao_verdict verdict;
	char *detail; /* one line: why, if it is not PASSED */
	char *log;    /* compiler's or kernel's output, capped; may be NULL */
	char *flags;  /* what it was compiled with */
	char *hidden; /* shapes that were drawn: "M=37 N=51; M=9 N=33" */
	struct ao_case_result *cases; /* the main one first */
	size_t case_count;
	struct ao_pair *pairs; /* the main case first */
	size_t pair_count;
	/*
	 * A kernel timed against itself, once a session of the judge: where
	 * that is faster or slower, pairs are VOID.  Without case if it was not
	 * done.
	 */
	struct ao_pair control;
	struct ao_remark *remarks;
	size_t remark_count;
	struct ao_hotloop hotloop;  /* on the main case */
	struct ao_counts counts;    /* the same, if they were asked for */
	struct ao_machine machine;  /* without its ceilings */
	uint64_t seed;		    /* of the inputs */
	char evaluator[AO_ID_SIZE]; /* hash of the judge's version and rules */
	bool is_reused; /* taken from an earlier record of the same pair */

	/* Where the CPU time went, in nanoseconds; not kept in records. */
	struct {
		uint64_t compile, reference, inputs, compare, worker, isolation,
			own;
	} cpu_ns;
};

void ao_result_release(struct ao_result *result);
void ao_result_copy(struct ao_result *out, const struct ao_result *from);

void ao_pair_release(struct ao_pair *pair);
void ao_pair_copy(struct ao_pair *out, const struct ao_pair *from);

/* Whether a kernel was told apart from itself. */
bool ao_pair_tells_apart(const struct ao_pair *control);

/* The pair of the main case, or NULL if it was not timed against anything. */
const struct ao_pair *ao_result_main_pair(const struct ao_result *result);

/* Whether a pair of this result is about the main case. */
bool ao_result_is_main_pair(const struct ao_result *result,
			    const struct ao_pair *pair);

/* Append an empty pair, with this opponent; borrowed until the next. */
struct ao_pair *ao_result_add_pair(struct ao_result *result,
				   const char *against);

/* Append copies of the pairs that `from` has to those of `to`. */
void ao_result_append_pairs(struct ao_result *to, const struct ao_result *from);

/* Drop all pairs behind the first. */
void ao_result_keep_first_pair(struct ao_result *result);

/* Whether the case was judged so far that its error is known. */
bool ao_result_knows_error(const struct ao_result *result,
			   const struct ao_case_result *c);

/* The main case's result, or NULL. */
const struct ao_case_result *ao_result_main(const struct ao_result *result);

/* Append the result's members to `to`, an object. */
void ao_result_to_json(struct ao_json *to, const struct ao_result *result,
		       bool with_cpu);

/*
 * Take the member at hand if it is one of a result; else return false, with the
 * value still to be taken.  Begin with *next 0.  See fields.h.
 */
bool ao_result_pull(struct ao_result *out, size_t *next,
		    struct ao_json_pull *pull);

/* Members that are missing or odd stay empty. */
void ao_result_from_json(struct ao_result *out, const struct ao_json *from);

#endif
