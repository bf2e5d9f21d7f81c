/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/fetched.h"
#include "rewrite/params.h"
#include "rewrite/prelude.h"

/* Add an element, unless it is there.  False if there are too many. */
static bool add(struct ao_fetched *f, const struct ao_tokens *tokens,
		const struct ao_term *element)
{
	for (size_t n = 0; n < f->count; n++) {
		if (ao_span_same(tokens, f->v[n]->span, element->span))
			return true;
	}
	if (f->count == AO_MAX_FETCHED)
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

/* Note an element that a value is made of.  False if it is out of order. */
static bool read_element(struct ao_fetched *f, const struct ao_lanes *l,
			 const struct ao_term *element)
{
	if (!ao_access_is_fixed(&l->env, element, l->loop->node->span,
				&l->loop->var, 1))
		return false;
	switch (ao_access_stride(&l->env, element, l->loop->var)) {
	case AO_STRIDE_NONE:
		return true;
	case AO_STRIDE_ONE:
		return add(f, &l->unit->tokens, element);
	case AO_STRIDE_MANY:
	case AO_STRIDE_UNKNOWN:
		break;
	}
	return false;
}

bool ao_fetched_read(struct ao_fetched *out, const struct ao_lanes *l)
{
	const struct ao_tokens *tokens = &l->unit->tokens;
	bool has_slow = false;

	*out = (struct ao_fetched){ 0 };
	if (ao_body_calls(tokens, l->loop->node->span, "exp_inline"))
		return false;
	for (size_t n = 0; n < l->body.count; n++) {
		const struct ao_term *root = l->body.v[n].value;

		for (const struct ao_term *t = root; t;
		     t = ao_term_next(t, root)) {
			has_slow |= is_slow(tokens, t);
			if (t->kind == AO_TERM_INDEX &&
			    !read_element(out, l, t))
				return false;
		}
	}
	return has_slow && out->count;
}

void ao_fetched_write(struct ao_lanes *l, struct ao_draft *d,
		      const struct ao_term *element, bool is_target)
{
	ao_draft_line(d, "__builtin_prefetch(&%s + AHEAD_FLOATS%s);",
		      ao_lanes_say(l, element, l->done),
		      is_target ? ", 1" : "");
}

void ao_fetched_add_constant(struct ao_edits *edits, struct ao_unit *unit,
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

bool ao_fetched_ahead(const char *params, int *out)
{
	return ao_params_int(params, "ahead", out, 16, 1 << 14);
}
