/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"
#include "rewrite/counter.h"
#include "rewrite/draft.h"
#include "rewrite/move_stream.h"
#include "rewrite/place.h"
#include "rewrite/prelude.h"
#include "rewrite/say.h"

enum { MAX_STREAMS = 4 };

/* Less than this stays in a cache, where it is read again sooner. */
#define MIN_STREAM_BYTES (4.0 * (1 << 20))

/* A loop whose results go to neighbouring elements that nobody reads here. */
struct stream {
	struct ao_unit *unit;
	const struct ao_for *loop;
	struct ao_env env;
	struct ao_body body;
	const struct ao_term *targets[MAX_STREAMS]; /* [count] elements */
	size_t count;

	/* Names that mean nothing else in the function. */
	char *done;
	char *lane;
	char *lines[MAX_STREAMS];
	struct ao_draft d;
};

/* How often the array of a target is named in its function. */
static size_t uses(const struct stream *s, uint32_t array)
{
	const struct ao_node *f = ao_body_function(s->loop->node);
	size_t count = 0;

	for (uint32_t i = f->head.end; i < f->span.end; i++)
		count += ao_token_is_word(&s->unit->tokens, i) &&
			 ao_token_same(&s->unit->tokens, i, array);
	return count;
}

/* Whether all that the function does with the array is to store it here. */
static bool is_only_stored(const struct stream *s)
{
	const struct ao_tokens *tokens = &s->unit->tokens;
	uint32_t array, other;

	for (size_t n = 0; n < s->count; n++) {
		size_t stores = 0;

		if (!ao_access_root(&s->env, s->targets[n], &array))
			return false;
		for (size_t m = 0; m < s->count; m++)
			stores += ao_access_root(&s->env, s->targets[m],
						 &other) &&
				  ao_token_same(tokens, array, other);
		if (uses(s, array) != stores)
			return false;
	}
	return true;
}

static bool read_target(struct stream *s, const struct ao_statement *statement)
{
	const struct ao_term *target = statement->term->arg;
	struct ao_decl decl;
	uint32_t array;

	if (s->count == MAX_STREAMS || statement->condition ||
	    !ao_term_has_op(statement->term, &s->unit->tokens, "=") ||
	    target->kind != AO_TERM_INDEX ||
	    !ao_access_is_fixed(&s->env, target, s->loop->node->span,
				&s->loop->var, 1) ||
	    ao_access_stride(&s->env, target, s->loop->var) != AO_STRIDE_ONE ||
	    !ao_access_root(&s->env, target, &array) ||
	    !ao_decl_find(&decl, &s->unit->tokens, s->loop->node, array) ||
	    decl.base != AO_TYPE_FLOAT)
		return false;
	s->targets[s->count++] = target;
	return true;
}

static bool read_stream(struct stream *s, struct ao_unit *unit,
			const struct ao_for *loop)
{
	*s = (struct stream){ .unit = unit,
			      .loop = loop,
			      .env = { .tokens = &unit->tokens } };
	if (!ao_for_counts_up(loop) || !ao_body_function(loop->node) ||
	    ao_body_annotated(loop->node) != loop->node ||
	    !ao_body_read(&s->body, unit, loop) ||
	    ao_body_has_side_effect(&s->body, &unit->tokens))
		return false;
	for (size_t n = 0; n < s->body.count; n++) {
		if (!s->body.v[n].is_declaration &&
		    !read_target(s, &s->body.v[n]))
			return false;
	}
	return s->count && is_only_stored(s);
}

/* Bytes that the whole nest stores in the main case; 0: not known. */
static double stored_bytes(const struct stream *s)
{
	double bytes = 4.0 * (double)s->count;
	const struct ao_node *n = s->loop->node;

	for (; n && n->kind != AO_NODE_FUNCTION; n = n->parent) {
		const struct ao_for *loop = ao_unit_loop(s->unit, n);

		if (loop)
			bytes *= ao_unit_value(s->unit, loop->bound);
	}
	return bytes;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t site = 0; site < unit->loop_count; site++) {
		struct stream s;
		double bytes;
		char *params, *text;
		size_t at;

		if (!read_stream(&s, unit, &unit->loops[site]))
			continue;
		bytes = stored_bytes(&s);
		if (bytes > 0 && bytes < MIN_STREAM_BYTES)
			continue;
		at = ao_span_at(&unit->tokens, unit->loops[site].node->span);
		params = ao_xstrf("site=%zu", site);
		text = ao_xstrf(
			"The loop at line %" PRIu32 " stores what is not read "
			"again here. A store that passes the caches by need "
			"not first fetch the line that it overwrites, and "
			"leaves the caches to what is read.",
			ao_tokens_line(&unit->tokens, at));
		ao_offer(offers, params,
			 bytes > 0 ? "elementwise,large" : "elementwise", 0.2,
			 "store the results past the caches", text);
		free(params);
		free(text);
	}
}

static void name_all(struct stream *s)
{
	struct ao_span span = ao_body_function(s->loop->node)->span;

	s->done = ao_unit_fresh_name(s->unit, span, "streamed");
	s->lane = ao_unit_fresh_name(s->unit, span, "lane");
	for (size_t n = 0; n < s->count; n++) {
		char *wish = n ? ao_xstrf("line_%zu", n + 1)
			       : ao_xstrdup("line");

		s->lines[n] = ao_unit_fresh_name(s->unit, span, wish);
		free(wish);
	}
}

static char *say(struct stream *s, const struct ao_term *term, const char *var)
{
	const struct ao_said said = { s->loop->var, var };

	return ao_say(s->unit, &s->env, term, &said, 1);
}

