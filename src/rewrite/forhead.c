/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/decl.h"
#include "rewrite/forhead.h"

enum {
	MAX_HEAD = 400,	  /* code tokens */
	MAX_DECLARED = 8, /* in a head */
};

/* A head's three parts. */
struct head {
	struct ao_span init;
	struct ao_span condition;
	struct ao_span advance;
};

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

static uint32_t length(struct ao_span span)
{
	return span.end > span.first ? span.end - span.first : 0;
}

static bool split_head(struct head *out, const struct ao_tokens *tokens,
		       struct ao_span head)
{
	uint32_t first = find(tokens, head, ";");
	uint32_t second = find(tokens, (struct ao_span){ first + 1, head.end },
			       ";");

	out->init = (struct ao_span){ head.first, first };
	out->condition = (struct ao_span){ first + 1, second };
	out->advance = (struct ao_span){ second + 1, head.end };
	return second < head.end;
}

/* The next of the parts between commas; `rest` is what is behind it. */
static bool next_part(struct ao_span *part, struct ao_span *rest,
		      const struct ao_tokens *tokens)
{
	if (rest->first >= rest->end)
		return false;
	*part = *rest;
	part->end = find(tokens, *rest, ",");
	rest->first = part->end + 1;
	return true;
}

/* var, var--, --var: the name and how it moves, 0 if not; or false. */
static bool read_counter(const struct ao_tokens *tokens, struct ao_span span,
			 uint32_t *var_out, int *move_out)
{
	uint32_t op = span.first;

	*move_out = 0;
	*var_out = span.first;
	if (length(span) == 2) {
		if (ao_token_is_word(tokens, span.first))
			op++;
		else
			++*var_out;
		*move_out = ao_token_is(tokens, op, "++")   ? 1
			    : ao_token_is(tokens, op, "--") ? -1
							    : 0;
		return *move_out && ao_token_is_word(tokens, *var_out);
	}
	return length(span) == 1 && ao_token_is_word(tokens, span.first);
}

/* Where the one comparison of a condition is; its end: it is none. */
static uint32_t find_relation(const struct ao_tokens *tokens,
			      struct ao_span span, enum ao_relation *out)
{
	static const char *const signs[] = {
		[AO_RELATION_LESS] = "<", [AO_RELATION_UP_TO] = "<=",
		[AO_RELATION_MORE] = ">", [AO_RELATION_DOWN_TO] = ">=",
		[AO_RELATION_NOT] = "!=",
	};
	/* What binds less, and would have the comparison as an operand. */
	static const char *const looser[] = { "&&", "||", "?",	",", "&",
					      "|",  "^",  "==", "=" };
	uint32_t at = span.end;

	for (size_t i = 0; i < AO_ARRAY_SIZE(looser); i++) {
		if (find(tokens, span, looser[i]) < span.end)
			return span.end;
	}
	for (size_t i = 0; i < AO_ARRAY_SIZE(signs); i++) {
		uint32_t found = find(tokens, span, signs[i]);

		if (found == span.end)
			continue;
		if (at < span.end ||
		    find(tokens, (struct ao_span){ found + 1, span.end },
			 signs[i]) < span.end)
			return span.end;
		at = found;
		*out = (enum ao_relation)i;
	}
	return at;
}

static enum ao_relation turned(enum ao_relation relation)
{
	switch (relation) {
	case AO_RELATION_LESS:
		return AO_RELATION_MORE;
	case AO_RELATION_UP_TO:
		return AO_RELATION_DOWN_TO;
	case AO_RELATION_MORE:
		return AO_RELATION_LESS;
	case AO_RELATION_DOWN_TO:
		return AO_RELATION_UP_TO;
	case AO_RELATION_NOT:
		break;
	}
	return relation;
}

static bool is_one(const struct ao_tokens *tokens, struct ao_span span)
{
	return length(span) == 1 && ao_token_is(tokens, span.first, "1");
}

