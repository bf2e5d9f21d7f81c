/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "store/insights.h"
#include "store/notelines.h"

struct list {
	struct ao_insight *items; /* [count] */
	size_t count;
	size_t alloc;
};

static void collect(struct list *list, struct ao_objects *objects,
		    const struct ao_notelist *notes)
{
	for (size_t i = 0; i < notes->count; i++) {
		struct ao_notelines lines;
		struct ao_insight insight;

		ao_notelines_open(&lines, objects, &notes->notes[i].blob);
		while (ao_notelines_next(&lines)) {
			if (!ao_insight_read(&insight, lines.line, lines.len)) {
				ao_notelines_refuse(&lines);
				continue;
			}
			list->items = ao_grow(list->items, &list->alloc,
					      list->count + 1, sizeof(insight));
			list->items[list->count++] = insight;
		}
		ao_notelines_close(&lines);
	}
}

static int compare_ids(const void *a, const void *b)
{
	const struct ao_insight *left = a, *right = b;

	return strcmp(left->head.id, right->head.id);
}

static int compare_times(const void *a, const void *b)
{
	const struct ao_insight *left = a, *right = b;
	int64_t x = left->head.time_unix_ms, y = right->head.time_unix_ms;

	return x == y ? compare_ids(a, b) : x < y ? -1 : 1;
}

/* The ids that are replaced, sorted. */
static struct ao_strs find_replaced(const struct list *list)
{
	struct ao_strs replaced = { 0 };

	for (size_t i = 0; i < list->count; i++)
		if (*list->items[i].head.replaces)
			ao_strs_push(&replaced, list->items[i].head.replaces);
	ao_strs_sort_unique(&replaced);
	return replaced;
}

static int compare_strs(const void *key, const void *element)
{
	return strcmp(key, *(char *const *)element);
}

static bool is_in(const struct ao_strs *sorted, const char *id)
{
	return sorted->count && bsearch(id, sorted->v, sorted->count,
					sizeof(*sorted->v), compare_strs);
}

static bool is_of(const char *name, const char *wanted)
{
	return !wanted || (name && !strcmp(name, wanted));
}

struct ao_insight *ao_insights_read(size_t *count_out,
				    struct ao_objects *objects,
				    const struct ao_notelist *notes,
				    const char *task, const char *run)
{
	struct list list = { 0 };
	struct ao_strs replaced;
	size_t kept = 0;

	collect(&list, objects, notes);
	replaced = find_replaced(&list);
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), compare_ids);
	for (size_t i = 0; i < list.count; i++) {
		struct ao_insight *insight = &list.items[i];

		/* The same record, as this clone and a remote have it. */
		if ((kept && !compare_ids(&list.items[kept - 1], insight)) ||
		    is_in(&replaced, insight->head.id) ||
		    !is_of(insight->task, task) || !is_of(insight->run, run))
			ao_insight_release(insight);
		else
			list.items[kept++] = *insight;
	}
	if (kept)
		qsort(list.items, kept, sizeof(*list.items), compare_times);
	ao_strs_release(&replaced);
	*count_out = kept;
	return list.items;
}
