/* SPDX-License-Identifier: MIT */
/* The strict half of json.h: what must be there, or a complaint. */
#include "util/base.h"

#include "util/json.h"
#include "util/text.h"

static const char *const kind_names[] = {
	[AO_JSON_NULL] = "null",       [AO_JSON_BOOL] = "true or false",
	[AO_JSON_NUMBER] = "a number", [AO_JSON_STRING] = "a string",
	[AO_JSON_ARRAY] = "an array",  [AO_JSON_OBJECT] = "an object",
};

struct ao_error *ao_json_want(const struct ao_json **out,
			      const struct ao_json_doc *doc,
			      const struct ao_json *object, const char *key,
			      enum ao_json_kind kind)
{
	const struct ao_json *member;

	if (ao_json_kind(object) != AO_JSON_OBJECT)
		return ao_json_complain(doc, object, NULL,
					"expected an object");
	member = ao_json_get(object, key);
	if (!member)
		return ao_json_complain(doc, object, key,
					"missing; expected %s",
					kind_names[kind]);
	if (ao_json_kind(member) != kind)
		return ao_json_complain(doc, member, NULL, "expected %s",
					kind_names[kind]);
	*out = member;
	return NULL;
}

struct ao_error *ao_json_want_string(const char **out,
				     const struct ao_json_doc *doc,
				     const struct ao_json *object,
				     const char *key)
{
	const struct ao_json *member = NULL;
	struct ao_error *err;

	err = ao_json_want(&member, doc, object, key, AO_JSON_STRING);
	if (!err)
		*out = ao_json_text(member);
	return err;
}

struct ao_error *ao_json_want_number(double *out, const struct ao_json_doc *doc,
				     const struct ao_json *object,
				     const char *key, double min, double max)
{
	const struct ao_json *member = NULL;
	struct ao_error *err;
	double number;

	err = ao_json_want(&member, doc, object, key, AO_JSON_NUMBER);
	if (err)
		return err;
	number = ao_json_value(member);
	if (!(number >= min && number <= max))
		return ao_json_complain(doc, member, NULL,
					"%.17g is not within %.17g .. %.17g",
					number, min, max);
	*out = number;
	return NULL;
}

struct ao_error *ao_json_want_only(const struct ao_json_doc *doc,
				   const struct ao_json *object,
				   const char *const *keys, size_t count)
{
	if (ao_json_kind(object) != AO_JSON_OBJECT)
		return ao_json_complain(doc, object, NULL,
					"expected an object");
	for (const struct ao_json *member = ao_json_first(object); member;
	     member = ao_json_next(member)) {
		const char *near;
		bool is_known = false;

		for (size_t i = 0; i < count && !is_known; i++)
			is_known = !strcmp(keys[i], ao_json_key(member));
		if (is_known)
			continue;
		near = ao_text_nearest(ao_json_key(member), keys, count);
		if (near)
			return ao_json_complain(
				doc, member, NULL,
				"unknown field; did you mean '%s'?", near);
		return ao_json_complain(doc, member, NULL, "unknown field");
	}
	return NULL;
}