/* "up to n - 1" is "less than n", which is what others look for. */
static void normalise_bound(struct ao_for *loop, const struct ao_tokens *tokens)
{
	struct ao_span *bound = &loop->bound;
	struct ao_span last = { bound->end - 1, bound->end };

	if (loop->relation != AO_RELATION_UP_TO || length(*bound) < 3 ||
	    !ao_token_is(tokens, bound->end - 2, "-") ||
	    !is_one(tokens, last) || find(tokens, *bound, "<<") < bound->end ||
	    find(tokens, *bound, ">>") < bound->end ||
	    ao_token(tokens, bound->end - 3).kind == AO_TOKEN_PUNCT)
		return;
	loop->relation = AO_RELATION_LESS;
	bound->end -= 2;
}

/* With one side as the counter.  The head's step is read by the caller. */
static bool read_side(struct ao_for *loop, const struct ao_tokens *tokens,
		      struct ao_span counter, struct ao_span bound,
		      enum ao_relation relation)
{
	int move;

	if (!length(bound) || !read_counter(tokens, counter, &loop->var, &move))
		return false;
	loop->bound = bound;
	loop->relation = relation;
	loop->is_early = move != 0;
	loop->is_downward = move < 0;
	normalise_bound(loop, tokens);
	return true;
}

/* var, var--: on until it is 0 */
static bool read_truth(struct ao_for *loop, const struct ao_tokens *tokens,
		       struct ao_span span)
{
	int move;

	if (!read_counter(tokens, span, &loop->var, &move) || move > 0)
		return false;
	loop->relation = AO_RELATION_NOT;
	loop->bound = (struct ao_span){ 0, 0 };
	loop->is_early = move != 0;
	loop->is_downward = true;
	return true;
}

/* var > 0 && var--, which leaves it at 0: or else the span as it is. */
static struct ao_span without_guard(const struct ao_tokens *tokens,
				    struct ao_span span, bool *is_early)
{
	uint32_t and = find(tokens, span, "&&");
	struct ao_span right = { and+1, span.end };
	struct ao_span left = { span.first, and};
	uint32_t var;
	int move;

	*is_early = length(left) && length(right) == 2 &&
		    read_counter(tokens, right, &var, &move) && move < 0 &&
		    ao_token_same(tokens, var, left.first);
	return *is_early ? left : span;
}

/* A span without the parentheses around all of it. */
static struct ao_span bare(const struct ao_tokens *tokens, struct ao_span span)
{
	while (length(span) > 2 && ao_token_is(tokens, span.first, "(") &&
	       ao_token(tokens, span.first).match == span.end - 1)
		span = (struct ao_span){ span.first + 1, span.end - 1 };
	return span;
}

/*
 * The counter, how it is compared, and with what: the counter is the left
 * side, or the right one if it is `turned`.
 */
static bool read_condition(struct ao_for *loop, const struct ao_tokens *tokens,
			   struct ao_span span, bool is_turned)
{
	enum ao_relation relation = AO_RELATION_NOT;
	bool is_guarded;
	struct ao_span tested = without_guard(tokens, bare(tokens, span),
					      &is_guarded);
	uint32_t at = find_relation(tokens, tested, &relation);
	struct ao_span left = { tested.first, at };
	struct ao_span right = { at + 1, tested.end };
	bool is_read;

	if (at == tested.end)
		is_read = !is_turned && read_truth(loop, tokens, tested);
	else if (is_turned)
		is_read = read_side(loop, tokens, right, left,
				    turned(relation));
	else
		is_read = read_side(loop, tokens, left, right, relation);
	if (is_guarded) {
		is_read &= !loop->is_early;
		loop->is_early = loop->is_downward = true;
	}
	return is_read;
}

/* The moves of one part of the head: var++, var += step, var = var + step */
static bool read_move(struct ao_for *loop, const struct ao_tokens *tokens,
		      struct ao_span part)
{
	uint32_t i = part.first, var;
	int move = 0;

