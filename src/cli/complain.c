/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/buf.h"
#include "util/text.h"

#include "cli/complain.h"

enum { MAX_COMPLAINT_BYTES = 1 << 20 };

static bool is_traced(void)
{
	const char *trace = getenv("GIT_ACCELOPT_TRACE");

	return trace && *trace && strcmp(trace, "0") != 0 &&
	       strcmp(trace, "false") != 0;
}

void ao_complain(const char *label, const struct ao_error *err)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_COMPLAINT_BYTES);
	char *text = NULL;
	size_t len = 0, skipped;
	FILE *memory = open_memstream(&text, &len);

	if (!memory) {
		fputs("fatal: out of memory\n", stderr);
		return;
	}
	ao_error_print(memory, err, is_traced());
	fclose(memory);
	/* ao_error_print() has a label of its own. */
	skipped = strcspn(text, ":");
	ao_text_safe(&safe, text + skipped, len - skipped);
	fprintf(stderr, "%s%s", label, safe.ptr);
	ao_buf_release(&safe);
	free(text);
}
