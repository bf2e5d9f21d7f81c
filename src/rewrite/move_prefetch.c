/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/fetched.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"
#include "rewrite/prelude.h"

struct fetch {
	struct ao_lanes lanes;
	struct ao_fetched reads;
};

/* Whether nothing else can be where the target is, as it promises. */
static bool is_restrict(const struct ao_lanes *l, const struct ao_term *target)
{
	const struct ao_tokens *tokens = &l->unit->tokens;
	struct ao_decl decl;
	uint32_t array;

	if (!ao_access_root(&l->env, target, &array) ||
	    !ao_decl_find(&decl, tokens, l->loop->node, array))
		return false;
	/* *restrict y, y[restrict M] */
	return ao_span_has(tokens,
			   (struct ao_span){ decl.type.first, decl.name },
			   "restrict") ||
	       (ao_token_is(tokens, decl.name + 1, "[") &&
		ao_token_is(tokens, decl.name + 2, "restrict"));
}

static bool read_fetch(struct fetch *out, struct ao_unit *unit,
		       const struct ao_for *loop)
{
	const struct ao_lanes *l = &out->lanes;

	if (!ao_lanes_read(&out->lanes, unit, loop) ||
	    !ao_fetched_read(&out->reads, l))
		return false;
	for (size_t n = 0; n < l->count; n++) {
		if (!is_restrict(l, l->targets[n]))
			return false;
	}
	return l->count + out->reads.count <= AO_MAX_FETCHED;
}

/* Bytes that the nest moves in the main case; 0: not known. */
static double moved_bytes(const struct fetch *f)
{
	double stored = ao_lanes_stored_bytes(&f->lanes);

	return stored +
	       stored / (double)f->lanes.count * (double)f->reads.count;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct fetch f;
		double bytes;
		char *params;

		if (!read_fetch(&f, unit, &unit->loops[site]))
			continue;
		bytes = moved_bytes(&f);
		if (!ao_lanes_are_uncached(bytes))
			continue;
		params = ao_xstrf("site=%zu ahead=512", site);
		ao_offer(offers, params,
			 bytes > 0 ? "elementwise,large" : "elementwise", 0.2,
			 "fetch what the loop needs ahead of time",
			 "The loop at line %" PRIu32 " goes through arrays "
			 "that no cache holds, and computes so much for each "
			 "element that the loads of the next lines come late. "
			 "Asked for ahead of time they are there, and so are "
			 "the lines that results go to.",
			 ao_unit_line(unit, unit->loops[site].node));
		free(params);
	}
}

static void write_fetches(struct fetch *f, struct ao_draft *d)
{
	struct ao_lanes *l = &f->lanes;

	for (size_t n = 0; n < l->count; n++)
		ao_fetched_write(l, d, l->targets[n], true);
	for (size_t n = 0; n < f->reads.count; n++)
		ao_fetched_write(l, d, f->reads.v[n], false);
}

static bool write_loop(struct fetch *f, struct ao_edits *edits)
{
	struct ao_lanes *l = &f->lanes;
	struct ao_draft d;
	bool has_place;

	ao_lanes_name(l, "fetched");
	ao_lanes_start(l, &d);
	ao_draft_line(&d,
		      "/* A fetch past the end of an array does nothing. */");
	ao_lanes_open(l, &d);
	write_fetches(f, &d);
	ao_lanes_write(l, &d, NULL);
	ao_draft_close(&d, "}");
	ao_place_start(edits, l->unit, l->loop, l->done);
	has_place = ao_place_around(edits, l->unit, l->loop, d.text.ptr, NULL);
	ao_draft_release(&d);
	return has_place;
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	struct fetch f;
	int ahead;

	if (!loop || !ao_fetched_ahead(params, &ahead) ||
	    !read_fetch(&f, unit, loop) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_VECTOR))
		return false;
	ao_fetched_add_constant(edits, unit, ahead);
	return write_loop(&f, edits);
}

const struct ao_move ao_move_prefetch = {
	.name = "prefetch",
	.propose = propose,
	.apply = apply,
};
