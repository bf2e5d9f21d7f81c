/* SPDX-License-Identifier: MIT */
/* decl.h - what names are declared as, and where they are written to. */
#ifndef AO_REWRITE_DECL_H
#define AO_REWRITE_DECL_H

#include "rewrite/syntax.h"

enum ao_type {
	AO_TYPE_OTHER,
	AO_TYPE_INTEGER,
	AO_TYPE_FLOAT,
	AO_TYPE_DOUBLE,
};

enum { AO_MAX_DIMS = 8 };

/* One declared name. */
struct ao_decl {
	uint32_t name;	     /* code index of the name where it is declared */
	struct ao_span type; /* the words before its declarator */
	enum ao_type base;
	unsigned pointers;		  /* the * before the name */
	struct ao_span dims[AO_MAX_DIMS]; /* [dim_count] array bounds, */
	size_t dim_count;		  /* without qualifiers */
	struct ao_span init;		  /* empty if it has none */
	const struct ao_node *node; /* as ao_decl_find() has it: the statement,
				       or what has it in its head */
	bool is_alone;		    /* the statement declares nothing else */
};

/*
 * Read the declarations of one statement or parameter, at most `max`.  Returns
 * how many there are; 0 if it is no declaration that we understand.
 */
size_t ao_decl_read(struct ao_decl *out, size_t max,
		    const struct ao_tokens *tokens, struct ao_span span);

/*
 * Find the declaration that a name has at `node`: code token `name` is any
 * use of it.  Looks in the blocks around, in loops' heads, in the function's
 * parameters and at file level.
 */
bool ao_decl_find(struct ao_decl *out, const struct ao_tokens *tokens,
		  const struct ao_node *node, uint32_t name);

/* Whether a declaration that was found is that of a variable of the file that
 * other functions may change. */
bool ao_decl_is_global(const struct ao_tokens *tokens,
		       const struct ao_decl *decl);

/*
 * Whether something in the span assigns to the name at `name`, to an element
 * of it, or takes its address.  A member's name is that of any object's.
 */
bool ao_decl_is_written(const struct ao_tokens *tokens, struct ao_span span,
			uint32_t name);

/* The same, but for its elements: whether the variable itself may change. */
bool ao_decl_is_set(const struct ao_tokens *tokens, struct ao_span span,
		    uint32_t name);

/* Whether the variable named at `i`, in the span, is set right there. */
bool ao_decl_is_set_at(const struct ao_tokens *tokens, struct ao_span span,
		       uint32_t i);

/* Whether some token in the span is the same word as token `name`. */
bool ao_decl_is_used(const struct ao_tokens *tokens, struct ao_span span,
		     uint32_t name);

#endif
