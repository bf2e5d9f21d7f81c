/* SPDX-License-Identifier: MIT */
#include "tap.h"

#include <float.h>
#include <math.h>

#include "util/json.h"
#include "util/limits.h"

static struct ao_json_doc *parse(const char *text)
{
	struct ao_json_doc *doc = NULL;
	struct ao_error *err = ao_json_doc_parse(&doc, "t.json", text,
						 strlen(text));

	EXPECT(!err);
	if (err)
		ao_error_print(stdout, err, true);
	ao_error_free(err);
	return doc;
}

/* Whether `err` is an AO_EINVALID of just this text; frees it. */
static bool says(struct ao_error *err, const char *text)
{
	bool result = err && ao_error_code(err) == AO_EINVALID &&
		      !strcmp(ao_error_message(err), text);

	if (!result)
		printf("# got: %s\n", err ? ao_error_message(err) : "no error");
	ao_error_free(err);
	return result;
}

static bool refuses(const char *text, const char *complaint)
{
	struct ao_json_doc *doc = NULL;
	struct ao_json *value = ao_json_parse(text, strlen(text));
	struct ao_error *err = ao_json_doc_parse(&doc, "t.json", text,
						 strlen(text));

	EXPECT(!value && !doc);
	return says(err, complaint);
}

static bool prints(const struct ao_json *value, bool pretty,
		   const char *expected)
{
	struct ao_buf out = AO_BUF_INIT(1 << 20);
	bool result;

	ao_json_print(&out, value, pretty);
	result = !strcmp(out.ptr, expected);
	if (!result)
		printf("# got: %s\n", out.ptr);
	ao_buf_release(&out);
	return result;
}

/* Whether `text` is printed as it was read. */
static bool round_trips(const char *text)
{
	struct ao_json *value = ao_json_parse(text, strlen(text));
	bool result = value && prints(value, false, text);

	ao_json_free(value);
	return result;
}

static void every_kind_of_value_is_printed_as_it_was_read(void)
{
	EXPECT(round_trips("null"));
	EXPECT(round_trips("[true,false,null,-1,0.5,\"x\",{},[]]"));
	EXPECT(round_trips("{\"a\":{\"b\":[1,{\"c\":2}]},\"\":\"\"}"));
}

static void strings_are_escaped_and_unescaped(void)
{
	struct ao_json *value;
	const char text[] = "\"\\u00e4\\/\\ud834\\udd1e\\n\\u001b\\u007f\"";

	EXPECT(round_trips("\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001ä€𝄞\""));
	value = ao_json_parse(text, strlen(text));
	EXPECT(value && !strcmp(ao_json_text(value), "ä/𝄞\n\x1b\x7f"));
	ao_json_free(value);
}

static void numbers_keep_their_last_bit(void)
{
	EXPECT(round_trips("0.30000000000000004"));
	EXPECT(round_trips("0.1"));
	EXPECT(round_trips("1.7976931348623157e+308"));
	EXPECT(round_trips("4.94065645841247e-324"));
	EXPECT(round_trips("-123456789012"));
	EXPECT(round_trips("9007199254740991"));
	EXPECT(round_trips("1e+22"));
	EXPECT(round_trips("[0,-0,-1,999999999999999,1e+15]"));
}

static void what_is_not_json_is_refused_with_its_line(void)
{
	EXPECT(refuses("", "t.json:1: expected a value"));
	EXPECT(refuses("{\n \"a\": 1,\n}",
		       "t.json:3: expected a key in double quotes"));
	EXPECT(refuses("[1 2]", "t.json:1: expected ',' or ']'"));
	EXPECT(refuses("{\"a\" 1}", "t.json:1: expected ':'"));
	EXPECT(refuses("{\"a\":1", "t.json:1: expected ',' or '}'"));
	EXPECT(refuses("\n[1]\n]", "t.json:3: unexpected text behind the "
				   "value"));
	EXPECT(refuses("tru", "t.json:1: expected a value"));
	EXPECT(refuses("// x\n1", "t.json:1: expected a value"));
	EXPECT(refuses("\xef\xbb\xbf{}",
		       "t.json:1: begins with a byte order mark"));
}