	if (length(part) == 2) {
		if (!read_counter(tokens, part, &var, &move) ||
		    !ao_token_same(tokens, var, loop->var))
			return false;
		loop->is_downward = move < 0;
		return true;
	}
	if (length(part) < 3 || !ao_token_same(tokens, i, loop->var))
		return false;
	if (ao_token_is(tokens, i + 1, "+=") ||
	    ao_token_is(tokens, i + 1, "-=")) {
		loop->is_downward = ao_token_is(tokens, i + 1, "-=");
		loop->step = (struct ao_span){ i + 2, part.end };
	} else if (length(part) >= 5 && ao_token_is(tokens, i + 1, "=") &&
		   ao_token_same(tokens, i + 2, loop->var) &&
		   (ao_token_is(tokens, i + 3, "+") ||
		    (ao_token_is(tokens, i + 3, "-") && length(part) == 5))) {
		loop->is_downward = ao_token_is(tokens, i + 3, "-");
		loop->step = (struct ao_span){ i + 4, part.end };
	} else {
		return false;
	}
	/* += -1 */
	if (length(loop->step) == 2 &&
	    ao_token_is(tokens, loop->step.first, "-")) {
		loop->is_downward = !loop->is_downward;
		loop->step.first++;
	}
	if (is_one(tokens, loop->step))
		loop->step = (struct ao_span){ 0, 0 };
	return true;
}

/* Whether the counter moves once, here or in the condition. */
static bool read_advance(struct ao_for *loop, const struct ao_tokens *tokens,
			 struct ao_span rest)
{
	size_t moves = loop->is_early;
	struct ao_span part;

	while (next_part(&part, &rest, tokens)) {
		if (read_move(loop, tokens, part))
			moves++;
		else if (ao_decl_is_written(tokens, part, loop->var))
			return false;
		else
			loop->has_company = true;
	}
	return moves == 1;
}

static bool fits_direction(const struct ao_for *loop)
{
	switch (loop->relation) {
	case AO_RELATION_LESS:
	case AO_RELATION_UP_TO:
		return !loop->is_downward;
	case AO_RELATION_MORE:
	case AO_RELATION_DOWN_TO:
		return loop->is_downward;
	case AO_RELATION_NOT:
		break;
	}
	return !length(loop->step);
}

/* type var = start, other = ...; false if it is no declaration */
static bool read_declared(struct ao_for *loop, const struct ao_tokens *tokens,
			  struct ao_span init)
{
	struct ao_decl decls[MAX_DECLARED];
	size_t count = ao_decl_read(decls, MAX_DECLARED, tokens, init);

	for (size_t i = 0; i < count; i++) {
		if (!ao_token_same(tokens, decls[i].name, loop->var)) {
			loop->has_company = true;
			continue;
		}
		loop->type = decls[i].type;
		loop->start = decls[i].init;
	}
	return count > 0;
}

/* var = start, other = ... */
static void read_assigned(struct ao_for *loop, const struct ao_tokens *tokens,
			  struct ao_span rest)
{
	struct ao_span part;

	while (next_part(&part, &rest, tokens)) {
		if (length(part) >= 3 &&
		    ao_token_same(tokens, part.first, loop->var) &&
		    ao_token_is(tokens, part.first + 1, "="))
			loop->start = (struct ao_span){ part.first + 2,
							part.end };
		else
			loop->has_company = true;
	}
	/* i = j = 0 */
	if (find(tokens, loop->start, "=") < loop->start.end)
		loop->has_company = true;
}

/* A word that a call of a macro has, rather than one of a function. */
static bool is_capital(const struct ao_tokens *tokens, uint32_t i)
{
	struct ao_token token = ao_token(tokens, i);

	for (uint32_t k = 0; k < token.len; k++) {
		char c = tokens->text[token.at + k];

		if (c >= 'a' && c <= 'z')
			return false;
	}
	return token.kind == AO_TOKEN_WORD;
}

