/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>

#include "eval/hidden.h"
#include "util/buf.h"
#include "util/rng.h"

/* A stream of random numbers beside those of datasets. */
#define HIDDEN_STREAM (UINT64_C(4) << 40)

enum { MAX_TRIES = 64 };

/* What an axis is in the cases that everybody is judged on. */
struct range {
	int64_t least;
	int64_t most;
};

static struct range range_of(const struct ao_task *task, size_t axis)
{
	struct range range = { INT64_MAX, 0 };

	for (size_t i = 0; i < task->case_count; i++) {
		int64_t extent = task->cases[i].extents[axis];

		if (task->cases[i].is_on_request)
			continue;
		range.least = extent < range.least ? extent : range.least;
		range.most = extent > range.most ? extent : range.most;
	}
	return range;
}

static bool varies(const struct ao_task *task)
{
	for (size_t i = 0; i < task->axis_count; i++) {
		struct range range = range_of(task, i);

		if (!task->axes[i].expression && range.least < range.most)
			return true;
	}
	return false;
}

/* From the lower half of the range, as factors go. */
static int64_t draw_extent(const struct ao_task *task, size_t axis,
			   int64_t multiple, struct ao_rng *rng)
{
	struct range range = range_of(task, axis);
	double factor = sqrt((double)range.most / (double)range.least);
	double value = (double)range.least * pow(factor, ao_rng_uniform(rng));
	int64_t extent = (int64_t)value / multiple * multiple;

	if (multiple == 1 && extent % 2 == 0 && extent < range.most)
		extent++;
	return extent ? extent : multiple;
}

static bool compute(int64_t *out, const struct ao_task *task, size_t axis,
		    const int64_t *extents)
{
	double value = 0;
	struct ao_error *err = ao_task_eval(&value, task, axis, extents,
					    task->axes[axis].expression);
	bool is_good = !err && value >= 1 && value <= INT32_MAX &&
		       value == floor(value);

	ao_error_free(err);
	if (is_good)
		*out = (int64_t)value;
	return is_good;
}

/* Axes first that the others are multiples of. */
static bool draw_extents(int64_t *extents, const struct ao_task *task,
			 struct ao_rng *rng)
{
	for (size_t i = 0; i < task->axis_count; i++)
		if (!task->axes[i].expression && !task->axes[i].multiple_axis)
			extents[i] = draw_extent(task, i,
						 task->axes[i].multiple, rng);
	for (size_t i = 0; i < task->axis_count; i++)
		if (task->axes[i].multiple_axis)
			extents[i] = draw_extent(
				task, i,
				extents[task->axes[i].multiple_axis - 1], rng);
	for (size_t i = 0; i < task->axis_count; i++)
		if (task->axes[i].expression &&
		    !compute(&extents[i], task, i, extents))
			return false;
	return true;
}

static bool is_listed(const struct ao_task *task, const int64_t *extents)
{
	for (size_t i = 0; i < task->case_count; i++)
		if (!memcmp(task->cases[i].extents, extents,
			    task->axis_count * sizeof(*extents)))
			return true;
	return false;
}

/* No more than the largest case takes that everybody is judged on. */
static bool is_small(const struct ao_task *task, const struct ao_case *hidden)
{
	double most = 0;

	for (size_t i = 0; i < task->case_count; i++)
		if (!task->cases[i].is_on_request)
			most = fmax(most, ao_task_bytes(task, &task->cases[i]));
	return ao_task_bytes(task, hidden) <= most;
}

static char *name_of(const struct ao_task *task, const int64_t *extents)
{
	struct ao_buf text = AO_BUF_INIT(4096);

	ao_buf_addstr(&text, "hidden");
	for (size_t i = 0; i < task->axis_count; i++)
		if (!task->axes[i].expression)
			ao_buf_addf(&text, " %s=%" PRId64, task->axes[i].name,
				    extents[i]);
	return ao_buf_take(&text);
}

bool ao_hidden_draw(struct ao_case *out, const struct ao_task *task,
		    uint64_t seed, size_t nth)
{
	struct ao_case hidden = { 0 };
	struct ao_rng rng;
	bool is_drawn = false;

	if (task->is_without_hidden || !varies(task))
		return false;
	hidden.extents = ao_xcalloc(task->axis_count, sizeof(int64_t));
	ao_rng_seed_stream(&rng, seed, HIDDEN_STREAM | nth);
	for (int i = 0; i < MAX_TRIES && !is_drawn; i++)
		is_drawn = draw_extents(hidden.extents, task, &rng) &&
			   !is_listed(task, hidden.extents) &&
			   is_small(task, &hidden);
	if (!is_drawn) {
		free(hidden.extents);
		return false;
	}
	hidden.name = name_of(task, hidden.extents);
	*out = hidden;
	return true;
}

void ao_hidden_release(struct ao_case *hidden)
{
	free(hidden->name);
	free(hidden->extents);
	*hidden = (struct ao_case){ 0 };
}