static void numbers_that_are_none_are_refused(void)
{
	static const char *const bad[] = { "01", "+1",	".5",  "1.", "1e",
					   "-",	 "0x1", "NaN", "1e+" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(bad); i++)
		EXPECT(!ao_json_parse(bad[i], strlen(bad[i])));
}

static void a_number_that_overflows_is_refused(void)
{
	char zeros[200];

	EXPECT(refuses("{\"a\":\n[0, 1e400]}",
		       "t.json:2: a[1]: the number is too large"));
	memset(zeros, '1', sizeof(zeros) - 1);
	zeros[sizeof(zeros) - 1] = '\0';
	EXPECT(!ao_json_parse(zeros, strlen(zeros)));
}

static void strings_that_are_none_are_refused(void)
{
	EXPECT(refuses("\"a", "t.json:1: the string does not end"));
	EXPECT(refuses("\"a\nb\"", "t.json:1: control character in a string"));
	EXPECT(refuses("\"\\x\"", "t.json:1: unknown escape in a string"));
	EXPECT(refuses("\"\\u12g4\"",
		       "t.json:1: expected four hexadecimal digits"));
	EXPECT(refuses("\"\\u0000\"", "t.json:1: \\u0000 in a string"));
	EXPECT(refuses("\"\\ud800\"",
		       "t.json:1: half of a surrogate pair in a string"));
	EXPECT(refuses("\"\\ud800\\u0041\"",
		       "t.json:1: half of a surrogate pair in a string"));
	EXPECT(refuses("\"\\udc00\"",
		       "t.json:1: half of a surrogate pair in a string"));
	EXPECT(refuses("[\n\"\xff\"]", "t.json:2: not UTF-8"));
	EXPECT(!ao_json_parse("\"a\0b\"", 5));
}

static void a_key_that_occurs_twice_is_refused(void)
{
	EXPECT(refuses("{\"o\": {\"a\": 1,\n\"b\": 2,\n\"a\": 1}}",
		       "t.json:3: o.a: the key occurs twice"));
	EXPECT(round_trips("[{\"a\":1},{\"a\":1}]"));
}

static void depth_is_limited(void)
{
	char text[2 * AO_MAX_JSON_DEPTH + 3] = "";
	size_t depth = AO_MAX_JSON_DEPTH;
	struct ao_json_doc *doc = NULL;
	struct ao_error *err;

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	EXPECT(round_trips(text));
	memset(text, '[', depth + 1);
	memset(text + depth + 1, ']', depth + 1);
	err = ao_json_doc_parse(&doc, "t.json", text, 2 * depth + 2);
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	ao_error_free(err);
}

static void the_number_of_values_is_limited(void)
{
	size_t len = (size_t)AO_MAX_JSON_VALUES * 2 + 1;
	char *text = ao_xmalloc(len);
	struct ao_json_doc *doc = NULL;
	struct ao_error *err;

	text[0] = '[';
	for (size_t i = 1; i < len; i++)
		text[i] = i % 2 ? '1' : ',';
	text[len - 1] = ']';
	err = ao_json_doc_parse(&doc, "t.json", text, len);
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	ao_error_free(err);
	free(text);
}

static void the_size_is_limited(void)
{
	size_t len = (size_t)AO_MAX_JSON_BYTES + 1;
	char *text = ao_xmalloc(len);
	struct ao_json_doc *doc = NULL;
	struct ao_error *err;

	memset(text, ' ', len);
	text[0] = '1';
	err = ao_json_doc_parse(&doc, "t.json", text, len);
	EXPECT(ao_error_code(err) == AO_ELIMIT);
	ao_error_free(err);
	err = ao_json_doc_parse(&doc, "t.json", text, len - 1);
	EXPECT(!err);
	ao_error_free(err);
	ao_json_doc_free(doc);
	free(text);
}

