/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <float.h>

#include "util/text.h"

/* Whether `buf` reads `expected`; it is empty afterwards. */
static bool reads(struct ao_buf *buf, const char *expected)
{
	bool result = !strcmp(buf->ptr, expected);

	if (!result)
		printf("# got: %s\n", buf->ptr);
	ao_buf_release(buf);
	return result;
}

static void text_is_wrapped_at_blanks_behind_an_indent(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_wrap(&out, "one two  three\nfour", "  ", 9);
	EXPECT(reads(&out, "  one two\n  three\n  four\n"));
}

static void a_word_longer_than_the_line_stands_alone(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_wrap(&out, "a incomprehensible b", "", 5);
	EXPECT(reads(&out, "a\nincomprehensible\nb\n"));
}

static void blank_lines_stay_blank(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_wrap(&out, "a\n\n \nb\n", "> ", 20);
	EXPECT(reads(&out, "> a\n\n\n> b\n"));
	ao_text_wrap(&out, "", "> ", 20);
	EXPECT(reads(&out, ""));
}

static void a_line_that_just_fits_is_not_broken(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_wrap(&out, "äöü ßß", "", 6);
	EXPECT(reads(&out, "äöü ßß\n"));
	ao_text_wrap(&out, "äöü ßß", "", 5);
	EXPECT(reads(&out, "äöü\nßß\n"));
}

static void cutting_keeps_the_first_line_and_marks_what_is_gone(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_cut(&out, "abcdef\nmore", 6);
	EXPECT(reads(&out, "abcdef"));
	ao_text_cut(&out, "abcdefg", 6);
	EXPECT(reads(&out, "abc..."));
	ao_text_cut(&out, "ab cdefg", 6);
	EXPECT(reads(&out, "ab..."));
	ao_text_cut(&out, "äöüßäöüß", 6);
	EXPECT(reads(&out, "äöü..."));
	ao_text_cut(&out, "abc", 2);
	EXPECT(reads(&out, ".."));
	ao_text_cut(&out, "abc", 0);
	EXPECT(reads(&out, ""));
}

static void columns_count_code_points(void)
{
	EXPECT(ao_text_columns("") == 0);
	EXPECT(ao_text_columns("abc") == 3);
	EXPECT(ao_text_columns("aß€𝄞") == 4);
	EXPECT(ao_text_columns("a\xff\x80") == 3);
}

static void no_terminal_acts_on_safe_text(void)
{
	static const char hostile[] = "a\x1b[31m\0b\x7f\r";
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_safe(&out, hostile, sizeof(hostile) - 1);
	EXPECT(reads(&out, "a\\x1b[31m\\x00b\\x7f\\x0d"));
	ao_text_safe(&out,
		     "\xc2\x9b"
		     "31m",
		     5); /* the one-character form of ESC [ */
	EXPECT(reads(&out, "\\xc2\\x9b31m"));
	ao_text_safe(&out, "\xff\xc3", 2);
	EXPECT(reads(&out, "\\xff\\xc3"));
}

static void safe_text_keeps_letters_tabs_and_newlines(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_safe(&out, "ä\t€\n", strlen("ä\t€\n"));
	EXPECT(reads(&out, "ä\t€\n"));
}

static void a_safe_line_is_one_line(void)
{
	struct ao_buf out = AO_BUF_INIT(1000);

	ao_text_safe_line(&out, "ä\t€\n", strlen("ä\t€\n"));
	EXPECT(reads(&out, "ä\\x09€\\x0a"));
}

static void utf8_is_told_from_what_only_looks_like_it(void)
{
	static const char *const bad[] = {
		"\x80",		    /* continuation alone */
		"\xc3",		    /* cut */
		"\xe2\x82",	    /* cut */
		"\xc0\xaf",	    /* overlong */
		"\xe0\x80\xaf",	    /* overlong */
		"\xf0\x80\x80\xaf", /* overlong */
		"\xed\xa0\x80",	    /* surrogate */
		"\xf4\x90\x80\x80", /* past U+10FFFF */
		"\xfe",
		"\xc3(",
	};

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_text_is_utf8(bad[i], strlen(bad[i])));
	EXPECT(ao_text_is_utf8("", 0));
	EXPECT(ao_text_is_utf8("ß€𝄞\xf4\x8f\xbf\xbf", 13));
	EXPECT(!ao_text_is_utf8("a\0b", 3));
}