/* A call whose value may change, as far as we know. */
static bool is_call(const struct ao_tokens *tokens, uint32_t i, uint32_t end)
{
	return i + 1 < end && ao_token_is(tokens, i + 1, "(") &&
	       !is_capital(tokens, i) && !ao_token_is(tokens, i, "abs");
}

/*
 * Whether an expression is the same in each step: of names that nothing in
 * the loop writes to, and without calls, but of macros.
 */
static bool is_fixed(const struct ao_for *loop, const struct ao_tokens *tokens,
		     struct ao_span region, struct ao_span span)
{
	uint32_t i = span.first;

	while (i < span.end) {
		if (ao_token_is(tokens, i, "sizeof")) {
			i = ao_token_skip(tokens, i + 1, span.end);
			continue;
		}
		if (ao_token_is_word(tokens, i) &&
		    (ao_token_same(tokens, i, loop->var) ||
		     is_call(tokens, i, span.end) ||
		     ao_decl_is_written(tokens, region, i)))
			return false;
		i++;
	}
	return true;
}

/* Whether nothing but the head moves the counter, and nothing its end. */
static bool is_steady(const struct ao_for *loop, const struct ao_tokens *tokens,
		      const struct head *head)
{
	struct ao_span body = { loop->node->head.end, loop->node->span.end };
	struct ao_span moving = { head->advance.first, body.end };

	return !ao_decl_is_written(tokens, body, loop->var) &&
	       is_fixed(loop, tokens, moving, loop->bound) &&
	       is_fixed(loop, tokens, moving, loop->step);
}

bool ao_for_read(struct ao_for *out, const struct ao_tokens *tokens,
		 const struct ao_node *node)
{
	struct head head;

	if (node->kind != AO_NODE_FOR || length(node->head) > MAX_HEAD ||
	    !split_head(&head, tokens, node->head))
		return false;
	for (int side = 0; side < 2; side++) {
		struct ao_for loop = { .node = node };

		if (!read_condition(&loop, tokens, head.condition, side) ||
		    !read_advance(&loop, tokens, head.advance) ||
		    !fits_direction(&loop))
			continue;
		if (!read_declared(&loop, tokens, head.init))
			read_assigned(&loop, tokens, head.init);
		if (!is_steady(&loop, tokens, &head))
			return false;
		*out = loop;
		return true;
	}
	return false;
}

bool ao_for_is_lone(const struct ao_for *loop)
{
	return !loop->has_company && length(loop->start);
}

bool ao_for_counts_up(const struct ao_for *loop)
{
	return ao_for_is_lone(loop) && !loop->is_early && !loop->is_downward &&
	       !length(loop->step) && length(loop->bound) &&
	       loop->relation != AO_RELATION_UP_TO;
}

bool ao_for_is_plain(const struct ao_for *loop, const struct ao_tokens *tokens)
{
	return ao_for_counts_up(loop) && length(loop->start) == 1 &&
	       ao_token_is(tokens, loop->start.first, "0");
}

bool ao_for_suits_openmp(const struct ao_for *loop)
{
	return ao_for_is_lone(loop) && !loop->is_early &&
	       loop->relation != AO_RELATION_NOT;
}

struct ao_span ao_for_body(const struct ao_for *loop)
{
	return (struct ao_span){ loop->node->head.end + 1,
				 loop->node->span.end };
}

bool ao_for_same_range(const struct ao_for *a, const struct ao_for *b,
		       const struct ao_tokens *tokens)
{
	return a->relation == b->relation && a->is_early == b->is_early &&
	       a->is_downward == b->is_downward &&
	       ao_span_same(tokens, a->start, b->start) &&
	       ao_span_same(tokens, a->bound, b->bound) &&
	       ao_span_same(tokens, a->step, b->step);
}