static void a_complaint_names_file_line_and_field(void)
{
	struct ao_json_doc *doc = parse("{\n"
					"\"inputs\": {\n"
					"  \"a\": {\"shape\":\n"
					"[1,\n"
					"2]}}}");
	const struct ao_json *root = ao_json_doc_root(doc);
	const struct ao_json *a = ao_json_get(ao_json_get(root, "inputs"), "a");
	const struct ao_json *shape = ao_json_get(a, "shape");

	EXPECT(says(ao_json_complain(doc, a, "shape", "bad %d", 7),
		    "t.json:4: inputs.a.shape: bad 7"));
	EXPECT(says(ao_json_complain(doc, a, "dtype", "missing"),
		    "t.json:3: inputs.a.dtype: missing"));
	EXPECT(says(ao_json_complain(doc, ao_json_next(ao_json_first(shape)),
				     NULL, "too large"),
		    "t.json:5: inputs.a.shape[1]: too large"));
	EXPECT(says(ao_json_complain(doc, root, NULL, "odd"), "t.json:1: odd"));
	ao_json_doc_free(doc);
}

static void no_terminal_acts_on_a_hostile_key_in_a_complaint(void)
{
	struct ao_json_doc *doc = parse("{\"\\u001b[31m\": 1}");
	const struct ao_json *root = ao_json_doc_root(doc);

	EXPECT(says(ao_json_complain(doc, ao_json_first(root), NULL, "odd"),
		    "t.json:1: \\x1b[31m: odd"));
	ao_json_doc_free(doc);
}

static void lenient_access_falls_back(void)
{
	struct ao_json_doc *doc = parse(
		"{\"s\":\"x\",\"n\":2.5,\"t\":true,\"u\":"
		"\"18446744073709551615\",\"big\":"
		"\"18446744073709551616\",\"neg\":\"-1\"}");
	const struct ao_json *root = ao_json_doc_root(doc);

	EXPECT(!strcmp(ao_json_string(root, "s", "y"), "x"));
	EXPECT(!strcmp(ao_json_string(root, "n", "y"), "y"));
	EXPECT(!ao_json_string(root, "none", NULL));
	EXPECT(ao_json_value(ao_json_get(root, "n")) > 2.4);
	EXPECT(isnan(ao_json_value(ao_json_get(root, "s"))));
	EXPECT(ao_json_bool(root, "t", false));
	EXPECT(ao_json_bool(root, "n", true) &&
	       !ao_json_bool(root, "n", false));
	EXPECT(ao_json_u64(root, "u", 5) == UINT64_MAX);
	EXPECT(ao_json_u64(root, "big", 5) == 5);
	EXPECT(ao_json_u64(root, "neg", 5) == 5);
	EXPECT(ao_json_u64(root, "n", 5) == 5);
	EXPECT(!ao_json_get(NULL, "s") &&
	       !ao_json_get(ao_json_first(root), "s"));
	EXPECT(!ao_json_text(NULL) && isnan(ao_json_value(NULL)));
	ao_json_doc_free(doc);
}

static void parts_are_visited_in_order(void)
{
	struct ao_json_doc *doc = parse("{\"b\":1,\"a\":[10,20]}");
	const struct ao_json *b = ao_json_first(ao_json_doc_root(doc));
	const struct ao_json *a = ao_json_next(b);

	EXPECT(!strcmp(ao_json_key(b), "b") && !strcmp(ao_json_key(a), "a"));
	EXPECT(!ao_json_next(a));
	EXPECT(ao_json_count(ao_json_doc_root(doc)) == 2);
	EXPECT(ao_json_count(a) == 2 && ao_json_count(b) == 0);
	EXPECT(!ao_json_key(ao_json_first(a)));
	EXPECT(ao_json_kind(a) == AO_JSON_ARRAY &&
	       ao_json_kind(b) == AO_JSON_NUMBER);
	ao_json_doc_free(doc);
}

static void strict_access_says_what_was_expected(void)
{
	struct ao_json_doc *doc = parse("{\"n\":3,\n\"s\":\"x\",\"a\":[]}");
	const struct ao_json *root = ao_json_doc_root(doc);
	const struct ao_json *value = NULL;
	const char *s = NULL;
	double n = 0;

	EXPECT(!ao_json_want(&value, doc, root, "a", AO_JSON_ARRAY) && value);
	EXPECT(!ao_json_want_string(&s, doc, root, "s") && !strcmp(s, "x"));
	EXPECT(!ao_json_want_number(&n, doc, root, "n", 3, 3) && n > 2.9);
	EXPECT(says(ao_json_want_string(&s, doc, root, "n"),
		    "t.json:1: n: expected a string"));
	EXPECT(says(ao_json_want_string(&s, doc, root, "none"),
		    "t.json:1: none: missing; expected a string"));
	EXPECT(says(ao_json_want_number(&n, doc, root, "s", 0, 1),
		    "t.json:2: s: expected a number"));
	EXPECT(says(ao_json_want_number(&n, doc, root, "n", 0, 2.5),
		    "t.json:1: n: 3 is not within 0 .. 2.5"));
	EXPECT(says(ao_json_want(&value, doc, ao_json_get(root, "a"), "x",
				 AO_JSON_NULL),
		    "t.json:2: a: expected an object"));
	ao_json_doc_free(doc);
}

