/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/say.h"
#include "util/limits.h"

struct speaker {
	const struct ao_env *env;
	const struct ao_said *said;
	size_t count;
};

/* Whether a sum in place of `term` would be torn apart. */
static bool binds_tighter(const struct ao_env *env, const struct ao_term *term)
{
	const struct ao_term *parent = term->parent;

	if (!parent || parent->kind == AO_TERM_PAREN)
		return false;
	if (parent->kind == AO_TERM_INDEX || parent->kind == AO_TERM_CALL)
		return parent->arg == term;
	return parent->kind != AO_TERM_ASSIGN &&
	       !(parent->kind == AO_TERM_BINARY &&
		 ao_term_has_op(parent, env->tokens, "+"));
}

/* Whether a text is one word or element, which nothing tears apart. */
static bool is_simple(const char *text)
{
	for (int depth = 0; *text; text++) {
		if (*text == '[')
			depth++;
		else if (*text == ']')
			depth--;
		else if (!depth && strchr(" +-*/?:<>=&|", *text))
			return false;
	}
	return true;
}

static void add(struct ao_buf *out, const char *text, bool needs_parens)
{
	bool has_parens = needs_parens && !is_simple(text);

	ao_buf_addf(out, "%s%s%s", has_parens ? "(" : "", text,
		    has_parens ? ")" : "");
}

static bool replace(void *data, struct ao_buf *out, const struct ao_term *term)
{
	const struct speaker *s = data;
	const struct ao_tokens *tokens = s->env->tokens;
	struct ao_buf inner = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	const struct ao_term *value;

	if (term->kind != AO_TERM_NAME)
		return false;
	for (size_t i = 0; i < s->count; i++) {
		if (ao_token_same(tokens, s->said[i].name, term->span.first)) {
			add(out, s->said[i].text, binds_tighter(s->env, term));
			return true;
		}
	}
	value = ao_env_value(s->env, term->span.first);
	if (!value)
		return false;
	ao_term_print(&inner, tokens, value, replace, data);
	add(out, inner.ptr, term->parent != NULL);
	ao_buf_release(&inner);
	return true;
}

char *ao_say(struct ao_unit *unit, const struct ao_env *env,
	     const struct ao_term *term, const struct ao_said *said,
	     size_t count)
{
	struct speaker speaker = { env, said, count };
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	char *text;

	ao_term_print(&out, &unit->tokens, term, replace, &speaker);
	text = ao_pool_strndup(&unit->pool, out.ptr, out.len);
	ao_buf_release(&out);
	return text;
}
