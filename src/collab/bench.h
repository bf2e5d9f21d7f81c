/* SPDX-License-Identifier: MIT */
/*
 * bench.h - what a suite of tasks came to, task by task.
 *
 * A search of each task ends with a winner, or with the author's baseline if
 * nothing beat it.  That kernel is then timed on all cases against both
 * baselines, in pairs of one session, and what is found becomes the kernel's
 * profile in git.  So all of a benchmark is history: it is read from there, and
 * what is there already is not measured again.
 */
#ifndef AO_COLLAB_BENCH_H
#define AO_COLLAB_BENCH_H

#include "eval/ask.h"
#include "store/history.h"

/* How the final kernel does on a case.  Of what is not known times are 0. */
struct ao_bench_case {
	char *name;
	char *shape;		/* "M=512 N=512" */
	double final_ns;	/* the final kernel, its median */
	double author_ns;	/* the baselines': final_ns by the gain */
	double practitioner_ns; /* of the practitioner's; 0: there is none */
	struct ao_gain over_author;
	struct ao_gain over_practitioner;
	double percent_before; /* of peak: the author's baseline */
	double percent_after;  /* the final kernel */
	/* The same by its fastest call: ceilings are best windows, too. */
	double percent_fastest;
	char *bound; /* what binds it, or NULL */
};

/* One task.  All zero is empty. */
struct ao_bench_row {
	char *task;
	char run[64];
	char best[AO_ID_SIZE];	     /* commit, or "": the author's baseline */
	uint32_t evals;		     /* that the search paid */
	uint32_t failed;	     /* of them, that did not pass */
	struct ao_strs plans;	     /* of the best lineage, oldest first */
	struct ao_bench_case *cases; /* [case_count] the main one first */
	size_t case_count;
};
void ao_bench_row_release(struct ao_bench_row *row);

/* A task as it is benchmarked. */
struct ao_bench_task {
	const struct ao_task *task;
	const struct ao_kernel *author;	      /* with its id */
	const struct ao_kernel *practitioner; /* the same, or NULL */
	const struct ao_strs *cases;	      /* to compare on, main first */
};

/* What a run must be like to be gone on with. */
struct ao_bench_wanted {
	const struct ao_bench_task *task;
	const char *writer;
	const char *machine; /* as ao_machine_key() has it */
	uint64_t seed;	     /* 0: any */
};

/*
 * The newest run of this clone that began with the same task and kernel, was
 * judged by the same rules and on an equal machine; NULL: there is none.
 */
const struct ao_history_run *ao_bench_find_run(
	const struct ao_history *history, const struct ao_bench_wanted *wanted);

/* The newest profile of the kernel that the run ended with, or NULL. */
const struct ao_profile *ao_bench_final_profile(
	const struct ao_history_run *run);

/*
 * Read the row of a run that has ended, loaded in full.  Returns false, *out
 * untouched, if its final kernel was not timed against both baselines yet.
 */
bool ao_bench_row_read(struct ao_bench_row *out,
		       const struct ao_history_run *run,
		       const struct ao_bench_task *task);

/*
 * Judge both baselines, of which the practitioner's is there, on the cases to
 * compare on: a search costs minutes, this seconds.  AO_EINVALID if one does
 * not pass.
 */
AO_MUST_CHECK
struct ao_error *ao_bench_check(struct ao_asker *asker,
				const struct ao_bench_task *task);

/*
 * Time the run's final kernel against both baselines and put its profile into
 * git.  AO_EINVALID if it, or a baseline, does not pass.
 */
AO_MUST_CHECK
struct ao_error *ao_bench_judge(struct ao_repo *repo, struct ao_asker *asker,
				const struct ao_history_run *run,
				const struct ao_bench_task *task);

/* Over the main cases of some rows. */
struct ao_bench_sum {
	size_t rows;
	double over_author; /* geometric means; logs */
	double percent_before;
	double percent_after;
	double percent_fastest;
	size_t practitioner_rows; /* those with a practitioner's baseline */
	double over_practitioner;
	const struct ao_bench_row *worst; /* against it, or NULL */
	uint32_t evals;			  /* of all searches */
	uint32_t failed;
};
void ao_bench_sum(struct ao_bench_sum *out, const struct ao_bench_row *rows,
		  size_t count);

#endif