static void unknown_fields_are_refused_with_what_was_meant(void)
{
	static const char *const keys[] = { "shape", "dtype" };
	struct ao_json_doc *doc = parse("[{\"shape\":1},\n{\"shpae\":1},"
					"{\"frobnicate\":1}]");
	const struct ao_json *value = ao_json_first(ao_json_doc_root(doc));

	EXPECT(!ao_json_want_only(doc, value, keys, 2));
	value = ao_json_next(value);
	EXPECT(says(ao_json_want_only(doc, value, keys, 2),
		    "t.json:2: [1].shpae: unknown field; did you mean "
		    "'shape'?"));
	value = ao_json_next(value);
	EXPECT(says(ao_json_want_only(doc, value, keys, 2),
		    "t.json:2: [2].frobnicate: unknown field"));
	EXPECT(says(ao_json_want_only(doc, ao_json_doc_root(doc), keys, 2),
		    "t.json:1: expected an object"));
	ao_json_doc_free(doc);
}

static void a_tree_is_built_and_printed(void)
{
	struct ao_json *root = ao_json_new_object();
	struct ao_json *list = ao_json_new_array();

	ao_json_set_string(list, NULL, "a");
	ao_json_set_number(list, NULL, 1.5);
	ao_json_set_bool(list, NULL, true);
	ao_json_set(root, "list", list);
	ao_json_set(root, "none", NULL);
	ao_json_set_string(root, "none", NULL);
	ao_json_set_u64(root, "big", UINT64_MAX);
	ao_json_set_number(root, "nan", (double)NAN);
	ao_json_set_number(root, "inf", -HUGE_VAL);
	EXPECT(prints(root, false,
		      "{\"list\":[\"a\",1.5,true],"
		      "\"big\":\"18446744073709551615\","
		      "\"nan\":null,\"inf\":null}"));
	EXPECT(prints(list, true, "[\n  \"a\",\n  1.5,\n  true\n]"));
	ao_json_free(root);
	ao_json_free(NULL);
}

static void bytes_that_are_not_utf8_become_replacement_characters(void)
{
	struct ao_json *list = ao_json_new_array();

	ao_json_set_bytes(list, NULL, "a\xff\0z\xe2\x82", 6);
	ao_json_set_string(list, NULL, "\xc3");
	ao_json_set_bytes(list, NULL, "", 0);
	EXPECT(prints(list, false,
		      "[\"a\ufffd\ufffdz\ufffd\ufffd\","
		      "\"\ufffd\",\"\"]"));
	ao_json_free(list);
}

int main(void)
{
	RUN(every_kind_of_value_is_printed_as_it_was_read);
	RUN(strings_are_escaped_and_unescaped);
	RUN(numbers_keep_their_last_bit);
	RUN(what_is_not_json_is_refused_with_its_line);
	RUN(numbers_that_are_none_are_refused);
	RUN(a_number_that_overflows_is_refused);
	RUN(strings_that_are_none_are_refused);
	RUN(a_key_that_occurs_twice_is_refused);
	RUN(depth_is_limited);
	RUN(the_number_of_values_is_limited);
	RUN(the_size_is_limited);
	RUN(a_complaint_names_file_line_and_field);
	RUN(no_terminal_acts_on_a_hostile_key_in_a_complaint);
	RUN(lenient_access_falls_back);
	RUN(parts_are_visited_in_order);
	RUN(strict_access_says_what_was_expected);
	RUN(unknown_fields_are_refused_with_what_was_meant);
	RUN(a_tree_is_built_and_printed);
	RUN(bytes_that_are_not_utf8_become_replacement_characters);
	return tap_done();
}
