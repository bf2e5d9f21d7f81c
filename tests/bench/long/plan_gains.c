/* SPDX-License-Identifier: MIT */
/*
 * plan_gains.c - what each plan of the catalogue gains at each state of a
 * search: the table that tests/unit/test_learning.c replays searches on.
 *
 *     plan_gains TABLE TASK-FOLDER...
 *
 * A state is a kernel that plans lead to; state 0 is the author's baseline.  A
 * state is *expanded* by trying everything that the catalogue offers there,
 * with all numbers, but for the sweep that ends a search.  Expanded are the
 * baseline and then, for each number of steps, the fastest few, but not many
 * that one move led to from one parent, so that there is a way on also for who
 * began with something else than the best.  A kernel that several ways lead to
 * is one state, measured once.
 *
 * TABLE is appended to, a task at a time; a task that is in there already is
 * passed over, so one who was interrupted goes on.
 */
#include "util/base.h"

#include <limits.h>

#include "agents/task_context.h"
#include "eval/build.h"
#include "eval/cpu.h"
#include "eval/scratch.h"
#include "eval/toolchain.h"
#include "rewrite/catalogue.h"
#include "stopwatch.h"
#include "util/file.h"
#include "util/limits.h"
#include "util/text.h"

enum {
	MAX_TABLE_BYTES = 16 << 20,
	BUILD_TIMEOUT_MS = 30000,
	FROM_ONE_MOVE = 2, /* states expanded that it led to from one parent */
};

/* How many states are expanded that are so many steps from the baseline. */
static const unsigned widths[] = { 1, 6, 6, 4, 3 };

struct state {
	char *text;
	char *object; /* path; NULL: it failed, so that it is none */
	char *move;   /* that led to it first */
	size_t parent;
	unsigned depth;
	double score; /* log gain over the baseline */
	bool is_expanded;
};

struct survey {
	struct ao_task *task;
	struct ao_task_context context;
	struct stopwatch watch;
	struct ao_scratch *scratch;
	struct state *states; /* [count] those that failed among them */
	size_t count;
	size_t alloc;
	struct ao_buf rows;
};

AO_MUST_CHECK
static struct ao_error *read_text(char **out, const char *folder,
				  const char *file)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_TASK_BYTES);
	char *path = ao_xstrf("%s/%s", folder, file);
	struct ao_error *err = ao_file_read(&text, path);

	if (!err)
		*out = ao_buf_take(&text);
	ao_buf_release(&text);
	free(path);
	return err;
}

AO_MUST_CHECK
static struct ao_error *load_task(struct ao_task **out, const char *folder)
{
	char *json = NULL, *reference = NULL;
	struct ao_task *task = NULL;
	struct ao_error *err = read_text(&json, folder, "task.json");

	if (!err)
		err = ao_task_parse(&task, folder, json, strlen(json));
	if (!err)
		err = read_text(&reference, folder, task->reference_file);
	if (!err) {
		ao_task_set_reference(task, reference, strlen(reference));
		*out = task;
		task = NULL;
	}
	ao_task_free(task);
	free(json);
	free(reference);
	return err;
}

static struct state *new_state(struct survey *survey, const char *text)
{
	struct state *state;

	survey->states = ao_grow(survey->states, &survey->alloc,
				 survey->count + 1, sizeof(*state));
	state = &survey->states[survey->count++];
	*state = (struct state){ .text = ao_xstrdup(text) };
	return state;
}

/* The state that has this text, or NULL. */
static const struct state *find_state(const struct survey *survey,
				      const char *text)
{
	for (size_t i = 0; i < survey->count; i++)
		if (!strcmp(survey->states[i].text, text))
			return &survey->states[i];
	return NULL;
}

/* *object_out stays NULL if the compiler or the gate refuses it. */
AO_MUST_CHECK
static struct ao_error *build(char **object_out, const struct survey *survey,
			      const char *text)
{
	const struct ao_task *task = survey->task;
	struct ao_kernel kernel = { 0 };
	struct ao_build made = { 0 };
	struct ao_error *err;

	ao_kernel_add(&kernel, task->kernel_files.v[0], text, strlen(text));
	err = ao_build_kernel(&made, ao_scratch_folder(survey->scratch), task,
			      &task->cases[0], &kernel, BUILD_TIMEOUT_MS);
	if (!err && made.verdict == AO_VERDICT_PASSED) {
		*object_out = made.object;
		made.object = NULL;
	}
	ao_build_release(&made);
	ao_kernel_release(&kernel);
	return err;
}

