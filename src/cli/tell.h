/* SPDX-License-Identifier: MIT */
/*
 * tell.h - text for standard output, safe for a terminal.
 *
 * A command composes its answer in a buffer and prints it at once: names,
 * logs and plans in it come from outside, and may hold escape sequences.
 */
#ifndef AO_CLI_TELL_H
#define AO_CLI_TELL_H

#include "util/json.h"

/*
 * Print the buffer, control characters escaped, and release it.  Says so if
 * it is not all that was put into it.
 */
void ao_tell(struct ao_buf *text);

/* Print the value on a line of its own, and free it. */
void ao_tell_json(struct ao_json *value);

#endif
