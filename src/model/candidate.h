/* SPDX-License-Identifier: MIT */
/*
 * candidate.h - an attempt as history has it: a commit and its records.
 */
#ifndef AO_MODEL_CANDIDATE_H
#define AO_MODEL_CANDIDATE_H

#include "model/message.h"
#include "model/record.h"
#include "util/buf.h"

/* One attempt with all that is known about it.  All zero is empty. */
struct ao_candidate {
	char commit[AO_ID_SIZE];
	char parent[AO_ID_SIZE]; /* commit it was derived from */
	char kernel[AO_ID_SIZE]; /* kernel id */
	int64_t time_unix_ms;	 /* of the commit */
	struct ao_message message;
	/*
	 * The newest record of each kind, NULL where notes are missing.
	 */
	struct ao_profile *profile;
	struct ao_plan *plan;
};

void ao_candidate_release(struct ao_candidate *candidate);

/* Its verdict; AO_VERDICT_NONE without a profile. */
enum ao_verdict ao_candidate_verdict(const struct ao_candidate *candidate);

/* Whether its verdict cost this run an evaluation: judged, and not reused. */
bool ao_candidate_is_paid(const struct ao_candidate *candidate);

/* The plan's move that takes a step of its own lineage out again. */
#define AO_MOVE_DROP "drop"

/*
 * Whether it was made by that move; *out is the attempt that it takes out.
 * `out` may be NULL.
 */
bool ao_candidate_drops(struct ao_attempt *out,
			const struct ao_candidate *candidate);

/* A gain as a log with its 95 % interval. */
struct ao_gain {
	double log_gain;
	double log_low;
	double log_high;
	bool is_measured; /* as a pair, not summed up along the lineage */
};

/* 95 % of a normal distribution lie within so many deviations. */
#define AO_GAIN_DEVIATIONS 1.959964

/* "x1.42 [1.38..1.46]"; without the interval if that is not known. */
void ao_gain_text(struct ao_buf *out, const struct ao_gain *gain);

/* The gain that a score stands for. */
void ao_gain_of_score(struct ao_gain *out, double score, double variance);

/*
 * The gain over the baseline, whose kernel id is `base_kernel`: measured
 * against it if it ever was (the last time counts), else the score.  False if
 * it has none.
 */
bool ao_candidate_gain_baseline(struct ao_gain *out,
				const struct ao_candidate *candidate,
				const char *base_kernel);

/*
 * Whether it was timed against another kernel.  One that came out as the same
 * machine code was only checked: it ties without a timing, and what its profile
 * has of times is of those few calls.
 */
bool ao_candidate_is_timed(const struct ao_candidate *candidate);

/* The gain over its own parent on the main case.  False if not compared. */
bool ao_candidate_gain_parent(struct ao_gain *out,
			      const struct ao_candidate *candidate);

#endif
