/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/counter.h"
#include "rewrite/lanes.h"
#include "rewrite/say.h"

/*
 * Less than this stays in a cache, where who reads it next finds it.  Measured
 * with a consumer that reads all of the output at once, on a core with 32 MiB
 * of last cache: stores past the caches gain nothing at 4 MiB, x1.14 to x1.21
 * from 8 MiB on.
 */
#define MIN_UNCACHED_BYTES (8.0 * (1 << 20))

/* How often the array of a target is named in its function. */
static size_t uses(const struct ao_lanes *l, uint32_t array)
{
	const struct ao_node *f = ao_node_function(l->loop->node);
	struct ao_span body = { f->head.end, f->span.end };

	return ao_span_count(&l->unit->tokens, body, array);
}

/* Whether all that the function does with the array is to store it here. */
static bool is_only_stored(const struct ao_lanes *l)
{
	const struct ao_tokens *tokens = &l->unit->tokens;
	uint32_t array, other;

	for (size_t n = 0; n < l->count; n++) {
		size_t stores = 0;

		if (!ao_access_root(&l->env, l->targets[n], &array))
			return false;
		for (size_t m = 0; m < l->count; m++)
			stores += ao_access_root(&l->env, l->targets[m],
						 &other) &&
				  ao_token_same(tokens, array, other);
		if (uses(l, array) != stores)
			return false;
	}
	return true;
}

static bool read_target(struct ao_lanes *l,
			const struct ao_statement *statement)
{
	const struct ao_term *target = statement->term->arg;
	struct ao_decl decl;
	uint32_t array;

	if (l->count == AO_MAX_LANE_TARGETS || statement->condition ||
	    !ao_term_has_op(statement->term, &l->unit->tokens, "=") ||
	    target->kind != AO_TERM_INDEX ||
	    !ao_access_is_fixed(&l->env, target, l->loop->node->span,
				&l->loop->var, 1) ||
	    ao_access_stride(&l->env, target, l->loop->var) != AO_STRIDE_ONE ||
	    !ao_access_root(&l->env, target, &array) ||
	    !ao_decl_find(&decl, &l->unit->tokens, l->loop->node, array) ||
	    decl.base != AO_TYPE_FLOAT)
		return false;
	l->targets[l->count++] = target;
	return true;
}

bool ao_lanes_read(struct ao_lanes *l, struct ao_unit *unit,
		   const struct ao_for *loop)
{
	*l = (struct ao_lanes){ .unit = unit,
				.loop = loop,
				.env = { .tokens = &unit->tokens } };
	if (!ao_for_counts_up(loop) || !ao_node_function(loop->node) ||
	    ao_node_annotated(loop->node) != loop->node ||
	    !ao_body_read(&l->body, unit, loop) ||
	    ao_body_has_side_effect(&l->body, &unit->tokens))
		return false;
	for (size_t n = 0; n < l->body.count; n++) {
		if (!l->body.v[n].is_declaration &&
		    !read_target(l, &l->body.v[n]))
			return false;
	}
	return l->count && is_only_stored(l);
}

double ao_lanes_stored_bytes(const struct ao_lanes *l)
{
	double bytes = 4.0 * (double)l->count;
	const struct ao_node *n = l->loop->node;

	for (; n && n->kind != AO_NODE_FUNCTION; n = n->parent) {
		const struct ao_for *loop = ao_unit_loop(l->unit, n);

		if (loop)
			bytes *= ao_unit_value(l->unit, loop->bound);
	}
	return bytes;
}

bool ao_lanes_are_uncached(double bytes)
{
	return bytes <= 0 || bytes >= MIN_UNCACHED_BYTES;
}

void ao_lanes_name(struct ao_lanes *l, const char *wish)
{
	struct ao_span span = ao_node_function(l->loop->node)->span;

	l->done = ao_unit_fresh_name(l->unit, span, wish);
	l->lane = ao_unit_fresh_name(l->unit, span, "lane");
}

char *ao_lanes_say(struct ao_lanes *l, const struct ao_term *term,
		   const char *at)
{
	const struct ao_said said = { l->loop->var, at };

	return ao_say(l->unit, &l->env, term, &said, 1);
}

/* One statement of the body; what `line` is called gets the value, if any. */
static void write_statement(struct ao_lanes *l, struct ao_draft *d,
			    const struct ao_statement *st, const char *line)
{
	const struct ao_tokens *tokens = &l->unit->tokens;
	struct ao_span right = { st->value->span.first, st->node->span.end };
	char *text = ao_unit_text(l->unit, right);

	if (!line) {
		ao_draft_copy(d, ao_span_at(tokens, st->node->span),
			      ao_span_at_end(tokens, right));
	} else if (!strchr(text, '\n')) {
		ao_draft_line(d, "%s[%s] = %s", line, l->lane, text);
	} else {
		ao_draft_open(d, "%s[%s] =", line, l->lane);
		ao_draft_copy(d, ao_span_at(tokens, right),
			      ao_span_at_end(tokens, right));
		ao_draft_outdent(d);
	}
}

void ao_lanes_start(struct ao_lanes *l, struct ao_draft *d)
{
	ao_draft_init(d, l->unit,
		      ao_span_at(&l->unit->tokens, l->loop->node->span));
	ao_draft_line(d, "%s %s = %s;", ao_counter_type(l->unit, l->loop),
		      l->done, ao_unit_text(l->unit, l->loop->start));
	ao_draft_blank(d);
}

void ao_lanes_open(struct ao_lanes *l, struct ao_draft *d)
{
	ao_draft_open(d, "for (; %s + VEC_LANES <= %s; %s += VEC_LANES) {",
		      l->done, ao_unit_text(l->unit, l->loop->bound), l->done);
}

void ao_lanes_write(struct ao_lanes *l, struct ao_draft *d, char *const *lines)
{
	size_t target = 0;

	ao_draft_directive(d, "#pragma omp simd");
	ao_draft_open(d, "for (int %s = 0; %s < VEC_LANES; %s++) {", l->lane,
		      l->lane, l->lane);
	ao_draft_line(d, "const %s %s = %s + %s;",
		      ao_counter_type(l->unit, l->loop),
		      ao_unit_word(l->unit, l->loop->var), l->done, l->lane);
	ao_draft_blank(d);
	for (size_t n = 0; n < l->body.count; n++) {
		const struct ao_statement *st = &l->body.v[n];
		bool is_target = lines && !st->is_declaration;

		write_statement(l, d, st, is_target ? lines[target++] : NULL);
	}
	ao_draft_close(d, "}");
}
