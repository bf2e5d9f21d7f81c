/* SPDX-License-Identifier: MIT */
/* markdown.h - text from others in pages of Markdown. */
#ifndef AO_COLLAB_MARKDOWN_H
#define AO_COLLAB_MARKDOWN_H

#include "util/buf.h"

/* Append it so that it stays on its line, and in its cell of a table. */
void ao_markdown_text(struct ao_buf *out, const char *text);

#endif
