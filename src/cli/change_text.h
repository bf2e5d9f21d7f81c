/* SPDX-License-Identifier: MIT */
/* change_text.h - what a candidate changed, as git shows it. */
#ifndef AO_CLI_CHANGE_TEXT_H
#define AO_CLI_CHANGE_TEXT_H

#include "util/buf.h"

/*
 * Append `git diff <from> <to>`, without colours.  Programs that configuration
 * or attributes name for the purpose are not run.
 */
AO_MUST_CHECK
struct ao_error *ao_change_read(struct ao_buf *out, const char *from,
				const char *to);

/*
 * Print such a diff on standard output, control characters escaped; `colored`
 * with git's colours.
 */
void ao_change_print(const char *diff, bool colored);

#endif
