/* SPDX-License-Identifier: MIT */
/* body.h - innermost loops: what they repeat, as a list of statements. */
#ifndef AO_REWRITE_BODY_H
#define AO_REWRITE_BODY_H

#include "rewrite/unit.h"

enum { AO_MAX_STATEMENTS = 24 };

/* "float x = value;", "target = value;", or "if (condition) ...;" */
struct ao_statement {
	const struct ao_node *node;
	bool is_declaration;
	struct ao_decl decl;		 /* of a declaration of one name */
	const struct ao_term *term;	 /* of an assignment, whole */
	const struct ao_term *value;	 /* that is assigned */
	const struct ao_term *condition; /* under which it is, or NULL */
};

struct ao_body {
	struct ao_statement v[AO_MAX_STATEMENTS]; /* [count] */
	size_t count;
};

/*
 * Read what a loop repeats.  Returns false if there is anything else in it,
 * such as another loop, or if the loop is of our making.
 */
bool ao_body_read(struct ao_body *out, struct ao_unit *unit,
		  const struct ao_for *loop);

/*
 * Whether strides tell all about each element that the body uses: nothing in
 * `region` but the counters, which are [count] code indices, moves one, and
 * there are no side effects.
 */
bool ao_body_is_fixed(const struct ao_body *body, const struct ao_env *env,
		      struct ao_span region, const uint32_t *counters,
		      size_t count);

/* Whether an expression of the body moves a name on the way: *p++ = x. */
bool ao_body_has_side_effect(const struct ao_body *body,
			     const struct ao_tokens *tokens);

/* Whether a call is made in the span; `but` names one that does not count. */
bool ao_body_calls(const struct ao_tokens *tokens, struct ao_span span,
		   const char *but);

/*
 * Whether the span calls what may do more than compute a result and write to
 * what it is given a pointer to: any but functions of <math.h>, and memset()
 * and its like.
 */
bool ao_body_calls_unknown(const struct ao_tokens *tokens, struct ao_span span);

#endif