/* One statement of the body, for the lane: as it is, but for the target. */
static void write_statement(struct stream *s, const struct ao_statement *st,
			    size_t *target)
{
	const struct ao_tokens *tokens = &s->unit->tokens;
	struct ao_span right = { st->value->span.first, st->node->span.end };
	char *text = ao_unit_text(s->unit, right);

	if (st->is_declaration) {
		ao_draft_copy(&s->d, ao_span_at(tokens, st->node->span),
			      ao_span_at_end(tokens, right));
		return;
	}
	if (!strchr(text, '\n')) {
		ao_draft_line(&s->d, "%s[%s] = %s", s->lines[*target], s->lane,
			      text);
	} else {
		ao_draft_open(&s->d, "%s[%s] =", s->lines[*target], s->lane);
		ao_draft_copy(&s->d, ao_span_at(tokens, right),
			      ao_span_at_end(tokens, right));
		ao_draft_outdent(&s->d);
	}
	(*target)++;
}

/* How many elements one array of the nest gets: (uintptr_t)M * N. */
static char *say_extent(const struct stream *s)
{
	struct ao_buf out = AO_BUF_INIT(4096);
	const struct ao_node *n = s->loop->node;

	for (; n && n->kind != AO_NODE_FUNCTION; n = n->parent) {
		const struct ao_for *loop = ao_unit_loop(s->unit, n);
		char *bound;

		if (!loop)
			continue;
		bound = ao_unit_text(s->unit, loop->bound);
		ao_buf_addf(&out, strchr(bound, ' ') ? "%s(%s)" : "%s%s",
			    out.len ? " * " : "(uintptr_t)", bound);
	}
	return ao_buf_take(&out);
}

/* if (it is much, and all targets are aligned) */
static void write_condition(struct stream *s)
{
	char *start = ao_unit_text(s->unit, s->loop->start);
	char *extent = say_extent(s);

	ao_draft_line(&s->d, "if (%s >= STREAM_FLOATS &&", extent);
	for (size_t n = 0; n < s->count; n++)
		ao_draft_line(&s->d, "    (uintptr_t)&%s %% VEC_BYTES == 0%s",
			      say(s, s->targets[n], start),
			      n + 1 == s->count ? ")" : " &&");
	free(extent);
}

static void write_vectors(struct stream *s)
{
	char *bound = ao_unit_text(s->unit, s->loop->bound);
	size_t target = 0;

	ao_draft_indent(&s->d);
	ao_draft_open(&s->d, "for (; %s + VEC_LANES <= %s; %s += VEC_LANES) {",
		      s->done, bound, s->done);
	for (size_t n = 0; n < s->count; n++)
		ao_draft_line(
			&s->d,
			"float %s[VEC_LANES] __attribute__((aligned(VEC_BYTES)));",
			s->lines[n]);
	ao_draft_blank(&s->d);
	ao_draft_directive(&s->d, "#pragma omp simd");
	ao_draft_open(&s->d, "for (int %s = 0; %s < VEC_LANES; %s++) {",
		      s->lane, s->lane, s->lane);
	ao_draft_line(&s->d, "const %s %s = %s + %s;",
		      ao_counter_type(s->unit, s->loop),
		      ao_unit_word(s->unit, s->loop->var), s->done, s->lane);
	ao_draft_blank(&s->d);
	for (size_t n = 0; n < s->body.count; n++)
		write_statement(s, &s->body.v[n], &target);
	ao_draft_close(&s->d, "}");
	for (size_t n = 0; n < s->count; n++)
		ao_draft_line(&s->d, "vec_stream(&%s, %s);",
			      say(s, s->targets[n], s->done), s->lines[n]);
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
	const struct ao_node *nest = ao_body_outermost(s->loop->node);
	const struct ao_for *outer = ao_unit_loop(s->unit, nest);
	size_t at = ao_span_at(&s->unit->tokens, s->loop->node->span);
	bool has_place;

	ao_draft_init(&s->d, s->unit, at);
	ao_draft_line(&s->d, "%s %s = %s;", ao_counter_type(s->unit, s->loop),
		      s->done, ao_unit_text(s->unit, s->loop->start));
	ao_draft_blank(&s->d);
	ao_draft_line(&s->d, "/* Whole vectors pass the caches by. */");
	write_condition(s);
	write_vectors(s);
	ao_place_start(edits, s->unit, s->loop, s->done);
	has_place = ao_place_around(edits, s->unit, s->loop, s->d.text.ptr,
				    outer == s->loop ? end : NULL);
	ao_draft_release(&s->d);
	return has_place &&
	       (outer == s->loop ||
		(outer && ao_place_around(edits, s->unit, outer, NULL, end)));
}

static bool has_constant(const struct ao_unit *unit)
{
	struct ao_span all = { 0, unit->tokens.code_count };

	return ao_span_has(&unit->tokens, all, "STREAM_FLOATS");
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	const struct ao_for *loop = ao_move_loop(unit, params);
	struct stream s;

	if (!loop || !read_stream(&s, unit, loop) ||
	    !ao_prelude_need(edits, unit, AO_HELPER_STREAM))
		return false;
	if (!has_constant(unit))
		ao_prelude_add(edits, unit,
			       "/* Fewer results stay in a cache: they are not "
			       "streamed. */\n"
			       "enum { STREAM_FLOATS = 1 << 20 };\n");
	name_all(&s);
	return write_stream(&s, edits);
}

const struct ao_move ao_move_stream = {
	.name = "stream",
	.propose = propose,
	.apply = apply,
};
