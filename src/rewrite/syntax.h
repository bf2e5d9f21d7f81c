/* SPDX-License-Identifier: MIT */
/*
 * syntax.h - C source as a tree of functions, statements and loops.
 *
 * It knows where statements begin and end, and no more: what is inside a
 * simple statement, a declaration at file level or a directive is opaque.
 * Every text has a tree; where brackets do not pair, it is a coarse one.
 */
#ifndef AO_REWRITE_SYNTAX_H
#define AO_REWRITE_SYNTAX_H

#include "rewrite/pool.h"
#include "rewrite/token.h"
#include "util/buf.h"

enum ao_node_kind {
	AO_NODE_FILE,
	AO_NODE_FUNCTION,  /* a definition; its one child is the body */
	AO_NODE_BLOCK,	   /* { ... } */
	AO_NODE_FOR,	   /* its one child is the body */
	AO_NODE_CONTROL,   /* if, while, do, switch, label, a macro with a block
			      behind it; children: bodies */
	AO_NODE_SIMPLE,	   /* expression, declaration, jump; with its ; */
	AO_NODE_DIRECTIVE, /* also a macro that stands before a loop */
	AO_NODE_OTHER,	   /* at file level: anything but a function */
};

/*
 * A part of the source.  Children lie within it, in order, and do not overlap;
 * what is between them is the node's own.
 */
struct ao_node {
	enum ao_node_kind kind;
	struct ao_span span;
	struct ao_node *parent; /* NULL for the file */
	struct ao_node *child;	/* the first, or NULL */
	struct ao_node *next;	/* sibling, or NULL */
	/*
	 * What is between the keyword's or the function's parentheses; of a
	 * function also its name.  A function whose signature lies before it,
	 * as K&R has it or under an #if, has an empty head at its {.
	 */
	struct ao_span head;
	uint32_t name;
};

/* Deeper nesting is left as one opaque statement. */
enum { AO_MAX_SYNTAX_DEPTH = 100 };

/* The nodes live in `pool`. */
struct ao_node *ao_syntax_parse(struct ao_pool *pool,
				const struct ao_tokens *tokens);

/* Append the text of the whole tree: the text that it was parsed from. */
void ao_syntax_print(struct ao_buf *out, const struct ao_tokens *tokens,
		     const struct ao_node *file);

/* The node behind `node` in the order of the text; NULL behind the last. */
const struct ao_node *ao_node_next(const struct ao_node *node);

/*
 * The first statement of what a loop or function repeats: of its block, or
 * the lone statement without braces.  NULL if it is empty.
 */
const struct ao_node *ao_node_body(const struct ao_node *node);

/* The innermost node within `node` that code token `i`, which it has, is in. */
const struct ao_node *ao_node_at(const struct ao_node *node, uint32_t i);

/* The sibling before `node`, or NULL. */
const struct ao_node *ao_node_previous(const struct ao_node *node);

/* Whether `inner` is `outer` or somewhere within it. */
bool ao_node_is_within(const struct ao_node *inner,
		       const struct ao_node *outer);

/* The outermost loop that `node` is within, in its function. */
const struct ao_node *ao_node_outermost(const struct ao_node *node);

/* The function that `node` is in, or NULL. */
const struct ao_node *ao_node_function(const struct ao_node *node);

/* The pragma or macro that stands directly before a loop, or the loop. */
const struct ao_node *ao_node_annotated(const struct ao_node *loop);

#endif
