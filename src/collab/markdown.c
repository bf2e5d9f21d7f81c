/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "collab/markdown.h"
#include "util/limits.h"
#include "util/text.h"

/* Escaped text takes up to four times the room. */
enum { MAX_TEXT_BYTES = 4 * AO_MAX_PLAN_BYTES };

void ao_markdown_text(struct ao_buf *out, const char *text)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_TEXT_BYTES);

	ao_text_safe_line(&safe, text, strlen(text));
	for (const char *c = safe.ptr; *c; c++) {
		if (*c == '|')
			ao_buf_addstr(out, "\\");
		ao_buf_add(out, c, 1);
	}
	ao_buf_release(&safe);
}