static void the_good_prefix_of_text_ends_before_a_cut_character(void)
{
	EXPECT(ao_text_utf8_prefix("ab\xe2\x82", 4) == 2);
	EXPECT(ao_text_utf8_prefix("ab", 2) == 2);
}

static void a_number_is_all_of_its_text(void)
{
	static const char *const bad[] = { "",	 "-",	" 1", "1 ",  "+1",
					   "1k", "0x1", "1.", "one", "--1" };
	int64_t number = 42;

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_text_to_int(&number, bad[i], -100, 100));
	EXPECT(number == 42);
	EXPECT(ao_text_to_int(&number, "-7", -7, 7) && number == -7);
	EXPECT(ao_text_to_int(&number, "007", -7, 7) && number == 7);
}

static void a_number_outside_its_range_is_refused(void)
{
	int64_t number = 42;

	EXPECT(!ao_text_to_int(&number, "8", -7, 7));
	EXPECT(!ao_text_to_int(&number, "-8", -7, 7));
	EXPECT(!ao_text_to_int(&number, "9223372036854775808", INT64_MIN,
			       INT64_MAX));
	EXPECT(number == 42);
	EXPECT(ao_text_to_int(&number, "-9223372036854775808", INT64_MIN,
			      INT64_MAX) &&
	       number == INT64_MIN);
}

static void a_fraction_is_decimal_and_finite(void)
{
	static const char *const bad[] = { "",	 "nan",	 "inf",	  "0x1p3",
					   " 1", "1.5x", "1e999", "e",
					   ".",	 "-" };
	double number = 42;

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_text_to_double(&number, bad[i], -DBL_MAX, DBL_MAX));
	EXPECT(!ao_text_to_double(&number, "1.5", 0, 1));
	EXPECT(number > 41 && number < 43);
	EXPECT(ao_text_to_double(&number, "-1.5e1", -20, 0) && number < -14 &&
	       number > -16);
}

static void prefixes_and_suffixes_include_the_empty_and_the_whole(void)
{
	EXPECT(ao_text_starts_with("abc", "") && ao_text_ends_with("abc", ""));
	EXPECT(ao_text_starts_with("abc", "abc"));
	EXPECT(ao_text_ends_with("abc", "abc"));
	EXPECT(!ao_text_starts_with("abc", "abcd"));
	EXPECT(!ao_text_ends_with("abc", "xabc"));
	EXPECT(ao_text_ends_with("kernel.c", ".c"));
	EXPECT(!ao_text_starts_with("abc", "b"));
}

static void a_misspelt_word_finds_the_nearest_name(void)
{
	static const char *const names[] = { "evolve", "eval", "export",
					     "log" };
	size_t count = AO_ARRAY_SIZE(names);
	const char *near = ao_text_nearest("evovle", names, count);

	EXPECT(near && !strcmp(near, "evolve"));
	near = ao_text_nearest("evl", names, count);
	EXPECT(near && !strcmp(near, "eval"));
}

static void a_word_like_no_name_finds_none(void)
{
	static const char *const names[] = { "evolve", "eval", "x", "log" };
	size_t count = AO_ARRAY_SIZE(names);
	char word[200];

	EXPECT(!ao_text_nearest("frobnicate", names, count));
	EXPECT(!ao_text_nearest("", names, count));
	EXPECT(!ao_text_nearest("y", names, count));
	/* Two of three letters are other ones. */
	EXPECT(!ao_text_nearest("foo", names, count));
	memset(word, 'e', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	EXPECT(!ao_text_nearest(word, names, count));
}

int main(void)
{
	RUN(text_is_wrapped_at_blanks_behind_an_indent);
	RUN(a_word_longer_than_the_line_stands_alone);
	RUN(blank_lines_stay_blank);
	RUN(a_line_that_just_fits_is_not_broken);
	RUN(cutting_keeps_the_first_line_and_marks_what_is_gone);
	RUN(columns_count_code_points);
	RUN(no_terminal_acts_on_safe_text);
	RUN(safe_text_keeps_letters_tabs_and_newlines);
	RUN(a_safe_line_is_one_line);
	RUN(utf8_is_told_from_what_only_looks_like_it);
	RUN(the_good_prefix_of_text_ends_before_a_cut_character);
	RUN(a_number_is_all_of_its_text);
	RUN(a_number_outside_its_range_is_refused);
	RUN(a_fraction_is_decimal_and_finite);
	RUN(prefixes_and_suffixes_include_the_empty_and_the_whole);
	RUN(a_misspelt_word_finds_the_nearest_name);
	RUN(a_word_like_no_name_finds_none);
	return tap_done();
}
