/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include <stdarg.h>

#include "store/repo.h"

#include "cli/hint.h"
#include "cli/truth.h"

void ao_hint(struct ao_repo *repo, const char *fmt, ...)
{
	const char *advice = ao_repo_config(repo, "advice.accelopt");
	char *text, *line, *rest;
	va_list ap;

	if (ao_truth_is_off(advice))
		return;
	va_start(ap, fmt);
	text = ao_xvstrf(fmt, ap);
	va_end(ap);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		fprintf(stderr, "hint: %s\n", line);
	free(text);
}
