/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <strings.h>

#include "cli/truth.h"

static bool is_one_of(const char *text, const char *const *words)
{
	for (; text && *words; words++)
		if (strcasecmp(text, *words) == 0)
			return true;
	return false;
}

bool ao_truth_is_on(const char *text)
{
	static const char *const words[] = { "true", "yes", "on", "1", NULL };

	return is_one_of(text, words);
}

bool ao_truth_is_off(const char *text)
{
	static const char *const words[] = { "false", "no", "off", "0", NULL };

	return is_one_of(text, words);
}
