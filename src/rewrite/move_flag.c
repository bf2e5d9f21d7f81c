/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/cflags.h"
#include "rewrite/moves.h"
#include "util/strs.h"

/* A flag worth trying.  None of them changes what a finite result is. */
struct flag {
	const char *text;
	const char *needs;     /* one of these tokens in a loop, or NULL */
	const char *feature;   /* of a source that has one of them */
	uint32_t vector_bytes; /* only on a machine with these; 0: any */
	double prior;
	const char *why;
};

static const struct flag flags[] = {
	{ "-fno-math-errno", "sqrtf sqrt", "libm", 0, 0.6,
	  "Math functions need not set errno then, so that a square root is "
	  "one instruction and loops of it can be vectorised." },
	{ "-fno-trapping-math", "if ? fmaxf fminf", "choice", 0, 0.15,
	  "The compiler may then compute both sides of a choice, and so "
	  "vectorise a loop that has one." },
	{ "compiler=clang", NULL, NULL, 0, 0.05,
	  "Another compiler chooses other instructions and another order." },
	{ "-mprefer-vector-width=512", NULL, NULL, 64, 0.1,
	  "The compiler's own choice is 256 bits, to spare the clock; long "
	  "loops gain by the full width." },
	{ "-funroll-loops", NULL, NULL, 0, 0.03,
	  "Fewer branches, and more independent work in flight." },
};

static bool span_has_any(const struct ao_tokens *tokens, struct ao_span span,
			 const struct ao_strs *words)
{
	for (uint32_t i = span.first; i < span.end; i++) {
		for (size_t k = 0; k < words->count; k++) {
			if (ao_token_is(tokens, i, words->v[k]))
				return true;
		}
	}
	return false;
}

/* Whether one of the words is in a loop that is not of our making. */
static bool loops_have_any(const struct ao_unit *unit, const char *words)
{
	struct ao_strs list = { 0 };
	bool found = false;

	ao_strs_split(&list, words);
	for (size_t i = 0; i < unit->loop_count && !found; i++) {
		const struct ao_node *loop = unit->loops[i].node;

		found = !ao_unit_is_ours(unit, loop->span) &&
			!ao_unit_is_fallback(unit, loop) &&
			span_has_any(&unit->tokens, loop->span, &list);
	}
	ao_strs_release(&list);
	return found;
}

static void propose(struct ao_offers *offers, struct ao_unit *unit)
{
	for (size_t i = 0; i < AO_ARRAY_SIZE(flags); i++) {
		const struct flag *flag = &flags[i];
		char *params, *title;

		if (unit->context->vector_bytes < flag->vector_bytes ||
		    (flag->needs && !loops_have_any(unit, flag->needs)) ||
		    ao_cflags_have(unit, flag->text))
			continue;
		params = ao_xstrf("flag=%s", flag->text);
		title = ao_xstrf("compile with %s", flag->text);
		ao_offer(offers, params, flag->feature ? flag->feature : "",
			 flag->prior, title, "%s", flag->why);
		free(params);
		free(title);
	}
}

static bool apply(struct ao_edits *edits, struct ao_unit *unit,
		  const char *params)
{
	char *text = ao_params_text(params, "flag");
	bool is_known = false;

	for (size_t i = 0; text && i < AO_ARRAY_SIZE(flags); i++)
		is_known |= !strcmp(flags[i].text, text);
	if (is_known)
		ao_cflags_add(edits, unit, text);
	free(text);
	return is_known;
}

const struct ao_move ao_move_flag = {
	.name = "flag",
	.propose = propose,
	.apply = apply,
};
