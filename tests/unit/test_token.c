/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include "rewrite/token.h"

static struct ao_tokens tokens;

static void read_text(const char *text)
{
	ao_tokens_release(&tokens);
	ao_tokens_read(&tokens, text, strlen(text));
}

/* The code tokens joined by blanks; the caller frees it. */
static bool code_is(const char *text, const char *wanted)
{
	char joined[512] = "";
	size_t len = 0;

	read_text(text);
	for (uint32_t i = 0; i < tokens.code_count; i++) {
		struct ao_token token = ao_token(&tokens, i);

		len += (size_t)snprintf(joined + len, sizeof(joined) - len,
					"%s%.*s", i ? " " : "", (int)token.len,
					text + token.at);
	}
	if (strcmp(joined, wanted) != 0)
		printf("# %s\n", joined);
	return !strcmp(joined, wanted);
}

static enum ao_token_kind kind_of(const char *text)
{
	read_text(text);
	return ao_token(&tokens, 0).kind;
}

static void operators_are_as_long_as_they_can_be(void)
{
	EXPECT(code_is("a+++b<<=c->d...", "a ++ + b <<= c -> d ..."));
	EXPECT(code_is("x>=-1&&!y", "x >= - 1 && ! y"));
}

static void numbers_take_their_exponent_and_suffix(void)
{
	EXPECT(code_is("1e+5f-.5-0x1p-3", "1e+5f - .5 - 0x1p-3"));
	EXPECT(code_is("a.b 1.f", "a . b 1.f"));
	EXPECT(kind_of(".5") == AO_TOKEN_NUMBER);
	EXPECT(kind_of(".x") == AO_TOKEN_PUNCT);
}

static void comments_and_blanks_are_no_code(void)
{
	EXPECT(code_is("a/* b */c// d\ne", "a c e"));
	EXPECT(code_is("a // splice \\\n still\nb", "a b"));
	EXPECT(code_is("/* open", ""));
	EXPECT(tokens.count == 1 && tokens.v[0].kind == AO_TOKEN_COMMENT);
}

static void strings_end_at_their_quote_or_their_line(void)
{
	EXPECT(code_is("\"a\\\"b\" c", "\"a\\\"b\" c"));
	EXPECT(code_is("'\\'' c", "'\\'' c"));
	EXPECT(code_is("\"open\nb", "\"open b"));
	EXPECT(code_is("\"/* \" a \" */\"", "\"/* \" a \" */\""));
}

static void a_directive_is_one_token_to_the_end_of_its_last_line(void)
{
	EXPECT(code_is("#define A 1 \\\n + 2\nb", "#define A 1 \\\n + 2 b"));
	EXPECT(code_is("  # if /* a\n b */ c\nd", "# if /* a\n b */ c d"));
	EXPECT(code_is("#define S \"/*\"\nd", "#define S \"/*\" d"));
	EXPECT(kind_of("/* c */ #if") == AO_TOKEN_DIRECTIVE);
	EXPECT(code_is("a # b", "a # b"));
}

static void bytes_over_127_are_letters_and_others_stand_alone(void)
{
	EXPECT(code_is("\xc3\xa9t\xc3\xa9=1", "\xc3\xa9t\xc3\xa9 = 1"));
	EXPECT(code_is("a@`\\b", "a @ ` \\ b"));
}

static void brackets_are_paired_within_braces_only(void)
{
	read_text("(a[i]){(]})");
	EXPECT(ao_token(&tokens, 0).match == 5);
	EXPECT(ao_token(&tokens, 2).match == 4);
	/* { ( ] }: the brace closes over what is not paired. */
	EXPECT(ao_token(&tokens, 6).match == 9);
	EXPECT(ao_token(&tokens, 7).match == 7);
	EXPECT(ao_token(&tokens, 8).match == 8);
	EXPECT(ao_token(&tokens, 10).match == 10);
}

