/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/fetched.h"
#include "rewrite/moves.h"
#include "rewrite/place.h"
#include "rewrite/prelude.h"

struct stream {
	struct ao_lanes lanes;
	struct ao_fetched reads;	  /* what is fetched early */
	char *lines[AO_MAX_LANE_TARGETS]; /* what a vector of each is called */
	struct ao_draft d;
};

static void offer(struct ao_offers *offers, struct ao_unit *unit, size_t site,
		  double bytes, int ahead)
{
	char *params = ao_xstrf("site=%zu ahead=%d", site, ahead);

	ao_offer(offers, params,
		 bytes > 0 ? "elementwise,large" : "elementwise", 0.2,
		 ahead ? "store the results past the caches, fetch early what "
			 "they need"
		       : "store the results past the caches",
		 "The loop at line %" PRIu32
		 " stores what is not read again here. A store that passes the "
		 "caches by need not first fetch the line that it overwrites, "
		 "and leaves the caches to what is read.%s",
		 ao_unit_line(unit, unit->loops[site].node),
		 ahead ? " So much is computed for each element that the loads "
			 "of the next lines come late: they are asked for "
			 "ahead of time."
		       : "");
	free(params);
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct ao_lanes lanes;
		struct ao_fetched reads;
		double bytes;

		if (!ao_lanes_read(&lanes, unit, &unit->loops[site]))
			continue;
		bytes = ao_lanes_stored_bytes(&lanes);
		if (!ao_lanes_are_uncached(bytes))
			continue;
		offer(offers, unit, site, bytes, 0);
		if (ao_fetched_read(&reads, &lanes))
			offer(offers, unit, site, bytes, 512);
	}
}

static void name_all(struct stream *s)
{
	struct ao_lanes *l = &s->lanes;
	struct ao_span span = ao_node_function(l->loop->node)->span;

	ao_lanes_name(l, "streamed");
	for (size_t n = 0; n < l->count; n++) {
		char *wish = n ? ao_xstrf("line_%zu", n + 1)
			       : ao_xstrdup("line");

		s->lines[n] = ao_unit_fresh_name(l->unit, span, wish);
		free(wish);
	}
}

/* How many elements the nest stores: (uintptr_t)M * N. */
static char *say_extent(const struct ao_lanes *l)
{
	struct ao_buf out = AO_BUF_INIT(4096);
	const struct ao_node *n = l->loop->node;

	if (l->count > 1)
		ao_buf_addf(&out, "(uintptr_t)%zu", l->count);
	for (; n && n->kind != AO_NODE_FUNCTION; n = n->parent) {
		const struct ao_for *loop = ao_unit_loop(l->unit, n);
		char *bound;

		if (!loop)
			continue;
		bound = ao_unit_text(l->unit, loop->bound);
		ao_buf_addf(&out, strchr(bound, ' ') ? "%s(%s)" : "%s%s",
			    out.len ? " * " : "(uintptr_t)", bound);
	}
	return ao_buf_take(&out);
}

/* if (it is much, and all targets are aligned) */
static void write_condition(struct stream *s)
{
	struct ao_lanes *l = &s->lanes;
	char *start = ao_unit_text(l->unit, l->loop->start);
	char *extent = say_extent(l);

	ao_draft_line(&s->d, "if (%s >= STREAM_FLOATS &&", extent);
	for (size_t n = 0; n < l->count; n++)
		ao_draft_line(&s->d, "    (uintptr_t)&%s %% VEC_BYTES == 0%s",
			      ao_lanes_say(l, l->targets[n], start),
			      n + 1 == l->count ? ")" : " &&");
	free(extent);
}

static void write_vectors(struct stream *s)
{
	struct ao_lanes *l = &s->lanes;

	ao_draft_indent(&s->d);
	ao_lanes_open(l, &s->d);
	if (s->reads.count)
		ao_draft_line(&s->d, "/* A fetch past the end of an array does "
				     "nothing. */");
	for (size_t n = 0; n < s->reads.count; n++)
		ao_fetched_write(l, &s->d, s->reads.v[n], false);
	for (size_t n = 0; n < l->count; n++)
		ao_draft_line(
			&s->d,
			"float %s[VEC_LANES] __attribute__((aligned(VEC_BYTES)));",
			s->lines[n]);
	ao_draft_blank(&s->d);
	ao_lanes_write(l, &s->d, s->lines);
	for (size_t n = 0; n < l->count; n++)
		ao_draft_line(&s->d, "vec_stream(&%s, %s);",
			      ao_lanes_say(l, l->targets[n], l->done),
			      s->lines[n]);
	ao_draft_close(&s->d, "}");
	ao_draft_outdent(&s->d);
}

/*
 * The vectors before the loop, which goes on where they end.  Behind the whole
 * nest, others see what was streamed once we return.
 */
static bool write_stream(struct stream *s, struct ao_edits *edits)
{
	static const char end[] = "vec_stream_end();";
	struct ao_lanes *l = &s->lanes;
	const struct ao_node *nest = ao_node_outermost(l->loop->node);
	const struct ao_for *outer = ao_unit_loop(l->unit, nest);
	bool has_place;

	ao_lanes_start(l, &s->d);
	ao_draft_line(&s->d, "/* Whole vectors pass the caches by. */");
	write_condition(s);
	write_vectors(s);
	ao_place_start(edits, l->unit, l->loop, l->done);
	has_place = ao_place_around(edits, l->unit, l->loop, s->d.text.ptr,
				    outer == l->loop ? end : NULL);
	ao_draft_release(&s->d);
	return has_place &&
	       (outer == l->loop ||
		(outer && ao_place_around(edits, l->unit, outer, NULL, end)));
}

static bool has_constant(const struct ao_unit *unit)
{
	return ao_span_has(&unit->tokens, unit->file->span, "STREAM_FLOATS");
}

/* Reads what is to be fetched; nothing with ahead=0. */
static bool read_ahead(struct stream *s, const char *params, int *ahead)
{
	s->reads.count = 0;
	if (ao_params_int(params, "ahead", ahead, 0, 0))
		return true;
	return ao_fetched_ahead(params, ahead) &&
	       ao_fetched_read(&s->reads, &s->lanes);
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	struct stream s;
	int ahead;

	if (!loop || !ao_lanes_read(&s.lanes, unit, loop) ||
	    !read_ahead(&s, params, &ahead) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_STREAM))
		return false;
	if (ahead)
		ao_fetched_add_constant(edits, unit, ahead);
	/* As many bytes as lanes.c offers this from. */
	if (!has_constant(unit))
		ao_prelude_add(edits, unit,
			       "/* Fewer results stay in a cache: they are not "
			       "streamed. */\n"
			       "enum { STREAM_FLOATS = 1 << 21 };\n");
	name_all(&s);
	return write_stream(&s, edits);
}

const struct ao_move ao_move_stream = {
	.name = "stream",
	.propose = propose,
	.apply = apply,
};
