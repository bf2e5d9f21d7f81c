/* SPDX-License-Identifier: MIT */
/*
 * term.h - C expressions as trees.
 *
 * A term knows which code tokens it was read from; printing it prints these,
 * with replacements, one blank where there was any space and no comments.
 */
#ifndef AO_REWRITE_TERM_H
#define AO_REWRITE_TERM_H

#include "rewrite/pool.h"
#include "rewrite/token.h"
#include "util/buf.h"

enum ao_term_kind {
	AO_TERM_NAME,
	AO_TERM_NUMBER,
	AO_TERM_STRING,
	AO_TERM_PAREN,	 /* ( a ) */
	AO_TERM_INDEX,	 /* a [ b ] */
	AO_TERM_CALL,	 /* a ( b, ... ) */
	AO_TERM_MEMBER,	 /* a . name, a -> name */
	AO_TERM_POSTFIX, /* a ++, a -- */
	AO_TERM_UNARY,	 /* op a */
	AO_TERM_CAST,	 /* ( type ) a */
	AO_TERM_BINARY,	 /* a op b, but for assignments */
	AO_TERM_CHOICE,	 /* a ? b : c */
	AO_TERM_ASSIGN,	 /* a op b, op being =, +=, ... */
	AO_TERM_OTHER,	 /* sizeof, compound literals: not looked into */
};

struct ao_term {
	enum ao_term_kind kind;
	struct ao_span span;
	uint32_t op; /* code index of the operator, if it has one */
	const struct ao_term *parent;
	struct ao_term *arg;  /* the first operand, or NULL */
	struct ao_term *next; /* the next operand of the same parent, or NULL */
};

/* Expressions that nest deeper or have more terms do not parse. */
enum { AO_MAX_TERM_DEPTH = 60, AO_MAX_TERMS = 2000 };

/*
 * Parse a whole span as one expression.  Returns NULL if it is none that we
 * understand.  The terms live in `pool`.
 */
struct ao_term *ao_term_parse(struct ao_pool *pool,
			      const struct ao_tokens *tokens,
			      struct ao_span span);

/* The second operand, or NULL. */
const struct ao_term *ao_term_second(const struct ao_term *term);

/* The term itself, or what is inside its parentheses. */
const struct ao_term *ao_term_bare(const struct ao_term *term);

/* Whether it is exactly this name. */
bool ao_term_is_name(const struct ao_term *term, const struct ao_tokens *tokens,
		     const char *name);

/* Whether its operator is `op`. */
bool ao_term_has_op(const struct ao_term *term, const struct ao_tokens *tokens,
		    const char *op);

/* The term behind `term` in the order of the text, within `root`; or NULL. */
const struct ao_term *ao_term_next(const struct ao_term *term,
				   const struct ao_term *root);

/*
 * What to print in place of a term: appended to `out` by the callback, which
 * returns whether it did.
 */
typedef bool ao_term_replace(void *data, struct ao_buf *out,
			     const struct ao_term *term);

/* `replace` may be NULL. */
void ao_term_print(struct ao_buf *out, const struct ao_tokens *tokens,
		   const struct ao_term *term, ao_term_replace *replace,
		   void *data);

#endif
