/* SPDX-License-Identifier: MIT */
/*
 * candidate.h - an attempt as history has it: a commit and its records.
 */
#ifndef AO_MODEL_CANDIDATE_H
#define AO_MODEL_CANDIDATE_H

#include "model/record.h"
#include "util/buf.h"

/* Where in a run an attempt stands; written "3.17". */
struct ao_attempt {
	uint32_t iteration;
	uint32_t number; /* from 1 */
};

/* What a candidate commit's message says. */
struct ao_message {
	char *title; /* one line, at most 72 columns */
	char *plan;  /* the plan's text */
	char *task;  /* its name */
	char *run;   /* run id */
	struct ao_attempt attempt;
	char *agent;
	char *plan_id;
};

void ao_message_release(struct ao_message *message);

/* The commit message: title, indented plan, trailers. */
void ao_message_write(struct ao_buf *out, const struct ao_message *message);

/* Read a commit message.  False if it has not all of our trailers. */
bool ao_message_read(struct ao_message *out, const char *text, size_t len);

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

/* A gain as a log with its 95 % interval. */
struct ao_gain {
	double log_gain;
	double log_low;
	double log_high;
	bool is_measured; /* as a pair, not summed up along the lineage */
};

/*
 * The gain over the baseline, whose kernel id is `base_kernel`: measured
 * against it if it ever was, else the score.  False if it has none.
 */
bool ao_candidate_gain_baseline(struct ao_gain *out,
				const struct ao_candidate *candidate,
				const char *base_kernel);

/* The gain over its own parent on the main case.  False if not timed. */
bool ao_candidate_gain_parent(struct ao_gain *out,
			      const struct ao_candidate *candidate);

#endif
