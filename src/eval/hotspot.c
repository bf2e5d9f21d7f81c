/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "eval/hotspot.h"
#include "eval/mix.h"

/* A loop with fewer samples than one in so many is not worth a word. */
enum { LEAST_SHARE = 10, MAX_LOOPS = 4096 };

struct loop {
	struct ao_hotspot at;
	uint32_t hits; /* for which it is the smallest loop around them */
};

struct loops {
	struct loop *items;
	size_t count;
	size_t alloc;
};

/*
 * Loops of the same head are one with several ways back.  A nest in which both
 * loops begin at the same instruction is taken for one, too, which is rare: the
 * counter of the inner one has to be set.
 */
static void add_loop(struct loops *loops, size_t first, size_t last)
{
	for (size_t i = loops->count; i-- > 0;) {
		if (loops->items[i].at.first != first)
			continue;
		loops->items[i].at.last = last;
		return;
	}
	if (loops->count == MAX_LOOPS)
		return;
	loops->items = ao_grow(loops->items, &loops->alloc, loops->count + 1,
			       sizeof(*loops->items));
	loops->items[loops->count++] = (struct loop){ .at = { first, last } };
}

static void find_loops(struct loops *loops, const struct ao_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++) {
		const struct ao_instruction *jump = &listing->instructions[i];
		size_t to;

		if (!jump->target || jump->target > jump->address)
			continue;
		to = ao_listing_find(listing, jump->target);
		if (to < listing->count &&
		    listing->instructions[to].function == jump->function)
			add_loop(loops, to, i);
	}
}

static void count_hit(struct loops *loops, size_t at)
{
	struct loop *smallest = NULL;

	for (size_t i = 0; i < loops->count; i++) {
		struct loop *loop = &loops->items[i];

		if (at < loop->at.first || at > loop->at.last)
			continue;
		if (!smallest || loop->at.last - loop->at.first <
					 smallest->at.last - smallest->at.first)
			smallest = loop;
	}
	if (smallest)
		smallest->hits++;
}

/* Returns how many samples lie outside of what is listed. */
static uint32_t count_hits(struct loops *loops,
			   const struct ao_listing *listing,
			   const struct ao_samples *samples)
{
	uint32_t outside = 0;

	for (uint32_t i = 0; i < samples->count; i++) {
		uint64_t address = listing->entry + (uint64_t)samples->at[i];
		size_t at = samples->at[i] == AO_SAMPLE_OUTSIDE
				    ? listing->count
				    : ao_listing_find(listing, address);

		if (at < listing->count)
			count_hit(loops, at);
		else
			outside++;
	}
	return outside;
}

/* The line of the jump back is that of the `for`, if it is known. */
static void find_line(struct ao_hotloop *out, const struct ao_hotspot *at,
		      const struct ao_listing *listing,
		      const struct ao_kernel *kernel)
{
	for (size_t i = at->last + 1; i-- > at->first;) {
		const struct ao_instruction *insn = &listing->instructions[i];

		if (!insn->line || insn->file >= kernel->count)
			continue;
		out->line = insn->line;
		out->file = ao_xstrdup(kernel->files[insn->file].path);
		return;
	}
}

bool ao_hotspot_find(struct ao_hotspot *out, struct ao_hotloop *loop_out,
		     const struct ao_listing *listing,
		     const struct ao_samples *samples,
		     const struct ao_kernel *kernel)
{
	struct ao_hotloop found = { .samples = samples->count };
	struct loops loops = { 0 };
	const struct loop *best = NULL;
	uint32_t outside;

	find_loops(&loops, listing);
	outside = count_hits(&loops, listing, samples);
	for (size_t i = 0; i < loops.count; i++)
		if (!best || loops.items[i].hits > best->hits)
			best = &loops.items[i];
	if (samples->count)
		found.outside = (double)outside / samples->count;
	if (best && best->hits && best->hits >= samples->count / LEAST_SHARE) {
		found.share = (double)best->hits / samples->count;
		*out = best->at;
		for (size_t i = out->first; i <= out->last; i++)
			ao_mix_count(&found, &listing->instructions[i]);
		find_line(&found, out, listing, kernel);
	}
	free(loops.items);
	*loop_out = found;
	return found.instructions > 0;
}