static void of_branches_the_last_one_opens_and_closes(void)
{
	/* 0 { 1 # 2 { 3 # 4 { 5 # 6 } 7 } */
	read_text("{\n#if A\n{\n#else\n{\n#endif\n} }");
	EXPECT(ao_token(&tokens, 2).match == 2);
	EXPECT(ao_token(&tokens, 4).match == 6);
	EXPECT(ao_token(&tokens, 0).match == 7);
	/* 0 { 1 # 2 } 3 # 4 } 5 # 6 { 7 } */
	read_text("{\n#if A\n}\n#elif B\n}\n#endif\n{ }");
	EXPECT(ao_token(&tokens, 0).match == 4);
	EXPECT(ao_token(&tokens, 2).match == 2);
	EXPECT(ao_token(&tokens, 6).match == 7);
	/* 0 { 1 # 2 } 3 { 4 # 5 } */
	read_text("{\n#ifdef A\n} {\n#endif\n}");
	EXPECT(ao_token(&tokens, 0).match == 2);
	EXPECT(ao_token(&tokens, 3).match == 5);
	/* 0 { 1 # 2 # 3 } 4 # 5 # 6 { 7 } */
	read_text("{\n#if A\n#if B\n}\n#endif\n#endif\n{ }");
	EXPECT(ao_token(&tokens, 0).match == 3);
	EXPECT(ao_token(&tokens, 6).match == 7);
	/* An #else or #endif of no #if pairs nothing and breaks nothing. */
	read_text("{\n#else\n}\n#endif\n(\n#endif\n)");
	EXPECT(ao_token(&tokens, 0).match == 2);
	EXPECT(ao_token(&tokens, 4).match == 6);
}

static void skipping_a_bracket_stops_at_the_end_if_it_is_open(void)
{
	read_text("f(a, b) ( c");
	EXPECT(ao_token_skip(&tokens, 1, tokens.code_count) == 6);
	EXPECT(ao_token_skip(&tokens, 1, 4) == 4);
	EXPECT(ao_token_skip(&tokens, 6, 8) == 8);
}

static void nothing_is_behind_the_last_token(void)
{
	read_text("a");
	EXPECT(ao_token(&tokens, 1).len == 0 && ao_token(&tokens, 1).at == 1);
	EXPECT(!ao_token_is_word(&tokens, 1));
	EXPECT(ao_token_is(&tokens, 7, ""));
	read_text("");
	EXPECT(tokens.count == 0 && tokens.code_count == 0);
}

static void spans_are_compared_token_by_token(void)
{
	read_text("a [ i ] a[ /* x */ i] b[i]");
	EXPECT(ao_span_same(&tokens, (struct ao_span){ 0, 4 },
			    (struct ao_span){ 4, 8 }));
	EXPECT(!ao_span_same(&tokens, (struct ao_span){ 0, 4 },
			     (struct ao_span){ 8, 12 }));
	EXPECT(ao_span_has(&tokens, (struct ao_span){ 0, 4 }, "i"));
	EXPECT(!ao_span_has(&tokens, (struct ao_span){ 0, 4 }, "b"));
}

static void lines_count_from_1(void)
{
	read_text("a\n\nb");
	EXPECT(ao_tokens_line(&tokens, 0) == 1);
	EXPECT(ao_tokens_line(&tokens, 3) == 3);
}

int main(void)
{
	RUN(operators_are_as_long_as_they_can_be);
	RUN(numbers_take_their_exponent_and_suffix);
	RUN(comments_and_blanks_are_no_code);
	RUN(strings_end_at_their_quote_or_their_line);
	RUN(a_directive_is_one_token_to_the_end_of_its_last_line);
	RUN(bytes_over_127_are_letters_and_others_stand_alone);
	RUN(brackets_are_paired_within_braces_only);
	RUN(of_branches_the_last_one_opens_and_closes);
	RUN(skipping_a_bracket_stops_at_the_end_if_it_is_open);
	RUN(nothing_is_behind_the_last_token);
	RUN(spans_are_compared_token_by_token);
	RUN(lines_count_from_1);
	ao_tokens_release(&tokens);
	return tap_done();
}
