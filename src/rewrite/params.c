/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "rewrite/params.h"
#include "util/strs.h"
#include "util/text.h"

char *ao_params_text(const char *params, const char *name)
{
	struct ao_strs words = { 0 };
	size_t len = strlen(name);
	char *found = NULL;

	ao_strs_split(&words, params);
	for (size_t i = 0; i < words.count && !found; i++) {
		if (!strncmp(words.v[i], name, len) && words.v[i][len] == '=')
			found = ao_xstrdup(words.v[i] + len + 1);
	}
	ao_strs_release(&words);
	return found;
}

bool ao_params_int(const char *params, const char *name, int *out, int min,
		   int max)
{
	char *text = ao_params_text(params, name);
	int64_t value;
	bool is_it = text && ao_text_to_int(&value, text, min, max);

	if (is_it)
		*out = (int)value;
	free(text);
	return is_it;
}

bool ao_params_begin_with_place(const char *params)
{
	static const char *const places[] = { "site=", "fuse=", "split=" };

	for (size_t i = 0; i < AO_ARRAY_SIZE(places); i++) {
		if (ao_text_starts_with(params, places[i]))
			return true;
	}
	return false;
}
