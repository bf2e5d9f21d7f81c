/* SPDX-License-Identifier: MIT */
/* unit.h - a kernel's source, read for rewriting, with what is known of it. */
#ifndef AO_REWRITE_UNIT_H
#define AO_REWRITE_UNIT_H

#include "rewrite/access.h"
#include "rewrite/context.h"
#include "rewrite/forhead.h"

enum {
	AO_MAX_UNIT_BYTES = 128 << 10, /* longer sources are left alone */
	AO_MAX_LOOPS = 128,	       /* so are loops behind these */
};

/*
 * A loop that counts in integers is known by its site: its place among all
 * such loops of the source, in the order of the text.
 */
struct ao_unit {
	const struct ao_rewrite_context *context;
	struct ao_pool pool;
	struct ao_tokens tokens;
	struct ao_node *file;
	struct ao_for loops[AO_MAX_LOOPS]; /* [loop_count] by site */
	size_t loop_count;
	const char *newline; /* as the source has it */
	const char *indent;  /* one level, as the source has it */
};

/*
 * `text` and `context` are borrowed as long as the unit lives.  Returns false,
 * *out all zero, if the source is too long to be looked into.
 */
bool ao_unit_read(struct ao_unit *out, const char *text, size_t len,
		  const struct ao_rewrite_context *context);
void ao_unit_release(struct ao_unit *unit);

/* The loop that `node` is, or NULL if it does not count. */
const struct ao_for *ao_unit_loop(const struct ao_unit *unit,
				  const struct ao_node *node);

/* Whether `node` is the first thing on its line. */
bool ao_unit_starts_line(const struct ao_unit *unit,
			 const struct ao_node *node);

/* Floats in a vector: those of the smallest, if that is not known. */
int ao_unit_lanes(const struct ao_unit *unit);

/* The line that `node` begins on, from 1. */
uint32_t ao_unit_line(const struct ao_unit *unit, const struct ao_node *node);

/* The number of a loop among the unit's. */
size_t ao_unit_site(const struct ao_unit *unit, const struct ao_for *loop);

/* Whether code of ours stands in the span: names that only we generate. */
bool ao_unit_is_ours(const struct ao_unit *unit, struct ao_span span);

/* Whether `node` is the plain way that our code falls back on. */
bool ao_unit_is_fallback(const struct ao_unit *unit,
			 const struct ao_node *node);

/*
 * Whether a loop takes up what one in larger steps before it left:
 * for (; done + 4 <= n; done += 4) ... for (i = done; i < n; i++)
 */
bool ao_unit_is_rest(const struct ao_unit *unit, const struct ao_for *loop);

/* Whether a span has break, continue, goto or return in it. */
bool ao_unit_has_jump(const struct ao_unit *unit, struct ao_span span);

/*
 * Whether the code of `node` may stand in two places: it has no jump, label,
 * variable that lasts or assembly.
 */
bool ao_unit_is_repeatable(const struct ao_unit *unit,
			   const struct ao_node *node);

/* Whether a directive other than a pragma stands within the span. */
bool ao_unit_has_directive(const struct ao_unit *unit, struct ao_span span);

/*
 * What an integer expression is in the main case: of numbers, axes, and macros
 * defined as a number.  0 if it is not known.
 */
double ao_unit_value(struct ao_unit *unit, struct ao_span span);

/* A span's bytes as a string.  Borrowed from the unit. */
char *ao_unit_text(struct ao_unit *unit, struct ao_span span);

/* The same, fit to be an operand: in parentheses, if it is not one token. */
char *ao_unit_operand(struct ao_unit *unit, struct ao_span span);

/*
 * Whether the compiler knows what an integer expression at `node` is: no name
 * in it is a variable's.  Then it may be an extent of an array at file level.
 */
bool ao_unit_is_constant(const struct ao_unit *unit, const struct ao_node *node,
			 struct ao_span span);

/*
 * Whether an expression at `node`, within a loop, means the same before it: the
 * loop neither writes to nor declares what it is made of.
 */
bool ao_unit_is_fixed(const struct ao_unit *unit, const struct ao_node *node,
		      struct ao_span span, const struct ao_node *loop);

/* A code token as a string.  Borrowed from the unit. */
char *ao_unit_word(struct ao_unit *unit, uint32_t i);

/* The blanks that the line of byte `at` begins with.  Borrowed as above. */
char *ao_unit_indent_at(struct ao_unit *unit, size_t at);

/*
 * A name like `wish` that means nothing within `span`, nor is an axis or a
 * macro.  Borrowed from the unit.
 */
char *ao_unit_fresh_name(struct ao_unit *unit, struct ao_span span,
			 const char *wish);

#endif
