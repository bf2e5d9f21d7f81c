/* SPDX-License-Identifier: MIT */
/*
 * record.h - the lines of a note: the only reader and writer of records.
 *
 * A note is text, a JSON object a line.  The first keys are "time", so that
 * sorted lines are in order of time, "v", "kind", "id" and "summary".  Lines
 * that are blank, do not parse, or have a higher "v" are passed over, and kept
 * when a note is rewritten.  The union of two notes' lines is always right.
 * Each kind is described in gitaccelopt-formats(5).
 */
#ifndef AO_MODEL_RECORD_H
#define AO_MODEL_RECORD_H

#include "model/fields.h"
#include "model/result.h"

enum { AO_RECORD_VERSION = 1 };

enum ao_record_kind {
	AO_RECORD_PROFILE,
	AO_RECORD_PLAN,
	AO_RECORD_INSIGHT,
	AO_RECORD_KIND_COUNT,
};
const char *ao_record_kind_name(enum ao_record_kind kind); /* "profile", ... */

/* What every record begins with. */
struct ao_record_head {
	int64_t time_unix_ms;
	char id[AO_RECORD_ID_SIZE];	  /* random */
	char replaces[AO_RECORD_ID_SIZE]; /* an older record, or "" */
};

/* An evaluation of a kernel, on the commit of the candidate. */
struct ao_profile {
	struct ao_record_head head;
	char kernel[AO_ID_SIZE];
	char task[AO_ID_SIZE];
	/*
	 * Log gain over the baseline along the lineage, and its variance; NAN
	 * unless the verdict is PASSED.
	 */
	double score;
	double score_variance;
	struct ao_result result;
};

/* What was planned, on the commit of the candidate that came of it. */
struct ao_plan {
	struct ao_record_head head;
	char id[AO_RECORD_ID_SIZE]; /* plan id; K samples share it */
	char *title;		    /* one line */
	char *text;		    /* the plan, free text */
	char *agent;		    /* "catalog" or a model's name */
	/*
	 * For statistics: which catalogue entry with which parameters
	 * ("tile rows=6 vecs=2"), where it applies ("contraction,strided"),
	 * each NULL if the agent does not say.
	 */
	char *move;
	char *features;
	struct ao_strs insights; /* record ids of those it was shown */
};

/* What a slow and a fast kernel teach, on the commit of the fast one. */
struct ao_insight {
	struct ao_record_head head;
	char *task; /* its name */
	char *run;  /* the run it was drawn in */
	uint32_t iteration;
	uint32_t rank; /* within the iteration: 0 is the best */
	char *title;
	char *text;
	char *slow_code;
	char *fast_code;
	char slow[AO_ID_SIZE]; /* commits */
	char fast[AO_ID_SIZE];
	double log_gain; /* of fast over slow, with its 95 % interval */
	double log_low;
	double log_high;
	char *features;
	char *agent;
};

/* A new random id and the time now. */
void ao_record_head_init(struct ao_record_head *head);

/* Append the record as one line, with its newline. */
void ao_profile_write(struct ao_buf *out, const struct ao_profile *profile);
void ao_plan_write(struct ao_buf *out, const struct ao_plan *plan);
void ao_insight_write(struct ao_buf *out, const struct ao_insight *insight);

/*
 * Read one line.  Return false, *out untouched, if it is not a record of that
 * kind or of a version that we know.
 */
bool ao_profile_read(struct ao_profile *out, const char *line, size_t len);
bool ao_plan_read(struct ao_plan *out, const char *line, size_t len);
bool ao_insight_read(struct ao_insight *out, const char *line, size_t len);

void ao_profile_release(struct ao_profile *profile);
void ao_plan_release(struct ao_plan *plan);
void ao_insight_release(struct ao_insight *insight);

/*
 * Set the id of a plan by its move and the kernel that it is for: not at
 * random, as a search that goes on has to know its plans again.
 */
void ao_plan_identify(struct ao_plan *plan, const char *kernel);

void ao_plan_copy(struct ao_plan *out, const struct ao_plan *from);
void ao_insight_copy(struct ao_insight *out, const struct ao_insight *from);

#endif
