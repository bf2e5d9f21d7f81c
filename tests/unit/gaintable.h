/* SPDX-License-Identifier: MIT */
/*
 * gaintable.h - what the plans of the catalogue gained, as once measured:
 * tests/data/plan-gains.tsv, by tests/bench/long/plan_gains.c.
 */
#ifndef AO_TESTS_GAINTABLE_H
#define AO_TESTS_GAINTABLE_H

#include <math.h>

#include "rewrite/proposal.h"
#include "util/error.h"
#include "util/file.h"

enum { GAINTABLE_MAX_BYTES = 4 << 20, GAINTABLE_MAX_TASKS = 14 };

#define GAINTABLE_NO_STATE SIZE_MAX

/* A kernel that plans lead to, and what the catalogue offers there. */
struct gainstate {
	double score; /* log gain over the baseline, on the way found first */
	size_t first; /* row of its first plan */
	size_t count; /* plans; 0: it was not expanded */
};

struct gaintask {
	char *name;
	struct ao_proposal *plans; /* [count] borrow from the table's text */
	size_t *to;		   /* [count] state, or GAINTABLE_NO_STATE */
	double *log_gain;	   /* [count] over the state it was made for */
	size_t count;
	size_t alloc;
	struct gainstate *states; /* [state_count] state 0 is the baseline */
	size_t state_count;
	double best; /* the highest score */
};

struct gaintable {
	struct ao_buf text;
	struct gaintask tasks[GAINTABLE_MAX_TASKS];
	size_t task_count;
};

/* The next field of a line, up to a tab or its end. */
static inline char *gaintable_field(char **at)
{
	char *field = *at;
	char *end = strchr(field, '\t');

	if (end)
		*end++ = '\0';
	else
		end = field + strlen(field);
	*at = end;
	return field;
}

static inline struct gainstate *gaintable_state(struct gaintask *task, size_t i)
{
	if (i >= task->state_count) {
		task->states = ao_xrealloc(task->states,
					   (i + 1) * sizeof(*task->states));
		while (task->state_count <= i)
			task->states[task->state_count++] = (struct gainstate){
				.score = (double)NAN
			};
	}
	return &task->states[i];
}

static inline void gaintable_add(struct gaintask *task, char *line)
{
	size_t row = task->count++, from;
	char *to, *gain, *prior, *move, *features;

	from = strtoul(gaintable_field(&line), NULL, 10);
	to = gaintable_field(&line);
	gain = gaintable_field(&line);
	prior = gaintable_field(&line);
	move = gaintable_field(&line);
	features = gaintable_field(&line);
	if (row == task->alloc) {
		task->alloc = row ? 2 * row : 64;
		task->plans = ao_xrealloc(task->plans,
					  task->alloc * sizeof(*task->plans));
		task->to = ao_xrealloc(task->to,
				       task->alloc * sizeof(*task->to));
		task->log_gain = ao_xrealloc(
			task->log_gain, task->alloc * sizeof(*task->log_gain));
	}
	task->plans[row] = (struct ao_proposal){ .move = move,
						 .features = features,
						 .params = line,
						 .prior = strtod(prior, NULL) };
	if (!gaintable_state(task, from)->count++)
		task->states[from].first = row;
	task->to[row] = GAINTABLE_NO_STATE;
	task->log_gain[row] = (double)NAN;
	if (strcmp(to, "-") != 0) {
		struct gainstate *state;

		task->to[row] = strtoul(to, NULL, 10);
		task->log_gain[row] = strtod(gain, NULL);
		state = gaintable_state(task, task->to[row]);
		if (isnan(state->score))
			state->score = task->states[from].score +
				       task->log_gain[row];
		task->best = fmax(task->best, state->score);
	}
}

static inline struct gaintask *gaintable_task(struct gaintable *table,
					      char *name)
{
	struct gaintask *last = table->task_count
					? &table->tasks[table->task_count - 1]
					: NULL;

	if (last && !strcmp(last->name, name))
		return last;
	if (table->task_count == GAINTABLE_MAX_TASKS)
		return last;
	last = &table->tasks[table->task_count++];
	*last = (struct gaintask){ .name = name };
	gaintable_state(last, 0)->score = 0;
	return last;
}

/* The caller releases it.  Returns false, saying why, if it cannot be read. */
static inline bool gaintable_read(struct gaintable *out, const char *path)
{
	struct ao_error *err;
	char *line, *rest;

	*out = (struct gaintable){ .text = AO_BUF_INIT(GAINTABLE_MAX_BYTES) };
	err = ao_file_read(&out->text, path);
	if (err) {
		printf("# %s\n", ao_error_message(err));
		ao_error_free(err);
		return false;
	}
	for (line = strtok_r(out->text.ptr, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (*line != '#') {
			char *name = gaintable_field(&line);

			gaintable_add(gaintable_task(out, name), line);
		}
	}
	return true;
}

static inline void gaintable_release(struct gaintable *table)
{
	for (size_t i = 0; i < table->task_count; i++) {
		free(table->tasks[i].plans);
		free(table->tasks[i].to);
		free(table->tasks[i].log_gain);
		free(table->tasks[i].states);
	}
	ao_buf_release(&table->text);
}

#endif
