/* SPDX-License-Identifier: MIT */
/* edits.h - changes to a text, collected first and then made all at once. */
#ifndef AO_REWRITE_EDITS_H
#define AO_REWRITE_EDITS_H

#include "rewrite/token.h"
#include "util/buf.h"

/* All zero is empty. */
struct ao_edits {
	struct ao_edit {
		size_t at; /* bytes [at, end) of the old text ... */
		size_t end;
		char *text; /* ... become this */
		size_t order;
	} * v; /* [count] */
	size_t count;
	size_t alloc;
};

/* Bytes [at, end) become `text`, which is copied; at == end inserts. */
void ao_edits_replace(struct ao_edits *edits, size_t at, size_t end,
		      const char *text);

/* The same for the code tokens of a span. */
void ao_edits_replace_span(struct ao_edits *edits,
			   const struct ao_tokens *tokens, struct ao_span span,
			   const char *text);

/*
 * Append the changed text.  What is inserted at one place stays in the order
 * of the calls.  Returns false, nothing appended, if two edits overlap.
 */
bool ao_edits_apply(struct ao_buf *out, struct ao_edits *edits,
		    const char *text, size_t len);

void ao_edits_release(struct ao_edits *edits);

#endif
