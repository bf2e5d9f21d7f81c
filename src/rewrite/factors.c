/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/factors.h"

struct reader {
	const struct ao_unit *unit;
	const struct ao_env *env;
	const struct ao_node *at;
	const struct ao_factor_vars *vars;
	struct ao_factors *factors;
};

static bool number_is_float(const struct ao_tokens *tokens, uint32_t i)
{
	struct ao_token token = ao_token(tokens, i);
	char last = tokens->text[token.at + token.len - 1];

	return (last == 'f' || last == 'F') &&
	       memcmp(tokens->text + token.at, "0x", 2) != 0;
}

static bool name_is_float(const struct ao_unit *unit, const struct ao_env *env,
			  const struct ao_node *at, uint32_t name,
			  bool is_element)
{
	const struct ao_term *value = ao_env_value(env, name);
	struct ao_decl decl;

	if (!is_element && value)
		return ao_term_is_float(unit, env, at, value);
	if (!ao_decl_find(&decl, &unit->tokens, at, name))
		return false;
	return decl.base == AO_TYPE_FLOAT &&
	       is_element == (decl.pointers || decl.dim_count);
}

/* By C's rules, if it is what its name says: sqrtf() and its like. */
static bool call_is_float(const struct ao_tokens *tokens,
			  const struct ao_term *call)
{
	struct ao_token name = ao_token(tokens, call->arg->span.first);

	return call->arg->kind == AO_TERM_NAME &&
	       (tokens->text[name.at + name.len - 1] == 'f' ||
		ao_token_is(tokens, call->arg->span.first, "exp_inline"));
}

bool ao_term_is_float(const struct ao_unit *unit, const struct ao_env *env,
		      const struct ao_node *at, const struct ao_term *term)
{
	const struct ao_tokens *tokens = &unit->tokens;
	uint32_t root;

	switch (term->kind) {
	case AO_TERM_NUMBER:
		return number_is_float(tokens, term->span.first);
	case AO_TERM_NAME:
		return name_is_float(unit, env, at, term->span.first, false);
	case AO_TERM_INDEX:
		return ao_access_root(env, term, &root) &&
		       name_is_float(unit, env, at, root, true);
	case AO_TERM_CALL:
		return call_is_float(tokens, term);
	case AO_TERM_CAST:
		return ao_token_is(tokens, term->span.first + 1, "float");
	case AO_TERM_PAREN:
		return ao_term_is_float(unit, env, at, term->arg);
	case AO_TERM_UNARY:
		return ao_token_is(tokens, term->op, "-") &&
		       ao_term_is_float(unit, env, at, term->arg);
	case AO_TERM_BINARY:
		return ao_term_is_float(unit, env, at, term->arg) &&
		       ao_term_is_float(unit, env, at, ao_term_second(term));
	case AO_TERM_STRING:
	case AO_TERM_MEMBER:
	case AO_TERM_POSTFIX:
	case AO_TERM_CHOICE:
	case AO_TERM_ASSIGN:
	case AO_TERM_OTHER:
		break;
	}
	return false;
}

static bool add_to(struct ao_factor_list *list, const struct ao_term *term,
		   bool divides)
{
	if (list->count == AO_MAX_FACTORS)
		return false;
	list->v[list->count] = term;
	list->divides[list->count++] = divides;
	return true;
}

/* One factor that cannot be taken apart further. */
static bool classify(struct reader *r, const struct ao_term *term, bool divides)
{
	bool on_i = ao_term_depends(r->env, term, r->vars->i);
	bool on_j = ao_term_depends(r->env, term, r->vars->j);
	bool on_k = ao_term_depends(r->env, term, r->vars->k);

	if (!on_j && !on_k)
		return add_to(&r->factors->scale, term, divides);
	if (divides || (on_i && on_j) ||
	    !ao_term_is_float(r->unit, r->env, r->at, term))
		return false;
	return add_to(on_i ? &r->factors->left : &r->factors->right, term,
		      false);
}

