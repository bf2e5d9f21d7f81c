/* SPDX-License-Identifier: MIT */
/* snippet.h - the lines in which two texts differ.  Pure. */
#ifndef AO_AGENTS_SNIPPET_H
#define AO_AGENTS_SNIPPET_H

#include "util/base.h"

/*
 * The part of each text between their common first and last lines, with a line
 * of context on either side, at most `max_lines` lines; the rest of a longer
 * one is "...".  Returns false, outputs untouched, if the texts are equal.
 * The caller frees both.
 */
bool ao_snippet_differ(char **a_out, char **b_out, const char *a, const char *b,
		       size_t max_lines);

#endif
