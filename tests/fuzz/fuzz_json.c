/* SPDX-License-Identifier: MIT */
/*
 * Any bytes either do not parse, or parse to a tree that is the same when it
 * is printed and read again; and both parsers agree.
 */
#include "util/base.h"

#include "fuzz.h"
#include "util/json.h"

/* Complain about every value, so that each place in the text is looked for. */
static void complain_about_all(const struct ao_json_doc *doc,
			       const struct ao_json *value, unsigned *left)
{
	if (!*left)
		return;
	(*left)--;
	ao_error_free(ao_json_complain(doc, value, "x", "odd"));
	for (const struct ao_json *part = ao_json_first(value); part;
	     part = ao_json_next(part))
		complain_about_all(doc, part, left);
}

static char *print(const struct ao_json *value, bool pretty)
{
	struct ao_buf out = AO_BUF_INIT(SIZE_MAX / 4);

	ao_json_print(&out, value, pretty);
	return ao_buf_take(&out);
}

static void check_round_trip(const struct ao_json *value, bool pretty)
{
	char *once = print(value, pretty);
	struct ao_json *again = ao_json_parse(once, strlen(once));
	char *twice;

	FUZZ_CHECK(again);
	twice = print(again, pretty);
	FUZZ_CHECK(!strcmp(once, twice));
	ao_json_free(again);
	free(once);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ao_json *value = ao_json_parse((const char *)data, size);
	struct ao_json_doc *doc = NULL;
	struct ao_error *err = ao_json_doc_parse(&doc, "fuzz",
						 (const char *)data, size);
	unsigned left = 100;

	FUZZ_CHECK(!value == !!err);
	if (!err) {
		complain_about_all(doc, ao_json_doc_root(doc), &left);
		check_round_trip(value, false);
		check_round_trip(value, true);
	}
	ao_error_free(err);
	ao_json_doc_free(doc);
	ao_json_free(value);
	return 0;
}
