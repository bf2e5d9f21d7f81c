/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/order.h"
#include "rewrite/shared.h"

enum { MAX_USES = 512 };

/* An array, or a member of any object, as one place of the code names it. */
struct use {
	uint32_t root;
	size_t part;
	bool is_written;	      /* by this part, by this name */
	const struct ao_term *access; /* NULL: we do not know which elements */
};

struct reader {
	struct ao_unit *unit;
	const struct ao_parts *parts;
	struct ao_env env;
	struct ao_span region; /* from the first part to the last */
	struct use uses[MAX_USES];
	size_t count;
};

/* Where a counter stands in the subscripts of an access. */
struct spot {
	const struct ao_env *env;
	uint32_t var;
	unsigned terms[AO_MAX_DIMS]; /* that are added up to a subscript */
	unsigned found;
	const struct ao_term *term; /* the one that has the counter, ... */
	unsigned level;		    /* in this subscript */
};

static const struct ao_term *look_through(const struct ao_env *env,
					  const struct ao_term *term)
{
	const struct ao_term *value = NULL;

	do {
		term = ao_term_bare(term);
		while (term->kind == AO_TERM_CAST)
			term = ao_term_bare(term->arg);
		value = term->kind == AO_TERM_NAME
				? ao_env_value(env, term->span.first)
				: NULL;
		if (value)
			term = value;
	} while (value);
	return term;
}

static void add_terms(struct spot *spot, const struct ao_term *term,
		      unsigned level)
{
	term = look_through(spot->env, term);
	if (term->kind == AO_TERM_BINARY &&
	    ao_term_has_op(term, spot->env->tokens, "+")) {
		add_terms(spot, term->arg, level);
		add_terms(spot, ao_term_second(term), level);
		return;
	}
	spot->terms[level]++;
	if (ao_term_depends(spot->env, term, spot->var)) {
		spot->found++;
		spot->term = term;
		spot->level = level;
	}
}

/* Collect the subscripts of a pointer.  False if it is no plain one. */
static bool read_subscripts(struct spot *spot, const struct ao_term *pointer,
			    unsigned *level)
{
	bool is_address = false;

	pointer = look_through(spot->env, pointer);
	if (pointer->kind == AO_TERM_UNARY &&
	    ao_term_has_op(pointer, spot->env->tokens, "&")) {
		pointer = ao_term_bare(pointer->arg);
		is_address = true;
		if (pointer->kind != AO_TERM_INDEX)
			return false;
	}
	if (pointer->kind == AO_TERM_NAME) {
		*level = 0;
		return true;
	}
	if (pointer->kind != AO_TERM_INDEX &&
	    !(pointer->kind == AO_TERM_BINARY &&
	      ao_term_has_op(pointer, spot->env->tokens, "+")))
		return false;
	if (!read_subscripts(spot, pointer->arg, level) ||
	    *level == AO_MAX_DIMS)
		return false;
	add_terms(spot, ao_term_second(pointer), *level);
	*level += pointer->kind == AO_TERM_INDEX && !is_address;
	return true;
}

/* i * n, a row's distance from the first, to which others may be added. */
static bool is_row_start(const struct spot *spot)
{
	const struct ao_term *term = spot->term;

	return term->kind == AO_TERM_BINARY &&
	       ao_term_has_op(term, spot->env->tokens, "*") &&
	       ao_term_bare(term->arg)->kind != AO_TERM_NUMBER &&
	       ao_term_bare(ao_term_second(term))->kind != AO_TERM_NUMBER;
}

/* Whether a counter alone chooses a row: of [i][j] and [i * n + j], but not of
 * [i + j]. */
static bool find_spot(struct spot *out, const struct reader *r,
		      const struct ao_term *access, uint32_t var)
{
	enum ao_stride stride = ao_access_stride(&r->env, access, var);
	unsigned level;

	*out = (struct spot){ .env = &r->env, .var = var };
	return (stride == AO_STRIDE_ONE || stride == AO_STRIDE_MANY) &&
	       read_subscripts(out, access, &level) && out->found == 1 &&
	       (out->terms[out->level] == 1 || is_row_start(out)) &&
	       ao_access_is_fixed(&r->env, out->term, r->region, &var, 1);
}

static bool has_same_spots(const struct reader *r, const struct use *a,
			   const struct use *b)
{
	for (size_t n = 0; n < r->parts->counter_count; n++) {
		uint32_t var = r->parts->counters[n];
		struct spot x, y;

		if (!find_spot(&x, r, a->access, var) ||
		    !find_spot(&y, r, b->access, var) || x.level != y.level ||
		    !ao_span_same(&r->unit->tokens, x.term->span, y.term->span))
			return false;
	}
	return r->parts->counter_count > 0;
}

