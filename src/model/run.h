/* SPDX-License-Identifier: MIT */
/*
 * run.h - the settings of a search, as its journal keeps them in run.json.
 */
#ifndef AO_MODEL_RUN_H
#define AO_MODEL_RUN_H

#include "model/machine.h"
#include "util/json.h"

/*
 * Names and symbols of AccelOpt, arXiv:2511.15915; the defaults here are the
 * catalogue agent's.
 */
struct ao_settings {
	uint32_t beam;	     /* B: candidates carried to the next iteration */
	uint32_t plans;	     /* N: plans per candidate */
	uint32_t samples;    /* K: kernels per plan */
	uint32_t iterations; /* T: at most */
	uint32_t fix_rounds; /* F: repairs of a failing kernel */
	double positive_threshold; /* t_pos: speed-up that makes an insight */
	double negative_threshold; /* t_neg: slow-down that makes one */
	uint32_t insights;	   /* TopK: per iteration */
	uint32_t memory;	   /* ExpN: insights kept for prompts */
	uint32_t max_evals;	   /* evaluations in all; 0: no limit */
	uint32_t max_time_s;	   /* of wall time in all; 0: no limit */
	uint64_t seed;		   /* of all that is random; 0: draw one */
	char *planner;		   /* agents by role; "catalog" */
	char *executor;
	char *summarizer;
};

/* Fill in the defaults; release with ao_settings_release(). */
void ao_settings_init(struct ao_settings *settings);

/* AO_EUSAGE names the first setting that is out of its range. */
AO_MUST_CHECK
struct ao_error *ao_settings_check(const struct ao_settings *settings);
void ao_settings_release(struct ao_settings *settings);

/*
 * Whether `id` can be a run id, as part of a ref: letters, digits and '-', at
 * most 63 of them.
 */
bool ao_run_id_is_valid(const char *id);

/* run.json.  All zero is empty. */
struct ao_run {
	char *id;   /* "20261130T021054-7f3a9c01" */
	char *task; /* its name */
	char task_id[AO_ID_SIZE];
	char evaluator[AO_ID_SIZE];
	char base[AO_ID_SIZE]; /* the commit it started from */
	char base_kernel[AO_ID_SIZE];
	char *writer;
	char *tool_version;
	int64_t started_unix_ms;
	struct ao_settings settings;
	struct ao_machine machine;
	char *origin; /* a run that this one continues, or NULL */
};

void ao_run_release(struct ao_run *run);

/* Append run.json, for people to read, with its newline. */
void ao_run_write(struct ao_buf *out, const struct ao_run *run);

/*
 * Read run.json; `where` is its place, for messages.  AO_EINVALID, naming the
 * field, if it is not one that can be gone on with or reported: an unknown
 * version, no run id, task or base, or settings out of range.
 */
AO_MUST_CHECK
struct ao_error *ao_run_read(struct ao_run *out, const char *where,
			     const char *text, size_t len);

#endif
