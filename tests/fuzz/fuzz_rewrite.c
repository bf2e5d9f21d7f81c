/* SPDX-License-Identifier: MIT */
/*
 * Any bytes have tokens that lie edge to edge and a tree that prints as they
 * are.  Whatever the catalogue offers for them it carries out or declines, and
 * what it makes it can read again.
 */
#include "util/base.h"

#include "fuzz.h"
#include "rewrite/catalogue.h"
#include "rewrite/unit.h"
#include "util/limits.h"

enum { MAX_APPLIED = 12 };

static const char *const names[] = { "M", "N", "K" };
static const int64_t values[] = { 2048, 1024, 512 };

static const struct ao_rewrite_context context = {
	.entry = "kernel",
	.axis_names = names,
	.axis_values = values,
	.axis_count = AO_ARRAY_SIZE(names),
	.vector_bytes = 32,
};

static void check_node(const struct ao_node *node)
{
	uint32_t at = node->span.first;

	for (const struct ao_node *c = node->child; c; c = c->next) {
		FUZZ_CHECK(c->parent == node);
		FUZZ_CHECK(c->span.first >= at && c->span.end >= c->span.first);
		at = c->span.end;
		check_node(c);
	}
	FUZZ_CHECK(at <= node->span.end);
}

static void check_tokens(const struct ao_tokens *tokens)
{
	size_t at = 0;

	for (uint32_t i = 0; i < tokens->count; i++) {
		FUZZ_CHECK(tokens->v[i].at == at && tokens->v[i].len);
		at += tokens->v[i].len;
	}
	FUZZ_CHECK(at == tokens->len);
}

static void check_round_trip(const char *text, size_t len)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);
	struct ao_tokens tokens;
	struct ao_pool pool = { 0 };
	struct ao_node *file;

	ao_tokens_read(&tokens, text, len);
	check_tokens(&tokens);
	file = ao_syntax_parse(&pool, &tokens);
	check_node(file);
	ao_syntax_print(&out, &tokens, file);
	FUZZ_CHECK(out.len == len && !memcmp(out.ptr, text, len));
	ao_buf_release(&out);
	ao_pool_release(&pool);
	ao_tokens_release(&tokens);
}

static void apply(const char *text, size_t len, const struct ao_proposal *p)
{
	struct ao_buf out = AO_BUF_INIT(AO_MAX_KERNEL_BYTES);

	if (ao_catalogue_apply(&out, text, len, &context, p->move, p->params) &&
	    !out.overflow)
		check_round_trip(out.ptr, out.len);
	ao_buf_release(&out);
}

static void propose_and_apply(const char *text, size_t len, bool sweep)
{
	struct ao_proposal *proposals;
	size_t count;

	ao_catalogue_propose(&proposals, &count, text, len, &context, sweep);
	/* Some of all, so that one input does not take seconds. */
	for (size_t i = 0; i < count; i += 1 + count / MAX_APPLIED)
		apply(text, len, &proposals[i]);
	ao_proposals_free(proposals, count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	if (size > AO_MAX_KERNEL_BYTES)
		return 0;
	check_round_trip(text, size);
	propose_and_apply(text, size, false);
	propose_and_apply(text, size, true);
	return 0;
}
