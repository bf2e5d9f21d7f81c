/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/cflags.h"
#include "util/strs.h"

static const char mark[] = "cflags:";

/*
 * The comments before the first code: where flags are asked for.  Returns the
 * index, in all tokens, of the one that has them, else -1.
 */
static int64_t find_comment(const struct ao_unit *unit)
{
	const struct ao_tokens *tokens = &unit->tokens;

	for (uint32_t i = 0; i < tokens->count; i++) {
		const struct ao_token *token = &tokens->v[i];

		if (token->kind == AO_TOKEN_COMMENT &&
		    memmem(tokens->text + token->at, token->len, mark,
			   sizeof(mark) - 1))
			return i;
		if (token->kind != AO_TOKEN_COMMENT &&
		    token->kind != AO_TOKEN_SPACE)
			break;
	}
	return -1;
}

/* The bytes behind "cflags:" to the end of that line or comment. */
static void find_range(const struct ao_unit *unit, size_t *at_out,
		       size_t *end_out)
{
	const struct ao_tokens *tokens = &unit->tokens;
	int64_t i = find_comment(unit);
	const struct ao_token *token;
	const char *start, *end, *at;

	*at_out = *end_out = 0;
	if (i < 0)
		return;
	token = &tokens->v[i];
	start = tokens->text + token->at;
	end = start + token->len;
	at = memmem(start, token->len, mark, sizeof(mark) - 1);
	if (!memcmp(start, "/*", 2) && token->len >= 4)
		end -= 2;
	start = at + sizeof(mark) - 1;
	if (memchr(start, '\n', (size_t)(end - start)))
		end = memchr(start, '\n', (size_t)(end - start));
	while (end > start && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	*at_out = (size_t)(start - tokens->text);
	*end_out = (size_t)(end - tokens->text);
}

bool ao_cflags_have(const struct ao_unit *unit, const char *flag)
{
	struct ao_strs words = { 0 };
	size_t at, end;
	char *text;
	bool found;

	find_range(unit, &at, &end);
	text = ao_xstrndup(unit->tokens.text + at, end - at);
	ao_strs_split(&words, text);
	found = ao_strs_has(&words, flag);
	ao_strs_release(&words);
	free(text);
	return found;
}

void ao_cflags_add(struct ao_edits *edits, const struct ao_unit *unit,
		   const char *flag)
{
	const struct ao_tokens *tokens = &unit->tokens;
	size_t at, end;
	char *text;

	if (ao_cflags_have(unit, flag))
		return;
	find_range(unit, &at, &end);
	if (at) {
		text = ao_xstrf(" %s", flag);
	} else {
		/* Behind the comment that a file begins with: its licence. */
		if (tokens->count && tokens->v[0].kind == AO_TOKEN_COMMENT)
			end = ao_tokens_behind_line(tokens, tokens->v[0].len);
		text = ao_xstrf("/* cflags: %s */%s", flag, unit->newline);
	}
	ao_edits_replace(edits, end, end, text);
	free(text);
}
