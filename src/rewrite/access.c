/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/access.h"

static const struct ao_binding *find_binding(const struct ao_env *env,
					     uint32_t name)
{
	for (size_t i = env->count; i-- > 0;) {
		const struct ao_binding *binding = &env->bindings[i];

		/* What is declared later cannot stand for what is earlier. */
		if (binding->value->span.end <= name &&
		    ao_token_same(env->tokens, binding->name, name))
			return binding;
	}
	return NULL;
}

const struct ao_term *ao_env_value(const struct ao_env *env, uint32_t name)
{
	const struct ao_binding *binding = find_binding(env, name);

	return binding ? binding->value : NULL;
}

/* How many terms it is with all names looked through. */
static uint32_t expanded_size(const struct ao_env *env,
			      const struct ao_term *root)
{
	uint32_t size = 0;

	for (const struct ao_term *t = root; t; t = ao_term_next(t, root)) {
		const struct ao_binding *binding =
			t->kind == AO_TERM_NAME
				? find_binding(env, t->span.first)
				: NULL;

		size += binding ? binding->size : 1;
		if (size > AO_MAX_BINDING_TERMS)
			break;
	}
	return size;
}

/* Whether computing it again, next to where it is used, costs nothing. */
static bool is_cheap(const struct ao_term *root, const struct ao_tokens *tokens,
		     enum ao_type type)
{
	for (const struct ao_term *t = root; t; t = ao_term_next(t, root)) {
		switch (t->kind) {
		case AO_TERM_NAME:
		case AO_TERM_NUMBER:
		case AO_TERM_PAREN:
		case AO_TERM_INDEX:
		case AO_TERM_CAST:
		case AO_TERM_MEMBER:
			break;
		case AO_TERM_UNARY:
			if (ao_token_is(tokens, t->op, "++") ||
			    ao_token_is(tokens, t->op, "--"))
				return false;
			break;
		case AO_TERM_BINARY:
			if (ao_token_is(tokens, t->op, "/") &&
			    type != AO_TYPE_INTEGER)
				return false;
			break;
		case AO_TERM_STRING:
		case AO_TERM_CALL:
		case AO_TERM_POSTFIX:
		case AO_TERM_CHOICE:
		case AO_TERM_ASSIGN:
		case AO_TERM_OTHER:
			return false;
		}
	}
	return true;
}

/* Whether `term` is an array or pointer of which the value has an element. */
static bool has_element(const struct ao_term *term,
			const struct ao_tokens *tokens)
{
	const struct ao_term *parent = term->parent;

	return parent &&
	       ((parent->kind == AO_TERM_INDEX && parent->arg == term) ||
		(parent->kind == AO_TERM_UNARY &&
		 ao_token_is(tokens, parent->op, "*")));
}

/* Whether what a value is made of is the same at each place in a span. */
static bool lasts(const struct ao_term *value, const struct ao_tokens *tokens,
		  struct ao_span span)
{
	for (const struct ao_term *t = value; t; t = ao_term_next(t, value)) {
		uint32_t name = t->span.end - 1;

		if (t->kind != AO_TERM_NAME && t->kind != AO_TERM_MEMBER)
			continue;
		if (has_element(t, tokens) || t->kind == AO_TERM_MEMBER
			    ? ao_decl_is_written(tokens, span, name)
			    : ao_decl_is_set(tokens, span, name))
			return false;
	}
	return true;
}

bool ao_env_bind(struct ao_env *env, struct ao_pool *pool,
		 const struct ao_decl *decl, struct ao_span region)
{
	struct ao_span behind = { decl->init.end, region.end };
	const struct ao_term *value;
	uint32_t size;

	if (env->count == AO_MAX_BINDINGS || decl->dim_count ||
	    decl->init.first >= decl->init.end)
		return false;
	value = ao_term_parse(pool, env->tokens, decl->init);
	if (!value || !is_cheap(value, env->tokens,
				decl->pointers ? AO_TYPE_INTEGER : decl->base))
		return false;
	if (ao_decl_is_set(env->tokens, behind, decl->name) ||
	    !lasts(value, env->tokens, behind))
		return false;
	size = expanded_size(env, value);
	if (size > AO_MAX_BINDING_TERMS)
		return false;
	env->bindings[env->count++] = (struct ao_binding){ decl->name, size,
							   value };
	return true;
}

bool ao_term_depends(const struct ao_env *env, const struct ao_term *term,
		     uint32_t var)
{
	for (const struct ao_term *t = term; t; t = ao_term_next(t, term)) {
		const struct ao_term *value;

		if (t->kind == AO_TERM_OTHER &&
		    ao_decl_is_used(env->tokens, t->span, var))
			return true;
		if (t->kind != AO_TERM_NAME)
			continue;
		if (ao_token_same(env->tokens, t->span.first, var))
			return true;
		value = ao_env_value(env, t->span.first);
		if (value && ao_term_depends(env, value, var))
			return true;
	}
	return false;
}

static bool is_among(const struct ao_tokens *tokens, uint32_t name,
		     const uint32_t *names, size_t count)
{
	for (size_t n = 0; n < count; n++) {
		if (ao_token_same(tokens, names[n], name))
			return true;
	}
	return false;
}

bool ao_access_is_fixed(const struct ao_env *env, const struct ao_term *term,
			struct ao_span region, const uint32_t *counters,
			size_t count)
{
	for (const struct ao_term *t = term; t; t = ao_term_next(t, term)) {
		uint32_t name = t->span.end - 1;
		const struct ao_term *value;

		if (t->kind == AO_TERM_MEMBER &&
		    ao_decl_is_written(env->tokens, region, name))
			return false;
		if (t->kind != AO_TERM_NAME ||
		    is_among(env->tokens, name, counters, count))
			continue;
		value = ao_env_value(env, name);
		if (value ? !ao_access_is_fixed(env, value, region, counters,
						count)
			  : ao_decl_is_set(env->tokens, region, name))
			return false;
	}
	return true;
}