/* The name that a pointer is made from. */
static uint32_t root_of(const struct ao_env *env, const struct ao_term *pointer)
{
	for (pointer = look_through(env, pointer); pointer->arg;)
		pointer = look_through(env, pointer->arg);
	return pointer->span.first;
}

static bool is_member(const struct ao_tokens *tokens, uint32_t i)
{
	return i && (ao_token_is(tokens, i - 1, ".") ||
		     ao_token_is(tokens, i - 1, "->"));
}

/* Whether a name is used where it is given what it stands for. */
static bool is_binding(const struct ao_env *env, uint32_t i)
{
	for (size_t n = 0; n < env->count; n++) {
		const struct ao_binding *binding = &env->bindings[n];

		if (i == binding->name || (i >= binding->value->span.first &&
					   i < binding->value->span.end))
			return true;
	}
	return false;
}

/*
 * Read what the word at `i` with its subscripts, up to `end`, is.  Returns
 * false if it is no array, or one that is declared within the node.
 */
static bool read_array(struct use *out, struct reader *r, uint32_t i,
		       uint32_t end)
{
	const struct ao_tokens *tokens = &r->unit->tokens;
	const struct ao_node *at = ao_node_at(r->unit->file, i);
	const struct ao_span span = { i, end };
	struct ao_decl decl, outside;
	unsigned dims = 0;

	if (!ao_decl_find(&decl, tokens, at, i) || is_binding(&r->env, i))
		return false;
	for (uint32_t t = i + 1; t < end; t = ao_token_skip(tokens, t, end))
		dims++;
	out->access = dims ? ao_term_parse(&r->unit->pool, tokens, span) : NULL;
	if (!dims && !decl.pointers && !decl.dim_count)
		return false;
	if (ao_token_is(tokens, end, "->"))
		return false;
	out->root = i;
	if (out->access && !ao_access_root(&r->env, out->access, &out->root))
		out->access = NULL;
	if (!out->access && ao_env_value(&r->env, i))
		out->root = root_of(&r->env, ao_env_value(&r->env, i));
	if (!ao_decl_find(&outside, tokens, r->parts->node, out->root))
		return false;
	/* A row or the whole may be written to by who is given it. */
	out->is_written |= !out->access ||
			   dims < decl.pointers + decl.dim_count;
	return true;
}

static bool read_use(struct use *out, struct reader *r, size_t part, uint32_t i)
{
	const struct ao_tokens *tokens = &r->unit->tokens;
	struct ao_span span = r->parts->v[part];
	uint32_t end = i + 1;

	while (end < span.end && ao_token_is(tokens, end, "["))
		end = ao_token_skip(tokens, end, span.end);
	if (!ao_token_is_word(tokens, i) || ao_token_is(tokens, end, "("))
		return false;
	*out = (struct use){ .root = i,
			     .part = part,
			     .is_written = ao_decl_is_written(tokens, span,
							      i) };
	if (!is_member(tokens, i))
		return read_array(out, r, i, end);
	if (end > i + 1)
		out->access = ao_term_parse(&r->unit->pool, tokens,
					    (struct ao_span){ i, end });
	return true;
}

/* Note all uses.  False if there are too many. */
static bool read_uses(struct reader *r)
{
	for (size_t n = 0; n < r->parts->count; n++) {
		struct ao_span span = r->parts->v[n];

		if (span.end - span.first > AO_MAX_PART_TOKENS)
			return false;
		for (uint32_t i = span.first; i < span.end; i++) {
			if (r->count == MAX_USES)
				return false;
			r->count += read_use(&r->uses[r->count], r, n, i);
		}
	}
	return true;
}

/* Whether two uses have nothing to do with each other in different rounds. */
static bool are_apart(const struct reader *r, const struct use *a,
		      const struct use *b)
{
	const struct ao_tokens *tokens = &r->unit->tokens;

	return a->part == b->part || !(a->is_written || b->is_written) ||
	       !ao_token_same(tokens, a->root, b->root) ||
	       is_member(tokens, a->root) != is_member(tokens, b->root) ||
	       (a->access && b->access && has_same_spots(r, a, b));
}

bool ao_shared_is_by_round(struct ao_unit *unit, const struct ao_parts *parts)
{
	struct reader r = { .unit = unit,
			    .parts = parts,
			    .env = { .tokens = &unit->tokens },
			    .region = { parts->v[0].first,
					parts->v[parts->count - 1].end } };

	if (parts->env)
		r.env = *parts->env;
	if (!read_uses(&r))
		return false;
	for (size_t a = 0; a < r.count; a++) {
		for (size_t b = a + 1; b < r.count; b++) {
			if (!are_apart(&r, &r.uses[a], &r.uses[b]))
				return false;
		}
	}
	return true;
}