/* Take a kernel that is new: build it, and time it against its parent. */
AO_MUST_CHECK
static struct ao_error *visit(const struct state **out, struct survey *survey,
			      size_t parent, const struct ao_proposal *proposal,
			      const char *text)
{
	struct state *state = new_state(survey, text);
	const struct state *from = &survey->states[parent];
	struct stopwatch_time time;
	struct ao_error *err;

	state->parent = parent;
	state->depth = from->depth + 1;
	state->move = ao_xstrdup(proposal->move);
	*out = state;
	err = build(&state->object, survey, text);
	if (err || !state->object)
		return err;
	if (stopwatch_measure(&time, &survey->watch, from->object,
			      state->object) &&
	    time.error <= 1) {
		state->score = from->score + time.log_gain;
	} else {
		free(state->object);
		state->object = NULL;
	}
	return NULL;
}

/* A row for what a proposal led to. */
static void add_row(struct survey *survey, size_t parent,
		    const struct ao_proposal *proposal,
		    const struct state *child)
{
	struct ao_buf *rows = &survey->rows;

	ao_buf_addf(rows, "%s\t%zu\t", survey->task->name, parent);
	if (child->object)
		ao_buf_addf(rows, "%td\t%.4f", child - survey->states,
			    child->score - survey->states[parent].score);
	else
		ao_buf_addstr(rows, "-\t-");
	ao_buf_addf(rows, "\t%.3f\t%s\t%s\t%s\n", proposal->prior,
		    proposal->move, proposal->features, proposal->params);
}

/* Try one proposal at a state. */
AO_MUST_CHECK
static struct ao_error *try_proposal(struct survey *survey, size_t parent,
				     const struct ao_proposal *proposal)
{
	struct ao_buf text = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	const char *source = survey->states[parent].text;
	const struct state *child = NULL;
	struct ao_error *err = NULL;

	if (ao_catalogue_apply(&text, source, strlen(source),
			       &survey->context.rewrite, proposal->move,
			       proposal->params) &&
	    !text.overflow) {
		child = find_state(survey, text.ptr);
		if (!child)
			err = visit(&child, survey, parent, proposal, text.ptr);
		if (!err)
			add_row(survey, parent, proposal, child);
	}
	ao_buf_release(&text);
	return err;
}

AO_MUST_CHECK
static struct ao_error *expand(struct survey *survey, size_t parent)
{
	struct state *state = &survey->states[parent];
	struct ao_proposal *proposals;
	struct ao_error *err = NULL;
	size_t count;

	state->is_expanded = true;
	ao_catalogue_propose(&proposals, &count, state->text,
			     strlen(state->text), &survey->context.rewrite,
			     false);
	for (size_t i = 0; i < count && !err; i++)
		err = try_proposal(survey, parent, &proposals[i]);
	ao_proposals_free(proposals, count);
	return err;
}

/* How many that are expanded came about as this one did. */
static unsigned count_alike(const struct survey *survey,
			    const struct state *state)
{
	unsigned alike = 0;

	for (size_t i = 0; i < survey->count; i++) {
		const struct state *s = &survey->states[i];

		alike += s->is_expanded && s->depth == state->depth &&
			 s->parent == state->parent && s->move && state->move &&
			 !strcmp(s->move, state->move);
	}
	return alike;
}

/* The fastest state of so many steps that may be expanded, or count. */
static size_t next_state(const struct survey *survey, unsigned depth)
{
	size_t best = survey->count;

	for (size_t i = 0; i < survey->count; i++) {
		const struct state *s = &survey->states[i];

		if (s->object && !s->is_expanded && s->depth == depth &&
		    (best == survey->count ||
		     s->score > survey->states[best].score) &&
		    count_alike(survey, s) < FROM_ONE_MOVE)
			best = i;
	}
	return best;
}

AO_MUST_CHECK
static struct ao_error *explore(struct survey *survey)
{
	struct ao_error *err = NULL;

