/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <math.h>

#include "util/json_pull.h"
#include "util/rng.h"

static bool start(struct ao_json_pull *pull, const char *text)
{
	return ao_json_pull_start(pull, text, strlen(text));
}

static void members_are_met_in_the_order_of_the_text(void)
{
	struct ao_json_pull pull;
	char keys[8] = "";

	EXPECT(start(&pull, " { \"a\" : 1 , \"b\":[2,{}] ,\"c\":\"}\" } "));
	EXPECT(ao_json_pull_enter(&pull, '{'));
	while (ao_json_pull_member(&pull)) {
		strncat(keys, pull.key, pull.key_len);
		ao_json_pull_skip(&pull);
	}
	EXPECT(!strcmp(keys, "abc"));
}

static void a_key_is_compared_as_a_whole(void)
{
	struct ao_json_pull pull;

	EXPECT(start(&pull, "{\"score\":1}"));
	EXPECT(ao_json_pull_enter(&pull, '{') && ao_json_pull_member(&pull));
	EXPECT(ao_json_pull_is(&pull, "score"));
	EXPECT(!ao_json_pull_is(&pull, "scor"));
	EXPECT(!ao_json_pull_is(&pull, "scores"));
}

static void numbers_come_out_to_the_last_bit(void)
{
	struct ao_json_pull pull;
	double sum = 0;

	EXPECT(start(&pull, "[0.1,-2.5e-3, 1e300]"));
	EXPECT(ao_json_pull_enter(&pull, '['));
	EXPECT(ao_json_pull_element(&pull));
	EXPECT(ao_json_pull_number(&pull, 0) == 0.1);
	EXPECT(ao_json_pull_element(&pull));
	EXPECT(ao_json_pull_number(&pull, 0) == -2.5e-3);
	EXPECT(ao_json_pull_element(&pull));
	sum += ao_json_pull_number(&pull, 0);
	EXPECT(sum == 1e300);
	EXPECT(!ao_json_pull_element(&pull));
}

static void every_number_is_read_as_strtod_reads_it(void)
{
	struct ao_json_pull pull;
	struct ao_rng rng;
	char text[64];
	size_t wrong = 0;

	ao_rng_seed(&rng, 1);
	for (unsigned i = 0; i < 100000; i++) {
		double number = ao_rng_normal(&rng);

		number *= pow(10, (double)ao_rng_below(&rng, 40) - 20);
		snprintf(text, sizeof(text), "[%.*g]",
			 1 + (int)ao_rng_below(&rng, 17), number);
		if (!start(&pull, text) || !ao_json_pull_enter(&pull, '[') ||
		    !ao_json_pull_element(&pull))
			wrong++;
		else if (ao_json_pull_number(&pull, 0) !=
			 strtod(text + 1, NULL))
			wrong++;
		else if (*pull.at != ']')
			wrong++;
	}
	EXPECT(!wrong);
}

static void long_numbers_are_read_right(void)
{
	static const char *const texts[] = {
		"[9007199254740993]",	   "[9007199254740991]",
		"[0.30000000000000004]",   "[18446744073709551617]",
		"[1844674407370955161.7]", "[-0]",
		"[0.0000000000000000001]", "[123456789012345678.5]",
	};
	struct ao_json_pull pull;

	for (size_t i = 0; i < AO_ARRAY_SIZE(texts); i++) {
		EXPECT(start(&pull, texts[i]));
		EXPECT(ao_json_pull_enter(&pull, '[') &&
		       ao_json_pull_element(&pull));
		EXPECT(ao_json_pull_number(&pull, 1) ==
		       strtod(texts[i] + 1, NULL));
	}
}

static void a_value_of_another_kind_is_stepped_over(void)
{
	struct ao_json_pull pull;
	char word[8];

	EXPECT(start(&pull, "[\"x\",[1,\"]\"],{\"a\":2},null,7]"));
	EXPECT(ao_json_pull_enter(&pull, '[') && ao_json_pull_element(&pull));
	EXPECT(isnan(ao_json_pull_number(&pull, (double)NAN)));
	EXPECT(ao_json_pull_element(&pull));
	EXPECT(!ao_json_pull_string(&pull));
	EXPECT(ao_json_pull_element(&pull));
	EXPECT(!ao_json_pull_enter(&pull, '['));
	EXPECT(ao_json_pull_element(&pull));
	ao_json_pull_word(word, sizeof(word), &pull);
	EXPECT(!*word);
	EXPECT(ao_json_pull_element(&pull));
	EXPECT(ao_json_pull_number(&pull, 0) == 7);
}

static void escapes_become_the_bytes_they_stand_for(void)
{
	struct ao_json_pull pull;
	char *text;

	EXPECT(start(&pull, "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\","
			    "\"\\u0041\\u00e9\\u20AC\\ud83d\\ude00\"]"));
	EXPECT(ao_json_pull_enter(&pull, '[') && ao_json_pull_element(&pull));
	text = ao_json_pull_string(&pull);
	EXPECT(text && !strcmp(text, "\"\\/\b\f\n\r\t"));
	free(text);
	EXPECT(ao_json_pull_element(&pull));
	text = ao_json_pull_string(&pull);
	EXPECT(text && !strcmp(text, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"));
	free(text);
}

static void a_word_fits_or_is_empty(void)
{
	struct ao_json_pull pull;
	char word[4];

	EXPECT(start(&pull, "[\"abc\",\"abcd\",\"a\\n\"]"));
	EXPECT(ao_json_pull_enter(&pull, '[') && ao_json_pull_element(&pull));
	ao_json_pull_word(word, sizeof(word), &pull);
	EXPECT(!strcmp(word, "abc"));
	EXPECT(ao_json_pull_element(&pull));
	ao_json_pull_word(word, sizeof(word), &pull);
	EXPECT(!*word);
	EXPECT(ao_json_pull_element(&pull));
	ao_json_pull_word(word, sizeof(word), &pull);
	EXPECT(!*word);
	EXPECT(!ao_json_pull_element(&pull));
}

static void what_is_not_an_object_or_array_is_refused(void)
{
	struct ao_json_pull pull;

	EXPECT(!start(&pull, ""));
	EXPECT(!start(&pull, "1"));
	EXPECT(!start(&pull, "\"x\""));
	EXPECT(!start(&pull, "{\"a\":1"));
	EXPECT(!start(&pull, "{\"a\":1}x"));
	EXPECT(!start(&pull, "{'a':1}"));
	EXPECT(start(&pull, "{}"));
	EXPECT(start(&pull, "[]"));
}

int main(void)
{
	RUN(members_are_met_in_the_order_of_the_text);
	RUN(a_key_is_compared_as_a_whole);
	RUN(numbers_come_out_to_the_last_bit);
	RUN(every_number_is_read_as_strtod_reads_it);
	RUN(long_numbers_are_read_right);
	RUN(a_value_of_another_kind_is_stepped_over);
	RUN(escapes_become_the_bytes_they_stand_for);
	RUN(a_word_fits_or_is_empty);
	RUN(what_is_not_an_object_or_array_is_refused);
	return tap_done();
}
