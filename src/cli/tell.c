/* SPDX-License-Identifier: MIT */
#include "util/base.h"

#include "util/text.h"

#include "cli/tell.h"

enum { MAX_SAFE_BYTES = 64 << 20 };

void ao_tell(struct ao_buf *text)
{
	struct ao_buf safe = AO_BUF_INIT(MAX_SAFE_BYTES);

	ao_text_safe(&safe, text->ptr, text->len);
	fwrite(safe.ptr, 1, safe.len, stdout);
	if (text->overflow || safe.overflow)
		fprintf(stderr,
			"warning: the answer is too long, its end is not "
			"shown\n");
	ao_buf_release(&safe);
	ao_buf_release(text);
}

void ao_tell_json(struct ao_json *value)
{
	struct ao_buf line = AO_BUF_INIT(MAX_SAFE_BYTES);

	ao_json_print(&line, value, false);
	ao_buf_addstr(&line, "\n");
	fwrite(line.ptr, 1, line.len, stdout);
	ao_buf_release(&line);
	ao_json_free(value);
}
