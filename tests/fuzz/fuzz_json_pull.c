/* SPDX-License-Identifier: MIT */
/*
 * Any bytes are taken or refused as the tree of json.h takes or refuses them
 * (but for what json_pull.h does not notice), and walking the text gives the
 * values of the tree.
 */
#include "util/base.h"

#include <math.h>

#include "fuzz.h"
#include "util/json.h"
#include "util/json_pull.h"

static void check_string(struct ao_json_pull *pull, const struct ao_json *value)
{
	char *text = ao_json_pull_string(pull);

	FUZZ_CHECK(text && !strcmp(text, ao_json_text(value)));
	free(text);
}

static void check_number(struct ao_json_pull *pull, const struct ao_json *value)
{
	double number = ao_json_pull_number(pull, (double)NAN);

	FUZZ_CHECK(!(number < ao_json_value(value)) &&
		   !(number > ao_json_value(value)) && !isnan(number));
}

/* Compare the value at hand, and go behind it. */
static void check_value(struct ao_json_pull *pull, const struct ao_json *value)
{
	bool is_object = ao_json_kind(value) == AO_JSON_OBJECT;
	const struct ao_json *part;

	switch (ao_json_kind(value)) {
	case AO_JSON_STRING:
		check_string(pull, value);
		return;
	case AO_JSON_NUMBER:
		check_number(pull, value);
		return;
	case AO_JSON_BOOL:
		FUZZ_CHECK(ao_json_pull_true(pull) == ao_json_truth(value));
		return;
	case AO_JSON_NULL:
		FUZZ_CHECK(!ao_json_pull_true(pull));
		return;
	case AO_JSON_ARRAY:
	case AO_JSON_OBJECT:
		break;
	}
	FUZZ_CHECK(ao_json_pull_enter(pull, is_object ? '{' : '['));
	part = ao_json_first(value);
	while (is_object ? ao_json_pull_member(pull)
			 : ao_json_pull_element(pull)) {
		FUZZ_CHECK(part);
		check_value(pull, part);
		part = ao_json_next(part);
	}
	FUZZ_CHECK(!part);
}

/* Step over everything, and take everything for a word. */
static void walk_over(const char *text, size_t len)
{
	struct ao_json_pull pull;
	char word[8];

	FUZZ_CHECK(ao_json_pull_start(&pull, text, len));
	ao_json_pull_skip(&pull);
	FUZZ_CHECK(pull.at <= text + len);
	FUZZ_CHECK(ao_json_pull_start(&pull, text, len));
	if (*pull.at != '[')
		return;
	FUZZ_CHECK(ao_json_pull_enter(&pull, '['));
	while (ao_json_pull_element(&pull)) {
		ao_json_pull_word(word, sizeof(word), &pull);
		FUZZ_CHECK(strlen(word) < sizeof(word));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct ao_json *value = ao_json_parse(text, size);
	struct ao_json_pull pull;

	if (ao_json_pull_start(&pull, text, size)) {
		walk_over(text, size);
		if (value)
			check_value(&pull, value);
	} else if (value) {
		FUZZ_CHECK(ao_json_kind(value) != AO_JSON_ARRAY &&
			   ao_json_kind(value) != AO_JSON_OBJECT);
	}
	ao_json_free(value);
	return 0;
}
