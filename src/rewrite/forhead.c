/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/forhead.h"

/* The index of the next ; of the head, or its end. */
static uint32_t find_semicolon(const struct ao_tokens *tokens, uint32_t i,
			       uint32_t end)
{
	while (i < end && !ao_token_is(tokens, i, ";"))
		i = ao_token(tokens, i).match > i
			    ? ao_token_skip(tokens, i, end)
			    : i + 1;
	return i;
}

/* Where `text` stands outside of brackets within the span, or its end. */
static uint32_t find(const struct ao_tokens *tokens, struct ao_span span,
		     const char *text)
{
	uint32_t i = span.first;

	while (i < span.end && !ao_token_is(tokens, i, text))
		i = ao_token(tokens, i).match > i
			    ? ao_token_skip(tokens, i, span.end)
			    : i + 1;
	return i;
}

/* [type] var = start */
static bool read_start(struct ao_for *loop, const struct ao_tokens *tokens,
		       struct ao_span span)
{
	uint32_t equals = find(tokens, span, "=");

	if (equals == span.first || equals + 1 >= span.end ||
	    find(tokens, span, ",") < span.end)
		return false;
	for (uint32_t i = span.first; i < equals; i++) {
		if (!ao_token_is_word(tokens, i))
			return false;
	}
	loop->var = equals - 1;
	loop->type = (struct ao_span){ span.first, equals - 1 };
	loop->start = (struct ao_span){ equals + 1, span.end };
	return true;
}

static bool is_counter(const struct ao_for *loop,
		       const struct ao_tokens *tokens, struct ao_span span)
{
	return span.end - span.first == 1 &&
	       ao_token_same(tokens, span.first, loop->var);
}

/* var < bound, or bound > var; with = too */
static bool read_bound(struct ao_for *loop, const struct ao_tokens *tokens,
		       struct ao_span span)
{
	static const char *const signs[] = { "<", "<=", ">", ">=" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(signs); i++) {
		uint32_t at = find(tokens, span, signs[i]);
		struct ao_span left = { span.first, at };
		struct ao_span right = { at + 1, span.end };
		struct ao_span counter = i < 2 ? left : right;
		struct ao_span bound = i < 2 ? right : left;

		if (at >= span.end || !is_counter(loop, tokens, counter) ||
		    bound.first >= bound.end)
			continue;
		loop->bound = bound;
		loop->bound_is_included = i % 2;
		return true;
	}
	return false;
}

/* var++, ++var, var += step, var = var + step */
static bool read_step(struct ao_for *loop, const struct ao_tokens *tokens,
		      struct ao_span span)
{
	uint32_t i = span.first, count = span.end - span.first;

	if (count == 2 && ao_token_is(tokens, i, "++"))
		return ao_token_same(tokens, i + 1, loop->var);
	if (count < 2 || !ao_token_same(tokens, i, loop->var))
		return false;
	if (count == 2)
		return ao_token_is(tokens, i + 1, "++");
	if (ao_token_is(tokens, i + 1, "+=")) {
		loop->step = (struct ao_span){ i + 2, span.end };
	} else if (count >= 5 && ao_token_is(tokens, i + 1, "=") &&
		   ao_token_same(tokens, i + 2, loop->var) &&
		   ao_token_is(tokens, i + 3, "+")) {
		loop->step = (struct ao_span){ i + 4, span.end };
	} else {
		return false;
	}
	if (loop->step.end - loop->step.first == 1 &&
	    ao_token_is(tokens, loop->step.first, "1"))
		loop->step = (struct ao_span){ 0, 0 };
	return true;
}

bool ao_for_read(struct ao_for *out, const struct ao_tokens *tokens,
		 const struct ao_node *node)
{
	struct ao_for loop = { .node = node };
	struct ao_span head = node->head;
	uint32_t first, second;

	if (node->kind != AO_NODE_FOR || head.first >= head.end)
		return false;
	first = find_semicolon(tokens, head.first, head.end);
	second = find_semicolon(tokens, first + 1, head.end);
	if (second >= head.end)
		return false;
	if (!read_start(&loop, tokens, (struct ao_span){ head.first, first }) ||
	    !read_bound(&loop, tokens, (struct ao_span){ first + 1, second }) ||
	    !read_step(&loop, tokens, (struct ao_span){ second + 1, head.end }))
		return false;
	*out = loop;
	return true;
}

bool ao_for_is_plain(const struct ao_for *loop, const struct ao_tokens *tokens)
{
	return loop->start.end - loop->start.first == 1 &&
	       ao_token_is(tokens, loop->start.first, "0") &&
	       loop->step.first == loop->step.end && !loop->bound_is_included;
}

bool ao_for_same_range(const struct ao_for *a, const struct ao_for *b,
		       const struct ao_tokens *tokens)
{
	return a->bound_is_included == b->bound_is_included &&
	       ao_span_same(tokens, a->start, b->start) &&
	       ao_span_same(tokens, a->bound, b->bound) &&
	       ao_span_same(tokens, a->step, b->step);
}
