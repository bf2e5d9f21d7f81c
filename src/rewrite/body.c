/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/body.h"

static bool read_expression(struct ao_statement *out, struct ao_unit *unit,
			    const struct ao_node *node)
{
	struct ao_span span = node->span;

	if (node->kind != AO_NODE_SIMPLE || span.end == span.first ||
	    !ao_token_is(&unit->tokens, span.end - 1, ";"))
		return false;
	span.end--;
	out->term = ao_term_parse(&unit->pool, &unit->tokens, span);
	if (!out->term || out->term->kind != AO_TERM_ASSIGN)
		return false;
	out->value = ao_term_second(out->term);
	return true;
}

static bool read_declaration(struct ao_statement *out, struct ao_unit *unit,
			     const struct ao_node *node)
{
	if (node->kind != AO_NODE_SIMPLE ||
	    ao_decl_read(&out->decl, 1, &unit->tokens, node->span) != 1 ||
	    out->decl.init.first >= out->decl.init.end)
		return false;
	out->is_declaration = true;
	out->value = ao_term_parse(&unit->pool, &unit->tokens, out->decl.init);
	return out->value != NULL;
}

/* if (condition) target = value; */
static bool read_conditional(struct ao_statement *out, struct ao_unit *unit,
			     const struct ao_node *node)
{
	const struct ao_node *inner = ao_node_body(node);

	if (node->kind != AO_NODE_CONTROL ||
	    !ao_token_is(&unit->tokens, node->span.first, "if") || !inner ||
	    inner->next || node->child->next)
		return false;
	out->condition = ao_term_parse(&unit->pool, &unit->tokens, node->head);
	return out->condition && read_expression(out, unit, inner);
}

bool ao_body_read(struct ao_body *out, struct ao_unit *unit,
		  const struct ao_for *loop)
{
	*out = (struct ao_body){ 0 };
	if (ao_unit_is_ours(unit, loop->node->span) ||
	    ao_unit_is_fallback(unit, loop->node))
		return false;
	for (const struct ao_node *s = ao_node_body(loop->node); s;
	     s = s->next) {
		struct ao_statement *statement = &out->v[out->count];

		if (out->count == AO_MAX_STATEMENTS)
			return false;
		*statement = (struct ao_statement){ .node = s };
		if (!read_declaration(statement, unit, s) &&
		    !read_expression(statement, unit, s) &&
		    !read_conditional(statement, unit, s))
			return false;
		out->count++;
	}
	return out->count > 0;
}

/* What the statement computes, with what it assigns to. */
static const struct ao_term *whole(const struct ao_statement *s)
{
	return s->is_declaration ? s->value : s->term;
}

bool ao_body_has_side_effect(const struct ao_body *body,
			     const struct ao_tokens *tokens)
{
	for (size_t n = 0; n < body->count; n++) {
		const struct ao_term *root = whole(&body->v[n]);

		for (const struct ao_term *t = root; t;
		     t = ao_term_next(t, root)) {
			if (t->kind == AO_TERM_POSTFIX ||
			    (t->kind == AO_TERM_ASSIGN && t != root) ||
			    (t->kind == AO_TERM_UNARY &&
			     (ao_token_is(tokens, t->op, "++") ||
			      ao_token_is(tokens, t->op, "--"))))
				return true;
		}
	}
	return false;
}

/* Whether a term is an element or what a pointer points to. */
static bool is_access(const struct ao_term *term,
		      const struct ao_tokens *tokens)
{
	return term->kind == AO_TERM_INDEX ||
	       (term->kind == AO_TERM_UNARY &&
		ao_token_is(tokens, term->op, "*"));
}

bool ao_body_is_fixed(const struct ao_body *body, const struct ao_env *env,
		      struct ao_span region, const uint32_t *counters,
		      size_t count)
{
	if (ao_body_has_side_effect(body, env->tokens))
		return false;
	for (size_t n = 0; n < body->count; n++) {
		const struct ao_term *root = whole(&body->v[n]);

		for (const struct ao_term *t = root; t;
		     t = ao_term_next(t, root)) {
			if (is_access(t, env->tokens) &&
			    !ao_access_is_fixed(env, t, region, counters,
						count))
				return false;
		}
	}
	return true;
}

/* Whether a word before a ( is none of a function that is called. */
static bool is_keyword(const struct ao_tokens *tokens, uint32_t i)
{
	static const char *const words[] = { "if",     "for",	 "while",
					     "switch", "sizeof", "return" };

	for (size_t n = 0; n < AO_ARRAY_SIZE(words); n++) {
		if (ao_token_is(tokens, i, words[n]))
			return true;
	}
	return false;
}

bool ao_body_calls(const struct ao_tokens *tokens, struct ao_span span,
		   const char *but)
{
	for (uint32_t i = span.first; i + 1 < span.end; i++) {
		if (ao_token_is_word(tokens, i) &&
		    ao_token_is(tokens, i + 1, "(") &&
		    !ao_token_is(tokens, i, but) && !is_keyword(tokens, i))
			return true;
	}
	return false;
}

/* Whether the name at `i` is `name`, or that with an f or l behind it. */
static bool is_function(const struct ao_tokens *tokens, uint32_t i,
			const char *name)
{
	struct ao_token token = ao_token(tokens, i);
	const char *text = tokens->text + token.at;
	size_t len = strlen(name);

	if (token.len < len || memcmp(text, name, len) != 0)
		return false;
	return token.len == len ||
	       (token.len == len + 1 && strchr("fl", text[len]));
}

static bool is_known(const struct ao_tokens *tokens, uint32_t i)
{
	static const char *const functions[] = {
		"acos",	      "asin",	     "atan",	  "atan2",
		"cbrt",	      "ceil",	     "cos",	  "cosh",
		"erf",	      "erfc",	     "exp",	  "exp2",
		"expm1",      "fabs",	     "floor",	  "fma",
		"fmax",	      "fmin",	     "fmod",	  "hypot",
		"log",	      "log10",	     "log1p",	  "log2",
		"pow",	      "rint",	     "round",	  "sin",
		"sinh",	      "sqrt",	     "tan",	  "tanh",
		"trunc",      "memcpy",	     "memmove",	  "memset",
		"exp_inline", "vec_largest", "VEC_FETCH", "__builtin_inff",
	};

	if (i && (ao_token_is(tokens, i - 1, ".") ||
		  ao_token_is(tokens, i - 1, "->")))
		return false;
	for (size_t n = 0; n < AO_ARRAY_SIZE(functions); n++) {
		if (is_function(tokens, i, functions[n]))
			return true;
	}
	return false;
}

bool ao_body_calls_unknown(const struct ao_tokens *tokens, struct ao_span span)
{
	for (uint32_t i = span.first; i + 1 < span.end; i++) {
		if (ao_token_is(tokens, i + 1, "(") &&
		    (ao_token_is_word(tokens, i)
			     ? !is_keyword(tokens, i) && !is_known(tokens, i)
			     : ao_token_is(tokens, i, "]")))
			return true;
	}
	return false;
}
