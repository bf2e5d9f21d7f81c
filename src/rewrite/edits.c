/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/edits.h"

void ao_edits_replace(struct ao_edits *edits, size_t at, size_t end,
		      const char *text)
{
	edits->v = ao_grow(edits->v, &edits->alloc, edits->count + 1,
			   sizeof(*edits->v));
	edits->v[edits->count] = (struct ao_edit){ .at = at,
						   .end = end,
						   .text = ao_xstrdup(text),
						   .order = edits->count };
	edits->count++;
}

void ao_edits_replace_span(struct ao_edits *edits,
			   const struct ao_tokens *tokens, struct ao_span span,
			   const char *text)
{
	ao_edits_replace(edits, ao_span_at(tokens, span),
			 ao_span_at_end(tokens, span), text);
}

static int compare(const void *a, const void *b)
{
	const struct ao_edit *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	/* An insertion stands before what replaces the bytes there. */
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

bool ao_edits_apply(struct ao_buf *out, struct ao_edits *edits,
		    const char *text, size_t len)
{
	size_t at = 0;

	if (edits->count)
		qsort(edits->v, edits->count, sizeof(*edits->v), compare);
	for (size_t i = 0; i < edits->count; i++) {
		if (edits->v[i].at < at || edits->v[i].end < edits->v[i].at ||
		    edits->v[i].end > len)
			return false;
		at = edits->v[i].end;
	}
	at = 0;
	for (size_t i = 0; i < edits->count; i++) {
		ao_buf_add(out, text + at, edits->v[i].at - at);
		ao_buf_addstr(out, edits->v[i].text);
		at = edits->v[i].end;
	}
	ao_buf_add(out, text + at, len - at);
	return true;
}

void ao_edits_release(struct ao_edits *edits)
{
	for (size_t i = 0; i < edits->count; i++)
		free(edits->v[i].text);
	free(edits->v);
	*edits = (struct ao_edits){ 0 };
}