	for (unsigned depth = 0; depth < AO_ARRAY_SIZE(widths); depth++) {
		for (unsigned n = 0; n < widths[depth] && !err; n++) {
			size_t at = next_state(survey, depth);

			if (at == survey->count)
				break;
			err = expand(survey, at);
			fprintf(stderr, "%s: step %u, state %zu of %zu\n",
				survey->task->name, depth, at, survey->count);
		}
	}
	return err;
}

AO_MUST_CHECK
static struct ao_error *start(struct survey *survey, const char *folder)
{
	struct ao_task *task;
	char *text = NULL;
	struct ao_cpu cpu;
	struct ao_error *err = load_task(&survey->task, folder);

	if (err)
		return err;
	task = survey->task;
	ao_cpu_detect(&cpu);
	ao_task_context_init(&survey->context, task, cpu.vector_bytes);
	ao_cpu_release(&cpu);
	err = stopwatch_init(&survey->watch, task);
	if (!err)
		err = ao_scratch_new(&survey->scratch);
	if (!err)
		err = read_text(&text, folder, task->kernel_files.v[0]);
	if (!err)
		err = build(&new_state(survey, text)->object, survey, text);
	if (!err && !survey->states[0].object)
		err = ao_error_new(AO_EINVALID, "the baseline does not build");
	free(text);
	return err;
}

static void release(struct survey *survey)
{
	for (size_t i = 0; i < survey->count; i++) {
		free(survey->states[i].text);
		free(survey->states[i].object);
		free(survey->states[i].move);
	}
	free(survey->states);
	ao_task_context_release(&survey->context);
	if (survey->scratch)
		ao_scratch_free(survey->scratch);
	if (survey->watch.dataset)
		stopwatch_release(&survey->watch);
	ao_task_free(survey->task);
	ao_buf_release(&survey->rows);
}

/* What a table begins with: where it was made, and what its columns are. */
AO_MUST_CHECK
static struct ao_error *add_head(struct ao_buf *table)
{
	struct ao_compiler compiler;
	struct ao_cpu cpu;
	struct ao_error *err = ao_toolchain_find(&compiler, NULL);

	if (err)
		return err;
	ao_cpu_detect(&cpu);
	ao_buf_addf(
		table,
		"# Log gains of the catalogue's plans, by plan_gains.\n"
		"# machine: %s, %s\n"
		"# compiler: %s\n"
		"# task\tfrom\tto\tlog gain\tprior\tmove\tfeatures\tparams\n",
		cpu.model, cpu.features, compiler.name);
	ao_cpu_release(&cpu);
	ao_compiler_release(&compiler);
	return NULL;
}

/* Whether the table has rows of the task in that folder. */
static bool has_task(const struct ao_buf *table, const char *folder)
{
	const char *slash = strrchr(folder, '/');
	char *start = ao_xstrf("\n%s\t", slash ? slash + 1 : folder);
	bool found = strstr(table->ptr, start);

	free(start);
	return found;
}

AO_MUST_CHECK
static struct ao_error *survey_task(struct ao_buf *table, const char *folder)
{
	struct survey survey = { .rows = AO_BUF_INIT(MAX_TABLE_BYTES) };
	struct ao_error *err = start(&survey, folder);

	if (!err)
		err = explore(&survey);
	if (!err)
		err = ao_buf_check(&survey.rows, "the table");
	if (!err)
		ao_buf_add(table, survey.rows.ptr, survey.rows.len);
	release(&survey);
	return err;
}

int main(int argc, char **argv)
{
	struct ao_buf table = AO_BUF_INIT(MAX_TABLE_BYTES);
	struct ao_error *err = NULL;

	if (argc < 3) {
		fprintf(stderr, "usage: plan_gains TABLE TASK-FOLDER...\n");
		return 129;
	}
	err = ao_file_exists(argv[1]) ? ao_file_read(&table, argv[1])
				      : add_head(&table);
	for (int i = 2; i < argc && !err; i++) {
		if (has_task(&table, argv[i]))
			continue;
		err = survey_task(&table, argv[i]);
		if (!err)
			err = ao_file_replace(argv[1], table.ptr, table.len);
	}
	ao_buf_release(&table);
	if (err)
		fprintf(stderr, "plan_gains: %s\n", ao_error_message(err));
	ao_error_free(err);
	return err ? 1 : 0;
}
