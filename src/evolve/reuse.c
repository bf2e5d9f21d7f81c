/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "evolve/reuse.h"

struct ao_reuse {
	const struct ao_profile **known; /* [count] sorted by kernel id */
	size_t count;
};

static int by_kernel(const void *a, const void *b)
{
	const struct ao_profile *const *x = a;
	const struct ao_profile *const *y = b;

	return strcmp((*x)->kernel, (*y)->kernel);
}

static bool is_comparable(const struct ao_profile *profile,
			  const struct ao_run *run, const char *machine_key)
{
	char *key;
	bool equal;

	if (!ao_verdict_is_judged(profile->result.verdict) ||
	    strcmp(profile->task, run->task_id) != 0 ||
	    strcmp(profile->result.evaluator, run->evaluator) != 0)
		return false;
	key = ao_machine_key(&profile->result.machine);
	equal = !strcmp(key, machine_key);
	free(key);
	return equal;
}

struct ao_reuse *ao_reuse_new(const struct ao_history *history,
			      const struct ao_history_run *self,
			      const struct ao_machine *machine)
{
	struct ao_reuse *reuse = ao_xcalloc(1, sizeof(*reuse));
	char *machine_key = ao_machine_key(machine);
	size_t alloc = 0;

	for (size_t r = 0; r < history->run_count; r++) {
		const struct ao_history_run *run = &history->runs[r];

		if (run == self || !run->run.writer ||
		    strcmp(run->run.writer, self->run.writer) != 0)
			continue;
		for (size_t i = 0; i < run->candidate_count; i++) {
			const struct ao_profile *p = run->candidates[i].profile;

			if (!p || !is_comparable(p, &self->run, machine_key))
				continue;
			reuse->known = ao_grow(reuse->known, &alloc,
					       reuse->count + 1,
					       sizeof(*reuse->known));
			reuse->known[reuse->count++] = p;
		}
	}
	if (reuse->count)
		qsort(reuse->known, reuse->count, sizeof(*reuse->known),
		      by_kernel);
	free(machine_key);
	return reuse;
}

static size_t first_of_kernel(const struct ao_reuse *reuse, const char *kernel)
{
	size_t low = 0, high = reuse->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(reuse->known[middle]->kernel, kernel) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct ao_result *ao_reuse_find(const struct ao_reuse *reuse,
				      const char *kernel, const char *opponent)
{
	for (size_t i = first_of_kernel(reuse, kernel);
	     i < reuse->count && !strcmp(reuse->known[i]->kernel, kernel);
	     i++) {
		const struct ao_result *result = &reuse->known[i]->result;

		if (result->verdict != AO_VERDICT_PASSED)
			return result;
		if (result->pair_count &&
		    result->pairs[0].decision != AO_DECISION_VOID &&
		    !strcmp(result->pairs[0].against, opponent))
			return result;
	}
	return NULL;
}

void ao_reuse_free(struct ao_reuse *reuse)
{
	if (!reuse)
		return;
	free(reuse->known);
	free(reuse);
}
