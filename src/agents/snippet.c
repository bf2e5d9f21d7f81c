/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "agents/snippet.h"
#include "util/buf.h"

enum { MAX_BYTES = 16 << 10 };

/* A text as lines, each with its newline. */
struct lines {
	const char **at; /* [count + 1], the last is the end */
	size_t count;
};

static void split(struct lines *out, const char *text)
{
	size_t alloc = 0;

	*out = (struct lines){ 0 };
	for (;;) {
		const char *end = text + strcspn(text, "\n");

		out->at = ao_grow(out->at, &alloc, out->count + 1,
				  sizeof(*out->at));
		out->at[out->count] = text;
		if (!*text)
			return;
		out->count++;
		text = *end ? end + 1 : end;
	}
}

static bool same_line(const struct lines *a, size_t i, const struct lines *b,
		      size_t k)
{
	size_t len = (size_t)(a->at[i + 1] - a->at[i]);

	return len == (size_t)(b->at[k + 1] - b->at[k]) &&
	       !memcmp(a->at[i], b->at[k], len);
}

/* Lines first..last-1, with one of context. */
static char *cut(const struct lines *lines, size_t first, size_t last,
		 size_t max_lines)
{
	struct ao_buf out = AO_BUF_INIT(MAX_BYTES);
	bool is_cut;

	if (first)
		first--;
	if (last < lines->count)
		last++;
	is_cut = last - first > max_lines;
	if (is_cut)
		last = first + max_lines;
	ao_buf_add(&out, lines->at[first],
		   (size_t)(lines->at[last] - lines->at[first]));
	if (is_cut || out.overflow)
		ao_buf_addstr(&out, "...\n");
	return ao_buf_take(&out);
}

bool ao_snippet_differ(char **a_out, char **b_out, const char *a, const char *b,
		       size_t max_lines)
{
	struct lines x, y;
	size_t head = 0, tail = 0;

	if (!strcmp(a, b))
		return false;
	split(&x, a);
	split(&y, b);
	while (head < x.count && head < y.count &&
	       same_line(&x, head, &y, head))
		head++;
	while (tail < x.count - head && tail < y.count - head &&
	       same_line(&x, x.count - 1 - tail, &y, y.count - 1 - tail))
		tail++;
	*a_out = cut(&x, head, x.count - tail, max_lines);
	*b_out = cut(&y, head, y.count - tail, max_lines);
	free(x.at);
	free(y.at);
	return true;
}