/*
 * Whether a product or quotient is one of floats, as far as we know: of
 * integers it is less than its factors say, and stays as it is.
 */
static bool is_floating(const struct reader *r, const struct ao_term *term)
{
	const struct ao_term *value = NULL;

	term = ao_term_bare(term);
	if (term->kind == AO_TERM_NAME)
		value = ao_env_value(r->env, term->span.first);
	if (value)
		return is_floating(r, value);
	return term->kind == AO_TERM_BINARY
		       ? is_floating(r, term->arg) ||
				 is_floating(r, ao_term_second(term))
		       : ao_term_is_float(r->unit, r->env, r->at, term);
}

static bool read_factors(struct reader *r, const struct ao_term *term,
			 bool divides)
{
	const struct ao_term *value = NULL;
	bool is_product;

	term = ao_term_bare(term);
	is_product = term->kind == AO_TERM_BINARY && is_floating(r, term);
	if (is_product && ao_term_has_op(term, r->env->tokens, "*"))
		return read_factors(r, term->arg, divides) &&
		       read_factors(r, ao_term_second(term), divides);
	if (is_product && ao_term_has_op(term, r->env->tokens, "/"))
		return read_factors(r, term->arg, divides) &&
		       read_factors(r, ao_term_second(term), !divides);
	if (term->kind == AO_TERM_NAME)
		value = ao_env_value(r->env, term->span.first);
	if (value)
		return read_factors(r, value, divides);
	return classify(r, term, divides);
}

bool ao_factors_read(struct ao_factors *out, const struct ao_unit *unit,
		     const struct ao_env *env, const struct ao_node *at,
		     const struct ao_term *term,
		     const struct ao_factor_vars *vars)
{
	struct ao_factors factors = { 0 };
	struct reader r = { unit, env, at, vars, &factors };

	if (!read_factors(&r, term, false))
		return false;
	if (!factors.left.count || !factors.right.count)
		return false;
	*out = factors;
	return true;
}

static bool list_is_fixed(const struct ao_factor_list *list,
			  const struct ao_env *env,
			  const struct ao_factor_vars *vars,
			  struct ao_span region)
{
	const uint32_t counters[] = { vars->i, vars->j, vars->k };

	for (size_t n = 0; n < list->count; n++) {
		if (!ao_access_is_fixed(env, list->v[n], region, counters, 3))
			return false;
	}
	return true;
}

bool ao_factors_are_fixed(const struct ao_factors *factors,
			  const struct ao_env *env,
			  const struct ao_factor_vars *vars,
			  struct ao_span region)
{
	return list_is_fixed(&factors->left, env, vars, region) &&
	       list_is_fixed(&factors->right, env, vars, region) &&
	       list_is_fixed(&factors->scale, env, vars, region);
}

bool ao_factors_right_is_row(const struct ao_factors *factors,
			     const struct ao_env *env, uint32_t j)
{
	const struct ao_factor_list *right = &factors->right;

	return right->count == 1 && right->v[0]->kind == AO_TERM_INDEX &&
	       ao_access_stride(env, right->v[0], j) == AO_STRIDE_ONE;
}

/* Whether some element that a value is made of moves by more than one. */
static bool term_is_far(const struct ao_env *env, const struct ao_term *value,
			uint32_t var)
{
	for (const struct ao_term *t = value; t; t = ao_term_next(t, value)) {
		if (t->kind == AO_TERM_INDEX &&
		    ao_access_stride(env, t, var) == AO_STRIDE_MANY)
			return true;
	}
	return false;
}

bool ao_factors_left_is_far(const struct ao_factors *factors,
			    const struct ao_env *env, uint32_t k)
{
	for (size_t n = 0; n < factors->left.count; n++) {
		if (term_is_far(env, factors->left.v[n], k))
			return true;
	}
	return false;
}
