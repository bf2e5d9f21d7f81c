/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <math.h>
#include <strings.h>

#include "store/memory.h"
#include "store/planstats.h"

/* What the summarizer says where there is nothing to learn. */
static const char nothing[] = "No optimization found";

static bool is_blank(const char *text)
{
	return !text || !text[strspn(text, " \t\r\n")];
}

static bool says_nothing(const struct ao_insight *insight)
{
	if (is_blank(insight->title))
		return is_blank(insight->text);
	/* In bold, or with a full stop, it is still nothing. */
	return strcasestr(insight->title, nothing) != NULL;
}

static bool same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* The same change of the same task: only what was measured is another number.
 */
static bool is_same_change(const struct ao_insight *a,
			   const struct ao_insight *b)
{
	return same_text(a->task, b->task) && !is_blank(a->fast_code) &&
	       same_text(a->slow_code, b->slow_code) &&
	       same_text(a->fast_code, b->fast_code);
}

static bool says_the_same(const struct ao_insight *a,
			  const struct ao_insight *b)
{
	return same_text(a->title, b->title) &&
	       (same_text(a->text, b->text) || is_same_change(a, b));
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* Run ids begin with the time: their order is that of the runs. */
static int compare_turns(const void *a, const void *b)
{
	const struct ao_insight *x = *(const struct ao_insight *const *)a;
	const struct ao_insight *y = *(const struct ao_insight *const *)b;
	int order = strcmp(x->run ? x->run : "", y->run ? y->run : "");

	if (!order)
		order = compare_numbers(x->iteration, y->iteration);
	if (!order)
		order = compare_numbers(x->rank, y->rank);
	return order ? order : strcmp(x->head.id, y->head.id);
}

/* The insights that may enter, in the order in which they do. */
static const struct ao_insight **line_up(size_t *count_out,
					 const struct ao_history *history,
					 const char *task)
{
	const struct ao_insight **line;
	size_t count = 0;

	line = ao_xcalloc(history->insight_count + 1, sizeof(const void *));
	for (size_t i = 0; i < history->insight_count; i++) {
		const struct ao_insight *insight = &history->insights[i];

		if (!says_nothing(insight) &&
		    (!task || same_text(insight->task, task)))
			line[count++] = insight;
	}
	qsort(line, count, sizeof(const void *), compare_turns);
	*count_out = count;
	return line;
}

/*
 * The queue, a ring: `next` is where the next one goes, the oldest when it is
 * full.
 */
struct queue {
	const struct ao_insight **slots; /* [capacity] */
	size_t capacity;
	size_t count;
	size_t next;
};

static void enter(struct queue *queue, const struct ao_insight *insight)
{
	for (size_t i = 0; i < queue->count; i++)
		if (says_the_same(queue->slots[i], insight))
			return;
	queue->slots[queue->next] = insight;
	queue->next = (queue->next + 1) % queue->capacity;
	if (queue->count < queue->capacity)
		queue->count++;
}

static void fill_insights(struct ao_memory *out,
			  const struct ao_history *history,
			  const struct ao_memory_options *options)
{
	struct queue queue = { .capacity = options->capacity };
	const struct ao_insight **line;
	size_t count;

	line = line_up(&count, history, options->task);
	if (queue.capacity > count)
		queue.capacity = count;
	if (queue.capacity) {
		queue.slots = ao_xcalloc(queue.capacity, sizeof(const void *));
		out->insights = ao_xcalloc(queue.capacity,
					   sizeof(*out->insights));
		for (size_t i = 0; i < count; i++)
			enter(&queue, line[i]);
	}
	/* Newest first: backwards from where the next would go. */
	for (size_t i = 1; i <= queue.count; i++)
		ao_insight_copy(&out->insights[out->insight_count++],
				queue.slots[(queue.next + queue.capacity - i) %
					    queue.capacity]);
	free(queue.slots);
	free(line);
}

void ao_memory_rebuild(struct ao_memory *out, const struct ao_history *history,
		       const struct ao_memory_options *options)
{
	*out = (struct ao_memory){ 0 };
	fill_insights(out, history, options);
	ao_planstats(out, history);
}
