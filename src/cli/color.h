/* SPDX-License-Identifier: MIT */
/* color.h - whether and how to colour, as git's configuration says. */
#ifndef AO_CLI_COLOR_H
#define AO_CLI_COLOR_H

#include "util/buf.h"

struct ao_repo;

/*
 * Whether standard output takes colours: color.accelopt, color.ui, then only
 * on a terminal or in a pager.  Never with NO_COLOR.  Ask once the pager has
 * been started.
 */
bool ao_color_is_on(void);

/*
 * Append the escape sequence that git has for `slot` ("color.diff.new"), by
 * default that of `otherwise` ("green").
 */
void ao_color_add(struct ao_buf *out, const char *slot, const char *otherwise);

extern const char ao_color_reset[];

#endif