static enum ao_stride add_strides(enum ao_stride a, enum ao_stride b)
{
	if (a == AO_STRIDE_NONE || b == AO_STRIDE_NONE)
		return a == AO_STRIDE_NONE ? b : a;
	return a == AO_STRIDE_UNKNOWN || b == AO_STRIDE_UNKNOWN
		       ? AO_STRIDE_UNKNOWN
		       : AO_STRIDE_MANY;
}

static enum ao_stride scale_stride(enum ao_stride a)
{
	return a == AO_STRIDE_ONE ? AO_STRIDE_MANY : a;
}

/* By how much `term`, an integer, grows when the name at `var` grows by 1. */
static enum ao_stride stride_of(const struct ao_env *env,
				const struct ao_term *term, uint32_t var);

static enum ao_stride stride_of_binary(const struct ao_env *env,
				       const struct ao_term *term, uint32_t var)
{
	const struct ao_term *right = ao_term_second(term);
	enum ao_stride a = stride_of(env, term->arg, var);
	enum ao_stride b = stride_of(env, right, var);

	if (ao_term_has_op(term, env->tokens, "+"))
		return add_strides(a, b);
	if (ao_term_has_op(term, env->tokens, "-"))
		return add_strides(a, scale_stride(b));
	if (a == AO_STRIDE_NONE && b == AO_STRIDE_NONE)
		return AO_STRIDE_NONE;
	if (ao_term_has_op(term, env->tokens, "*") &&
	    (a == AO_STRIDE_NONE || b == AO_STRIDE_NONE))
		return scale_stride(a == AO_STRIDE_NONE ? b : a);
	return AO_STRIDE_UNKNOWN;
}

static enum ao_stride stride_of(const struct ao_env *env,
				const struct ao_term *term, uint32_t var)
{
	const struct ao_term *value;

	if (!ao_term_depends(env, term, var))
		return AO_STRIDE_NONE;
	if (term->kind == AO_TERM_PAREN || term->kind == AO_TERM_CAST)
		return stride_of(env, term->arg, var);
	if (term->kind == AO_TERM_BINARY)
		return stride_of_binary(env, term, var);
	if (term->kind != AO_TERM_NAME)
		return AO_STRIDE_UNKNOWN;
	value = ao_env_value(env, term->span.first);
	return value && !ao_token_same(env->tokens, term->span.first, var)
		       ? stride_of(env, value, var)
		       : AO_STRIDE_ONE;
}

/*
 * Where a pointer points: `offset` within the innermost row of what it points
 * into, `row` for all dimensions outside of that.
 */
struct place {
	bool is_known;
	uint32_t root; /* name of the array */
	enum ao_stride row;
	enum ao_stride offset;
};

static struct place place_of_pointer(const struct ao_env *env,
				     const struct ao_term *term, uint32_t var);

/* base[index], as an element */
static struct place place_of_element(const struct ao_env *env,
				     const struct ao_term *term, uint32_t var)
{
	struct place place = place_of_pointer(env, term->arg, var);
	enum ao_stride index = stride_of(env, ao_term_second(term), var);

	place.offset = add_strides(place.offset, index);
	return place;
}

static struct place place_of_sum(const struct ao_env *env,
				 const struct ao_term *term, uint32_t var)
{
	const struct ao_term *offset = ao_term_second(term);
	struct place place = { 0 };
	enum ao_stride stride;

	if (!ao_term_has_op(term, env->tokens, "+"))
		return place;
	place = place_of_pointer(env, term->arg, var);
	stride = stride_of(env, offset, var);
	place.offset = add_strides(place.offset, stride);
	return place;
}

static struct place place_of_pointer(const struct ao_env *env,
				     const struct ao_term *term, uint32_t var)
{
	struct place place = { 0 };
	const struct ao_term *value;

	term = ao_term_bare(term);
	if (term->kind == AO_TERM_CAST)
		return place_of_pointer(env, term->arg, var);
	if (term->kind == AO_TERM_BINARY)
		return place_of_sum(env, term, var);
	if (term->kind == AO_TERM_UNARY &&
	    ao_term_has_op(term, env->tokens, "&") &&
	    term->arg->kind == AO_TERM_INDEX)
		return place_of_element(env, term->arg, var);
	if (term->kind == AO_TERM_INDEX) {
		/* A row of a matrix: what chose it is not within the row. */
		place = place_of_element(env, term, var);
		place.row = add_strides(place.row, scale_stride(place.offset));
		place.offset = AO_STRIDE_NONE;
		return place;
	}
	if (term->kind != AO_TERM_NAME)
		return place;
	value = ao_env_value(env, term->span.first);
	if (value)
		return place_of_pointer(env, value, var);
	place.is_known = true;
	place.root = term->span.first;
	return place;
}

enum ao_stride ao_access_stride(const struct ao_env *env,
				const struct ao_term *access, uint32_t var)
{
	struct place place = place_of_element(env, access, var);

	if (!place.is_known)
		return AO_STRIDE_UNKNOWN;
	return add_strides(place.row, place.offset);
}

bool ao_access_root(const struct ao_env *env, const struct ao_term *access,
		    uint32_t *name_out)
{
	struct place place = place_of_element(env, access, UINT32_MAX);

	if (place.is_known)
		*name_out = place.root;
	return place.is_known;
}
