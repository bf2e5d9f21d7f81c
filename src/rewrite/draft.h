/* SPDX-License-Identifier: MIT */
/* draft.h - lines of C that are generated, indented as the source is. */
#ifndef AO_REWRITE_DRAFT_H
#define AO_REWRITE_DRAFT_H

#include "rewrite/unit.h"

/*
 * The text begins in mid-line, behind the blanks of the line that it stands
 * on, and ends without a newline: as what it replaces did.
 */
struct ao_draft {
	struct ao_unit *unit;
	struct ao_buf text;
	const char *base; /* blanks that its lines begin with */
	unsigned level;	  /* further levels */
	bool is_started;
};

/* Start a draft for what will stand at byte `at`. */
void ao_draft_init(struct ao_draft *draft, struct ao_unit *unit, size_t at);
void ao_draft_release(struct ao_draft *draft);

/* One line. */
AO_PRINTF(2, 3)
void ao_draft_line(struct ao_draft *draft, const char *fmt, ...);

/* One line; those that follow are a level deeper. */
AO_PRINTF(2, 3)
void ao_draft_open(struct ao_draft *draft, const char *fmt, ...);

/* The same, but without a line. */
void ao_draft_indent(struct ao_draft *draft);
void ao_draft_outdent(struct ao_draft *draft);

/* A line one level up: "}". */
void ao_draft_close(struct ao_draft *draft, const char *line);

/* A line at the margin, as pragmas have it; not the first. */
void ao_draft_directive(struct ao_draft *draft, const char *line);

/* An empty line. */
void ao_draft_blank(struct ao_draft *draft);

/*
 * Bytes [at, end) of the source as they are, moved to this level.  Blanks and
 * line ends around them are left out.
 */
void ao_draft_copy(struct ao_draft *draft, size_t at, size_t end);

/*
 * Start a choice: the code of the span as it is if `condition` holds, with
 * `why` as its comment, else what is written next, until a "}" is.
 */
void ao_draft_fall_back(struct ao_draft *draft, const char *condition,
			const char *why, struct ao_span span);

/* The comments within bytes [at, end) of the source, each moved to this level.
 */
void ao_draft_comments(struct ao_draft *draft, size_t at, size_t end);

#endif
