/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/lanes.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"
#include "rewrite/prelude.h"

/*
 * More arrays than these, of rows as far apart as a power of two, throw each
 * other's lines out of the first cache before they are used.
 */
enum { MAX_FETCHED = 5 };

/* The elements whose neighbours the loop will need. */
struct fetched {
	struct ao_lanes lanes;
	const struct ao_term *v[MAX_FETCHED]; /* [count] targets first */
	size_t count;
	bool is_slow; /* much is computed for each element */
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

/* Add an element, unless it is there.  False if there are too many. */
static bool add(struct fetched *f, const struct ao_term *element)
{
	for (size_t n = 0; n < f->count; n++) {
		if (ao_span_same(&f->lanes.unit->tokens, f->v[n]->span,
				 element->span))
			return true;
	}
	if (f->count == MAX_FETCHED)
		return false;
	f->v[f->count++] = element;
	return true;
}

/* Whether an operation keeps the processor busy for a while. */
static bool is_slow(const struct ao_tokens *tokens, const struct ao_term *term)
{
	return term->kind == AO_TERM_CALL ||
	       (term->kind == AO_TERM_BINARY &&
		ao_term_has_op(term, tokens, "/"));
}

/* Note the elements that a value is made of.  False if one is out of order. */
static bool read_value(struct fetched *f, const struct ao_term *value)
{
	const struct ao_lanes *l = &f->lanes;

	for (const struct ao_term *t = value; t; t = ao_term_next(t, value)) {
		f->is_slow |= is_slow(&l->unit->tokens, t);
		if (t->kind != AO_TERM_INDEX)
			continue;
		if (!ao_access_is_fixed(&l->env, t, l->loop->node->span,
					&l->loop->var, 1))
			return false;
		switch (ao_access_stride(&l->env, t, l->loop->var)) {
		case AO_STRIDE_NONE:
			break;
		case AO_STRIDE_ONE:
			if (!add(f, t))
				return false;
			break;
		case AO_STRIDE_MANY:
		case AO_STRIDE_UNKNOWN:
			return false;
		}
	}
	return true;
}

/*
 * Fetching early pays where so much is computed for each element that the
 * processor does not see the loads of the next lines in time: by itself it
 * looks a few hundred operations ahead.
 */
static bool read_fetched(struct fetched *out, struct ao_unit *unit,
			 const struct ao_for *loop)
{
	const struct ao_lanes *l = &out->lanes;

	*out = (struct fetched){ 0 };
	if (!ao_lanes_read(&out->lanes, unit, loop) ||
	    ao_body_calls(&unit->tokens, loop->node->span, "exp_inline"))
		return false;
	for (size_t n = 0; n < l->count; n++) {
		if (!is_restrict(l, l->targets[n]) || !add(out, l->targets[n]))
			return false;
	}
	for (size_t n = 0; n < l->body.count; n++) {
		if (!read_value(out, l->body.v[n].value))
			return false;
	}
	return out->is_slow && out->count > l->count;
}

/* Bytes that the nest moves in the main case; 0: not known. */
static double moved_bytes(const struct fetched *f)
{
	return ao_lanes_stored_bytes(&f->lanes) / (double)f->lanes.count *
	       (double)f->count;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct fetched f;
		double bytes;
		char *params;

		if (!read_fetched(&f, unit, &unit->loops[site]))
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

static void write_fetches(struct fetched *f, struct ao_draft *d)
{
	struct ao_lanes *l = &f->lanes;

	for (size_t n = 0; n < f->count; n++)
		ao_draft_line(d, "__builtin_prefetch(&%s + AHEAD_FLOATS%s);",
			      ao_lanes_say(l, f->v[n], l->done),
			      n < l->count ? ", 1" : "");
}

static bool write_loop(struct fetched *f, struct ao_edits *edits)
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

/* One distance for the whole file: the first. */
static void add_constant(struct ao_edits *edits, struct ao_unit *unit,
			 int ahead)
{
	char *lines;

	if (ao_span_has(&unit->tokens, unit->file->span, "AHEAD_FLOATS"))
		return;
	lines = ao_xstrf("/* How early what a loop needs is fetched. */\n"
			 "enum { AHEAD_FLOATS = %d };\n",
			 ahead);
	ao_prelude_add(edits, unit, lines);
	free(lines);
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	struct fetched f;
	int ahead;

	if (!loop || !ao_params_int(params, "ahead", &ahead, 16, 1 << 14) ||
	    !read_fetched(&f, unit, loop) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_VECTOR))
		return false;
	add_constant(edits, unit, ahead);
	return write_loop(&f, edits);
}

const struct ao_move ao_move_prefetch = {
	.name = "prefetch",
	.propose = propose,
	.apply = apply,
};
